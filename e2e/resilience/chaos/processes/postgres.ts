import { Client } from 'pg';

/** How the launcher says that the cluster's server is started. */
export interface PostgresCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly runAs: { readonly uid?: number; readonly gid?: number; readonly cwd?: string };
  readonly serverUrl: string;
}

const connectTimeoutMs = 2_000;

/** Runs one query on a connection of its own. */
export async function query<Row extends object>(url: string, text: string, values: unknown[] = []): Promise<Row[]> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: connectTimeoutMs });
  // A broken connection also fails the query under way, which reports it.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end();
  }
}

/** Whether the server of the URL takes connections and has recovered. */
export async function acceptsQueries(url: string): Promise<boolean> {
  try {
    await query(url, 'SELECT 1');
    return true;
  } catch {
    // It is starting, recovering or away: the caller asks again, with a bound.
    return false;
  }
}
