import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { type FileHandle, mkdir, open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { OptOuts } from './opt-outs.js';
import type { Message, MessageChange } from './message.js';
import { MESSAGES_KEPT_MAX, type MessageStore } from './message-store.js';

/** Holds the messages of all carriers, in spite of its name. */
const FILE = 'twilio-messages.jsonl';
const FLUSH_AFTER_MS = 200;

type Line =
  | { readonly message: Omit<Message, 'carrier'> & Partial<Pick<Message, 'carrier'>> }
  | { readonly sid: string; readonly change: MessageChange }
  | { readonly optOuts: readonly string[] };

/**
 * Persists messages as JSON lines that are appended, and loads them at the start. The file is
 * rewritten from memory at the start, after a reset, and whenever `linesMax` lines were appended.
 */
export class MessageJournal {
  private readonly path: string;
  private lines: Line[] = [];
  private linesAppended = 0;
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> = Promise.resolve();
  private file: FileHandle | undefined;

  constructor(
    private readonly dir: string,
    private readonly store: MessageStore,
    private readonly optOuts: OptOuts,
    private readonly onError: (error: unknown) => void,
    private readonly linesMax = 4 * MESSAGES_KEPT_MAX,
  ) {
    this.path = join(dir, FILE);
  }

  /** Loads the file into the store, then records every change. Throws file system errors. */
  async open(): Promise<void> {
    await mkdir(this.dir, { recursive: true });
    if (existsSync(this.path)) {
      for await (const text of createInterface({ input: createReadStream(this.path), crlfDelay: Infinity }))
        this.load(text);
    }
    await this.rewrite();
    this.store.watch({
      added: (message) => this.append({ message }),
      changed: ({ sid, status, updatedAtMs, sentAtMs, errorCode, files, productStatus }) =>
        this.append({
          sid,
          change: { status, updatedAtMs, sentAtMs, errorCode, ...(files && { files }), productStatus },
        }),
      cleared: () => {
        this.lines = [];
        this.enqueue(() => this.rewrite());
      },
    });
  }

  async close(): Promise<void> {
    this.flush();
    await this.writing;
    await this.file?.close();
  }

  private append(line: Line): void {
    this.lines.push(line);
    this.timer ??= setTimeout(() => this.flush(), FLUSH_AFTER_MS);
  }

  private flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const text = this.lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    this.linesAppended += this.lines.length;
    this.lines = [];
    if (text !== '') this.enqueue(async () => this.file?.appendFile(text));
    if (this.linesAppended >= this.linesMax) this.enqueue(() => this.rewrite());
  }

  /** Replaces the file by the messages in memory. Lines that are appended later may repeat them. */
  private async rewrite(): Promise<void> {
    this.linesAppended = 0;
    const { all } = this.store;
    const lines = [{ optOuts: this.optOuts.list() }, ...all.map((message) => ({ message }))];
    const text = function* () {
      for (const line of lines) yield `${JSON.stringify(line)}\n`;
    };
    await pipeline(Readable.from(text()), createWriteStream(`${this.path}.new`));
    await this.file?.close();
    await rename(`${this.path}.new`, this.path);
    this.file = await open(this.path, 'a');
  }

  private enqueue(work: () => Promise<void>): void {
    this.writing = this.writing.then(work).catch(this.onError);
  }

  private load(text: string): void {
    const line = parse(text);
    if (line === null) return;
    if ('optOuts' in line) {
      this.optOuts.restore(line.optOuts);
    } else if ('message' in line) {
      // Older lines name no carrier: Twilio was the only carrier.
      const message = { ...line.message, carrier: line.message.carrier ?? 'twilio' };
      if (this.store.get(message.sid) !== undefined) return;
      this.store.add(message);
      if (message.direction === 'inbound') this.optOuts.apply(message.from, message.to, message.body);
    } else {
      const message = this.store.get(line.sid);
      if (message !== undefined) this.store.change(message, line.change);
    }
  }
}

// A line truncated by a crash is not JSON: the only damage possible in an append-only file.
function parse(text: string): Line | null {
  try {
    return JSON.parse(text) as Line;
  } catch {
    return null;
  }
}
