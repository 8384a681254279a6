import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Sessions, Google's subject, keys that end, and the audit log. */
export class SignIn1795230000000 implements MigrationInterface {
  readonly name = 'SignIn1795230000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE audit_entries, sessions`);
    await runner.query(`DROP FUNCTION refuse_change`);
    await runner.query(`DROP INDEX api_keys_current`);
    await runner.query(
      `ALTER TABLE api_keys DROP COLUMN expires_at, DROP COLUMN last_used_at, DROP COLUMN encryption_key_id`,
    );
    await runner.query(`ALTER TABLE accounts DROP COLUMN google_subject`);
  }
}

const statements = [
  // Google's `sub`: at most 255 characters, never reused (OpenID Connect Core, section 2).
  `ALTER TABLE accounts ADD COLUMN google_subject text UNIQUE CHECK (length(google_subject) BETWEEN 1 AND 255)`,

  `ALTER TABLE api_keys
     ADD COLUMN expires_at timestamptz,
     ADD COLUMN last_used_at timestamptz,
     ADD COLUMN encryption_key_id text`,
  // The key that the dashboard shows is the one without an end: there is one of them.
  `CREATE UNIQUE INDEX api_keys_current ON api_keys (account_id) WHERE expires_at IS NULL`,

  `CREATE TABLE sessions (
     token_hash bytea PRIMARY KEY CHECK (octet_length(token_hash) = 32),
     account_id uuid NOT NULL REFERENCES accounts (id),
     created_at timestamptz NOT NULL DEFAULT now(),
     seen_at timestamptz NOT NULL DEFAULT now(),
     expires_at timestamptz NOT NULL
   )`,
  `CREATE INDEX sessions_account ON sessions (account_id)`,
  `CREATE INDEX sessions_seen ON sessions (seen_at)`,

  `CREATE TABLE audit_entries (
     id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     actor text NOT NULL CHECK (actor IN ('account', 'operator')),
     account_id uuid,
     action text NOT NULL,
     details jsonb NOT NULL DEFAULT '{}',
     created_at timestamptz NOT NULL DEFAULT now()
   )`,
  `CREATE INDEX audit_entries_account ON audit_entries (account_id, id DESC)`,
  `CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
   END
   $$`,
  `CREATE TRIGGER audit_entries_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_entries
     FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`,
];
