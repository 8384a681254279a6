import type { CallbackPoster } from './callback-poster.js';
import { Deque } from './deque.js';
import type { Message } from './message.js';
import type { MessageStore } from './message-store.js';
import { UNDELIVERED_CODE } from './twilio-error.js';

const TICK_MS = 20;

/**
 * Moves accepted messages to sent and then to their fate. Every message waits equally long, so two lines and one
 * clock serve any number of them; the clock runs only while somebody waits.
 */
export class Receipts {
  private readonly toSend = new Deque<Message>();
  private readonly toDeliver = new Deque<Message>();
  private clock: NodeJS.Timeout | undefined;

  constructor(
    private readonly store: MessageStore,
    private readonly callbacks: CallbackPoster,
    private readonly delayMs: number,
    private readonly now: () => number = Date.now,
  ) {}

  /** Puts a message in line, from the status it is in. */
  accept(message: Message): void {
    (message.status === 'sent' ? this.toDeliver : this.toSend).push(message);
    this.clock ??= setInterval(() => this.tick(), TICK_MS);
  }

  tick(): void {
    const now = this.now();
    const sentBeforeMs = now - this.delayMs / 2;
    for (let next = this.toSend.at(0); next && next.createdAtMs <= sentBeforeMs; next = this.toSend.at(0)) {
      this.toSend.shift();
      this.store.change(next, { status: 'sent', sentAtMs: now, updatedAtMs: now });
      this.callbacks.enqueue(next, 'sent');
      this.toDeliver.push(next);
    }
    const endedBeforeMs = now - this.delayMs;
    for (let next = this.toDeliver.at(0); next && next.createdAtMs <= endedBeforeMs; next = this.toDeliver.at(0)) {
      this.toDeliver.shift();
      const errorCode = next.fate === 'undelivered' ? UNDELIVERED_CODE : null;
      this.store.change(next, { status: next.fate, errorCode, updatedAtMs: now });
      this.callbacks.enqueue(next, next.fate);
    }
    this.callbacks.tick();
    if (this.isIdle) this.stop();
  }

  /** Forgets everyone in line. */
  clear(): void {
    this.toSend.clear();
    this.toDeliver.clear();
    this.callbacks.clear();
  }

  stop(): void {
    clearInterval(this.clock);
    this.clock = undefined;
  }

  private get isIdle(): boolean {
    return this.toSend.length === 0 && this.toDeliver.length === 0 && this.callbacks.counts.waiting === 0;
  }
}
