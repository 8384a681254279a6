import { Module, type DynamicModule, type Type } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { CreditsModule } from '../credits/credits.module.js';
import { MailModule } from '../mail/mail.module.js';
import { CardPayments } from './card-payments.js';
import { CheckoutsRepository } from './checkouts.repository.js';
import { CreateRedeemCode } from './create-redeem-code.js';
import { CreditPurchase } from './credit-purchase.js';
import { HandleCardEvent } from './handle-card-event.js';
import { ListPayments } from './list-payments.js';
import { PaymentErasureRepository } from './payment-erasure.repository.js';
import { PaymentsRepository } from './payments.repository.js';
import { RedeemAttempts } from './redeem-attempts.js';
import { RedeemCode } from './redeem-code.js';
import { RedeemCodesRepository } from './redeem-codes.repository.js';
import { ReversalsRepository } from './reversals.repository.js';
import { ReversePayment } from './reverse-payment.js';
import { SettleCheckout } from './settle-checkout.js';
import { StartCheckout } from './start-checkout.js';

const useCases = [StartCheckout, SettleCheckout, HandleCardEvent, ListPayments, RedeemCode, CreateRedeemCode];

/** Buying credits, and codes that bring some; the composition root says who takes the cards. */
@Module({})
export class BillingModule {
  static over(cardPayments: Type<CardPayments>): DynamicModule {
    return {
      module: BillingModule,
      global: true,
      imports: [AccountsModule, CreditsModule, MailModule],
      providers: [
        ...useCases,
        CheckoutsRepository,
        PaymentsRepository,
        PaymentErasureRepository,
        ReversalsRepository,
        RedeemCodesRepository,
        RedeemAttempts,
        CreditPurchase,
        ReversePayment,
        { provide: CardPayments, useClass: cardPayments },
      ],
      exports: useCases,
    };
  }
}
