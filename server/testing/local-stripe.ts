import { randomBytes } from 'node:crypto';
import StripeSdk from 'stripe';
import { json, startLocalServer, type LocalServer } from '#core/testing/local-server.js';
import { testVariables } from '#core/testing/test-config.js';

const prices: Record<string, number> = {
  price_starter: 300,
  price_basic: 1_000,
  price_pro: 3_000,
  price_enterprise: 5_000,
};

/** Stripe's side of the wire, for its real SDK: checkout sessions, and the events about them. */
export interface LocalStripe {
  readonly server: LocalServer;
  /** The variables that point the product here. */
  readonly variables: Record<string, string>;
  /** The buyer pays; answers the session as Stripe's event shows it. */
  pay(sessionId: string, changes?: object): object;
  close(): Promise<void>;
}

export async function startLocalStripe(): Promise<LocalStripe> {
  const server = await startLocalServer();
  const sessions = new Map<string, Record<string, unknown>>();
  server.answer = (response, request) => {
    const { pathname } = new URL(request.url, server.url);
    const id = pathname.replace('/v1/checkout/sessions', '').slice(1);
    if (request.method === 'POST') {
      const { form } = request;
      const price = form['line_items[0][price]'] ?? '';
      const amount = prices[price];
      if (amount === undefined) {
        const error = { type: 'invalid_request_error', code: 'resource_missing', message: `No such price: '${price}'` };
        return json(400, { error })(response, request);
      }
      const sessionId = `cs_test_${randomBytes(8).toString('hex')}`;
      const session = {
        id: sessionId,
        object: 'checkout.session',
        mode: 'payment',
        client_reference_id: form.client_reference_id,
        amount_total: amount,
        currency: 'usd',
        status: 'open',
        payment_status: 'unpaid',
        payment_intent: null,
        success_url: form.success_url,
        url: `${server.url}/checkout/${sessionId}`,
      };
      sessions.set(sessionId, session);
      return json(200, session)(response, request);
    }
    const session = sessions.get(id);
    const error = {
      type: 'invalid_request_error',
      code: 'resource_missing',
      message: `No such checkout.session: ${id}`,
    };
    return session ? json(200, session)(response, request) : json(404, { error })(response, request);
  };
  return {
    server,
    variables: { STRIPE_API_URL: server.url },
    pay: (sessionId, changes = {}) => {
      const paid = { ...sessions.get(sessionId), status: 'complete', payment_status: 'paid', ...changes };
      const receipt = `https://pay.stripe.test/receipts/${sessionId}`;
      const latestCharge = { id: `ch_${sessionId}`, object: 'charge', receipt_url: receipt };
      const intent = { id: `pi_${sessionId}`, object: 'payment_intent', latest_charge: latestCharge };
      sessions.set(sessionId, { ...paid, payment_intent: intent });
      return { ...paid, payment_intent: intent.id };
    },
    close: () => server.close(),
  };
}

let events = 0;

/**
 * An event as Stripe posts it: its body, and headers with a good signature unless another secret or
 * time is given.
 */
export function stripeEvent(type: string, object: object, signing: Signing = {}): SignedBody {
  events += 1;
  return signedBody(JSON.stringify({ id: `evt_${events}`, object: 'event', type, data: { object } }, null, 2), signing);
}

/** A body signed as Stripe signs its events. */
export function signedBody(
  payload: string,
  { secret = testVariables.STRIPE_WEBHOOK_SECRET ?? '', at = new Date() }: Signing = {},
): SignedBody {
  const timestamp = Math.floor(at.getTime() / 1_000);
  const signature = StripeSdk.webhooks.generateTestHeaderString({ payload, secret, timestamp });
  return { payload, headers: { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': signature } };
}

interface Signing {
  readonly secret?: string;
  readonly at?: Date;
}

interface SignedBody {
  readonly payload: string;
  readonly headers: Record<string, string>;
}
