import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * API keys with names and limits. They have a table of their own: the previous release, which knows no limits, does not accept
 * them. Also the address of a key's last use.
 */
export class NamedKeys1795500000640 implements MigrationInterface {
  readonly name = 'NamedKeys1795500000640';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE api_keys DROP COLUMN last_used_address`);
    await runner.query(`DROP TABLE named_keys`);
  }
}

const statements = [
  // Null is no limit. A key with a budget is updated by each batch that it pays for: free room keeps that off the indexes.
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
  `ALTER TABLE api_keys ADD COLUMN last_used_address text`,
];
