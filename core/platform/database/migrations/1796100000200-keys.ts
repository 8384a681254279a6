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
  // The key that the dashboard shows is the one without an end: there is one of them.
  `CREATE TABLE api_keys (
     key_hash bytea PRIMARY KEY CHECK (octet_length(key_hash) = 32),
     account_id uuid NOT NULL REFERENCES accounts (id),
     encrypted_key bytea NOT NULL,
     encryption_key_id text,
     expires_at timestamptz,
     last_used_at timestamptz,
     last_used_address text,
     created_at timestamptz NOT NULL DEFAULT now()
   )`,
  `CREATE INDEX api_keys_account ON api_keys (account_id)`,
  `CREATE UNIQUE INDEX api_keys_current ON api_keys (account_id) WHERE expires_at IS NULL`,

  // Null is no limit. A key with a budget is updated by each batch that it pays for: free room keeps
  // that off the indexes.
  `CREATE TABLE named_keys (
     id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
     key_hash bytea NOT NULL UNIQUE CHECK (octet_length(key_hash) = 32),
     account_id uuid NOT NULL REFERENCES accounts (id),
     name text NOT NULL CHECK (length(name) BETWEEN 1 AND 60),
     mode text NOT NULL CHECK (mode IN ('live', 'test')),
     ending text NOT NULL CHECK (length(ending) = 4),
     for_samples boolean NOT NULL DEFAULT false CHECK (NOT for_samples OR mode = 'test'),
     scopes text[] NOT NULL CHECK (cardinality(scopes) > 0),
     addresses inet[] CHECK (cardinality(addresses) > 0),
     countries text[] CHECK (cardinality(countries) > 0),
     credits_per_day bigint CHECK (credits_per_day > 0),
     credits_per_month bigint CHECK (credits_per_month > 0),
     messages_per_second integer CHECK (messages_per_second > 0),
     spent_on date NOT NULL DEFAULT '2000-01-01',
     spent_that_day bigint NOT NULL DEFAULT 0 CHECK (spent_that_day >= 0),
     spent_that_month bigint NOT NULL DEFAULT 0 CHECK (spent_that_month >= spent_that_day),
     expires_at timestamptz,
     last_used_at timestamptz,
     last_used_address text,
     created_at timestamptz NOT NULL DEFAULT now()
   ) WITH (fillfactor = 50)`,
  `CREATE INDEX named_keys_account ON named_keys (account_id, created_at)`,
  `CREATE UNIQUE INDEX named_keys_samples ON named_keys (account_id) WHERE for_samples`,

  `CREATE TABLE old_key_secrets (
     key_hash bytea PRIMARY KEY CHECK (octet_length(key_hash) = 32),
     named_key_hash bytea NOT NULL REFERENCES named_keys (key_hash) ON UPDATE CASCADE ON DELETE CASCADE,
     ending text NOT NULL CHECK (length(ending) = 4),
     expires_at timestamptz NOT NULL,
     last_used_at timestamptz,
     account_id uuid
   )`,
  `CREATE INDEX old_key_secrets_key ON old_key_secrets (named_key_hash)`,

  // The queries of a volatile function see what was committed until they run, not only until its
  // statement began. So an acceptance that waited for the account's lock notices when its key was
  // ended by the transaction that held the lock.
  `CREATE FUNCTION key_works(hash bytea) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
   BEGIN
     RETURN EXISTS (
         SELECT 1 FROM api_keys k
         WHERE k.key_hash = hash AND (k.expires_at IS NULL OR k.expires_at > clock_timestamp())
       )
       OR EXISTS (SELECT 1 FROM named_keys k WHERE k.key_hash = hash)
       OR EXISTS (SELECT 1 FROM old_key_secrets o WHERE o.key_hash = hash AND o.expires_at > clock_timestamp());
   END
   $$`,
];

const back = [`DROP FUNCTION key_works`, `DROP TABLE old_key_secrets, named_keys, api_keys`];
