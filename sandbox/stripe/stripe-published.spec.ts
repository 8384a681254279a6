import StripeSdk from 'stripe';
import { kindsIn, stripeFaults } from '../testing/published/stripe.js';
import { StripeClient, tenDollars } from '../testing/stripe-client.js';
import { TestSandbox, until } from '../testing/test-sandbox.js';

const sandbox = new TestSandbox();
const stripe = new StripeClient(sandbox);

const CARDS = {
  succeeds: '4242424242424242',
  authenticates: '4000002760003184',
  declines: '4000000000000002',
  noFunds: '4000000000009995',
  paysLater: '000123456789',
  failsLater: '000111111113',
};
const EVERYTHING = 'expand[]=payment_intent.latest_charge.refunds&expand[]=line_items';

beforeAll(() => sandbox.start({ SANDBOX_STRIPE_PRICES: 'price_starter:300,price_basic:1000' }));
beforeEach(async () => {
  await sandbox.post('/_control/reset', {});
  sandbox.product.posts.length = 0;
});
afterAll(() => sandbox.stop());

/** Expects an answer to be what Stripe has published, and to hold objects of these kinds. */
async function expectPublished(path: string, kinds: readonly string[]): Promise<void> {
  const { json } = await stripe.get(path);
  expect(stripeFaults(json)).toEqual([]);
  expect(kindsIn(json)).toEqual(expect.arrayContaining([...kinds]));
}

describe('the tables of published fields', () => {
  it('report missing and unknown fields, wrong types, wrong values and null at any depth', async () => {
    const { id } = await stripe.session();
    await stripe.pay(id);
    const { json } = await stripe.get(`/v1/checkout/sessions/${id}?${EVERYTHING}`);
    const { payment_status: _missing, ...rest } = json;
    const { data } = json['line_items'] as { data: object[] };
    const changed = {
      ...rest,
      amount_total: '1000',
      mode: 'buy',
      created: null,
      note: 'not Stripe’s',
      line_items: { object: 'list', data: [{ ...data[0], quantity: 1.5 }], has_more: false, url: '/v1/x' },
    };
    const at = stripeFaults(changed).map((fault) => fault.replace(/: .*/s, ''));
    expect(at.sort()).toEqual([
      'checkout.session',
      'checkout.session.amount_total',
      'checkout.session.created',
      'checkout.session.mode',
      'checkout.session.payment_status',
      'item.quantity',
    ]);
  });
});

describe('every answer of the API matches the schema that Stripe publishes', () => {
  it('a new session, and one that has expired', async () => {
    for (const changes of [{}, { customer_email: 'ada@example.com' }]) {
      const session = await stripe.session(changes);
      expect(stripeFaults(session)).toEqual([]);
      await expectPublished(`/v1/checkout/sessions/${session.id}/line_items`, ['list', 'item', 'price']);
      await stripe.post(`/v1/checkout/sessions/${session.id}/expire`);
      await expectPublished(`/v1/checkout/sessions/${session.id}`, ['checkout.session']);
    }
  });

  it.each(Object.entries(CARDS))('a session whose card %s, with its payment and charge', async (_does, card) => {
    const { id } = await stripe.session();
    await stripe.pay(id, card);
    const kinds = ['checkout.session', 'payment_intent', 'charge', 'item', 'price', 'list'];
    await expectPublished(`/v1/checkout/sessions/${id}?${EVERYTHING}`, kinds);
    await until('the bank has answered', async () => {
      const { json } = await stripe.get('/v1/payment_intents');
      return (json['data'] as { status: string }[])[0]?.status !== 'processing';
    });
    await expectPublished(`/v1/checkout/sessions/${id}?${EVERYTHING}`, kinds);
  });

  it('a payment that waits for 3-D Secure, and one where it failed', async () => {
    const { id } = await stripe.session();
    const submit = (form: Record<string, string>) =>
      fetch(`${sandbox.url}/checkout/${id}`, { method: 'POST', body: new URLSearchParams(form) });
    await submit({ number: CARDS.authenticates });
    await expectPublished('/v1/payment_intents', ['payment_intent']);
    await submit({ act: 'deny' });
    await expectPublished('/v1/payment_intents', ['payment_intent']);
  });

  it('products, prices, charges, refunds, disputes and events, one by one and in lists', async () => {
    const sessions = [await stripe.session(), await stripe.session()];
    for (const { id } of sessions) await stripe.pay(id);
    const [refunded, disputed] = ((await stripe.get('/v1/charges')).json['data'] as { id: string }[]).map(
      ({ id }) => id,
    );
    const refund = await stripe.post('/v1/refunds', { charge: refunded ?? '', reason: 'duplicate', amount: '100' });
    const dispute = await sandbox.post('/_control/stripe/dispute', { charge: disputed });
    const product = await stripe.post('/v1/products', { name: 'Pro', description: 'Credits', 'metadata[a]': 'b' });
    const price = await stripe.post('/v1/prices', { currency: 'usd', unit_amount: '100', product: product.json.id });
    for (const { json } of [refund, dispute, product, price]) expect(stripeFaults(json)).toEqual([]);
    for (const [path, kind] of [
      ['products', 'product'],
      ['prices', 'price'],
      ['payment_intents', 'payment_intent'],
      ['charges', 'charge'],
      ['refunds', 'refund'],
      ['disputes', 'dispute'],
      ['events', 'event'],
      ['checkout/sessions', 'checkout.session'],
    ] as const) {
      await expectPublished(`/v1/${path}?limit=100`, ['list', kind]);
      const { json } = await stripe.get(`/v1/${path}`);
      await expectPublished(`/v1/${path}/${(json['data'] as { id: string }[])[0]?.id}`, [kind]);
    }
    await expectPublished(`/v1/prices/${price.json.id}?expand[]=product`, ['price', 'product']);
    await expectPublished(`/v1/charges/${refunded}?expand[]=refunds`, ['charge', 'list', 'refund']);
  });

  it.each([
    ['an unknown id', '/v1/prices/price_none', {}],
    ['a wrong key', '/v1/prices', { authorization: 'Bearer sk_test_wrong' }],
    ['an unknown path', '/v1/subscriptions', {}],
    ['a parameter that does not exist', '/v1/prices?nonsense=1', {}],
  ])('the error for %s', async (_what, path, headers) => {
    const { status, json } = await stripe.get(path, headers);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(stripeFaults(json)).toEqual([]);
  });

  it.each(['429', '500'])('the fault %s', async (mode) => {
    await stripe.fault({ mode, count: 1 });
    const { status, json } = await stripe.post('/v1/checkout/sessions', tenDollars);
    expect([status, stripeFaults(json)]).toEqual([Number(mode), []]);
  });
});

describe('every webhook matches the schema that Stripe publishes', () => {
  it('in all events of payments, failures, expiry, refunds and disputes', async () => {
    const sdk = new StripeSdk('sk_test_sandbox');
    for (const card of Object.values(CARDS)) await stripe.pay((await stripe.session()).id, card);
    await stripe.post(`/v1/checkout/sessions/${(await stripe.session()).id}/expire`);
    const charge = (await stripe.arrival('charge.succeeded')).data.object.id;
    await stripe.post('/v1/refunds', { charge, amount: '100' });
    await sandbox.post('/_control/stripe/dispute', { charge });
    const expected = [
      'charge.dispute.created',
      'charge.failed',
      'charge.refunded',
      'charge.succeeded',
      'checkout.session.async_payment_failed',
      'checkout.session.async_payment_succeeded',
      'checkout.session.completed',
      'checkout.session.expired',
      'payment_intent.payment_failed',
      'payment_intent.succeeded',
    ];
    await until('all kinds came', () => expected.every((type) => stripe.arrived.some((event) => event.type === type)));
    for (const { body, stripeSignature } of stripe.posts) {
      const event = sdk.webhooks.constructEvent(body, stripeSignature, 'whsec_sandbox');
      expect(expected).toContain(event.type);
      expect(stripeFaults(JSON.parse(body))).toEqual([]);
    }
  });
});

describe('the SDK', () => {
  it('reads the amounts and ids that the product uses', async () => {
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
    const session = await sdk.checkout.sessions.retrieve(opened.id, { expand: ['payment_intent.latest_charge'] });
    const payment = session.payment_intent;
    const charge = payment !== null && typeof payment === 'object' ? payment.latest_charge : null;
    expect([session.payment_status, session.amount_total, session.client_reference_id]).toEqual([
      'paid',
      1000,
      'account-1',
    ]);
    expect(charge !== null && typeof charge === 'object' ? charge.receipt_url : null).toContain(
      '/checkout/receipts/ch_',
    );
    const { unit_amount: cents, unit_amount_decimal: exactCents } = await sdk.prices.retrieve('price_basic');
    expect([cents, exactCents?.toString()]).toEqual([1000, '1000']);
  });
});
