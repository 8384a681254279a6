import { Injectable } from '@nestjs/common';
import type { RedeemOutcome } from '#contract/credits.js';
import { Credits } from '../credits/credits.js';
import { Postgres } from '../platform/database/postgres.js';
import { Logger } from '../platform/telemetry/logger.js';
import { CreditsAddedQueue } from '../platform/queue/queues.js';
import { normalRedeemCode } from '../rules/redeem-code.js';
import { RedeemAttempts } from './redeem-attempts.js';
import { RedeemCodesRepository } from './redeem-codes.repository.js';

/** Gives an account the credits of a code: once, and no more accounts than the code has uses. */
@Injectable()
export class RedeemCode {
  constructor(
    private readonly codes: RedeemCodesRepository,
    private readonly attempts: RedeemAttempts,
    private readonly credits: Credits,
    private readonly creditsAdded: CreditsAddedQueue,
    private readonly postgres: Postgres,
    private readonly logger: Logger,
  ) {}

  async run(accountId: string, text: string): Promise<RedeemOutcome> {
    const code = normalRedeemCode(text);
    if (code === '') return { kind: 'empty' };
    const retryAfterSeconds = await this.attempts.take(accountId);
    if (retryAfterSeconds !== undefined) {
      this.logger.warn({ accountId }, 'too many codes tried');
      return { kind: 'too_many', retryAfterSeconds };
    }
    // Codes are printable: what Postgres cannot take as text is none.
    if (/\p{C}/u.test(code)) return { kind: 'unknown' };
    const outcome = await this.redeem(accountId, code);
    if (outcome.kind === 'redeemed') this.creditsAdded.enqueue({ id: accountId });
    this.logger.info({ accountId, outcome: outcome.kind }, 'code tried');
    return outcome;
  }

  private redeem(accountId: string, code: string): Promise<RedeemOutcome> {
    return this.postgres.transaction(async (tx) => {
      const found = await this.codes.lock(tx, code);
      if (!found) return { kind: 'unknown' };
      if (found.isExpired) return { kind: 'expired' };
      if (await this.codes.isRedeemedBy(tx, accountId, code)) return { kind: 'redeemed_before' };
      if (found.isUsedUp) return { kind: 'used' };
      const sourceId = await this.codes.redeem(tx, accountId, code);
      await this.credits.post(tx, [{ accountId, amount: found.credits, kind: 'redeem', sourceId }]);
      return { kind: 'redeemed', credits: found.credits };
    });
  }
}
