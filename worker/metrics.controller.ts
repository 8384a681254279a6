import { Controller, Get, NotFoundException, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { MetricsReaders, ReadMetrics } from '#core/platform/health/read-metrics.js';

/** GET /metrics, for the operator's Prometheus; others find nothing there. */
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
