import { Client } from 'pg';

const CONNECT_TIMEOUT_MS = 5_000;

/** Queries the database once, so that a program that cannot reach it fails with one line before it starts anything. */
export async function checkDatabase({ url }: { url: string }): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  try {
    await client.connect();
  } finally {
    await client.end();
  }
}
