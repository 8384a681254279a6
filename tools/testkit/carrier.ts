import { ask } from './ask.js';

/** The carriers that the sandbox stands in for. */
type CarrierName = 'twilio' | 'telnyx' | 'smsc';

interface SoldNumber {
  readonly sid: string;
  /** E.164. */
  readonly number: string;
  readonly friendlyName: string;
}

/** One message as the carrier got it. */
export interface CarriedMessage {
  readonly carrier: CarrierName;
  readonly sid: string;
  readonly to: string;
  readonly from: string;
  readonly body: string;
  readonly statusCallback: string | null;
  /** ISO 8601. */
  readonly at: string;
  /** In Twilio's words: `sent`, `delivered`, `undelivered`, … */
  readonly status: string;
}

/** A file of a reply: one of the sandbox's samples, or bytes in base64. */
export type CarriedFile = { readonly sample: string } | { readonly type: string; readonly data: string };

export type FaultMode =
  | 'none'
  | 'delay'
  | '429'
  | '500'
  | 'refuse'
  | 'timeout'
  | 'lost-answer'
  | 'accepted-then-5xx'
  | 'suspended'
  | 'duplicate-callback'
  | 'no-callback'
  | 'undelivered';

// Twilio gives up on a reply after 15 s.
const REPLY_WITHIN_MS = 30_000;

/** The sandbox's control paths: the carrier's messages and its faults. */
export class Carrier {
  constructor(
    readonly url: string,
    private readonly timeoutMs?: number,
  ) {}

  async messages(to?: string): Promise<CarriedMessage[]> {
    const query = to === undefined ? '' : `?to=${encodeURIComponent(to)}`;
    return ask(`${this.url}/_control/messages${query}`, undefined, this.timeoutMs);
  }

  /** Number of messages that the carrier got since it was reset. */
  async count(): Promise<number> {
    return (await ask<{ count: number }>(`${this.url}/_control/messages/count`, undefined, this.timeoutMs)).count;
  }

  /** The next `count` requests, or all from now on, meet this fault. */
  async misbehave(
    mode: FaultMode,
    {
      count,
      delayMs,
      service = 'twilio',
    }: { count?: number; delayMs?: number; service?: CarrierName | 'numbers' } = {},
  ): Promise<void> {
    await ask(`${this.url}/_control/faults`, { service, mode, count, delayMs }, this.timeoutMs);
  }

  /** Messages accepted after the message with this sid; all messages without a sid. */
  async messagesAfter(sid: string | undefined): Promise<CarriedMessage[]> {
    return ask(`${this.url}/_control/messages${sid === undefined ? '' : `?after=${sid}`}`);
  }

  /** Sends a person's reply. `status` is the product's, 0 without an answer. */
  async reply(
    from: string,
    to: string,
    body: string,
    media: readonly CarriedFile[] = [],
  ): Promise<{ sid: string; status: number }> {
    return ask(`${this.url}/_control/inbound`, { from, to, body, media }, REPLY_WITHIN_MS);
  }

  /** The numbers that the carrier has sold to the product. */
  async numbers(): Promise<SoldNumber[]> {
    return ask(`${this.url}/_control/numbers`, undefined, this.timeoutMs);
  }

  async take(number: string): Promise<void> {
    await ask(`${this.url}/_control/numbers/take`, { number }, this.timeoutMs);
  }

  async reset(): Promise<void> {
    await ask(`${this.url}/_control/reset`, {});
  }
}

/** Our id of a carried message, as its status callback's URL names it. */
export function messageIdOf({ statusCallback }: CarriedMessage): string {
  const id = statusCallback === null ? null : new URL(statusCallback).searchParams.get('message_id');
  if (!id) throw new Error(`A message went to the carrier without our id in its status callback: ${statusCallback}`);
  return id;
}
