import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Bounds on guessing codes of four digits, and accounts that require the recipient or the id of a code. */
export class OtpGuessing1795500000301 implements MigrationInterface {
  readonly name = 'OtpGuessing1795500000301';

  async up(runner: QueryRunner): Promise<void> {
    // chances counts the guesses that could have been the code, named or not; tried_at is the time of the last one.
    await runner.query(
      'ALTER TABLE otp_codes ADD COLUMN chances smallint NOT NULL DEFAULT 0, ADD COLUMN tried_at timestamptz',
    );
    await runner.query(
      `ALTER TABLE otp_guards ADD COLUMN short_guesses integer NOT NULL DEFAULT 0,
         ADD COLUMN recipient_required boolean NOT NULL DEFAULT false`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE otp_guards DROP COLUMN short_guesses, DROP COLUMN recipient_required');
    await runner.query('ALTER TABLE otp_codes DROP COLUMN chances, DROP COLUMN tried_at');
  }
}
