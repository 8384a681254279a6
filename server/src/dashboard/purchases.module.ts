import { Module } from '@nestjs/common';
import { AccountsModule } from '#core/accounts/accounts.module.js';
import { BillingController } from './billing.controller.js';
import { CheckoutController } from './checkout.controller.js';
import { RedeemCodeController } from './redeem-code.controller.js';

/** What our pages call about buying credits and redeeming codes, with a session. */
@Module({ imports: [AccountsModule], controllers: [CheckoutController, BillingController, RedeemCodeController] })
export class PurchasesModule {}
