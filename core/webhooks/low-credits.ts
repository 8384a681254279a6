import { Injectable } from '@nestjs/common';
import { Credits } from '../credits/credits.js';
import { Postgres } from '../platform/database/postgres.js';
import { newMessageId } from '../rules/ids.js';
import { EndpointsRepository, type LowCreditsSubscription } from './endpoints/endpoints.repository.js';
import { WebhookEvents } from './webhook-events.js';

/**
 * Sends `credits.low` when a balance falls below the account's threshold, once until the balance reaches the threshold again.
 * Polls every few seconds, so accepting a message costs nothing extra. Safe in several workers at once.
 */
@Injectable()
export class LowCredits {
  constructor(
    private readonly postgres: Postgres,
    private readonly endpoints: EndpointsRepository,
    private readonly credits: Credits,
    private readonly events: WebhookEvents,
  ) {}

  /** Checks one batch of subscribed accounts; returns how many it checked. */
  async check(): Promise<number> {
    const { checked, recorded } = await this.postgres.transaction(async (tx) => {
      const accounts = await this.endpoints.takeLowCreditsSubscriptions(tx);
      if (accounts.length === 0) return { checked: 0, recorded: [] };
      const balances = await this.credits.balancesOf(idsOf(accounts), tx);
      const balanceOf = (accountId: string) => balances.get(accountId)?.balance ?? 0;
      const isLow = ({ accountId, lowCredits }: LowCreditsSubscription) => balanceOf(accountId) < lowCredits;
      const fallen = accounts.filter((account) => !account.areLow && isLow(account));
      const recovered = accounts.filter((account) => account.areLow && !isLow(account));
      await this.endpoints.markLowCredits(tx, idsOf(fallen), true);
      await this.endpoints.markLowCredits(tx, idsOf(recovered), false);
      const events = fallen.map(({ accountId, lowCredits }) => ({
        accountId,
        type: 'credits.low' as const,
        sourceId: newMessageId(),
        payload: { balance: balanceOf(accountId), threshold: lowCredits },
      }));
      return { checked: accounts.length, recorded: await this.events.recordAll(tx, events) };
    });
    this.events.enqueue(recorded);
    return checked;
  }
}

function idsOf(accounts: readonly LowCreditsSubscription[]): string[] {
  return accounts.map(({ accountId }) => accountId);
}
