import type { RawBodyRequest } from '@nestjs/common';
import type { FastifyReply, FastifyRequest, RequestPayload } from 'fastify';
import { limits } from '#contract/limits.js';

const STRIPE_PATH = /^\/webhooks\/stripe(\?|$)/;

/**
 * Keeps a body as it came over the wire where a signature is made over it; Nest's own way would keep a copy of every
 * request's. Of a body that is too large nothing more is kept: the parser, which reads along, refuses it.
 */
export function keepRawBody(
  request: RawBodyRequest<FastifyRequest>,
  _reply: FastifyReply,
  payload: RequestPayload,
  done: (error: null, payload: RequestPayload) => void,
): void {
  if (STRIPE_PATH.test(request.url)) {
    const chunks: Buffer[] = [];
    let bytes = 0;
    payload.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= limits.apiBodyBytesMax) chunks.push(chunk);
    });
    payload.on('end', () => {
      request.rawBody = Buffer.concat(chunks);
    });
  }
  done(null, payload);
}
