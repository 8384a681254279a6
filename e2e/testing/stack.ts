import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Api } from './api.js';
import { Carrier } from './carrier.js';
import { createDatabase, type TestDatabase } from './database.js';
import { freePort } from './ports.js';
import { answersOk, Program } from './program.js';
import { startRedis } from './redis.js';
import { repository } from './repository.js';

interface StackOptions {
  /** Where the programs' logs go. */
  readonly logFolder: string;
  readonly servers: 1 | 2;
  /** How long a message takes at the carrier from acceptance to its final receipt. */
  readonly receiptDelayMs: number;
  /** Variables of the environment beyond the usual ones. */
  readonly variables?: Readonly<Record<string, string>>;
}

interface Ports {
  readonly redis: number;
  readonly sandbox: number;
  readonly worker: number;
  readonly servers: readonly number[];
}

/** An account as `admin account create` shows it. */
export interface TestAccount {
  readonly email: string;
  readonly apiKey: string;
}

const run = promisify(execFile);

/**
 * The product as an operator runs it, in processes of its own: sandbox, servers and worker over an own database and an own
 * Redis, on free ports. Times are short, so that recovery shows within seconds.
 */
export class Stack {
  readonly api: Api;
  readonly carrier: Carrier;
  private readonly programs = new Map<string, Program>();

  private constructor(
    private readonly options: StackOptions,
    private readonly ports: Ports,
    private readonly database: TestDatabase,
    private readonly env: Readonly<Record<string, string>>,
  ) {
    this.api = new Api(ports.servers.map((port) => `http://127.0.0.1:${port}`));
    this.carrier = new Carrier(`http://127.0.0.1:${ports.sandbox}`);
  }

  /** Where the first server answers. */
  get serverUrl(): string {
    return `http://127.0.0.1:${this.ports.servers[0]}`;
  }

  /** Everything but the worker, which a test starts when it wants. */
  static async start(options: StackOptions): Promise<Stack> {
    const ports: Ports = {
      redis: await freePort(),
      sandbox: await freePort(),
      worker: await freePort(),
      servers: options.servers === 1 ? [await freePort()] : [await freePort(), await freePort()],
    };
    const database = await createDatabase();
    const stack = new Stack(options, ports, database, environment(ports, database.url, options));
    try {
      await Promise.all([stack.startRedis(), stack.startSandbox(), stack.node('core/src/database/migrate.js')]);
      await Promise.all(ports.servers.map((_port, index) => stack.startServer(index)));
    } catch (error) {
      await stack.stop();
      throw error;
    }
    return stack;
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

  startWorker(): Promise<void> {
    return this.startProgram('worker', 'worker', {}, `http://127.0.0.1:${this.ports.worker}/readyz`);
  }

  /** One of `redis`, `sandbox`, `worker`, `server-0`, `server-1`, as it runs now. */
  program(name: string): Program {
    const program = this.programs.get(name);
    if (!program) throw new Error(`${name} has not been started`);
    return program;
  }

  /** An account that may send what its credits cover. */
  async account(credits: number): Promise<TestAccount> {
    const email = `e2e-${randomBytes(6).toString('hex')}@pennytext.example`;
    const account = (await this.admin(
      'account',
      'create',
      '--email',
      email,
      '--credits',
      String(credits),
    )) as TestAccount;
    await this.admin('account', 'limit', email, '1000000');
    return account;
  }

  /** Runs an operator's command and answers the JSON it printed. Throws when its exit code is not 0. */
  async admin(...args: string[]): Promise<unknown> {
    return JSON.parse(await this.node('admin/src/main.js', ...args));
  }

  /** Messages and refunds that the queue still holds, in whatever state. */
  async queued(): Promise<number> {
    const byState = (await this.admin('queue', 'status')) as Record<string, number>;
    return Object.values(byState).reduce((sum, count) => sum + count, 0);
  }

  async stop(): Promise<void> {
    // The worker goes before the sandbox, so that it need not wait for answers that never come.
    const names = [...this.programs.keys()].sort((a, b) => stopOrder(a) - stopOrder(b));
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
      args: [join(repository, 'dist', folder, 'src/main.js')],
      env: { ...this.env, ...env },
      logFile: this.logFile(name),
    });
    this.programs.set(name, program);
    await program.ready(() => answersOk(readyUrl));
  }

  private async node(file: string, ...args: string[]): Promise<string> {
    const { PATH = '', HOME = '' } = process.env;
    const env = { PATH, HOME, ...this.env };
    const { stdout } = await run(process.execPath, [join(repository, 'dist', file), ...args], { env, timeout: 60_000 });
    return stdout;
  }

  private logFile(name: string): string {
    return join(this.options.logFolder, `${name}.log`);
  }
}

function stopOrder(name: string): number {
  return ['server-0', 'server-1', 'worker', 'sandbox', 'redis'].indexOf(name);
}

function environment(
  ports: Ports,
  databaseUrl: string,
  { receiptDelayMs, variables }: StackOptions,
): Record<string, string> {
  const serverUrl = `http://127.0.0.1:${ports.servers[0]}`;
  return {
    DATABASE_URL: databaseUrl,
    REDIS_URL: `redis://127.0.0.1:${ports.redis}`,
    HOST: '127.0.0.1',
    PUBLIC_URL: serverUrl,
    WORKER_PORT: String(ports.worker),
    API_KEY_HASH_SECRET: randomBytes(32).toString('base64'),
    API_KEY_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    TWILIO_ACCOUNT_SID: `AC${randomBytes(16).toString('hex')}`,
    TWILIO_AUTH_TOKEN: randomBytes(16).toString('hex'),
    TWILIO_SENDERS: '+15005550006',
    TWILIO_API_URL: `http://127.0.0.1:${ports.sandbox}`,
    CARRIER_TIMEOUT_MS: '1000',
    DISPATCH_LEASE_SECONDS: '3',
    RECOVERY_INTERVAL_MS: '300',
    RATE_LIMIT_KEY_PER_SECOND: '0',
    RATE_LIMIT_ADDRESS_PER_SECOND: '0',
    SANDBOX_PORT: String(ports.sandbox),
    // Any free one.
    SANDBOX_SMTP_PORT: '0',
    SANDBOX_PRODUCT_URL: serverUrl,
    SANDBOX_RECEIPT_DELAY_MS: String(receiptDelayMs),
    GOOGLE_CLIENT_ID: 'sandbox-client',
    GOOGLE_CLIENT_SECRET: 'sandbox-secret',
    GOOGLE_BASE_URL: `http://127.0.0.1:${ports.sandbox}`,
    ...variables,
  };
}
