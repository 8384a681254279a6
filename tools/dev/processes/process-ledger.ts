import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { StartError } from '../start-error.js';
import { identify, isAlive, type ProcessIdentity } from './process-identity.js';
import { stopProcess } from './stop-process.js';

/** A child as it is remembered on disk, with the signal that ends it politely. */
export interface LedgerEntry extends ProcessIdentity {
  name: string;
  stopSignal: NodeJS.Signals;
}

interface LedgerFile {
  launcher: ProcessIdentity;
  processes: LedgerEntry[];
}

const leftoverBoundMs = 10_000;

/** The children of the running launcher, kept in a file so that the next start finds those of one that was killed. */
export class ProcessLedger {
  private readonly entries = new Map<number, LedgerEntry>();
  private isOurs = false;

  constructor(private readonly file: string) {}

  /**
   * Stops what an earlier launcher left behind and answers its names. Throws StartError when that launcher still runs.
   */
  async stopLeftovers(): Promise<string[]> {
    const earlier = this.read();
    if (!earlier) return [];
    if (isAlive(earlier.launcher)) {
      throw new StartError(
        `Pennytext is already running from this folder (process ${earlier.launcher.pid}): stop it with Ctrl-C, or kill ${earlier.launcher.pid}.`,
      );
    }
    const alive = earlier.processes.filter(isAlive);
    await Promise.all(alive.map((entry) => stopProcess(entry, entry.stopSignal, leftoverBoundMs)));
    rmSync(this.file, { force: true });
    return alive.map((entry) => entry.name);
  }

  add(entry: LedgerEntry): void {
    this.entries.set(entry.pid, entry);
    this.write();
  }

  remove(pid: number): void {
    this.entries.delete(pid);
    this.write();
  }

  /** Forgets everything: called when all children have ended. The file of a launcher that still runs stays. */
  close(): void {
    if (this.isOurs) rmSync(this.file, { force: true });
  }

  private write(): void {
    const launcher = identify(process.pid);
    if (!launcher) return;
    this.isOurs = true;
    const content: LedgerFile = { launcher, processes: [...this.entries.values()] };
    writeFileSync(this.file, JSON.stringify(content));
  }

  private read(): LedgerFile | undefined {
    if (!existsSync(this.file)) return undefined;
    try {
      return JSON.parse(readFileSync(this.file, 'utf8')) as LedgerFile;
    } catch {
      // A launcher that was killed while it wrote leaves half a file; its guardian stopped the children.
      return undefined;
    }
  }
}
