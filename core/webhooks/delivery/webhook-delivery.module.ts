import { Module } from '@nestjs/common';
import { AccountsModule } from '../../accounts/accounts.module.js';
import { CreditsModule } from '../../credits/credits.module.js';
import { MailModule } from '../../mail/mail.module.js';
import { EndpointsRepository } from '../endpoints/endpoints.repository.js';
import { DisableFailingEndpoint } from '../endpoints/disable-failing-endpoint.js';
import { LowCredits } from '../low-credits.js';
import { WebhooksModule } from '../webhooks.module.js';
import { AttemptsRepository } from './attempts.repository.js';
import { DeliverWebhook } from './deliver-webhook.js';
import { RecordAttempt } from './record-attempt.js';
import { WebhookClient } from './webhook-client.js';

/** What the worker does for webhooks: calls receivers, watches for low credits, applies retention. */
@Module({
  imports: [WebhooksModule, AccountsModule, CreditsModule, MailModule],
  providers: [
    DeliverWebhook,
    LowCredits,
    RecordAttempt,
    DisableFailingEndpoint,
    WebhookClient,
    AttemptsRepository,
    EndpointsRepository,
  ],
  exports: [DeliverWebhook, LowCredits, WebhooksModule],
})
export class WebhookDeliveryModule {}
