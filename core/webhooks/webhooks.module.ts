import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AuditModule } from '../audit/audit.module.js';
import { DeliveriesRepository } from './deliveries/deliveries.repository.js';
import { WebhookDeliveries } from './webhook-deliveries.js';
import { EndpointEntity } from './endpoints/endpoint.entity.js';
import { EndpointsRepository } from './endpoints/endpoints.repository.js';
import { WebhookEndpoints } from './endpoints/webhook-endpoints.js';
import { WebhookSecrets } from './endpoints/webhook-secrets.js';
import { WebhookEvents } from './webhook-events.js';
import { WebhookRetention } from './webhook-retention.js';
import { CreditsModule } from '../credits/credits.module.js';
import { MailModule } from '../mail/mail.module.js';
import { RecordAttempt } from './delivery/record-attempt.js';
import { CreditAlerts } from './credit-alerts.js';
import { CallbacksRepository } from './callbacks/callbacks.repository.js';
import { MessageCallbacks } from './callbacks/message-callbacks.js';
import { EventLog } from './event-log.js';
import { AttemptsRepository } from './delivery/attempts.repository.js';
import { DeliverWebhook } from './delivery/deliver-webhook.js';
import { WebhookClient } from './delivery/webhook-client.js';
import { FailingEndpoints } from './endpoints/failing-endpoints.js';

const services = [
  CreditAlerts,
  EventLog,
  MessageCallbacks,
  WebhookEndpoints,
  WebhookSecrets,
  WebhookEvents,
  WebhookDeliveries,
  WebhookRetention,
];

/**
 * Webhook endpoints, events and deliveries; the worker adds WebhookDeliveryModule, which makes the
 * calls.
 */
@Module({
  imports: [TypeOrmModule.forFeature([EndpointEntity]), AccountsModule, AuditModule, CreditsModule],
  providers: [...services, CallbacksRepository, DeliveriesRepository, EndpointsRepository],
  exports: services,
})
export class WebhooksModule {}

/** The worker's part of webhooks: calls receivers, applies retention. */
@Module({
  imports: [WebhooksModule, AccountsModule, MailModule],
  providers: [DeliverWebhook, RecordAttempt, FailingEndpoints, WebhookClient, AttemptsRepository, EndpointsRepository],
  exports: [DeliverWebhook, WebhooksModule],
})
export class WebhookDeliveryModule {}
