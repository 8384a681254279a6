import { createHash, randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { packCurrency, packs, type Pack, type PackId } from '#contract/packs.js';
import { Accounts } from '../accounts/accounts.js';
import { Config, type StripeConfig } from '../platform/config/config.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { Logger } from '../platform/telemetry/logger.js';
import { CardPayments } from './card-payments.js';
import { CheckoutsRepository } from './checkouts.repository.js';

export interface Purchase {
  readonly accountId: string;
  /** One of the two names the pack. */
  readonly pack?: PackId | undefined;
  readonly priceId?: string | undefined;
  /** What the caller believes to buy, if he says so. */
  readonly credits?: number | undefined;
  readonly idempotencyKey?: string | undefined;
}

/**
 * Opens a checkout of one pack and records what is bought before anybody can pay. Throws `stripe_not_configured`,
 * `invalid_request`, `checkout_failed`.
 */
@Injectable()
export class StartCheckout {
  constructor(
    private readonly cardPayments: CardPayments,
    private readonly checkouts: CheckoutsRepository,
    private readonly accounts: Accounts,
    private readonly config: Config,
    private readonly logger: Logger,
  ) {}

  async run(purchase: Purchase): Promise<{ sessionId: string; url: string }> {
    const { stripe, http } = this.config;
    if (!stripe) throw new DomainError('stripe_not_configured', 'Card payments are not set up on this installation.');
    const pack = packOf(purchase, stripe);
    const { accountId } = purchase;
    const { email } = await this.accounts.get(accountId);
    const dashboard = `${http.publicUrl}/dashboard`;
    const session = await this.cardPayments.open({
      idempotencyKey: idempotencyKeyOf(purchase, pack),
      accountId,
      email,
      priceId: stripe.prices[pack.id],
      paidUrl: `${dashboard}?transaction=success&credits=${pack.credits}&session_id={SESSION_ID}`,
      cancelledUrl: `${dashboard}?transaction=failed`,
    });
    const { sessionId, amountCents, currency } = session;
    if (amountCents !== pack.priceCents || currency !== packCurrency) {
      this.logger.error({ sessionId, pack: pack.id, amountCents, currency }, 'price of a pack is set up wrongly');
      throw new DomainError('checkout_failed', 'The price of this pack is not set up rightly. Please contact support.');
    }
    await this.checkouts.insert({
      sessionId,
      accountId,
      pack: pack.id,
      credits: pack.credits,
      amountCents: pack.priceCents,
    });
    this.logger.info({ accountId, sessionId, pack: pack.id }, 'checkout opened');
    return { sessionId, url: session.url };
  }
}

function packOf({ pack: id, priceId, credits }: Purchase, { prices }: StripeConfig): Pack {
  const pack = packs.find((one) => (id === undefined || one.id === id) && (!priceId || prices[one.id] === priceId));
  if (!pack) throw new DomainError('invalid_request', 'There is no such pack.');
  if (credits !== undefined && credits !== pack.credits)
    throw new DomainError('invalid_request', `The pack ${pack.title} has ${pack.credits} credits.`);
  return pack;
}

/** A caller's key counts for his account and this pack only. Stripe takes keys of up to 255 characters. */
function idempotencyKeyOf({ accountId, idempotencyKey }: Purchase, pack: Pack): string {
  if (idempotencyKey === undefined) return randomUUID();
  return createHash('sha256').update(`${accountId}\n${pack.id}\n${idempotencyKey}`).digest('hex');
}
