import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { freePort, isPortFree } from '../testkit/ports.js';
import {
  acceptsQueries,
  checkDatabase,
  commandOf,
  prepareCluster,
  query,
  stopProcess,
  type Cluster,
} from '../testkit/postgres.js';
import { answersOk, Program, run, StartError, type ProgramOptions } from '../testkit/program.js';
import { answersPing, checkRedis, findRedis, redisProgram } from '../testkit/redis.js';
import { until } from '../testkit/until.js';
import { color, say, startedText, type BoxContent } from './box.js';
import { entryOf } from './nest-projects.js';
import { demoApiKey, demoEmail } from './demo-account.js';
import {
  environmentLines,
  loadDotEnv,
  loadSecrets,
  productEnvironment,
  programEnvironment,
  settingsOf,
  SMPP_PORT_OFFSET,
  SMTP_PORT_OFFSET,
  type Services,
  type Settings,
} from './settings.js';

// `npm start`: the whole product from one command, until Ctrl-C.

const READY_BOUND_MS = 60_000;
const TASK_BOUND_MS = 120_000;
const DATABASE = 'pennytext';
const USUAL_REDIS_PORT = 63790;
// Programs first, stores last. The worker lets running jobs finish for up to 30 s.
const stopOrder = ['server', 'worker', 'sandbox', 'redis', 'postgres'] as const;
const stopBoundsMs = { server: 15_000, worker: 35_000, sandbox: 5_000, redis: 10_000, postgres: 30_000 };
type ServiceName = (typeof stopOrder)[number];
/** Build of server and worker: of `npm start`, or of `npm run dev`. */
type Build = 'dist' | 'dist/dev';

const startedAtMs = Date.now();
const root = fileURLToPath(new URL('../../..', import.meta.url));
const dataDir = join(root, '.data');
const processesFile = join(dataDir, 'processes.json');
const abort = new AbortController();
const services = new Map<ServiceName, Program>();
/** Programs that are stopped to run others in their place. */
const replaced = new WeakSet<Program>();
/** The connection of `npm run dev`. */
let developer: Socket | undefined;
let isStopping = false;

// npm forwards a Ctrl-C that the terminal has sent already: two signals within a second are one.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
// A closed terminal must not keep this process from stopping.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
watchParent();

try {
  mkdirSync(join(dataDir, 'logs'), { recursive: true });
  loadDotEnv(root);
  const settings = settingsOf(process.env);
  await stopLeftovers();
  await requireFreePorts({
    PORT: settings.port,
    WORKER_PORT: settings.workerPort,
    SANDBOX_PORT: settings.sandboxPort,
  });
  // These ports are never typed by a person: others serve as well.
  process.env['SANDBOX_SMTP_PORT'] ||= String(await freePort(settings.sandboxPort + SMTP_PORT_OFFSET));
  process.env['SANDBOX_SMPP_PORT'] ||= String(await freePort(settings.sandboxPort + SMPP_PORT_OFFSET));
  const content = await startProduct(settings);
  console.log(`\n${startedText({ ...content, tookMs: Date.now() - startedAtMs })}\n`);
} catch (error) {
  await stop(faultLine(error));
}

async function startProduct(settings: Settings): Promise<Omit<BoxContent, 'tookMs'>> {
  const secrets = loadSecrets(join(dataDir, 'secrets.json'));
  const programs = programEnvironment(settings, secrets, join(dataDir, 'sandbox'), process.env);
  const sandboxUrl = `http://localhost:${settings.sandboxPort}`;
  const workerUrl = `http://localhost:${settings.workerPort}`;
  const serverUrl = `http://127.0.0.1:${settings.port}`;
  const [stores] = await Promise.all([
    startStores(settings),
    startProgram('sandbox', 'dist', programs.sandbox, `${sandboxUrl}/healthz`),
  ]);
  const product = productEnvironment(settings, secrets, stores, process.env);
  writeFileSync(join(dataDir, 'local.env'), environmentLines(product), { mode: 0o600 });
  const node = (file: string, args: string[], env: Record<string, string>) =>
    run(process.execPath, [join(root, 'dist', file), ...args], {
      env: { ...process.env, ...env },
      timeoutMs: TASK_BOUND_MS,
    });

  const { LOG_FORMAT } = programs.server;
  const migration = await node(entryOf('migrate'), [], { ...product, LOG_FORMAT });
  for (const line of `${migration.output}${migration.errors}`.trim().split('\n')) if (line) say('migrate', line);
  if (migration.code !== 0) {
    throw new StartError('The database could not be brought up to date: see the lines of migrate above.');
  }
  const startBoth = (build: Build) => {
    // Compiled code may have a migration that the database lacks, with which nothing is ready.
    const probe = build === 'dist' ? 'readyz' : 'healthz';
    return Promise.all([
      startProgram('server', build, { ...product, ...programs.server }, `${serverUrl}/${probe}`),
      startProgram('worker', build, { ...product, ...programs.worker }, `${workerUrl}/${probe}`),
    ]);
  };
  const [apiKey] = await Promise.all([demoApiKey((args) => node(entryOf('admin'), args, product)), startBoth('dist')]);
  listenForDeveloper(serverUrl, startBoth);
  const queue = stores.redisUrl ? 'redis' : 'postgres';
  const usesSandbox = !settings.hasTwilio;
  return { publicUrl: settings.publicUrl, sandboxUrl, workerUrl, apiKey, demoEmail, usesSandbox, queue };
}

/** The stores that the environment names, once they answer, else our own under `.data`. */
async function startStores({ databaseUrl, redisUrl, wantsRedis }: Settings): Promise<Services> {
  // Nothing is started beside a database that refuses.
  await Promise.all([databaseUrl && checkDatabase(databaseUrl), redisUrl && checkRedis(redisUrl)]);
  if (databaseUrl) say('postgres', `Using the one of DATABASE_URL (${new URL(databaseUrl).host})`);
  if (redisUrl && wantsRedis) say('redis', `Using the one of REDIS_URL (${new URL(redisUrl).host})`);
  const [database, redis] = await Promise.all([
    databaseUrl ?? startPostgres(),
    wantsRedis ? (redisUrl ?? startRedis()) : undefined,
  ]);
  return { databaseUrl: database, redisUrl: redis };
}

async function startPostgres(): Promise<string> {
  const logFile = join(dataDir, 'logs', 'postgres.log');
  // Room for server, worker, admin and a developer's own tools.
  const cluster: Cluster = await prepareCluster(dataDir, ['max_connections=200'], (line) => say('postgres', line));
  const { serverUrl, ...how } = cluster;
  const server = start('postgres', { ...how, logFile });
  await becomesReady(server, () => acceptsQueries(`${serverUrl}/postgres`), logFile);
  const found = await query(`${serverUrl}/postgres`, 'SELECT 1 FROM pg_database WHERE datname = $1', [DATABASE]);
  if (found.length === 0) await query(`${serverUrl}/postgres`, `CREATE DATABASE ${DATABASE}`);
  say('postgres', `Started on port ${new URL(serverUrl).port}`);
  return `${serverUrl}/${DATABASE}`;
}

async function startRedis(): Promise<string | undefined> {
  const command = findRedis();
  if (!command) {
    say(
      'redis',
      'No redis-server here: jobs are queued in Postgres. For Redis: apt-get install redis-server, or ' +
        'brew install redis',
    );
    return undefined;
  }
  const folder = join(dataDir, 'redis');
  mkdirSync(folder, { recursive: true });
  const port = await freePort(USUAL_REDIS_PORT);
  const logFile = join(dataDir, 'logs', 'redis.log');
  const server = keep(
    'redis',
    redisProgram(port, {
      settings: { dir: folder, appendonly: 'yes' },
      logFile,
      detached: true,
      stopBoundMs: stopBoundsMs.redis,
    }),
  );
  await becomesReady(server, () => answersPing(port), logFile);
  say('redis', `Started ${command} on port ${port}`);
  return `redis://127.0.0.1:${port}`;
}

async function startProgram(
  name: 'server' | 'worker' | 'sandbox',
  build: Build,
  env: Record<string, string>,
  readyUrl: string,
): Promise<void> {
  const program = start(name, {
    command: process.execPath,
    // package.json's `imports` lead to dist/dev under the condition `dev`.
    args: [
      ...(build === 'dist/dev' ? ['--conditions=dev', '--enable-source-maps'] : []),
      join(root, build, entryOf(name)),
    ],
    env: { ...process.env, ...env },
    cwd: root,
    onLine: (line) => tell(name, line),
  });
  await becomesReady(program, () => answersOk(readyUrl), 'its lines above');
}

function start(name: ServiceName, options: Omit<ProgramOptions, 'name'>): Program {
  // Programs have their own process groups: a Ctrl-C reaches this process alone, which stops them
  // in order.
  return keep(name, new Program({ ...options, name, detached: true, stopBoundMs: stopBoundsMs[name] }));
}

function keep(name: ServiceName, program: Program): Program {
  services.set(name, program);
  writeProcesses();
  const onEnd = (how: string) => {
    if (isStopping || replaced.has(program)) return;
    if (developer && (name === 'server' || name === 'worker')) {
      tell(name, color('red', `Ended (${how}). It starts again when a change is compiled.`));
    } else void stop(`The ${name} ended unexpectedly (${how}): stopping everything.`);
  };
  program.ended.then(
    ({ code, signal }) => onEnd(signal ? `by ${signal}` : `exit code ${code}`),
    (error: unknown) => onEnd(String(error)),
  );
  return program;
}

async function becomesReady(program: Program, look: () => Promise<boolean>, log: string): Promise<void> {
  const bound = { timeoutMs: READY_BOUND_MS, signal: abort.signal };
  try {
    await until(program.name, async () => !program.isRunning || (await look()), bound);
  } catch (cause) {
    abort.signal.throwIfAborted();
    throw new StartError(`The ${program.name} was not ready within ${READY_BOUND_MS / 1_000} s: see ${log}.`, {
      cause,
    });
  }
  if (!program.isRunning) throw new StartError(`The ${program.name} did not start: see ${log}.`);
  // Redis changes its command line while it starts.
  writeProcesses();
}

/** Prints a line, also in the terminal of `npm run dev`. */
function tell(name: string, line: string): void {
  say(name, line);
  developer?.write(`${name}\t${line}\n`);
}

/** Lets `npm run dev` connect, one at a time. */
function listenForDeveloper(serverUrl: string, startBoth: (build: Build) => Promise<unknown>): void {
  // A killed start leaves its file. The path is relative, since paths of sockets are short.
  rmSync('.data/dev.sock', { force: true });
  createServer((connection) => {
    // The reader of the lines handles the end of the connection.
    connection.on('error', () => undefined);
    if (developer) connection.end('Another `npm run dev` runs beside this `npm start`: stop that one first.\n');
    else {
      developer = connection.unref();
      connection.write(`${serverUrl}\n`);
      runForDeveloper(connection, startBoth).catch((error: unknown) => stop(faultLine(error)));
    }
  })
    .on('error', ({ message }) => say('start', `\`npm run dev\` cannot use this start: ${message}`))
    .listen('.data/dev.sock');
}

/**
 * Runs the compiled programs at each line of the connection. After its end, whatever the cause, the
 * built programs run again.
 */
async function runForDeveloper(connection: Socket, startBoth: (build: Build) => Promise<unknown>): Promise<void> {
  const replace = async (build: Build) => {
    const before = [services.get('server'), services.get('worker')].filter((program) => program !== undefined);
    for (const program of before) replaced.add(program);
    await Promise.all(before.map(async (program) => program.isRunning && program.stop()));
    if (!isStopping) await startBoth(build);
  };
  for await (const _ of createInterface({ input: connection })) {
    try {
      await replace('dist/dev');
      tell('start', 'Server and worker run what was compiled.');
    } catch (error) {
      // The program's lines tell why; the next change may repair it.
      if (!(error instanceof StartError)) throw error;
    }
  }
  say('start', '`npm run dev` has ended: server and worker run what was built.');
  await replace('dist');
  developer = undefined;
}

/**
 * Stops everything in order and exits: with 0 when that was wanted, with 1 when `fault` names what
 * went wrong.
 */
async function stop(fault?: string): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  abort.abort(new Error('stopping'));
  if (fault) say('start', color('red', fault));
  // "Fast" for Postgres: ends sessions, rolls back, writes a checkpoint.
  for (const name of stopOrder) {
    const program = services.get(name);
    if (program?.isRunning) await program.stop(name === 'postgres' ? 'SIGINT' : 'SIGTERM');
  }
  if (services.size > 0) rmSync(processesFile, { force: true });
  process.exit(fault ? 1 : 0);
}

function onSignal(): void {
  if (!isStopping) {
    say('start', 'Stopping …');
    void stop();
    // A second Ctrl-C stops by force: the exit handler kills what still runs.
    setTimeout(() => process.on('SIGINT', () => process.exit(1)), 1_000).unref();
  }
}

// npm forwards SIGTERM to the shell that it starts this process with, which dies silently: a new
// parent is the sign.
function watchParent(): void {
  if (!process.env['npm_lifecycle_event']) return;
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) onSignal();
  }, 500).unref();
}

interface KeptProcess {
  readonly name: string;
  readonly pid: number;
  /** Command line of the process, to recognize a reused process number. */
  readonly command: string;
}

interface Processes {
  readonly launcher: KeptProcess;
  readonly services: readonly KeptProcess[];
}

/** Records the running programs, so that the next start finds them when this process is killed. */
function writeProcesses(): void {
  const kept = (name: string, pid: number): KeptProcess => ({ name, pid, command: commandOf(pid) ?? '' });
  const content: Processes = {
    launcher: kept('npm start', process.pid),
    services: [...services].filter(([, { isRunning }]) => isRunning).map(([name, { pid }]) => kept(name, pid)),
  };
  writeFileSync(processesFile, JSON.stringify(content));
}

/** Stops the programs of a killed start. Throws StartError when that start still runs. */
async function stopLeftovers(): Promise<void> {
  if (!existsSync(processesFile)) return;
  const { launcher, services: left } = JSON.parse(readFileSync(processesFile, 'utf8')) as Processes;
  if (launcher.pid !== process.pid && commandOf(launcher.pid) === launcher.command) {
    throw new StartError(
      `Pennytext is already running from this folder (process ${launcher.pid}): stop it with Ctrl-C, ` +
        `or kill ${launcher.pid}.`,
    );
  }
  const alive = left.filter(({ pid, command }) => command !== '' && commandOf(pid) === command);
  await Promise.all(
    alive.map(({ name, pid, command }) =>
      stopProcess(pid, command, name === 'postgres' ? 'SIGINT' : 'SIGTERM', 10_000),
    ),
  );
  if (alive.length > 0)
    say('start', `Stopped what an earlier start left running: ${alive.map(({ name }) => name).join(', ')}`);
}

async function requireFreePorts(ports: Record<string, number>): Promise<void> {
  for (const [variable, port] of Object.entries(ports)) {
    if ((await isPortFree(port, '0.0.0.0')) && (await isPortFree(port))) continue;
    throw new StartError(
      `Port ${port} is taken by another program: stop that one, or choose another port with ` +
        `${variable}=${port + 100} npm start.`,
    );
  }
}

function faultLine(error: unknown): string {
  if (error instanceof StartError) return error.message;
  const { code, path } = error as NodeJS.ErrnoException;
  if (code === 'EACCES' && path) return `No permission for ${path}: start as the user it belongs to, or delete .data.`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
