import { Controller, Get, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ReadMetrics } from '#core/platform/health/read-metrics.js';
import { Readiness, type ReadinessReport } from '#core/platform/health/readiness.js';
import { DomainError } from '#core/platform/errors/domain-error.js';
import { MetricsReaders } from '#core/platform/health/metrics-access.js';

/** GET /healthz and GET /readyz for load balancers, GET /metrics for the operator's Prometheus. */
@Controller()
export class HealthController {
  constructor(
    private readonly readiness: Readiness,
    private readonly metricsReaders: MetricsReaders,
    private readonly readMetrics: ReadMetrics,
  ) {}

  @Get('healthz')
  healthz(): { status: 'ok' } {
    return { status: 'ok' };
  }

  @Get('readyz')
  async readyz(@Res({ passthrough: true }) reply: FastifyReply): Promise<ReadinessReport> {
    const report = await this.readiness.report({ needsQueue: false });
    if (report.status !== 'ok') reply.status(503);
    return report;
  }

  @Get('metrics')
  async metrics(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    const { headers, raw } = request;
    if (!this.metricsReaders.admits({ remoteAddress: raw.socket.remoteAddress, headers }, 'server'))
      throw new DomainError('not_found', 'There is nothing at GET /metrics.');
    const { contentType, text } = await this.readMetrics.read();
    reply.headers({ 'Content-Type': contentType, 'Cache-Control': 'no-store' });
    return text;
  }
}
