import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { acceptsQueries, prepareCluster, query, removeCluster, type Cluster } from './postgres.js';
import { freePort } from './ports.js';
import { Program, StartError } from './program.js';
import { findCommand } from './redis.js';
import { until } from './until.js';

/**
 * A node's settings. Processes are killed, so writes need not reach the disk in time, but a commit
 * must reach the system.
 */
const settings = [
  'shared_preload_libraries=citus',
  'wal_level=logical',
  'max_connections=300',
  'max_prepared_transactions=300',
  // Creating the shards of all tables takes thousands of locks.
  'max_locks_per_transaction=512',
  'shared_buffers=256MB',
  'fsync=off',
  'full_page_writes=off',
  'citus.node_conninfo=sslmode=prefer',
];
const STANDBY_NAME = 'standby';
const COPIED_WITHIN_MS = 60_000;
const remedy =
  'Install Citus (https://docs.citusdata.com/en/stable/installation/single_node_debian.html), or set ' +
  'PG_CONFIG to the pg_config of a PostgreSQL that has it.';

/**
 * Servers of one Citus cluster on this machine: the first is the coordinator, the others its nodes.
 */
export class CitusCluster {
  private readonly servers: {
    readonly how: Cluster;
    readonly program: () => Program;
    running: Program | undefined;
    readonly url: string;
  }[] = [];
  private readonly standbys: Program[] = [];

  private constructor(
    private readonly folder: string,
    private readonly binaries: string,
    private readonly allSettings: readonly string[],
  ) {}

  /**
   * Starts servers that know nothing of each other yet. Throws StartError when this machine has no
   * Citus.
   */
  static async start(nodes: number, changed: readonly string[] = []): Promise<CitusCluster> {
    const folder = mkdtempSync(join(tmpdir(), 'pennytext-citus-'));
    // The user that Postgres runs as must get in.
    chmodSync(folder, 0o755);
    const cluster = new CitusCluster(folder, citusBinaries(), [...settings, ...changed]);
    try {
      for (let n = 0; n <= nodes; n += 1) await cluster.addServer();
      return cluster;
    } catch (error) {
      await cluster.stop();
      throw error;
    }
  }

  /** URL of the coordinator's database `postgres`. */
  get coordinatorUrl(): string {
    return this.server(0).url;
  }

  /** URLs of the other nodes' databases `postgres`. */
  get nodeUrls(): string[] {
    return this.servers.slice(1).map(({ url }) => url);
  }

  /** Processes of the running servers, the coordinator's first. */
  get pids(): number[] {
    return this.servers.flatMap(({ running }) => running?.pid ?? []);
  }

  /** Starts one more server and returns the URL of its database `postgres`. */
  async addServer(): Promise<string> {
    const folder = join(this.folder, `node-${this.servers.length}`);
    mkdirSync(folder);
    const hba = join(folder, 'pg_hba.conf');
    // The nodes talk to each other without the password.
    writeFileSync(hba, 'host all all 127.0.0.1/32 trust\nhost replication all 127.0.0.1/32 trust\n');
    chmodSync(hba, 0o644);
    const cluster = await prepareCluster(folder, [...this.allSettings, `hba_file=${hba}`], undefined, this.binaries);
    const { serverUrl, ...how } = cluster;
    const name = `citus-${this.servers.length}`;
    const program = () => new Program({ ...how, name, logFile: join(folder, 'postgres.log'), detached: true });
    const url = `${serverUrl}/postgres`;
    this.servers.push({ how: cluster, program, running: undefined, url });
    await this.startServer(this.servers.length - 1);
    return url;
  }

  async startServer(index: number): Promise<void> {
    const server = this.server(index);
    server.running = server.program();
    await server.running.ready(() => acceptsQueries(server.url));
  }

  /** Stops a server and returns its cluster to the caller, who starts and stops it from then on. */
  async handOver(index: number): Promise<Cluster> {
    const server = this.server(index);
    await server.running?.stop('SIGINT');
    return server.how;
  }

  /** Kills a server and every process of it, as when its machine loses power. */
  async crashServer(index: number): Promise<void> {
    const { running } = this.server(index);
    const { pid } = running ?? {};
    const children = spawnSync('ps', ['-axo', 'pid=,ppid='], { encoding: 'utf8' })
      .stdout.split('\n')
      .map((line) => line.trim().split(/\s+/).map(Number))
      .flatMap(([child, parent]) => (child !== undefined && parent === pid ? [child] : []));
    await running?.crash();
    for (const child of children) spawnSync('kill', ['-9', String(child)]);
  }

  /**
   * Gives a server a standby that it waits for with every commit. Returns the standby's URL, for
   * `pg_promote` and after it.
   */
  async addStandby(index: number): Promise<string> {
    const { how, url } = this.server(index);
    const { args, cwd, uid, gid, command } = how;
    const directory = join(cwd, STANDBY_NAME);
    mkdirSync(directory, { mode: 0o700 });
    if (uid !== undefined && gid !== undefined) chownSync(directory, uid, gid);
    const { hostname, port, username, password } = new URL(url);
    const login = `user=${username} password=${password} application_name=${STANDBY_NAME}`;
    const conninfo = `host=${hostname} port=${port} ${login}`;
    const copied = spawnSync(
      join(dirname(command), 'pg_basebackup'),
      ['--pgdata', directory, '--write-recovery-conf', '--checkpoint=fast', '--dbname', conninfo],
      { cwd, uid, gid, encoding: 'utf8', timeout: COPIED_WITHIN_MS },
    );
    if (copied.status !== 0) throw new Error(`pg_basebackup failed: ${copied.stderr}`);
    const standbyUrl = new URL(url);
    standbyUrl.port = String(await freePort());
    const program = new Program({
      ...how,
      name: STANDBY_NAME,
      args: ['-D', directory, '-p', standbyUrl.port, ...args.slice(4)],
      logFile: join(cwd, 'standby.log'),
      detached: true,
    });
    this.standbys.push(program);
    await program.ready(() => acceptsQueries(standbyUrl.href));
    await query(url, `ALTER SYSTEM SET synchronous_standby_names = '${STANDBY_NAME}'`);
    await query(url, 'SELECT pg_reload_conf()');
    const isSynchronous = async () => {
      const rows = await query<{ state: string }>(url, 'SELECT sync_state AS state FROM pg_stat_replication');
      return rows.some(({ state }) => state === 'sync');
    };
    await until('the server waits for its standby', isSynchronous, { timeoutMs: COPIED_WITHIN_MS });
    return standbyUrl.href;
  }

  async stop(): Promise<void> {
    // "Immediate": these files are not needed again.
    await Promise.all(this.standbys.map(async (program) => program.isRunning && program.stop('SIGQUIT')));
    await Promise.all(this.servers.map(async ({ running }) => running?.isRunning && running.stop('SIGQUIT')));
    for (let n = 0; n < this.servers.length; n += 1) removeCluster(join(this.folder, `node-${n}`));
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Runs one query on the coordinator's database of this name. */
  async query<Row extends object>(database: string, text: string, values: readonly unknown[] = []): Promise<Row[]> {
    const url = new URL(this.coordinatorUrl);
    url.pathname = `/${database}`;
    return query<Row>(url.href, text, values);
  }

  private server(index: number) {
    const server = this.servers[index];
    if (!server) throw new Error(`The cluster has no server ${index}`);
    return server;
  }
}

/** The folder of the programs of a PostgreSQL that has the extension. */
function citusBinaries(): string {
  const { PG_CONFIG } = process.env;
  const debian = '/usr/lib/postgresql';
  const installed = existsSync(debian)
    ? readdirSync(debian).map((version) => join(debian, version, 'bin', 'pg_config'))
    : [];
  for (const command of [PG_CONFIG, findCommand('pg_config'), ...installed]) {
    if (!command || !existsSync(command)) continue;
    const valueOf = (flag: string) => spawnSync(command, [flag], { encoding: 'utf8' }).stdout.trim();
    if (existsSync(join(valueOf('--sharedir'), 'extension', 'citus.control'))) return valueOf('--bindir');
  }
  throw new StartError(`No PostgreSQL on this machine has the extension Citus. ${remedy}`);
}
