import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repository } from './repository.js';
import { until } from '../../tools/testkit/until.js';

const RUN_WITHIN_MS = 150_000;

interface Ran {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
}

/**
 * A customer's project in a fresh folder, with the packed SDK installed from its tarball and
 * nothing else.
 */
export class SdkProject {
  private constructor(readonly folder: string) {}

  /** Installs what the site serves without a registry, as the package has no dependencies. */
  static async create(): Promise<SdkProject> {
    const project = new SdkProject(mkdtempSync(join(tmpdir(), 'pennytext-sdk-')));
    const tarball = join(repository, 'dist/web/client/pennytext.tgz');
    project.write('package.json', JSON.stringify({ name: 'shop', private: true }));
    const install = ['install', '--offline', '--no-audit', '--no-fund', '--silent', tarball];
    project.expectDone(await project.run('npm', install));
    return project;
  }

  /** Path of an installed file of the package. */
  installed(name: string): string {
    return join(this.folder, 'node_modules/pennytext', name);
  }

  write(name: string, text: string): string {
    const path = join(this.folder, name);
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, text);
    return path;
  }

  /** Writes a program, runs it and returns what it printed. Throws unless it ended well. */
  async program(name: string, text: string, env: Readonly<Record<string, string>>): Promise<string> {
    return this.expectDone(await this.run(process.execPath, [this.write(name, text)], { env })).output;
  }

  /** Runs `pennytext` as npm has linked it. */
  cli(args: readonly string[], options: RunOptions = {}): Promise<Ran> {
    return this.run(join(this.folder, 'node_modules/.bin/pennytext'), args, options);
  }

  /** Starts `pennytext`; end it by its `stop`. */
  start(args: readonly string[], env: Readonly<Record<string, string>>): RunningCli {
    return new RunningCli(join(this.folder, 'node_modules/.bin/pennytext'), args, this.environment(env), this.folder);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  expectDone(ran: Ran): Ran {
    if (ran.code !== 0) throw new Error(`Ended with ${ran.code}:\n${ran.output}\n${ran.errors}`);
    return ran;
  }

  async run(command: string, args: readonly string[], { env = {}, input = '' }: RunOptions = {}): Promise<Ran> {
    const running = new RunningCli(command, args, this.environment(env), this.folder);
    running.write(input);
    return running.ended();
  }

  private environment(env: Readonly<Record<string, string>>): Record<string, string> {
    const { PATH = '', HOME = '' } = process.env;
    return { PATH, HOME, XDG_CONFIG_HOME: join(this.folder, 'config'), ...env };
  }
}

/** A command that runs until it ends or is stopped. */
export class RunningCli {
  output = '';
  errors = '';
  private readonly child;
  private readonly closed: Promise<unknown>;

  constructor(command: string, args: readonly string[], env: Readonly<Record<string, string>>, cwd: string) {
    this.child = spawn(command, args, { env: { ...env }, cwd, stdio: ['pipe', 'pipe', 'pipe'] });
    this.child.stdout.setEncoding('utf8').on('data', (text: string) => (this.output += text));
    this.child.stderr.setEncoding('utf8').on('data', (text: string) => (this.errors += text));
    this.closed = once(this.child, 'close');
  }

  write(input: string): void {
    this.child.stdin.end(input);
  }

  async ended(): Promise<Ran> {
    const timer = setTimeout(() => this.child.kill('SIGKILL'), RUN_WITHIN_MS);
    await this.closed;
    clearTimeout(timer);
    return { code: this.child.exitCode, output: this.output, errors: this.errors };
  }

  /** Stops the command by Ctrl-C. */
  async stop(): Promise<Ran> {
    this.child.kill('SIGINT');
    return this.ended();
  }

  prints(pattern: RegExp, timeoutMs = 30_000): Promise<RegExpExecArray> {
    return until(
      `the command prints ${pattern}; it printed:\n${this.output}\n${this.errors}`,
      () => pattern.exec(this.output) ?? pattern.exec(this.errors) ?? undefined,
      { timeoutMs },
    );
  }
}
