import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Batches of messages that were accepted together. Their messages have numbers that follow each other, so no message names its batch. */
export class Batches1795500000800 implements MigrationInterface {
  readonly name = 'Batches1795500000800';

  async up(runner: QueryRunner): Promise<void> {
    // `rejected` is kept for the repeated answer of an idempotent request: index, code and detail, not the number.
    await runner.query(
      `CREATE TABLE batches (
         account_id uuid NOT NULL REFERENCES accounts (id),
         first_number bigint NOT NULL,
         messages integer NOT NULL CHECK (messages > 0),
         id uuid NOT NULL UNIQUE,
         credits bigint NOT NULL CHECK (credits > 0),
         rejected jsonb,
         created_at timestamptz NOT NULL,
         PRIMARY KEY (account_id, first_number)
       )`,
    );
    await runner.query(`CREATE INDEX batches_rejected ON batches (created_at) WHERE rejected IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE batches');
  }
}
