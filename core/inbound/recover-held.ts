import { Injectable } from '@nestjs/common';
import { Credits } from '../credits/credits.js';
import { Postgres } from '../platform/database/postgres.js';
import { Logger } from '../platform/telemetry/logger.js';
import { Receiving } from '../webhooks/receiving.js';
import { InboundMessagesRepository } from './inbound-messages.repository.js';
import { ReleaseHeld } from './release-held.js';

const ACCOUNTS_MAX = 500;
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

/**
 * Finds accounts with held messages that have credits again, whoever gave them: refunds come without a hint, and a hint may be
 * lost. Goes round all of them, a batch at a time. Safe in several workers at once.
 */
@Injectable()
export class RecoverHeld {
  private after = BEFORE_ALL;

  constructor(
    private readonly postgres: Postgres,
    private readonly messages: InboundMessagesRepository,
    private readonly credits: Credits,
    private readonly receiving: Receiving,
    private readonly releaseHeld: ReleaseHeld,
    private readonly logger: Logger,
  ) {}

  /** One round over a batch of accounts. Answers whether more of them are left to be looked at. */
  async run(): Promise<boolean> {
    const holding = await this.messages.accountsHolding(this.after, ACCOUNTS_MAX);
    const more = holding.length === ACCOUNTS_MAX;
    this.after = (more && holding.at(-1)) || BEFORE_ALL;
    for (const accountId of await this.able(holding)) {
      await this.releaseHeld
        .run(accountId)
        .catch((err: unknown) => this.logger.warn({ err, accountId }, 'held messages not released yet'));
    }
    return more;
  }

  /** Those that have credits, and receive. */
  private async able(accountIds: readonly string[]): Promise<string[]> {
    if (accountIds.length === 0) return [];
    return this.postgres.transaction(async (tx) => {
      const balances = await this.credits.balancesOf(accountIds, tx);
      const on = await this.receiving.among(tx, accountIds);
      return accountIds.filter((accountId) => (balances.get(accountId)?.balance ?? 0) > 0 && on.has(accountId));
    });
  }
}
