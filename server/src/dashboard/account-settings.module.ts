import { Module } from '@nestjs/common';
import { AccountsModule } from '#core/accounts/accounts.module.js';
import { KeyController } from './key.controller.js';
import { WebhookUrlController } from './webhook-url.controller.js';

/** What a signed-in person sets for the account. */
@Module({ imports: [AccountsModule], controllers: [KeyController, WebhookUrlController] })
export class AccountSettingsModule {}
