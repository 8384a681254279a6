import type { MigrationInterface, QueryRunner } from 'typeorm';

/** `audit_entries.address`: the network address that an account's own action came from. */
export class AuditAddress1795500000410 implements MigrationInterface {
  readonly name = 'AuditAddress1795500000410';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE audit_entries ADD COLUMN address inet`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE audit_entries DROP COLUMN address`);
  }
}
