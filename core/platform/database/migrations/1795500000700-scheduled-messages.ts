import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Messages that leave later, that expire, and that are canceled. Schedules have a table of their own: the previous release
 * deletes the checks of `message_checks` that it looks at, and would lose them.
 *
 * Runs outside a transaction: existing messages are checked against the new statuses while messages are accepted. Safe to repeat
 * after an interruption.
 */
export class ScheduledMessages1795500000700 implements MigrationInterface {
  readonly name = 'ScheduledMessages1795500000700';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of back) await runner.query(statement);
  }
}

const statusesAre = (statuses: string) =>
  `ALTER TABLE messages DROP CONSTRAINT messages_status_check,
     ADD CONSTRAINT messages_status_check CHECK (status IN (${statuses})) NOT VALID`;

const statements = [
  // `expires_at`: not handed to the carrier after this time.
  `ALTER TABLE messages ADD COLUMN IF NOT EXISTS send_at timestamptz, ADD COLUMN IF NOT EXISTS expires_at timestamptz`,
  statusesAre(`'scheduled', 'queued', 'sending', 'sent', 'delivered', 'undelivered', 'failed', 'canceled'`),
  `ALTER TABLE messages VALIDATE CONSTRAINT messages_status_check`,
  // The key alone orders them by time.
  `CREATE TABLE IF NOT EXISTS message_schedules (
     send_at timestamptz NOT NULL,
     id bigint GENERATED ALWAYS AS IDENTITY,
     message_ids uuid[] NOT NULL,
     PRIMARY KEY (send_at, id)
   )`,
  `ALTER TABLE message_days ADD COLUMN IF NOT EXISTS canceled bigint NOT NULL DEFAULT 0`,
  // Messages that will leave on that day, besides those counted.
  `ALTER TABLE daily_counts ADD COLUMN IF NOT EXISTS scheduled integer NOT NULL DEFAULT 0`,
];

const back = [
  `UPDATE messages SET status = 'queued', due_at = send_at WHERE status = 'scheduled'`,
  `UPDATE messages SET status = 'failed', error_code = 'canceled' WHERE status = 'canceled'`,
  statusesAre(`'queued', 'sending', 'sent', 'delivered', 'undelivered', 'failed'`),
  `ALTER TABLE messages VALIDATE CONSTRAINT messages_status_check`,
  `ALTER TABLE messages DROP COLUMN send_at, DROP COLUMN expires_at`,
  `DROP TABLE message_schedules`,
  `UPDATE message_days SET failed = failed + canceled WHERE canceled > 0`,
  `ALTER TABLE message_days DROP COLUMN canceled`,
  `ALTER TABLE daily_counts DROP COLUMN scheduled`,
];
