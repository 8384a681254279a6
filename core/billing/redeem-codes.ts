import { randomInt } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible';
import { ungrouped } from '#contract/characters.js';
import type { RedeemOutcome } from '#contract/credits.js';
import { limits } from '#contract/limits.js';
import { Accounts } from '../accounts/accounts.js';
import { Credits } from '../credits/credits.js';
import { Postgres } from '../platform/database/postgres.js';
import { CreditsAddedQueue } from '../platform/queue/queues.js';
import { RedisClient } from '../platform/queue/redis-client.js';
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

/** 30^12 codes: at 10 guesses in 10 minutes, no code is ever guessed. */
const CODE_CHARACTERS = 12;

/**
 * Limits guessing: counts redeem attempts per account in Redis; without Redis each process counts
 * on its own.
 */
@Injectable()
export class RedeemAttempts {
  private readonly limiter: RateLimiterAbstract;

  constructor(client: RedisClient) {
    const { redis } = client;
    const options = {
      points: limits.redeemAttemptsMax,
      duration: limits.redeemWindowSeconds,
      keyPrefix: client.key('redeem-attempts'),
    };
    const local = new RateLimiterMemory(options);
    this.limiter = redis
      ? new RateLimiterRedis({ ...options, storeClient: redis, insuranceLimiter: local, rejectIfRedisNotReady: true })
      : local;
  }

  /** Counts one attempt. Returns the seconds to wait after too many, otherwise undefined. */
  async take(accountId: string): Promise<number | undefined> {
    try {
      await this.limiter.consume(accountId);
      return undefined;
    } catch (result) {
      if (!(result instanceof RateLimiterRes)) throw result;
      return Math.max(1, Math.ceil(result.msBeforeNext / 1_000));
    }
  }
}

/** Redeem codes, which the operator creates and customers exchange for credits. */
@Injectable()
export class RedeemCodes {
  constructor(
    private readonly postgres: Postgres,
    private readonly codes: RedeemCodesRepository,
    private readonly attempts: RedeemAttempts,
    private readonly credits: Credits,
    private readonly accounts: Accounts,
    private readonly creditsAdded: CreditsAddedQueue,
    private readonly logger: Logger,
  ) {}

  /** Creates a code that adds `credits` to each of up to `usesMax` accounts. */
  async create(credits: number, usesMax: number, expiresAt: Date | null): Promise<{ code: string }> {
    const letters = Array.from({ length: CODE_CHARACTERS }, () => redeemAlphabet[randomInt(redeemAlphabet.length)]);
    const code = letters.join('');
    await this.codes.insert({ code, credits, usesMax, expiresAt });
    return { code: shownRedeemCode(code) };
  }

  /**
   * Adds the credits of a code to an account: once per account, and up to the code's number of
   * uses.
   */
  async redeem(accountId: string, text: string): Promise<RedeemOutcome> {
    const code = normalRedeemCode(text);
    if (code === '') return { kind: 'empty' };
    const retryAfterSeconds = await this.attempts.take(accountId);
    if (retryAfterSeconds !== undefined) {
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
    return this.postgres.transaction(async (tx) => {
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
