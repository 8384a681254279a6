import { Controller, Get, Header } from '@nestjs/common';
import type { QualityAnswer, StatusAnswer } from '#contract/public-figures.js';
import { DeliveryQuality } from '#core/quality/delivery-quality.js';
import { ServiceStatus } from '#core/quality/service-status.js';

/** GET /api/quality and /api/status: public, without a key. */
@Controller('api')
export class PublicController {
  constructor(
    private readonly deliveryQuality: DeliveryQuality,
    private readonly serviceStatus: ServiceStatus,
  ) {}

  @Get('quality')
  @Header('Cache-Control', 'public, max-age=60')
  async quality(): Promise<QualityAnswer> {
    return this.deliveryQuality.shown();
  }

  @Get('status')
  @Header('Cache-Control', 'public, max-age=15')
  async status(): Promise<StatusAnswer> {
    return this.serviceStatus.shown();
  }
}
