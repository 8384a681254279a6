import { Injectable } from '@nestjs/common';
import { Credits } from '../credits/credits.js';
import { Postgres } from '../platform/database/postgres.js';
import { newMessageId } from '../rules/ids.js';
import { LowCreditsRepository, type Watched } from './low-credits.repository.js';
import { WebhookEvents } from './webhook-events.js';

/**
 * Tells accounts that their balance has fallen below their threshold: once, and again only after it had risen to it. Looked for
 * every few seconds beside the way of messages, which it costs nothing. Safe in several workers at once.
 */
@Injectable()
export class LookForLowCredits {
  constructor(
    private readonly postgres: Postgres,
    private readonly watched: LowCreditsRepository,
    private readonly credits: Credits,
    private readonly events: WebhookEvents,
  ) {}

  /** One round over a batch. Answers how many accounts were looked at. */
  async run(): Promise<number> {
    const { looked, written } = await this.postgres.transaction(async (tx) => {
      const accounts = await this.watched.take(tx);
      if (accounts.length === 0) return { looked: 0, written: [] };
      const balances = await this.credits.balancesOf(idsOf(accounts), tx);
      const balanceOf = (accountId: string) => balances.get(accountId)?.balance ?? 0;
      const isLow = ({ accountId, lowCredits }: Watched) => balanceOf(accountId) < lowCredits;
      const fallen = accounts.filter((account) => !account.areLow && isLow(account));
      const risen = accounts.filter((account) => account.areLow && !isLow(account));
      await this.watched.mark(tx, idsOf(fallen), true);
      await this.watched.mark(tx, idsOf(risen), false);
      const news = fallen.map(({ accountId, lowCredits }) => ({
        accountId,
        type: 'credits.low' as const,
        sourceId: newMessageId(),
        payload: { balance: balanceOf(accountId), threshold: lowCredits },
      }));
      return { looked: accounts.length, written: await this.events.recordAll(tx, news) };
    });
    this.events.wake(written);
    return looked;
  }
}

function idsOf(accounts: readonly Watched[]): string[] {
  return accounts.map(({ accountId }) => accountId);
}
