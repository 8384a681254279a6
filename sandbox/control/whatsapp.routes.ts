import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Delivery } from '../carriers/delivery.js';
import type { Inbound } from '../carriers/inbound.js';
import { channelOf, type Message, numberOf, WHATSAPP_PREFIX } from '../carriers/message.js';
import { type MessageStore, newer } from '../carriers/message-store.js';
import { phoneNumber } from '../carriers/phone-numbers.js';
import { explainFaults } from '../http.js';
import { chatText, queryNumber } from './control-query.js';

/** A number with or without the prefix of the channel. */
const chatNumber = z.string().transform((text, context) => {
  const number = phoneNumber(numberOf(text));
  if (number === null) context.addIssue(`is not a phone number in E.164, such as +14155552671: ${text}`);
  return number === null ? z.NEVER : WHATSAPP_PREFIX + number;
});

const listQuery = z.object({
  to: queryNumber.optional(),
  from: queryNumber.optional(),
  after: z.string().optional(),
  limit: z.coerce.number().int().min(1).optional(),
});
const readBody = z.object({ sid: z.string() });
const inboundBody = z.object({ from: chatNumber, to: chatNumber, body: chatText.min(1, 'must not be empty') });

/** Control API of WhatsApp: inspect messages, read them, reply. */
export function whatsAppControlRoutes(store: MessageStore, delivery: Delivery, inbound: Inbound) {
  return async (app: FastifyInstance): Promise<void> => {
    explainFaults(app);

    app.get('/whatsapp', async (request, reply) => {
      const query = listQuery.parse(request.query);
      const after = query.after === undefined ? undefined : store.get(query.after);
      if (query.after !== undefined && after === undefined)
        return reply.code(400).send({ error: `after: there is no message ${query.after}` });
      const list = query.to === undefined ? store.all : store.of(WHATSAPP_PREFIX + query.to);
      return newer(list, after?.sequence ?? 0)
        .filter((message) => isSent(message, query.from, query.to))
        .slice(0, query.limit)
        .map(answerOf);
    });

    app.post('/whatsapp/read', async (request, reply) => {
      const { sid } = readBody.parse(request.body ?? {});
      const message = store.get(sid);
      if (message === undefined || channelOf(message) !== 'whatsapp')
        return reply.code(404).send({ error: `There is no WhatsApp message ${sid}.` });
      if (!delivery.read(message))
        return reply.code(409).send({ error: `The message is ${message.status}, not delivered.` });
      return answerOf(message);
    });

    app.post('/whatsapp/inbound', async (request) => {
      const reply = inboundBody.parse(request.body ?? {});
      const { message, problem } = await inbound.receive({ ...reply, carrier: 'twilio' });
      return { sid: message.sid, status: message.productStatus, ...(problem === null ? {} : { error: problem }) };
    });
  };
}

function isSent(message: Message, from: string | undefined, to: string | undefined): boolean {
  return (
    message.direction === 'outbound-api' &&
    channelOf(message) === 'whatsapp' &&
    (from === undefined || message.from === WHATSAPP_PREFIX + from) &&
    (to === undefined || message.to === WHATSAPP_PREFIX + to)
  );
}

function answerOf(message: Message) {
  const { sid, to, from, body, template, statusCallback, createdAtMs, status, errorCode } = message;
  return {
    sid,
    to,
    from,
    body,
    contentSid: template?.sid ?? null,
    contentVariables: template?.variables ?? null,
    statusCallback,
    at: new Date(createdAtMs).toISOString(),
    status,
    errorCode,
  };
}
