import { setTimeout as pause } from 'node:timers/promises';
import type { Ended, Program } from '../../../../tools/testkit/program.js';
import type { Outages, Part } from './outages.js';

const stopBoundMs = 45_000;
const startsMax = 20;
const startAgainAfterMs = 500;

interface MemberOptions {
  readonly name: Part | 'sandbox';
  /** `env` is added to the program's usual environment. */
  readonly spawn: (env: Readonly<Record<string, string>>) => Program;
  readonly isReady: () => Promise<boolean>;
  readonly outages: Outages;
  /** Parts that the process needs to start. */
  readonly needs: readonly Part[];
  readonly onFault: (text: string) => void;
}

/**
 * A process of the run, which is stopped, killed and started again. Its end at any other time is a
 * fault.
 */
export class Member {
  readonly name: string;
  private program: Program | undefined;
  private isWanted = false;

  constructor(private readonly options: MemberOptions) {
    this.name = options.name;
  }

  /**
   * Resolves when the process is ready. Restarts it, as a supervisor would, while a part that it
   * needs is unavailable.
   */
  async start(env: Readonly<Record<string, string>> = {}): Promise<void> {
    const { name, spawn, isReady, outages } = this.options;
    for (let starts = 1; ; starts += 1) {
      const startedAtMs = Date.now();
      const program = spawn(env);
      this.program = program;
      this.isWanted = true;
      void program.ended.then((ended) => this.onEnd(program, ended, startedAtMs));
      try {
        await program.ready(isReady, 60_000);
        if (name !== 'sandbox') outages.end(name);
        return;
      } catch (cause) {
        const isExcused = this.wasNeedUnavailable(startedAtMs) && !program.isRunning;
        if (!isExcused || starts === startsMax) throw new Error(`${name} could not be started`, { cause });
        await pause(startAgainAfterMs);
      }
    }
  }

  /**
   * Ends the process by a signal; returns how it ended. A process that does not end in time is
   * killed, which is a fault.
   */
  async end(signal: NodeJS.Signals): Promise<Ended> {
    const { program } = this;
    if (!program) throw new Error(`${this.name} has not been started`);
    const { name, outages, onFault } = this.options;
    if (name !== 'sandbox') outages.begin(name);
    this.isWanted = false;
    const force = setTimeout(() => {
      onFault(`${name} did not end within ${stopBoundMs / 1_000} s of ${signal}`);
      void program.stop('SIGKILL');
    }, stopBoundMs);
    try {
      const ended = await program.stop(signal);
      if (signal === 'SIGTERM' && ended.code !== 0 && ended.signal !== 'SIGTERM')
        onFault(`${name} answered SIGTERM by ending with ${endOf(ended)}`);
      return ended;
    } finally {
      clearTimeout(force);
    }
  }

  /** Ends the process by the signal if it runs, without recording a fault. */
  async leave(signal: NodeJS.Signals): Promise<void> {
    this.isWanted = false;
    if (this.program?.isRunning) await this.end(signal);
  }

  private onEnd(program: Program, ended: Ended, startedAtMs: number): void {
    if (program !== this.program || !this.isWanted || this.wasNeedUnavailable(startedAtMs)) return;
    this.options.onFault(`${this.name} ended by itself with ${endOf(ended)}`);
  }

  /**
   * Whether the process may have ended by itself: a program whose database is unavailable at its
   * start exits; a running one must not.
   */
  private wasNeedUnavailable(startedAtMs: number): boolean {
    const { name, outages, needs } = this.options;
    const isStarting = name !== 'sandbox' && outages.isAway(name);
    return isStarting && outages.during(needs, startedAtMs, Date.now(), 1_000).length > 0;
  }
}

function endOf({ code, signal }: Ended): string {
  return signal ?? `exit code ${code}`;
}
