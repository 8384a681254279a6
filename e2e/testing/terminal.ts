import { spawn, type ChildProcess } from 'node:child_process';
import { appendFileSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { until } from '../../tools/testkit/until.js';

interface TerminalOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly logFile: string;
}

const open = new Set<ChildProcess>();
// A test runner that is stopped in the middle leaves nothing behind.
process.on('exit', () => {
  for (const child of open) signalGroup(child, 'SIGTERM');
});

/**
 * A command as a person runs it in a terminal: a shell in the foreground, which a Ctrl-C reaches
 * with all its children.
 */
export class Terminal {
  private readonly child: ChildProcess;
  private hasClosed = false;
  private text = '';

  constructor(
    private readonly command: string,
    { cwd, env, logFile }: TerminalOptions,
  ) {
    mkdirSync(dirname(logFile), { recursive: true });
    this.child = spawn('bash', ['-c', command], { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    open.add(this.child);
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.setEncoding('utf8').on('data', (chunk: string) => {
        this.text += chunk;
        appendFileSync(logFile, chunk);
      });
    }
    this.child.once('close', () => {
      this.hasClosed = true;
      open.delete(this.child);
    });
  }

  /** All of standard output and standard error. */
  get output(): string {
    return this.text;
  }

  /** Printed lines without npm's own. */
  get ownLines(): string[] {
    return this.text.split('\n').filter((line) => line.trim() !== '' && !/^(>|npm )/.test(line));
  }

  /**
   * Waits until the output has a match. Throws with the last of the output when the command ends
   * first.
   */
  async prints(pattern: RegExp, timeoutMs: number): Promise<RegExpExecArray> {
    return until(
      `"${this.command}" prints ${pattern}`,
      () => {
        const found = pattern.exec(this.text);
        if (!found && this.hasClosed) throw new Error(`"${this.command}" ended:\n${this.text.slice(-2_000)}`);
        return found ?? undefined;
      },
      { timeoutMs },
    );
  }

  /**
   * Waits until the command and all that write to the terminal have ended; answers the exit code,
   * or null after a signal.
   */
  async end(timeoutMs: number): Promise<number | null> {
    await until(`"${this.command}" ends`, () => this.hasClosed, { timeoutMs });
    return this.child.exitCode;
  }

  /** Interrupts the command like Ctrl-C. */
  interrupt(): void {
    signalGroup(this.child, 'SIGINT');
  }
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch (error) {
    // The command has ended by itself.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
