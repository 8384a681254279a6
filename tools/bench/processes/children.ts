import { fork, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { complaintsIn, type Complaint } from '../../testkit/log-lines.js';
import type { TaskAnswer } from './task.js';
import { waitUntil } from './wait-until.js';

// The worker lets running jobs finish for up to 30 s; a bench has none that matter by then.
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
  /** What its log complains of. Complete once it has stopped. */
  complaints(): Complaint[];
}

/**
 * The one door through which processes start, so that none outlives the bench. They stand in process groups of their
 * own: a Ctrl-C reaches the bench alone, which then stops them in order.
 */
export class Children {
  private readonly running = new Set<ChildProcess>();
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
    const { pid } = child;
    if (pid === undefined) throw new Error(`${spec.name} could not be started`);
    for (const url of readyUrls) {
      const wait = {
        what: `${spec.name} becoming ready (log: ${logFile})`,
        timeoutMs: readyBoundMs,
        signal: this.signal,
      };
      await waitUntil(async () => {
        if (hasEnded(child)) throw new Error(`${spec.name} ended before it was ready: see ${logFile}`);
        return isOk(url);
      }, wait);
    }
    return { name: spec.name, pid, stop: () => stop(child), complaints: () => complaintsIn(logFile) };
  }

  /** Runs a program to its end. Throws when that is not a success. */
  async run(spec: ProgramSpec): Promise<void> {
    const { child, logFile } = this.spawn(spec);
    await (hasEnded(child) ? undefined : once(child, 'exit', { signal: this.signal }));
    if (child.exitCode !== 0) throw new Error(`${spec.name} failed: see ${logFile}`);
  }

  /** Gives a task to a process of its own (see task.ts) and answers what comes of it. Bounded by `timeoutMs`. */
  async ask<Result>(spec: ProgramSpec, job: object, timeoutMs: number): Promise<Result> {
    this.signal.throwIfAborted();
    const child = fork(join(this.root, 'dist', spec.file), { env: spec.env, cwd: this.root, detached: true });
    this.keep(child);
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
      await stop(child);
    }
  }

  async stopAll(): Promise<void> {
    await Promise.all([...this.running].map(stop));
  }

  /** Ends everything at once, by force. */
  killAll(): void {
    for (const child of this.running) child.kill('SIGKILL');
  }

  private spawn({ name, file, env, args = [] }: ProgramSpec): { child: ChildProcess; logFile: string } {
    this.signal.throwIfAborted();
    const logFile = join(this.logFolder, `${(this.logs += 1)}-${name}.log`);
    // Straight into a file: passing lines on would cost the machine that is measured.
    const log = openSync(logFile, 'a');
    const child = spawn(process.execPath, [join(this.root, 'dist', file), ...args], {
      env,
      cwd: this.root,
      detached: true,
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    this.keep(child);
    return { child, logFile };
  }

  private keep(child: ChildProcess): void {
    this.running.add(child);
    child.once('exit', () => this.running.delete(child));
    child.once('error', () => this.running.delete(child));
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const force = setTimeout(() => child.kill('SIGKILL'), stopBoundMs);
  await ended;
  clearTimeout(force);
}

function hasEnded({ exitCode, signalCode, pid }: ChildProcess): boolean {
  return pid === undefined || exitCode !== null || signalCode !== null;
}

async function isOk(url: string): Promise<boolean> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(2_000) });
    await answer.arrayBuffer();
    return answer.ok;
  } catch {
    // Nobody listens yet: the caller asks again, with a bound.
    return false;
  }
}
