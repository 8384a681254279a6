import { Injectable } from '@nestjs/common';
import { v7 as uuidV7 } from 'uuid';
import { packs } from '#contract/packs.js';
import { Accounts } from '../../accounts/accounts.js';
import { Credits } from '../../credits/credits.js';
import { Notices } from '../../mail/notices.js';
import { Postgres } from '../../platform/database/postgres.js';
import { Logger } from '../../platform/telemetry/logger.js';
import { newYorkDay, startOfNewYorkDay } from '../../rules/time.js';
import { checkoutOfTopUp, PurchasesRepository } from '../purchases.repository.js';
import { type NewTopUp, type TopUp, TopUpsRepository } from './top-ups.repository.js';

/** Decides whether an account is topped up now, and stores the attempt before its card is charged. */
@Injectable()
export class BeginTopUp {
  constructor(
    private readonly postgres: Postgres,
    private readonly topUps: TopUpsRepository,
    private readonly purchases: PurchasesRepository,
    private readonly accounts: Accounts,
    private readonly credits: Credits,
    private readonly notices: Notices,
    private readonly logger: Logger,
  ) {}

  /**
   * Begins an attempt unless the balance is back, another attempt is open, or a limit is reached.
   */
  async begin(accountId: string): Promise<TopUp | undefined> {
    const { blockedAt, deleteAt, flaggedAt } = await this.accounts.get(accountId);
    if (blockedAt || deleteAt || flaggedAt) return undefined;
    const topUp = await this.postgres.transaction(async (tx) => {
      const settings = await this.topUps.lockSettings(tx, accountId);
      if (!settings?.enabled || (settings.retryAt && settings.retryAt > new Date())) return undefined;
      const { customerId, paymentMethodId, cardLast4, threshold, perMonthMax } = settings;
      const pack = packs.find(({ id }) => id === settings.pack);
      if (!pack || customerId === null || paymentMethodId === null) return undefined;
      if (await this.topUps.findOpen(accountId, tx)) return undefined;
      // This read follows the end of the previous attempt, so it sees that attempt's credits.
      const { balance = 0, frozen = 0 } = (await this.credits.balancesOf([accountId], tx)).get(accountId) ?? {};
      if (balance - frozen >= threshold) return undefined;
      if ((await this.topUps.countSince(accountId, startOfMonth(), tx)) >= perMonthMax) {
        const month = newYorkDay(new Date()).slice(0, 7);
        await this.notices.send(tx, accountId, { kind: 'top_up_limit', perMonthMax }, `${accountId}:${month}`);
        return undefined;
      }
      const { id: packId, credits, priceCents: amountCents } = pack;
      const row: NewTopUp = {
        id: uuidV7(),
        accountId,
        pack: packId,
        credits,
        amountCents,
        customerId,
        paymentMethodId,
        cardLast4: cardLast4 ?? '',
      };
      const checkout = { sessionId: checkoutOfTopUp(row.id), accountId, pack: packId, credits, amountCents };
      await this.purchases.insertCheckout(checkout, tx);
      await this.topUps.insert(tx, row);
      return row;
    });
    if (!topUp) return undefined;
    this.logger.info({ accountId, topUpId: topUp.id, pack: topUp.pack }, 'top-up begun');
    return { ...topUp, status: 'pending', cardPaymentId: null, reason: null, createdAt: new Date() };
  }
}

/** The instant at which the current month began in New York. */
export function startOfMonth(): Date {
  return startOfNewYorkDay(`${newYorkDay(new Date()).slice(0, 8)}01`);
}
