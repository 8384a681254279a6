import { join } from 'node:path';
import type { Services } from './child-environment.js';
import { say } from './line-log.js';
import { checkDatabase } from './postgres/check-database.js';
import { startEmbeddedPostgres } from './postgres/embedded-postgres.js';
import type { ProcessGroup } from './processes/process-group.js';
import { checkRedis, findRedisServer, startRedisServer } from './redis/redis-server.js';
import type { Settings } from './settings.js';

/** The order in which things stop: programs first, what they stand on last. */
export const stopRanks = { task: 0, server: 1, worker: 2, sandbox: 3, redis: 4, postgres: 5 } as const;

/** The databases that were given, after a look whether they answer, or our own under `dataDir`. */
export async function startServices(
  group: ProcessGroup,
  dataDir: string,
  given: Pick<Settings, 'databaseUrl' | 'redisUrl' | 'wantsRedis'>,
): Promise<Services> {
  // What was given is asked first: nothing is started beside a database that refuses.
  await Promise.all([
    given.databaseUrl && checkDatabase(given.databaseUrl),
    given.redisUrl && checkRedis(given.redisUrl),
  ]);
  const [databaseUrl, redisUrl] = await Promise.all([
    givenOrOwnPostgres(group, dataDir, given.databaseUrl),
    given.wantsRedis ? givenOrOwnRedis(group, dataDir, given.redisUrl) : undefined,
  ]);
  return { databaseUrl, redisUrl };
}

async function givenOrOwnPostgres(group: ProcessGroup, dataDir: string, url: string | undefined): Promise<string> {
  if (url) {
    say('postgres', `Using the one of DATABASE_URL (${new URL(url).host})`);
    return url;
  }
  const own = await startEmbeddedPostgres(group, {
    folder: dataDir,
    logFile: join(dataDir, 'logs', 'postgres.log'),
    // Room for server, worker, admin and a person's own tools.
    settings: ['max_connections=200'],
    stopRank: stopRanks.postgres,
  });
  say('postgres', `Started on port ${new URL(own).port}`);
  return own;
}

async function givenOrOwnRedis(
  group: ProcessGroup,
  dataDir: string,
  url: string | undefined,
): Promise<string | undefined> {
  if (url) {
    say('redis', `Using the one of REDIS_URL (${new URL(url).host})`);
    return url;
  }
  const command = findRedisServer();
  if (!command) {
    say(
      'redis',
      'No redis-server here: jobs are queued in Postgres. For Redis: apt-get install redis-server, or brew install redis',
    );
    return undefined;
  }
  const own = await startRedisServer(group, command, {
    folder: join(dataDir, 'redis'),
    logFile: join(dataDir, 'logs', 'redis.log'),
    stopRank: stopRanks.redis,
    appendOnly: true,
  });
  say('redis', `Started ${command} on port ${new URL(own).port}`);
  return own;
}
