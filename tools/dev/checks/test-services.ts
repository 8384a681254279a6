import { join } from 'node:path';
import { checkDatabase } from '../postgres/check-database.js';
import { startEmbeddedPostgres } from '../postgres/embedded-postgres.js';
import type { ProcessGroup } from '../processes/process-group.js';
import { checkRedis, startRedisServer } from '../redis/redis-server.js';
import { stopRanks } from '../services.js';
import { settingsOf } from '../settings.js';
import type { Installer } from './installer.js';
import { redisForTests } from './test-tools.js';

/** A database and a Redis with nothing in them: those that the environment names, else our own. */
export interface TestServices extends Record<string, string> {
  DATABASE_URL: string;
  REDIS_URL: string;
}

/** Starts them under `folder`. Without `durable` the data would not survive a crash of the machine, which is faster. */
export async function startTestServices(
  group: ProcessGroup,
  installer: Installer,
  folder: string,
  durable: boolean,
): Promise<TestServices> {
  const given = settingsOf(process.env);
  if (given.databaseUrl) await checkDatabase(given.databaseUrl);
  if (given.redisUrl) await checkRedis(given.redisUrl);
  const fast = durable ? [] : ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];
  const [DATABASE_URL, REDIS_URL] = await Promise.all([
    given.databaseUrl ??
      startEmbeddedPostgres(group, {
        folder,
        logFile: join(folder, 'logs', 'postgres.log'),
        settings: ['max_connections=300', ...fast],
        stopRank: stopRanks.postgres,
      }),
    given.redisUrl ??
      startRedisServer(group, await redisForTests(installer), {
        folder: join(folder, 'redis'),
        logFile: join(folder, 'logs', 'redis.log'),
        stopRank: stopRanks.redis,
        appendOnly: durable,
      }),
  ]);
  return { DATABASE_URL, REDIS_URL };
}
