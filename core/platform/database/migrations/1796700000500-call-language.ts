import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The language in which calls speak an account's codes, a BCP 47 tag. */
export class CallLanguage1796700000500 implements MigrationInterface {
  readonly name = 'CallLanguage1796700000500';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE otp_guards ADD COLUMN call_language text NOT NULL DEFAULT 'en-US'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE otp_guards DROP COLUMN call_language');
  }
}
