import { createHash, randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { CheckoutStatusAnswer } from '#contract/billing.js';
import { packCurrency, packs, type Pack, type PackId } from '#contract/packs.js';
import { Accounts } from '../accounts/accounts.js';
import { Config, type StripeConfig } from '../platform/config/config.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { Logger } from '../platform/telemetry/logger.js';
import { CardPayments } from './card-payments.js';
import { CreditPurchase } from './credit-purchase.js';
import { PurchasesRepository, type Checkout } from './purchases.repository.js';

interface NewCheckout {
  readonly accountId: string;
  /** Either `pack` or `priceId` selects the pack. */
  readonly pack?: PackId | undefined;
  readonly priceId?: string | undefined;
  /** Credits the caller expects; must match the pack. */
  readonly credits?: number | undefined;
  readonly idempotencyKey?: string | undefined;
}

/** Opens checkout sessions at the payment provider and settles them for the returning browser. */
@Injectable()
export class Checkouts {
  constructor(
    private readonly purchases: PurchasesRepository,
    private readonly cardPayments: CardPayments,
    private readonly creditPurchase: CreditPurchase,
    private readonly accounts: Accounts,
    private readonly config: Config,
    private readonly logger: Logger,
  ) {}

  /**
   * Opens a checkout session for one pack and stores the purchase before it can be paid. Throws
   * `stripe_not_configured`, `invalid_request`, `checkout_failed`.
   */
  async open(checkout: NewCheckout): Promise<{ sessionId: string; url: string }> {
    const { stripe, http } = this.config;
    if (!stripe) throw new DomainError('stripe_not_configured', 'Card payments are not set up on this installation.');
    const pack = packOf(checkout, stripe);
    const { accountId } = checkout;
    const { email } = await this.accounts.get(accountId);
    const dashboard = `${http.publicUrl}/dashboard`;
    const { sessionId, url, amountCents, currency } = await this.cardPayments.open({
      idempotencyKey: idempotencyKeyOf(checkout, pack),
      accountId,
      email,
      priceId: stripe.prices[pack.id],
      paidUrl: `${dashboard}?transaction=success&credits=${pack.credits}&session_id={SESSION_ID}`,
      cancelledUrl: `${dashboard}?transaction=canceled`,
    });
    if (amountCents !== pack.priceCents || currency !== packCurrency) {
      this.logger.error({ sessionId, pack: pack.id, amountCents, currency }, 'price of the pack is misconfigured');
      throw new DomainError('checkout_failed', 'The price of this pack is misconfigured. Please contact support.');
    }
    const { id, credits, priceCents } = pack;
    await this.purchases.insertCheckout({ sessionId, accountId, pack: id, credits, amountCents: priceCents });
    this.logger.info({ accountId, sessionId, pack: id }, 'checkout opened');
    return { sessionId, url };
  }

  /**
   * Returns the status of a checkout for the buyer's browser. Asks the provider, and credits a paid
   * checkout if its event has not arrived yet. Throws `checkout_not_found`, also for another
   * account's checkout.
   */
  async settle(accountId: string, sessionId: string): Promise<CheckoutStatusAnswer> {
    const checkout = await this.purchases.findCheckout(sessionId);
    if (!checkout || checkout.accountId !== accountId) {
      this.logger.warn({ accountId, sessionId: checkout?.sessionId }, 'checkout of another account requested');
      throw new DomainError('checkout_not_found', 'This account has no such checkout.');
    }
    return { status: await this.statusOf(checkout), credits: checkout.credits };
  }

  private async statusOf({ sessionId, status }: Checkout): Promise<CheckoutStatusAnswer['status']> {
    if (status === 'paid') return 'paid';
    const session = await this.cardPayments.find(sessionId);
    const outcome = session ? await this.creditPurchase.credit(session) : 'unpaid';
    if (outcome === 'credited') return 'paid';
    return outcome === 'refused' || status === 'failed' || session?.state === 'failed' ? 'failed' : 'pending';
  }
}

function packOf({ pack: id, priceId, credits }: NewCheckout, { prices }: StripeConfig): Pack {
  const pack = packs.find((one) => (id === undefined || one.id === id) && (!priceId || prices[one.id] === priceId));
  if (!pack) throw new DomainError('invalid_request', 'The pack does not exist.');
  if (credits !== undefined && credits !== pack.credits)
    throw new DomainError('invalid_request', `The pack ${pack.title} has ${pack.credits} credits.`);
  return pack;
}

/** Limits a caller's key to its account and pack. Stripe accepts keys of up to 255 characters. */
function idempotencyKeyOf({ accountId, idempotencyKey }: NewCheckout, pack: Pack): string {
  if (idempotencyKey === undefined) return randomUUID();
  return createHash('sha256').update(`${accountId}\n${pack.id}\n${idempotencyKey}`).digest('hex');
}
