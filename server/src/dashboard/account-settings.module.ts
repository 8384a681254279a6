import { Module } from '@nestjs/common';
import { AccountsModule } from '#core/accounts/accounts.module.js';
import { WebhooksModule } from '#core/webhooks/webhooks.module.js';
import { KeyController } from './key.controller.js';
import { WebhookUrlController } from './webhook-url.controller.js';

/** What a signed-in person sets for the account. */
@Module({ imports: [AccountsModule, WebhooksModule], controllers: [KeyController, WebhookUrlController] })
export class AccountSettingsModule {}
