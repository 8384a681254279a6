import { cpus, loadavg, totalmem } from 'node:os';
import { Redis } from 'ioredis';
import type { Services } from './processes/environment.js';
import { connect } from './product/database.js';

/** What the figures depend on: the machine, the versions, and how durable the databases are. */
export async function describeMachine({ databaseUrl, redisUrl }: Services): Promise<Record<string, string>> {
  const [processor] = cpus();
  const load = loadavg();
  const isBusy = (load[0] ?? 0) > cpus().length / 4;
  return {
    machine: `${cpus().length} × ${processor?.model ?? 'unknown'}, ${Math.round(totalmem() / 1e9)} GB`,
    load: `${load.map((average) => average.toFixed(2)).join(' ')}${isBusy ? ': BUSY before the bench began, so figures are too low and ratios doubtful' : ''}`,
    node: process.version,
    postgres: await describePostgres(databaseUrl),
    redis: await describeRedis(redisUrl),
  };
}

async function describePostgres(url: string): Promise<string> {
  const client = await connect(url);
  try {
    const { rows } = await client.query<Record<string, string>>(
      `SELECT current_setting('server_version') AS version, current_setting('fsync') AS fsync,
         current_setting('synchronous_commit') AS synchronous_commit, current_setting('shared_buffers') AS shared_buffers`,
    );
    const { version = 'unknown', ...settings } = rows[0] ?? {};
    return [version, ...Object.entries(settings).map(([name, setting]) => `${name} ${setting}`)].join(', ');
  } finally {
    await client.end();
  }
}

async function describeRedis(url: string): Promise<string> {
  const redis = new Redis(url, { maxRetriesPerRequest: 1, lazyConnect: true });
  await redis.connect();
  try {
    const info = await redis.info();
    const field = (name: string) => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1] ?? 'unknown';
    return `${field('redis_version')}, append only file ${field('aof_enabled') === '1' ? 'on' : 'off'}`;
  } finally {
    redis.disconnect();
  }
}
