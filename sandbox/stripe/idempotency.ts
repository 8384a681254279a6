import { createHash } from 'node:crypto';
import { StripeError } from './stripe-error.js';

const KEPT_MAX = 10_000;
const LIFE_MS = 86_400_000;

interface Kept {
  readonly fingerprint: string;
  readonly answer: string;
  readonly expiresAtMs: number;
}

/** The answers given to idempotency keys, kept for a day: the same key and request get the same answer again. */
export class Idempotency {
  private readonly byKey = new Map<string, Kept>();

  constructor(private readonly now: () => number = Date.now) {}

  /** Runs the work, or gives the answer it gave before. Throws Stripe's `idempotency_error` for another request. */
  run(key: string | undefined, request: string, work: () => string): { answer: string; isReplayed: boolean } {
    if (key === undefined) return { answer: work(), isReplayed: false };
    const fingerprint = createHash('sha256').update(request).digest('base64');
    const kept = this.byKey.get(key);
    if (kept === undefined || kept.expiresAtMs <= this.now()) {
      // What is refused is not kept, as with Stripe: nothing was begun.
      const answer = work();
      this.keep(key, { fingerprint, answer, expiresAtMs: this.now() + LIFE_MS });
      return { answer, isReplayed: false };
    }
    if (kept.fingerprint !== fingerprint) {
      throw new StripeError(
        400,
        'idempotency_error',
        `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
      );
    }
    return { answer: kept.answer, isReplayed: true };
  }

  clear(): void {
    this.byKey.clear();
  }

  private keep(key: string, kept: Kept): void {
    this.byKey.delete(key);
    this.byKey.set(key, kept);
    const [oldest] = this.byKey.keys();
    if (this.byKey.size > KEPT_MAX && oldest !== undefined) this.byKey.delete(oldest);
  }
}
