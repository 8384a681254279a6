import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AuditModule } from '../audit/audit.module.js';
import { MailModule } from '../mail/mail.module.js';
import { DeliveriesRepository } from './deliveries/deliveries.repository.js';
import { SendAgain } from './deliveries/send-again.js';
import { SendTestEvent } from './deliveries/send-test-event.js';
import { ShowDeliveries } from './deliveries/show-deliveries.js';
import { ChangeEvents } from './endpoints/change-events.js';
import { EndpointsRepository } from './endpoints/endpoints.repository.js';
import { ReencryptSecrets } from './endpoints/reencrypt-secrets.js';
import { RotateSecret } from './endpoints/rotate-secret.js';
import { EncryptedSecretsRepository } from './endpoints/encrypted-secrets.repository.js';
import { ShowWebhook } from './endpoints/show-webhook.js';
import { SwitchWebhook } from './endpoints/switch-webhook.js';
import { WebhookSecrets } from './endpoints/webhook-secrets.js';
import { WebhookUrl } from './endpoints/webhook-url.js';
import { MessageSubscribers } from './message-subscribers.js';
import { Receiving } from './receiving.js';
import { WebhookErasureRepository } from './webhook-erasure.repository.js';
import { WebhookEvents } from './webhook-events.js';

const useCases = [
  WebhookEvents,
  MessageSubscribers,
  Receiving,
  WebhookUrl,
  ShowWebhook,
  ChangeEvents,
  RotateSecret,
  SwitchWebhook,
  ReencryptSecrets,
  ShowDeliveries,
  SendAgain,
  SendTestEvent,
];

/** Webhooks as those need them who have something to tell, and the pages that set them up. */
@Module({
  imports: [AccountsModule, AuditModule, MailModule],
  providers: [
    ...useCases,
    DeliveriesRepository,
    EndpointsRepository,
    EncryptedSecretsRepository,
    WebhookSecrets,
    WebhookErasureRepository,
  ],
  exports: useCases,
})
export class WebhooksModule {}
