import type { Client } from 'pg';

/** Contents of a part of the write-ahead log, without full pages. */
export interface LogCounts {
  readonly records: number;
  readonly bytes: number;
  /** Bytes of records about pages that were full or had dead rows; they depend on what was on a page before. */
  readonly pageBytes: number;
  /**
   * Changes by table and kind, such as `messages inserted`; months' partitions count for their
   * table.
   */
  readonly rows: ReadonlyMap<string, number>;
}

/** Changes of rows by records of heaps. Source: PostgreSQL's src/backend/access/rmgrdesc/heapdesc.c */
const changes: Readonly<Record<string, string>> = {
  INSERT: 'inserted',
  UPDATE: 'updated with indexes',
  HOT_UPDATE: 'updated',
  DELETE: 'deleted',
  LOCK: 'locked',
};

/** Reads the log between two positions; needs the extension pg_walinspect. Unlogged tables are not in it. */
export async function readLog(client: Client, from: string, to: string): Promise<LogCounts> {
  if (from === to) return { records: 0, bytes: 0, pageBytes: 0, rows: new Map() };
  const all = await client.query<Omit<LogCounts, 'rows'>>(
    `SELECT count(*) FILTER (WHERE NOT is_page)::int AS records,
       coalesce(sum(size) FILTER (WHERE NOT is_page), 0)::int AS bytes,
       coalesce(sum(size) FILTER (WHERE is_page), 0)::int AS "pageBytes"
     FROM (
       SELECT record_length - fpi_length AS size,
         resource_manager = 'Heap2' OR resource_manager = 'Btree' AND record_type NOT IN ('INSERT_LEAF', 'INSERT_POST')
           AS is_page
       FROM pg_get_wal_records_info($1, $2) WHERE resource_manager NOT IN ('Standby', 'XLOG')
     ) r`,
    [from, to],
  );
  const byTable = await client.query<{ table: string; change: string; count: number }>(
    `SELECT regexp_replace(c.relname, '_\\d{4}(_\\d\\d)+$', '') AS table, replace(b.record_type, '+INIT', '') AS change,
       count(*)::int AS count
     FROM pg_get_wal_block_info($1, $2, false) b
       JOIN pg_database d ON d.oid = b.reldatabase AND d.datname = current_database()
       JOIN pg_class c ON c.relfilenode = b.relfilenode AND c.relkind = 'r'
     WHERE b.resource_manager = 'Heap' AND b.block_id = 0
     GROUP BY 1, 2 ORDER BY 1, 2`,
    [from, to],
  );
  const rows = new Map<string, number>();
  for (const { table, change, count } of byTable.rows) {
    const name = changes[change];
    if (name !== undefined) rows.set(`${table} ${name}`, count);
  }
  const [sum] = all.rows;
  if (!sum) throw new Error('A sum is one row');
  return { ...sum, rows };
}
