import { execFile, spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { until } from './until.js';

/**
 * A problem that the person at the keyboard can solve: the message is one line with cause and
 * remedy, shown without a stack.
 */
export class StartError extends Error {
  override readonly name = 'StartError';
}

export interface ProgramOptions {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** The whole environment; PATH and HOME are added. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** File that the output is appended to. */
  readonly logFile?: string;
  /**
   * Receives each line of the output instead. Without either, the program writes to this process's
   * output.
   */
  readonly onLine?: (line: string) => void;
  readonly cwd?: string;
  readonly uid?: number;
  readonly gid?: number;
  /** Starts the program in its own process group, which a Ctrl-C in the terminal does not reach. */
  readonly detached?: boolean;
  /** Time that `stop` waits before it kills the program. */
  readonly stopBoundMs?: number;
}

/** End of a program: one of both is set. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

const STOP_BOUND_MS = 60_000;
const LAST_LINES_BOUND_MS = 1_000;
const running = new Set<ChildProcess>();
// A run that is stopped halfway leaves no process behind.
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** A child process that runs until it is stopped. */
export class Program {
  readonly ended: Promise<Ended>;
  private readonly child: ChildProcess;
  private hasEnded = false;

  constructor(private readonly options: ProgramOptions) {
    this.child = start(options);
    const { child } = this;
    running.add(child);
    this.ended = new Promise((resolve, reject) => {
      child.once('error', (error) => {
        running.delete(child);
        this.hasEnded = true;
        reject(error);
      });
      // 'close' follows the last line, unless a grandchild keeps the pipe open.
      child.once('close', (code, signal) => resolve({ code, signal }));
      child.once('exit', (code, signal) => {
        this.hasEnded = true;
        running.delete(child);
        setTimeout(() => resolve({ code, signal }), LAST_LINES_BOUND_MS).unref();
      });
    });
    // Callers that wait for readiness alone learn of the failure there.
    this.ended.catch(() => undefined);
  }

  get name(): string {
    return this.options.name;
  }

  /** Throws when the program could not be started. */
  get pid(): number {
    const { pid } = this.child;
    if (pid === undefined) throw new Error(`${this.name} could not be started`);
    return pid;
  }

  get isRunning(): boolean {
    return !this.hasEnded;
  }

  /**
   * Waits until `look` holds. Throws with the end of the log when the program ends first or the
   * time is over.
   */
  async ready(look: () => Promise<boolean>, timeoutMs = 60_000): Promise<this> {
    try {
      await until(
        `${this.name} is ready`,
        async () => {
          if (this.hasEnded) throw new Error(`${this.name} ended instead of becoming ready`);
          return look();
        },
        { timeoutMs },
      );
    } catch (cause) {
      throw new Error(`${this.name} did not start:\n${this.lastLines()}`, { cause });
    }
    return this;
  }

  /** Kills the program, as a crash would. */
  async crash(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended;
  }

  /** Asks the program to end, kills it after its bound, and returns how it ended. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<Ended> {
    this.child.kill(signal);
    const force = setTimeout(() => this.child.kill('SIGKILL'), this.options.stopBoundMs ?? STOP_BOUND_MS);
    try {
      return await this.ended;
    } finally {
      clearTimeout(force);
    }
  }

  private lastLines(): string {
    const { logFile } = this.options;
    return logFile === undefined ? '' : readFileSync(logFile, 'utf8').trim().split('\n').slice(-15).join('\n');
  }
}

function start({ command, args, env, logFile, onLine, cwd, uid, gid, detached = false }: ProgramOptions): ChildProcess {
  const where: SpawnOptions = {
    env: { ...basics(), ...env },
    detached,
    ...(cwd !== undefined && { cwd }),
    ...(uid !== undefined && { uid }),
    ...(gid !== undefined && { gid }),
  };
  if (logFile !== undefined) {
    // The output goes straight into a file: relaying lines would cost processor time in benchmarks.
    mkdirSync(dirname(logFile), { recursive: true });
    const log = openSync(logFile, 'a');
    const child = spawn(command, args, { ...where, stdio: ['ignore', log, log] });
    closeSync(log);
    return child;
  }
  if (!onLine) return spawn(command, args, { ...where, stdio: ['ignore', 'inherit', 'inherit'] });
  const child = spawn(command, args, { ...where, stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream, crlfDelay: Infinity }).on('line', onLine);
  }
  return child;
}

function basics(): Record<string, string> {
  const { PATH = '', HOME = '' } = process.env;
  return { PATH, HOME };
}

/** Result of a program that ran to completion. */
export interface Run {
  /** null: it was killed, by the bound or otherwise. */
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

type RunOptions = Pick<SpawnOptions, 'cwd' | 'uid' | 'gid'> & {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly timeoutMs: number;
};

const OUTPUT_BYTES_MAX = 64 * 2 ** 20;

export function run(command: string, args: readonly string[], { env, timeoutMs, ...where }: RunOptions): Promise<Run> {
  return new Promise((resolve, reject) => {
    const child = execFile(
      command,
      args,
      { ...where, env: { ...basics(), ...env }, timeout: timeoutMs, maxBuffer: OUTPUT_BYTES_MAX },
      (error, output, errors) => {
        // A number is the program's exit code; a text says why it could not be started.
        if (typeof error?.code === 'string') reject(error);
        else resolve({ code: child.exitCode, output, errors });
      },
    );
    running.add(child);
    child.once('close', () => running.delete(child));
  });
}

/** Runs a JavaScript file to completion. */
export function runNode(
  file: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  timeoutMs: number,
): Promise<Run> {
  return run(process.execPath, [file, ...args], { env, timeoutMs });
}

/** Whether a URL answers 2xx. */
export async function answersOk(url: string): Promise<boolean> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(2_000) });
    await answer.arrayBuffer();
    return answer.ok;
  } catch {
    // No server listens there yet.
    return false;
  }
}
