import { Client } from 'pg';

/** Long, as a machine may be busy; short enough to tell of a server that is not there. */
const CONNECT_TIMEOUT_MS = 10_000;

/** Runs one statement on a connection of its own, by the simple protocol, and answers its rows. */
export async function sql<Row extends object>(url: string, text: string): Promise<Row[]> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  // A broken connection also fails the statement under way, which reports it.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}
