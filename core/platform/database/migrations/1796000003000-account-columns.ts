import type { MigrationInterface, QueryRunner } from 'typeorm';

const tables = [
  'message_checks',
  'message_schedules',
  'old_key_secrets',
  'otp_resends',
  'otp_sends',
  'retention_progress',
  'retention_waiting',
  'sealed_texts',
];

/**
 * The column by which Citus splits tables whose rows do not name an account, or stand for several. It is empty in a plain database
 * (docs/scaling.md). Adding it rewrites no table.
 */
export class AccountColumns1796000003000 implements MigrationInterface {
  name = 'AccountColumns1796000003000';

  async up(runner: QueryRunner): Promise<void> {
    for (const table of tables) await runner.query(`ALTER TABLE ${table} ADD COLUMN account_id uuid`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of tables) await runner.query(`ALTER TABLE ${table} DROP COLUMN account_id`);
  }
}
