import { limits } from '#contract/limits.js';
import type { KnownAboutGuess, KnownCode } from './otp-codes.repository.js';
import type { OtpGuard } from './otp-guards.repository.js';

/** `endsAt` is when the code ends or has ended; `attemptsLeft` of the recipient's live codes, when there were any. */
export type Judgement =
  | { readonly kind: 'verified'; readonly code: KnownCode }
  | { readonly kind: 'not_found'; readonly attemptsLeft?: number }
  | { readonly kind: 'expired' | 'already_used'; readonly endsAt: Date; readonly attemptsLeft?: number }
  | { readonly kind: 'too_many'; readonly retryAfterSeconds: number };

/** An account whose codes are all too short to be guessed even once may try again when some have expired. */
const NOTHING_ALLOWED_SECONDS = 60;

/** A guess that names its recipient: every wrong one is a try at each of his live codes, which die of the last. */
export function judgeWithRecipient({ hit, live }: KnownAboutGuess): Judgement {
  if (hit?.state === 'live') return verified(hit);
  const open = live.filter(({ state }) => state === 'live');
  for (const code of open) {
    code.wrongTries += 1;
    if (code.wrongTries >= limits.otpTriesMax) code.state = 'over';
  }
  if (open.length === 0) return refusal(hit);
  return { ...refusal(hit), attemptsLeft: Math.max(...open.map(({ wrongTries }) => limits.otpTriesMax - wrongTries)) };
}

/** A guess among all codes of the account: only so many may be wrong in a window. */
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
