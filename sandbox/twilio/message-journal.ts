import { createReadStream, existsSync } from 'node:fs';
import { type FileHandle, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Message, MessageChange, NewMessage } from './message.js';
import { MESSAGES_KEPT_MAX, type MessageStore } from './message-store.js';
import type { OptOuts } from './inbound.js';

const CURRENT = 'twilio-messages.jsonl';
const PREVIOUS = 'twilio-messages.previous.jsonl';
const FLUSH_AFTER_MS = 200;

type Line =
  | { readonly message: NewMessage & MessageChange }
  | { readonly sid: string; readonly change: MessageChange }
  | { readonly optOuts: readonly string[] };

/**
 * Persists messages as append-only JSON lines. When the current file holds as many messages as memory, it replaces the
 * previous file: two files always hold the newest messages, and at most twice as many as memory.
 */
export class MessageJournal {
  private lines: string[] = [];
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> = Promise.resolve();
  private messagesInFile = 0;
  private file: FileHandle | null = null;

  constructor(
    private readonly dir: string,
    private readonly store: MessageStore,
    private readonly optOuts: OptOuts,
    private readonly onError: (error: unknown) => void,
    private readonly messagesPerFileMax = MESSAGES_KEPT_MAX,
  ) {}

  /** Loads the files into the store, then records every change. Throws file system errors. */
  async open(): Promise<void> {
    await mkdir(this.dir, { recursive: true });
    await this.load(PREVIOUS);
    this.messagesInFile = await this.load(CURRENT);
    const endsInLine = await endsInNewline(this.path(CURRENT));
    this.file = await open(this.path(CURRENT), 'a');
    // A truncated last line stays on its own, and the next load skips it.
    if (!endsInLine) await this.file.appendFile('\n');
    this.store.watch({
      added: (message) => this.write({ message: plain(message) }),
      changed: (message) => this.write({ sid: message.sid, change: changeable(message) }),
      cleared: () => this.startOver(),
    });
  }

  /** Flushes the buffer and closes the file. */
  async close(): Promise<void> {
    this.flush();
    await this.writing;
    await this.file?.close();
    this.file = null;
  }

  private write(line: Line): void {
    if ('message' in line) this.messagesInFile += 1;
    this.lines.push(JSON.stringify(line));
    if (this.messagesInFile >= this.messagesPerFileMax) {
      this.flush();
      this.enqueue(() => this.rotate());
      this.messagesInFile = 0;
      this.lines.push(JSON.stringify({ optOuts: this.optOuts.list() } satisfies Line));
    }
    this.timer ??= setTimeout(() => this.flush(), FLUSH_AFTER_MS);
  }

  private flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.lines.length === 0) return;
    const text = this.lines.join('\n') + '\n';
    this.lines = [];
    this.enqueue(async () => this.file?.appendFile(text));
  }

  private startOver(): void {
    this.lines = [];
    this.messagesInFile = 0;
    this.enqueue(async () => {
      await this.file?.truncate(0);
      await rm(this.path(PREVIOUS), { force: true });
    });
  }

  private async rotate(): Promise<void> {
    await this.file?.close();
    await rename(this.path(CURRENT), this.path(PREVIOUS));
    this.file = await open(this.path(CURRENT), 'a');
  }

  private enqueue(work: () => Promise<unknown>): void {
    this.writing = this.writing.then(work).then(() => undefined, this.onError);
  }

  private async load(name: string): Promise<number> {
    let messages = 0;
    for await (const text of linesOf(this.path(name))) {
      const line = parse(text);
      if (line === null) continue;
      if ('message' in line) {
        messages += 1;
        this.store.add(line.message, changeable(line.message));
        if (line.message.direction === 'inbound') {
          this.optOuts.hear(line.message.from, line.message.to, line.message.body);
        }
      } else if ('optOuts' in line) {
        this.optOuts.restore(line.optOuts);
      } else {
        const message = this.store.get(line.sid);
        if (message !== undefined) this.store.change(message, line.change);
      }
    }
    return messages;
  }

  private path(name: string): string {
    return join(this.dir, name);
  }
}

function plain(message: Message): NewMessage & MessageChange {
  const { sequence: _sequence, version: _version, ...rest } = message;
  return rest;
}

function changeable(message: NewMessage & MessageChange): MessageChange {
  const { status, updatedAtMs, sentAtMs, errorCode, productStatus } = message;
  return {
    status,
    updatedAtMs: updatedAtMs ?? message.createdAtMs,
    sentAtMs: sentAtMs ?? null,
    errorCode: errorCode ?? null,
    productStatus: productStatus ?? null,
  };
}

// A line truncated by a crash is not JSON: the only damage possible in an append-only file.
function parse(text: string): Line | null {
  try {
    return JSON.parse(text) as Line;
  } catch {
    return null;
  }
}

async function* linesOf(path: string): AsyncGenerator<string> {
  if (!existsSync(path)) return;
  yield* createInterface({ input: createReadStream(path), crlfDelay: Infinity });
}

async function endsInNewline(path: string): Promise<boolean> {
  const size = await sizeOf(path);
  if (size === 0) return true;
  const file = await open(path, 'r');
  try {
    const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
    return buffer[0] === 0x0a;
  } finally {
    await file.close();
  }
}

async function sizeOf(path: string): Promise<number> {
  return existsSync(path) ? (await stat(path)).size : 0;
}
