import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Credits that cannot be spent while the payment that brought them is disputed. */
export class FrozenCredits1795500000220 implements MigrationInterface {
  readonly name = 'FrozenCredits1795500000220';

  async up(runner: QueryRunner): Promise<void> {
    // The constraint stops whatever would spend them, also a process of the previous release.
    await runner.query(
      `ALTER TABLE credit_accounts ADD COLUMN frozen bigint NOT NULL DEFAULT 0,
         ADD CONSTRAINT credit_accounts_frozen_check CHECK (frozen BETWEEN 0 AND balance)`,
    );
    // credits_disputed: the share of the credits in open disputes; credits_frozen: the part of it that was not spent yet.
    await runner.query(
      `ALTER TABLE payments ADD COLUMN credits_disputed integer NOT NULL DEFAULT 0 CHECK (credits_disputed BETWEEN 0 AND credits),
         ADD COLUMN credits_frozen integer NOT NULL DEFAULT 0,
         ADD CONSTRAINT payments_frozen_check CHECK (credits_frozen BETWEEN 0 AND credits_disputed)`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE payments DROP COLUMN credits_frozen, DROP COLUMN credits_disputed`);
    await runner.query(`ALTER TABLE credit_accounts DROP COLUMN frozen`);
  }
}
