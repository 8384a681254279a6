import { Module } from '@nestjs/common';
import { RoutesModule } from '../routes/routes.module.js';
import { HealthModule } from '../platform/health/readiness.js';
import { DeliveryQuality } from './delivery-quality.js';
import { ServiceStatus } from './service-status.js';

/** The public figures about the service: delivery figures, the status page and incidents. */
@Module({
  imports: [HealthModule, RoutesModule],
  providers: [DeliveryQuality, ServiceStatus],
  exports: [DeliveryQuality, ServiceStatus],
})
export class QualityModule {}
