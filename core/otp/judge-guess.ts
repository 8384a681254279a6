import { limits } from '#contract/limits.js';

export interface Guess {
  readonly accountId: string;
  readonly codeHash: Buffer;
  /** Undefined when the caller does not name the recipient. */
  readonly recipient: string | undefined;
  /** Undefined when the caller does not name the code. */
  readonly otpId: string | undefined;
}

/** A code that a guess concerns. Judging changes `state` and `wrongTries`. */
export interface KnownCode {
  readonly id: string;
  readonly recipient: string;
  readonly reference: string | null;
  /** When it ends, or has ended. */
  readonly endsAt: Date;
  /** `over`: expired, or ended by wrong tries. */
  state: 'live' | 'used' | 'over';
  wrongTries: number;
}

/** The code that a guess hits, and the live codes that it names, hit or not. */
export interface KnownAboutGuess {
  hit: KnownCode | undefined;
  readonly live: KnownCode[];
}

/** Limits an account's wrong guesses without a recipient. Judging changes it. */
export interface OtpGuard {
  readonly accountId: string;
  /** In the current window; 0 without one. */
  wrongGuesses: number;
  /** Until the window ends; 0 without one. */
  secondsLeft: number;
}

/** `endsAt`: when the code ends or has ended. `attemptsLeft`: of the named live codes, if there were any. */
export type Judgement =
  | { readonly kind: 'verified'; readonly code: KnownCode }
  | { readonly kind: 'not_found'; readonly attemptsLeft?: number }
  | { readonly kind: 'expired' | 'already_used'; readonly endsAt: Date; readonly attemptsLeft?: number }
  | { readonly kind: 'too_many'; readonly retryAfterSeconds: number };

/** An account whose live codes are too short to allow any wrong guess can retry when some may have expired. */
const NOTHING_ALLOWED_SECONDS = 60;

/** Judges a guess that names its recipient or its code. A wrong one is a try at each live code named; the last try ends them. */
export function judgeNamed({ hit, live }: KnownAboutGuess): Judgement {
  if (hit?.state === 'live') return verified(hit);
  const open = live.filter(({ state }) => state === 'live');
  for (const code of open) {
    code.wrongTries += 1;
    if (code.wrongTries >= limits.otpTriesMax) code.state = 'over';
  }
  if (open.length === 0) return refusal(hit);
  return { ...refusal(hit), attemptsLeft: Math.max(...open.map(({ wrongTries }) => limits.otpTriesMax - wrongTries)) };
}

/** Judges a guess among all codes of the account, which allows `allowed` wrong guesses per window. */
export function judgeAmongAll({ hit }: KnownAboutGuess, guard: OtpGuard, allowed: number): Judgement {
  if (guard.wrongGuesses >= allowed)
    return { kind: 'too_many', retryAfterSeconds: guard.secondsLeft || NOTHING_ALLOWED_SECONDS };
  if (hit?.state === 'live') return verified(hit);
  guard.wrongGuesses += 1;
  guard.secondsLeft ||= limits.otpGuessWindowSeconds;
  return refusal(hit);
}

function verified(code: KnownCode): Judgement {
  code.state = 'used';
  return { kind: 'verified', code };
}

function refusal(hit: KnownCode | undefined): Exclude<Judgement, { kind: 'verified' | 'too_many' }> {
  if (!hit) return { kind: 'not_found' };
  return { kind: hit.state === 'used' ? 'already_used' : 'expired', endsAt: hit.endsAt };
}
