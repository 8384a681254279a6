import { limits } from '#contract/limits.js';
import type { OtpGuard } from './guard/otp-guards.sql.js';

export interface Guess {
  readonly accountId: string;
  readonly codeHash: Buffer;
  /** True if the guess has as few digits as the shortest codes, which have their own limits. */
  readonly isShort: boolean;
  /** Undefined when the caller does not name the recipient. */
  readonly recipient: string | undefined;
  /** Undefined when the caller does not name the code. */
  readonly otpId: string | undefined;
}

/**
 * The guesses at a recipient's shortest codes within the window, each counted once for every code
 * that it could have been.
 */
export interface ShortChances {
  readonly accountId: string;
  used: number;
  /** Live codes of the shortest length. */
  live: number;
  /** Seconds until the oldest guess leaves the window. */
  readonly secondsLeft: number;
}

/** A code that a guess concerns. Judging changes `state`, `wrongTries` and `chances`. */
export interface KnownCode {
  readonly id: string;
  readonly accountId: string;
  readonly recipient: string;
  readonly reference: string | null;
  /** The step that began last, from 1; null for a code without channels. */
  readonly step: number | null;
  /** Time at which the code ends or ended. */
  readonly endsAt: Date;
  /** `over`: expired, or ended by wrong tries. */
  state: 'live' | 'used' | 'over';
  wrongTries: number;
  /** Named guesses of the code's length in this batch. */
  chances: number;
  /** Short guesses at the code's recipient; undefined for a longer code. */
  readonly short: ShortChances | undefined;
}

/** The code that a guess hits, and the live codes that it names, hit or not. */
export interface KnownAboutGuess {
  hit: KnownCode | undefined;
  readonly live: KnownCode[];
}

/** Wrong guesses that an account may make per window without naming a recipient. */
export interface Allowance {
  readonly guesses: number;
  /** True if codes of the shortest length are live. */
  readonly hasShort: boolean;
}

/** `endsAt`: when the code ends or ended. `attemptsLeft`: of the named live codes, if any. */
export type Judgement =
  | { readonly kind: 'verified'; readonly code: KnownCode }
  | { readonly kind: 'not_found'; readonly attemptsLeft?: number }
  | { readonly kind: 'expired' | 'already_used'; readonly endsAt: Date; readonly attemptsLeft?: number }
  | { readonly kind: 'too_many'; readonly of: 'account' | 'recipient'; readonly retryAfterSeconds: number }
  | { readonly kind: 'recipient_required' };

/**
 * An account whose live codes are too short to allow any wrong guess can retry when some may have
 * expired.
 */
const NOTHING_ALLOWED_SECONDS = 60;

/**
 * Judges a guess that names its recipient or its code. A wrong guess is a try at each live code
 * named; the last try ends them. The answer beyond the limit is the same for right and wrong
 * guesses.
 */
export function judgeNamed({ hit, live }: KnownAboutGuess, isShort: boolean): Judgement {
  const open = live.filter(({ state }) => state === 'live');
  const short = isShort ? open.filter((code) => code.short) : [];
  const chances = short[0]?.short;
  if (chances && chances.used + short.length > limits.otpShortChancesMax)
    return { kind: 'too_many', of: 'recipient', retryAfterSeconds: chances.secondsLeft };
  if (hit?.state === 'live') return verified(hit);
  for (const code of open) {
    code.wrongTries += 1;
    if (code.wrongTries >= limits.otpTriesMax) end(code, 'over');
  }
  for (const code of short) code.chances += 1;
  if (chances) chances.used += short.length;
  if (open.length === 0) return refusal(hit);
  return { ...refusal(hit), attemptsLeft: Math.max(...open.map(({ wrongTries }) => limits.otpTriesMax - wrongTries)) };
}

/**
 * Judges a guess among all codes of the account. `recipients` are the account's recipients in the
 * batch: a short guess is a chance at each of their shortest codes, and does not hit the code of a
 * recipient who has no chance left.
 */
export function judgeAmongAll(
  { hit }: KnownAboutGuess,
  isShort: boolean,
  guard: OtpGuard,
  { guesses, hasShort }: Allowance,
  recipients: readonly ShortChances[],
): Judgement {
  if (guard.isRecipientRequired) return { kind: 'recipient_required' };
  const isChance = isShort && hasShort;
  if (guard.wrongGuesses >= guesses || (isChance && guard.shortGuesses >= limits.otpShortGuessesMax))
    return { kind: 'too_many', of: 'account', retryAfterSeconds: guard.secondsLeft || NOTHING_ALLOWED_SECONDS };
  const isSpent = hit?.short && hit.short.used + hit.short.live > limits.otpShortChancesMax;
  if (hit?.state === 'live' && !isSpent) return verified(hit);
  guard.wrongGuesses += 1;
  guard.secondsLeft ||= limits.otpGuessWindowSeconds;
  if (isChance) {
    guard.shortGuesses += 1;
    for (const chances of recipients) chances.used += chances.live;
  }
  return hit?.state === 'live' ? { kind: 'not_found' } : refusal(hit);
}

function verified(code: KnownCode): Judgement {
  end(code, 'used');
  return { kind: 'verified', code };
}

function end(code: KnownCode, state: 'used' | 'over'): void {
  code.state = state;
  if (code.short) code.short.live -= 1;
}

function refusal(hit: KnownCode | undefined): Extract<Judgement, { kind: 'not_found' | 'expired' | 'already_used' }> {
  if (!hit) return { kind: 'not_found' };
  return { kind: hit.state === 'used' ? 'already_used' : 'expired', endsAt: hit.endsAt };
}
