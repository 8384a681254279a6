import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When the next message of a number leaves, and since when its messages are judged. */
export class NumberTurns1796400000310 implements MigrationInterface {
  readonly name = 'NumberTurns1796400000310';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of back) await runner.query(statement);
  }
}

const statements = [
  // next_at: before this instant, no further message leaves from the number.
  `CREATE TABLE number_slots (
     account_id uuid NOT NULL,
     number text NOT NULL,
     next_at timestamptz NOT NULL,
     PRIMARY KEY (account_id, number)
   )`,
  // at: when a message that waits for its number leaves. Needed until shortly after.
  `CREATE TABLE number_turns (
     account_id uuid NOT NULL,
     message_id uuid NOT NULL,
     at timestamptz NOT NULL,
     PRIMARY KEY (account_id, message_id)
   )`,
  `CREATE INDEX number_turns_at ON number_turns (at)`,
  // Its owner put the number back into a pool then: what failed before counts no more.
  `ALTER TABLE numbers ADD COLUMN judged_since timestamptz`,
];

const back = [`ALTER TABLE numbers DROP COLUMN judged_since`, `DROP TABLE number_turns, number_slots`];
