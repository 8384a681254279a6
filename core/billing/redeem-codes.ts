import { randomInt } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { ungrouped } from '#contract/characters.js';
import type { RedeemOutcome } from '#contract/credits.js';
import { limits } from '#contract/limits.js';
import { Accounts } from '../accounts/accounts.js';
import { Credits } from '../credits/credits.js';
import { Postgres } from '../platform/database/postgres.js';
import { CreditsAddedQueue } from '../platform/queue/queues.js';
import { RateLimiter } from '../platform/queue/rate-limiter.js';
import { SharedCounters } from '../platform/queue/shared-counters.js';
import { Logger } from '../platform/telemetry/logger.js';
import { RedeemCodesRepository } from './redeem-codes.repository.js';

/** Unambiguous letters and digits; of the vowels only A and E, so that codes rarely spell words. */
export const redeemAlphabet = '23456789ABCDEFGHJKMNPQRSTVWXYZ';

const GROUP_CHARACTERS = 4;

/** Normalizes a typed or pasted code to its stored form: upper case, without spaces and dashes. */
export function normalRedeemCode(text: string): string {
  return ungrouped(text).toUpperCase();
}

/** Formats a stored code for display: 'ABCD-EFGH-JKMN'. */
export function shownRedeemCode(code: string): string {
  return code.replace(new RegExp(`.{${GROUP_CHARACTERS}}(?=.)`, 'g'), '$&-');
}

/** 30^12 codes: at 10 guesses in 10 minutes, guessing a code is hopeless. */
const CODE_CHARACTERS = 12;

/** Redeem codes, which the operator creates and customers exchange for credits. */
@Injectable()
export class RedeemCodes {
  /** Limits guessing, by account. */
  private readonly attempts: RateLimiter;

  constructor(
    private readonly postgres: Postgres,
    private readonly codes: RedeemCodesRepository,
    private readonly credits: Credits,
    private readonly accounts: Accounts,
    private readonly creditsAdded: CreditsAddedQueue,
    private readonly logger: Logger,
    counters: SharedCounters,
  ) {
    const { redeemAttemptsMax: points, redeemWindowSeconds: durationSeconds } = limits;
    this.attempts = new RateLimiter(counters, { name: 'redeem-attempts', points, durationSeconds });
  }

  /**
   * Creates a code that adds `credits` to each of up to `usesMax` accounts, in the operator's
   * transaction; returns it as it is shown.
   */
  async create(tx: EntityManager, credits: number, usesMax: number, expiresAt: Date | null): Promise<string> {
    const letters = Array.from({ length: CODE_CHARACTERS }, () => redeemAlphabet[randomInt(redeemAlphabet.length)]);
    const code = letters.join('');
    await this.codes.insert(tx, { code, credits, usesMax, expiresAt });
    return shownRedeemCode(code);
  }

  /**
   * Adds the credits of a code to an account: once per account, and up to the code's number of
   * uses.
   */
  async redeem(accountId: string, text: string): Promise<RedeemOutcome> {
    const code = normalRedeemCode(text);
    if (code === '') return { kind: 'empty' };
    const { isOver, resetSeconds: retryAfterSeconds } = await this.attempts.take(accountId);
    if (isOver) {
      this.logger.warn({ accountId }, 'too many redeem attempts');
      return { kind: 'too_many', retryAfterSeconds };
    }
    // Codes are printable; Postgres rejects some other characters.
    if (/\p{C}/u.test(code)) return { kind: 'unknown' };
    const outcome = await this.tryRedeem(accountId, code);
    if (outcome.kind === 'redeemed') this.creditsAdded.enqueue({ id: accountId });
    this.logger.info({ accountId, outcome: outcome.kind }, 'redeem code tried');
    return outcome;
  }

  private tryRedeem(accountId: string, code: string): Promise<RedeemOutcome> {
    return this.postgres.change(async (tx) => {
      const found = await this.codes.lock(tx, code);
      if (!found) return { kind: 'unknown' };
      if (found.isExpired) return { kind: 'expired' };
      if (await this.codes.isRedeemedBy(tx, accountId, code)) return { kind: 'redeemed_before' };
      if (found.isUsedUp) return { kind: 'used' };
      const sourceId = await this.codes.redeem(tx, accountId, code);
      await this.credits.post(tx, [{ accountId, amount: found.credits, kind: 'redeem', sourceId }]);
      await this.accounts.allowAllNumbers(tx, accountId);
      return { kind: 'redeemed', credits: found.credits };
    });
  }
}
