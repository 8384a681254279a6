import { accountTables } from '../citus/layout.js';
import type { Postgres } from '../database/postgres.js';

const PURGED_MAX = 10_000;
const ERASED_MAX = 5_000;
const MONTHS_AHEAD = 3;

/** Rows that are deleted once they have expired. */
export interface PurgeRule {
  readonly table: string;
  /** Columns of the primary key. */
  readonly key: readonly string[];
  /** SQL condition of an expired row, with parameters `$1`, `$2` … */
  readonly expired: string;
}

/**
 * Deletes a batch of expired rows; returns whether there may be more. A long backlog holds no long
 * lock. A row that is renewed meanwhile stays.
 */
export async function purge(
  postgres: Postgres,
  { table, key, expired }: PurgeRule,
  values: readonly unknown[],
): Promise<boolean> {
  const columns = key.join(', ');
  const text = `
WITH purged AS (
  DELETE FROM ${table}
  WHERE (${columns}) IN (SELECT ${columns} FROM ${table} WHERE ${expired} LIMIT ${PURGED_MAX}) AND ${expired}
  RETURNING 1
)
SELECT count(*)::int AS count FROM purged`;
  const shared = !(table in accountTables);
  const [row] = await postgres.query<{ count: number }>({ text, shared }, [...values]);
  return row?.count === PURGED_MAX;
}

/** Creates the coming months' partitions; `createFunction` is the table's SQL function for it. */
export async function ensurePartitions(
  postgres: Postgres,
  createFunction: 'ensure_message_partitions' | 'ensure_inbound_partitions' | 'ensure_webhook_partitions',
): Promise<void> {
  const text = `SELECT ${createFunction}((now() AT TIME ZONE 'UTC')::date, $1)`;
  await postgres.query({ text, shared: true }, [MONTHS_AHEAD]);
}

/**
 * Erases personal data from rows that are kept. The table's key `id` is a UUIDv7 of the row's
 * creation time.
 */
export interface ErasureRule {
  /** Names the rule's progress; never changes. */
  readonly name: string;
  readonly table: string;
  /** SQL assignments that erase; safe to repeat. */
  readonly erase: string;
  /** SQL condition of a row `r` that is in progress. */
  readonly inProgress: string;
  /** SQL of the time at which a row `r` that is not in progress has ended. */
  readonly endedAt: string;
}

const startProgress = {
  text: `
INSERT INTO retention_progress (rule, up_to) VALUES ($1, '00000000-0000-0000-0000-000000000000')
  ON CONFLICT DO NOTHING`,
} as const;

/** Parameters: last id of the previous batch, days. */
const nextBatch = ({ table, inProgress, endedAt }: ErasureRule): string => `
SELECT id, (${inProgress}) OR coalesce(${endedAt} > now() - make_interval(days => $2), false) AS waits
FROM ${table} r
WHERE id > $1 AND id < uuid_v7_floor(now() - make_interval(days => $2))
ORDER BY id LIMIT ${ERASED_MAX}`;

/**
 * Erases the next batch in order of creation; returns the number of rows that it examined. Rows
 * that are in progress, or ended after the cutoff, are put aside so that they do not block newer
 * rows. The ids are parameters of the update: Postgres repeats subqueries when it waited for
 * another rule's update of a row, and would find the progress moved and the row out of range.
 */
function eraseNext(postgres: Postgres, rule: ErasureRule, days: number): Promise<number> {
  const { name, table, erase } = rule;
  return postgres.transaction(async (tx) => {
    const lock = 'SELECT up_to AS "upTo" FROM retention_progress WHERE rule = $1 FOR UPDATE';
    const [progress] = await tx.query<{ upTo: string }[]>(lock, [name]);
    if (!progress) return 0;
    const batch = await tx.query<{ id: string; waits: boolean }[]>(nextBatch(rule), [progress.upTo, days]);
    const last = batch.at(-1);
    if (!last) return 0;
    const idsOf = (waiting: boolean) => batch.filter(({ waits }) => waits === waiting).map(({ id }) => id);
    // The range selects the partitions.
    const range = [idsOf(false), progress.upTo, last.id];
    await tx.query(`UPDATE ${table} SET ${erase} WHERE id = ANY($1::uuid[]) AND id > $2 AND id <= $3`, range);
    const putAside =
      'INSERT INTO retention_waiting (rule, row_id) SELECT $1, unnest($2::uuid[]) ON CONFLICT DO NOTHING';
    await tx.query(putAside, [name, idsOf(true)]);
    await tx.query('UPDATE retention_progress SET up_to = $2 WHERE rule = $1', [name, last.id]);
    return batch.length;
  });
}

/** Parameters: rule, days. */
const readyBatch = ({ table, inProgress, endedAt }: ErasureRule): string => `
SELECT w.row_id AS id FROM retention_waiting w LEFT JOIN ${table} r ON r.id = w.row_id
WHERE w.rule = $1
  AND (r.id IS NULL OR NOT ((${inProgress}) OR coalesce(${endedAt} > now() - make_interval(days => $2), false)))
LIMIT ${ERASED_MAX}`;

/** Erases a batch of rows that were put aside and have ended since; returns their number. */
function eraseWaiting(postgres: Postgres, rule: ErasureRule, days: number): Promise<number> {
  const { name, table, erase } = rule;
  return postgres.transaction(async (tx) => {
    const ready = await tx.query<{ id: string }[]>(readyBatch(rule), [name, days]);
    if (ready.length === 0) return 0;
    const ids = ready.map(({ id }) => id);
    await tx.query(`UPDATE ${table} SET ${erase} WHERE id = ANY($1::uuid[])`, [ids]);
    await tx.query('DELETE FROM retention_waiting WHERE rule = $1 AND row_id = ANY($2::uuid[])', [name, ids]);
    return ready.length;
  });
}

/**
 * Erases a batch of a rule's rows older than `days`, and a batch of rows that were put aside;
 * returns whether there may be more. Safe in several workers at once: the rule's progress is
 * locked.
 */
export async function eraseExpired(postgres: Postgres, rule: ErasureRule, days: number): Promise<boolean> {
  await postgres.query(startProgress, [rule.name]);
  const counts = [await eraseWaiting(postgres, rule, days), await eraseNext(postgres, rule, days)];
  return counts.includes(ERASED_MAX);
}

/** Runs a statement that erases a batch and counts it, until nothing is left; returns the sum. */
export async function eraseInBatches(
  postgres: Postgres,
  statement: { readonly text: string },
  values: readonly unknown[],
): Promise<number> {
  let total = 0;
  for (;;) {
    const [row] = await postgres.query<{ count: number }>(statement, [...values]);
    if (!row?.count) return total;
    total += row.count;
  }
}
