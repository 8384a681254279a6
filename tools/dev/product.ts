import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BoxContent } from './box.js';
import { environmentLines, productEnvironment, programEnvironment } from './child-environment.js';
import { demoApiKey, demoEmail, type RunAdmin } from './demo-account.js';
import { textOf } from './text-of.js';
import { relayLines } from './line-log.js';
import type { ProcessGroup, ProcessSpec } from './processes/process-group.js';
import { waitForOk } from './readiness.js';
import type { Secrets } from './secrets.js';
import { startServices, stopRanks } from './services.js';
import type { Settings } from './settings.js';
import { StartError } from './start-error.js';

// The worker lets running jobs finish for up to 30 s.
const stopBoundsMs = { server: 15_000, worker: 35_000, sandbox: 5_000 };

/** Brings the whole product up, in order, each part as soon as what it needs is there. */
export class Product {
  private readonly sandboxUrl: string;
  private readonly workerUrl: string;

  constructor(
    private readonly root: string,
    private readonly dataDir: string,
    private readonly settings: Settings,
    private readonly secrets: Secrets,
    private readonly group: ProcessGroup,
    private readonly signal: AbortSignal,
  ) {
    this.sandboxUrl = `http://localhost:${settings.sandboxPort}`;
    this.workerUrl = `http://localhost:${settings.workerPort}`;
  }

  /** Answers what there is to show once every part is ready. Throws StartError when one does not become so. */
  async start(): Promise<Omit<BoxContent, 'tookMs'>> {
    const { settings, secrets, dataDir } = this;
    const programs = programEnvironment(settings, secrets, join(dataDir, 'sandbox'), process.env);
    const sandbox = this.startProgram('sandbox', programs.sandbox, [`${this.sandboxUrl}/_control/faults`]);
    const [services] = await Promise.all([startServices(this.group, dataDir, settings), sandbox]);
    const product = productEnvironment(settings, secrets, services, process.env);
    writeFileSync(join(dataDir, 'local.env'), environmentLines(product), { mode: 0o600 });

    await this.migrate({ ...product, LOG_FORMAT: programs.server.LOG_FORMAT });
    const local = `http://127.0.0.1:${settings.port}`;
    const [apiKey] = await Promise.all([
      demoApiKey(this.adminWith(product)),
      this.startProgram('server', { ...product, ...programs.server }, [`${local}/healthz`, `${local}/readyz`]),
      this.startProgram('worker', { ...product, ...programs.worker }, [
        `${this.workerUrl}/healthz`,
        `${this.workerUrl}/readyz`,
      ]),
    ]);
    return {
      publicUrl: settings.publicUrl,
      sandboxUrl: this.sandboxUrl,
      workerUrl: this.workerUrl,
      apiKey,
      demoEmail,
      usesSandbox: !settings.hasTwilio,
      queue: services.redisUrl ? 'redis' : 'postgres',
    };
  }

  private async startProgram(
    name: 'server' | 'worker' | 'sandbox',
    env: Record<string, string>,
    readyUrls: string[],
  ): Promise<void> {
    await this.group.spawn({
      ...this.program(`${name}/main.js`, env),
      name,
      kind: 'service',
      stopRank: stopRanks[name],
      stopBoundMs: stopBoundsMs[name],
      onOutput: (stdout, stderr) => {
        relayLines(name, stdout);
        relayLines(name, stderr);
      },
    });
    await waitForOk(name, readyUrls, this.signal);
  }

  private async migrate(env: Record<string, string>): Promise<void> {
    const migration = await this.group.spawn({
      ...this.program('core/platform/database/migrate.js', env),
      name: 'migrate',
      onOutput: (stdout, stderr) => {
        relayLines('migrate', stdout);
        relayLines('migrate', stderr);
      },
    });
    const { code } = await migration.ended;
    if (code !== 0)
      throw new StartError('The database could not be brought up to date: see the lines of migrate above.');
  }

  private adminWith(env: Record<string, string>): RunAdmin {
    return async (args) => {
      let texts: Promise<[string, string]> | undefined;
      const program = this.program('admin/main.js', env);
      const admin = await this.group.spawn({
        ...program,
        args: [...program.args, ...args],
        name: 'admin',
        onOutput: (stdout, stderr) => {
          texts = Promise.all([textOf(stdout), textOf(stderr)]);
        },
      });
      const { code } = await admin.ended;
      const [output, faults] = (await texts) ?? ['', ''];
      return { code, output, faults };
    };
  }

  private program(file: string, env: Record<string, string>): Omit<ProcessSpec, 'name' | 'onOutput'> {
    return {
      command: process.execPath,
      args: [join(this.root, 'dist', file)],
      env,
      cwd: this.root,
      kind: 'task',
      stopRank: stopRanks.task,
      stopSignal: 'SIGTERM',
      stopBoundMs: 5_000,
    };
  }
}
