import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { DeliveriesRepository } from './deliveries/deliveries.repository.js';
import { EndpointsRepository } from './endpoints/endpoints.repository.js';
import { WebhookUrl } from './endpoints/webhook-url.js';
import { Receiving } from './receiving.js';
import { WebhookEvents } from './webhook-events.js';

const useCases = [WebhookEvents, Receiving, WebhookUrl];

/** Webhooks as those need them who have something to tell, and the pages that set them up. */
@Module({
  imports: [AuditModule],
  providers: [...useCases, DeliveriesRepository, EndpointsRepository],
  exports: useCases,
})
export class WebhooksModule {}
