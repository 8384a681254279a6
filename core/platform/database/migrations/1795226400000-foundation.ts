import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Accounts, keys, credits, the ledger, outgoing messages and what bounds them. */
export class Foundation1795226400000 implements MigrationInterface {
  readonly name = 'Foundation1795226400000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP FUNCTION ensure_message_partitions`);
    await runner.query(`DROP FUNCTION uuid_v7_floor`);
    await runner.query(
      `DROP TABLE messages, idempotency_keys, daily_counts, opt_outs, blocked_addresses, ledger_entries, credit_accounts, api_keys, accounts`,
    );
  }
}

const statements = [
  `CREATE TABLE accounts (
     id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
     email text NOT NULL,
     display_name text NOT NULL DEFAULT '',
     password_hash text,
     sign_in_type text NOT NULL CHECK (sign_in_type IN ('google', 'custom')),
     webhook_url text,
     daily_limit integer NOT NULL DEFAULT 100 CHECK (daily_limit >= 0),
     key_rate_per_second integer CHECK (key_rate_per_second > 0),
     urls_activated boolean NOT NULL DEFAULT false,
     blocked_at timestamptz,
     created_at timestamptz NOT NULL DEFAULT now()
   )`,
  `CREATE UNIQUE INDEX accounts_email ON accounts (lower(email))`,

  `CREATE TABLE api_keys (
     key_hash bytea PRIMARY KEY CHECK (octet_length(key_hash) = 32),
     account_id uuid NOT NULL REFERENCES accounts (id),
     encrypted_key bytea NOT NULL,
     created_at timestamptz NOT NULL DEFAULT now()
   )`,
  `CREATE INDEX api_keys_account ON api_keys (account_id)`,

  // Updated once per admission batch: free room in every page keeps those updates off the index.
  `CREATE TABLE credit_accounts (
     account_id uuid PRIMARY KEY REFERENCES accounts (id),
     balance bigint NOT NULL CHECK (balance >= 0),
     purchased bigint NOT NULL CHECK (purchased >= 0),
     used bigint NOT NULL CHECK (used >= 0),
     updated_at timestamptz NOT NULL DEFAULT now(),
     CHECK (balance = purchased - used)
   ) WITH (fillfactor = 40)`,

  // No foreign key to the account: its share lock on the hottest row of the product would cost every message.
  `CREATE TABLE ledger_entries (
     id bigint GENERATED ALWAYS AS IDENTITY,
     account_id uuid NOT NULL,
     amount bigint NOT NULL CHECK (amount <> 0),
     balance_after bigint NOT NULL CHECK (balance_after >= 0),
     kind text NOT NULL CHECK (kind IN ('signup', 'purchase', 'redeem', 'message', 'otp', 'inbound', 'refund', 'adjustment')),
     source_id text NOT NULL,
     note text,
     created_at timestamptz NOT NULL DEFAULT now(),
     PRIMARY KEY (account_id, id),
     UNIQUE (kind, source_id)
   )`,

  `CREATE TABLE daily_counts (
     account_id uuid NOT NULL,
     day date NOT NULL,
     count integer NOT NULL CHECK (count >= 0),
     last_granted integer NOT NULL CHECK (last_granted >= 0),
     PRIMARY KEY (account_id, day)
   ) WITH (fillfactor = 40)`,

  `CREATE TABLE idempotency_keys (
     account_id uuid NOT NULL,
     key text NOT NULL,
     body_hash bytea NOT NULL,
     message_id uuid NOT NULL,
     created_at timestamptz NOT NULL DEFAULT now(),
     PRIMARY KEY (account_id, key)
   )`,
  `CREATE INDEX idempotency_keys_created ON idempotency_keys (created_at)`,

  `CREATE TABLE opt_outs (
     recipient text NOT NULL,
     sender text NOT NULL,
     created_at timestamptz NOT NULL DEFAULT now(),
     PRIMARY KEY (recipient, sender)
   )`,

  `CREATE TABLE blocked_addresses (
     address text PRIMARY KEY,
     created_at timestamptz NOT NULL DEFAULT now()
   )`,

  // due_at is when recovery looks at a row that is not final: one small index serves every recovery loop.
  `CREATE TABLE messages (
     id uuid NOT NULL,
     account_id uuid NOT NULL,
     kind text NOT NULL CHECK (kind IN ('sms', 'otp')),
     recipient text NOT NULL,
     country text NOT NULL,
     sender text NOT NULL,
     body text NOT NULL,
     segments smallint NOT NULL CHECK (segments > 0),
     credits integer NOT NULL CHECK (credits > 0),
     reference text,
     status text NOT NULL DEFAULT 'queued'
       CHECK (status IN ('queued', 'sending', 'sent', 'delivered', 'undelivered', 'failed')),
     attempts integer NOT NULL DEFAULT 0,
     counted_on date,
     carrier_id text,
     error_code text,
     carrier_error integer,
     refunded integer NOT NULL DEFAULT 0 CHECK (refunded IN (0, credits)),
     due_at timestamptz,
     created_at timestamptz NOT NULL DEFAULT now(),
     claimed_at timestamptz,
     sent_at timestamptz,
     finished_at timestamptz,
     PRIMARY KEY (id)
   ) PARTITION BY RANGE (id)`,
  `CREATE INDEX messages_account ON messages (account_id, id DESC)`,
  `CREATE INDEX messages_recipient ON messages (recipient, id DESC)`,
  `CREATE INDEX messages_due ON messages (due_at) WHERE due_at IS NOT NULL`,
  `CREATE TABLE messages_default PARTITION OF messages DEFAULT`,

  // RFC 9562, section 5.7: the first 48 bits of a UUIDv7 are the Unix time in milliseconds.
  `CREATE FUNCTION uuid_v7_floor(at timestamptz) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$
     SELECT (lpad(to_hex(floor(extract(epoch FROM at) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid
   $$`,

  // Months in UTC. Runs ahead of time, so the default partition stays empty and a month is attached without a scan.
  `CREATE FUNCTION ensure_message_partitions(first_month date, months integer) RETURNS void LANGUAGE plpgsql AS $$
   DECLARE
     month timestamp;
     name text;
   BEGIN
     PERFORM pg_advisory_xact_lock(hashtext('ensure_message_partitions'));
     FOR step IN 0 .. months - 1 LOOP
       month := date_trunc('month', first_month::timestamp) + make_interval(months => step);
       name := 'messages_' || to_char(month, 'YYYY_MM');
       IF to_regclass(name) IS NULL THEN
         EXECUTE format(
           'CREATE TABLE %I PARTITION OF messages FOR VALUES FROM (%L) TO (%L)',
           name,
           uuid_v7_floor(month AT TIME ZONE 'UTC'),
           uuid_v7_floor((month + interval '1 month') AT TIME ZONE 'UTC')
         );
       END IF;
     END LOOP;
   END
   $$`,
  `SELECT ensure_message_partitions((now() AT TIME ZONE 'UTC')::date, 3)`,
];
