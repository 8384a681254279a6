import { Module } from '@nestjs/common';
import { AccountsModule } from '#core/accounts/accounts.module.js';
import { BillingController } from './billing.controller.js';
import { CheckoutController } from './checkout.controller.js';

/** What our pages call about buying credits, with a session. */
@Module({ imports: [AccountsModule], controllers: [CheckoutController, BillingController] })
export class PurchasesModule {}
