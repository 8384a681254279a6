import { Client, type QueryResultRow } from 'pg';

/** feature_not_supported, and a fault of Citus 13.2 with results between the steps of a statement. */
const UNSUPPORTED =
  /^(cannot execute a distributed query|could not run distributed|complex joins|invalid input syntax .*PGCOPY)/;

/** Whether Citus cannot run a statement on its distributed tables, so that it must run on each group of shards. */
export function isUnsupportedByCitus(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ('code' in error && error.code === '0A000') || UNSUPPORTED.test(error.message);
}

/**
 * Runs a statement of a test on every group of shards, as the product runs its own, and returns all rows. It must name its account by
 * a row: one that inserts values alone would insert them into each group.
 */
export async function sqlOnGroups<Row extends QueryResultRow>(
  url: string,
  text: string,
  values: readonly unknown[],
): Promise<Row[]> {
  const groups = await rowsOf<{ id: string; host: string; port: number }>(
    url,
    `SELECT s.shardid::text AS id, n.nodename AS host, n.nodeport AS port
     FROM pg_dist_shard s JOIN pg_dist_placement p USING (shardid) JOIN pg_dist_node n USING (groupid)
     WHERE s.logicalrelid = 'accounts'::regclass AND n.noderole = 'primary'`,
  );
  const rows: Row[] = [];
  for (const { id, host, port } of groups) {
    const node = new URL(url);
    [node.hostname, node.port] = [host, String(port)];
    await rowsOf(node.href, 'SELECT public.open_shard($1)', [id]);
    node.searchParams.set('options', `-c search_path=shard_${id},public`);
    rows.push(...(await rowsOf<Row>(node.href, text, values)));
  }
  return rows;
}

async function rowsOf<Row extends QueryResultRow>(url: string, text: string, values: readonly unknown[] = []) {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(text, [...values])).rows;
  } finally {
    await client.end();
  }
}
