import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { sameText } from '../http.js';
import { failAfter, failBefore, type FaultErrors, type Faults } from '../control/faults.js';
import { invalidRequest, StripeError } from './stripe-error.js';
import type { StripeStore } from './store.js';
import type { EventRequest, Events } from './events.js';
import { formTree, readParams } from './params.js';
import { newId } from './catalogue.js';

/** Checks the secret key, sent as bearer token or as basic user name. Throws Stripe's 401. */
function requireApiKey(authorization: string | undefined, secretKey: string): void {
  const bearer = /^Bearer (.+)$/i.exec(authorization ?? '')?.[1];
  const basic = /^Basic (.+)$/i.exec(authorization ?? '')?.[1];
  const given =
    bearer ??
    Buffer.from(basic ?? '', 'base64')
      .toString('utf8')
      .replace(/:.*$/s, '');
  if (given === '') {
    throw new StripeError(
      401,
      'invalid_request_error',
      "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY').",
    );
  }
  if (!sameText(given, secretKey)) {
    throw new StripeError(401, 'invalid_request_error', `Invalid API Key provided: ${masked(given)}`);
  }
}

function masked(key: string): string {
  return key.length <= 12 ? '*'.repeat(key.length) : `${key.slice(0, 8)}${'*'.repeat(8)}${key.slice(-4)}`;
}

const KEPT_MAX = 10_000;
const LIFE_MS = 86_400_000;

interface Kept {
  readonly fingerprint: string;
  readonly answer: string;
  readonly expiresAtMs: number;
}

/** Answers by idempotency key, stored for a day. */
export class Idempotency {
  private readonly byKey = new Map<string, Kept>();

  constructor(private readonly now: () => number = Date.now) {}

  /** Runs the work, or returns the stored answer. Throws `idempotency_error` when the request differs. */
  run(key: string | undefined, request: string, work: () => string): { answer: string; isReplayed: boolean } {
    if (key === undefined) return { answer: work(), isReplayed: false };
    const fingerprint = createHash('sha256').update(request).digest('base64');
    const kept = this.byKey.get(key);
    if (kept === undefined || kept.expiresAtMs <= this.now()) {
      // Like Stripe, does not store rejected requests.
      const answer = work();
      this.keep(key, { fingerprint, answer, expiresAtMs: this.now() + LIFE_MS });
      return { answer, isReplayed: false };
    }
    if (kept.fingerprint !== fingerprint) {
      throw new StripeError(
        400,
        'idempotency_error',
        `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
      );
    }
    return { answer: kept.answer, isReplayed: true };
  }

  clear(): void {
    this.byKey.clear();
  }

  private keep(key: string, kept: Kept): void {
    this.byKey.delete(key);
    this.byKey.set(key, kept);
    const [oldest] = this.byKey.keys();
    if (this.byKey.size > KEPT_MAX && oldest !== undefined) this.byKey.delete(oldest);
  }
}

const DEPTH_MAX = 4;
type Resource = Record<string, unknown>;

/** Replaces ids by objects along paths such as `payment_intent.latest_charge` or, in a list, `data.charge`. */
function expand(resource: object, paths: readonly string[], store: StripeStore): object {
  const copy = structuredClone(resource) as Resource;
  for (const path of paths) {
    const names = path.split('.');
    if (names.length > DEPTH_MAX) throw invalidRequest(`You cannot expand more than ${DEPTH_MAX} levels: ${path}`);
    expandInto(copy, names, path, store);
  }
  return copy;
}

function expandInto(
  resource: Resource,
  [name = '', ...rest]: readonly string[],
  path: string,
  store: StripeStore,
): void {
  if (resource['object'] === 'list' && name === 'data') {
    for (const item of resource['data'] as Resource[]) expandInto(item, rest, path, store);
    return;
  }
  const value = resource[name] ?? null;
  if (typeof value === 'object' && value !== null) {
    expandInto(value as Resource, rest, path, store);
    return;
  }
  const found = load(resource, name, value, store);
  if (found === undefined) throw invalidRequest(`This property cannot be expanded (${path}).`, { param: 'expand' });
  if (found === null) return;
  const copy = structuredClone(found) as Resource;
  resource[name] = copy;
  if (rest.length > 0) expandInto(copy, rest, path, store);
}

/** Loads the object of a property: null without one, undefined when the property cannot be expanded. */
function load(resource: Resource, name: string, value: unknown, store: StripeStore): object | null | undefined {
  const id = typeof value === 'string' ? value : '';
  const at = `${String(resource['object'])}.${name}`;
  if (at === 'checkout.session.line_items') return lineItems(String(resource['id']), store);
  if (at === 'charge.refunds') return refundsOf(String(resource['id']), store);
  if (name === 'payment_intent') return store.intents.find(id) ?? null;
  if (name === 'latest_charge' || name === 'charge') return store.charges.find(id) ?? null;
  if (at === 'price.product') return store.products.find(id) ?? null;
  // Objects of these types do not exist here.
  return ['customer', 'invoice', 'setup_intent', 'subscription'].includes(name) ? null : undefined;
}

/** Returns the line items of a session as a Stripe list. */
export function lineItems(sessionId: string, store: StripeStore): object {
  const { lineItems: items } = store.checkouts.get(sessionId);
  return { object: 'list', data: items, has_more: false, url: `/v1/checkout/sessions/${sessionId}/line_items` };
}

function refundsOf(chargeId: string, store: StripeStore): object {
  const query = { limit: 10 };
  return store.refunds.list(`/v1/charges/${chargeId}/refunds`, query, ({ charge }) => charge === chargeId);
}

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

/** An API call with its parsed form or query. */
interface StripeCall {
  readonly id: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly caller: EventRequest;
  /** Base URL of the call: `http://localhost:4000`. */
  readonly baseUrl: string;
}

type Work = (call: StripeCall) => object;

const common = z.looseObject({ expand: z.array(z.string()).max(20).default([]) });

/** Handles what all API calls share: key, version, form, fault, idempotency, `expand` and errors. */
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
      const message = `Unrecognized request URL (${at}). The sandbox supports the parts of Stripe that its README lists.`;
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
