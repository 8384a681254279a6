import { Injectable } from '@nestjs/common';
import { packCurrency, packs } from '#contract/packs.js';
import { Accounts } from '../accounts/accounts.js';
import { Mails } from '../mail/mails.js';
import { Postgres } from '../platform/database/postgres.js';
import { Logger } from '../platform/telemetry/logger.js';
import { CardPayments, type CardSession } from './card-payments.js';
import { Payments } from './payments.js';
import { isTopUp, PurchasesRepository, type Checkout } from './purchases.repository.js';

/**
 * `credited`: by this call or an earlier call. `refused`: paid, but differs from the checkout that
 * we opened.
 */
export type PurchaseOutcome = 'credited' | 'unpaid' | 'refused';

/**
 * Credits a paid checkout exactly once, however often and by whichever path it is reported: ledger
 * entry, billing record and receipt email are written in the transaction that marks the checkout as
 * paid.
 */
@Injectable()
export class CreditPurchase {
  constructor(
    private readonly postgres: Postgres,
    private readonly purchases: PurchasesRepository,
    private readonly cardPayments: CardPayments,
    private readonly payments: Payments,
    private readonly accounts: Accounts,
    private readonly mails: Mails,
    private readonly logger: Logger,
  ) {}

  async credit(session: CardSession): Promise<PurchaseOutcome> {
    const { sessionId } = session;
    const checkout = await this.purchases.findCheckout(sessionId);
    if (checkout?.status === 'paid') return 'credited';
    if (session.state !== 'paid') return 'unpaid';
    const mismatch = checkout ? mismatchOf(session, checkout) : 'the checkout is unknown';
    if (!checkout || mismatch) {
      const { amountCents, currency } = session;
      this.logger.error({ sessionId, mismatch, amountCents, currency }, 'paid checkout refused: nothing credited');
      return 'refused';
    }
    await this.store(checkout, session.receiptUrl || isTopUp(sessionId) ? session : await this.withReceipt(session));
    return 'credited';
  }

  private async store(checkout: Checkout, session: CardSession): Promise<void> {
    const { sessionId, accountId, credits, amountCents } = checkout;
    const { receiptUrl } = session;
    const { email: recipient } = await this.accounts.get(accountId);
    const isAutomatic = isTopUp(sessionId);
    const paidAt = new Date().toISOString();
    const content = { kind: 'receipt', credits, amountCents, paidAt, receiptUrl, isAutomatic } as const;
    const isNew = await this.postgres.transaction(async (tx) => {
      if (!(await this.payments.record(tx, checkout, session))) return false;
      return this.mails.queue(tx, { accountId, recipient, sourceId: sessionId, content });
    });
    if (isNew) this.logger.info({ accountId, sessionId, credits, amountCents }, 'purchase credited');
  }

  /**
   * Fetches the receipt, which events do not carry. A failure does not delay the buyer's credits.
   */
  private async withReceipt(session: CardSession): Promise<CardSession> {
    try {
      const found = await this.cardPayments.find(session.sessionId);
      return { ...session, receiptUrl: found?.receiptUrl ?? null };
    } catch (err) {
      this.logger.warn({ err, sessionId: session.sessionId }, 'receipt not found');
      return session;
    }
  }
}

/**
 * Describes how a paid session differs from the checkout that we opened; undefined when it matches.
 */
function mismatchOf(session: CardSession, checkout: Checkout): string | undefined {
  const price = packs.find(({ id }) => id === checkout.pack)?.priceCents;
  if (session.currency !== packCurrency) return `the currency is not ${packCurrency}`;
  if (session.amountCents !== checkout.amountCents) return 'the amount differs from the checkout';
  if (session.amountCents !== price) return 'the amount differs from the price of the pack';
  if (session.accountId !== checkout.accountId) return 'the account differs from the checkout';
  return undefined;
}
