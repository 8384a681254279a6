import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The log of one-time passwords, and how many of them were verified. */
export class OtpLog1796200000200 implements MigrationInterface {
  readonly name = 'OtpLog1796200000200';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of back) await runner.query(statement);
  }
}

const statements = [
  // country is set while the code counts in otp_days: not for one that was never sent, nor for one
  // that the previous release stored. key_id is the named key that sent the code, null for the
  // account's own key. last_attempt_at is the last attempt to verify it, right or wrong.
  `ALTER TABLE otp_codes ADD COLUMN country text, ADD COLUMN key_id uuid, ADD COLUMN last_attempt_at timestamptz`,
  // Pages of the log.
  `CREATE INDEX otp_codes_account ON otp_codes (account_id, id)`,
  // Few codes end so: a search for them would read all others.
  `CREATE INDEX otp_codes_exhausted ON otp_codes (account_id, id) WHERE state = 'over' AND wrong_tries >= 5`,
  `CREATE INDEX otp_blocks_account ON otp_blocks (account_id, id)`,
  `CREATE INDEX otp_blocks_recipient ON otp_blocks (account_id, recipient, created_at)`,
  `CREATE INDEX otp_blocks_reference ON otp_blocks (account_id, reference, created_at) WHERE reference IS NOT NULL`,

  // How many codes an account sent to a country on a New York day, and how many of them were
  // verified, counted by the statements that store, verify, expire and remove codes. Free room keeps
  // updates off the index.
  `CREATE TABLE otp_days (
     account_id uuid NOT NULL,
     day date NOT NULL,
     country text NOT NULL,
     sent bigint NOT NULL,
     verified bigint NOT NULL DEFAULT 0 CHECK (verified BETWEEN 0 AND sent),
     PRIMARY KEY (account_id, day, country)
   ) WITH (fillfactor = 40)`,
];

const back = [
  `DROP TABLE otp_days`,
  `DROP INDEX otp_blocks_reference, otp_blocks_recipient, otp_blocks_account, otp_codes_exhausted, otp_codes_account`,
  `ALTER TABLE otp_codes DROP COLUMN country, DROP COLUMN key_id, DROP COLUMN last_attempt_at`,
];
