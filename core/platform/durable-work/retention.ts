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
 * Deletes a batch of expired rows; returns whether there may be more. A long backlog holds no long lock. A row that is renewed
 * meanwhile stays.
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
  const [row] = await postgres.query<{ count: number }>({ text }, [...values]);
  return row?.count === PURGED_MAX;
}

/** Creates the coming months' partitions; `createFunction` is the table's SQL function for it. */
export async function ensurePartitions(
  postgres: Postgres,
  createFunction: 'ensure_message_partitions' | 'ensure_inbound_partitions' | 'ensure_webhook_partitions',
): Promise<void> {
  await postgres.query({ text: `SELECT ${createFunction}((now() AT TIME ZONE 'UTC')::date, $1)` }, [MONTHS_AHEAD]);
}

/** Personal data that is erased from rows which themselves stay. The table's key `id` is a UUIDv7 of the row's creation. */
export interface ErasureRule {
  /** Names the rule's progress; never changes. */
  readonly name: string;
  readonly table: string;
  /** SQL assignments that erase; safe to repeat. */
  readonly erase: string;
  /** SQL condition of a row `r` that is in progress. */
  readonly inProgress: string;
  /** When a row `r` that is not in progress has ended, as SQL. */
  readonly endedAt: string;
}

const startProgress = {
  text: `
INSERT INTO retention_progress (rule, up_to) VALUES ($1, '00000000-0000-0000-0000-000000000000') ON CONFLICT DO NOTHING`,
} as const;

/**
 * Erases the next batch in order of creation. Rows that are in progress, or ended later than the cutoff, are put aside and are
 * no obstacle to newer ones. Parameters: rule, days.
 */
const eraseNext = ({ table, erase, inProgress, endedAt }: ErasureRule): string => `
WITH progress AS MATERIALIZED (
  SELECT up_to FROM retention_progress WHERE rule = $1 FOR UPDATE
), batch AS MATERIALIZED (
  SELECT id, (${inProgress}) OR coalesce(${endedAt} > now() - make_interval(days => $2), false) AS waits
  FROM ${table} r
  WHERE id > (SELECT up_to FROM progress) AND id < uuid_v7_floor(now() - make_interval(days => $2))
  ORDER BY id LIMIT ${ERASED_MAX}
), erased AS (
  UPDATE ${table} SET ${erase}
  WHERE id > (SELECT up_to FROM progress) AND id < uuid_v7_floor(now() - make_interval(days => $2))
    AND id IN (SELECT id FROM batch WHERE NOT waits)
), aside AS (
  INSERT INTO retention_waiting (rule, row_id) SELECT $1, id FROM batch WHERE waits ON CONFLICT DO NOTHING
), moved AS (
  UPDATE retention_progress SET up_to = (SELECT id FROM batch ORDER BY id DESC LIMIT 1)
  WHERE rule = $1 AND EXISTS (SELECT 1 FROM batch)
)
SELECT count(*)::int AS count FROM batch`;

/** Erases a batch of the rows that were put aside and have ended since. Parameters: rule, days. */
const eraseWaiting = ({ table, erase, inProgress, endedAt }: ErasureRule): string => `
WITH ready AS MATERIALIZED (
  SELECT w.row_id AS id FROM retention_waiting w LEFT JOIN ${table} r ON r.id = w.row_id
  WHERE w.rule = $1
    AND (r.id IS NULL OR NOT ((${inProgress}) OR coalesce(${endedAt} > now() - make_interval(days => $2), false)))
  LIMIT ${ERASED_MAX}
), erased AS (
  UPDATE ${table} SET ${erase} WHERE id IN (SELECT id FROM ready)
), done AS (
  DELETE FROM retention_waiting WHERE rule = $1 AND row_id IN (SELECT id FROM ready)
)
SELECT count(*)::int AS count FROM ready`;

/**
 * Erases a batch of a rule's rows older than `days`, and of those that were put aside; returns whether there may be more. Safe in
 * several workers at once: the rule's progress is locked.
 */
export async function eraseExpired(postgres: Postgres, rule: ErasureRule, days: number): Promise<boolean> {
  const counts: number[] = [];
  await postgres.query(startProgress, [rule.name]);
  for (const text of [eraseWaiting(rule), eraseNext(rule)]) {
    const [row] = await postgres.query<{ count: number }>({ text }, [rule.name, days]);
    counts.push(row?.count ?? 0);
  }
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
