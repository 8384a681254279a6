import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AuditModule } from '../audit/audit.module.js';
import { DeliveriesRepository } from './deliveries/deliveries.repository.js';
import { WebhookDeliveries } from './deliveries/webhook-deliveries.js';
import { EndpointsRepository } from './endpoints/endpoints.repository.js';
import { WebhookEndpoints } from './endpoints/webhook-endpoints.js';
import { WebhookSecrets } from './endpoints/webhook-secrets.js';
import { WebhookEvents } from './webhook-events.js';
import { WebhookRetention } from './webhook-retention.js';

const services = [WebhookEndpoints, WebhookSecrets, WebhookEvents, WebhookDeliveries, WebhookRetention];

/** Webhook endpoints, events and deliveries; the worker adds WebhookDeliveryModule, which makes the calls. */
@Module({
  imports: [AccountsModule, AuditModule],
  providers: [...services, DeliveriesRepository, EndpointsRepository],
  exports: services,
})
export class WebhooksModule {}
