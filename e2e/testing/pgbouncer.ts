import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Program } from '../../tools/testkit/program.js';
import { freePort } from '../../tools/testkit/ports.js';
import { query } from '../../tools/testkit/postgres.js';

const command = process.env.PGBOUNCER_PATH ?? '/usr/sbin/pgbouncer';
// pgbouncer refuses to run as root and switches to the given user.
const asNobody = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];

interface PgbouncerOptions {
  /** URL of any database of the server behind pgbouncer. */
  readonly serverUrl: string;
  /** Connections to the server, of one database. */
  readonly poolSize: number;
  readonly logFile: string;
}

/** A pgbouncer that gives each transaction one of a few connections (`pool_mode = transaction`). */
export class Pgbouncer {
  private constructor(
    private readonly program: Program,
    private readonly port: number,
    private readonly folder: string,
    private readonly options: PgbouncerOptions,
  ) {}

  static async start(options: PgbouncerOptions): Promise<Pgbouncer> {
    const folder = mkdtempSync(join(tmpdir(), 'pennytext-pgbouncer-'));
    chmodSync(folder, 0o755);
    const port = await freePort();
    writeSettings(folder, port, options, options.serverUrl);
    const program = new Program({
      name: 'pgbouncer',
      command,
      args: [...asNobody, join(folder, 'pgbouncer.ini')],
      logFile: options.logFile,
    });
    const pgbouncer = new Pgbouncer(program, port, folder, options);
    await program.ready(() => pgbouncer.answers());
    return pgbouncer;
  }

  /** URL of the database of this name, through pgbouncer. */
  url(database: string): string {
    return `postgres://anybody@127.0.0.1:${this.port}/${database}`;
  }

  /** Connections of programs at the moment, to the database of this name. */
  async clients(database: string): Promise<number> {
    const clients = await query<{ database: string }>(this.url('pgbouncer'), 'SHOW CLIENTS');
    return clients.filter((client) => client.database === database).length;
  }

  /**
   * Puts the server of this URL behind pgbouncer, as an operator does: changes the settings and has
   * them read again.
   */
  async pointAt(serverUrl: string): Promise<void> {
    writeSettings(this.folder, this.port, this.options, serverUrl);
    await query(this.url('pgbouncer'), 'RELOAD');
  }

  async stop(): Promise<void> {
    // SIGINT waits for clients; the programs of the test have ended.
    await this.program.stop('SIGTERM');
    rmSync(this.folder, { recursive: true, force: true });
  }

  private async answers(): Promise<boolean> {
    try {
      await query(this.url('pgbouncer'), 'SHOW VERSION');
      return true;
    } catch {
      // pgbouncer is starting: the caller asks again, with a bound.
      return false;
    }
  }
}

function writeSettings(folder: string, port: number, { poolSize }: PgbouncerOptions, serverUrl: string): void {
  const { hostname, port: serverPort, username, password } = new URL(serverUrl);
  const login = [`user=${username}`, ...(password ? [`password=${password}`] : [])];
  const settings = [
    '[databases]',
    `* = host=${hostname} port=${serverPort || 5432} ${login.join(' ')}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    // Loopback only: every client is let in, with the login above.
    'auth_type = any',
    'admin_users = anybody',
    'pool_mode = transaction',
    `default_pool_size = ${poolSize}`,
    'max_client_conn = 200',
    // Seconds until a server that could not be reached is tried again.
    'server_login_retry = 1',
  ];
  writeFileSync(join(folder, 'pgbouncer.ini'), `${settings.join('\n')}\n`);
}
