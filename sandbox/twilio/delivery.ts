import { createHmac } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Poster, Timers } from '../outgoing.js';
import type { MessageStore } from './message-store.js';
import type { Message, MessageStatus } from './message.js';
import { UNDELIVERED_CODE } from './twilio-error.js';

/**
 * X-Twilio-Signature: base64 HMAC-SHA1 of the URL followed by all names and values, sorted by name
 * (Twilio's webhook security page).
 */
export function twilioSignature(authToken: string, url: string, fields: Record<string, string>): string {
  let signed = url;
  for (const name of Object.keys(fields).sort()) signed += name + fields[name];
  return createHmac('sha1', authToken).update(signed, 'utf8').digest('base64');
}

/** Headers of a form that is signed for its public URL. */
export function signedHeaders(authToken: string, url: string, fields: Record<string, string>): Record<string, string> {
  return {
    'content-type': 'application/x-www-form-urlencoded; charset=utf-8',
    'user-agent': 'TwilioProxy/1.1',
    'x-twilio-signature': twilioSignature(authToken, url, fields),
  };
}

export interface CallbackSettings {
  readonly accountSid: string;
  readonly authToken: string;
  readonly productUrl: string;
  readonly publicProductUrl: string;
}

/** Delays before retries of a failed post. */
const RETRY_PAUSES_MS = [500, 2_000, 5_000];
/** Bound on messages with waiting callbacks; further callbacks are dropped. */
const WAITING_MAX = 400_000;

/** Posts signed status callbacks: in order per message, with retries. */
class Callbacks {
  private readonly poster = new Poster();
  /** The last callback of each message that has one. */
  private readonly waiting = new Map<Message, Promise<void>>();
  private isClosed = false;

  constructor(private readonly settings: CallbackSettings) {}

  /** Posts the callback of one status after the earlier ones of the message. */
  enqueue(message: Message, status: MessageStatus): void {
    const { statusCallback: url, callbackPlan } = message;
    if (url === null || callbackPlan === 'never' || this.waiting.size >= WAITING_MAX) return;
    const post = async () => {
      await this.deliver(message, url, status);
      if (callbackPlan === 'twice') await this.deliver(message, url, status);
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

  async close(): Promise<void> {
    this.isClosed = true;
    this.clear();
    await this.poster.close();
  }

  /** Retries after a 5xx or without an answer. */
  private async deliver(message: Message, url: string, status: MessageStatus): Promise<void> {
    for (const pauseMs of [0, ...RETRY_PAUSES_MS]) {
      if (pauseMs > 0) await pause(pauseMs, undefined, { ref: false });
      if (this.isClosed || !this.waiting.has(message)) return;
      const fields = this.fields(message, status);
      const headers = signedHeaders(this.settings.authToken, url, fields);
      const isTaken = await this.poster.post(this.reachable(url), headers, new URLSearchParams(fields).toString()).then(
        (answer) => answer.status < 500,
        // Connection refused, reset or timed out.
        () => false,
      );
      if (isTaken) return;
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
    return url.startsWith(`${publicProductUrl}/`) ? productUrl + url.slice(publicProductUrl.length) : url;
  }
}

/**
 * Moves accepted messages to `sent` after half of the delay, and to their final status after the
 * rest.
 */
export class Delivery {
  private readonly timers = new Timers();
  private readonly callbacks: Callbacks;

  constructor(
    private readonly store: MessageStore,
    settings: CallbackSettings,
    private readonly delayMs: number,
  ) {
    this.callbacks = new Callbacks(settings);
  }

  accept(message: Message): void {
    if (message.status === 'sent') this.timers.later(this.delayMs / 2, () => this.end(message));
    else this.timers.later(this.delayMs / 2, () => this.send(message));
  }

  /** Resumes messages that were not delivered when the sandbox stopped. */
  resume(): void {
    for (const message of this.store.all) {
      if (message.status !== message.fate) this.accept(message);
    }
  }

  /** Drops all waiting messages and callbacks. */
  clear(): void {
    this.timers.clear();
    this.callbacks.clear();
  }

  async close(): Promise<void> {
    this.timers.clear();
    await this.callbacks.close();
  }

  private send(message: Message): void {
    const now = Date.now();
    this.store.change(message, { status: 'sent', sentAtMs: now, updatedAtMs: now });
    this.callbacks.enqueue(message, 'sent');
    this.timers.later(this.delayMs / 2, () => this.end(message));
  }

  private end(message: Message): void {
    const errorCode = message.fate === 'undelivered' ? UNDELIVERED_CODE : null;
    this.store.change(message, { status: message.fate, errorCode, updatedAtMs: Date.now() });
    this.callbacks.enqueue(message, message.fate);
  }
}
