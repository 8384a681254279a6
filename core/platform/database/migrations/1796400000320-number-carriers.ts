import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The carrier that a number is bought at. */
export class NumberCarriers1796400000320 implements MigrationInterface {
  readonly name = 'NumberCarriers1796400000320';

  async up(runner: QueryRunner): Promise<void> {
    // As in messages.carrier. The release before, which writes none, buys at Twilio alone.
    await runner.query(`ALTER TABLE number_orders ADD COLUMN carrier smallint NOT NULL DEFAULT 1`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE number_orders DROP COLUMN carrier`);
  }
}
