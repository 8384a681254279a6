import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Dumps that this database was restored from, as far as their waiting messages were settled. */
export class Restores1796500000400 implements MigrationInterface {
  readonly name = 'Restores1796500000400';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of back) await runner.query(statement);
  }
}

const statements = [
  // accepted_until: what happened to messages that were accepted by then may be missing here.
  `CREATE TABLE restores (
     accepted_until timestamptz PRIMARY KEY,
     settled_at timestamptz NOT NULL DEFAULT now()
   )`,
];

const back = [`DROP TABLE restores`];
