import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds the newest code of a customer's user, for the Textbelt-compatible API, which names users and not codes. */
export class OtpReferences1795500000960 implements MigrationInterface {
  readonly name = 'OtpReferences1795500000960';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE INDEX otp_codes_reference ON otp_codes (account_id, reference, created_at) WHERE reference IS NOT NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX otp_codes_reference');
  }
}
