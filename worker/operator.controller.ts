import { Controller, Get, HttpException, NotFoundException, Req, Res } from '@nestjs/common';
import { Readiness, type ReadinessReport } from '#core/platform/health/readiness.js';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ReadMetrics } from '#core/platform/health/read-metrics.js';
import { MetricsReaders } from '#core/platform/health/metrics-access.js';

/** Health checks: `/healthz` answers while the process runs, `/readyz` while it can work. */
@Controller()
export class HealthController {
  constructor(private readonly readiness: Readiness) {}

  @Get('healthz')
  up(): { status: 'ok' } {
    return { status: 'ok' };
  }

  @Get('readyz')
  async ready(): Promise<ReadinessReport> {
    const report = await this.readiness.report({ needsQueue: true });
    if (report.status !== 'ok') throw new HttpException({ ...report }, 503);
    return report;
  }
}

/** GET /metrics, for the operator's Prometheus; 404 for other callers. */
@Controller()
export class MetricsController {
  constructor(
    private readonly readers: MetricsReaders,
    private readonly readMetrics: ReadMetrics,
  ) {}

  @Get('metrics')
  async metrics(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    const { headers, raw } = request;
    if (!this.readers.admits({ remoteAddress: raw.socket.remoteAddress, headers }, 'worker'))
      throw new NotFoundException();
    const { contentType, text } = await this.readMetrics.read();
    reply.headers({ 'Content-Type': contentType, 'Cache-Control': 'no-store' });
    return text;
  }
}
