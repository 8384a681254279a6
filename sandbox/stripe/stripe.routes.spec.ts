import StripeSdk from 'stripe';
import { StripeClient, tenDollars } from '../testing/stripe-client.js';
import { TestSandbox } from '../testing/test-sandbox.js';

const sandbox = new TestSandbox();
const stripe = new StripeClient(sandbox);

beforeAll(() => sandbox.start({ SANDBOX_STRIPE_PRICES: 'price_starter:300,price_basic:1000' }));
beforeEach(async () => {
  await sandbox.post('/_control/reset', {});
  sandbox.product.posts.length = 0;
});
afterAll(() => sandbox.stop());

describe('creating a session', () => {
  it("answers Stripe's Checkout Session", async () => {
    const session = await stripe.session({ 'line_items[1][price]': 'price_starter', 'line_items[1][quantity]': '2' });
    expect(session).toMatchObject({
      id: expect.stringMatching(/^cs_test_a1\w{58}$/),
      object: 'checkout.session',
      amount_subtotal: 1600,
      amount_total: 1600,
      currency: 'usd',
      client_reference_id: 'account-1',
      metadata: { pack: 'basic' },
      mode: 'payment',
      payment_intent: null,
      payment_status: 'unpaid',
      status: 'open',
      success_url: tenDollars.success_url,
      cancel_url: tenDollars.cancel_url,
      url: `${sandbox.url}/checkout/${session.id}`,
      livemode: false,
    });
    expect(session['expires_at']).toBe(Number(session['created']) + 86_400);
    expect((await stripe.get(`/v1/checkout/sessions/${session.id}`)).json).toEqual(session);
  });

  it.each([
    [{ 'line_items[0][price]': 'price_none' }, 'resource_missing', 'line_items[0][price]'],
    [{ 'line_items[0][quantity]': 'two' }, 'parameter_invalid_integer', 'line_items[0][quantity]'],
    [{ success_url: '' }, 'parameter_missing', 'success_url'],
    [{ success_url: 'dashboard' }, 'url_invalid', 'success_url'],
    [{ sucess_url: 'x' }, 'parameter_unknown', 'sucess_url'],
    [{ 'line_items[0][prize]': 'x' }, 'parameter_unknown', 'line_items[0][prize]'],
  ])('rejects %j with %s', async (changes, code, param) => {
    const { status, json } = await stripe.post('/v1/checkout/sessions', { ...tenDollars, ...changes });
    expect(status).toBe(400);
    expect(json['error']).toMatchObject({ type: 'invalid_request_error', code, param, message: expect.any(String) });
  });

  it('rejects unsupported modes', async () => {
    const { json } = await stripe.post('/v1/checkout/sessions', { ...tenDollars, mode: 'subscription' });
    expect(json['error']).toMatchObject({ param: 'mode' });
  });
});

describe('access', () => {
  it.each(['Bearer sk_test_wrong', ''])('rejects the key "%s"', async (authorization) => {
    const { status, json } = await stripe.get('/v1/prices/price_basic', { authorization });
    expect([status, json['error']]).toEqual([
      401,
      { type: 'invalid_request_error', message: expect.stringContaining('Invalid API Key') },
    ]);
  });

  it('answers unknown paths in Stripe’s format', async () => {
    const missing = await stripe.get('/v1/checkout/sessions/cs_test_none');
    expect(missing).toMatchObject({
      status: 404,
      json: {
        error: {
          type: 'invalid_request_error',
          code: 'resource_missing',
          message: "No such checkout.session: 'cs_test_none'",
        },
      },
    });
    expect(await stripe.get('/v1/subscriptions')).toMatchObject({
      status: 404,
      json: { error: { message: expect.stringContaining('Unrecognized request URL (GET: /v1/subscriptions)') } },
    });
  });
});

describe('prices', () => {
  it('keeps the prices of its environment after a reset', async () => {
    const { json } = await stripe.get('/v1/prices/price_starter');
    expect(json).toMatchObject({ id: 'price_starter', unit_amount: 300, currency: 'usd', type: 'one_time' });
  });
});

describe('Idempotency-Key', () => {
  const key = { 'idempotency-key': 'key-1' };

  it('returns the first answer to the same request', async () => {
    const first = await stripe.post('/v1/checkout/sessions', tenDollars, key);
    const again = await stripe.post('/v1/checkout/sessions', tenDollars, key);
    expect(again.json).toEqual(first.json);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
  });

  it('rejects another request with idempotency_error', async () => {
    await stripe.post('/v1/checkout/sessions', tenDollars, key);
    const other = await stripe.post('/v1/checkout/sessions', { ...tenDollars, client_reference_id: 'account-2' }, key);
    expect(other).toMatchObject({ status: 400, json: { error: { type: 'idempotency_error' } } });
  });

  it('does not store errors', async () => {
    await stripe.post('/v1/checkout/sessions', { ...tenDollars, success_url: '' }, key);
    expect((await stripe.post('/v1/checkout/sessions', tenDollars, key)).status).toBe(200);
  });
});

describe('a payment seen through the API', () => {
  it('expands from the session to the charge and its receipt', async () => {
    const { id } = await stripe.session();
    await stripe.pay(id);
    const { json } = await stripe.get(`/v1/checkout/sessions/${id}?expand[]=payment_intent.latest_charge`);
    expect(json).toMatchObject({
      status: 'complete',
      payment_status: 'paid',
      url: null,
      customer_details: { email: 'buyer@example.com' },
      payment_intent: {
        id: expect.stringMatching(/^pi_/),
        status: 'succeeded',
        amount_received: 1000,
        latest_charge: {
          id: expect.stringMatching(/^ch_/),
          paid: true,
          status: 'succeeded',
          amount: 1000,
          receipt_url: expect.stringContaining(`${sandbox.url}/checkout/receipts/ch_`),
        },
      },
    });
  });

  it('rejects expanding a property without an object', async () => {
    const { id } = await stripe.session();
    const { status, json } = await stripe.get(`/v1/checkout/sessions/${id}?expand[]=amount_total`);
    expect(status).toBe(400);
    expect(json['error']).toMatchObject({ message: 'This property cannot be expanded (amount_total).' });
  });

  it('keeps events with their object at that time', async () => {
    const { id } = await stripe.session();
    await stripe.get(`/v1/checkout/sessions/${id}`, { 'stripe-version': '2026-10-28.endive' });
    await stripe.pay(id);
    const event = await stripe.arrival('checkout.session.completed');
    expect((await stripe.get(`/v1/events/${event.id}`)).json).toMatchObject({
      object: 'event',
      api_version: '2026-10-28.endive',
      type: 'checkout.session.completed',
      data: { object: { id, payment_status: 'paid' } },
    });
  });

  it('is read by the SDK', async () => {
    const { hostname, port } = new URL(sandbox.url);
    const sdk = new StripeSdk('sk_test_sandbox', {
      host: hostname,
      port: Number(port),
      protocol: 'http',
      telemetry: false,
    });
    const opened = await sdk.checkout.sessions.create({
      mode: 'payment',
      line_items: [{ price: 'price_basic', quantity: 1 }],
      client_reference_id: 'account-1',
      success_url: tenDollars.success_url,
    });
    await stripe.pay(opened.id);
    expect(await sdk.checkout.sessions.retrieve(opened.id, { expand: ['payment_intent.latest_charge'] })).toMatchObject(
      {
        payment_status: 'paid',
        amount_total: 1000,
        client_reference_id: 'account-1',
        payment_intent: { latest_charge: { receipt_url: expect.stringContaining('/checkout/receipts/ch_') } },
      },
    );
  });
});

describe('refunds', () => {
  const paid = async () => {
    const { id } = await stripe.session();
    await stripe.pay(id);
    return (await stripe.paymentOf(id))['latest_charge'] as string;
  };

  it('refunds a part, then the rest, and no more', async () => {
    const charge = await paid();
    const part = await stripe.post('/v1/refunds', { charge, amount: '400', reason: 'requested_by_customer' });
    expect(part.json).toMatchObject({ object: 'refund', amount: 400, charge, status: 'succeeded' });
    expect((await stripe.get(`/v1/refunds/${part.json.id}`)).json).toEqual(part.json);
    expect((await stripe.get(`/v1/charges/${charge}`)).json).toMatchObject({ amount_refunded: 400, refunded: false });
    expect((await stripe.post('/v1/refunds', { charge, amount: '601' })).json['error']).toMatchObject({
      message: 'Refund amount ($6.01) is greater than unrefunded amount on charge ($6.00)',
    });
    expect((await stripe.post('/v1/refunds', { charge })).json).toMatchObject({ amount: 600 });
    expect((await stripe.get(`/v1/charges/${charge}`)).json).toMatchObject({ amount_refunded: 1000, refunded: true });
    expect((await stripe.post('/v1/refunds', { charge })).json['error']).toMatchObject({
      code: 'charge_already_refunded',
    });
  });

  it('require a charge', async () => {
    expect(await stripe.post('/v1/refunds')).toMatchObject({ status: 400 });
    expect((await stripe.post('/v1/refunds', { charge: 'ch_none' })).json['error']).toMatchObject({
      code: 'resource_missing',
      param: 'charge',
    });
  });
});

describe('faults of the API', () => {
  it.each([
    ['429', 429, 'invalid_request_error'],
    ['500', 500, 'api_error'],
  ])('%s rejects one call without an effect', async (mode, status, type) => {
    await stripe.fault({ mode, count: 1 });
    const key = { 'idempotency-key': mode };
    const failed = await stripe.post('/v1/checkout/sessions', tenDollars, key);
    expect(failed).toMatchObject({ status, json: { error: { type } } });
    const again = await stripe.post('/v1/checkout/sessions', tenDollars, key);
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, null]);
  });

  it('lost-answer completes the call, and its idempotency key returns the result', async () => {
    const key = { 'idempotency-key': 'key-2' };
    await stripe.fault({ mode: 'lost-answer', count: 1 });
    await expect(stripe.post('/v1/checkout/sessions', tenDollars, key)).rejects.toThrow('fetch failed');
    const again = await stripe.post('/v1/checkout/sessions', tenDollars, key);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
  });
});
