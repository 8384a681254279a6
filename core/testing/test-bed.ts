import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import type { Config } from '../platform/config/config.js';
import { queuePrefix } from '../platform/queue/redis-client.js';
import { testConfig } from './test-config.js';
import { createTestDatabase, type TestDatabase } from './test-database.js';
import { testServices } from './test-environment.js';

// Integration tests share a machine with others, so a slow test does not yet hang.
jest.setTimeout(60_000);

/** Base of an integration suite: its own database and queue prefix. */
export interface TestBed {
  readonly database: TestDatabase;
  readonly redis: Redis;
  /** The configuration of a process over this bed; `overrides` are variables of the environment. */
  config(overrides?: Record<string, string>): Config;
  /** Deletes the suite's keys in Redis: the queue and the counters lose their memory. */
  forgetQueue(): Promise<void>;
  /**
   * Removes the bed without remains. To be called in `afterAll`, after its processes are closed.
   */
  remove(): Promise<void>;
}

export async function createTestBed(): Promise<TestBed> {
  const { redisUrl } = testServices();
  const database = await createTestDatabase();
  const redis = new Redis(redisUrl, { lazyConnect: true, retryStrategy: () => null });
  const prefix = `test_${randomBytes(6).toString('hex')}`;
  const mediaDir = join(tmpdir(), `pennytext_${prefix}`);
  const config = (overrides: Record<string, string> = {}) =>
    testConfig({
      DATABASE_URL: database.url,
      REDIS_URL: redisUrl,
      QUEUE_PREFIX: prefix,
      MEDIA_DIR: mediaDir,
      ...overrides,
    });
  const forgetQueue = async () => {
    for await (const keys of redis.scanStream({ match: `${queuePrefix(config())}*`, count: 1_000 })) {
      if (Array.isArray(keys) && keys.length > 0) await redis.del(...keys.map(String));
    }
  };
  try {
    await redis.connect();
  } catch (error) {
    await database.drop();
    throw error;
  }
  return {
    database,
    redis,
    config,
    forgetQueue,
    remove: async () => {
      try {
        await forgetQueue();
        redis.disconnect();
        await rm(mediaDir, { recursive: true, force: true });
      } finally {
        await database.drop();
      }
    },
  };
}
