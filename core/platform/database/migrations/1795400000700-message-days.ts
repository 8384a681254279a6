import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * How many of the messages that an account accepted on a New York day are `sent`, `delivered`, `undelivered` and `failed`; those
 * still queued or sending are the rest of the day's. Counted by the statement that moves messages on (progress.sql.ts).
 */
export class MessageDays1795400000700 implements MigrationInterface {
  readonly name = 'MessageDays1795400000700';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE message_days`);
  }
}

const statements = [
  // Updated once per batch of receipts: free room in every page keeps those updates off the index.
  `CREATE TABLE message_days (
     account_id uuid NOT NULL,
     day date NOT NULL,
     sent bigint NOT NULL,
     delivered bigint NOT NULL,
     undelivered bigint NOT NULL,
     failed bigint NOT NULL,
     PRIMARY KEY (account_id, day)
   ) WITH (fillfactor = 40)`,
  `INSERT INTO message_days (account_id, day, sent, delivered, undelivered, failed)
   SELECT account_id, (created_at AT TIME ZONE 'America/New_York')::date AS day,
     count(*) FILTER (WHERE status = 'sent'),
     count(*) FILTER (WHERE status = 'delivered'),
     count(*) FILTER (WHERE status = 'undelivered'),
     count(*) FILTER (WHERE status = 'failed')
   FROM messages
   WHERE status NOT IN ('queued', 'sending')
   GROUP BY account_id, day`,
];
