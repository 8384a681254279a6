import { Injectable } from '@nestjs/common';
import { packCurrency, packs } from '#contract/packs.js';
import { Accounts } from '../accounts/accounts.js';
import { Credits } from '../credits/credits.js';
import { Postgres } from '../platform/database/postgres.js';
import { Logger } from '../platform/telemetry/logger.js';
import { Mails } from '../mail/mails.js';
import { CreditsAddedQueue } from '../platform/queue/queues.js';
import { CardPayments, type CardSession } from './card-payments.js';
import { CheckoutsRepository, type Checkout } from './checkouts.repository.js';
import { PaymentsRepository } from './payments.repository.js';
import { ReversePayment } from './reverse-payment.js';

const PAYMENT_METHOD = 'Stripe Payment';

/** `credited`: by this call or an earlier one. `refused`: paid, but not what we sold. */
export type CreditOutcome = 'credited' | 'unpaid' | 'refused';

/**
 * Credits a paid checkout, once, whoever brings the news and however often: ledger entry and billing record are written in
 * the transaction that marks our record of the checkout as paid.
 */
@Injectable()
export class CreditPurchase {
  constructor(
    private readonly cardPayments: CardPayments,
    private readonly checkouts: CheckoutsRepository,
    private readonly payments: PaymentsRepository,
    private readonly reversePayment: ReversePayment,
    private readonly credits: Credits,
    private readonly accounts: Accounts,
    private readonly mails: Mails,
    private readonly creditsAdded: CreditsAddedQueue,
    private readonly postgres: Postgres,
    private readonly logger: Logger,
  ) {}

  async run(told: CardSession): Promise<CreditOutcome> {
    const { sessionId } = told;
    const checkout = await this.checkouts.find(sessionId);
    if (checkout?.status === 'paid') return 'credited';
    if (told.state !== 'paid') return 'unpaid';
    const fault = checkout ? faultOf(told, checkout) : 'it is no checkout of ours';
    if (!checkout || fault) {
      const { amountCents, currency } = told;
      this.logger.error({ sessionId, fault, amountCents, currency }, 'paid checkout refused: nothing credited');
      return 'refused';
    }
    await this.credit(checkout, told.receiptUrl ? told : await this.withReceipt(told));
    return 'credited';
  }

  private async credit(checkout: Checkout, { cardPaymentId, receiptUrl }: CardSession): Promise<void> {
    const { sessionId, accountId, credits, amountCents } = checkout;
    const { email: recipient } = await this.accounts.get(accountId);
    const paidAt = new Date().toISOString();
    const content = { kind: 'receipt', credits, amountCents, paidAt, receiptUrl } as const;
    const mailId = await this.postgres.transaction(async (tx) => {
      if (cardPaymentId) await this.payments.lock(tx, cardPaymentId);
      if (!(await this.checkouts.markPaid(tx, sessionId))) return undefined;
      await this.credits.post(tx, [{ accountId, amount: credits, kind: 'purchase', sourceId: sessionId }]);
      const payment = { accountId, sessionId, cardPaymentId, amountCents, credits, method: PAYMENT_METHOD, receiptUrl };
      await this.payments.insert(tx, payment);
      // A refund may have been told before the payment.
      if (cardPaymentId) await this.reversePayment.apply(tx, cardPaymentId);
      return this.mails.add(tx, { accountId, recipient, sourceId: sessionId, content });
    });
    if (mailId === undefined) return;
    this.mails.put(mailId);
    this.creditsAdded.enqueue({ id: accountId });
    this.logger.info({ accountId, sessionId, credits, amountCents }, 'purchase credited');
  }

  /** The provider's events do not carry the receipt. The buyer's credits do not wait for it. */
  private async withReceipt(told: CardSession): Promise<CardSession> {
    try {
      const found = await this.cardPayments.find(told.sessionId);
      return { ...told, receiptUrl: found?.receiptUrl ?? null };
    } catch (err) {
      this.logger.warn({ err, sessionId: told.sessionId }, 'receipt not found');
      return told;
    }
  }
}

/** Why a paid checkout is not the one that we opened; undefined when it is. */
function faultOf(session: CardSession, checkout: Checkout): string | undefined {
  const price = packs.find(({ id }) => id === checkout.pack)?.priceCents;
  if (session.currency !== packCurrency) return `the currency is not ${packCurrency}`;
  if (session.amountCents !== checkout.amountCents) return 'the amount is not the one of our checkout';
  if (session.amountCents !== price) return 'the amount is not the price of the pack';
  if (session.accountId !== checkout.accountId) return 'the account is another one';
  return undefined;
}
