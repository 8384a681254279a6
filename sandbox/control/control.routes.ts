import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Inbound } from '../carriers/inbound.js';
import type { MediaBook, NewMedia } from '../carriers/media.js';
import { SAMPLE_NAMES, sampleOf } from '../carriers/sample-media.js';
import { CARRIERS, channelOf, type Message, numberOf, TEXTS_ONLY } from '../carriers/message.js';
import { type MessageStore, newer } from '../carriers/message-store.js';
import { phoneNumber, senderAddress } from '../carriers/phone-numbers.js';
import { explainFaults } from '../http.js';
import { chatText, queryNumber } from './control-query.js';
import {
  FAULT_MODES,
  FAULT_SERVICES,
  type Fault,
  type FaultMode,
  type Faults,
  SERVICES_WITH_RECIPIENTS,
} from './faults.js';

/** Exceeds the ten files that a carrier takes, so that tests can check the others. */
const FILES_MAX = 20;
/** Bound on a request with files in base64. */
const FILES_BYTES_MAX = 160 * 1_048_576;

const messagesQuery = z.object({
  to: queryNumber.optional(),
  from: queryNumber.optional(),
  carrier: z.enum(CARRIERS).optional(),
  after: z.string().optional(),
  limit: z.coerce.number().int().min(1).optional(),
});

const file = z.union([
  z.object({ sample: z.enum(SAMPLE_NAMES, `must be one of: ${SAMPLE_NAMES.join(', ')}`) }),
  z.object({
    type: z.string().regex(/^[\w.+-]+\/[\w.+-]+$/, 'must be a media type, such as image/jpeg'),
    data: z.base64('must be base64'),
  }),
]);

const inboundBody = z
  .object({
    carrier: z.enum(CARRIERS, `must be one of: ${CARRIERS.join(', ')}`).optional(),
    from: z.string().transform((text, context) => {
      const number = phoneNumber(text);
      if (number === null) context.addIssue(`is not a phone number in E.164, such as +14155552671: ${text}`);
      return number ?? z.NEVER;
    }),
    to: z.string().transform((text, context) => {
      const address = senderAddress(text);
      if (address === null) context.addIssue(`is not a number the product can send from: ${text}`);
      return address ?? z.NEVER;
    }),
    body: chatText.default(''),
    media: z.array(file).max(FILES_MAX, `has at most ${FILES_MAX} files`).default([]),
  })
  .refine(({ body, media }) => body !== '' || media.length > 0, { path: ['body'], message: 'must not be empty' })
  .refine(({ from, to }) => from !== to, { path: ['to'], message: 'must differ from `from`' });

const RECIPIENTS_MAX = 100;
/** One recipient or several: numbers, or addresses of mails. */
const recipients = z
  .union([z.string().min(1), z.array(z.string().min(1)).min(1).max(RECIPIENTS_MAX)])
  .transform((given) => (typeof given === 'string' ? [given] : given).map((one) => numberOf(one).toLowerCase()));

/** Services whose faults can apply to messages or calls from one sender alone. */
const SERVICES_WITH_SENDERS = [...CARRIERS, 'whatsapp', 'voice'] as const;

const faultBody = z
  .object({
    service: z.enum(FAULT_SERVICES, `must be one of: ${FAULT_SERVICES.join(', ')}`),
    mode: z.string(),
    from: z.string().optional(),
    to: recipients.optional(),
    count: z.number().int().min(1).max(1_000_000_000).optional(),
    delayMs: z.number().int().min(0).max(600_000).optional(),
    forSeconds: z.number().int().min(1).max(86_400).optional(),
  })
  .transform(({ mode: given, ...fault }, context) => {
    const modes: readonly FaultMode[] = FAULT_MODES[fault.service];
    const mode = modes.find((known) => known === given);
    if (mode !== undefined) return { ...fault, mode };
    context.addIssue({ code: 'custom', path: ['mode'], message: `must be one of: ${modes.join(', ')}` });
    return z.NEVER;
  })
  .refine(({ from, service }) => from === undefined || SERVICES_WITH_SENDERS.some((known) => known === service), {
    path: ['from'],
    message: `is for: ${SERVICES_WITH_SENDERS.join(', ')}`,
  })
  .refine(({ to, service }) => to === undefined || SERVICES_WITH_RECIPIENTS.includes(service), {
    path: ['to'],
    message: `is for: ${SERVICES_WITH_RECIPIENTS.join(', ')}`,
  });

/**
 * Control API for tests and people: inspect messages, send replies, inject faults, reset. `reset`
 * returns the number of messages.
 */
export function controlRoutes(
  store: MessageStore,
  media: MediaBook,
  inbound: Inbound,
  faults: Faults,
  reset: () => number,
) {
  return async (app: FastifyInstance): Promise<void> => {
    explainFaults(app);

    app.get('/messages', async (request, reply) => {
      const query = messagesQuery.parse(request.query);
      const after = query.after === undefined ? undefined : store.get(query.after);
      if (query.after !== undefined && after === undefined) {
        return reply.code(400).send({ error: `after: there is no message ${query.after}` });
      }
      const list = query.to === undefined ? store.all : store.of(query.to);
      const isWanted = ({ carrier, direction, from, to }: Message) =>
        direction === 'outbound-api' &&
        channelOf({ to }) === 'sms' &&
        carrier === (query.carrier ?? carrier) &&
        from === (query.from ?? from) &&
        to === (query.to ?? to);
      const found = newer(list, after?.sequence ?? 0)
        .filter(isWanted)
        .slice(0, query.limit);
      return reply.type('application/json').send(Readable.from(jsonList(found)));
    });

    app.get('/messages/count', async () => ({ count: store.outboundCount, kept: store.all.length }));

    app.post('/inbound', { bodyLimit: FILES_BYTES_MAX }, async (request, reply) => {
      const { media: files, ...text } = inboundBody.parse(request.body ?? {});
      const { carrier = inbound.carrierOf(text.from, text.to) } = text;
      if (files.length > 0 && carrier === 'smsc') return reply.code(400).send({ error: TEXTS_ONLY });
      const { message, problem } = await inbound.receive({ ...text, carrier, files: files.map(fileOf) });
      return { sid: message.sid, status: message.productStatus, ...(problem === null ? {} : { error: problem }) };
    });

    app.get('/media', async () => ({ kept: media.count, deleted: media.deletedCount }));

    app.get('/faults', async () => ({ faults: faults.list().map(faultAnswer) }));

    app.post('/faults', async (request) => {
      const {
        service,
        mode,
        from = null,
        to,
        count = null,
        delayMs = 0,
        forSeconds,
      } = faultBody.parse(request.body ?? {});
      const endsAtMs = forSeconds === undefined ? null : Date.now() + forSeconds * 1_000;
      return faultAnswer(faults.set({ service, mode, from, ...(to && { to }), count, delayMs, endsAtMs }));
    });

    app.post('/reset', async () => ({ cleared: reset() }));
  };
}

function faultAnswer({ endsAtMs, ...fault }: Fault) {
  return { ...fault, endsAt: endsAtMs === null ? null : new Date(endsAtMs).toISOString() };
}

function fileOf(given: z.infer<typeof file>): NewMedia {
  if ('data' in given) return { type: given.type, bytes: Buffer.from(given.data, 'base64') };
  const sample = sampleOf(given.sample);
  if (sample === undefined) throw new Error('The names of samples are checked before');
  return sample;
}

// Streams the list: 400,000 messages are too large for one string.
function* jsonList(messages: readonly Message[]): Generator<string> {
  let separator = '[';
  for (const { carrier, sid, to, from, body, statusCallback, createdAtMs, status, mediaUrls, files } of messages) {
    const at = new Date(createdAtMs).toISOString();
    // Without files, JSON leaves out `mediaUrls` and `files`.
    yield separator + JSON.stringify({ carrier, sid, to, from, body, statusCallback, at, status, mediaUrls, files });
    separator = ',';
  }
  yield separator === '[' ? '[]' : ']';
}
