import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Lets updates of a message leave its indexes alone (heap-only tuples): no index contains a column that changes on the way to
 * delivery, and pages keep room for the row's next versions. Recovery finds messages by `message_checks`, one row for a whole
 * batch; `messages.due_at` is set only for a message with a time of its own, and by the previous release.
 *
 * Runs outside a transaction, because indexes are built while messages are accepted. Safe to repeat after an interruption.
 */
export class MessageChecks1795500000620 implements MigrationInterface {
  readonly name = 'MessageChecks1795500000620';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of checks) await runner.query(statement);
    for (const partition of await partitionsOf(runner)) {
      await runner.query(`ALTER TABLE ${partition} SET (fillfactor = ${FILL_FACTOR})`);
      const index = `${partition}_failed`;
      const [attached] = await runner.query(
        `SELECT 1 FROM pg_inherits WHERE inhparent = 'messages_failed'::regclass
           AND inhrelid IN (SELECT indexrelid FROM pg_index WHERE indrelid = '${partition}'::regclass)`,
      );
      if (attached) continue;
      await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${index}`);
      await runner.query(
        `CREATE INDEX CONCURRENTLY ${index} ON ${partition} (account_id, number) WHERE error_code IS NOT NULL`,
      );
      await runner.query(`ALTER INDEX messages_failed ATTACH PARTITION ${index}`);
    }
    await runner.query(`DROP INDEX IF EXISTS messages_undelivered`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of back) await runner.query(statement);
    for (const partition of await partitionsOf(runner))
      await runner.query(`ALTER TABLE ${partition} RESET (fillfactor)`);
  }
}

/** Percent of a page that new rows fill. */
const FILL_FACTOR = 60;

async function partitionsOf(runner: QueryRunner): Promise<string[]> {
  const rows: { name: string }[] = await runner.query(
    `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'messages'::regclass ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
}

const partitionsFilled = (
  storage: string,
) => `CREATE OR REPLACE FUNCTION ensure_message_partitions(first_month date, months integer)
   RETURNS void LANGUAGE plpgsql AS $$
   DECLARE
     month timestamp;
     name text;
   BEGIN
     PERFORM pg_advisory_xact_lock(hashtext('ensure_message_partitions'));
     FOR step IN 0 .. months - 1 LOOP
       month := date_trunc('month', first_month::timestamp) + make_interval(months => step);
       name := 'messages_' || to_char(month, 'YYYY_MM');
       IF to_regclass(name) IS NULL THEN
         EXECUTE format(
           'CREATE TABLE %I PARTITION OF messages FOR VALUES FROM (%L) TO (%L) ${storage}',
           name,
           uuid_v7_floor(month AT TIME ZONE 'UTC'),
           uuid_v7_floor((month + interval '1 month') AT TIME ZONE 'UTC')
         );
       END IF;
     END LOOP;
   END
   $$`;

const checks = [
  // Rows live for seconds: the key alone orders them by time.
  `CREATE TABLE IF NOT EXISTS message_checks (
     due_at timestamptz NOT NULL,
     id bigint GENERATED ALWAYS AS IDENTITY,
     kind text NOT NULL CHECK (kind IN ('queued', 'claimed')),
     message_ids uuid[] NOT NULL,
     PRIMARY KEY (due_at, id)
   )`,
  partitionsFilled(`WITH (fillfactor = ${FILL_FACTOR})`),
  // A search for them would read all others; every message that ends so has a code.
  `UPDATE messages SET error_code = 'not_delivered' WHERE status IN ('undelivered', 'failed') AND error_code IS NULL`,
  // Partitions that are created from now on have the index; those that exist get theirs one by one.
  `CREATE INDEX IF NOT EXISTS messages_failed ON ONLY messages (account_id, number) WHERE error_code IS NOT NULL`,
];

const back = [
  `UPDATE messages SET due_at = now() WHERE due_at IS NULL AND id IN (SELECT unnest(message_ids) FROM message_checks)
     AND status IN ('queued', 'sending', 'sent')`,
  `DROP TABLE message_checks`,
  partitionsFilled(''),
  `CREATE INDEX messages_undelivered ON messages (account_id, status, number) WHERE status IN ('undelivered', 'failed')`,
  `DROP INDEX messages_failed`,
];
