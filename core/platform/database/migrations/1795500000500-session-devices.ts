import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the list of an account's sessions shows: device, address and kind of sign-in; and when its user last signed in. */
export class SessionDevices1795500000500 implements MigrationInterface {
  readonly name = 'SessionDevices1795500000500';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE sessions
         ADD COLUMN id uuid NOT NULL DEFAULT gen_random_uuid() UNIQUE,
         ADD COLUMN device text NOT NULL DEFAULT '',
         ADD COLUMN address text NOT NULL DEFAULT '',
         ADD COLUMN method text CHECK (method IN ('google', 'password')),
         ADD COLUMN authenticated_at timestamptz NOT NULL DEFAULT now()`,
    );
    await runner.query(`UPDATE sessions SET authenticated_at = created_at`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE sessions
         DROP COLUMN id, DROP COLUMN device, DROP COLUMN address, DROP COLUMN method, DROP COLUMN authenticated_at`,
    );
  }
}
