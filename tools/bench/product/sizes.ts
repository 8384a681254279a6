import type { Client } from 'pg';

/** Bytes of a table, its partitions and what hangs on them (TOAST, maps) in `heap`. */
export interface TableSize {
  readonly table: string;
  readonly heap: number;
  readonly indexes: number;
}

/** Sizes of the product's tables, a partitioned one as a whole; largest first. */
export async function readSizes(client: Client): Promise<TableSize[]> {
  const { rows } = await client.query<TableSize>(
    `SELECT coalesce(parent.relname, one.relname) AS table,
       sum(pg_table_size(one.oid))::float8 AS heap, sum(pg_indexes_size(one.oid))::float8 AS indexes
     FROM pg_class one
     LEFT JOIN pg_inherits part ON part.inhrelid = one.oid
     LEFT JOIN pg_class parent ON parent.oid = part.inhparent
     WHERE one.relkind = 'r' AND one.relnamespace = 'public'::regnamespace
     GROUP BY 1
     ORDER BY sum(pg_total_relation_size(one.oid)) DESC, 1`,
  );
  return rows;
}

/** What each table has gained from `before` to `after`. */
export function gainOf(before: readonly TableSize[], after: readonly TableSize[]): TableSize[] {
  return after.map(({ table, heap, indexes }) => {
    const earlier = before.find((one) => one.table === table);
    return { table, heap: heap - (earlier?.heap ?? 0), indexes: indexes - (earlier?.indexes ?? 0) };
  });
}

/** How much write-ahead log the server has written since it was made, in bytes, and how many whole pages are in it. */
export async function readWal(client: Client): Promise<{ bytes: number; fullPages: number }> {
  const { rows } = await client.query<{ bytes: number; fullPages: number }>(
    `SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 AS bytes, wal_fpi::float8 AS "fullPages" FROM pg_stat_wal`,
  );
  const [wal] = rows;
  if (!wal) throw new Error('The server tells one row of its write-ahead log');
  return wal;
}
