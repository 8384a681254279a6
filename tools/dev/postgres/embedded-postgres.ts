import {
  chownSync,
  createWriteStream,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { say } from '../line-log.js';
import { freePort } from '../ports.js';
import type { ProcessGroup, ProcessSpec } from '../processes/process-group.js';
import { StartError } from '../start-error.js';
import { postgresBinaries, type PostgresBinaries } from './binaries.js';
import { ensureDatabase } from './check-database.js';
import { clusterFolder } from './places.js';
import { readIfThere } from '../read-if-there.js';
import { postgresUser, type SystemUser } from './postgres-user.js';
import { releaseCluster } from './stale-lock.js';

const databaseName = 'pennytext';
const userName = 'pennytext';
const usualPort = 54329;

interface EmbeddedPostgresOptions {
  /** The cluster stands in `<folder>/postgres`, or is linked from there. */
  folder: string;
  logFile: string;
  /** Settings as `name=value`. */
  settings?: string[];
  stopRank: number;
}

/** A cluster with its files, and how its server is started. */
export interface PreparedPostgres {
  readonly command: string;
  readonly args: string[];
  readonly runAs: RunAs;
  /** URL without a database. */
  readonly serverUrl: string;
}

/** Starts the embedded Postgres, with a cluster made at the first start, and answers the URL of its database. */
export async function startEmbeddedPostgres(group: ProcessGroup, options: EmbeddedPostgresOptions): Promise<string> {
  const { command, args, runAs, serverUrl } = await prepareEmbeddedPostgres(group, options);
  const server = await group.spawn({
    ...runAs,
    name: 'postgres',
    command,
    args,
    kind: 'service',
    stopRank: options.stopRank,
    // "Fast": ends sessions, rolls back, writes a checkpoint.
    stopSignal: 'SIGINT',
    stopBoundMs: 30_000,
  });
  let hasEnded = false;
  void server.ended.then(() => (hasEnded = true));
  await ensureDatabase(`${serverUrl}/postgres`, databaseName, () => !hasEnded && !group.isStopping).catch(
    (cause: unknown) => {
      throw new StartError(`Postgres did not start: see ${options.logFile}.`, { cause });
    },
  );
  return `${serverUrl}/${databaseName}`;
}

/** Makes the cluster, if it is not there, and chooses a port; starts no server. */
export async function prepareEmbeddedPostgres(
  group: ProcessGroup,
  options: Omit<EmbeddedPostgresOptions, 'stopRank'>,
): Promise<PreparedPostgres> {
  const user = postgresUser(join(options.folder, 'postgres', 'data'));
  const { folder, moved } = clusterFolder(options.folder, user);
  const dataDir = join(folder, 'data');
  refuseForeignOwner(dataDir);
  const binaries = postgresBinaries(user);
  if (moved) say('postgres', `Data are kept in ${folder}, as Postgres may not run as root nor enter this folder`);
  if (await releaseCluster(dataDir)) say('postgres', 'Stopped a Postgres that an earlier start left running');
  const runAs = { ...user, onOutput: logTo(options.logFile), cwd: folder };
  const passwordFile = join(folder, 'password');
  // Written last: an interrupted initdb leaves files that are no cluster yet.
  const doneFile = join(folder, 'initialised');
  if (!existsSync(doneFile)) {
    await initialise(group, binaries, runAs, user, dataDir, passwordFile, options.logFile);
    writeFileSync(doneFile, '');
  }

  const portFile = join(folder, 'port');
  const port = await freePort(Number(readIfThere(portFile) ?? usualPort), usualPort);
  writeFileSync(portFile, String(port));
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', ...(options.settings ?? [])];
  return {
    command: binaries.postgres,
    args: ['-D', dataDir, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
    runAs,
    serverUrl: `postgres://${userName}:${readFileSync(passwordFile, 'utf8').trim()}@127.0.0.1:${port}`,
  };
}

type RunAs = Pick<ProcessSpec, 'uid' | 'gid' | 'onOutput' | 'cwd'>;

async function initialise(
  group: ProcessGroup,
  binaries: PostgresBinaries,
  runAs: RunAs,
  user: SystemUser | undefined,
  dataDir: string,
  passwordFile: string,
  logFile: string,
): Promise<void> {
  rmSync(dataDir, { recursive: true, force: true });
  mkdirSync(dataDir, { mode: 0o700 });
  writeFileSync(passwordFile, `${randomBytes(16).toString('hex')}\n`, { mode: 0o600 });
  if (user) for (const path of [dataDir, passwordFile]) chownSync(path, user.uid, user.gid);
  const initdb = await group.spawn({
    ...runAs,
    name: 'initdb',
    command: binaries.initdb,
    args: [
      `--pgdata=${dataDir}`,
      `--username=${userName}`,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C',
    ],
    kind: 'task',
    stopRank: 0,
    stopSignal: 'SIGTERM',
    stopBoundMs: 5_000,
  });
  const { code } = await initdb.ended;
  if (code !== 0) throw new StartError(`Postgres could not make its files: see ${logFile}.`);
}

function refuseForeignOwner(dataDir: string): void {
  const uid = process.getuid?.();
  if (!uid || !existsSync(dataDir) || statSync(dataDir).uid === uid) return;
  throw new StartError(
    `The database in ${dataDir} belongs to another user: start as that user (or root), or delete .data.`,
  );
}

function logTo(file: string): ProcessSpec['onOutput'] {
  return (stdout, stderr) => {
    const log = createWriteStream(file, { flags: 'a' });
    stdout.pipe(log, { end: false });
    stderr.pipe(log);
  };
}
