import { Injectable } from '@nestjs/common';
import { Logger } from '../platform/telemetry/logger.js';
import type { CardEvent } from './card-payments.js';
import { CheckoutsRepository } from './checkouts.repository.js';
import { CreditPurchase } from './credit-purchase.js';
import { ReversePayment } from './reverse-payment.js';

/** Takes in what the payment provider tells. Repeats, late news and news of what is not ours change nothing. */
@Injectable()
export class HandleCardEvent {
  constructor(
    private readonly creditPurchase: CreditPurchase,
    private readonly reversePayment: ReversePayment,
    private readonly checkouts: CheckoutsRepository,
    private readonly logger: Logger,
  ) {}

  async run(event: CardEvent): Promise<void> {
    switch (event.kind) {
      case 'session':
        await this.creditPurchase.run(event.session);
        return;
      case 'session_failed':
        await this.checkouts.markFailed(event.sessionId);
        return;
      case 'refunded':
        await this.reversePayment.refunded(event.cardPaymentId, event.refundedCents);
        return;
      case 'disputed':
        await this.reversePayment.disputed(event.dispute);
        return;
      case 'other':
        this.logger.debug({ type: event.type }, 'event of no interest');
    }
  }
}
