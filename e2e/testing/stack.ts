import { randomBytes } from 'node:crypto';
import { join, resolve } from 'node:path';
import { Api } from './api.js';
import { Operator } from './operator.js';
import { Carrier } from '../../tools/testkit/carrier.js';
import {
  citusNodes,
  createServiceDatabase,
  isUnsupportedByCitus,
  migrateArguments,
  sqlOnGroups,
} from '../../tools/testkit/citus.js';
import { createDatabase, query, type RunDatabase } from '../../tools/testkit/postgres.js';
import { freePort } from '../../tools/testkit/ports.js';
import { answersOk, Program, runNode } from '../../tools/testkit/program.js';
import { quickCommits, templateDatabase } from '../../tools/testkit/template-database.js';
import { startRedis } from '../../tools/testkit/redis.js';
import { repository } from './repository.js';
import { productEnvironment, type ProductPorts } from '../../tools/testkit/product-environment.js';
import { Vendors } from '../../tools/testkit/vendors.js';

interface StackOptions {
  /** Folder of the programs' logs. */
  readonly logFolder: string;
  readonly servers: 1 | 2;
  /** Time of a message at the carrier from acceptance to its final receipt. */
  readonly receiptDelayMs: number;
  /**
   * Variables beside the usual ones, for all programs. With a REDIS_URL there is no Redis of the
   * stack's own.
   */
  readonly env?: Readonly<Record<string, string>>;
  /** Replaces a new database on the server of DATABASE_URL. */
  readonly database?: RunDatabase;
  /** Arguments of the migrations; by default, these suit the server of DATABASE_URL. */
  readonly migrateArguments?: readonly string[];
  /**
   * Folder of the built product: this checkout's, unless another release is tested. The sandbox is
   * always this checkout's.
   */
  readonly build?: string;
}

const ownBuild = join(repository, 'dist');
const MIGRATE = 'core/platform/database/migrate.js';

interface Ports extends ProductPorts {
  readonly worker: number;
}

/** An account as `admin account create` shows it. */
export interface TestAccount {
  readonly email: string;
  readonly apiKey: string;
}

/**
 * The product as an operator runs it: sandbox, servers and worker in separate processes over a new
 * database and a new Redis, on free ports. Times are short, so that recovery shows within seconds.
 */
export class Stack {
  readonly api: Api;
  readonly carrier: Carrier;
  readonly vendors: Vendors;
  /** Address of the first server, as people reach it. */
  readonly url: string;
  /** Addresses at which started workers answer the operator. */
  readonly workerUrls: string[] = [];
  private readonly programs = new Map<string, Program>();
  private build: string;
  private operator: Operator | undefined;

  private constructor(
    private readonly options: StackOptions,
    private readonly ports: Ports,
    private readonly database: RunDatabase,
    private env: Readonly<Record<string, string>>,
  ) {
    this.build = options.build ?? ownBuild;
    this.api = new Api(ports.servers.map((port) => `http://127.0.0.1:${port}`));
    this.url = `http://127.0.0.1:${ports.servers[0]}`;
    this.carrier = new Carrier(`http://127.0.0.1:${ports.sandbox}`);
    this.vendors = new Vendors(`http://127.0.0.1:${ports.sandbox}`);
  }

  /** Starts everything but the worker, which a test starts when it wants. */
  static async start(options: StackOptions): Promise<Stack> {
    const ports: Ports = {
      redis: await freePort(),
      sandbox: await freePort(),
      smtp: await freePort(),
      worker: await freePort(),
      servers: options.servers === 1 ? [await freePort()] : [await freePort(), await freePort()],
    };
    const env = {
      QUEUE_BOARD_PASSWORD: randomBytes(18).toString('hex'),
      MEDIA_DIR: resolve(options.logFolder, 'media'),
      ...options.env,
    };
    const environmentFor = (url: string) => productEnvironment(ports, url, { ...options, env });
    // Another release and Citus are migrated here; else a copy of a migrated database saves the
    // time.
    const isCopied = !options.database && !options.build && citusNodes().length === 0;
    const database = options.database ?? (await newDatabase(isCopied ? environmentFor : undefined));
    const stack = new Stack(options, ports, database, environmentFor(database.url));
    try {
      const redis = options.env?.['REDIS_URL'] === undefined ? stack.startRedis() : undefined;
      await Promise.all([redis, stack.startSandbox(), isCopied ? undefined : stack.migrate()]);
      await Promise.all(ports.servers.map((_port, index) => stack.startServer(index)));
    } catch (error) {
      await stack.stop();
      throw error;
    }
    return stack;
  }

  /** Servers, workers and commands start from this folder from now on. */
  useBuild(folder: string): void {
    this.build = folder;
  }

  /** Programs that start from now on use this database; the caller drops it. */
  useDatabase(url: string): void {
    this.env = { ...this.env, DATABASE_URL: url };
  }

  /** Programs that start from now on have these variables too. */
  useSettings(env: Readonly<Record<string, string>>): void {
    this.env = { ...this.env, ...env };
  }

  /** Applies the migrations of the build and returns the names of those that were missing. */
  async migrate(options = this.options.migrateArguments ?? migrateArguments()): Promise<string[]> {
    const output = await outputOf(join(this.build, MIGRATE), options, this.env);
    const [line = ''] = output.split('\n');
    return (JSON.parse(line) as { applied: string[] }).applied;
  }

  async startRedis(): Promise<void> {
    this.programs.set('redis', await startRedis(this.ports.redis, this.logFile('redis')));
  }

  startSandbox(): Promise<void> {
    return this.startProgram('sandbox', 'sandbox', {}, `http://127.0.0.1:${this.ports.sandbox}/healthz`);
  }

  startServer(index: number): Promise<void> {
    const port = String(this.ports.servers[index]);
    return this.startProgram(`server-${index}`, 'server', { PORT: port }, `http://127.0.0.1:${port}/readyz`);
  }

  /** Starts the first worker, or another worker. */
  async startWorker(index = 0): Promise<void> {
    const port = index === 0 ? this.ports.worker : await freePort();
    const url = `http://127.0.0.1:${port}`;
    this.workerUrls[index] = url;
    const name = index === 0 ? 'worker' : `worker-${index}`;
    await this.startProgram(name, 'worker', { WORKER_PORT: String(port) }, `${url}/readyz`);
  }

  /** One of `redis`, `sandbox`, `worker`, `worker-1` …, `server-0`, `server-1`, as it runs now. */
  program(name: string): Program {
    const program = this.programs.get(name);
    if (!program) throw new Error(`${name} has not been started`);
    return program;
  }

  /** Variables of the product's programs and of the operator's commands. */
  get environment(): Readonly<Record<string, string>> {
    return this.env;
  }

  /** Address of the pages and of their calls. */
  get serverUrl(): string {
    return `http://127.0.0.1:${this.ports.servers[0]}`;
  }

  /** Ports of the servers on loopback, for a balancer in front of them. */
  get serverPorts(): readonly number[] {
    return this.ports.servers;
  }

  /** Whether a balancer would send requests to every server. */
  async areServersReady(): Promise<boolean> {
    const ready = this.ports.servers.map((port) => answersOk(`http://127.0.0.1:${port}/readyz`));
    return (await Promise.all(ready)).every(Boolean);
  }

  /** An account that may send what its credits cover. */
  async account(credits: number): Promise<TestAccount> {
    const email = `e2e-${randomBytes(6).toString('hex')}@pennytext.example`;
    const account = await this.admin('account', 'create', '--email', email, '--credits', String(credits));
    await this.sql('UPDATE accounts SET daily_limit = 1000000 WHERE email = $1', [email]);
    return account as TestAccount;
  }

  /** Ends the operator's program, so that the next command starts one that knows the databases of now. */
  async endOperator(): Promise<void> {
    await this.operator?.stop();
    this.operator = undefined;
  }

  /** Runs an operator's command and returns the JSON it printed. Throws when it is refused or fails. */
  async admin(...args: string[]): Promise<unknown> {
    const main = join(this.build, 'admin/main.js');
    // An earlier release is started for each command.
    if (this.build !== ownBuild) return JSON.parse(await outputOf(main, ['--as', 'e2e', ...args], this.env));
    if (this.operator?.env !== this.env) {
      const former = this.operator;
      this.operator = new Operator(main, this.env, this.logFile('operator'));
      await former?.stop();
    }
    return this.operator.run(args);
  }

  /** Whether every server and the worker say that they can do their work. */
  async isReady(): Promise<boolean> {
    const ports = [...this.ports.servers, this.ports.worker];
    const answers = await Promise.all(ports.map((port) => answersOk(`http://127.0.0.1:${port}/readyz`)));
    return answers.every(Boolean);
  }

  /**
   * Connections to Postgres that are lent at the moment, of every server and the worker together.
   */
  async busyConnections(): Promise<number> {
    const ports = [...this.ports.servers, this.ports.worker];
    const busy = await Promise.all(
      ports.map(async (port) => {
        const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
        const found = /^pennytext_postgres_pool_connections\{state="busy".*\} (\d+)$/m.exec(text)?.[1];
        if (found === undefined) throw new Error(`No pool of connections in the metrics on port ${port}`);
        return Number(found);
      }),
    );
    return busy.reduce((sum, count) => sum + count, 0);
  }

  /**
   * Jobs that the dispatch queue still holds, in whatever state, as the operator's board shows
   * them.
   */
  async queued(): Promise<number> {
    const authorization = `Basic ${Buffer.from(`operator:${this.env['QUEUE_BOARD_PASSWORD']}`).toString('base64')}`;
    const board = await fetch(`${this.url}/operator/queues/api/queues`, { headers: { authorization } });
    const { queues } = (await board.json()) as { queues: { name: string; counts: Record<string, number> }[] };
    const dispatch = queues.find(({ name }) => name === 'dispatch');
    if (!dispatch) throw new Error('The board does not show the dispatch queue');
    return Object.values(dispatch.counts).reduce((sum, count) => sum + count, 0);
  }

  /** Changes data directly where the product would take too long or must not notice. */
  async sql<Row extends object>(statement: string, values: readonly unknown[]): Promise<Row[]> {
    try {
      return await query<Row>(this.database.url, statement, values);
    } catch (error) {
      if (citusNodes().length === 0 || !isUnsupportedByCitus(error)) throw error;
      return sqlOnGroups<Row>(this.database.url, statement, values);
    }
  }

  async stop(): Promise<void> {
    // The worker goes before the sandbox, so that it need not wait for answers that never come.
    const names = [...this.programs.keys()].sort((a, b) => stopOrder(a) - stopOrder(b));
    await this.operator?.stop();
    for (const name of names) await this.program(name).stop();
    await this.database.drop();
  }

  private async startProgram(
    name: string,
    folder: string,
    env: Record<string, string>,
    readyUrl: string,
  ): Promise<void> {
    const program = new Program({
      name,
      command: process.execPath,
      args: [join(folder === 'sandbox' ? ownBuild : this.build, folder, 'main.js')],
      env: { ...this.env, ...env },
      logFile: this.logFile(name),
    });
    this.programs.set(name, program);
    await program.ready(() => answersOk(readyUrl));
  }

  private logFile(name: string): string {
    return join(this.options.logFolder, `${name}.log`);
  }
}

/**
 * An empty database, or a copy of the database that was migrated in the environment for its URL.
 */
async function newDatabase(environmentFor?: (url: string) => Record<string, string>): Promise<RunDatabase> {
  const server = databaseServer();
  if (!environmentFor) return createServiceDatabase(server, 'e2e');
  const migrate = (url: string) => outputOf(join(ownBuild, MIGRATE), [], environmentFor(url));
  const database = await createDatabase(server, 'e2e', await templateDatabase(server, { root: ownBuild, migrate }));
  await query(server, quickCommits(new URL(database.url).pathname.slice(1)));
  return database;
}

/** Returns the output of a Node script. Throws when its exit code is not 0. */
async function outputOf(script: string, args: readonly string[], env: Readonly<Record<string, string>>) {
  const { code, output, errors } = await runNode(script, args, env, 60_000);
  if (code !== 0) throw new Error(`${script} ${args.join(' ')} ended with ${code}: ${errors}`);
  return output;
}

/**
 * The server on which tests create databases. Throws when DATABASE_URL is not set: `npm test` sets
 * it.
 */
export function databaseServer(): string {
  const { DATABASE_URL } = process.env;
  if (DATABASE_URL) return DATABASE_URL;
  throw new Error('DATABASE_URL is not set: run `npm test -- --only=e2e`, or name a Postgres to test on.');
}

function stopOrder(name: string): number {
  return ['server', 'worker', 'sandbox', 'redis'].findIndex((kind) => name.startsWith(kind));
}
