import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { SERVICE_SENDER } from '../twilio/create-request.js';
import { senderOf } from '../twilio/message.js';
import type { MessageStore } from '../twilio/message-store.js';
import type { LiveFeed } from './live-feed.js';
import { threadsView, threadView } from './phone-view.js';

const THREADS_PER_PAGE = 60;
const MESSAGES_PER_PAGE = 40;

const cursorQuery = z.object({
  before: z.coerce.number().int().min(0).default(Number.MAX_SAFE_INTEGER).catch(Number.MAX_SAFE_INTEGER),
  digits: z.string().max(20).default('').catch(''),
});

export interface PhoneParts {
  readonly store: MessageStore;
  readonly feed: LiveFeed;
  readonly publicProductUrl: string;
}

/** What the phone page reads, under /_phone. It writes through /_control/inbound. */
export function phoneRoutes({ store, feed, publicProductUrl }: PhoneParts) {
  return async (app: FastifyInstance): Promise<void> => {
    app.get('/threads', async (request) => {
      const { before, digits } = cursorQuery.parse(request.query);
      const newest = store.all.last;
      return {
        ...threadsView(store, before, digits.replace(/[^+\w]/g, ''), THREADS_PER_PAGE),
        productUrl: publicProductUrl,
        sender: newest === undefined ? SERVICE_SENDER : senderOf(newest),
      };
    });

    app.get<{ Params: { phone: string } }>('/threads/:phone', async (request) =>
      threadView(store, request.params.phone, cursorQuery.parse(request.query).before, MESSAGES_PER_PAGE),
    );

    app.get('/events', (_request, reply) => {
      if (!feed.join(reply.raw)) return reply.code(503).send({ error: 'Too many phone pages are open. Close one.' });
      return reply.hijack();
    });
  };
}
