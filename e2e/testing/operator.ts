import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { until } from '../../tools/testkit/until.js';

const COMMAND_WITHIN_MS = 60_000;
const STOP_WITHIN_MS = 10_000;
/** The last line of a result: JSON with indented contents, or an empty object or list. */
const LAST_LINE = /^(\{\}|\[\]|\}|\])$/;

/**
 * The operator's command line, started once for all commands of a test (`admin --as e2e -`): each
 * start takes two seconds of processor time.
 */
export class Operator {
  private readonly child;
  private readonly closed: Promise<unknown>;
  private turn: Promise<unknown> = Promise.resolve();
  private lines: string[] = [];
  private errors = '';

  constructor(
    main: string,
    readonly env: Readonly<Record<string, string>>,
    logFile: string,
  ) {
    const { PATH = '', HOME = '' } = process.env;
    this.child = spawn(process.execPath, [main, '--as', 'e2e', '-'], { env: { PATH, HOME, ...env } });
    this.closed = once(this.child, 'close');
    const log = createWriteStream(logFile, { flags: 'a' });
    createInterface({ input: this.child.stdout }).on('line', (line) => {
      // The log shares the output: one line each, while results are indented.
      if (line.startsWith('{"')) log.write(`${line}\n`);
      else this.lines.push(line);
    });
    this.child.stderr.setEncoding('utf8').on('data', (text: string) => (this.errors += text));
    // A command that finds the process ended throws by itself.
    this.child.stdin.on('error', (error) => log.write(`${String(error)}\n`));
  }

  /**
   * Runs a command after those before it and returns the JSON that it printed. Throws when it is
   * refused or fails.
   */
  run(words: readonly string[]): Promise<unknown> {
    const turn = this.turn.then(
      () => this.runNow(words),
      () => this.runNow(words),
    );
    this.turn = turn;
    return turn;
  }

  async stop(): Promise<void> {
    this.child.stdin.end();
    const force = setTimeout(() => this.child.kill('SIGKILL'), STOP_WITHIN_MS);
    await this.closed;
    clearTimeout(force);
  }

  private async runNow(words: readonly string[]): Promise<unknown> {
    const command = words.join(' ');
    [this.lines, this.errors] = [[], ''];
    this.child.stdin.write(`${words.map(quoted).join(' ')}\n`);
    const isOver = () => LAST_LINE.test(this.lines.at(-1) ?? '') || this.errors !== '' || this.child.exitCode !== null;
    await until(`admin ${command} has a result`, isOver, { timeoutMs: COMMAND_WITHIN_MS, everyMs: 20 });
    if (this.errors !== '' || !LAST_LINE.test(this.lines.at(-1) ?? ''))
      throw new Error(`admin ${command} failed: ${this.errors}`);
    const result = JSON.parse(this.lines.join('\n')) as object;
    if ('error' in result && 'code' in result) throw new Error(`admin ${command} is refused: ${String(result.error)}`);
    return result;
  }
}

/** A word in quotes, as `admin` reads it. */
function quoted(word: string): string {
  return `"${word.replace(/["\\]/g, '\\$&')}"`;
}
