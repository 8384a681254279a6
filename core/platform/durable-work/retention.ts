import type { Postgres } from '../database/postgres.js';

const PURGED_MAX = 10_000;
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
