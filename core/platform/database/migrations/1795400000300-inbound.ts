import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Replies: what came in, what Twilio has brought already, and which sender a recipient knows an account by. */
export class Inbound1795400000300 implements MigrationInterface {
  readonly name = 'Inbound1795400000300';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP FUNCTION ensure_inbound_partitions`);
    await runner.query(`DROP TABLE inbound_messages, inbound_receipts, conversations`);
    await runner.query(`ALTER TABLE credit_accounts DROP COLUMN received_count`);
  }
}

const statements = [
  // How many messages the account has received: the number of its newest one.
  `ALTER TABLE credit_accounts ADD COLUMN received_count bigint NOT NULL DEFAULT 0`,

  // sender is the person's number, recipient is ours. received_at is when it was charged and forwarded: null while it is held.
  `CREATE TABLE inbound_messages (
     id uuid NOT NULL,
     account_id uuid NOT NULL,
     number bigint NOT NULL CHECK (number > 0),
     carrier_id text NOT NULL,
     sender text NOT NULL,
     recipient text NOT NULL,
     body text NOT NULL,
     segments smallint NOT NULL CHECK (segments > 0),
     credits integer NOT NULL CHECK (credits >= 0),
     status text NOT NULL CHECK (status IN ('held', 'received')),
     created_at timestamptz NOT NULL DEFAULT now(),
     received_at timestamptz,
     PRIMARY KEY (id),
     CHECK ((status = 'held') = (credits = 0)),
     CHECK ((status = 'held') = (received_at IS NULL))
   ) PARTITION BY RANGE (id)`,
  `CREATE INDEX inbound_messages_number ON inbound_messages (account_id, number)`,
  `CREATE INDEX inbound_messages_account_sender ON inbound_messages (account_id, sender, number)`,
  `CREATE INDEX inbound_messages_held ON inbound_messages (account_id, number) WHERE status = 'held'`,
  `CREATE TABLE inbound_messages_default PARTITION OF inbound_messages DEFAULT`,

  // A partitioned table cannot keep the carrier's ids unique; this one does, for as long as a repeat may come. It tells what
  // became of each, and nothing of what it said.
  `CREATE TABLE inbound_receipts (
     carrier_id text PRIMARY KEY,
     outcome text NOT NULL DEFAULT 'received' CHECK (outcome IN ('received', 'held', 'unrouted', 'off', 'full')),
     created_at timestamptz NOT NULL DEFAULT now()
   )`,
  `CREATE INDEX inbound_receipts_created ON inbound_receipts (created_at)`,

  // With several senders: the one by which a recipient knows an account.
  `CREATE TABLE conversations (
     account_id uuid NOT NULL,
     recipient text NOT NULL,
     sender text NOT NULL,
     last_at timestamptz NOT NULL DEFAULT now(),
     PRIMARY KEY (account_id, recipient)
   )`,
  `CREATE INDEX conversations_recipient ON conversations (recipient)`,

  // As the partitions of messages: months in UTC, made ahead of time, so that the default partition stays empty.
  `CREATE FUNCTION ensure_inbound_partitions(first_month date, months integer) RETURNS void LANGUAGE plpgsql AS $$
   DECLARE
     month timestamp;
     name text;
   BEGIN
     PERFORM pg_advisory_xact_lock(hashtext('ensure_inbound_partitions'));
     FOR step IN 0 .. months - 1 LOOP
       month := date_trunc('month', first_month::timestamp) + make_interval(months => step);
       name := 'inbound_messages_' || to_char(month, 'YYYY_MM');
       IF to_regclass(name) IS NULL THEN
         EXECUTE format(
           'CREATE TABLE %I PARTITION OF inbound_messages FOR VALUES FROM (%L) TO (%L)',
           name,
           uuid_v7_floor(month AT TIME ZONE 'UTC'),
           uuid_v7_floor((month + interval '1 month') AT TIME ZONE 'UTC')
         );
       END IF;
     END LOOP;
   END
   $$`,
  `SELECT ensure_inbound_partitions((now() AT TIME ZONE 'UTC')::date, 3)`,
];
