import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * `delivery_days` counts what `message_days` did besides ends. `sent` grows by 1 when a message is sent and
 * shrinks by 1 in the row of its end, so that the sum of a day is sent now; `failed` of the messages that ended
 * for a reason failed. A row may count messages that have not ended. The release before goes on to write
 * `message_days`, which is added to these counts and goes with a later release.
 */
export class DeliveryCounts1796600000300 implements MigrationInterface {
  readonly name = 'DeliveryCounts1796600000300';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of back) await runner.query(statement);
  }
}

const statements = [
  `ALTER TABLE delivery_days
     ADD COLUMN sent bigint NOT NULL DEFAULT 0,
     ADD COLUMN failed bigint NOT NULL DEFAULT 0,
     ADD COLUMN canceled bigint NOT NULL DEFAULT 0`,
  `ALTER TABLE delivery_days DROP CONSTRAINT delivery_days_messages_check`,
  // Finds the accounts with many undelivered messages.
  `CREATE INDEX delivery_days_lost ON delivery_days (day) WHERE reason <> ''`,
];

const back = [
  `DROP INDEX delivery_days_lost`,
  `DELETE FROM delivery_days WHERE messages = 0`,
  `ALTER TABLE delivery_days ADD CONSTRAINT delivery_days_messages_check CHECK (messages > 0)`,
  `ALTER TABLE delivery_days DROP COLUMN canceled, DROP COLUMN failed, DROP COLUMN sent`,
];
