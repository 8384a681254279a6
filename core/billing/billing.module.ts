import { Module, type DynamicModule, type Type } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { CreditsModule } from '../credits/credits.module.js';
import { MailModule } from '../mail/mail.module.js';
import { CardPayments } from './card-payments.js';
import { Checkouts } from './checkouts.js';
import { CreditPurchase } from './credit-purchase.js';
import { PaymentErasure, Payments } from './payments.js';
import { PurchasesRepository } from './purchases.repository.js';
import { RedeemAttempts, RedeemCodes } from './redeem-codes.js';
import { RedeemCodesRepository } from './redeem-codes.repository.js';

const services = [Checkouts, Payments, RedeemCodes];

/** Buying and redeeming credits; the composition root selects the payment provider. */
@Module({})
export class BillingModule {
  static over(cardPayments: Type<CardPayments>): DynamicModule {
    return {
      module: BillingModule,
      global: true,
      imports: [AccountsModule, CreditsModule, MailModule],
      providers: [
        ...services,
        CreditPurchase,
        PaymentErasure,
        RedeemAttempts,
        PurchasesRepository,
        RedeemCodesRepository,
        { provide: CardPayments, useClass: cardPayments },
      ],
      exports: services,
    };
  }
}
