import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { FlagAccount } from '../accounts/flag-account.js';
import { Credits } from '../credits/credits.js';
import { Postgres } from '../database/postgres.js';
import { LOGGER, type Logger } from '../logging/logger.js';
import { PaymentsRepository, type Payment, type Reversal } from './payments.repository.js';

/**
 * Money that went back takes its share of the credits back, as far as the balance allows; what is spent already flags the
 * account. A dispute flags it too. The news is kept by the payment's id, so it may come twice, late, or before the payment.
 */
@Injectable()
export class ReversePayment {
  constructor(
    private readonly payments: PaymentsRepository,
    private readonly credits: Credits,
    private readonly flagAccount: FlagAccount,
    private readonly postgres: Postgres,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async run(cardPaymentId: string, news: Reversal): Promise<void> {
    await this.postgres.transaction(async (tx) => {
      await this.payments.lock(tx, cardPaymentId);
      await this.payments.remember(tx, cardPaymentId, news);
      await this.apply(tx, cardPaymentId);
    });
  }

  /** Brings a payment to what is known of its reversal. The caller holds the payment's lock. */
  async apply(tx: EntityManager, cardPaymentId: string): Promise<void> {
    const payment = await this.payments.findByCardPayment(tx, cardPaymentId);
    const reversal = await this.payments.reversalOf(tx, cardPaymentId);
    if (!payment || !reversal) return;
    const { sessionId, accountId, amountCents, disputedAt } = payment;
    const refundedCents = Math.min(reversal.refundedCents, amountCents);
    const creditsReversed = creditsFor(payment, refundedCents);
    if (creditsReversed > payment.creditsReversed)
      await this.takeBack(tx, payment, refundedCents, creditsReversed - payment.creditsReversed);
    if (reversal.disputeReason !== null && !disputedAt)
      await this.flagAccount.run(tx, accountId, `Payment ${sessionId} is disputed: ${reversal.disputeReason}.`);
    const disputed = reversal.disputeReason !== null;
    await this.payments.recordReversal(tx, { sessionId, refundedCents, creditsReversed }, disputed);
  }

  private async takeBack(tx: EntityManager, payment: Payment, refundedCents: number, due: number): Promise<void> {
    const { accountId, sessionId } = payment;
    const sourceId = `${sessionId}:${refundedCents}`;
    const taken = await this.credits.takeBack(tx, { accountId, credits: due, sourceId, note: 'payment refunded' });
    this.logger.info({ accountId, sessionId, refundedCents, due, taken }, 'payment refunded');
    if (taken === due) return;
    const reason = `Payment ${sessionId} was refunded, but ${due - taken} of its credits are spent.`;
    await this.flagAccount.run(tx, accountId, reason);
  }
}

/** The refunded share of the credits; a broken credit stays with the buyer. */
function creditsFor({ credits, amountCents }: Payment, refundedCents: number): number {
  return Math.floor((credits * refundedCents) / amountCents);
}
