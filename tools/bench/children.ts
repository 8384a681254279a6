import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { complaintsIn } from '../testkit/log-lines.js';
import { answersOk, Program, run } from '../testkit/program.js';
import type { Report } from './report.js';

// The worker lets running jobs finish for up to 30 s; no job of a benchmark matters by then.
const stopBoundMs = 10_000;
const readyBoundMs = 60_000;

interface ProgramSpec {
  readonly name: string;
  /** Compiled file, relative to `dist`. */
  readonly file: string;
  readonly env?: Record<string, string>;
  readonly args?: readonly string[];
}

/** What a task's process sends back: one of both is set. */
interface TaskAnswer<Result> {
  readonly result?: Result;
  readonly error?: string;
}

/** Starts the processes of a benchmark in their own process groups, so that Ctrl-C reaches only the benchmark, which stops them. */
export class Children {
  private readonly logFiles = new Map<Program, string>();
  private logs = 0;

  constructor(
    private readonly root: string,
    private readonly logFolder: string,
    private readonly report: Report,
    private readonly signal: AbortSignal,
  ) {}

  /** Starts a program and resolves when `readyUrl` answers 2xx. */
  start(spec: ProgramSpec, readyUrl: string): Promise<Program> {
    return this.spawn(spec).ready(async () => {
      this.signal.throwIfAborted();
      return answersOk(readyUrl);
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

  /** Gives a job to a task (see `answerOneJob`) in its own process and returns the result. Bounded by `timeoutMs`. */
  async ask<Result>(task: string, job: object, timeoutMs: number): Promise<Result> {
    this.signal.throwIfAborted();
    const { PATH, HOME } = process.env;
    const file = join(this.root, 'dist/tools/bench/tasks', `${task}.js`);
    const child = fork(file, { env: { PATH, HOME }, cwd: this.root, detached: true });
    try {
      child.send(job);
      const bound = AbortSignal.any([this.signal, AbortSignal.timeout(timeoutMs)]);
      const answer = await Promise.race([
        once(child, 'message', { signal: bound }),
        once(child, 'exit', { signal: bound }).then(() => {
          throw new Error(`${task} ended without an answer`);
        }),
      ]);
      const { result, error } = answer[0] as TaskAnswer<Result>;
      if (error !== undefined || result === undefined) throw new Error(`${task} failed: ${error}`);
      return result;
    } finally {
      child.kill('SIGKILL');
    }
  }

  private spawn({ name, file, env, args = [] }: ProgramSpec): Program {
    this.signal.throwIfAborted();
    const logFile = join(this.logFolder, `${(this.logs += 1)}-${name}.log`);
    const all = [join(this.root, 'dist', file), ...args];
    const where = { cwd: this.root, detached: true, logFile, stopBoundMs, ...(env && { env }) };
    const program = new Program({ name, command: process.execPath, args: all, ...where });
    this.logFiles.set(program, logFile);
    return program;
  }
}

/** Main program of a task: does the one job that `Children.ask` sends, answers and ends. It also ends with its parent. */
export function answerOneJob(work: (job: never) => Promise<object>): void {
  const answer = async (job: never): Promise<void> => {
    try {
      process.send?.({ result: await work(job) });
    } catch (error) {
      process.send?.({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
    }
  };
  process.once('disconnect', () => process.exit(1));
  process.once('message', (job) => void answer(job as never));
}

/** The process's resident memory in MB (10^6 bytes), from /proc where it exists, else from ps. */
export async function residentMb(pid: number): Promise<number> {
  const status = `/proc/${pid}/status`;
  const kib = existsSync(status)
    ? /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(status, 'utf8'))?.[1]
    : (await run('ps', ['-o', 'rss=', '-p', String(pid)], { timeoutMs: stopBoundMs })).output.trim();
  if (!kib) throw new Error(`Process ${pid} has ended`);
  return (Number(kib) * 1_024) / 1_000_000;
}
