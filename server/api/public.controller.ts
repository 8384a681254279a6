import { Controller, Get, Header } from '@nestjs/common';
import type { QualityAnswer, RegionsAnswer, StatusAnswer } from '#contract/public-figures.js';
import { PriceSteps } from '#core/otp/steps/price-steps.js';
import { CurrentRegions } from '#core/routes/current-regions.js';
import { DeliveryQuality } from '#core/quality/delivery-quality.js';
import { ServiceStatus } from '#core/quality/service-status.js';

/** GET /api/quality, /api/regions and /api/status: public, without a key. */
@Controller('api')
export class PublicController {
  constructor(
    private readonly deliveryQuality: DeliveryQuality,
    private readonly serviceStatus: ServiceStatus,
    private readonly currentRegions: CurrentRegions,
    private readonly priceSteps: PriceSteps,
  ) {}

  @Get('quality')
  @Header('Cache-Control', 'public, max-age=60')
  async quality(): Promise<QualityAnswer> {
    return this.deliveryQuality.shown();
  }

  @Get('regions')
  async regions(): Promise<RegionsAnswer> {
    const table = await this.currentRegions.table();
    return {
      success: 'true',
      regions: [...table.values()].map((region) => {
        const { country, code, iso2, areaCode, creditsPerSms, active, otp } = region;
        return {
          country,
          code,
          iso2,
          area_code: areaCode,
          credits_per_sms: creditsPerSms,
          active,
          otp: otp && active,
          voice: this.priceSteps.isSpokenIn(region),
        };
      }),
    };
  }

  @Get('status')
  @Header('Cache-Control', 'public, max-age=15')
  async status(): Promise<StatusAnswer> {
    return this.serviceStatus.shown();
  }
}
