import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Numbers the ledger entries and the messages of each account 1, 2, 3 … in the order of its balance changes. Within an
 * account `created_at` rises with the number from here on, so that a span of time is a span of numbers.
 */
export class HistoryNumbers1795400000100 implements MigrationInterface {
  readonly name = 'HistoryNumbers1795400000100';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...ledger, ...messages, ...counters]) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of back) await runner.query(statement);
  }
}

const ledger = [
  `ALTER TABLE ledger_entries ADD COLUMN number bigint CHECK (number > 0)`,
  `UPDATE ledger_entries l SET number = n.number, created_at = n.at
   FROM (
     SELECT
       account_id,
       id,
       row_number() OVER (PARTITION BY account_id ORDER BY id) AS number,
       max(created_at) OVER (PARTITION BY account_id ORDER BY id) AS at
     FROM ledger_entries
   ) n
   WHERE l.account_id = n.account_id AND l.id = n.id`,
  `ALTER TABLE ledger_entries DROP CONSTRAINT ledger_entries_pkey, ADD PRIMARY KEY (account_id, number), DROP COLUMN id`,
  // Most entries are charges of messages: they are found by number alone, and cost no second index entry.
  `CREATE INDEX ledger_entries_kind ON ledger_entries (account_id, kind, number) WHERE kind <> 'message'`,
];

const messages = [
  `ALTER TABLE messages ADD COLUMN number bigint CHECK (number > 0)`,
  `UPDATE messages m SET number = n.number
   FROM (SELECT id, row_number() OVER (PARTITION BY account_id ORDER BY created_at, id) AS number FROM messages) n
   WHERE m.id = n.id`,
  `ALTER TABLE messages ALTER COLUMN number SET NOT NULL`,
  `CREATE INDEX messages_number ON messages (account_id, number)`,
  // Few messages end so: a search for them would read all others.
  `CREATE INDEX messages_undelivered ON messages (account_id, status, number) WHERE status IN ('undelivered', 'failed')`,
];

const counters = [
  `ALTER TABLE credit_accounts
     ADD COLUMN ledger_count bigint NOT NULL DEFAULT 0,
     ADD COLUMN sent_count bigint NOT NULL DEFAULT 0`,
  `UPDATE credit_accounts c SET ledger_count = l.count, updated_at = greatest(c.updated_at, l.last_at)
   FROM (SELECT account_id, count(*) AS count, max(created_at) AS last_at FROM ledger_entries GROUP BY account_id) l
   WHERE c.account_id = l.account_id`,
  `UPDATE credit_accounts c SET sent_count = m.count, updated_at = greatest(c.updated_at, m.last_at)
   FROM (SELECT account_id, count(*) AS count, max(created_at) AS last_at FROM messages GROUP BY account_id) m
   WHERE c.account_id = m.account_id`,
];

// The indexes go with their columns.
const back = [
  `ALTER TABLE credit_accounts DROP COLUMN ledger_count, DROP COLUMN sent_count`,
  `ALTER TABLE messages DROP COLUMN number`,
  `ALTER TABLE ledger_entries ADD COLUMN id bigint`,
  `UPDATE ledger_entries l SET id = n.id
   FROM (
     SELECT account_id, number, row_number() OVER (ORDER BY created_at, account_id, number) AS id FROM ledger_entries
   ) n
   WHERE l.account_id = n.account_id AND l.number = n.number`,
  `ALTER TABLE ledger_entries ALTER COLUMN id SET NOT NULL`,
  `ALTER TABLE ledger_entries ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY`,
  `SELECT setval(pg_get_serial_sequence('ledger_entries', 'id'), coalesce(max(id), 0) + 1, false) FROM ledger_entries`,
  `ALTER TABLE ledger_entries DROP COLUMN number, ADD PRIMARY KEY (account_id, id)`,
];
