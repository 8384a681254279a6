import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { CreditsModule } from '../credits/credits.module.js';
import { MessagesModule } from '../messages/messages.module.js';
import { NumbersModule } from '../numbers/numbers.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { ExposureFigures } from './exposure-figures.js';

/** What leaked keys could spend. */
@Module({
  imports: [AccountsModule, CreditsModule, MessagesModule, NumbersModule, WebhooksModule],
  providers: [ExposureFigures],
  exports: [ExposureFigures],
})
export class ExposureModule {}
