import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Verified e-mail addresses, and one-time links in e-mails. */
export class EmailLinks1795500000600 implements MigrationInterface {
  readonly name = 'EmailLinks1795500000600';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE accounts ADD COLUMN email_verified_at timestamptz`);
    await runner.query(
      `CREATE TABLE email_links (
         token_hash bytea PRIMARY KEY CHECK (octet_length(token_hash) = 32),
         account_id uuid NOT NULL REFERENCES accounts (id),
         purpose text NOT NULL CHECK (purpose IN ('verify', 'reset')),
         expires_at timestamptz NOT NULL
       )`,
    );
    await runner.query(`CREATE INDEX email_links_account ON email_links (account_id)`);
    await runner.query(`CREATE INDEX email_links_expires ON email_links (expires_at)`);
    // The token of the link, encrypted until the e-mail has been sent.
    await runner.query(`ALTER TABLE mails ADD COLUMN secret bytea, ADD COLUMN secret_key_id text`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE mails DROP COLUMN secret, DROP COLUMN secret_key_id`);
    await runner.query(`DROP TABLE email_links`);
    await runner.query(`ALTER TABLE accounts DROP COLUMN email_verified_at`);
  }
}
