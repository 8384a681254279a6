import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { StartError } from '../start-error.js';

const connectTimeoutMs = 5_000;

/** Reasons a person can mend, by Node's and PostgreSQL's codes (https://www.postgresql.org/docs/current/errcodes-appendix.html). */
const reasons: Record<string, string> = {
  ECONNREFUSED: 'nothing listens there. Start Postgres',
  ENOTFOUND: 'the host name is not known. Correct it',
  ETIMEDOUT: 'no answer. Check host and firewall',
  '28P01': 'the password is wrong. Correct it',
  '28000': 'the user may not connect. Check user and pg_hba.conf',
  '3D000': 'the database does not exist. Create it with createdb',
};

/** Throws StartError with host, reason and mend when the database of DATABASE_URL cannot be used. */
export async function checkDatabase(url: string): Promise<void> {
  const client = connectTo(url);
  try {
    await client.connect();
  } catch (cause) {
    throw new StartError(refusalLine(url, cause as NodeJS.ErrnoException), { cause });
  } finally {
    await client.end();
  }
}

/** What is said when the database refuses. The password of the URL is not shown. */
export function refusalLine(url: string, { code, message }: { code?: string | undefined; message: string }): string {
  const { host, pathname } = new URL(url);
  const reason = reasons[code ?? ''] ?? (message.includes('timeout') ? reasons['ETIMEDOUT'] : message.split('\n')[0]);
  return `Cannot use the database ${pathname.slice(1)} at ${host}: ${reason}, or unset DATABASE_URL to use the embedded Postgres.`;
}

/** Creates the database when the server of the URL has none of this name. The server may still be starting: bound 30 s. */
export async function ensureDatabase(serverUrl: string, name: string, mayGoOn: () => boolean): Promise<void> {
  const client = await connectWhenReady(serverUrl, mayGoOn);
  try {
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`);
  } finally {
    await client.end();
  }
}

async function connectWhenReady(url: string, mayGoOn: () => boolean): Promise<Client> {
  const deadlineMs = Date.now() + 30_000;
  for (;;) {
    const client = connectTo(url);
    try {
      await client.connect();
      return client;
    } catch (error) {
      await client.end();
      const { code } = error as NodeJS.ErrnoException;
      // 57P03: the server is starting up or recovering.
      const isStarting = code === 'ECONNREFUSED' || code === '57P03';
      if (!isStarting || Date.now() > deadlineMs || !mayGoOn()) throw error;
      await delay(50);
    }
  }
}

function connectTo(url: string): Client {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: connectTimeoutMs });
  // A broken connection also fails the call under way, which reports it.
  client.on('error', () => undefined);
  return client;
}
