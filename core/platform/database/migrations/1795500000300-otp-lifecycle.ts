import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Resends of one-time passwords: the wording of a live code, encrypted, and the messages that repeat it. */
export class OtpLifecycle1795500000300 implements MigrationInterface {
  readonly name = 'OtpLifecycle1795500000300';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE otp_resends');
    await runner.query('DROP INDEX otp_codes_live_forget');
    await runner.query('ALTER TABLE otp_codes DROP COLUMN wording, DROP COLUMN encryption_key_id');
  }
}

const statements = [
  // wording is null once the code has ended.
  'ALTER TABLE otp_codes ADD COLUMN wording bytea, ADD COLUMN encryption_key_id text',

  // The search for expired codes. forget_at is a fixed time after expires_at: see otp_codes for why expires_at has no index.
  `CREATE INDEX otp_codes_live_forget ON otp_codes (forget_at) WHERE state = 'live'`,

  // attempts_left and created_at are those of the answer, which a repeated request gets again.
  `CREATE TABLE otp_resends (
     message_id uuid PRIMARY KEY,
     code_id uuid NOT NULL REFERENCES otp_codes (id) ON DELETE CASCADE,
     number smallint NOT NULL CHECK (number > 0),
     attempts_left smallint NOT NULL,
     created_at timestamptz NOT NULL DEFAULT now(),
     UNIQUE (code_id, number)
   )`,
];
