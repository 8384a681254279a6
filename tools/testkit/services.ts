import { join } from 'node:path';
import { freePort } from './ports.js';
import { acceptsQueries, checkDatabase, prepareCluster, removeCluster } from './postgres.js';
import { Program } from './program.js';
import { answersPing, checkRedis, redisProgram } from './redis.js';

/**
 * Stores for one run: the stores that the environment names, else new stores that end with the run.
 */
export class Services {
  private readonly programs: Program[] = [];
  private starting: Promise<Record<string, string>> | undefined;

  constructor(
    /** Folder of data and logs. */
    private readonly folder: string,
    /**
     * Whether data survives a crash of the machine, as in production; without, everything is
     * faster.
     */
    private readonly isDurable: boolean,
  ) {}

  /**
   * DATABASE_URL and REDIS_URL; the first caller starts the stores. Throws StartError when one
   * cannot be used.
   */
  environment(): Promise<Record<string, string>> {
    this.starting ??= this.start();
    return this.starting;
  }

  /** Stops the stores that were started and deletes their data. */
  async stop(): Promise<void> {
    await Promise.all(this.programs.map((program) => program.stop('SIGINT')));
    removeCluster(this.folder);
  }

  private async start(): Promise<Record<string, string>> {
    const { DATABASE_URL, REDIS_URL } = process.env;
    if (DATABASE_URL) await checkDatabase(DATABASE_URL);
    if (REDIS_URL) await checkRedis(REDIS_URL);
    return { DATABASE_URL: DATABASE_URL || (await this.postgres()), REDIS_URL: REDIS_URL || (await this.redis()) };
  }

  private async postgres(): Promise<string> {
    const fast = this.isDurable ? [] : ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];
    const { serverUrl, ...how } = await prepareCluster(this.folder, ['max_connections=300', ...fast]);
    const logFile = join(this.folder, 'postgres.log');
    const server = new Program({ ...how, name: 'postgres', logFile, detached: true });
    this.programs.push(server);
    await server.ready(() => acceptsQueries(`${serverUrl}/postgres`));
    return `${serverUrl}/postgres`;
  }

  private async redis(): Promise<string> {
    const port = await freePort();
    const settings = { dir: this.folder, appendonly: this.isDurable ? 'yes' : 'no' };
    const server = redisProgram(port, { logFile: join(this.folder, 'redis.log'), settings, detached: true });
    this.programs.push(server);
    await server.ready(() => answersPing(port));
    return `redis://127.0.0.1:${port}`;
  }
}
