import { Module } from '@nestjs/common';
import { AccountsModule } from '#core/accounts/accounts.module.js';
import { WebhooksModule } from '#core/webhooks/webhooks.module.js';
import { KeyController } from './key.controller.js';
import { WebhookActions } from './webhook-actions.js';
import { WebhookController } from './webhook.controller.js';
import { WebhookUrlController } from './webhook-url.controller.js';

/** What a signed-in person sets for the account. */
@Module({
  imports: [AccountsModule, WebhooksModule],
  controllers: [KeyController, WebhookUrlController, WebhookController],
  providers: [WebhookActions],
})
export class AccountSettingsModule {}
