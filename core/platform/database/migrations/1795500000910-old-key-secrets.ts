import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Replaced secrets of named keys that still work for a while, as the secret that the key has now. */
export class OldKeySecrets1795500000910 implements MigrationInterface {
  readonly name = 'OldKeySecrets1795500000910';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE old_key_secrets (
         key_hash bytea PRIMARY KEY CHECK (octet_length(key_hash) = 32),
         named_key_hash bytea NOT NULL REFERENCES named_keys (key_hash) ON UPDATE CASCADE ON DELETE CASCADE,
         ending text NOT NULL CHECK (length(ending) = 4),
         expires_at timestamptz NOT NULL,
         last_used_at timestamptz
       )`,
    );
    await runner.query(`CREATE INDEX old_key_secrets_key ON old_key_secrets (named_key_hash)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE old_key_secrets`);
  }
}
