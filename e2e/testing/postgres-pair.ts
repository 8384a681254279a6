import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Program } from '../../tools/testkit/program.js';
import { until } from '../../tools/testkit/until.js';
import { freePort } from '../../tools/testkit/ports.js';
import { acceptsQueries, prepareCluster, query, removeCluster } from '../../tools/testkit/postgres.js';

const STREAMS_WITHIN_MS = 30_000;
const STANDBY_NAME = 'standby';
// A killed process loses nothing that it gave to the system, so writes need not reach the disk.
const settings = ['max_connections=100', 'fsync=off', 'full_page_writes=off'];

/**
 * A primary, and a standby that it waits for with every commit (synchronous streaming replication).
 */
export class PostgresPair {
  private constructor(
    private readonly folder: string,
    private readonly primary: Program,
    private readonly standby: Program,
    /** URL of the database `postgres`. */
    readonly primaryUrl: string,
    readonly standbyUrl: string,
  ) {}

  static async start(logFolder: string): Promise<PostgresPair> {
    const folder = mkdtempSync(join(tmpdir(), 'pennytext-pair-'));
    // The user that Postgres runs as must get in.
    chmodSync(folder, 0o755);
    const { args, serverUrl, ...how } = await prepareCluster(folder, settings);
    const dataDir = args[args.indexOf('-D') + 1] ?? '';
    const standbyDir = join(dirname(dataDir), 'standby');
    // The primary has not run yet, so a plain copy is complete; a primary at work needs
    // pg_basebackup.
    execFileSync('cp', ['-Rp', dataDir, standbyDir]);
    writeFileSync(join(standbyDir, 'standby.signal'), '');

    const [primaryUrl, standbyUrl] = [new URL(`${serverUrl}/postgres`), new URL(`${serverUrl}/postgres`)];
    [primaryUrl.port, standbyUrl.port] = [String(await freePort()), String(await freePort())];
    const { username, password, port } = primaryUrl;
    const server = (name: string, directory: string, url: URL, more: readonly string[]) =>
      new Program({
        ...how,
        name,
        args: ['-D', directory, '-p', url.port, ...args.slice(4), ...more.flatMap((setting) => ['-c', setting])],
        logFile: join(logFolder, `${name}.log`),
      });
    const pair = new PostgresPair(
      folder,
      server('primary', dataDir, primaryUrl, ['synchronous_commit=on', `synchronous_standby_names=${STANDBY_NAME}`]),
      server('standby', standbyDir, standbyUrl, [
        `primary_conninfo=host=127.0.0.1 port=${port} user=${username} password=${password} ` +
          `application_name=${STANDBY_NAME}`,
      ]),
      primaryUrl.href,
      standbyUrl.href,
    );
    try {
      await pair.primary.ready(() => acceptsQueries(primaryUrl.href));
      await pair.standby.ready(() => acceptsQueries(standbyUrl.href));
      await until('the primary waits for the standby', () => pair.isSynchronous(), { timeoutMs: STREAMS_WITHIN_MS });
    } catch (error) {
      await pair.stop();
      throw error;
    }
    return pair;
  }

  /**
   * Kills the primary's postmaster and every process of it, at once, as when its machine loses
   * power.
   */
  async crashPrimary(): Promise<void> {
    const { pid } = this.primary;
    // A stopped postmaster starts no process that the list would lack.
    process.kill(pid, 'SIGSTOP');
    const children = execFileSync('ps', ['-axo', 'pid=,ppid='], { encoding: 'utf8' })
      .split('\n')
      .map((line) => line.trim().split(/\s+/).map(Number))
      .flatMap(([child, parent]) => (child !== undefined && parent === pid ? [child] : []));
    const crashed = this.primary.crash();
    for (const child of children) killIfThere(child);
    await crashed;
  }

  /** Makes the standby a primary, which takes later writes. */
  async promoteStandby(): Promise<void> {
    const [answer] = await query<{ promoted: boolean }>(this.standbyUrl, 'SELECT pg_promote() AS promoted');
    if (!answer?.promoted) throw new Error('The standby was not promoted within a minute');
  }

  async stop(): Promise<void> {
    // "Immediate": these files are not needed again.
    for (const program of [this.standby, this.primary]) if (program.isRunning) await program.stop('SIGQUIT');
    removeCluster(this.folder);
    rmSync(this.folder, { recursive: true, force: true });
  }

  private async isSynchronous(): Promise<boolean> {
    const rows = await query<{ sync_state: string }>(this.primaryUrl, 'SELECT sync_state FROM pg_stat_replication');
    return rows.some(({ sync_state }) => sync_state === 'sync');
  }
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    // The process has ended with its postmaster.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
