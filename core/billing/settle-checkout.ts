import { Injectable } from '@nestjs/common';
import type { CheckoutStatusAnswer } from '#contract/billing.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { Logger } from '../platform/telemetry/logger.js';
import { CardPayments } from './card-payments.js';
import { CheckoutsRepository, type Checkout } from './checkouts.repository.js';
import { CreditPurchase } from './credit-purchase.js';

/**
 * What the buyer's browser asks when it comes back: the provider is asked, and a paid checkout is credited if its event has
 * not come yet. Throws `checkout_not_found`, also for a checkout of another account.
 */
@Injectable()
export class SettleCheckout {
  constructor(
    private readonly cardPayments: CardPayments,
    private readonly checkouts: CheckoutsRepository,
    private readonly creditPurchase: CreditPurchase,
    private readonly logger: Logger,
  ) {}

  async run(accountId: string, sessionId: string): Promise<CheckoutStatusAnswer> {
    const checkout = await this.checkouts.find(sessionId);
    if (!checkout || checkout.accountId !== accountId) {
      this.logger.warn({ accountId, sessionId: checkout?.sessionId }, 'checkout asked for by another account: refused');
      throw new DomainError('checkout_not_found', 'This account has no such checkout.');
    }
    return { status: await this.statusOf(checkout), credits: checkout.credits };
  }

  private async statusOf({ sessionId, status }: Checkout): Promise<CheckoutStatusAnswer['status']> {
    if (status === 'paid') return 'paid';
    const session = await this.cardPayments.find(sessionId);
    const outcome = session ? await this.creditPurchase.run(session) : 'unpaid';
    if (outcome === 'credited') return 'paid';
    return outcome === 'refused' || status === 'failed' || session?.state === 'failed' ? 'failed' : 'pending';
  }
}
