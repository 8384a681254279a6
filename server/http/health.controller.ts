import { Controller, Get, HttpCode, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Readiness, type ReadinessReport } from '#core/platform/health/readiness.js';

/** For balancers and operators: is the process up, and can it do its work. */
@Controller()
export class HealthController {
  constructor(private readonly readiness: Readiness) {}

  @Get('healthz')
  @HttpCode(200)
  up(): { status: 'ok' } {
    return { status: 'ok' };
  }

  @Get('readyz')
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<ReadinessReport> {
    const report = await this.readiness.report();
    if (report.status !== 'ok') reply.status(503);
    return report;
  }
}
