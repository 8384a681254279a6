import { Redis } from 'ioredis';

const keysPerRound = 1_000;

/** Deletes every key that begins with the prefix. */
export async function dropKeys(redisUrl: string, prefix: string): Promise<void> {
  const redis = new Redis(redisUrl, { maxRetriesPerRequest: 1 });
  // A broken connection also fails the command under way, which reports it.
  redis.on('error', () => undefined);
  try {
    const pattern = `${prefix.replace(/[*?[\]\\]/g, '\\$&')}*`;
    for await (const keys of redis.scanStream({ match: pattern, count: keysPerRound }) as AsyncIterable<string[]>) {
      if (keys.length > 0) await redis.unlink(...keys);
    }
  } finally {
    redis.disconnect();
  }
}
