import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';

/** The command was called in a way that it does not understand; nothing was sent. */
export class UsageError extends Error {}

type Output = Writable & { readonly isTTY?: boolean; readonly columns?: number };
type Input = Readable & { readonly isTTY?: boolean; setRawMode?: (isRaw: boolean) => unknown };

export interface Streams {
  readonly stdin: Input;
  readonly stdout: Output;
  readonly stderr: Output;
}

/**
 * Results go to standard output; questions, progress and notes to standard error, so that a pipe
 * gets results alone.
 */
export class Terminal {
  constructor(
    private readonly streams: Streams,
    private readonly isJson: boolean,
  ) {}

  /** Whether a person reads notes and can answer. */
  get isInteractive(): boolean {
    return Boolean(this.streams.stdin.isTTY && this.streams.stderr.isTTY);
  }

  /** Prints a result: as one line of JSON with --json, otherwise these lines. */
  print(result: object, ...lines: string[]): void {
    this.streams.stdout.write(this.isJson ? `${JSON.stringify(result)}\n` : `${lines.join('\n')}\n`);
  }

  /** Shows people the names of the columns: not on standard output, which programs read. */
  heading(line: string): void {
    if (!this.isJson) this.note(line);
  }

  note(line: string): void {
    this.streams.stderr.write(`${line}\n`);
  }

  /** Draws a bar over the last bar if a person looks. */
  progress(done: number, total: number, label: string): void {
    if (!this.streams.stderr.isTTY) return;
    const width = Math.max(10, Math.min(40, (this.streams.stderr.columns ?? 80) - label.length - 12));
    const filled = total === 0 ? width : Math.floor((done / total) * width);
    const percent = total === 0 ? 100 : Math.floor((done / total) * 100);
    this.streams.stderr.write(
      `\r\u001b[K[${'#'.repeat(filled)}${'.'.repeat(width - filled)}] ${String(percent).padStart(3)}% ${label}`,
    );
  }

  endProgress(): void {
    if (this.streams.stderr.isTTY) this.streams.stderr.write('\n');
  }

  /** Whether the person answered yes. */
  async confirm(question: string): Promise<boolean> {
    const reader = createInterface({ input: this.streams.stdin, output: this.streams.stderr });
    try {
      const answer = await new Promise<string>((resolve) => {
        reader.once('close', () => resolve(''));
        reader.question(`${question} [y/N] `, resolve);
      });
      return /^y(es)?$/i.test(answer.trim());
    } finally {
      reader.close();
    }
  }

  /** Reads a line that is not shown, or all of a pipe. */
  async secret(question: string): Promise<string> {
    const { stdin, stderr } = this.streams;
    if (!stdin.isTTY) return (await this.readAll()).toString().trim();
    stderr.write(question);
    stdin.setRawMode?.(true);
    let text = '';
    try {
      for await (const chunk of stdin.setEncoding('utf8') as AsyncIterable<string>) {
        for (const character of chunk) {
          if (character === '\r' || character === '\n' || character === '\u0004') return text.trim();
          if (character === '\u0003') return '';
          text = character === '\u007f' ? text.slice(0, -1) : text + character;
        }
      }
      return text.trim();
    } finally {
      stdin.setRawMode?.(false);
      stderr.write('\n');
    }
  }

  async readAll(): Promise<Buffer> {
    const chunks: Buffer[] = [];
    for await (const chunk of this.streams.stdin as AsyncIterable<Buffer>) chunks.push(chunk);
    return Buffer.concat(chunks);
  }
}
