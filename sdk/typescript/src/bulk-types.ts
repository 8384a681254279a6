// Generated from the contract by `npm run -s docs:sdk`.

import type { Message } from './message-types.js';

export interface BulkOptions {
  /** For all messages, as in `sendsms`. */
  from?: string | undefined;
  /** For all messages, as in `sendsms`. */
  encoding?: 'auto' | 'gsm7' | 'smart' | undefined;
  /** The `quote` of `POST /api/quote`: the same content then costs at most what was quoted. */
  quote?: string | undefined;
  /** Refuse the bulk if all of its messages together cost more credits. */
  max_credits?: number | undefined;
  /** For all messages, as in `sendsms`. */
  send_at?: string | undefined;
  /** For all messages, as in `sendsms`. */
  validity?: number | undefined;
  /** For all messages, as in `sendsms`. */
  delivery?: 'once' | 'fast' | undefined;
  /** For all messages, as in `sendsms`. */
  hedge_seconds?: number | undefined;
  /**
   * Seconds, as in `sendsms`: a message that was sent before is listed as `duplicate`, and the
   * others are sent.
   */
  dedupe?: number | undefined;
  /**
   * Pictures and other files, at most 10, together 5,000,000 bytes: each is `{"url": …}`,
   * which is fetched before the answer, or `{"media_id": …}` of `POST /api/media`. A form
   * repeats the field, with a URL or an id. The message is then an MMS, for numbers of the USA
   * and Canada. Every message gets them.
   */
  media?:
    | (
        | {
            url: string;
          }
        | {
            media_id: string;
          }
      )[]
    | undefined;
  /**
   * Handling of files where MMS is not possible. `refuse` (default): `media_unsupported`.
   * `link`: a text that ends with links to the files, at the price of a text, for accounts
   * that are activated for URLs.
   */
  media_fallback?: 'refuse' | 'link' | undefined;
  /**
   * Whether pictures that are larger than the networks take are made smaller; animated ones
   * never are. With `false` they are refused.
   */
  transcode?: boolean | 'true' | 'false' | undefined;
  /**
   * Accept what can be accepted. Without it any rejected item rejects all, and nothing is
   * charged.
   */
  partial?: boolean | undefined;
}

export interface AcceptedBulk {
  /** Id of the batch: `BA` and 32 hex digits. */
  batch_id: string;
  /** Number of messages that were accepted. */
  accepted: number;
  /**
   * Items that were not accepted: `index` counts from 0, `code` and `detail` say why.
   * `duplicate`: an earlier item has the same number and text, which is sent once.
   */
  rejected: {
    index: number;
    to: string;
    code: string;
    detail: string;
  }[];
  /** Price of all accepted messages in credits. A test key is not charged. */
  credits: number;
  /** Credits left. */
  balance: number;
  /** Present if the key was a test key: nothing was sent or charged. */
  test?: true;
}

export interface Batch {
  /** Id of the batch: `BA` and 32 hex digits. */
  batch_id: string;
  /** When the batch was accepted, in UTC. */
  created_at: string;
  /** Number of messages. */
  messages: number;
  /** Number of messages by status. */
  statuses: Record<
    'scheduled' | 'queued' | 'sending' | 'sent' | 'delivered' | 'undelivered' | 'failed' | 'canceled',
    number
  >;
  /** Price of all messages in credits. */
  credits: number;
  /** Credits that were refunded so far. */
  refunded: number;
}

export interface BatchAnswer {
  /** Id of the batch: `BA` and 32 hex digits. */
  batch_id: string;
  /** When the batch was accepted, in UTC. */
  created_at: string;
  /** Number of messages. */
  messages: number;
  /** Number of messages by status. */
  statuses: Record<
    'scheduled' | 'queued' | 'sending' | 'sent' | 'delivered' | 'undelivered' | 'failed' | 'canceled',
    number
  >;
  /** Price of all messages in credits. */
  credits: number;
  /** Credits that were refunded so far. */
  refunded: number;
  /** Present if the key was a test key: this is an example. */
  test?: true;
}

export interface Batches {
  /** Your batches, newest first. */
  batches: Batch[];
  /** Send it as `cursor` to get the next page; `null` on the last page. */
  next_cursor: string | null;
  /** Present if the key was a test key: this is an example. */
  test?: true;
}

export interface BatchCanceled {
  /** Id of the batch: `BA` and 32 hex digits. */
  batch_id: string;
  /** When the batch was accepted, in UTC. */
  created_at: string;
  /** Number of messages. */
  messages: number;
  /** Number of messages by status. */
  statuses: Record<
    'scheduled' | 'queued' | 'sending' | 'sent' | 'delivered' | 'undelivered' | 'failed' | 'canceled',
    number
  >;
  /** Price of all messages in credits. */
  credits: number;
  /** Credits that were refunded so far. */
  refunded: number;
  /** Number of messages that this call canceled. */
  canceled: number;
  /** Present if the key was a test key: this is an example. */
  test?: true;
}

export interface BulkQuote {
  /** Send it as `quote` with the same content: it then costs at most `credits`. */
  quote: string;
  /** When the quote expires: after 10 minutes, in UTC. */
  expires_at: string;
  /** Segments of all messages. */
  segments: number;
  /** Price of all messages in credits. */
  credits: number;
  /** Credits left. An example for a test key. */
  balance: number;
  /** Credits left after sending; `null` if the balance does not cover the price. */
  balance_after: number | null;
  /** Number of messages that would be accepted. */
  messages: number;
  /**
   * Items that were not accepted: `index` counts from 0, `code` and `detail` say why.
   * `duplicate`: an earlier item has the same number and text, which is sent once.
   */
  rejected: {
    index: number;
    to: string;
    code: string;
    detail: string;
  }[];
  /** Present if the messages have files. */
  kind?: 'mms';
  /** Present if the key was a test key. */
  test?: true;
}

export interface BatchMessages {
  /** Messages of the batch, the last one first. */
  messages: Message[];
  /** Send it as `cursor` to get the next page; `null` on the last page. */
  next_cursor: string | null;
  /** Present if the key was a test key: this is an example. */
  test?: true;
}
