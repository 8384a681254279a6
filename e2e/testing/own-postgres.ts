import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { acceptsQueries, prepareCluster, removeCluster, type Cluster } from '../../tools/testkit/postgres.js';
import { Program } from '../../tools/testkit/program.js';

/**
 * Folder of the programs of an installed Postgres whose version is that of pg_dump and psql on the
 * PATH; undefined if there is none.
 */
export function installedPostgres(): string | undefined {
  const version = /(\d+)\./.exec(spawnSync('pg_dump', ['--version'], { encoding: 'utf8' }).stdout ?? '')?.[1];
  const folder = `/usr/lib/postgresql/${version}/bin`;
  return version !== undefined && existsSync(join(folder, 'initdb')) ? folder : undefined;
}

interface OwnPostgresOptions {
  /** Folder of the programs; the embedded Postgres' by default. */
  readonly installed?: string | undefined;
  readonly logFile: string;
  /** Lines of postgresql.conf, as `name=value`; may prepare the files that they name. */
  readonly settingsOf?: (cluster: Cluster) => readonly string[];
}

/** A Postgres for one test, with a cluster that ends with it. */
export class OwnPostgres {
  private constructor(
    private readonly folder: string,
    private readonly options: OwnPostgresOptions,
    readonly cluster: Cluster,
    private program: Program,
  ) {}

  /** Starts a server on an empty cluster. */
  static async start(options: OwnPostgresOptions): Promise<OwnPostgres> {
    const folder = mkdtempSync(join(tmpdir(), 'pennytext-postgres-'));
    // The user that Postgres runs as must get in.
    chmodSync(folder, 0o755);
    const bare = await prepareCluster(folder, ['fsync=off'], undefined, options.installed);
    const settings = options.settingsOf?.(bare) ?? [];
    const cluster = { ...bare, args: [...bare.args, ...settings.flatMap((setting) => ['-c', setting])] };
    const server = new OwnPostgres(folder, options, cluster, programOf(cluster, options));
    try {
      await server.program.ready(() => acceptsQueries(server.urlOf('postgres')));
    } catch (error) {
      await server.stop();
      throw error;
    }
    return server;
  }

  get data(): string {
    return join(this.cluster.cwd, 'data');
  }

  /** URL of a database as the superuser. */
  urlOf(database: string): string {
    return `${this.cluster.serverUrl}/${database}`;
  }

  /** Ends the server by a signal; its files stay. */
  async halt(signal: NodeJS.Signals = 'SIGINT'): Promise<void> {
    if (this.program.isRunning) await this.program.stop(signal);
  }

  /** Starts the server on the files that are there now, and waits until it takes writes. */
  async resume(): Promise<void> {
    this.program = programOf(this.cluster, this.options);
    await this.program.ready(() => acceptsQueries(this.urlOf('postgres')));
  }

  /** Ends the server and deletes its files. */
  async stop(): Promise<void> {
    await this.halt('SIGQUIT');
    removeCluster(this.folder);
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function programOf({ serverUrl: _url, ...how }: Cluster, { logFile }: OwnPostgresOptions): Program {
  return new Program({ ...how, name: 'postgres', logFile });
}
