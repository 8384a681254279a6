import type { FastifyInstance } from 'fastify';
import type { NumberStore } from '../../carriers/numbers/number-store.js';
import { callbackPlanOf } from '../../carriers/delivery.js';
import { failAfter, failBefore, type Fault, type FaultErrors, type Faults } from '../../control/faults.js';
import { ERRORS_AFTER, ERRORS_BEFORE } from '../create-faults.js';
import { JSON_TYPE, notFound, TwilioError } from '../twilio-error.js';
import type { Call, CallFate, NewCall } from './call.js';
import type { CallBook } from './call-book.js';
import type { CallFlow } from './call-flow.js';
import { forbiddenCountry, parseCallRequest } from './call-request.js';
import { callResource } from './call-resource.js';
import { listCalls } from './list-calls.js';

interface CallParts {
  readonly accountSid: string;
  readonly calls: CallBook;
  readonly callFlow: CallFlow;
  readonly faults: Faults;
  readonly numbers: NumberStore;
}

const FATES: readonly CallFate[] = ['machine', 'no-answer', 'busy', 'failed', 'stuck'];

/** Twilio's REST API for calls. */
export function callRoutes({ accountSid, calls, callFlow, faults, numbers }: CallParts) {
  const callsPath = `/2010-04-01/Accounts/${accountSid}/Calls.json`;

  return async (app: FastifyInstance): Promise<void> => {
    // Not async, because a fault may leave a request without an answer.
    app.post('/Accounts/:accountSid/Calls.json', (request, reply) => {
      const form = request.body as URLSearchParams;
      const to = form.get('To') ?? '';
      const fault = faults.take('voice', undefined, { from: form.get('From'), to });
      const errors: FaultErrors = { ...ERRORS_BEFORE, refuse: () => forbiddenCountry(to) };
      if (!failBefore(fault, faults, reply, errors)) return;
      const call = callFlow.place({ ...parseCallRequest(form, numbers), ...planOf(fault) });
      const resource = JSON.stringify(callResource(call, accountSid));
      const send = () => void reply.code(201).header('content-type', JSON_TYPE).send(resource);
      failAfter(fault, reply, send, ERRORS_AFTER);
    });

    app.get('/Accounts/:accountSid/Calls.json', async (request) => {
      const { items, links } = listCalls(calls, new URL(request.url, 'http://sandbox').searchParams, callsPath);
      return { calls: items.map((call) => callResource(call, accountSid)), ...links };
    });

    app.get<CallRequest>('/Accounts/:accountSid/Calls/:file', async (request) =>
      callResource(callOf(request.params, request.url), accountSid),
    );

    app.post<CallRequest>('/Accounts/:accountSid/Calls/:file', async (request) => {
      const call = callOf(request.params, request.url);
      const status = (request.body as URLSearchParams).get('Status');
      if (status !== 'canceled' && status !== 'completed')
        throw new TwilioError(20001, "'Status' must be one of: canceled, completed");
      // Canceling a call in progress changes nothing.
      const isLeft = status === 'canceled' && call.status === 'in-progress';
      if (!isLeft && !callFlow.stop(call)) throw new TwilioError(21220, 'Call is not in-progress. Cannot redirect.');
      return callResource(call, accountSid);
    });

    function callOf({ file }: CallRequest['Params'], url: string): Call {
      const call = calls.get(file.replace(/\.json$/, ''));
      if (call === undefined) throw notFound(url);
      return call;
    }
  };
}

interface CallRequest {
  readonly Params: { readonly file: string };
}

/** Course of a call whose creation met a fault. */
function planOf(fault: Fault): Pick<NewCall, 'fate' | 'ringsForMs' | 'callbackPlan' | 'callbackDelayMs'> {
  const { mode, delayMs } = fault;
  const { callbackPlan, callbackDelayMs = 0 } = callbackPlanOf(fault);
  return {
    fate: FATES.find((fate) => fate === mode) ?? 'person',
    ringsForMs: mode === 'no-answer' && delayMs > 0 ? delayMs : null,
    callbackPlan,
    callbackDelayMs,
  };
}
