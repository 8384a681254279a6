import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { BillingAnswer, BillingRecord } from '#contract/billing.js';
import { limits } from '#contract/limits.js';
import { dollars } from '#contract/packs.js';
import { AccountErasure, type FeatureErasure } from '../accounts/account-erasure.js';
import { Accounts } from '../accounts/accounts.js';
import { Notices } from '../mail/notices.js';
import { Credits } from '../credits/credits.js';
import { Postgres } from '../platform/database/postgres.js';
import { CreditsAddedQueue } from '../platform/queue/queues.js';
import { Logger } from '../platform/telemetry/logger.js';
import { newYorkTimestamp } from '../rules/time.js';
import type { CardSession, Dispute, Refund } from './card-payments.js';
import {
  isTopUp,
  PurchasesRepository,
  type Checkout,
  type Payment,
  type Reversal,
  type Standing,
} from './purchases.repository.js';

const PAYMENT_METHOD = 'Stripe Payment';
const TOP_UP_METHOD = 'Stripe Payment (automatic top-up)';
const OPERATOR_PAYMENTS_MAX = 1_000;

/**
 * Payments, refunds and disputes. An open dispute freezes the unspent part of its share of the
 * credits. Refunded money, and money lost to a dispute, takes its share of the credits back as far
 * as the balance allows; if they are spent, the account is flagged. A refund that fails gives back
 * the credits that it took. A dispute flags the account until it is won. Refunds and disputes are
 * stored by the payment's id: they may arrive twice, late, in any order, or before the payment, and
 * never take back more credits than the payment added.
 */
@Injectable()
export class Payments {
  constructor(
    private readonly postgres: Postgres,
    private readonly purchases: PurchasesRepository,
    private readonly credits: Credits,
    private readonly creditsAdded: CreditsAddedQueue,
    private readonly accounts: Accounts,
    private readonly notices: Notices,
    private readonly logger: Logger,
  ) {}

  /**
   * Adds the credits of a paid checkout, with its ledger entry and billing record, in the caller's
   * transaction. Returns false when an earlier call did so.
   */
  async record(tx: EntityManager, checkout: Checkout, session: CardSession): Promise<boolean> {
    const { sessionId, accountId, credits, amountCents } = checkout;
    const { cardPaymentId, receiptUrl } = session;
    if (cardPaymentId) await this.purchases.lockPayment(tx, cardPaymentId);
    if (!(await this.purchases.markPaid(tx, sessionId))) return false;
    await this.credits.post(tx, [{ accountId, amount: credits, kind: 'purchase', sourceId: sessionId }]);
    await this.accounts.allowAllNumbers(tx, accountId);
    const method = isTopUp(sessionId) ? TOP_UP_METHOD : PAYMENT_METHOD;
    const payment = { accountId, sessionId, cardPaymentId, amountCents, credits, method, receiptUrl };
    await this.purchases.insertPayment(tx, payment);
    // A refund may have arrived before the payment.
    if (cardPaymentId) await this.applyReversal(tx, cardPaymentId);
    this.postgres.afterCommit(tx, () => this.creditsAdded.enqueue({ id: accountId }));
    return true;
  }

  /** Handles a refund; `refundedCents` is the payment's total at that time. */
  async refund(cardPaymentId: string, refundedCents: number): Promise<void> {
    await this.reverse(cardPaymentId, (tx) => this.purchases.recordRefund(tx, cardPaymentId, refundedCents));
  }

  /** Handles a refund that was made, or that failed. */
  async refundChanged(refund: Refund): Promise<void> {
    await this.reverse(refund.cardPaymentId, (tx) => this.purchases.recordRefundState(tx, refund));
  }

  /** Handles a dispute that was opened or closed. */
  async dispute(dispute: Dispute): Promise<void> {
    await this.reverse(dispute.cardPaymentId, (tx) => this.purchases.recordDispute(tx, dispute));
  }

  /**
   * Returns a page of the billing history, newest first; the last page when `requestedPage` is
   * beyond it.
   */
  async page(accountId: string, requestedPage: number): Promise<BillingAnswer> {
    const pages = Math.max(1, Math.ceil((await this.purchases.countPayments(accountId)) / limits.tablePageSize));
    const page = Math.min(requestedPage, pages);
    const offset = (page - 1) * limits.tablePageSize;
    const payments = await this.purchases.payments(accountId, limits.tablePageSize, offset);
    return { records: payments.map(billingRecordOf), page, pages };
  }

  /** Yields all payments for the account's export, in batches that are read on demand. */
  async *all(accountId: string): AsyncGenerator<object[]> {
    for (let offset = 0; ; offset += limits.exportBatchRowsMax) {
      const batch = await this.purchases.payments(accountId, limits.exportBatchRowsMax, offset);
      yield batch.map(({ createdAt, amountCents, refundedCents, credits, method, cardPaymentId }) => ({
        at: createdAt.toISOString(),
        amountCents,
        refundedCents,
        credits,
        method,
        payment: cardPaymentId,
      }));
      if (batch.length < limits.exportBatchRowsMax) return;
    }
  }

  /** Returns an account's payments, newest first, for the operator. Throws `account_not_found`. */
  async list(email: string): Promise<{ payments: Payment[] }> {
    const { id } = await this.accounts.getByEmail(email);
    return { payments: await this.purchases.payments(id, OPERATOR_PAYMENTS_MAX, 0) };
  }

  /**
   * Returns the payments of accounts, less refunds and lost disputes, without accounts that paid
   * nothing.
   */
  async paidCents(accountIds: readonly string[]): Promise<Map<string, bigint>> {
    return this.purchases.paidCents(accountIds);
  }

  /**
   * Returns whether the account has paid for credits, and its credits that open disputes have
   * frozen.
   */
  async standingOf(tx: EntityManager, accountId: string): Promise<Standing> {
    return this.purchases.standing(tx, accountId);
  }

  /**
   * Freezes credits that were held when a dispute opened and have returned to the account, up to
   * what open disputes still lack. The caller holds the lock on the account's balance.
   */
  async freezeReturned(tx: EntityManager, accountId: string, credits: number): Promise<void> {
    let left = credits;
    for (const { sessionId, lacking } of left > 0 ? await this.purchases.lackingFrozen(tx, accountId) : []) {
      const frozen = await this.credits.freeze(tx, accountId, Math.min(left, lacking));
      if (frozen > 0) await this.purchases.addFrozen(tx, sessionId, frozen);
      left -= frozen;
      if (left === 0) break;
    }
    if (left < credits) this.logger.info({ accountId, frozen: credits - left }, 'returned credits frozen');
  }

  /**
   * Counts accounts whose frozen credits differ from the sum of their disputed payments and holds.
   */
  async countMismatches(): Promise<number> {
    return this.purchases.countFrozenMismatches();
  }

  private async reverse(cardPaymentId: string, record: (tx: EntityManager) => Promise<void>): Promise<void> {
    await this.postgres.transaction(async (tx) => {
      await this.purchases.lockPayment(tx, cardPaymentId);
      await record(tx);
      await this.applyReversal(tx, cardPaymentId);
    });
  }

  /** Applies all known refunds and disputes to a payment. The caller holds the payment's lock. */
  private async applyReversal(tx: EntityManager, cardPaymentId: string): Promise<void> {
    const found = await this.purchases.findPayment(tx, cardPaymentId);
    if (!found) return;
    // Frozen credits of payments change under the lock on the balance alone.
    await this.credits.lock(tx, [found.accountId]);
    const payment = (await this.purchases.findPayment(tx, cardPaymentId)) ?? found;
    const reversal = await this.purchases.reversalOf(tx, cardPaymentId);
    const { sessionId, amountCents } = payment;
    const refundedCents = Math.min(reversal.refundedCents + reversal.lostCents, amountCents);
    const creditsReversed = creditsFor(payment, refundedCents);
    const due = creditsReversed - payment.creditsReversed;
    await this.updateFlag(tx, payment, reversal, due);
    // Each state of a payment moves credits once; a refund that failed leads to another state.
    const failures = reversal.failedCents > 0 ? `:${reversal.failedCents}` : '';
    const sourceId = `${sessionId}:${refundedCents}${failures}`;
    if (due < 0) await this.giveBack(tx, payment, { creditsReversed, sourceId });
    const disputedCents = Math.min(refundedCents + reversal.openCents, amountCents);
    const creditsDisputed = creditsFor(payment, disputedCents) - creditsReversed;
    const creditsFrozen = await this.freeze(tx, payment, creditsDisputed);
    if (due > 0) await this.takeBack(tx, payment, { sourceId, due, isLost: reversal.dispute?.status === 'lost' });
    const reversed = { sessionId, refundedCents, creditsReversed, creditsDisputed, creditsFrozen };
    await this.purchases.updateReversed(tx, reversed, reversal.dispute !== null);
  }

  /**
   * Freezes newly disputed credits, and releases credits that are no longer disputed; returns how
   * many credits of the payment are frozen then. Credits that arrive later stay usable.
   */
  private async freeze(tx: EntityManager, payment: Payment, creditsDisputed: number): Promise<number> {
    const { accountId, sessionId, creditsDisputed: disputedBefore, creditsFrozen: frozenBefore } = payment;
    if (creditsDisputed > disputedBefore) {
      const frozen = await this.credits.freeze(tx, accountId, creditsDisputed - disputedBefore);
      this.logger.info({ accountId, sessionId, creditsDisputed, frozen }, 'credits frozen');
      return frozenBefore + frozen;
    }
    const released = Math.max(0, frozenBefore - creditsDisputed);
    if (released === 0) return frozenBefore;
    await this.credits.unfreeze(tx, accountId, released);
    this.postgres.afterCommit(tx, () => this.creditsAdded.enqueue({ id: accountId }));
    this.logger.info({ accountId, sessionId, released }, 'credits not frozen any more');
    return frozenBefore - released;
  }

  /**
   * Flags the account when a dispute is new or newly lost; removes the flag when no dispute is
   * left.
   */
  private async updateFlag(tx: EntityManager, payment: Payment, { dispute }: Reversal, due: number): Promise<void> {
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
    if (!disputedAt) {
      const { amountCents, credits } = payment;
      await this.notices.send(tx, accountId, { kind: 'payment_disputed', amountCents, credits, reason }, sessionId);
    }
  }

  private async takeBack(
    tx: EntityManager,
    { accountId, sessionId }: Payment,
    { sourceId, due, isLost }: { sourceId: string; due: number; isLost: boolean },
  ): Promise<void> {
    const how = isLost ? 'lost to a dispute' : 'refunded';
    const taken = await this.credits.takeBack(tx, { accountId, credits: due, sourceId, note: `payment ${how}` });
    this.logger.info({ accountId, sourceId, due, taken }, `payment ${how}`);
    if (taken === due) return;
    const prefix = isLost ? `Payment ${sessionId} was ${how}, but ` : refundFlagOf(sessionId);
    await this.accounts.flag(tx, accountId, `${prefix}${due - taken} of its credits are spent.`);
  }

  /**
   * A refund failed: gives back the credits taken beyond `creditsReversed`. Credits that were spent
   * by then were not taken.
   */
  private async giveBack(
    tx: EntityManager,
    { accountId, sessionId }: Payment,
    { creditsReversed, sourceId }: { creditsReversed: number; sourceId: string },
  ): Promise<void> {
    const taken = await this.credits.takenBack(tx, accountId, `${sessionId}:`);
    const credits = Math.max(0, taken - creditsReversed);
    if (credits > 0) {
      await this.credits.post(tx, [
        { accountId, amount: credits, kind: 'chargeback', sourceId, note: 'refund of the payment failed' },
      ]);
      this.postgres.afterCommit(tx, () => this.creditsAdded.enqueue({ id: accountId }));
    }
    if (taken - credits === creditsReversed) await this.accounts.clearFlag(tx, accountId, refundFlagOf(sessionId));
    this.logger.info({ accountId, sourceId, credits }, 'refund of a payment failed');
  }
}

/** Erases the links to receipts, which name the buyer. Amounts stay. */
@Injectable()
export class PaymentErasure implements FeatureErasure {
  constructor(
    accountErasure: AccountErasure,
    private readonly purchases: PurchasesRepository,
  ) {
    accountErasure.register(this);
  }

  async erase(accountId: string): Promise<void> {
    await this.purchases.eraseReceipts(accountId);
  }
}

function refundFlagOf(sessionId: string): string {
  return `Payment ${sessionId} was refunded, but `;
}

/** The refunded share of the credits, rounded down in the buyer's favor. */
function creditsFor({ credits, amountCents }: Payment, refundedCents: number): number {
  return Math.floor((credits * refundedCents) / amountCents);
}

function billingRecordOf({
  createdAt,
  amountCents,
  credits,
  method,
  refundedCents,
  receiptUrl,
}: Payment): BillingRecord {
  return {
    date: newYorkTimestamp(createdAt),
    amount: dollars(amountCents),
    credits,
    method,
    refunded: refundedCents > 0 ? dollars(refundedCents) : null,
    receiptUrl,
  };
}
