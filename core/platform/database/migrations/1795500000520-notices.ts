import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The browsers that an account knows, and the e-mail notices that it does not want. */
export class Notices1795500000520 implements MigrationInterface {
  readonly name = 'Notices1795500000520';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE account_devices (
         account_id uuid NOT NULL REFERENCES accounts (id),
         device_hash bytea NOT NULL CHECK (octet_length(device_hash) = 32),
         seen_at timestamptz NOT NULL DEFAULT now(),
         PRIMARY KEY (account_id, device_hash)
       )`,
    );
    await runner.query(`CREATE INDEX account_devices_seen ON account_devices (seen_at)`);
    await runner.query(`ALTER TABLE accounts ADD COLUMN muted_notices text[] NOT NULL DEFAULT '{}'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE accounts DROP COLUMN muted_notices`);
    await runner.query(`DROP TABLE account_devices`);
  }
}
