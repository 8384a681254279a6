import { join, resolve } from 'node:path';
import { complaintsIn } from '../testkit/log-lines.js';
import { answersOk, Program } from '../testkit/program.js';
import type { Report } from './report.js';

// The worker lets running jobs finish for up to 30 s; no job of a benchmark matters by then.
const stopBoundMs = 10_000;
const readyBoundMs = 60_000;

interface ProgramSpec {
  readonly name: string;
  /** Compiled file, relative to the `dist` of the product; or a command with its whole path. */
  readonly file?: string;
  readonly command?: string;
  readonly env?: Record<string, string>;
  readonly args?: readonly string[];
  /** Options of Node itself. */
  readonly nodeArgs?: readonly string[];
}

interface Folders {
  /** The checkout that this bench belongs to, with its tasks. */
  readonly bench: string;
  /** The checkout whose product is measured. */
  readonly product: string;
  readonly logs: string;
}

/**
 * Starts the processes of a benchmark in their own process groups, so that Ctrl-C reaches only the
 * benchmark, which stops them.
 */
export class Children {
  private static logs = 0;
  private readonly logFiles = new Map<Program, string>();

  constructor(
    private readonly folders: Folders,
    private readonly report: Report,
    private readonly signal: AbortSignal,
  ) {}

  /** The compiled file of a task in `tasks/`. */
  taskFile(name: string): string {
    return join(this.folders.bench, 'dist/tools/bench/tasks', `${name}.js`);
  }

  /** Starts a program and resolves when `ready`, or the URL, answers. */
  start(spec: ProgramSpec, ready: string | (() => Promise<boolean>)): Promise<Program> {
    return this.spawn(spec).ready(async () => {
      this.signal.throwIfAborted();
      return typeof ready === 'string' ? answersOk(ready) : ready();
    }, readyBoundMs);
  }

  /** Stops a program and adds the warnings and errors in its log to the report. */
  async stop(program: Program): Promise<void> {
    await program.stop();
    const logFile = this.logFiles.get(program);
    if (logFile !== undefined) this.report.complaints(program.name, complaintsIn(logFile));
    this.logFiles.delete(program);
  }

  async stopAll(): Promise<void> {
    await Promise.all([...this.logFiles.keys()].map((program) => this.stop(program)));
  }

  /** Runs a program to completion. Throws when it fails. */
  async run(spec: ProgramSpec): Promise<void> {
    const program = this.spawn(spec);
    const { code } = await program.ended;
    const logFile = this.logFiles.get(program);
    this.logFiles.delete(program);
    this.signal.throwIfAborted();
    if (code !== 0) throw new Error(`${spec.name} failed: see ${logFile}`);
  }

  private spawn({ name, file, command = process.execPath, env, args = [], nodeArgs = [] }: ProgramSpec): Program {
    this.signal.throwIfAborted();
    const { product: cwd, logs } = this.folders;
    const logFile = join(logs, `${(Children.logs += 1)}-${name}.log`);
    const all = file === undefined ? args : [...nodeArgs, resolve(cwd, 'dist', file), ...args];
    const where = { cwd, detached: true, logFile, stopBoundMs, ...(env && { env }) };
    const program = new Program({ name, command, args: all, ...where });
    this.logFiles.set(program, logFile);
    return program;
  }
}
