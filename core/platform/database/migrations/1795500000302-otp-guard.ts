import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The fraud guard of one-time passwords: its rules, what it counts, and what it refused. */
export class OtpGuard1795500000302 implements MigrationInterface {
  readonly name = 'OtpGuard1795500000302';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE otp_guards DROP COLUMN breaker_reset_at');
    await runner.query('DROP TABLE otp_blocks, otp_sends, otp_rules');
  }
}

const statements = [
  // A rule refuses a message when its subject has had sends_max within the window. With verified_percent_min it counts codes, and
  // refuses only while fewer of them than that are verified.
  `CREATE TABLE otp_rules (
     rule text PRIMARY KEY,
     subject text NOT NULL CHECK (subject IN ('recipient', 'ip', 'device', 'block')),
     sends_max integer NOT NULL CHECK (sends_max BETWEEN 1 AND 1000),
     window_seconds integer NOT NULL CHECK (window_seconds BETWEEN 1 AND 86400),
     verified_percent_min smallint CHECK (verified_percent_min BETWEEN 1 AND 100)
   )`,
  `INSERT INTO otp_rules VALUES
     ('recipient_hour', 'recipient', 5, 3600, NULL),
     ('recipient_day', 'recipient', 10, 86400, NULL),
     ('ip_hour', 'ip', 20, 3600, NULL),
     ('device_hour', 'device', 20, 3600, NULL),
     ('block_hour', 'block', 100, 3600, NULL),
     ('conversion_hour', 'block', 30, 3600, 20)`,

  // One row for each subject of a message with a code. key is a keyed hash of the subject; except for recipients, with the account.
  `CREATE TABLE otp_sends (
     key uuid NOT NULL,
     created_at timestamptz NOT NULL DEFAULT now(),
     message_id uuid NOT NULL,
     subject text NOT NULL,
     PRIMARY KEY (key, created_at, message_id)
   )`,
  `CREATE INDEX otp_sends_message ON otp_sends (message_id)`,

  // since is the start of the hour, or the reset after it: a rule is reported once for each.
  `CREATE TABLE otp_blocks (
     id uuid PRIMARY KEY,
     account_id uuid NOT NULL,
     rule text NOT NULL,
     key uuid NOT NULL,
     since timestamptz NOT NULL,
     recipient text NOT NULL,
     country text NOT NULL,
     reference text,
     sent integer NOT NULL,
     verified integer,
     refused integer NOT NULL DEFAULT 1,
     created_at timestamptz NOT NULL DEFAULT now(),
     last_at timestamptz NOT NULL DEFAULT now(),
     UNIQUE (account_id, rule, key, since)
   )`,
  `CREATE INDEX otp_blocks_last ON otp_blocks (account_id, last_at)`,
  `ALTER TABLE otp_guards ADD COLUMN breaker_reset_at timestamptz`,
];
