import { Injectable } from '@nestjs/common';
import { v7 as uuidV7 } from 'uuid';
import { packs } from '#contract/packs.js';
import { Accounts } from '../../accounts/accounts.js';
import { Notices } from '../../mail/notices.js';
import { Credits } from '../../credits/credits.js';
import { Postgres } from '../../platform/database/postgres.js';
import { eachDueRow } from '../../platform/durable-work/durable-work.js';
import { Logger } from '../../platform/telemetry/logger.js';
import { newYorkDay, startOfNewYorkDay } from '../../rules/time.js';
import { checkoutOfTopUp, PurchasesRepository } from '../purchases.repository.js';
import { type ChargeOutcome, SavedCardPayments } from '../card-payments.js';
import { TOP_UP_LEASE_SECONDS, TopUpsRepository, type NewTopUp, type TopUp } from './top-ups.repository.js';
import { SettleTopUp } from './settle-top-up.js';
import { Every } from '../../platform/schedules/every.js';

const CHECKED_EVERY_MS = 2_000;

/** Without a trace of the charge at the provider, an attempt ends after this time. */
const UNKNOWN_MAX_MS = 3_600_000;
/**
 * The card is not charged when an attempt was delayed this long before its call: recovery may have
 * it.
 */
const CALL_WITHIN_MS = (TOP_UP_LEASE_SECONDS / 2) * 1_000;
const AT_ONCE_MAX = 10;

/**
 * Charges saved cards when balances fall below their threshold. An attempt is a row that exists
 * before the card is charged, its id is the provider's idempotency key, and an account has at most
 * one open attempt. A crash leaves an open attempt, whose charge recovery looks up at the provider
 * before it calls again. Credits are granted by the path of all purchases, so an attempt that is
 * reported as paid in several ways adds them once. Safe in several workers.
 */
@Injectable()
export class TopUps {
  constructor(
    private readonly postgres: Postgres,
    private readonly topUps: TopUpsRepository,
    private readonly purchases: PurchasesRepository,
    private readonly settleTopUp: SettleTopUp,
    private readonly savedCards: SavedCardPayments,
    private readonly accounts: Accounts,
    private readonly credits: Credits,
    private readonly notices: Notices,
    private readonly logger: Logger,
  ) {}

  /**
   * Checks one batch of accounts and tops up accounts below their threshold; returns how many it
   * checked.
   */
  @Every({ name: 'top-ups', everyMs: CHECKED_EVERY_MS, whileMore: true })
  async check(): Promise<number> {
    const watched = await this.topUps.takeWatched();
    if (watched.length === 0) return 0;
    const balances = await this.credits.balancesOf(watched.map(({ accountId }) => accountId));
    const low = watched.filter(({ accountId, threshold }) => {
      const { balance = 0, frozen = 0 } = balances.get(accountId) ?? {};
      return balance - frozen < threshold;
    });
    const work = { name: 'accounts with automatic top-up', logger: this.logger, atOnceMax: AT_ONCE_MAX };
    await eachDueRow(low, work, async ({ accountId }) => {
      const startedMs = performance.now();
      const topUp = await this.begin(accountId);
      if (topUp && performance.now() - startedMs < CALL_WITHIN_MS) await this.charge(topUp);
    });
    return watched.length;
  }

  /**
   * Settles attempts of unknown outcome and ends those not confirmed in time; returns the number of
   * attempts.
   */
  @Every({ name: 'top-up recovery', everyMs: CHECKED_EVERY_MS, whileMore: true })
  async recover(): Promise<number> {
    const due = await this.topUps.takeDue();
    const work = { name: 'top-ups', logger: this.logger, atOnceMax: AT_ONCE_MAX };
    return eachDueRow(due, work, async (topUp) => this.settleTopUp.settle(topUp, await this.recovered(topUp)));
  }

  /**
   * Handles the provider's notice that a charge has changed: asks for its state, so late and
   * repeated notices do no harm.
   */
  async refresh(topUpId: string, cardPaymentId: string): Promise<void> {
    const topUp = await this.topUps.find(topUpId);
    if (topUp) await this.settleTopUp.settle(topUp, await this.savedCards.find(cardPaymentId));
  }

  /**
   * Begins an attempt unless the balance is back, another attempt is open, or a limit is reached.
   */
  private async begin(accountId: string): Promise<TopUp | undefined> {
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

  private async charge(topUp: TopUp): Promise<void> {
    await this.settleTopUp.settle(topUp, await this.call(topUp));
  }

  private call({
    id: topUpId,
    accountId,
    customerId,
    paymentMethodId,
    amountCents,
    credits,
  }: TopUp): Promise<ChargeOutcome> {
    const description = `${credits} credits, automatic top-up`;
    return this.savedCards.charge({ topUpId, accountId, customerId, paymentMethodId, amountCents, description });
  }

  /**
   * The state of an attempt that is due; undefined when it was never charged and is too old to
   * begin.
   */
  private async recovered(topUp: TopUp): Promise<ChargeOutcome | undefined> {
    const { id: topUpId, customerId, createdAt, cardPaymentId, status } = topUp;
    if (status === 'action_required' && cardPaymentId !== null) return this.savedCards.cancel(cardPaymentId);
    const found = await this.savedCards.findOf({ topUpId, customerId, since: createdAt });
    if (found) return found;
    return Date.now() - createdAt.getTime() > UNKNOWN_MAX_MS ? undefined : this.call(topUp);
  }
}

/** The instant at which the current month began in New York. */
export function startOfMonth(): Date {
  return startOfNewYorkDay(`${newYorkDay(new Date()).slice(0, 8)}01`);
}
