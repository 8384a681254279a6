import { createHmac } from 'node:crypto';
import { Agent, type Dispatcher } from 'undici';
import { Deque, type MessageStore } from './message-store.js';
import type { Message, MessageStatus } from './message.js';
import { UNDELIVERED_CODE } from './twilio-error.js';

/** X-Twilio-Signature: base64 HMAC-SHA1 of the URL followed by all names and values, sorted by name (Twilio's webhook security page). */
export function twilioSignature(authToken: string, url: string, fields: Record<string, string>): string {
  let signed = url;
  for (const name of Object.keys(fields).sort()) signed += name + fields[name];
  return createHmac('sha1', authToken).update(signed, 'utf8').digest('base64');
}

const CONCURRENT_POSTS_MAX = 50;
const ANSWER_TIMEOUT_MS = 15_000;
/** Delays before retries of a failed post. */
const RETRY_PAUSES_MS = [500, 2_000, 5_000];
/** Bound on messages with waiting callbacks; further callbacks are dropped. */
const WAITING_MAX = 400_000;

interface Job {
  readonly message: Message;
  readonly url: string;
  /** Remaining statuses in order; the first one is being posted or waits for its retry. */
  readonly statuses: MessageStatus[];
  failures: number;
  dueAtMs: number;
}

export interface CallbackSettings {
  readonly accountSid: string;
  readonly authToken: string;
  readonly productUrl: string;
  readonly publicProductUrl: string;
}

/** Counts of status callbacks since the start. */
interface CallbackCounts {
  readonly posted: number;
  readonly givenUp: number;
  readonly waiting: number;
}

/** Posts signed status callbacks: in order per message, with bounded concurrency and retries. */
export class CallbackPoster {
  private readonly agent = new Agent({
    connections: CONCURRENT_POSTS_MAX,
    headersTimeout: ANSWER_TIMEOUT_MS,
    bodyTimeout: ANSWER_TIMEOUT_MS,
    connectTimeout: 5_000,
  });
  private readonly jobs = new Map<Message, Job>();
  private readonly ready = new Deque<Job>();
  // One queue per delay, so that each queue is ordered by due time.
  private readonly paused = RETRY_PAUSES_MS.map(() => new Deque<Job>());
  private active = 0;
  private posted = 0;
  private givenUp = 0;

  constructor(
    private readonly settings: CallbackSettings,
    private readonly now: () => number = Date.now,
  ) {}

  get counts(): CallbackCounts {
    return { posted: this.posted, givenUp: this.givenUp, waiting: this.jobs.size };
  }

  /** Enqueues the callback of one status. */
  enqueue(message: Message, status: MessageStatus): void {
    if (message.statusCallback === null || message.callbackPlan === 'never') return;
    const statuses = message.callbackPlan === 'twice' ? [status, status] : [status];
    const job = this.jobs.get(message);
    if (job !== undefined) {
      job.statuses.push(...statuses);
    } else if (this.jobs.size >= WAITING_MAX) {
      this.givenUp += statuses.length;
    } else {
      const created = { message, url: message.statusCallback, statuses, failures: 0, dueAtMs: 0 };
      this.jobs.set(message, created);
      this.ready.push(created);
      this.fill();
    }
  }

  /** Retries posts that are due. Called by the timer of `Receipts`. */
  tick(): void {
    const now = this.now();
    for (const line of this.paused) {
      for (let job = line.at(0); job !== undefined && job.dueAtMs <= now; job = line.at(0)) {
        line.shift();
        this.ready.push(job);
      }
    }
    this.fill();
  }

  /** Drops waiting callbacks; running posts finish. */
  clear(): void {
    this.jobs.clear();
    this.ready.clear();
    for (const line of this.paused) line.clear();
  }

  async close(): Promise<void> {
    this.clear();
    await this.agent.destroy();
  }

  private fill(): void {
    while (this.active < CONCURRENT_POSTS_MAX) {
      const job = this.ready.shift();
      if (job === undefined) return;
      this.active += 1;
      void this.post(job).then((taken) => {
        this.active -= 1;
        this.settle(job, taken);
        this.fill();
      });
    }
  }

  private settle(job: Job, taken: boolean): void {
    if (this.jobs.get(job.message) !== job) return;
    const pauseMs = taken ? undefined : RETRY_PAUSES_MS[job.failures];
    if (pauseMs !== undefined) {
      job.dueAtMs = this.now() + pauseMs;
      this.paused[job.failures]?.push(job);
      job.failures += 1;
      return;
    }
    if (taken) this.posted += 1;
    else this.givenUp += 1;
    job.failures = 0;
    job.statuses.shift();
    if (job.statuses.length > 0) this.ready.push(job);
    else this.jobs.delete(job.message);
  }

  /** Returns false when a retry is due: after a 5xx or without an answer. */
  private async post({ message, url, statuses }: Job): Promise<boolean> {
    const fields = this.fields(message, statuses[0] ?? message.status);
    const target = new URL(this.reachable(url));
    try {
      const answer: Dispatcher.ResponseData = await this.agent.request({
        origin: target.origin,
        path: target.pathname + target.search,
        method: 'POST',
        headers: {
          'content-type': 'application/x-www-form-urlencoded; charset=utf-8',
          'user-agent': 'TwilioProxy/1.1',
          'x-twilio-signature': twilioSignature(this.settings.authToken, url, fields),
        },
        body: new URLSearchParams(fields).toString(),
      });
      await answer.body.dump();
      return answer.statusCode < 500;
    } catch {
      // Connection refused, reset or timed out: a failed attempt, counted by `settle`.
      return false;
    }
  }

  private fields(message: Message, status: MessageStatus): Record<string, string> {
    const fields: Record<string, string> = {
      AccountSid: this.settings.accountSid,
      ApiVersion: '2010-04-01',
      From: message.from,
      MessageSid: message.sid,
      MessageStatus: status,
      SmsSid: message.sid,
      SmsStatus: status,
      To: message.to,
    };
    if (message.messagingServiceSid !== null) fields['MessagingServiceSid'] = message.messagingServiceSid;
    if (status === 'undelivered') fields['ErrorCode'] = String(message.errorCode ?? UNDELIVERED_CODE);
    return fields;
  }

  // In containers the product is reached under another name than its public URL.
  private reachable(url: string): string {
    const { productUrl, publicProductUrl } = this.settings;
    return productUrl !== publicProductUrl && url.startsWith(publicProductUrl + '/')
      ? productUrl + url.slice(publicProductUrl.length)
      : url;
  }
}

const TICK_MS = 20;

/**
 * Moves accepted messages to `sent` and then to their final status. All messages wait equally long, so two queues and one
 * timer are enough; the timer runs only while a message waits.
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

  /** Enqueues a message according to its status. */
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

  /** Drops all waiting messages. */
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
