import type { EntityManager } from 'typeorm';
import { limits } from '#contract/limits.js';
import type { Postgres } from '../../platform/database/postgres.js';

/** Limits an account's wrong guesses without a recipient. Judging changes it. */
export interface OtpGuard {
  readonly accountId: string;
  /** In the current window; 0 without a window. */
  wrongGuesses: number;
  /** Wrong guesses with as few digits as the shortest codes, while such codes were live. */
  shortGuesses: number;
  /** Seconds until the window ends; 0 without a window. */
  secondsLeft: number;
  /** True if guesses have to name the recipient or the code. */
  readonly isRecipientRequired: boolean;
}

/** Locks accounts in an order that all batches share. Parameter: accounts. */
export const lockGuardsStatement = {
  name: 'otp-guards-lock-1',
  text: `
INSERT INTO otp_guards AS g (account_id)
SELECT account_id FROM unnest($1::uuid[]) AS a (account_id) ORDER BY account_id
ON CONFLICT (account_id) DO UPDATE
SET wrong_guesses = CASE WHEN g.window_ends_at > now() THEN g.wrong_guesses ELSE 0 END,
  short_guesses = CASE WHEN g.window_ends_at > now() THEN g.short_guesses ELSE 0 END
RETURNING account_id AS "accountId", wrong_guesses AS "wrongGuesses", short_guesses AS "shortGuesses",
  recipient_required AS "isRecipientRequired",
  ceil(greatest(0, extract(epoch FROM window_ends_at - now())))::int AS "secondsLeft"`,
} as const;

/**
 * The first wrong guess opens a window. Parameters: accounts, wrong guesses, seconds of the window,
 * short guesses.
 */
const writeGuardsStatement = {
  name: 'otp-guards-write-1',
  text: `
UPDATE otp_guards g
SET wrong_guesses = v.wrong_guesses, short_guesses = v.short_guesses,
  window_ends_at = CASE WHEN g.window_ends_at > now() THEN g.window_ends_at ELSE now() + make_interval(secs => $3) END
FROM unnest($1::uuid[], $2::integer[], $4::integer[]) AS v (account_id, wrong_guesses, short_guesses)
WHERE g.account_id = v.account_id`,
} as const;

/**
 * Locks the guards of the accounts that own these until the transaction ends. Every reservation and
 * verification of an account's codes holds its lock.
 */
export async function lockGuards(
  postgres: Postgres,
  tx: EntityManager,
  owned: readonly { readonly accountId: string }[],
): Promise<Map<string, OtpGuard>> {
  const guards = await postgres.run<OtpGuard>(tx, lockGuardsStatement, [
    [...new Set(owned.map(({ accountId }) => accountId))],
  ]);
  return new Map(guards.map((guard) => [guard.accountId, guard]));
}

export async function writeGuards(postgres: Postgres, tx: EntityManager, guards: readonly OtpGuard[]): Promise<void> {
  if (guards.length === 0) return;
  await postgres.run(tx, writeGuardsStatement, [
    guards.map(({ accountId }) => accountId),
    guards.map(({ wrongGuesses }) => wrongGuesses),
    limits.otpGuessWindowSeconds,
    guards.map(({ shortGuesses }) => shortGuesses),
  ]);
}
