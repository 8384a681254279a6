import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Owners of conversations, senders of one account alone, and messages whose replies go to another account. */
export class ConversationOwners1795500000200 implements MigrationInterface {
  readonly name = 'ConversationOwners1795500000200';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE messages DROP COLUMN replies_unavailable`);
    await runner.query(`DROP TABLE account_senders, conversation_owners`);
  }
}

const statements = [
  // Updated by every message: free room in the pages keeps those updates off the index.
  `CREATE TABLE conversation_owners (
     recipient text NOT NULL,
     sender text NOT NULL,
     account_id uuid NOT NULL,
     last_at timestamptz NOT NULL DEFAULT now(),
     PRIMARY KEY (recipient, sender)
   ) WITH (fillfactor = 70)`,
  `INSERT INTO conversation_owners (recipient, sender, account_id, last_at)
   SELECT DISTINCT ON (recipient, sender) recipient, sender, account_id, created_at
   FROM messages
   WHERE id >= uuid_v7_floor(now() - interval '72 hours') AND recipient <> '' AND sent_at IS NOT NULL
   ORDER BY recipient, sender, id DESC`,

  `CREATE TABLE account_senders (
     sender text PRIMARY KEY,
     account_id uuid NOT NULL REFERENCES accounts (id),
     created_at timestamptz NOT NULL DEFAULT now()
   )`,
  `CREATE INDEX account_senders_account ON account_senders (account_id)`,

  `ALTER TABLE messages ADD COLUMN replies_unavailable boolean NOT NULL DEFAULT false`,
];
