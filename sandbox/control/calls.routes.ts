import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import { phoneNumber } from '../carriers/phone-numbers.js';
import { explainFaults } from '../http.js';
import { ANSWERERS, answeredBy, type Call, CALL_STATUSES, durationSeconds, hasEnded } from '../twilio/calls/call.js';
import type { CallBook } from '../twilio/calls/call-book.js';
import type { CallFlow } from '../twilio/calls/call-flow.js';
import { spokenText } from '../twilio/calls/twiml.js';
import { queryNumber } from './control-query.js';

const listQuery = z.object({
  to: queryNumber.optional(),
  from: queryNumber.optional(),
  status: z.enum(CALL_STATUSES, `must be one of: ${CALL_STATUSES.join(', ')}`).optional(),
  after: z.string().optional(),
  limit: z.coerce.number().int().min(1).optional(),
});
const answerBody = z.object({ by: z.enum(ANSWERERS, `must be one of: ${ANSWERERS.join(', ')}`).default('human') });

const ANSWERS = ['automatically', 'by-hand'] as const;
const phoneBody = z.object({ answers: z.enum(ANSWERS, `must be one of: ${ANSWERS.join(', ')}`) });
const phoneParams = z.object({
  number: z.string().transform((text, context) => {
    const number = phoneNumber(text);
    if (number === null) context.addIssue(`is not a phone number in E.164, such as +14155552671: ${text}`);
    return number ?? z.NEVER;
  }),
});

interface CallRequest {
  readonly Params: { readonly sid: string };
}

/** Control API of calls: inspect, answer and decline them, and choose how a phone answers. */
export function callControlRoutes(calls: CallBook, flow: CallFlow) {
  return async (app: FastifyInstance): Promise<void> => {
    explainFaults(app);

    app.get('/calls', async (request, reply) => {
      const { to, from, status, after, limit } = listQuery.parse(request.query);
      const last = after === undefined ? undefined : calls.get(after);
      if (after !== undefined && last === undefined)
        return reply.code(400).send({ error: `after: there is no call ${after}` });
      const isWanted = (call: Call) =>
        call.sequence > (last?.sequence ?? 0) &&
        (to ?? call.to) === call.to &&
        (from ?? call.from) === call.from &&
        (status ?? call.status) === call.status;
      return calls.all.filter(isWanted).slice(0, limit).map(answerOf);
    });

    app.get<CallRequest>('/calls/:sid', async (request, reply) => {
      const call = calls.get(request.params.sid);
      return call === undefined ? missing(reply, request.params.sid) : answerOf(call);
    });

    app.post<CallRequest>('/calls/:sid/answer', async (request, reply) => {
      const { by } = answerBody.parse(request.body ?? {});
      return change(request.params.sid, reply, (call) => flow.answer(call, by));
    });
    app.post<CallRequest>('/calls/:sid/decline', async (request, reply) =>
      change(request.params.sid, reply, (call) => flow.decline(call)),
    );
    app.post<CallRequest>('/calls/:sid/hang-up', async (request, reply) =>
      change(request.params.sid, reply, (call) => flow.hangUp(call)),
    );

    app.get('/phones/:number', async (request) => phoneAnswer(phoneParams.parse(request.params).number));

    app.post('/phones/:number', async (request) => {
      const { number } = phoneParams.parse(request.params);
      calls.answerByHand(number, phoneBody.parse(request.body ?? {}).answers === 'by-hand');
      return phoneAnswer(number);
    });

    function change(sid: string, reply: FastifyReply, work: (call: Call) => boolean) {
      const call = calls.get(sid);
      if (call === undefined) return missing(reply, sid);
      if (!work(call)) return reply.code(409).send({ error: `The call is ${call.status}.` });
      return answerOf(call);
    }

    function phoneAnswer(number: string) {
      return { number, answers: ANSWERS[calls.isAnsweredByHand(number) ? 1 : 0] };
    }
  };
}

function missing(reply: FastifyReply, sid: string): FastifyReply {
  return reply.code(404).send({ error: `There is no call ${sid}.` });
}

function answerOf(call: Call) {
  const { sid, to, from, status, sipCode, twiml, problem, timeoutSeconds, statusCallback } = call;
  const sentences = call.sentences.slice(0, call.spokenCount);
  return {
    sid,
    to,
    from,
    status,
    spoken: spokenText(sentences),
    sentences,
    answeredBy: call.answerer,
    detected: answeredBy(call),
    sipResponseCode: sipCode,
    twiml,
    problem,
    timeoutSeconds,
    statusCallback,
    at: new Date(call.createdAtMs).toISOString(),
    answeredAt: instantOf(call.answeredAtMs),
    endedAt: instantOf(call.endedAtMs),
    durationSeconds: hasEnded(call) ? durationSeconds(call) : null,
  };
}

function instantOf(atMs: number | null): string | null {
  return atMs === null ? null : new Date(atMs).toISOString();
}
