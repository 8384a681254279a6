import { Module } from '@nestjs/common';
import { AccountsModule } from '#core/accounts/accounts.module.js';
import { BillingController } from './billing.controller.js';
import { CheckoutAttempts } from './checkout-attempts.js';
import { CheckoutController } from './checkout.controller.js';
import { RedeemCodeController } from './redeem-code.controller.js';
import { WelcomeEmailController } from './welcome-email.controller.js';

/** What our pages call about buying credits redeeming codes and the welcome e-mail, with a session. */
@Module({
  imports: [AccountsModule],
  controllers: [CheckoutController, BillingController, RedeemCodeController, WelcomeEmailController],
  providers: [CheckoutAttempts],
})
export class PurchasesModule {}
