import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { runNode } from '../../tools/testkit/program.js';
import { CutConnections } from '../../tools/testkit/cut-connections.js';
import { repository } from '../testing/repository.js';
import { Stack } from '../testing/stack.js';

/**
 * A command ends within ten seconds; a busy machine needs longer to start the program. A command
 * that hangs is killed.
 */
const KILLED_AFTER_MS = 45_000;
const noAnswer = new RegExp(
  '^(A service does not answer \\(.+\\)\\. Start it, or fix DATABASE_URL or REDIS_URL\\.|' +
    'Postgres is not available \\(.+\\)\\..*)\\n$',
);

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

async function admin(words: string): Promise<{ code: number | null; output: string; errors: string }> {
  return runNode(
    join(repository, 'dist', 'admin', 'main.js'),
    ['--as', 'e2e', ...words.split(' ')],
    env,
    KILLED_AFTER_MS,
  );
}

const away = {
  'refuses connections': (way: CutConnections) => way.cut(),
  'gives no answer': (way: CutConnections) => way.silence(),
} as const;

for (const [how, takeAway] of Object.entries(away)) {
  for (const words of ['queue status', 'queue resume', 'ledger check'])
    test(`${words} ends with the cause when Postgres ${how}`, async () => {
      if (postgres) takeAway(postgres);
      const { code, output, errors } = await admin(words);
      expect([code, output]).toEqual([1, '']);
      expect(errors).toMatch(noAnswer);
    });

  for (const words of ['status', 'pause', 'resume', 'retry-failed', 'drain'])
    test(`queue ${words} ends with the cause when Redis ${how}`, async () => {
      if (redis) takeAway(redis);
      const { code, errors } = await admin(`queue ${words}`);
      expect(code).toBe(1);
      expect(errors).toMatch(/^A service does not answer \(Redis at 127\.0\.0\.1:\d+: .+\)\. Start it, or fix .*\n$/);
    });

  test(`commands that need no queue work when Redis ${how}`, async () => {
    if (redis) takeAway(redis);
    const email = `${how.replaceAll(' ', '-')}@example.com`;
    expect((await admin(`account create --email ${email}`)).output).toContain('"apiKey"');
    const adjusted = await admin(`credits adjust ${email} 5 --why test`);
    expect([adjusted.code, adjusted.errors]).toEqual([0, '']);
    expect(adjusted.output).toContain('"balance": 8');
  });
}
