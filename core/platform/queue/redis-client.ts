import { createHash } from 'node:crypto';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Command, type Cluster, type Redis } from 'ioredis';
import { Config } from '../config/config.js';
import { Logger } from '../telemetry/logger.js';
import { openRedis, openSubscriber, reasonOf } from './open-redis.js';
import { queuePrefix } from './queue-connection.js';

/** A Lua script whose result is a list of numbers. Redis keeps it under its hash. */
export interface CountScript {
  readonly hash: string;
  readonly text: string;
}

export function scriptOf(text: string): CountScript {
  return { hash: createHash('sha1').update(text).digest('hex'), text };
}

/** The Redis connection for counters. Commands fail at once while Redis is unavailable, because no counter is worth waiting for. */
@Injectable()
export class RedisClient implements OnApplicationShutdown {
  /** Undefined when the queues are stored in Postgres. */
  readonly redis: Redis | Cluster | undefined;
  private readonly prefix: string;

  constructor(
    private readonly config: Config,
    logger: Logger,
  ) {
    this.prefix = queuePrefix(config);
    const { redis: address } = config.queue;
    if (!address) return;
    this.redis = openRedis(address, 'counters');
    this.redis.on('error', (err: Error) => logger.warn({ reason: reasonOf(err) }, 'redis unavailable'));
  }

  key(name: string): string {
    return `${this.prefix}:${name}`;
  }

  /** Runs a script over keys, which {@link key} made, in one round trip. Returns its numbers; undefined without Redis. */
  async count(
    { hash, text }: CountScript,
    keys: readonly string[],
    args: readonly number[],
  ): Promise<number[] | undefined> {
    const { redis } = this;
    if (!redis) return undefined;
    // Not by a method of the client, which would look for the node of a Cluster by the first argument, the script.
    const run = async (name: string, script: string) =>
      numbersOf(await redis.sendCommand(new Command(name, [script, keys.length, ...keys, ...args])));
    try {
      return await run('evalsha', hash);
    } catch (error) {
      if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
      return run('eval', text);
    }
  }

  /** Opens a connection for a subscriber; it ends when it breaks. Throws when the queues are stored in Postgres. */
  subscriber(connectionName: string): Redis {
    const { redis: address } = this.config.queue;
    if (!address || !this.redis) throw new Error('No Redis is configured');
    return openSubscriber(address, this.redis, connectionName);
  }

  onApplicationShutdown(): void {
    this.redis?.disconnect();
  }
}

function numbersOf(reply: unknown): number[] {
  if (Array.isArray(reply)) return reply.map(Number);
  throw new Error('The script of a counter must return a list');
}
