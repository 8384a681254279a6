import { Controller, Get, HttpException, NotFoundException, Req, Res } from '@nestjs/common';
import { Readiness, type ReadinessReport } from '#core/platform/health/readiness.js';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type BindState, HoldBinds } from '#core/providers/smpp/hold-binds.js';
import { ReadMetrics } from '#core/platform/health/read-metrics.js';
import { MetricsReaders } from '#core/platform/health/metrics-access.js';

/** Health checks: `/healthz` answers while the process runs, `/readyz` while it can work. */
@Controller()
export class HealthController {
  constructor(
    private readonly readiness: Readiness,
    private readonly holdBinds: HoldBinds,
  ) {}

  @Get('healthz')
  up(): { status: 'ok' } {
    return { status: 'ok' };
  }

  /** A bind that is down makes no worker unready: another worker would not get it either. */
  @Get('readyz')
  async ready(): Promise<ReadinessReport & { readonly binds?: Readonly<Record<string, BindState>> }> {
    const binds = this.holdBinds.states();
    const report = {
      ...(await this.readiness.report({ needsQueue: true })),
      ...(Object.keys(binds).length > 0 && { binds }),
    };
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
