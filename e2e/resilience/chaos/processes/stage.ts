import { randomBytes } from 'node:crypto';
import { join, resolve } from 'node:path';
import { type Certificates, postgresTls, redisTls, verifiedUrl } from '../../../../tools/testkit/certificates.js';
import { freePorts } from '../../../../tools/testkit/ports.js';
import { productEnvironment, type ProductPorts } from '../../../../tools/testkit/product-environment.js';
import { answersOk, Program, run, runNode, StartError } from '../../../../tools/testkit/program.js';
import { answersPing, flushRedis, redisProgram } from '../../../../tools/testkit/redis.js';
import { joinNodes } from '../../../../tools/testkit/citus.js';
import { Member } from './member.js';
import type { Outages, Part } from './outages.js';
import { acceptsQueries, query, type Cluster } from '../../../../tools/testkit/postgres.js';

const receiptDelayMs = 700;
const databaseName = 'chaos';
const adminBoundMs = 60_000;

/** The servers of a Citus cluster. */
export interface CitusNodes {
  readonly coordinatorUrl: string;
  readonly nodeUrls: readonly string[];
}

interface StageOptions {
  readonly root: string;
  readonly logFolder: string;
  readonly postgres: Cluster;
  /** The cluster has the database, and `postgres` is one of its nodes. */
  readonly nodes?: CitusNodes | undefined;
  /** The product then reaches Postgres and Redis over TLS; this run does not. */
  readonly certificates?: Certificates | undefined;
  /** Whether server and worker have a role that only reads and writes rows. */
  readonly roles: boolean;
  readonly outages: Outages;
  readonly onFault: (text: string) => void;
}

interface Ports extends ProductPorts {
  readonly redisTls: number;
  readonly workers: readonly number[];
}

/**
 * The whole product in separate processes, two of each kind, over a Postgres and a Redis that may
 * be killed.
 */
export class Stage {
  readonly servers: readonly Member[];
  readonly workers: readonly Member[];
  readonly postgres: Member;
  readonly redis: Member;
  /** URL of the superuser. */
  readonly databaseUrl: string;
  readonly redisUrl: string;
  readonly sandboxUrl: string;
  readonly serverUrls: readonly string[];
  private readonly sandbox: Member;
  private readonly env: Readonly<Record<string, string>>;
  /** Password of all roles. */
  private readonly password = randomBytes(12).toString('hex');

  private constructor(
    private readonly options: StageOptions,
    ports: Ports,
  ) {
    const { postgres, nodes } = options;
    this.databaseUrl = new URL(`/${databaseName}`, nodes?.coordinatorUrl ?? postgres.serverUrl).href;
    this.redisUrl = `redis://127.0.0.1:${ports.redis}`;
    this.sandboxUrl = `http://127.0.0.1:${ports.sandbox}`;
    this.serverUrls = ports.servers.map((port) => `http://127.0.0.1:${port}`);
    const { certificates, roles } = options;
    const urlAs = (role: string) => {
      const url = new URL(this.databaseUrl);
      if (roles) [url.username, url.password] = [`pennytext_${role}`, this.password];
      return certificates ? verifiedUrl(url.href, certificates.authority) : url.href;
    };
    this.env = productEnvironment(ports, urlAs('app'), {
      receiptDelayMs,
      env: {
        ...quick,
        MEDIA_DIR: resolve(options.logFolder, 'media'),
        MIGRATION_DATABASE_URL: urlAs('migrator'),
        ...(certificates && {
          REDIS_URL: `rediss://localhost:${ports.redisTls}`,
          REDIS_CA_FILE: certificates.authority,
        }),
      },
    });
    const { serverUrl, args, ...rest } = postgres;
    const tls = certificates ? postgresTls(certificates, postgres) : [];
    const how = { ...rest, args: [...args, ...tls.flatMap((setting) => ['-c', setting])] };
    const settings = certificates && redisTls(certificates, ports.redisTls);
    this.postgres = this.member(
      'postgres',
      () => new Program({ ...how, name: 'postgres', detached: true, logFile: this.log('postgres') }),
      () => acceptsQueries(`${serverUrl}/postgres`),
    );
    this.redis = this.member(
      'redis',
      () => redisProgram(ports.redis, { logFile: this.log('redis'), detached: true, ...(settings && { settings }) }),
      () => answersPing(ports.redis),
    );
    this.sandbox = this.node('sandbox', 'sandbox', {}, `${this.sandboxUrl}/healthz`);
    this.servers = ports.servers.map((port, n) =>
      this.node(`server-${n}`, 'server', { PORT: String(port) }, `http://127.0.0.1:${port}/readyz`),
    );
    this.workers = ports.workers.map((port, n) =>
      this.node(`worker-${n}`, 'worker', { WORKER_PORT: String(port) }, `http://127.0.0.1:${port}/readyz`),
    );
  }

  /** Starts everything over an empty database. */
  static async start(options: StageOptions): Promise<Stage> {
    const [redis = 0, redisTlsPort = 0, sandbox = 0, smtp = 0, a = 0, b = 0, c = 0, d = 0] = await freePorts(8);
    const stage = new Stage(options, {
      redis,
      redisTls: redisTlsPort,
      sandbox,
      smtp,
      servers: [a, b],
      workers: [c, d],
    });
    await Promise.all([stage.postgres.start(), stage.redis.start(), stage.sandbox.start()]);
    const { postgres, nodes } = options;
    await query(nodes?.coordinatorUrl ?? `${postgres.serverUrl}/postgres`, `CREATE DATABASE ${databaseName}`);
    if (options.roles) await stage.makeRoles();
    if (nodes) await joinNodes(stage.databaseUrl, nodes.nodeUrls, databaseName);
    await stage.run('core/platform/database/migrate.js', ...(nodes ? ['--distribute', '--shards=8'] : []));
    await Promise.all([...stage.servers, ...stage.workers].map((member) => member.start()));
    return stage;
  }

  private async makeRoles(): Promise<void> {
    const names = ['MIGRATOR_PASSWORD', 'APP_PASSWORD', 'READER_PASSWORD', 'BACKUP_PASSWORD'];
    const { code, errors } = await run('psql', [this.databaseUrl, '--file=ops/postgres/roles.sql'], {
      cwd: this.options.root,
      env: Object.fromEntries(names.map((name) => [name, this.password])),
      timeoutMs: adminBoundMs,
    });
    if (code !== 0) throw new StartError(`The roles were not made: ${errors}`);
  }

  /** Redis loses its data while it runs. */
  async flushRedis(): Promise<void> {
    await flushRedis(Number(new URL(this.redisUrl).port));
  }

  get queuePrefix(): string {
    return `{${this.env['QUEUE_PREFIX'] ?? 'pennytext'}}`;
  }

  /** Runs an operator's command. `output` is what it printed, whatever its exit code. */
  admin(...args: string[]): Promise<{ code: number | null; output: string }> {
    return this.run('admin/main.js', '--as', 'chaos', ...args);
  }

  async stop(): Promise<void> {
    await Promise.all(this.servers.map((member) => member.leave('SIGTERM')));
    await Promise.all(this.workers.map((member) => member.leave('SIGTERM')));
    await Promise.all([this.sandbox, this.redis].map((member) => member.leave('SIGTERM')));
    await this.postgres.leave('SIGINT');
  }

  private member(
    name: Part | 'sandbox',
    spawn: (env: Readonly<Record<string, string>>) => Program,
    isReady: () => Promise<boolean>,
  ): Member {
    const { outages, onFault } = this.options;
    return new Member({ name, spawn, isReady, outages, onFault, needs: ['postgres', 'redis'] });
  }

  private node(name: Part | 'sandbox', folder: string, env: Record<string, string>, readyUrl: string): Member {
    const spawn = (extra: Readonly<Record<string, string>>) =>
      new Program({
        name,
        command: process.execPath,
        args: [join(this.options.root, 'dist', folder, 'main.js')],
        env: { ...this.env, ...env, ...extra },
        detached: true,
        logFile: this.log(name),
      });
    return this.member(name, spawn, () => answersOk(readyUrl));
  }

  private async run(file: string, ...args: string[]): Promise<{ code: number | null; output: string }> {
    return runNode(join(this.options.root, 'dist', file), args, this.env, adminBoundMs);
  }

  private log(name: string): string {
    return join(this.options.logFolder, `${name}.log`);
  }
}

/**
 * Shorter intervals, and limits that fit the load. On a busy machine a request that its caller has
 * abandoned takes seconds: the carrier must have recorded it before the lease ends.
 */
const quick = {
  CARRIER_TIMEOUT_MS: '2000',
  DISPATCH_LEASE_SECONDS: '12',
  CUSTOM_SIGN_IN_ENABLED: 'true',
  ALLOW_PRIVATE_WEBHOOKS: 'true',
  WEBHOOK_RETRY_SECONDS: '1,1,2,2,3,3,5,5,5,5,5,5',
};
