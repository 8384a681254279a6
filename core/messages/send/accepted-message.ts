import type { MessageMedia } from '#contract/message-media.js';
import type { Delivery } from '#contract/messages.js';
import type { Price } from './price.js';

/** A message that was accepted, as the answer of its request has it. */
export interface AcceptedMessage {
  readonly accountId: string;
  readonly messageId: string;
  readonly segments: number;
  /** The price in credits; charged unless `test`. */
  readonly credits: number;
  readonly encoding: Price['encoding'];
  /** The text, or its replacement for display. */
  readonly body: string;
  readonly reference: string | undefined;
  /** Balance in credits, after the charge. */
  readonly balance: number;
  /** Time when a scheduled message leaves. */
  readonly sendAt: Date | undefined;
  /** Delivery, if the caller chose it. */
  readonly delivery: Delivery | undefined;
  /** The files as they are sent; in a test, the files that it read. */
  readonly files?: readonly MessageMedia[] | undefined;
  /** Another account owns the conversation with this recipient, and gets the replies. */
  readonly repliesUnavailable: boolean;
  readonly test: boolean;
  /** Whether this is the answer of an earlier request with the same Idempotency-Key. */
  readonly replayed: boolean;
  /** An earlier message is the answer; nothing was charged. */
  readonly deduplicated: boolean;
}
