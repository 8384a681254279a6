import { Module } from '@nestjs/common';
import { AccountsModule } from '#core/accounts/accounts.module.js';
import { WebhooksModule } from '#core/webhooks/webhooks.module.js';
import { SessionCookie } from '../auth/session-cookie.js';
import { KeyController } from './key.controller.js';
import { ReaderKeyController } from './reader-key.controller.js';
import { WebhookActions } from './webhook-actions.js';
import { WebhookController } from './webhook.controller.js';
import { WebhookUrlController } from './webhook-url.controller.js';

/** What a signed-in person sets for the account. */
@Module({
  imports: [AccountsModule, WebhooksModule],
  controllers: [KeyController, ReaderKeyController, WebhookUrlController, WebhookController],
  providers: [SessionCookie, WebhookActions],
})
export class AccountSettingsModule {}
