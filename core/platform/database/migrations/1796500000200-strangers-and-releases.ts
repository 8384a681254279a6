import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How many texts of strangers a number receives in a day, and when a release takes effect. */
export class StrangersAndReleases1796500000200 implements MigrationInterface {
  readonly name = 'StrangersAndReleases1796500000200';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of back) await runner.query(statement);
  }
}

const statements = [
  `ALTER TABLE numbers ADD COLUMN strangers_per_day integer NOT NULL DEFAULT 100 CHECK (strangers_per_day >= 0)`,
  // Before this instant the number is not released, and until then its owner can undo the release.
  `ALTER TABLE numbers ADD COLUMN release_at timestamptz`,
  // Texts of people whom the account has never texted, by New York day. charged: those that count
  // against strangers_per_day; limited: the others that are stored.
  `CREATE TABLE stranger_days (
     account_id uuid NOT NULL,
     number text NOT NULL,
     day date NOT NULL,
     charged integer NOT NULL,
     limited integer NOT NULL,
     PRIMARY KEY (account_id, number, day)
   )`,
];

const back = [`DROP TABLE stranger_days`, `ALTER TABLE numbers DROP COLUMN release_at, DROP COLUMN strangers_per_day`];
