import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { complaintsIn, type Complaint } from '../../testkit/log-lines.js';
import { answersOk, Program as Child } from '../../testkit/program.js';
import { until } from '../../testkit/until.js';

// The worker lets running jobs finish for up to 30 s; a benchmark has none that matter by then.
const stopBoundMs = 10_000;
const readyBoundMs = 60_000;

interface ProgramSpec {
  readonly name: string;
  /** Compiled file, from the root of the repository. */
  readonly file: string;
  readonly env: Record<string, string>;
  readonly args?: readonly string[];
}

/** A program that runs until it is stopped. */
export interface Program {
  readonly name: string;
  readonly pid: number;
  stop(): Promise<void>;
  /** Warnings and errors in its log. Complete once it has stopped. */
  complaints(): Complaint[];
}

/** What a task's process sends back: one of both is set. */
interface TaskAnswer<Result> {
  readonly result?: Result;
  readonly error?: string;
}

/** Starts the processes of a benchmark in their own process groups: a Ctrl-C reaches the benchmark alone, which stops them. */
export class Children {
  private readonly running = new Set<Child>();
  private logs = 0;

  constructor(
    private readonly root: string,
    private readonly logFolder: string,
    private readonly signal: AbortSignal,
  ) {
    mkdirSync(logFolder, { recursive: true });
  }

  /** Starts a program and resolves when all of `readyUrls` answer 2xx. */
  async start(spec: ProgramSpec, readyUrls: readonly string[]): Promise<Program> {
    const { child, logFile } = this.spawn(spec);
    for (const url of readyUrls) {
      await child.ready(async () => {
        this.signal.throwIfAborted();
        return answersOk(url);
      }, readyBoundMs);
    }
    const stop = async () => void (await child.stop());
    return { name: spec.name, pid: child.pid, stop, complaints: () => complaintsIn(logFile) };
  }

  /** Runs a program to completion. Throws when it fails. */
  async run(spec: ProgramSpec): Promise<void> {
    const { child, logFile } = this.spawn(spec);
    const { code } = await child.ended;
    this.signal.throwIfAborted();
    if (code !== 0) throw new Error(`${spec.name} failed: see ${logFile}`);
  }

  /** Gives a job to a separate process (see `answerOneJob`) and returns its result. Bounded by `timeoutMs`. */
  async ask<Result>(spec: ProgramSpec, job: object, timeoutMs: number): Promise<Result> {
    this.signal.throwIfAborted();
    const child = fork(join(this.root, 'dist', spec.file), { env: spec.env, cwd: this.root, detached: true });
    try {
      child.send(job);
      const bound = AbortSignal.any([this.signal, AbortSignal.timeout(timeoutMs)]);
      const answer = await Promise.race([
        once(child, 'message', { signal: bound }),
        once(child, 'exit', { signal: bound }).then(() => {
          throw new Error(`${spec.name} ended without an answer`);
        }),
      ]);
      const { result, error } = answer[0] as TaskAnswer<Result>;
      if (error !== undefined || result === undefined) throw new Error(`${spec.name} failed: ${error}`);
      return result;
    } finally {
      child.kill('SIGKILL');
    }
  }

  async stopAll(): Promise<void> {
    await Promise.all([...this.running].map((child) => child.stop()));
  }

  private spawn({ name, file, env, args = [] }: ProgramSpec): { child: Child; logFile: string } {
    this.signal.throwIfAborted();
    const logFile = join(this.logFolder, `${(this.logs += 1)}-${name}.log`);
    const child = new Child({
      name,
      command: process.execPath,
      args: [join(this.root, 'dist', file), ...args],
      env,
      cwd: this.root,
      detached: true,
      logFile,
      stopBoundMs,
    });
    this.running.add(child);
    const forget = () => this.running.delete(child);
    child.ended.then(forget, forget);
    return { child, logFile };
  }
}

/** For the main file of a task: does the one job that `Children.ask` sends, answers and ends; also when its parent ends. */
export function answerOneJob(work: (job: never) => Promise<object>): void {
  process.once('disconnect', () => process.exit(1));
  process.once('message', (job) => void run(job as never));

  async function run(job: never): Promise<void> {
    process.send?.(await answerOf(job));
  }

  async function answerOf(job: never): Promise<TaskAnswer<object>> {
    try {
      return { result: await work(job) };
    } catch (error) {
      return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
    }
  }
}

interface Wait {
  /** For the error. */
  readonly what: string;
  readonly timeoutMs: number;
  readonly everyMs?: number;
  readonly signal: AbortSignal;
}

/** Polls until the answer is yes. Throws when the time is over or the signal aborts. */
export async function waitUntil(isSo: () => Promise<boolean>, { what, everyMs = 100, ...bound }: Wait): Promise<void> {
  await until(what, isSo, { ...bound, everyMs });
}
