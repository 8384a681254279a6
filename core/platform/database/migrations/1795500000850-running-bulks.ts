import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Bulks that are being accepted: single messages of their accounts, which must wait for them, keep out of other accounts' batches. */
export class RunningBulks1795500000850 implements MigrationInterface {
  readonly name = 'RunningBulks1795500000850';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'CREATE TABLE running_bulks (batch_id uuid PRIMARY KEY, account_id uuid NOT NULL, ends_at timestamptz NOT NULL)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE running_bulks');
  }
}
