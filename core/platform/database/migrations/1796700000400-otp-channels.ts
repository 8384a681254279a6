import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Codes that go by several channels in order, and calls. */
export class OtpChannels1796700000400 implements MigrationInterface {
  readonly name = 'OtpChannels1796700000400';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of back) await runner.query(statement);
  }
}

const statements = [
  // steps: the channels of a code with several, and what is needed to begin them. step: the latest
  // one that has begun, from 1. step_at: when the next one is looked at; null when none follows.
  // entered_step: the number of the message after which the code was entered.
  `ALTER TABLE otp_codes ADD COLUMN steps jsonb, ADD COLUMN step smallint, ADD COLUMN step_at timestamptz,
     ADD COLUMN entered_step smallint`,
  `ALTER TABLE otp_resends ADD COLUMN step smallint`,
  `CREATE INDEX otp_codes_step ON otp_codes (step_at) WHERE step_at IS NOT NULL`,
  // The step of a message with such a code; null for every other message.
  `ALTER TABLE messages ADD COLUMN step smallint`,

  // Steps of codes with channels by New York day, country and channel, and the codes entered after
  // them.
  `CREATE TABLE otp_channel_days (
     account_id uuid NOT NULL,
     day date NOT NULL,
     country text NOT NULL,
     channel text NOT NULL,
     sent integer NOT NULL DEFAULT 0,
     verified integer NOT NULL DEFAULT 0,
     PRIMARY KEY (account_id, day, country, channel)
   )`,

  `ALTER TABLE otp_guards ADD COLUMN channels_after_stop boolean NOT NULL DEFAULT false`,
  `ALTER TABLE otp_rules DROP CONSTRAINT otp_rules_subject_check`,
  `ALTER TABLE otp_rules ADD CONSTRAINT otp_rules_subject_check
     CHECK (subject IN ('recipient', 'ip', 'device', 'block', 'call', 'caller'))`,
  `INSERT INTO otp_rules VALUES
     ('call_hour', 'call', 2, 3600, NULL),
     ('caller_hour', 'caller', 100, 3600, NULL)`,

  `ALTER TABLE region_settings ADD COLUMN voice boolean`,
  `ALTER TABLE region_settings DROP CONSTRAINT region_settings_check`,
  `ALTER TABLE region_settings ADD CONSTRAINT region_settings_check
     CHECK (num_nonnulls(active, otp, credits, voice) > 0)`,
];

const back = [
  'DELETE FROM region_settings WHERE num_nonnulls(active, otp, credits) = 0',
  'ALTER TABLE region_settings DROP CONSTRAINT region_settings_check',
  'ALTER TABLE region_settings DROP COLUMN voice',
  `ALTER TABLE region_settings ADD CONSTRAINT region_settings_check CHECK (num_nonnulls(active, otp, credits) > 0)`,
  `DELETE FROM otp_rules WHERE subject IN ('call', 'caller')`,
  'ALTER TABLE otp_rules DROP CONSTRAINT otp_rules_subject_check',
  `ALTER TABLE otp_rules ADD CONSTRAINT otp_rules_subject_check
     CHECK (subject IN ('recipient', 'ip', 'device', 'block'))`,
  'ALTER TABLE otp_guards DROP COLUMN channels_after_stop',
  'DROP TABLE otp_channel_days',
  'ALTER TABLE messages DROP COLUMN step',
  'ALTER TABLE otp_resends DROP COLUMN step',
  'ALTER TABLE otp_codes DROP COLUMN steps, DROP COLUMN step, DROP COLUMN step_at, DROP COLUMN entered_step',
];
