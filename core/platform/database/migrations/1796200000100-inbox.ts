import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What an account sees of opt-outs, and the people who have replied to it. */
export class Inbox1796200000100 implements MigrationInterface {
  readonly name = 'Inbox1796200000100';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of back) await runner.query(statement);
  }
}

const statements = [
  // Finds the latest opt-outs.
  `CREATE INDEX opt_outs_created ON opt_outs (created_at)`,

  // The opt-outs of people whom an account has texted, lifted ones included; `opt_outs` decides which
  // are in force. `sender` is the number that the person wrote to, or that was refused, and `service`
  // its messaging service. Only the account that the reply went to has the `word`. Milliseconds,
  // as in the positions of a list.
  `CREATE TABLE account_opt_outs (
     account_id uuid NOT NULL,
     id bigint GENERATED ALWAYS AS IDENTITY,
     recipient text NOT NULL,
     sender text NOT NULL,
     service text,
     word text,
     source text NOT NULL CHECK (source IN ('reply', 'carrier')),
     opted_out_at timestamptz NOT NULL,
     opted_in_at timestamptz,
     PRIMARY KEY (account_id, id)
   )`,
  `CREATE UNIQUE INDEX account_opt_outs_open ON account_opt_outs (account_id, recipient, sender)
     WHERE opted_in_at IS NULL`,
  `CREATE INDEX account_opt_outs_time ON account_opt_outs (account_id, opted_out_at, id)`,
  `CREATE INDEX account_opt_outs_person ON account_opt_outs (account_id, recipient, opted_out_at, id)`,
  `CREATE INDEX account_opt_outs_recipient ON account_opt_outs (recipient) WHERE opted_in_at IS NULL`,
  // Finds expired ones.
  `CREATE INDEX account_opt_outs_ended ON account_opt_outs (opted_in_at) WHERE opted_in_at IS NOT NULL`,
  // One reply may have opted out of a number and of its messaging service.
  `INSERT INTO account_opt_outs (account_id, recipient, sender, service, source, opted_out_at)
   SELECT account_id, recipient, sender, service, 'reply', date_trunc('milliseconds', created_at)
   FROM (
     SELECT DISTINCT m.account_id, o.recipient, o.sender, s.sender AS service, o.created_at
     FROM opt_outs o
     LEFT JOIN opt_outs s ON s.recipient = o.recipient AND s.created_at = o.created_at AND s.sender <> o.sender
       AND s.sender LIKE 'MG%'
     JOIN messages m ON m.recipient = o.recipient AND m.sender IN (o.sender, s.sender) AND m.status <> 'canceled'
     WHERE o.sender NOT LIKE 'MG%' OR NOT EXISTS (
       SELECT FROM opt_outs n
       WHERE n.recipient = o.recipient AND n.created_at = o.created_at AND n.sender NOT LIKE 'MG%'
     )
   ) known
   ORDER BY created_at, account_id, recipient, sender
   ON CONFLICT DO NOTHING`,

  // One row for each person who has replied to an account: the person's latest reply, by its number
  // and time. waits: no later message to the person, and no opt-out, has been seen yet.
  `CREATE TABLE reply_threads (
     account_id uuid NOT NULL,
     person text NOT NULL,
     last_number bigint NOT NULL,
     last_at timestamptz NOT NULL,
     waits boolean NOT NULL DEFAULT true,
     PRIMARY KEY (account_id, person)
   )`,
  `INSERT INTO reply_threads (account_id, person, last_number, last_at)
   SELECT account_id, sender, max(number), max(created_at) FROM inbound_messages
   WHERE sender <> '' AND strpos(sender, '•') = 0 GROUP BY account_id, sender`,
  `CREATE UNIQUE INDEX reply_threads_last ON reply_threads (account_id, last_number)`,
  `CREATE INDEX reply_threads_age ON reply_threads (last_at)`,
  `CREATE INDEX reply_threads_waiting ON reply_threads (account_id, last_number) WHERE waits`,
];

const back = [`DROP TABLE reply_threads, account_opt_outs`, `DROP INDEX opt_outs_created`];
