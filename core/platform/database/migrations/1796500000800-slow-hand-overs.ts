import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Second hand-overs of slow messages, counted by account and day; and pauses of carriers that go on. */
export class SlowHandOvers1796500000800 implements MigrationInterface {
  readonly name = 'SlowHandOvers1796500000800';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE daily_counts ADD COLUMN slow_hedges integer NOT NULL DEFAULT 0`);
    // The release before writes neither: its pauses begin when they were met, and end for good.
    await runner.query(`
      ALTER TABLE carrier_pauses
        ADD COLUMN refused_since timestamptz,
        ADD COLUMN tentative boolean NOT NULL DEFAULT false
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE carrier_pauses DROP COLUMN refused_since, DROP COLUMN tentative`);
    await runner.query(`ALTER TABLE daily_counts DROP COLUMN slow_hedges`);
  }
}
