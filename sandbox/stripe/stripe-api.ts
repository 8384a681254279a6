import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { failAfter, failBefore, type FaultErrors, type Faults } from '../control/faults.js';
import { requireApiKey } from './api-key.js';
import type { EventRequest } from './event.js';
import type { Events } from './events.js';
import { expand } from './expand.js';
import { formTree } from './form-tree.js';
import type { Idempotency } from './idempotency.js';
import { newId } from './ids.js';
import { readParams } from './params.js';
import { StripeError } from './stripe-error.js';
import type { StripeStore } from './stripe-store.js';

const ERRORS: FaultErrors = {
  '429': () => new StripeError(429, 'invalid_request_error', 'Request rate limit exceeded.', { code: 'rate_limit' }),
  '500': () => new StripeError(500, 'api_error', 'An unknown error occurred'),
};

const FORM_BYTES_MAX = 262_144;

export interface StripeApiParts {
  readonly secretKey: string;
  readonly store: StripeStore;
  readonly events: Events;
  readonly idempotency: Idempotency;
  readonly faults: Faults;
}

/** One call of the API, with its form or query taken apart. */
export interface StripeCall {
  readonly id: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly caller: EventRequest;
  /** Where the caller reached the sandbox: `http://localhost:4000`. */
  readonly baseUrl: string;
}

type Work = (call: StripeCall) => object;

const common = z.looseObject({ expand: z.array(z.string()).max(20).default([]) });

/** What all calls of Stripe's API share: key, versions, forms, faults, idempotency, `expand` and errors. */
export class StripeApi {
  constructor(
    private readonly app: FastifyInstance,
    private readonly parts: StripeApiParts,
  ) {
    const { secretKey, events } = parts;
    app.removeAllContentTypeParsers();
    const options = { parseAs: 'string', bodyLimit: FORM_BYTES_MAX } as const;
    app.addContentTypeParser<string>('*', options, (_request, body, done) => done(null, body));
    app.addHook('onRequest', async (request, reply) => {
      reply.header('request-id', newId('req_', 14));
      requireApiKey(request.headers.authorization, secretKey);
      const version = request.headers['stripe-version'];
      if (typeof version === 'string') events.apiVersion = version;
      reply.header('stripe-version', events.apiVersion);
    });
    app.setErrorHandler((error, _request, reply) => {
      if (error instanceof StripeError) return reply.code(error.status).send(error.body);
      const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
      if (status >= 500) throw error;
      return reply.code(status).send(new StripeError(status, 'invalid_request_error', (error as Error).message).body);
    });
    app.setNotFoundHandler((request, reply) => {
      const at = `${request.method}: ${request.url.replace(/\?.*$/s, '')}`;
      const message = `Unrecognized request URL (${at}). This sandbox has the parts of Stripe that its README names.`;
      return reply.code(404).send(new StripeError(404, 'invalid_request_error', message).body);
    });
  }

  get(path: string, work: Work): void {
    this.app.get<{ Params: { id?: string } }>(path, async (request, reply) => {
      const query = new URL(request.url, 'http://sandbox').searchParams;
      return this.answer(request, reply, formTree(query), work, undefined);
    });
  }

  post(path: string, work: Work): void {
    this.app.post<{ Params: { id?: string } }>(path, async (request, reply) => {
      const key = request.headers['idempotency-key'];
      const form = new URLSearchParams(typeof request.body === 'string' ? request.body : '');
      return this.answer(request, reply, formTree(form), work, typeof key === 'string' ? key : undefined);
    });
  }

  private async answer(
    request: FastifyRequest<{ Params: { id?: string } }>,
    reply: FastifyReply,
    tree: Readonly<Record<string, unknown>>,
    work: Work,
    key: string | undefined,
  ): Promise<FastifyReply> {
    const { store, idempotency, faults } = this.parts;
    const fault = faults.take('stripe', ['delay', '429', '500', 'timeout', 'lost-answer']);
    if (!failBefore(fault, reply, ERRORS)) return reply;
    const { answer, isReplayed } = idempotency.run(key, `${request.url} ${JSON.stringify(tree)}`, () => {
      const { expand: paths, ...params } = readParams(common, tree);
      const call: StripeCall = {
        id: request.params.id ?? '',
        params,
        caller: { id: String(reply.getHeader('request-id')), idempotency_key: key ?? null },
        baseUrl: `${request.protocol}://${request.host}`,
      };
      return JSON.stringify(expand(work(call), paths, store), null, 2);
    });
    if (key !== undefined) reply.header('idempotency-key', key);
    if (isReplayed) reply.header('idempotent-replayed', 'true');
    failAfter(fault, reply, () => void reply.type('application/json').send(answer), {});
    return reply;
  }
}
