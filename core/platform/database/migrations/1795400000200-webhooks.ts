import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Webhooks: where they go, what has to arrive, and every attempt. The URL moves here from the account. */
export class Webhooks1795400000200 implements MigrationInterface {
  readonly name = 'Webhooks1795400000200';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE mails DROP CONSTRAINT mails_kind_check`);
    await runner.query(
      `ALTER TABLE mails ADD CONSTRAINT mails_kind_check CHECK (kind IN ('welcome', 'receipt')) NOT VALID`,
    );
    await runner.query(`ALTER TABLE accounts ADD COLUMN webhook_url text`);
    await runner.query(
      `UPDATE accounts SET webhook_url = e.url FROM webhook_endpoints e WHERE e.account_id = accounts.id`,
    );
    await runner.query(`DROP TABLE webhook_attempts, webhook_deliveries, webhook_endpoints`);
    await runner.query(`DROP FUNCTION ensure_webhook_partitions, drop_webhook_partitions`);
  }
}

const statements = [
  // secret and previous_secret are sealed like the readable copies of API keys. secret is null until it is first needed.
  `CREATE TABLE webhook_endpoints (
     account_id uuid PRIMARY KEY REFERENCES accounts (id),
     url text,
     events text[] NOT NULL DEFAULT '{}',
     secret bytea,
     secret_key_id text,
     previous_secret bytea,
     previous_secret_key_id text,
     previous_secret_ends_at timestamptz,
     failing_since timestamptz,
     disabled_at timestamptz,
     disabled_reason text CHECK (disabled_reason IN ('gone', 'failing', 'operator')),
     low_credits bigint NOT NULL DEFAULT 10 CHECK (low_credits > 0),
     credits_are_low boolean NOT NULL DEFAULT false,
     credits_seen_at timestamptz NOT NULL DEFAULT now(),
     created_at timestamptz NOT NULL DEFAULT now(),
     CHECK ((disabled_at IS NULL) = (disabled_reason IS NULL))
   )`,
  `CREATE INDEX webhook_endpoints_low_credits ON webhook_endpoints (credits_seen_at)
     WHERE 'credits.low' = ANY (events) AND url IS NOT NULL`,
  `INSERT INTO webhook_endpoints (account_id, url) SELECT id, webhook_url FROM accounts WHERE webhook_url IS NOT NULL`,
  `ALTER TABLE accounts DROP COLUMN webhook_url`,

  // body is what is sent and signed, byte by byte. attempts numbers the claims, failures counts along the retry schedule.
  // due_at is when recovery looks: until then somebody else has the row in hand.
  `CREATE TABLE webhook_deliveries (
     id uuid PRIMARY KEY,
     account_id uuid NOT NULL,
     type text NOT NULL,
     source_id text NOT NULL,
     body text NOT NULL,
     is_test boolean NOT NULL DEFAULT false,
     status text NOT NULL DEFAULT 'pending'
       CHECK (status IN ('pending', 'sending', 'waiting', 'paused', 'delivered', 'failed')),
     attempts integer NOT NULL DEFAULT 0,
     failures integer NOT NULL DEFAULT 0,
     due_at timestamptz,
     created_at timestamptz NOT NULL DEFAULT now(),
     finished_at timestamptz,
     UNIQUE (type, source_id),
     CHECK ((status IN ('delivered', 'failed')) = (finished_at IS NOT NULL))
   )`,
  `CREATE INDEX webhook_deliveries_account ON webhook_deliveries (account_id, id DESC)`,
  `CREATE INDEX webhook_deliveries_due ON webhook_deliveries (due_at) WHERE due_at IS NOT NULL`,
  `CREATE INDEX webhook_deliveries_open ON webhook_deliveries (account_id) WHERE due_at IS NOT NULL`,
  `CREATE INDEX webhook_deliveries_finished ON webhook_deliveries (finished_at) WHERE finished_at IS NOT NULL`,

  `CREATE TABLE webhook_attempts (
     id uuid NOT NULL PRIMARY KEY,
     delivery_id uuid NOT NULL,
     account_id uuid NOT NULL,
     started_at timestamptz NOT NULL,
     duration_ms integer NOT NULL CHECK (duration_ms >= 0),
     status integer,
     answer text NOT NULL,
     error text
   ) PARTITION BY RANGE (id)`,
  `CREATE INDEX webhook_attempts_delivery ON webhook_attempts (delivery_id, id)`,
  `CREATE TABLE webhook_attempts_default PARTITION OF webhook_attempts DEFAULT`,

  // As the partitions of messages: months in UTC, made ahead of time, so that the default partition stays empty.
  `CREATE FUNCTION ensure_webhook_partitions(first_month date, months integer) RETURNS void LANGUAGE plpgsql AS $$
   DECLARE
     month timestamp;
     name text;
   BEGIN
     PERFORM pg_advisory_xact_lock(hashtext('ensure_webhook_partitions'));
     FOR step IN 0 .. months - 1 LOOP
       month := date_trunc('month', first_month::timestamp) + make_interval(months => step);
       name := 'webhook_attempts_' || to_char(month, 'YYYY_MM');
       IF to_regclass(name) IS NULL THEN
         EXECUTE format(
           'CREATE TABLE %I PARTITION OF webhook_attempts FOR VALUES FROM (%L) TO (%L)',
           name,
           uuid_v7_floor(month AT TIME ZONE 'UTC'),
           uuid_v7_floor((month + interval '1 month') AT TIME ZONE 'UTC')
         );
       END IF;
     END LOOP;
   END
   $$`,

  // Drops the months that ended before the instant; answers how many.
  `CREATE FUNCTION drop_webhook_partitions(before timestamptz) RETURNS integer LANGUAGE plpgsql AS $$
   DECLARE
     name text;
     dropped integer := 0;
   BEGIN
     PERFORM pg_advisory_xact_lock(hashtext('ensure_webhook_partitions'));
     FOR name IN
       SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
       WHERE i.inhparent = 'webhook_attempts'::regclass AND c.relname ~ '^webhook_attempts_\\d{4}_\\d{2}$'
         AND to_date(right(c.relname, 7), 'YYYY_MM') + interval '1 month' <= before AT TIME ZONE 'UTC'
     LOOP
       EXECUTE format('DROP TABLE %I', name);
       dropped := dropped + 1;
     END LOOP;
     RETURN dropped;
   END
   $$`,
  `SELECT ensure_webhook_partitions((now() AT TIME ZONE 'UTC')::date, 3)`,

  `ALTER TABLE mails
     DROP CONSTRAINT mails_kind_check,
     ADD CONSTRAINT mails_kind_check CHECK (kind IN ('welcome', 'receipt', 'webhook_disabled')) NOT VALID`,
];
