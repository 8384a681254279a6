import type { MigrationInterface, QueryRunner } from 'typeorm';

/** API keys. */
export class Keys1796100000200 implements MigrationInterface {
  readonly name = 'Keys1796100000200';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of back) await runner.query(statement);
  }
}

const statements = [
  // Null is no limit. An account has one default key: without a name and without limits, and the
  // only one whose secret is shown again. A key with a budget is updated by each batch that it pays
  // for: free room keeps that off the indexes.
  `CREATE TABLE api_keys (
     id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
     account_id uuid NOT NULL REFERENCES accounts (id),
     is_default boolean NOT NULL DEFAULT false,
     name text CHECK (length(name) BETWEEN 1 AND 60),
     mode text NOT NULL DEFAULT 'live' CHECK (mode IN ('live', 'test')),
     for_samples boolean NOT NULL DEFAULT false CHECK (NOT for_samples OR mode = 'test'),
     scopes text[] CHECK (cardinality(scopes) > 0),
     addresses inet[] CHECK (cardinality(addresses) > 0),
     countries text[] CHECK (cardinality(countries) > 0),
     credits_per_day bigint CHECK (credits_per_day > 0),
     credits_per_month bigint CHECK (credits_per_month > 0),
     messages_per_second integer CHECK (messages_per_second > 0),
     spent_on date NOT NULL DEFAULT '2000-01-01',
     spent_that_day bigint NOT NULL DEFAULT 0 CHECK (spent_that_day >= 0),
     spent_that_month bigint NOT NULL DEFAULT 0 CHECK (spent_that_month >= spent_that_day),
     expires_at timestamptz,
     created_at timestamptz NOT NULL DEFAULT now(),
     CHECK (is_default = (name IS NULL))
   ) WITH (fillfactor = 50)`,
  `CREATE INDEX api_keys_account ON api_keys (account_id, created_at)`,
  `CREATE UNIQUE INDEX api_keys_default ON api_keys (account_id) WHERE is_default`,
  `CREATE UNIQUE INDEX api_keys_samples ON api_keys (account_id) WHERE for_samples`,

  // A key has one secret without an end, its current one; those before it work until they end.
  // encrypted: what the dashboard shows, null for a secret that is shown only once.
  `CREATE TABLE key_secrets (
     hash bytea PRIMARY KEY CHECK (octet_length(hash) = 32),
     key_id uuid NOT NULL REFERENCES api_keys (id) ON DELETE CASCADE,
     account_id uuid NOT NULL,
     ending text NOT NULL CHECK (length(ending) = 4),
     encrypted bytea,
     encryption_key_id text,
     expires_at timestamptz,
     last_used_at timestamptz,
     last_used_address text,
     created_at timestamptz NOT NULL DEFAULT now()
   )`,
  `CREATE INDEX key_secrets_key ON key_secrets (key_id)`,
  `CREATE INDEX key_secrets_account ON key_secrets (account_id)`,
  `CREATE UNIQUE INDEX key_secrets_current ON key_secrets (key_id) WHERE expires_at IS NULL`,

  // The queries of a volatile function see what was committed until they run, not only until its
  // statement began. So an acceptance that waited for the account's lock notices when its key was
  // ended by the transaction that held the lock.
  `CREATE FUNCTION key_works(secret bytea) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
   BEGIN
     RETURN EXISTS (
       SELECT 1 FROM key_secrets s
       WHERE s.hash = secret AND (s.expires_at IS NULL OR s.expires_at > clock_timestamp())
     );
   END
   $$`,
];

const back = [`DROP FUNCTION key_works`, `DROP TABLE key_secrets, api_keys`];
