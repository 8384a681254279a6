import { randomBytes, randomInt } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { isPortFree } from './ports.js';
import type { Program } from './program.js';
import { redisProgram } from './redis.js';
import { until } from './until.js';

const MASTERS = 3;
const SLOTS = 16_384;
/** A node that is silent for this long has failed; its replica stands for election. */
const NODE_TIMEOUT_MS = 1_000;
const FORMED_WITHIN_MS = 20_000;
/** Nodes talk to each other on their port plus this (Redis Cluster specification). */
const BUS_OFFSET = 10_000;
/** Range of ports and of the buses above them, below the ports of outgoing connections. */
const PORTS = { from: 12_000, to: 22_000 };

interface Node {
  readonly port: number;
  readonly program: Program;
  readonly redis: Redis;
}

/**
 * A Redis Cluster: three masters with one replica each, behind a password. Created without
 * redis-cli.
 */
export class RedisCluster {
  private constructor(
    private readonly nodes: readonly Node[],
    private readonly password: string,
  ) {}

  static async start(logFolder: string): Promise<RedisCluster> {
    const password = randomBytes(12).toString('hex');
    const nodes: Node[] = [];
    const cluster = new RedisCluster(nodes, password);
    try {
      for (const port of await freePortsWithBus(2 * MASTERS)) nodes.push(startNode(port, logFolder, password));
      await Promise.all(nodes.map(isUp));
      await form(nodes.slice(0, MASTERS), nodes.slice(MASTERS));
      return cluster;
    } catch (error) {
      await cluster.stop();
      throw error;
    }
  }

  /** Some of the nodes, as REDIS_URL names them. */
  get url(): string {
    return this.nodes
      .slice(1, 3)
      .map(({ port }) => `redis://:${this.password}@127.0.0.1:${port}`)
      .join(',');
  }

  /**
   * Kills the master that holds a key. Returns a function that tells whether its replica has taken
   * its place.
   */
  async crashMasterOf(key: string): Promise<() => Promise<boolean>> {
    const slot = await this.node(0).redis.cluster('KEYSLOT', key);
    const index = Math.floor((slot * MASTERS) / SLOTS);
    await this.node(index).program.crash();
    const replica = this.node(MASTERS + index);
    return async () => (await replica.redis.role())[0] === 'master';
  }

  async stop(): Promise<void> {
    for (const { redis } of this.nodes) redis.disconnect();
    await Promise.all(this.nodes.map(({ program }) => program.crash()));
  }

  private node(index: number): Node {
    const node = this.nodes[index];
    if (!node) throw new Error(`A Cluster of ${this.nodes.length} nodes has none at ${index}`);
    return node;
  }
}

function startNode(port: number, logFolder: string, password: string): Node {
  const name = `redis-${port}`;
  const dir = join(logFolder, name);
  mkdirSync(dir, { recursive: true });
  const program = redisProgram(port, {
    logFile: join(logFolder, `${name}.log`),
    settings: {
      dir,
      requirepass: password,
      masterauth: password,
      'cluster-enabled': 'yes',
      'cluster-node-timeout': String(NODE_TIMEOUT_MS),
    },
  });
  const redis = new Redis({ host: '127.0.0.1', port, password, retryStrategy: () => 100 });
  // The caller waits for a node that is not there yet or not any more.
  redis.on('error', () => undefined);
  return { port, program, redis };
}

async function isUp({ program, redis }: Node): Promise<void> {
  await program.ready(async () => redis.status === 'ready');
}

/**
 * Does what `redis-cli --cluster create` does: nodes meet, masters share the slots, replicas
 * follow.
 */
async function form(masters: readonly Node[], replicas: readonly Node[]): Promise<void> {
  const [first] = masters;
  if (!first) throw new Error('A Cluster has a master');
  const all = [...masters, ...replicas];
  const ids = await Promise.all(masters.map(({ redis }) => redis.cluster('MYID')));
  await Promise.all(masters.map(({ redis }, index) => redis.cluster('SET-CONFIG-EPOCH', index + 1)));
  await Promise.all(masters.map(({ redis }, index) => redis.cluster('ADDSLOTS', ...slotsOf(index))));
  for (const { port } of all.slice(1)) await first.redis.cluster('MEET', '127.0.0.1', port);
  const bound = { timeoutMs: FORMED_WITHIN_MS };
  const knowAll = async () => (await infos(all)).every((info) => info.includes(`cluster_known_nodes:${all.length}\r`));
  await until('all nodes know each other', knowAll, bound);
  await Promise.all(replicas.map(({ redis }, index) => redis.cluster('REPLICATE', ids[index] ?? '')));
  const follow = async () =>
    (await Promise.all(replicas.map(({ redis }) => redis.role()))).every((role) => role[3] === 'connected');
  await until('each replica follows its master', follow, bound);
  const isWhole = async () => (await infos(all)).every((info) => info.includes('cluster_state:ok\r'));
  await until('the Cluster is whole', isWhole, bound);
}

function infos(nodes: readonly Node[]): Promise<string[]> {
  return Promise.all(nodes.map(({ redis }) => redis.cluster('INFO')));
}

/** The slots of a master; the inverse of what `crashMasterOf` computes. */
function slotsOf(index: number): number[] {
  return Array.from({ length: SLOTS }, (_none, slot) => slot).filter(
    (slot) => Math.floor((slot * MASTERS) / SLOTS) === index,
  );
}

async function freePortsWithBus(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) {
    const port = randomInt(PORTS.from, PORTS.to);
    if ((await isPortFree(port)) && (await isPortFree(port + BUS_OFFSET))) ports.add(port);
  }
  return [...ports];
}
