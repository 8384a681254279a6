import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { failAfter, failBefore, type FaultErrors, type Faults } from '../control/faults.js';
import { formTree, type FormTree, readParams } from './params.js';
import { newId } from './objects.js';
import type { Payments } from './payments.js';
import type { SavedCards } from './saved-cards.js';
import type { StripeStore } from './store.js';
import { invalidRequest, StripeError } from './stripe-error.js';
import type { Webhooks } from './webhooks.js';

const KEPT_MAX = 10_000;
const LIFE_MS = 86_400_000;

interface CallAnswer {
  readonly status: number;
  readonly body: string;
}

interface KeptAnswer extends CallAnswer {
  readonly fingerprint: string;
  readonly expiresAtMs: number;
}

/** Answers by idempotency key, stored for a day. */
export class Idempotency {
  private readonly byKey = new Map<string, KeptAnswer>();

  /**
   * Runs the work, or returns the stored answer. Throws `idempotency_error` when the request
   * differs.
   */
  run(key: string | undefined, request: string, work: () => CallAnswer): CallAnswer & { isReplayed: boolean } {
    if (key === undefined) return { ...work(), isReplayed: false };
    const fingerprint = createHash('sha256').update(request).digest('base64');
    const kept = this.byKey.get(key);
    if (kept === undefined || kept.expiresAtMs <= Date.now()) {
      // Like Stripe, stores declined payments, and does not store rejected requests.
      const answer = work();
      this.keep(key, { fingerprint, ...answer, expiresAtMs: Date.now() + LIFE_MS });
      return { ...answer, isReplayed: false };
    }
    if (kept.fingerprint !== fingerprint) {
      throw new StripeError(
        400,
        'idempotency_error',
        'Keys for idempotent requests can only be used with the same parameters they were first used ' +
          `with. Try using a key other than '${key}' if you meant to execute a different request.`,
      );
    }
    return { status: kept.status, body: kept.body, isReplayed: true };
  }

  clear(): void {
    this.byKey.clear();
  }

  private keep(key: string, kept: KeptAnswer): void {
    this.byKey.delete(key);
    this.byKey.set(key, kept);
    const [oldest] = this.byKey.keys();
    if (this.byKey.size > KEPT_MAX && oldest !== undefined) this.byKey.delete(oldest);
  }
}

type Resource = Record<string, unknown>;

/** Replaces ids by objects along paths such as `payment_intent.latest_charge`. */
function expand(resource: object, paths: readonly string[], store: StripeStore): object {
  const copy: Resource = { ...resource };
  for (const path of paths) {
    let owner = copy;
    for (const name of path.split('.')) {
      const value = owner[name];
      if (value === null) break;
      const found = typeof value === 'string' ? load(name, value, store) : value;
      if (typeof found !== 'object') {
        throw invalidRequest(`This property cannot be expanded (${path}).`, { param: 'expand' });
      }
      const next: Resource = { ...found };
      owner[name] = next;
      owner = next;
    }
  }
  return copy;
}

function load(name: string, id: string, store: StripeStore): object | undefined {
  if (name === 'payment_intent') return store.intents.find(id);
  if (name === 'setup_intent') return store.setupIntents.find(id);
  if (name === 'payment_method') return store.cards.find(id)?.method;
  return name === 'latest_charge' || name === 'charge' ? store.charges.find(id) : undefined;
}

const ERRORS: FaultErrors = {
  '429': () => invalidRequest('Request rate limit exceeded.', { code: 'rate_limit' }, 429),
  '500': () => new StripeError(500, 'api_error', 'An unknown error occurred'),
};

const FORM_BYTES_MAX = 262_144;

interface StripeApiParts {
  readonly secretKey: string;
  /** Base URL of the hosted pages for browsers; null uses the host of the API call. */
  readonly publicUrl: string | null;
  readonly store: StripeStore;
  readonly payments: Payments;
  readonly savedCards: SavedCards;
  readonly webhooks: Webhooks;
  readonly idempotency: Idempotency;
  readonly faults: Faults;
}

interface StripeCall {
  readonly id: string;
  readonly params: Resource;
  /** Base URL of the call: `http://localhost:4000`. */
  readonly baseUrl: string;
}

const common = z.looseObject({ expand: z.array(z.string()).max(20).default([]) });
const nothing = z.strictObject({});

/** A declined payment is an answer; other errors are thrown. */
function answerOf(work: () => object): CallAnswer {
  try {
    return { status: 200, body: JSON.stringify(work(), null, 2) };
  } catch (error) {
    if (!(error instanceof StripeError) || error.type !== 'card_error') throw error;
    return { status: error.statusCode, body: JSON.stringify(error.body, null, 2) };
  }
}

const queryOf = ({ url }: FastifyRequest): FormTree => formTree(new URL(url, 'http://sandbox').searchParams);

/** Stripe's API for payments with Checkout and with saved cards, under /v1. */
export function stripeApi(parts: StripeApiParts) {
  const { secretKey, publicUrl, store, payments, savedCards, webhooks, idempotency, faults } = parts;

  /** Handles the common parts of all calls: fault, idempotency, `expand`. */
  const handle = (form: (request: FastifyRequest) => FormTree, work: (call: StripeCall) => object) => {
    return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const fault = faults.take('stripe', ['delay', '429', '500', 'timeout', 'lost-answer']);
      if (!failBefore(fault, faults, reply, ERRORS)) return reply;
      const tree = form(request);
      const key = request.headers['idempotency-key']?.toString();
      const { status, body, isReplayed } = idempotency.run(key, `${request.url} ${JSON.stringify(tree)}`, () => {
        const { expand: paths, ...params } = readParams(common, tree);
        const { id = '' } = request.params as { id?: string };
        const baseUrl = `${request.protocol}://${request.host}`;
        return answerOf(() => expand(work({ id, params, baseUrl: publicUrl ?? baseUrl }), paths, store));
      });
      if (isReplayed) reply.header('idempotent-replayed', 'true');
      failAfter(fault, reply, () => void reply.code(status).type('application/json').send(body), {});
      return reply;
    };
  };

  return async (app: FastifyInstance): Promise<void> => {
    prepare(app, secretKey, webhooks);
    const post = (path: string, work: (call: StripeCall) => object) =>
      app.post(
        path,
        handle(({ body }) => formTree(new URLSearchParams(body as string)), work),
      );
    const retrieve = (path: string, find: (id: string) => object) =>
      app.get(
        `${path}/:id`,
        handle(queryOf, ({ id, params }) => {
          readParams(nothing, params);
          return find(id);
        }),
      );

    post('/checkout/sessions', ({ params, baseUrl }) => payments.open(params, baseUrl).session);
    post('/checkout/sessions/:id/expire', ({ id, params }) => {
      readParams(nothing, params);
      const checkout = store.checkouts.get(id);
      payments.expire(checkout);
      return checkout.session;
    });
    post('/customers', ({ params }) => savedCards.createCustomer(params));
    app.delete(
      '/customers/:id',
      handle(
        () => ({}),
        ({ id }) => savedCards.deleteCustomer(id),
      ),
    );
    post('/payment_methods/:id/detach', ({ id }) => savedCards.detach(id));
    post('/payment_intents', ({ params, baseUrl }) => savedCards.pay(params, baseUrl));
    post('/payment_intents/:id/confirm', ({ id, params, baseUrl }) => savedCards.confirm(id, params, baseUrl));
    post('/payment_intents/:id/cancel', ({ id, params }) => {
      readParams(nothing, params);
      return savedCards.cancel(id);
    });
    app.get(
      '/payment_intents',
      handle(queryOf, ({ params }) => savedCards.list(params)),
    );
    post('/refunds', ({ params }) => payments.refund(params));
    retrieve('/checkout/sessions', (id) => store.checkouts.get(id).session);
    retrieve('/customers', (id) => store.customers.get(id));
    retrieve('/payment_methods', (id) => store.cards.get(id).method);
    retrieve('/setup_intents', (id) => store.setupIntents.get(id));
    retrieve('/prices', (id) => store.prices.get(id));
    retrieve('/payment_intents', (id) => store.intents.get(id));
    retrieve('/charges', (id) => store.charges.get(id));
    retrieve('/refunds', (id) => store.refunds.get(id));
    retrieve('/disputes', (id) => store.disputes.get(id));
    retrieve('/events', (id) => store.events.get(id));
  };
}

/** Sets up key, version, form and errors of all calls. */
function prepare(app: FastifyInstance, secretKey: string, webhooks: Webhooks): void {
  app.removeAllContentTypeParsers();
  const options = { parseAs: 'string', bodyLimit: FORM_BYTES_MAX } as const;
  app.addContentTypeParser<string>('*', options, (_request, body, done) => done(null, body));
  app.addHook('onRequest', async ({ headers }, reply) => {
    reply.header('request-id', newId('req_', 14));
    if (headers.authorization !== `Bearer ${secretKey}`) {
      throw invalidRequest('Invalid API Key provided. The sandbox expects its own key as bearer token.', {}, 401);
    }
    webhooks.apiVersion = headers['stripe-version']?.toString() ?? webhooks.apiVersion;
    reply.header('stripe-version', webhooks.apiVersion);
  });
  app.setErrorHandler((error, _request, reply) => {
    const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
    if (error instanceof StripeError) return reply.code(status).send(error.body);
    if (status >= 500) throw error;
    return reply.code(status).send(invalidRequest((error as Error).message).body);
  });
  app.setNotFoundHandler((request, reply) => {
    const at = `${request.method}: ${request.url.replace(/\?.*$/s, '')}`;
    const message = `Unrecognized request URL (${at}). The sandbox supports the parts of Stripe that its README lists.`;
    return reply.code(404).send(invalidRequest(message).body);
  });
}
