import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { EventStream } from '../pages/event-stream.js';
import { SERVICE_SENDER } from '../twilio/create-request.js';
import type { MediaBook, MessageMedia } from '../carriers/media.js';
import { type CarrierName, type Message, phoneOf, senderOf } from '../carriers/message.js';
import { type MessageStore, type MessageWatcher, older } from '../carriers/message-store.js';
import * as smsc from '../smsc/undelivered.js';
import * as telnyx from '../telnyx/telnyx-error.js';
import * as twilio from '../twilio/twilio-error.js';

const ANNOUNCE_EVERY_MS = 100;
/** Headers of files, which may be hostile, in tests more than elsewhere. */
const INERT = { 'content-security-policy': 'sandbox', 'x-content-type-options': 'nosniff' };

/** Announces changes of messages to open pages, at most ten times a second. */
export class MessageAnnouncer implements MessageWatcher {
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly stream: EventStream) {}

  added(): void {
    this.changed();
  }

  changed(): void {
    if (!this.stream.isWatched) return;
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.stream.send('changed', {});
    }, ANNOUNCE_EVERY_MS);
  }

  cleared(): void {
    this.changed();
  }
}

/** A message on the phone page. */
export interface MessageView {
  readonly carrier: CarrierName;
  readonly sid: string;
  readonly phone: string;
  readonly sender: string;
  /** A reply from the phone. */
  readonly isMine: boolean;
  readonly text: string;
  readonly at: string;
  readonly segments: number;
  /** Seconds; null without a limit. */
  readonly validityPeriod: number | null;
  readonly status: string;
  readonly problem: string | null;
  readonly productStatus: number | null;
  readonly media: readonly MessageMedia[];
}

/** The last message of each thread, newest first. */
export interface ThreadsView {
  readonly threads: readonly MessageView[];
  readonly hasMore: boolean;
  readonly productUrl: string;
  /** The product's last sender. */
  readonly sender: string;
}

/** The newest messages of one thread, oldest first. */
export interface ThreadView {
  readonly phone: string;
  readonly messages: readonly MessageView[];
  readonly hasMore: boolean;
}

const undeliveredTexts: Readonly<Record<CarrierName, string>> = {
  twilio: twilio.UNDELIVERED_TEXT,
  telnyx: telnyx.UNDELIVERED_TEXT,
  smsc: smsc.UNDELIVERED_TEXT,
};

const errorTexts = { twilio: twilio.errorTextOf, telnyx: telnyx.errorTextOf } as const;

const threadsQuery = z.object({
  digits: z.string().max(20).default(''),
  limit: z.coerce.number().int().min(1).default(60),
});
const threadQuery = z.object({ limit: z.coerce.number().int().min(1).default(40) });

/**
 * Read API of the phone page and the files of its messages, under /_phone. Replies go through
 * /_control/inbound.
 */
export function phoneRoutes(store: MessageStore, media: MediaBook, stream: EventStream, productUrl: string) {
  return async (app: FastifyInstance): Promise<void> => {
    app.get('/threads', async (request): Promise<ThreadsView> => {
      const { digits, limit } = threadsQuery.parse(request.query);
      const newest = store.all.at(-1);
      const found = lastMessages(store, digits, limit + 1);
      return {
        threads: found.slice(0, limit).map(viewOf),
        hasMore: found.length > limit,
        productUrl,
        sender: newest === undefined ? SERVICE_SENDER : senderOf(newest),
      };
    });

    app.get<{ Params: { phone: string } }>('/threads/:phone', async (request): Promise<ThreadView> => {
      const { phone } = request.params;
      const { limit } = threadQuery.parse(request.query);
      const messages = store.of(phone).filter((message) => phoneOf(message) === phone);
      return { phone, messages: messages.slice(-limit).map(viewOf), hasMore: messages.length > limit };
    });

    app.get<{ Params: { sid: string } }>('/media/:sid', async (request, reply) => {
      const file = media.ofPhone(request.params.sid);
      if (file === undefined) return reply.code(404).send({ error: 'There is no such file, or it is too old.' });
      return reply.headers(INERT).type(file.type).send(file.bytes);
    });

    stream.register(app);
  };
}

/** Returns the last message of each phone whose number contains the digits. */
function lastMessages(store: MessageStore, digits: string, limit: number): Message[] {
  const byPhone = new Map<string, Message>();
  for (const message of older(store.all)) {
    const phone = phoneOf(message);
    if (phone.includes(digits) && !byPhone.has(phone)) byPhone.set(phone, message);
    if (byPhone.size === limit) break;
  }
  return [...byPhone.values()];
}

/** A message as the pages show it. */
export function viewOf(message: Message): MessageView {
  return {
    carrier: message.carrier,
    sid: message.sid,
    phone: phoneOf(message),
    sender: senderOf(message),
    isMine: message.direction === 'inbound',
    validityPeriod: message.validityPeriod ?? null,
    text: message.body,
    at: new Date(message.createdAtMs).toISOString(),
    segments: message.segments,
    status: message.status,
    problem: message.errorCode === null ? null : `${message.errorCode}: ${problemOf(message)}`,
    productStatus: message.productStatus,
    media: (message.media ?? message.files ?? []).map(({ sid, type }) => ({ sid, type })),
  };
}

function problemOf({ carrier, errorCode }: Message): string {
  const named = carrier === 'smsc' || errorCode === null ? null : errorTexts[carrier](errorCode);
  return named ?? undeliveredTexts[carrier];
}
