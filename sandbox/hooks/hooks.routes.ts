import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { explainFaults } from '../control/explain.js';
import type { EventStream } from '../live/event-stream.js';
import { hookAnswer, hookName } from './hook-answer.js';
import type { HookBook } from './hook-book.js';
import { lineOf, viewOf } from './hook-request.js';
import { verdictOn } from './hook-signature.js';

const namePath = z.object({ name: hookName });
const listQuery = z.object({ name: hookName.optional(), limit: z.coerce.number().int().min(1).max(500).default(500) });
const secretBody = z.object({ secret: z.string().min(1, 'must not be empty').max(500) });

/** What tests read and set of the hooks, under /_control. */
export function hookControlRoutes(book: HookBook) {
  return async (app: FastifyInstance): Promise<void> => {
    explainFaults(app);
    app.get('/hooks', async (request) => {
      const { name, limit } = listQuery.parse(request.query);
      return book.list(name).slice(-limit).map(viewOf);
    });
    app.get('/hooks/:name', async (request) => book.answerOf(namePath.parse(request.params).name));
    app.post('/hooks/:name', async (request) => {
      const { name } = namePath.parse(request.params);
      return book.setAnswer(name, hookAnswer.parse(request.body ?? {}));
    });
  };
}

/** What the inspector's page reads, under /_hooks. It sets answers through /_control/hooks. */
export function hookRoutes(book: HookBook, stream: EventStream) {
  return async (app: FastifyInstance): Promise<void> => {
    explainFaults(app);
    app.get('/requests', async () => book.list().reverse().map(lineOf));

    app.get<{ Params: { id: string } }>('/requests/:id', async (request, reply) => {
      const found = book.find(request.params.id);
      return found === undefined ? reply.code(404).send({ error: GONE }) : viewOf(found);
    });

    app.post<{ Params: { id: string } }>('/requests/:id/verdict', async (request, reply) => {
      const { secret } = secretBody.parse(request.body ?? {});
      const found = book.find(request.params.id);
      return found === undefined ? reply.code(404).send({ error: GONE }) : verdictOn(found, secret);
    });

    app.get('/events', (_request, reply) => {
      if (!stream.join(reply.raw)) return reply.code(503).send({ error: 'Too many inspectors are open. Close one.' });
      return reply.hijack();
    });
  };
}

const GONE = 'This request is no longer kept.';
