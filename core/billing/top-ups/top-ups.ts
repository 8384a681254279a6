import { Injectable } from '@nestjs/common';
import { Credits } from '../../credits/credits.js';
import { eachDueRow } from '../../platform/durable-work/durable-work.js';
import { Every } from '../../platform/schedules/every.js';
import { Logger } from '../../platform/telemetry/logger.js';
import { type ChargeOutcome, SavedCardPayments } from '../card-payments.js';
import { BeginTopUp } from './begin-top-up.js';
import { SettleTopUp } from './settle-top-up.js';
import { TOP_UP_LEASE_SECONDS, TopUpsRepository, type TopUp } from './top-ups.repository.js';

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
    private readonly topUps: TopUpsRepository,
    private readonly beginTopUp: BeginTopUp,
    private readonly settleTopUp: SettleTopUp,
    private readonly savedCards: SavedCardPayments,
    private readonly credits: Credits,
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
      const topUp = await this.beginTopUp.begin(accountId);
      if (topUp && performance.now() - startedMs < CALL_WITHIN_MS)
        await this.settleTopUp.settle(topUp, await this.charge(topUp));
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

  private charge({
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
    return Date.now() - createdAt.getTime() > UNKNOWN_MAX_MS ? undefined : this.charge(topUp);
  }
}
