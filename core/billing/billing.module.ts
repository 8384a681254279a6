import { Module, type DynamicModule, type Type } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../accounts/accounts.module.js';
import { CreditsModule } from '../credits/credits.module.js';
import { MailModule } from '../mail/mail.module.js';
import { AuditModule } from '../audit/audit.module.js';
import { CardPayments, SavedCardPayments } from './card-payments.js';
import { CheckoutEntity } from './checkout.entity.js';
import { Checkouts } from './checkouts.js';
import { CreditPurchase } from './credit-purchase.js';
import { PaymentEntity } from './payment.entity.js';
import { PaymentErasure, Payments } from './payments.js';
import { InvoiceDetailsEntity } from './invoices/invoice-details.entity.js';
import { InvoiceEntity } from './invoices/invoice.entity.js';
import { Invoices } from './invoices/invoices.js';
import { InvoicesRepository } from './invoices/invoices.repository.js';
import { PaymentEvents } from './payment-events.js';
import { PurchasesRepository } from './purchases.repository.js';
import { RedeemCodeEntity } from './redeem-code.entity.js';
import { RedeemCodes } from './redeem-codes.js';
import { RedeemCodesRepository } from './redeem-codes.repository.js';
import { RedemptionEntity } from './redemption.entity.js';
import { CreditRequestEntity } from './operator-credits/credit-request.entity.js';
import { CreditRequestsRepository } from './operator-credits/credit-requests.repository.js';
import { OperatorCredits } from './operator-credits/operator-credits.js';
import { AutoTopUpEntity } from './top-ups/auto-top-up.entity.js';
import { AutoTopUps } from './top-ups/auto-top-ups.js';
import { TopUpEntity } from './top-ups/top-up.entity.js';
import { BeginTopUp } from './top-ups/begin-top-up.js';
import { ConfirmTopUp } from './top-ups/confirm-top-up.js';
import { SavedCard } from './top-ups/saved-card.js';
import { SettleTopUp } from './top-ups/settle-top-up.js';
import { TopUpErasure } from './top-ups/top-up-erasure.js';
import { TopUps } from './top-ups/top-ups.js';
import { TopUpsRepository } from './top-ups/top-ups.repository.js';

const entities = [
  AutoTopUpEntity,
  CheckoutEntity,
  CreditRequestEntity,
  InvoiceDetailsEntity,
  InvoiceEntity,
  PaymentEntity,
  RedeemCodeEntity,
  RedemptionEntity,
  TopUpEntity,
];

const services = [
  AutoTopUps,
  Checkouts,
  ConfirmTopUp,
  Invoices,
  OperatorCredits,
  PaymentEvents,
  Payments,
  RedeemCodes,
  SavedCard,
  SettleTopUp,
  TopUps,
];

/**
 * Buying and redeeming credits, automatic top-up, and invoices; the composition root selects the
 * payment provider.
 */
@Module({})
export class BillingModule {
  static over(cardPayments: Type<CardPayments>, savedCards: Type<SavedCardPayments>): DynamicModule {
    return {
      module: BillingModule,
      global: true,
      imports: [TypeOrmModule.forFeature(entities), AccountsModule, AuditModule, CreditsModule, MailModule],
      providers: [
        ...services,
        BeginTopUp,
        CreditPurchase,
        CreditRequestsRepository,
        PaymentErasure,
        TopUpErasure,
        PurchasesRepository,
        RedeemCodesRepository,
        InvoicesRepository,
        TopUpsRepository,
        { provide: SavedCardPayments, useClass: savedCards },
        { provide: CardPayments, useClass: cardPayments },
      ],
      exports: services,
    };
  }
}
