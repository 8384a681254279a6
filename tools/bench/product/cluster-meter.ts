import type { CitusCluster } from '../../testkit/citus-cluster.js';
import { query } from '../../testkit/postgres.js';
import { redisInfo, startCpuMeter, type CpuTimes } from '../resources.js';
import type { Product } from './product.js';

/** Resources used since a meter started. */
export interface Used {
  readonly seconds: number;
  readonly cpuMs: CpuTimes;
  /** Statements of the product on the servers that have the accounts, BEGIN and COMMIT included. */
  readonly onNodes: number;
  /** Statements on the coordinator; none on a plain Postgres. */
  readonly onCoordinator: number;
  /** Write-ahead log of all servers. */
  readonly walBytes: number;
}

interface Counts {
  readonly statements: number;
  readonly walBytes: number;
}

/** Measures a product over some servers of a cluster, all of which have `pg_stat_statements`. */
export class ClusterMeter {
  constructor(
    private readonly cluster: CitusCluster,
    private readonly product: Product,
    /** Nodes besides the coordinator; with 0, the first server is a plain Postgres. */
    private readonly nodes: number,
  ) {}

  get isDistributed(): boolean {
    return this.nodes > 0;
  }

  /** Measures from now on, also these programs by name, until the returned function is called. */
  async start(programs: Readonly<Record<string, number>>): Promise<() => Promise<Used>> {
    const { redisUrl } = this.product.prepared.place;
    const Redis = Number((await redisInfo(redisUrl))('process_id'));
    const servers = this.cluster.pids.slice(0, this.nodes + 1).map((pid, n) => [`${n}`, pid] as const);
    const before = await this.counts();
    const startedAtMs = performance.now();
    const read = startCpuMeter({ ...programs, Redis, ...Object.fromEntries(servers) });
    return async () => {
      const times = read();
      const seconds = (performance.now() - startedAtMs) / 1_000;
      const gains = (await this.counts()).map(({ statements, walBytes }, n) => ({
        statements: statements - (before[n]?.statements ?? 0),
        walBytes: walBytes - (before[n]?.walBytes ?? 0),
      }));
      const all = sumOf(gains.map(({ statements }) => statements));
      const onCoordinator = this.isDistributed ? (gains[0]?.statements ?? 0) : 0;
      const walBytes = sumOf(gains.map((gain) => gain.walBytes));
      return { seconds, cpuMs: this.named(times), onNodes: all - onCoordinator, onCoordinator, walBytes };
    };
  }

  /** Times by program, then the times of the coordinator and of all nodes. */
  private named(times: CpuTimes): CpuTimes {
    const isServer = (name: string) => /^\d+$/.test(name);
    const programs = Object.entries(times).filter(([name]) => !isServer(name));
    const [first = 0, ...nodes] = Object.keys(times)
      .filter(isServer)
      .map((name) => times[name] ?? 0);
    const servers = this.isDistributed ? { coordinator: first, Postgres: sumOf(nodes) } : { Postgres: first };
    return { ...Object.fromEntries(programs), ...servers };
  }

  private async counts(): Promise<Counts[]> {
    const name = new URL(this.product.prepared.place.databaseUrl).pathname.slice(1);
    const urls = [this.cluster.coordinatorUrl, ...this.cluster.nodeUrls].slice(0, this.nodes + 1);
    // A statement that the coordinator sends to a node names the shard's table, which ends in the
    // shard's number.
    const counted = this.isDistributed ? String.raw`AND query !~ '_\d{6,}\M'` : '';
    return Promise.all(
      urls.map(async (url) => {
        const [counts] = await query<Counts>(
          url,
          `SELECT coalesce(sum(calls), 0)::float8 AS statements,
             pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 AS "walBytes"
           FROM pg_stat_statements WHERE dbid = (SELECT oid FROM pg_database WHERE datname = $1) ${counted}`,
          [name],
        );
        if (!counts) throw new Error('The counts are one row');
        return counts;
      }),
    );
  }
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
