import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Accounts } from '../accounts/accounts.js';
import { Credits } from '../credits/credits.js';
import { Postgres } from '../platform/database/postgres.js';
import { Logger } from '../platform/telemetry/logger.js';
import type { Dispute } from './card-payments.js';
import { PaymentsRepository, type Payment } from './payments.repository.js';
import { ReversalsRepository, type Reversal } from './reversals.repository.js';

/**
 * Money that went back, by a refund or a dispute that was lost, takes its share of the credits back, as far as the balance
 * allows; what is spent already flags the account. A dispute flags it until it is won. The news is kept by the payment's id,
 * so it may come twice, late, in any order, or before the payment; all of it together takes no more than the payment brought.
 */
@Injectable()
export class ReversePayment {
  constructor(
    private readonly payments: PaymentsRepository,
    private readonly reversals: ReversalsRepository,
    private readonly credits: Credits,
    private readonly accounts: Accounts,
    private readonly postgres: Postgres,
    private readonly logger: Logger,
  ) {}

  /** `refundedCents` is all that has been refunded so far. */
  async refunded(cardPaymentId: string, refundedCents: number): Promise<void> {
    await this.run(cardPaymentId, (tx) => this.reversals.rememberRefund(tx, cardPaymentId, refundedCents));
  }

  async disputed(dispute: Dispute): Promise<void> {
    await this.run(dispute.cardPaymentId, (tx) => this.reversals.rememberDispute(tx, dispute));
  }

  /** Brings a payment to what is known of its reversal. The caller holds the payment's lock. */
  async apply(tx: EntityManager, cardPaymentId: string): Promise<void> {
    const payment = await this.payments.findByCardPayment(tx, cardPaymentId);
    if (!payment) return;
    const reversal = await this.reversals.of(tx, cardPaymentId);
    const { sessionId, amountCents } = payment;
    // Money that went back once has been dealt with, also when the provider thinks better of it later.
    const wentBackCents = Math.max(payment.refundedCents, reversal.refundedCents + reversal.lostCents);
    const refundedCents = Math.min(wentBackCents, amountCents);
    const due = Math.max(0, creditsFor(payment, refundedCents) - payment.creditsReversed);
    await this.mark(tx, payment, reversal, due);
    if (due > 0) await this.takeBack(tx, payment, { refundedCents, due, isLost: reversal.dispute?.status === 'lost' });
    const creditsReversed = payment.creditsReversed + due;
    await this.payments.recordReversal(tx, { sessionId, refundedCents, creditsReversed }, reversal.dispute !== null);
  }

  private async run(cardPaymentId: string, remember: (tx: EntityManager) => Promise<void>): Promise<void> {
    await this.postgres.transaction(async (tx) => {
      await this.payments.lock(tx, cardPaymentId);
      await remember(tx);
      await this.apply(tx, cardPaymentId);
    });
  }

  /** Flags the account when a dispute is new or has just been lost; clears the flag when none stands any more. */
  private async mark(tx: EntityManager, payment: Payment, { dispute }: Reversal, due: number): Promise<void> {
    const { accountId, sessionId, disputedAt } = payment;
    if (!dispute) {
      if (disputedAt) await this.accounts.clearFlag(tx, accountId, `Payment ${sessionId} is disputed: `);
      return;
    }
    const { status, reason } = dispute;
    if (status === 'lost' && (due > 0 || !disputedAt))
      await this.accounts.flag(tx, accountId, `Payment ${sessionId} was lost to a dispute: ${reason}.`);
    if (status === 'open' && !disputedAt)
      await this.accounts.flag(tx, accountId, `Payment ${sessionId} is disputed: ${reason}.`);
  }

  private async takeBack(
    tx: EntityManager,
    { accountId, sessionId }: Payment,
    { refundedCents, due, isLost }: { refundedCents: number; due: number; isLost: boolean },
  ): Promise<void> {
    const how = isLost ? 'lost to a dispute' : 'refunded';
    const sourceId = `${sessionId}:${refundedCents}`;
    const taken = await this.credits.takeBack(tx, { accountId, credits: due, sourceId, note: `payment ${how}` });
    this.logger.info({ accountId, sessionId, refundedCents, due, taken }, `payment ${how}`);
    if (taken === due) return;
    const reason = `Payment ${sessionId} was ${how}, but ${due - taken} of its credits are spent.`;
    await this.accounts.flag(tx, accountId, reason);
  }
}

/** The refunded share of the credits; a broken credit stays with the buyer. */
function creditsFor({ credits, amountCents }: Payment, refundedCents: number): number {
  return Math.floor((credits * refundedCents) / amountCents);
}
