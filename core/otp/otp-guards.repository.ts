import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { limits } from '#contract/limits.js';

/** What stands between an account's codes and guessing. */
export interface OtpGuard {
  readonly accountId: string;
  /** In the window under way; 0 when none is. */
  wrongGuesses: number;
  /** Until the window is over; 0 when none is under way. */
  secondsLeft: number;
}

const lock = `
INSERT INTO otp_guards AS g (account_id)
SELECT account_id FROM unnest($1::uuid[]) AS a (account_id) ORDER BY account_id
ON CONFLICT (account_id) DO UPDATE
SET wrong_guesses = CASE WHEN g.window_ends_at > now() THEN g.wrong_guesses ELSE 0 END
RETURNING account_id AS "accountId", wrong_guesses AS "wrongGuesses",
  ceil(greatest(0, extract(epoch FROM window_ends_at - now())))::int AS "secondsLeft"`;

const write = `
UPDATE otp_guards g
SET wrong_guesses = v.wrong_guesses,
  window_ends_at = CASE WHEN g.window_ends_at > now() THEN g.window_ends_at ELSE now() + make_interval(secs => $3) END
FROM unnest($1::uuid[], $2::integer[]) AS v (account_id, wrong_guesses)
WHERE g.account_id = v.account_id`;

/** One row per account, locked by whoever reserves or verifies its codes. */
@Injectable()
export class OtpGuardsRepository {
  /** Locks the accounts until the transaction ends, in an order that two batches share. */
  async lock(tx: EntityManager, accountIds: Iterable<string>): Promise<Map<string, OtpGuard>> {
    const guards = await tx.query<OtpGuard[]>(lock, [[...new Set(accountIds)]]);
    return new Map(guards.map((guard) => [guard.accountId, guard]));
  }

  /** Writes down the wrong guesses; the first one opens a window. */
  async write(tx: EntityManager, guards: readonly OtpGuard[]): Promise<void> {
    if (guards.length === 0) return;
    await tx.query(write, [
      guards.map(({ accountId }) => accountId),
      guards.map(({ wrongGuesses }) => wrongGuesses),
      limits.otpGuessWindowSeconds,
    ]);
  }
}
