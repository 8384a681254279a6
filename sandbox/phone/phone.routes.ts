import type { ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { EventStream } from '../pages/event-stream.js';
import { type Message, senderOf } from '../twilio/message.js';
import type { MessageStore, MessageWatcher } from '../twilio/message-store.js';
import { SERVICE_SENDER } from '../twilio/create-request.js';
import { threadsView, threadView, viewOf } from './phone-view.js';

const BATCH_EVERY_MS = 100;
/** A batch with more changes is sent as `many`, and the page reloads its view. */
const CHANGES_PER_BATCH_MAX = 200;

/** Sends message changes to open phone pages in batches. Does nothing while no page is open. */
export class LiveFeed implements MessageWatcher {
  private readonly stream = new EventStream();
  private readonly changes = new Set<Message>();
  private overflowed = false;
  private batch: NodeJS.Timeout | undefined;

  /** Adds a page; returns false when the limit is reached. */
  join(client: ServerResponse): boolean {
    return this.stream.join(client);
  }

  added(message: Message): void {
    this.note(message);
  }

  changed(message: Message): void {
    this.note(message);
  }

  cleared(): void {
    this.changes.clear();
    this.overflowed = false;
    this.stream.send('cleared', {});
  }

  close(): void {
    clearTimeout(this.batch);
    this.stream.close();
  }

  private note(message: Message): void {
    if (!this.stream.isWatched) return;
    if (this.changes.size < CHANGES_PER_BATCH_MAX) this.changes.add(message);
    else if (!this.changes.has(message)) this.overflowed = true;
    this.batch ??= setTimeout(() => this.flush(), BATCH_EVERY_MS);
  }

  private flush(): void {
    this.batch = undefined;
    if (this.overflowed) this.stream.send('many', {});
    else if (this.changes.size > 0) this.stream.send('changes', [...this.changes].map(viewOf));
    this.changes.clear();
    this.overflowed = false;
  }
}

const THREADS_PER_PAGE = 60;
const MESSAGES_PER_PAGE = 40;

const cursorQuery = z.object({
  before: z.coerce.number().int().min(0).default(Number.MAX_SAFE_INTEGER).catch(Number.MAX_SAFE_INTEGER),
  digits: z.string().max(20).default('').catch(''),
});

interface PhoneParts {
  readonly store: MessageStore;
  readonly feed: LiveFeed;
  readonly publicProductUrl: string;
}

/** Read API of the phone page. Replies go through /_control/inbound. */
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
