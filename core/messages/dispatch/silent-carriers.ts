import type { SendOutcome } from '../../carriers/carrier.js';

const UNANSWERED_MIN = 5;
const SILENT_MS = 10_000;
const GAP_MS = 60_000;

interface Silence {
  readonly calls: number;
  /** Start of the first unanswered call. */
  readonly sinceMs: number;
  readonly latestMs: number;
}

/**
 * Notices that a carrier has stopped answering: five calls in a row got no answer, or could not reach
 * it, over at least ten seconds. A refusal is an answer, and so is a request to wait. Times
 * are of one monotonic clock, in milliseconds.
 */
export class SilentCarriers {
  private readonly silences = new Map<number, Silence>();

  /** Returns whether the carrier is silent, after the outcome of a call that began at `startedMs`. */
  isSilentAfter(carrier: number, outcome: SendOutcome, startedMs: number, nowMs: number): boolean {
    const hasAnswered =
      outcome.kind === 'unavailable' ? outcome.retryAfterMs !== undefined : outcome.kind !== 'unknown';
    if (hasAnswered) {
      this.silences.delete(carrier);
      return false;
    }
    const before = this.silences.get(carrier);
    const lasting = before && nowMs - before.latestMs <= GAP_MS ? before : { calls: 0, sinceMs: startedMs };
    const silence = {
      calls: lasting.calls + 1,
      sinceMs: Math.min(lasting.sinceMs, startedMs),
      latestMs: nowMs,
    };
    this.silences.set(carrier, silence);
    return silence.calls >= UNANSWERED_MIN && nowMs - silence.sinceMs >= SILENT_MS;
  }
}
