import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Numbers of one account each, their purchases, pools of them, and credits that are held. */
export class Numbers1796400000300 implements MigrationInterface {
  readonly name = 'Numbers1796400000300';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of back) await runner.query(statement);
  }
}

const statements = [
  // number: E.164; of the operator also the id of a messaging service. origin: the operator gave the
  // account a sender that the installation has (then the account uses no shared ones), or the account
  // bought it. months_paid: how many months of rent have been taken; the last of them ends at
  // renews_at. past_due_at: the end of the month that was paid last, while the next one is not;
  // past_due_notices: how often the owner was told. due_at: when a worker looks at the number next.
  // rests_until: no other account can buy it before. filtered_at: carriers filtered its messages.
  `CREATE TABLE numbers (
     id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
     number text NOT NULL,
     account_id uuid NOT NULL,
     origin text NOT NULL DEFAULT 'operator' CHECK (origin IN ('operator', 'purchase')),
     status text NOT NULL DEFAULT 'active'
       CHECK (status IN ('reserving', 'active', 'past_due', 'releasing', 'released')),
     type text CHECK (type IN ('local', 'toll_free')),
     country text CHECK (country ~ '^[A-Z]{2}$'),
     can_mms boolean NOT NULL DEFAULT false,
     label text,
     auto_renew boolean NOT NULL DEFAULT true,
     credits_per_month integer CHECK (credits_per_month >= 0),
     months_paid integer NOT NULL DEFAULT 0 CHECK (months_paid >= 0),
     carrier smallint,
     carrier_id text,
     activated_at timestamptz,
     renews_at timestamptz,
     past_due_at timestamptz,
     past_due_notices smallint NOT NULL DEFAULT 0,
     due_at timestamptz,
     release_reason text CHECK (release_reason IN ('owner', 'not_renewed', 'unpaid', 'deleted', 'operator')),
     released_at timestamptz,
     rests_until timestamptz,
     filtered_at timestamptz,
     created_at timestamptz NOT NULL DEFAULT now(),
     CHECK ((origin = 'purchase') = (type IS NOT NULL AND country IS NOT NULL AND credits_per_month IS NOT NULL)),
     CHECK ((status = 'past_due') = (past_due_at IS NOT NULL)),
     CHECK ((status = 'released') = (released_at IS NOT NULL)),
     CHECK (origin = 'operator' OR status IN ('reserving', 'released') OR
       (carrier_id IS NOT NULL AND activated_at IS NOT NULL AND renews_at IS NOT NULL))
   )`,
  // A number has one account at a time.
  `CREATE UNIQUE INDEX numbers_live ON numbers (number) WHERE status <> 'released'`,
  `CREATE INDEX numbers_number ON numbers (number)`,
  `CREATE INDEX numbers_account ON numbers (account_id, created_at)`,
  `CREATE INDEX numbers_due ON numbers (due_at) WHERE due_at IS NOT NULL`,

  // A purchase is written before the carrier is called; its id is the number's, and the carrier
  // keeps it as the number's friendly name. budget_day: the New York day on which the key's budget was
  // charged. due_at: when a worker finds out what became of it.
  `CREATE TABLE number_orders (
     id uuid PRIMARY KEY,
     account_id uuid NOT NULL REFERENCES accounts (id),
     number text NOT NULL,
     key_id uuid,
     status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'confirmed', 'failed')),
     reason text,
     credits integer NOT NULL CHECK (credits >= 0),
     setup_credits integer NOT NULL CHECK (setup_credits >= 0),
     idempotency_key text,
     body_hash bytea,
     budget_day date,
     attempts integer NOT NULL DEFAULT 0,
     due_at timestamptz,
     created_at timestamptz NOT NULL DEFAULT now(),
     finished_at timestamptz,
     CHECK ((status = 'pending') = (finished_at IS NULL)),
     CHECK ((status = 'pending') = (due_at IS NOT NULL)),
     CHECK ((status = 'failed') = (reason IS NOT NULL))
   )`,
  `CREATE INDEX number_orders_account ON number_orders (account_id, created_at)`,
  `CREATE INDEX number_orders_due ON number_orders (due_at) WHERE due_at IS NOT NULL`,

  // The default pool has the numbers of messages that name no sender.
  `CREATE TABLE pools (
     id uuid PRIMARY KEY,
     account_id uuid NOT NULL REFERENCES accounts (id),
     name text NOT NULL CHECK (length(name) BETWEEN 1 AND 60),
     is_default boolean NOT NULL DEFAULT false,
     created_at timestamptz NOT NULL DEFAULT now(),
     UNIQUE (account_id, name)
   )`,
  `CREATE UNIQUE INDEX pools_default ON pools (account_id) WHERE is_default`,
  // left_at: the number left the pool because carriers filtered its messages.
  `CREATE TABLE pool_numbers (
     account_id uuid NOT NULL,
     pool_id uuid NOT NULL,
     number_id uuid NOT NULL,
     left_at timestamptz,
     PRIMARY KEY (account_id, pool_id, number_id)
   )`,

  // Credits of a purchase that is not decided yet: part of credit_accounts.frozen, as those of
  // disputed payments are. claimed: of these, what disputes that were opened meanwhile lack; they are
  // frozen for them when the hold ends without a purchase.
  `CREATE TABLE credit_holds (
     account_id uuid NOT NULL REFERENCES accounts (id),
     source_id text NOT NULL,
     credits bigint NOT NULL CHECK (credits > 0),
     claimed bigint NOT NULL DEFAULT 0 CHECK (claimed BETWEEN 0 AND credits),
     created_at timestamptz NOT NULL DEFAULT now(),
     PRIMARY KEY (account_id, source_id)
   )`,
  // Wider: the names of the release before stay valid. Its entries need no second look.
  `ALTER TABLE ledger_entries DROP CONSTRAINT ledger_entries_kind_check`,
  `ALTER TABLE ledger_entries ADD CONSTRAINT ledger_entries_kind_check CHECK (
     kind IN ('signup', 'purchase', 'redeem', 'message', 'otp', 'inbound', 'refund', 'chargeback', 'adjustment',
       'number_rent', 'number_setup')
   ) NOT VALID`,
  `ALTER TABLE spend_days DROP CONSTRAINT spend_days_kind_check`,
  `ALTER TABLE spend_days ADD CONSTRAINT spend_days_kind_check
     CHECK (kind IN ('message', 'otp', 'reply', 'number')) NOT VALID`,
  // resting: a reply to a number that was released.
  `ALTER TABLE inbound_receipts DROP CONSTRAINT inbound_receipts_outcome_check`,
  `ALTER TABLE inbound_receipts ADD CONSTRAINT inbound_receipts_outcome_check
     CHECK (outcome IN ('received', 'held', 'limited', 'unrouted', 'off', 'full', 'resting')) NOT VALID`,
  `ALTER TABLE accounts ADD COLUMN numbers_max integer NOT NULL DEFAULT 10 CHECK (numbers_max >= 0)`,

  // The senders that the operator gave to accounts become numbers. The release before, which still
  // runs while this one is deployed, reads and writes the same rows by their old name.
  `INSERT INTO numbers (number, account_id, created_at)
     SELECT sender, account_id, created_at FROM account_senders`,
  `DROP TABLE account_senders`,
  `CREATE VIEW account_senders AS
     SELECT number AS sender, account_id, created_at FROM numbers WHERE origin = 'operator'`,
];

const back = [
  `DROP VIEW account_senders`,
  `CREATE TABLE account_senders (
     sender text PRIMARY KEY,
     account_id uuid NOT NULL REFERENCES accounts (id),
     created_at timestamptz NOT NULL DEFAULT now()
   )`,
  `CREATE INDEX account_senders_account ON account_senders (account_id)`,
  `INSERT INTO account_senders (sender, account_id, created_at)
     SELECT number, account_id, created_at FROM numbers WHERE origin = 'operator'`,
  `ALTER TABLE accounts DROP COLUMN numbers_max`,
  `ALTER TABLE inbound_receipts DROP CONSTRAINT inbound_receipts_outcome_check`,
  `ALTER TABLE inbound_receipts ADD CONSTRAINT inbound_receipts_outcome_check
     CHECK (outcome IN ('received', 'held', 'limited', 'unrouted', 'off', 'full')) NOT VALID`,
  `ALTER TABLE spend_days DROP CONSTRAINT spend_days_kind_check`,
  `ALTER TABLE spend_days ADD CONSTRAINT spend_days_kind_check CHECK (kind IN ('message', 'otp', 'reply')) NOT VALID`,
  `ALTER TABLE ledger_entries DROP CONSTRAINT ledger_entries_kind_check`,
  `ALTER TABLE ledger_entries ADD CONSTRAINT ledger_entries_kind_check CHECK (
     kind IN ('signup', 'purchase', 'redeem', 'message', 'otp', 'inbound', 'refund', 'chargeback', 'adjustment')
   ) NOT VALID`,
  `DROP TABLE credit_holds, pool_numbers, pools, number_orders, numbers`,
];
