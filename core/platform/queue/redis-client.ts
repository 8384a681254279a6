import { randomInt, randomUUID } from 'node:crypto';
import { Cluster, type ClusterOptions, Command, Redis, type RedisOptions } from 'ioredis';
import { type DynamicModule, Module, type OnApplicationShutdown } from '@nestjs/common';
import type { ConnectionOptions } from 'bullmq';
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';
import { Config, type RedisAddress } from '../config/config.js';
import { Logger } from '../telemetry/logger.js';
import { postgresConnection } from './postgres-backend.js';
import { type CountScript, type LimiterOptions, SharedCounters } from './shared-counters.js';

/**
 * Purpose of a connection. `counters` and `producer` fail at once while Redis, or the node with our
 * keys, is unavailable: Postgres has the message. `worker` waits until it is available again.
 */
export type RedisRole = 'counters' | 'producer' | 'worker';

const COMMAND_TIMEOUT_MS = 1_000;
/** Error replies of a Redis that answers and refuses to write. */
const TAKES_NO_WRITES = /^(OOM|MISCONF|READONLY|NOREPLICAS)\b/;
const WRITABLE_KEY_MS = 60_000;
const RECONNECT_MS_MAX = 1_000;
/** Time limit to connect to a node that does not answer; a refused connection fails at once. */
const NODE_CONNECT_TIMEOUT_MS = 2_000;
/** Interval at which a client looks up which node has a slot. */
const SLOTS_REFRESH_MS = 5_000;
/**
 * Redirections from an unavailable node to another node, from there to the new owner of the slot,
 * and one more.
 */
const REDIRECTIONS_MAX = 4;
/**
 * Number and interval of a worker's retries before BullMQ counts an error and retries itself: three
 * minutes in all.
 */
const WORKER_RETRIES_MAX = 1_000;
const WORKER_RETRY_MS = 200;
/**
 * Delay between redirects, so that two nodes that redirect to each other during an election are not
 * queried in a tight loop.
 */
const WORKER_MOVED_MS = 20;

const reconnectMs = (times: number) => Math.min(times * 100, RECONNECT_MS_MAX);

const singleRedisOptions = {
  counters: {
    enableAutoPipelining: true,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    commandTimeout: COMMAND_TIMEOUT_MS,
    retryStrategy: reconnectMs,
  },
  producer: { enableOfflineQueue: false, maxRetriesPerRequest: 1 },
  worker: { maxRetriesPerRequest: null },
} as const satisfies Record<RedisRole, RedisOptions>;

/** Opens a connection that reconnects when it breaks. The caller closes it. */
export function openRedis(address: RedisAddress, role: RedisRole): Redis | Cluster {
  if (!address.isCluster) return new Redis(firstOf(address), { ...singleRedisOptions[role], ...tlsOf(address) });
  const cluster = new Cluster([...address.urls], {
    ...clusterOptions(role),
    enableOfflineQueue: role === 'worker',
    enableAutoPipelining: role === 'counters',
    clusterRetryStrategy: reconnectMs,
    slotsRefreshInterval: SLOTS_REFRESH_MS,
    // Names are not resolved, so that they match the nodes' certificates.
    dnsLookup: (name, done) => done(null, name),
    redisOptions: {
      ...accessOf(address),
      connectTimeout: NODE_CONNECT_TIMEOUT_MS,
      // BullMQ requires null for blocking commands.
      maxRetriesPerRequest: role === 'worker' ? null : 1,
      ...(role === 'counters' && { commandTimeout: COMMAND_TIMEOUT_MS }),
    },
  });
  if (role !== 'worker') {
    // ioredis connects to a node at the first command for it and rejects that command without an
    // offline queue. The queue is therefore on, except while the whole cluster is disconnected.
    cluster.on('ready', () => (cluster.options.enableOfflineQueue = true));
    cluster.on('close', () => (cluster.options.enableOfflineQueue = false));
  }
  return cluster;
}

const CHECK_TIMEOUT_MS = 3_000;

/**
 * Connects once. Throws the failure, after at most three seconds, with the address and code
 * ETIMEDOUT.
 */
export async function checkRedis(address: RedisAddress): Promise<void> {
  const client = openRedis(address, 'counters');
  let timer: NodeJS.Timeout | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      client.on('error', (error: Error) => reject(error));
      client.once('ready', () => void client.ping().then(() => resolve(), reject));
      const silence = new Error(`no answer within ${CHECK_TIMEOUT_MS / 1_000} s`);
      timer = setTimeout(() => reject(silence), CHECK_TIMEOUT_MS);
    });
  } catch (cause) {
    const hosts = address.urls.map((url) => new URL(url).host).join(', ');
    const reason = reasonOf(cause as Error);
    throw Object.assign(new Error(`Redis at ${hosts}: ${reason}`, { cause }), { code: 'ETIMEDOUT' });
  } finally {
    clearTimeout(timer);
    client.disconnect();
  }
}

/**
 * Opens a connection for a subscriber; it ends when it breaks. In a Cluster it connects to any node
 * of `known`: a message published on one node reaches all nodes.
 */
function openSubscriber(address: RedisAddress, known: Redis | Cluster, connectionName: string): Redis {
  const options: RedisOptions = {
    connectionName,
    autoResubscribe: false,
    maxRetriesPerRequest: null,
    retryStrategy: () => null,
  };
  if (!(known instanceof Cluster)) return new Redis(firstOf(address), { ...options, ...tlsOf(address) });
  const nodes = known.nodes();
  const node = nodes.length > 0 ? nodes[randomInt(nodes.length)] : undefined;
  if (!node) {
    const url = address.urls[randomInt(address.urls.length)] ?? firstOf(address);
    return new Redis(url, { ...options, ...tlsOf(address) });
  }
  const { host, port } = node.options;
  return new Redis({
    ...options,
    ...accessOf(address),
    connectTimeout: NODE_CONNECT_TIMEOUT_MS,
    ...(host !== undefined && { host }),
    ...(port !== undefined && { port }),
  });
}

/**
 * Returns an error's message, with the last node's error, which a Cluster client reports
 * separately.
 */
export function reasonOf(error: Error): string {
  const { lastNodeError } = error as Error & { lastNodeError?: Error };
  return lastNodeError ? `${error.message} ${lastNodeError.message}` : error.message;
}

function clusterOptions(role: RedisRole): ClusterOptions {
  if (role === 'worker')
    return {
      maxRedirections: WORKER_RETRIES_MAX,
      retryDelayOnFailover: WORKER_RETRY_MS,
      retryDelayOnClusterDown: WORKER_RETRY_MS,
      retryDelayOnMoved: WORKER_MOVED_MS,
    };
  return { maxRedirections: REDIRECTIONS_MAX, retryDelayOnFailover: 0, retryDelayOnClusterDown: 0 };
}

/** Returns user, password and TLS of the URL, which apply to discovered nodes too. */
function accessOf(address: RedisAddress): RedisOptions {
  const { username, password } = new URL(firstOf(address));
  return {
    ...(username !== '' && { username: decodeURIComponent(username) }),
    ...(password !== '' && { password: decodeURIComponent(password) }),
    ...tlsOf(address),
  };
}

/** Node checks the server's certificate, its authority and its host name. */
function tlsOf(address: RedisAddress): Pick<RedisOptions, 'tls'> {
  if (new URL(firstOf(address)).protocol !== 'rediss:') return {};
  return { tls: address.ca === undefined ? {} : { ca: address.ca } };
}

function firstOf({ urls: [first] }: RedisAddress): string {
  if (first === undefined) throw new Error('The address of Redis has no URL');
  return first;
}

/**
 * BullMQ's connection options. A `producer` fails at once while Redis is unavailable, because
 * Postgres has the message; a `worker` waits until Redis is available. With a single Redis each
 * queue opens a connection; with a Redis Cluster all queues share a client, and workers duplicate
 * it for blocking commands.
 */
export class QueueConnection implements OnApplicationShutdown {
  readonly options: ConnectionOptions;

  constructor({ queue: { redis }, database }: Config, role: 'producer' | 'worker') {
    if (!redis) {
      this.options = postgresConnection(database.directUrl);
    } else if (redis.isCluster) {
      this.options = openRedis(redis, role);
    } else {
      const [url = ''] = redis.urls;
      this.options = { url, ...singleRedisOptions[role], ...tlsOf(redis) };
    }
  }

  /** BullMQ does not close a client that it did not create. */
  onApplicationShutdown(): void {
    if (this.options instanceof Cluster) this.options.disconnect();
  }
}

/**
 * Returns the prefix of all keys of queues and counters. The braces keep them in one slot of a
 * Redis Cluster.
 */
export function queuePrefix(config: Config): string {
  return `{${config.queue.prefix}}`;
}

/** Provides the connection of BullMQ's root module. */
@Module({})
export class QueueConnectionModule {
  static as(role: 'producer' | 'worker'): DynamicModule {
    return {
      module: QueueConnectionModule,
      providers: [
        {
          provide: QueueConnection,
          inject: [Config],
          useFactory: (config: Config) => new QueueConnection(config, role),
        },
      ],
      exports: [QueueConnection],
    };
  }
}

/**
 * The Redis connection for counters. Commands fail at once while Redis is unavailable, because no
 * counter is worth waiting for.
 */
export class RedisClient extends SharedCounters implements OnApplicationShutdown {
  readonly redis: Redis | Cluster;
  private readonly prefix: string;

  constructor(
    config: Config,
    private readonly address: RedisAddress,
    private readonly logger: Logger,
  ) {
    super();
    this.prefix = queuePrefix(config);
    this.redis = openRedis(address, 'counters');
    this.redis.on('error', (err: Error) => logger.warn({ reason: reasonOf(err) }, 'redis unavailable'));
  }

  key(name: string): string {
    return `${this.prefix}:${name}`;
  }

  async count({ hash, text }: CountScript, keys: readonly string[], args: readonly number[]): Promise<number[]> {
    // A method of the client would choose the node of a Cluster by the first argument, the script.
    const run = async (name: string, script: string) =>
      numbersOf(await this.redis.sendCommand(new Command(name, [script, keys.length, ...keys, ...args])));
    try {
      return await run('evalsha', hash);
    } catch (error) {
      if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
      return run('eval', text);
    }
  }

  limiter(options: LimiterOptions): RateLimiterAbstract {
    return new RateLimiterRedis({
      ...options,
      storeClient: this.redis,
      insuranceLimiter: new RateLimiterMemory(options),
      rejectIfRedisNotReady: true,
      // A key far over its limit costs no more round trips in this window.
      inMemoryBlockOnConsumed: options.points + 1,
    });
  }

  /** Returns whether Redis takes writes: not when it is full, cannot save, or is a replica. */
  async isWritable(): Promise<boolean> {
    try {
      await this.redis.set(this.key('writable'), '1', 'PX', WRITABLE_KEY_MS);
      return true;
    } catch (error) {
      if (error instanceof Error && TAKES_NO_WRITES.test(error.message)) return false;
      throw error;
    }
  }

  /** Returns true if a mark left in Redis is gone. */
  async isNew(): Promise<boolean> {
    try {
      return (await this.redis.set(this.key('memory'), randomUUID(), 'NX')) === 'OK';
    } catch (err) {
      this.logger.debug({ err }, 'queue not readable');
      return false;
    }
  }

  /** Opens a connection for a subscriber; it ends when it breaks. */
  subscriber(connectionName: string): Redis {
    return openSubscriber(this.address, this.redis, connectionName);
  }

  onApplicationShutdown(): void {
    this.redis.disconnect();
  }
}

function numbersOf(reply: unknown): number[] {
  if (Array.isArray(reply)) return reply.map(Number);
  throw new Error('The script of a counter must return a list');
}
