import { Controller, Get, HttpException } from '@nestjs/common';
import { Readiness, type ReadinessReport } from '#core/platform/health/readiness.js';

/** For the operator: is the worker up, and can it do its work. */
@Controller()
export class HealthController {
  constructor(private readonly readiness: Readiness) {}

  @Get('healthz')
  up(): { status: 'ok' } {
    return { status: 'ok' };
  }

  @Get('readyz')
  async ready(): Promise<ReadinessReport> {
    const report = await this.readiness.report();
    if (report.status !== 'ok') throw new HttpException({ ...report }, 503);
    return report;
  }
}
