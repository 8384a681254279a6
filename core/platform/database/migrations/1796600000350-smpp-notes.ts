import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Notes on submits by SMPP are few from now on: messages of the last half minute, and doubtful ones. So no index
 * finds those that are a week old. The table `smpp_early_receipts` goes with a later release: workers of the release
 * before write it.
 */
export class SmppNotes1796600000350 implements MigrationInterface {
  readonly name = 'SmppNotes1796600000350';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX smpp_submits_age');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX smpp_submits_age ON smpp_submits (begun_at)');
  }
}
