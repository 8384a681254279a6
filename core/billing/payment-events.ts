import { Injectable } from '@nestjs/common';
import { Postgres } from '../platform/database/postgres.js';
import { Logger } from '../platform/telemetry/logger.js';
import type { CardEvent } from './card-payments.js';
import { CreditPurchase } from './credit-purchase.js';
import { Payments } from './payments.js';
import { PurchasesRepository } from './purchases.repository.js';
import { SavedCard } from './top-ups/saved-card.js';
import { TopUps } from './top-ups/top-ups.js';

/** Handles events of the payment provider. Repeated, late and foreign events change nothing. */
@Injectable()
export class PaymentEvents {
  constructor(
    private readonly postgres: Postgres,
    private readonly purchases: PurchasesRepository,
    private readonly creditPurchase: CreditPurchase,
    private readonly payments: Payments,
    private readonly savedCard: SavedCard,
    private readonly topUps: TopUps,
    private readonly logger: Logger,
  ) {}

  async handle(event: CardEvent): Promise<void> {
    switch (event.kind) {
      case 'session':
        await this.ofCheckout(event.session.sessionId, () => this.creditPurchase.credit(event.session));
        return;
      case 'session_failed':
        return this.ofCheckout(event.sessionId, () => this.purchases.markFailed(event.sessionId));
      case 'card_saved':
        return this.savedCard.save(event.sessionId);
      case 'top_up':
        return this.postgres.ofRow('top_ups', event.topUpId, () =>
          this.topUps.refresh(event.topUpId, event.cardPaymentId),
        );
      case 'refunded':
        return this.ofPayment(event.cardPaymentId, () =>
          this.payments.refund(event.cardPaymentId, event.refundedCents),
        );
      case 'refund':
        return this.ofPayment(event.refund.cardPaymentId, () => this.payments.refundChanged(event.refund));
      case 'disputed':
        return this.ofPayment(event.dispute.cardPaymentId, () => this.payments.dispute(event.dispute));
      case 'other':
        this.logger.debug({ type: event.type }, 'payment event ignored');
    }
  }

  private ofCheckout<T>(sessionId: string, work: () => Promise<T>): Promise<T> {
    return this.postgres.ofKey('checkout', sessionId, work);
  }

  private ofPayment<T>(cardPaymentId: string, work: () => Promise<T>): Promise<T> {
    return this.postgres.ofKey('card payment', cardPaymentId, work);
  }
}
