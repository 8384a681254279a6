import { Controller, Get, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { openApiDocument } from '#contract/openapi/openapi.js';
import { Config } from '#core/platform/config/config.js';
import { siteHeaders } from './security-headers.js';
import { TextFile } from './text-file.js';

const KEPT_SECONDS = 300;

/** GET /openapi.json: the public API for programs, open to web pages of every origin. */
@Controller()
export class OpenApiController {
  private readonly file: TextFile;

  constructor({ http }: Config) {
    this.file = new TextFile(JSON.stringify(openApiDocument(http.publicUrl)), {
      ...siteHeaders(http.publicUrl),
      'Content-Type': 'application/json; charset=utf-8',
      'Cache-Control': `public, max-age=${KEPT_SECONDS}`,
      'Access-Control-Allow-Origin': '*',
    });
  }

  @Get('openapi.json')
  send(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    this.file.send(request, reply);
  }
}
