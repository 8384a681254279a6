import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { run } from '../../tools/testkit/program.js';
import { CutConnections } from '../../tools/testkit/cut-connections.js';
import { repository } from '../testing/repository.js';
import { Stack } from '../testing/stack.js';

/**
 * A command ends within ten seconds; a busy machine needs longer to start the program, and six share a
 * start. Commands that hang are killed.
 */
const KILLED_AFTER_MS = 90_000;
const noPostgres = new RegExp(
  '^(A service does not answer \\(.+\\)\\. Start it, or fix DATABASE_URL or REDIS_URL\\.|' +
    'Postgres is not available \\(.+\\)\\..*)$',
);
const noRedis = /^A service does not answer \(Redis at 127\.0\.0\.1:\d+: .+\)\. Start it, or fix .*$/;
const main = join(repository, 'dist', 'admin', 'main.js');

let stack: Stack | undefined;
let postgres: CutConnections | undefined;
let redis: CutConnections | undefined;
let env: Record<string, string>;

test.beforeAll(async () => {
  stack = await Stack.start({ servers: 1, receiptDelayMs: 100, logFolder: test.info().outputPath('logs') });
  const database = new URL(stack.environment['DATABASE_URL'] ?? '');
  const queue = new URL(stack.environment['REDIS_URL'] ?? '');
  postgres = await CutConnections.to(Number(database.port || 5432));
  redis = await CutConnections.to(Number(queue.port || 6379));
  database.port = new URL(postgres.url).port;
  queue.port = new URL(redis.url).port;
  env = { ...stack.environment, DATABASE_URL: database.href, REDIS_URL: queue.href };
});

test.afterEach(() => {
  postgres?.heal();
  redis?.heal();
});

test.afterAll(async () => {
  await postgres?.stop();
  await redis?.stop();
  await stack?.stop();
});

/** Runs a command, or several in one start, each in spite of the failure of those before it. */
async function admin(...commands: string[]): Promise<{ code: number | null; output: string; errors: string[] }> {
  const [first = ''] = commands;
  const words = commands.length === 1 ? first.split(' ') : ['-'];
  const shell = ['-c', 'printf "%s\\n" "$0" | exec "$@"', commands.join('\n'), process.execPath, main, '--as', 'e2e'];
  const { code, output, errors } = await run('bash', [...shell, ...words], { env, timeoutMs: KILLED_AFTER_MS });
  return { code, output, errors: errors.split('\n').slice(0, -1) };
}

const away = {
  'refuses connections': (way: CutConnections) => way.cut(),
  'gives no answer': (way: CutConnections) => way.silence(),
} as const;

for (const [how, takeAway] of Object.entries(away)) {
  test(`a command ends with the cause when Postgres ${how}`, async () => {
    if (postgres) takeAway(postgres);
    const { code, output, errors } = await admin('queue resume');
    expect([code, output]).toEqual([1, '']);
    expect(errors).toEqual([expect.stringMatching(noPostgres)]);
  });

  test(`commands on queues end with the cause when Redis ${how}, and others work`, async () => {
    if (redis) takeAway(redis);
    const single = await admin('queue status');
    expect([single.code, single.errors]).toEqual([1, [expect.stringMatching(noRedis)]]);
    const onQueues = ['pause', 'resume', 'retry-failed', 'drain'].map((words) => `queue ${words}`);
    const email = `${how.replaceAll(' ', '-')}@example.com`;
    const { code, output, errors } = await admin(
      ...onQueues,
      `account create --email ${email}`,
      `credits adjust ${email} 5 --why test`,
    );
    expect([code, errors]).toEqual([1, onQueues.map(() => expect.stringMatching(noRedis))]);
    expect(output).toContain('"apiKey"');
    expect(output).toContain('"balance": 8');
  });
}
