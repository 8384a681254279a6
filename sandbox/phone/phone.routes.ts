import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { PhoneChannel } from './channels.js';
import type { EventStream } from '../pages/event-stream.js';
import { SERVICE_SENDER } from '../twilio/create-request.js';
import type { MediaBook, MessageMedia } from '../carriers/media.js';
import { type CarrierName, channelOf, type Message, phoneOf, senderOf, WHATSAPP_PREFIX } from '../carriers/message.js';
import { type Call, type CallStatus, durationSeconds } from '../twilio/calls/call.js';
import type { CallBook } from '../twilio/calls/call-book.js';
import { type Said, spokenText } from '../twilio/calls/twiml.js';
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
  readonly channel: 'sms' | 'whatsapp';
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

/** A line of the list: the last event of a number. */
export interface ThreadLine {
  readonly phone: string;
  readonly channel: PhoneChannel;
  readonly at: string;
  readonly isMine: boolean;
  readonly text: string;
  /** Message that was not delivered, or call that was not taken. */
  readonly isFailed: boolean;
  /** A call that waits for an answer. */
  readonly isRinging: boolean;
  readonly media: readonly MessageMedia[];
}

/** The last event of each number, newest first. */
export interface ThreadsView {
  readonly threads: readonly ThreadLine[];
  readonly hasMore: boolean;
  readonly productUrl: string;
  /** The product's last sender. */
  readonly sender: string;
}

/** The newest messages of one thread in one channel, oldest first. */
export interface ThreadView {
  readonly phone: string;
  readonly messages: readonly MessageView[];
  readonly hasMore: boolean;
}

/** A call on the phone page. */
export interface CallView {
  readonly sid: string;
  readonly caller: string;
  readonly at: string;
  readonly status: CallStatus;
  /** Sentences that were spoken. */
  readonly sentences: readonly Said[];
  readonly durationSeconds: number;
  readonly isMachine: boolean;
  /** Error of the TwiML. */
  readonly problem: string | null;
}

/** The newest calls of one number, oldest first. */
export interface CallsView {
  readonly phone: string;
  readonly isAnsweredByHand: boolean;
  readonly calls: readonly CallView[];
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
const limit = z.coerce.number().int().min(1).default(40);
const threadQuery = z.object({ channel: z.enum(['sms', 'whatsapp']).default('sms'), limit });
const callsQuery = z.object({ limit });

interface PhoneParts {
  readonly store: MessageStore;
  readonly media: MediaBook;
  readonly calls: CallBook;
  readonly stream: EventStream;
  readonly productUrl: string;
}

/**
 * Read API of the phone page and the files of its messages, under /_phone. Replies go through
 * /_control/inbound.
 */
export function phoneRoutes({ store, media, calls, stream, productUrl }: PhoneParts) {
  return async (app: FastifyInstance): Promise<void> => {
    app.get('/threads', async (request): Promise<ThreadsView> => {
      const { digits, limit: linesMax } = threadsQuery.parse(request.query);
      const found = lastLines(store, calls, digits, linesMax + 1);
      return {
        threads: found.slice(0, linesMax),
        hasMore: found.length > linesMax,
        productUrl,
        sender: lastSender(store),
      };
    });

    app.get<{ Params: { phone: string } }>('/threads/:phone', async (request): Promise<ThreadView> => {
      const { phone } = request.params;
      const { channel, limit: messagesMax } = threadQuery.parse(request.query);
      const all = store.of(channel === 'sms' ? phone : WHATSAPP_PREFIX + phone);
      const messages = all.filter((message) => phoneOf(message) === phone);
      return { phone, messages: messages.slice(-messagesMax).map(viewOf), hasMore: messages.length > messagesMax };
    });

    app.get<{ Params: { phone: string } }>('/calls/:phone', async (request): Promise<CallsView> => {
      const { phone } = request.params;
      const { limit: callsMax } = callsQuery.parse(request.query);
      const found = calls.all.filter(({ to }) => to === phone);
      return {
        phone,
        isAnsweredByHand: calls.isAnsweredByHand(phone),
        calls: found.slice(-callsMax).map(callViewOf),
        hasMore: found.length > callsMax,
      };
    });

    app.get<{ Params: { sid: string } }>('/media/:sid', async (request, reply) => {
      const file = media.ofPhone(request.params.sid);
      if (file === undefined) return reply.code(404).send({ error: 'There is no such file, or it is too old.' });
      return reply.headers(INERT).type(file.type).send(file.bytes);
    });

    stream.register(app);
  };
}

/** Returns the last event of each phone whose number contains the digits, newest first. */
function lastLines(store: MessageStore, calls: CallBook, digits: string, linesMax: number): ThreadLine[] {
  const byPhone = new Map<string, ThreadLine>();
  for (const event of newestFirst(store, calls)) {
    const phone = 'spokenCount' in event ? event.to : phoneOf(event);
    if (!phone.includes(digits) || byPhone.has(phone)) continue;
    byPhone.set(phone, 'spokenCount' in event ? callLine(event) : messageLine(event));
    if (byPhone.size === linesMax) break;
  }
  return [...byPhone.values()];
}

/** Merges messages and calls. */
function* newestFirst(store: MessageStore, calls: CallBook): Generator<Message | Call> {
  let callsLeft = calls.all.length;
  for (const message of older(store.all)) {
    for (;;) {
      const call = calls.all[callsLeft - 1];
      if (call === undefined || call.createdAtMs < message.createdAtMs) break;
      callsLeft -= 1;
      yield call;
    }
    yield message;
  }
  while (callsLeft > 0) {
    callsLeft -= 1;
    const call = calls.all[callsLeft];
    if (call !== undefined) yield call;
  }
}

function messageLine(message: Message): ThreadLine {
  const { phone, at, isMine, text, media } = viewOf(message);
  const isFailed = message.status === 'undelivered' || message.status === 'failed';
  return { phone, channel: channelOf(message), at, isMine, text, isFailed, isRinging: false, media };
}

const FAILED_CALLS: readonly CallStatus[] = ['busy', 'failed', 'no-answer', 'canceled'];

function callLine(call: Call): ThreadLine {
  return {
    phone: call.to,
    channel: 'calls',
    at: new Date(call.createdAtMs).toISOString(),
    isMine: false,
    text: spokenText(call.sentences.slice(0, call.spokenCount)),
    isFailed: FAILED_CALLS.includes(call.status),
    isRinging: call.status === 'ringing',
    media: [],
  };
}

/** The number that the product last sent an SMS from. */
function lastSender(store: MessageStore): string {
  for (const message of older(store.all)) if (channelOf(message) === 'sms') return senderOf(message);
  return SERVICE_SENDER;
}

function callViewOf(call: Call): CallView {
  return {
    sid: call.sid,
    caller: call.from,
    at: new Date(call.createdAtMs).toISOString(),
    status: call.status,
    sentences: call.sentences.slice(0, call.spokenCount),
    durationSeconds: durationSeconds(call),
    isMachine: call.answerer === 'machine',
    problem: call.problem,
  };
}

/** A message as the pages show it. */
export function viewOf(message: Message): MessageView {
  return {
    carrier: message.carrier,
    channel: channelOf(message),
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
