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
  // next_at: before this instant, no further message leaves from the number. turn_at: the turn of the
  // message that asked last; null if it waits. waits: messages are on the number's list.
  `CREATE TABLE number_slots (
     account_id uuid NOT NULL,
     number text NOT NULL,
     next_at timestamptz NOT NULL,
     turn_at timestamptz,
     waits boolean NOT NULL DEFAULT false,
     PRIMARY KEY (account_id, number)
   )`,
  `CREATE INDEX number_slots_waiting ON number_slots (next_at) WHERE waits`,
  // at: when the message leaves; null: it is on its number's list.
  `CREATE TABLE number_turns (
     account_id uuid NOT NULL,
     message_id uuid NOT NULL,
     number text NOT NULL,
     at timestamptz,
     PRIMARY KEY (account_id, message_id)
   )`,
  `CREATE INDEX number_turns_at ON number_turns (account_id, at)`,
  `CREATE INDEX number_turns_list ON number_turns (account_id, number, message_id) WHERE at IS NULL`,
  // Its owner put the number back into a pool then: what failed before counts no more.
  `ALTER TABLE numbers ADD COLUMN judged_since timestamptz`,
];

const back = [`ALTER TABLE numbers DROP COLUMN judged_since`, `DROP TABLE number_turns, number_slots`];
