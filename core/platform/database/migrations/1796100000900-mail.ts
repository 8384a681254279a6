import type { MigrationInterface, QueryRunner } from 'typeorm';

/** E-mails: the queue only names one that waits. */
export class Mail1796100000900 implements MigrationInterface {
  readonly name = 'Mail1796100000900';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of back) await runner.query(statement);
  }
}

const statements = [
  // The kinds are a type of the program, which several releases extend. secret: the token of a link,
  // encrypted until the e-mail has been sent.
  `CREATE TABLE mails (
     id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
     account_id uuid NOT NULL REFERENCES accounts (id),
     kind text NOT NULL CHECK (kind ~ '^[a-z_]{1,40}$'),
     source_id text NOT NULL,
     recipient text NOT NULL,
     content jsonb NOT NULL,
     secret bytea,
     secret_key_id text,
     status text NOT NULL DEFAULT 'queued' CHECK (status IN ('queued', 'sending', 'sent', 'failed')),
     attempts integer NOT NULL DEFAULT 0,
     due_at timestamptz,
     created_at timestamptz NOT NULL DEFAULT now(),
     sent_at timestamptz,
     UNIQUE (kind, source_id)
   )`,
  `CREATE INDEX mails_account ON mails (account_id, created_at)`,
  `CREATE INDEX mails_due ON mails (due_at) WHERE due_at IS NOT NULL`,
];

const back = [`DROP TABLE mails`];
