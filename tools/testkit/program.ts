import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { until } from './until.js';

interface ProgramOptions {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly logFile: string;
  readonly cwd?: string;
  readonly uid?: number;
  readonly gid?: number;
  /** In a process group of its own, which a Ctrl-C in the terminal does not reach. */
  readonly detached?: boolean;
}

/** How a program ended: one of both is set. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

const running = new Set<ChildProcess>();
// A test runner that is stopped in the middle leaves nothing behind.
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** A process, with its output in a file. It gets PATH, HOME and what it is given, nothing else. */
export class Program {
  readonly ended: Promise<Ended>;
  private readonly child: ChildProcess;
  private hasEnded = false;

  constructor(private readonly options: ProgramOptions) {
    const { command, args, env, logFile, ...where } = options;
    mkdirSync(dirname(logFile), { recursive: true });
    const log = openSync(logFile, 'a');
    const { PATH = '', HOME = '' } = process.env;
    this.child = spawn(command, args, {
      env: { PATH, HOME, ...env },
      stdio: ['ignore', log, log],
      ...optionsOf(where),
    });
    closeSync(log);
    running.add(this.child);
    this.ended = new Promise((resolve, reject) => {
      this.child.once('error', reject);
      this.child.once('exit', (code, signal) => {
        this.hasEnded = true;
        running.delete(this.child);
        resolve({ code, signal });
      });
    });
  }

  /** Throws when it could not be started. */
  get pid(): number {
    const { pid } = this.child;
    if (pid === undefined) throw new Error(`${this.options.name} could not be started`);
    return pid;
  }

  get isRunning(): boolean {
    return !this.hasEnded;
  }

  /** Waits until `look` holds. Throws with the end of the log when the program ends first or the time is over. */
  async ready(look: () => Promise<boolean>, timeoutMs = 30_000): Promise<this> {
    try {
      await until(
        `${this.options.name} is ready`,
        async () => {
          if (this.hasEnded) throw new Error(`${this.options.name} ended instead of becoming ready`);
          return look();
        },
        { timeoutMs },
      );
    } catch (cause) {
      throw new Error(`${this.options.name} did not start:\n${this.lastLines()}`, { cause });
    }
    return this;
  }

  /** Ends it as a crash would. */
  async crash(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended;
  }

  /** Asks it to end, and answers how it did. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<Ended> {
    this.child.kill(signal);
    return this.ended;
  }

  private lastLines(): string {
    return readFileSync(this.options.logFile, 'utf8').trim().split('\n').slice(-15).join('\n');
  }
}

function optionsOf({ cwd, uid, gid, detached }: Partial<ProgramOptions>): SpawnOptions {
  return {
    ...(cwd !== undefined && { cwd }),
    ...(uid !== undefined && { uid }),
    ...(gid !== undefined && { gid }),
    ...(detached !== undefined && { detached }),
  };
}

/** Whether a URL answers 2xx. */
export async function answersOk(url: string): Promise<boolean> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(2_000) });
    await answer.arrayBuffer();
    return answer.ok;
  } catch {
    // Nobody listens there yet.
    return false;
  }
}
