import { type ReceivedPost, type TestSandbox, until } from './test-sandbox.js';

/** A JSON object of Stripe's API. */
export type Json = Record<string, unknown> & { readonly id: string };

interface Answer {
  readonly status: number;
  readonly json: Json;
  readonly headers: Headers;
}

/** Calls the API like Stripe's SDK: nested form names and a bearer key. */
export class StripeClient {
  constructor(private readonly sandbox: TestSandbox) {}

  async post(path: string, params: Record<string, string> = {}, headers: Record<string, string> = {}): Promise<Answer> {
    return this.call(path, { method: 'POST', body: new URLSearchParams(params), headers });
  }

  async get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
    return this.call(path, { headers });
  }

  /** Creates a session of $10.00 with additional or changed parameters. */
  async session(params: Record<string, string> = {}): Promise<Json> {
    const { json } = await this.post('/v1/checkout/sessions', { ...tenDollars, ...params });
    return json;
  }

  async pay(session: string, card?: string): Promise<Json> {
    const { json } = await this.sandbox.post('/_control/stripe/pay', {
      session,
      ...(card === undefined ? {} : { card }),
    });
    return json as Json;
  }

  async paymentOf(session: string): Promise<Json> {
    return (await this.get(`/v1/checkout/sessions/${session}?expand[]=payment_intent`)).json['payment_intent'] as Json;
  }

  /** Lists events with their attempts, newest first. */
  events(): Promise<(Json & { event: string; type: string })[]> {
    return this.sandbox.get('/_control/stripe/webhooks');
  }

  fault(settings: object) {
    return this.sandbox.post('/_control/faults', { service: 'stripe', ...settings });
  }

  /** Events that the product received, in order. */
  get arrived(): (Json & { type: string; data: { object: Json } })[] {
    return this.posts.map(({ body }) => JSON.parse(body) as Json & { type: string; data: { object: Json } });
  }

  get posts(): ReceivedPost[] {
    return this.sandbox.product.posts.filter(({ path }) => path === '/webhooks/stripe');
  }

  async arrival(type: string): Promise<Json & { data: { object: Json; previous_attributes?: Json } }> {
    await until(`${type} arrived`, () => this.arrived.some((event) => event.type === type));
    return this.arrived.find((event) => event.type === type) as Json & { data: { object: Json } };
  }

  private async call(path: string, init: RequestInit): Promise<Answer> {
    const headers = { authorization: 'Bearer sk_test_sandbox', ...(init.headers as Record<string, string>) };
    const answer = await fetch(this.sandbox.url + path, { ...init, headers });
    return { status: answer.status, json: (await answer.json()) as Json, headers: answer.headers };
  }
}

/** Parameters of a session of $10.00. */
export const tenDollars = {
  mode: 'payment',
  'line_items[0][price]': 'price_basic',
  'line_items[0][quantity]': '1',
  success_url: 'http://localhost:3000/dashboard?session={CHECKOUT_SESSION_ID}',
  cancel_url: 'http://localhost:3000/dashboard?transaction=failed',
  client_reference_id: 'account-1',
  'metadata[pack]': 'basic',
};
