import type { MigrationInterface, QueryRunner } from 'typeorm';

/** E-mails: the queue only says that one waits. */
export class Mails1795312800300 implements MigrationInterface {
  readonly name = 'Mails1795312800300';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE mails (
         id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
         account_id uuid NOT NULL REFERENCES accounts (id),
         kind text NOT NULL CHECK (kind IN ('welcome', 'receipt')),
         source_id text NOT NULL,
         recipient text NOT NULL,
         content jsonb NOT NULL,
         status text NOT NULL DEFAULT 'queued' CHECK (status IN ('queued', 'sending', 'sent', 'failed')),
         attempts integer NOT NULL DEFAULT 0,
         due_at timestamptz,
         created_at timestamptz NOT NULL DEFAULT now(),
         sent_at timestamptz,
         UNIQUE (kind, source_id)
       )`,
    );
    await runner.query(`CREATE INDEX mails_account ON mails (account_id, created_at)`);
    await runner.query(`CREATE INDEX mails_due ON mails (due_at) WHERE due_at IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE mails`);
  }
}
