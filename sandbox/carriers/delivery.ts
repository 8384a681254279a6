import { setTimeout as pause } from 'node:timers/promises';
import { type Poster, type ProductUrls, reachableUrl, Timers } from '../outgoing.js';
import type { Fault } from '../control/faults.js';
import type { FileProblem, MessageFiles } from './message-files.js';
import { type CarrierName, channelOf, type Message, type MessageStatus, type NewMessage } from './message.js';
import type { MessageStore } from './message-store.js';

export interface SignedPost {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Error codes, which a carrier without callbacks has too. */
interface DeliveringCarrier {
  /** Error code of a message that ends `undelivered`. */
  readonly undeliveredCode: number;
  /** Error code of a message that is filtered as spam and ends `undelivered`. */
  readonly filteredCode?: number;
  /** Error codes of a message that ends `failed` because its files could not be fetched. */
  readonly fileCodes?: Readonly<Record<FileProblem, number>>;
}

/** Status callbacks of a carrier. */
export interface StatusCallbacks extends DeliveringCarrier {
  /** Time limit of an answer, if it is shorter than the limit of every request. */
  readonly answerMs?: number;
  /** Addresses to which a callback is posted until it is taken, each after a pause. */
  attempts(url: string): readonly { readonly url: string; readonly pauseMs: number }[];
  post(message: Message, status: MessageStatus, url: string): SignedPost;
  /** Callback that claims `undelivered`, signed with a key that is not the carrier's. */
  forged(message: Message, url: string): SignedPost;
  /** Whether an answer of the product ends the attempts. */
  isTaken(productStatus: number): boolean;
}

/** Default delay of late callbacks. */
const LATE_MS = 5_000;

/** Plan for the callbacks of a message whose creation met a fault. */
export function callbackPlanOf({ mode, delayMs }: Fault): Pick<NewMessage, 'callbackPlan' | 'callbackDelayMs'> {
  if (mode === 'duplicate-callback') return { callbackPlan: 'twice' };
  if (mode === 'late-callback') return { callbackPlan: 'late', callbackDelayMs: delayMs || LATE_MS };
  if (mode === 'fake-callback') return { callbackPlan: 'fake' };
  return { callbackPlan: mode === 'no-callback' ? 'never' : 'once' };
}

/** End of a message whose creation met a fault. */
export function fateOf({ mode }: Fault): Pick<NewMessage, 'fate' | 'isFiltered'> {
  if (mode === 'filtered') return { fate: 'undelivered', isFiltered: true };
  return { fate: mode === 'undelivered' ? 'undelivered' : 'delivered' };
}

/** Default delay of a slow fetch. */
const SLOW_FETCH_MS = 5_000;

/** Fault of a message's files that follows from the fault of its creation. */
export function mediaFaultOf({ mode, delayMs }: Fault): Pick<NewMessage, 'mediaFault'> {
  if (mode === 'media-404') return { mediaFault: { isGone: true, delayMs } };
  return mode === 'media-slow' ? { mediaFault: { isGone: false, delayMs: delayMs || SLOW_FETCH_MS } } : {};
}

/** Bound on messages with waiting callbacks; further callbacks are dropped. */
const WAITING_MAX = 400_000;

/** Posts signed status callbacks: in order per message, with retries. */
class Callbacks {
  /** The last waiting callback of each message. */
  private readonly waiting = new Map<Message, Promise<void>>();
  private isClosed = false;

  constructor(
    private readonly carriers: Readonly<Record<CarrierName, DeliveringCarrier | StatusCallbacks>>,
    private readonly urls: ProductUrls,
    private readonly poster: Poster,
  ) {}

  /** Posts the callback of one status after the earlier callbacks of the message. */
  enqueue(message: Message, status: MessageStatus): void {
    const { statusCallback: url, callbackPlan, callbackDelayMs = 0 } = message;
    const carrier = this.carriers[message.carrier];
    if (url === null || !('attempts' in carrier) || callbackPlan === 'never' || this.waiting.size >= WAITING_MAX)
      return;
    const post = async () => {
      if (callbackPlan === 'late') await pause(callbackDelayMs, undefined, { ref: false });
      if (callbackPlan === 'fake') await this.forge(carrier, message, url);
      await this.deliver(carrier, message, url, status);
      if (callbackPlan === 'twice') await this.deliver(carrier, message, url, status);
    };
    const last = (this.waiting.get(message) ?? Promise.resolve()).then(post).then(() => {
      if (this.waiting.get(message) === last) this.waiting.delete(message);
    });
    this.waiting.set(message, last);
  }

  /** Drops waiting callbacks; running posts finish. */
  clear(): void {
    this.waiting.clear();
  }

  close(): void {
    this.isClosed = true;
    this.clear();
  }

  /** Posts a callback until an attempt is taken. */
  private async deliver(carrier: StatusCallbacks, message: Message, url: string, status: MessageStatus): Promise<void> {
    for (const attempt of carrier.attempts(url)) {
      if (attempt.pauseMs > 0) await pause(attempt.pauseMs, undefined, { ref: false });
      if (!this.isWanted(message)) return;
      const answered = await this.post(carrier, attempt.url, carrier.post(message, status, attempt.url));
      if (answered !== null && carrier.isTaken(answered)) return;
    }
  }

  private async forge(carrier: StatusCallbacks, message: Message, url: string): Promise<void> {
    if (this.isWanted(message)) await this.post(carrier, url, carrier.forged(message, url));
  }

  private isWanted(message: Message): boolean {
    return !this.isClosed && this.waiting.has(message);
  }

  /** Returns the product's status, null without an answer: connection refused, reset or timed out. */
  private post({ answerMs }: StatusCallbacks, url: string, { headers, body }: SignedPost): Promise<number | null> {
    return this.poster.post(reachableUrl(url, this.urls), headers, body, answerMs).then(
      ({ status }) => status,
      () => null,
    );
  }
}

/** States of messages that have not reached their end. */
const UNFINISHED: readonly MessageStatus[] = ['accepted', 'queued', 'sent'];

/**
 * Moves accepted messages to `sent` after half of the delay, and to their final status after the
 * rest.
 */
export class Delivery {
  private readonly timers = new Timers();
  private readonly callbacks: Callbacks;
  private isClosed = false;

  constructor(
    private readonly store: MessageStore,
    private readonly carriers: Readonly<Record<CarrierName, DeliveringCarrier | StatusCallbacks>>,
    urls: ProductUrls,
    poster: Poster,
    private readonly files: MessageFiles,
    private readonly delayMs: number,
  ) {
    this.callbacks = new Callbacks(carriers, urls, poster);
  }

  accept(message: Message): void {
    if (message.status === 'sent' || message.fate === 'failed')
      this.timers.later(this.delayMs / 2, () => this.end(message));
    else if (message.mediaUrls && !message.files)
      this.timers.later(this.delayMs / 2 + (message.mediaFault?.delayMs ?? 0), () => void this.fetch(message));
    else this.timers.later(this.delayMs / 2, () => this.send(message));
  }

  /** Resumes messages that were not delivered when the sandbox stopped. */
  resume(): void {
    for (const message of this.store.all) {
      if (UNFINISHED.includes(message.status)) this.accept(message);
    }
  }

  /** The phone shows a message. Returns false unless it is delivered by a channel with that state. */
  read(message: Message): boolean {
    if (channelOf(message) !== 'whatsapp' || message.status !== 'delivered') return false;
    this.store.change(message, { status: 'read', updatedAtMs: Date.now() });
    this.callbacks.enqueue(message, 'read');
    return true;
  }

  /** Drops all waiting messages and callbacks. */
  clear(): void {
    this.timers.clear();
    this.callbacks.clear();
  }

  close(): void {
    this.isClosed = true;
    this.timers.clear();
    this.callbacks.close();
  }

  /** A carrier fetches files after it has taken the message. */
  private async fetch(message: Message): Promise<void> {
    const { mediaUrls = [], mediaFault } = message;
    const urls = mediaFault?.isGone ? mediaUrls.map((url) => `${url}x`) : mediaUrls;
    const fetched = await this.files.fetch(message.sid, urls);
    if (this.isClosed || this.store.get(message.sid) !== message) return;
    if (fetched.kind === 'fetched') {
      this.store.change(message, { files: fetched.files });
      return this.send(message);
    }
    const { fileCodes, undeliveredCode } = this.carriers[message.carrier];
    const errorCode = fileCodes?.[fetched.problem] ?? undeliveredCode;
    this.store.change(message, { status: 'failed', errorCode, updatedAtMs: Date.now() });
    this.callbacks.enqueue(message, 'failed');
  }

  private send(message: Message): void {
    const now = Date.now();
    this.store.change(message, { status: 'sent', sentAtMs: now, updatedAtMs: now });
    this.callbacks.enqueue(message, 'sent');
    this.timers.later(this.delayMs / 2, () => this.end(message));
  }

  private end(message: Message): void {
    const { undeliveredCode, filteredCode = undeliveredCode } = this.carriers[message.carrier];
    const code = message.failureCode ?? (message.isFiltered ? filteredCode : undeliveredCode);
    const hasFailed = message.fate === 'undelivered' || message.fate === 'failed';
    const errorCode = hasFailed ? code : null;
    this.store.change(message, { status: message.fate, errorCode, updatedAtMs: Date.now() });
    this.callbacks.enqueue(message, message.fate);
  }
}
