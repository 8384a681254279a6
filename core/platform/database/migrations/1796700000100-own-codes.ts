import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A code that its caller has made has no hash, because it is not ours to verify, and up to 10 characters. The check
 * of digits is not repeated for the rows that exist: each of them meets the narrower check that goes.
 */
export class OwnCodes1796700000100 implements MigrationInterface {
  readonly name = 'OwnCodes1796700000100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE otp_codes ALTER COLUMN code_hash DROP NOT NULL');
    await runner.query('ALTER TABLE otp_codes DROP CONSTRAINT otp_codes_digits_check');
    await runner.query(
      'ALTER TABLE otp_codes ADD CONSTRAINT otp_codes_digits_check CHECK (digits BETWEEN 4 AND 10) NOT VALID',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DELETE FROM otp_codes WHERE code_hash IS NULL');
    await runner.query('ALTER TABLE otp_codes DROP CONSTRAINT otp_codes_digits_check');
    await runner.query('ALTER TABLE otp_codes ADD CONSTRAINT otp_codes_digits_check CHECK (digits BETWEEN 4 AND 8)');
    await runner.query('ALTER TABLE otp_codes ALTER COLUMN code_hash SET NOT NULL');
  }
}
