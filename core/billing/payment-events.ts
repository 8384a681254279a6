import { Injectable } from '@nestjs/common';
import { Shards } from '../platform/database/shards.js';
import { Logger } from '../platform/telemetry/logger.js';
import type { CardEvent } from './card-payments.js';
import { CreditPurchase } from './credit-purchase.js';
import { Payments } from './payments.js';
import { PurchasesRepository } from './purchases.repository.js';
import { AutoTopUps } from './top-ups/auto-top-ups.js';
import { TopUps } from './top-ups/top-ups.js';

/** Handles events of the payment provider. Repeated, late and foreign events change nothing. */
@Injectable()
export class PaymentEvents {
  constructor(
    private readonly shards: Shards,
    private readonly purchases: PurchasesRepository,
    private readonly creditPurchase: CreditPurchase,
    private readonly payments: Payments,
    private readonly autoTopUps: AutoTopUps,
    private readonly topUps: TopUps,
    private readonly logger: Logger,
  ) {}

  async handle(event: CardEvent): Promise<void> {
    switch (event.kind) {
      case 'session':
        await this.creditPurchase.credit(event.session);
        return;
      case 'session_failed':
        await this.purchases.markFailed(event.sessionId);
        return;
      case 'card_saved':
        return this.autoTopUps.saveCard(event.sessionId);
      case 'top_up':
        return this.shards.ofRow('top_ups', event.topUpId, () =>
          this.topUps.refresh(event.topUpId, event.cardPaymentId),
        );
      case 'refunded':
        return this.payments.refund(event.cardPaymentId, event.refundedCents);
      case 'refund':
        return this.payments.refundChanged(event.refund);
      case 'disputed':
        return this.payments.dispute(event.dispute);
      case 'other':
        this.logger.debug({ type: event.type }, 'payment event ignored');
    }
  }
}
