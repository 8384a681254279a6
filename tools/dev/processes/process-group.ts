import { spawn, type ChildProcessByStdio } from 'node:child_process';
import type { Readable } from 'node:stream';
import { Guardian } from './guardian.js';
import { identify, type ProcessIdentity } from './process-identity.js';
import type { ProcessLedger } from './process-ledger.js';
import { sendSignal, stopProcess } from './stop-process.js';

/** How to start a child. Services with a lower `stopRank` stop first; a task ends by itself. */
export interface ProcessSpec {
  name: string;
  command: string;
  args: string[];
  env?: Record<string, string | undefined>;
  cwd?: string;
  uid?: number;
  gid?: number;
  kind: 'service' | 'task';
  stopRank: number;
  stopSignal: NodeJS.Signals;
  stopBoundMs: number;
  onOutput: (stdout: Readable, stderr: Readable) => void;
}

/** How a child ended: one of both is set. */
export interface ProcessEnd {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A child that was started. */
export interface RunningProcess {
  name: string;
  pid: number;
  ended: Promise<ProcessEnd>;
}

interface Member {
  spec: ProcessSpec;
  identity: ProcessIdentity;
  ended: Promise<ProcessEnd>;
}

const lastLinesBoundMs = 1_000;

/**
 * The one door through which children start, so that none is ever forgotten. Children get process groups of their own: a
 * Ctrl-C in the terminal reaches the launcher alone, which then stops them in order.
 */
export class ProcessGroup {
  private readonly members = new Map<number, Member>();
  private readonly guardian = new Guardian();
  private stopping: Promise<void> | undefined;

  constructor(
    private readonly ledger: ProcessLedger | undefined,
    private readonly onServiceDeath: (name: string, end: ProcessEnd) => void,
  ) {}

  get isStopping(): boolean {
    return this.stopping !== undefined;
  }

  /** Starts a child. Throws when the command cannot be started or everything is being stopped. */
  async spawn(spec: ProcessSpec): Promise<RunningProcess> {
    if (this.stopping) throw new Error(`${spec.name} is not started: everything is being stopped`);
    const child = spawn(spec.command, spec.args, {
      env: { ...process.env, ...spec.env },
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(spec.cwd === undefined ? {} : { cwd: spec.cwd }),
      ...(spec.uid === undefined ? {} : { uid: spec.uid }),
      ...(spec.gid === undefined ? {} : { gid: spec.gid }),
    });
    const { pid } = child;
    if (pid === undefined) return failedSpawn(child);
    const ended = new Promise<ProcessEnd>((resolve) => {
      // 'close' comes with its last line, unless a grandchild keeps the pipe open.
      child.once('close', (code, signal) => resolve({ code, signal }));
      child.once('exit', (code, signal) => setTimeout(() => resolve({ code, signal }), lastLinesBoundMs).unref());
    });
    const identity = identify(pid) ?? { pid, startedAt: '' };
    this.members.set(pid, { spec, identity, ended });
    this.ledger?.add({ ...identity, name: spec.name, stopSignal: spec.stopSignal });
    this.guardian.watch(pid, spec.stopSignal);
    spec.onOutput(child.stdout, child.stderr);
    child.once('exit', (code, signal) => {
      this.members.delete(pid);
      this.ledger?.remove(pid);
      this.guardian.forget(pid);
      if (spec.kind === 'service' && !this.stopping) this.onServiceDeath(spec.name, { code, signal });
    });
    return { name: spec.name, pid, ended };
  }

  /** Stops one child, by force once its bound has passed. */
  async stop({ pid, ended }: RunningProcess): Promise<void> {
    const member = this.members.get(pid);
    if (member) await stopProcess(member.identity, member.spec.stopSignal, member.spec.stopBoundMs);
    await ended;
  }

  /** Stops everything, rank by rank, each with its own bound. Repeated calls wait for the first. */
  stopAll(): Promise<void> {
    this.stopping ??= this.stopInOrder();
    return this.stopping;
  }

  /** Ends everything at once, by force. */
  killAll(): void {
    for (const { identity } of this.members.values()) sendSignal(identity, 'SIGKILL');
  }

  private async stopInOrder(): Promise<void> {
    const ranks = [...new Set([...this.members.values()].map(({ spec }) => spec.stopRank))].sort((a, b) => a - b);
    for (const rank of ranks) {
      const together = [...this.members.values()].filter(({ spec }) => spec.stopRank === rank);
      await Promise.all(
        together.map(async ({ identity, spec, ended }) => {
          await stopProcess(identity, spec.stopSignal, spec.stopBoundMs);
          await ended;
        }),
      );
    }
    this.guardian.dismiss();
    this.ledger?.close();
  }
}

function failedSpawn(child: ChildProcessByStdio<null, Readable, Readable>): Promise<never> {
  return new Promise((_resolve, reject) => child.once('error', reject));
}
