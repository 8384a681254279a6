import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How many calls an account made on a day, of which not all are listed, and equal ones once. */
export class RequestDays1796500000500 implements MigrationInterface {
  readonly name = 'RequestDays1796500000500';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of back) await runner.query(statement);
  }
}

const statements = [
  // Equal refusals of about a second are one row, which the first of them has written.
  `ALTER TABLE api_requests ADD COLUMN times integer NOT NULL DEFAULT 1`,
  // By day in UTC. listed_max: the calls of the day that are all listed. Not logged, as the calls.
  `CREATE UNLOGGED TABLE api_request_days (
     account_id uuid NOT NULL,
     day date NOT NULL,
     calls bigint NOT NULL,
     listed_max integer NOT NULL,
     PRIMARY KEY (account_id, day)
   )`,
  `CREATE INDEX api_request_days_day ON api_request_days (day)`,
];

const back = [`DROP TABLE api_request_days`, `ALTER TABLE api_requests DROP COLUMN times`];
