import { limits } from '#contract/limits.js';
import type { SmsEncoding } from '#contract/messages.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import type { MessageTiming } from './acceptance-batch.js';

const { sendAtSecondsMin, sendAtDaysMax } = limits;

/** Options of a message besides recipient and text. Undefined fields have their default. */
export interface SendOptions {
  readonly encoding?: Exclude<SmsEncoding, 'auto'>;
  /** A number or a pool of the account, as `Senders.faultOf` takes it. */
  readonly from?: string;
  /** Quote of {@link QuoteMessage}: the maximum price of the message. */
  readonly quote?: string;
  /** The highest price in credits that the caller accepts. */
  readonly maxCredits?: number;
  /** Time when the message leaves. */
  readonly sendAt?: Date;
  /**
   * The message fails if the carrier does not have it within this time after acceptance, or after
   * `sendAt`.
   */
  readonly validitySeconds?: number;
  /**
   * An earlier message with the same recipient and text within this time is the answer, unless it
   * failed.
   */
  readonly dedupeSeconds?: number;
  /**
   * Seconds without a receipt after which another route is tried, where there is one; 0: the
   * message is delivered `once`.
   */
  readonly hedgeSeconds?: number;
}

/** Undefined for a message that leaves at once, does not expire, and has its kind's delivery. */
export function timingOf({ sendAt, validitySeconds, hedgeSeconds }: SendOptions): MessageTiming | undefined {
  if (sendAt === undefined && validitySeconds === undefined && hedgeSeconds === undefined) return undefined;
  return { sendAt: sendAt ?? null, validitySeconds: validitySeconds ?? null, hedgeSeconds };
}

/**
 * Returns the refusal of a time that is too near or too far; undefined for a time that is allowed.
 * A repeated Idempotency-Key is answered before this applies: the time may have come since the
 * first request.
 */
export function sendAtFault({ sendAt }: SendOptions, nowMs: number): DomainError | undefined {
  if (!sendAt) return undefined;
  const secondsAhead = (sendAt.getTime() - nowMs) / 1_000;
  if (secondsAhead >= sendAtSecondsMin && secondsAhead <= sendAtDaysMax * 86_400) return undefined;
  const range = `from ${sendAtSecondsMin} seconds to ${sendAtDaysMax} days from now`;
  return new DomainError('invalid_send_at', `"send_at" is a time ${range}. You were not charged.`);
}
