import { Client } from 'pg';

const CONNECT_TIMEOUT_MS = 2_000;

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
