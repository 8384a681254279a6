import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { explainFaults } from '../control/explain.js';
import { hookName } from './hook-answer.js';
import type { HookBook } from './hook-book.js';

const BODY_BYTES_MAX = 1_048_576;

type HookParams = { Params: { name: string } };

/** Where webhooks come in: any method at /hooks/in/{name}, and at any path below it. */
export function hookInRoutes(book: HookBook) {
  const answer = async (request: FastifyRequest<HookParams>, reply: FastifyReply): Promise<FastifyReply> => {
    const startedAtMs = performance.now();
    const { request: taken, answer: set } = book.take({
      name: hookName.parse(request.params.name),
      method: request.method,
      path: request.url,
      headers: headersOf(request),
      body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
    });
    if (set.hang) return reply.hijack();
    if (set.delayMs > 0) await pause(set.delayMs);
    book.settle(taken.id, { status: set.status, tookMs: Math.round(performance.now() - startedAtMs) });
    if (set.redirectTo !== null) return reply.code(set.status).header('location', set.redirectTo).send();
    return reply.code(set.status).send();
  };

  return async (app: FastifyInstance): Promise<void> => {
    explainFaults(app);
    app.removeAllContentTypeParsers();
    app.addContentTypeParser<Buffer>('*', { parseAs: 'buffer', bodyLimit: BODY_BYTES_MAX }, (_request, body, done) =>
      done(null, body),
    );
    app.all<HookParams>('/hooks/in/:name', answer);
    app.all<HookParams>('/hooks/in/:name/*', answer);
  };
}

function headersOf({ headers }: FastifyRequest): Record<string, string> {
  const given = Object.entries(headers).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    given.map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : String(value)]),
  );
}
