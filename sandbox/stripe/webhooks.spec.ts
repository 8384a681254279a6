import StripeSdk from 'stripe';
import { StripeClient } from '../testing/stripe-client.js';
import { TestSandbox, until } from '../testing/test-sandbox.js';

const sandbox = new TestSandbox();
const stripe = new StripeClient(sandbox);

beforeAll(() => sandbox.start({ SANDBOX_STRIPE_PRICES: 'price_basic:1000' }));
beforeEach(async () => {
  await sandbox.post('/_control/reset', {});
  sandbox.product.posts.length = 0;
  sandbox.product.answers = [];
});
afterAll(() => sandbox.stop());

const types = () => stripe.arrived.map(({ type }) => type).sort();

describe('webhooks', () => {
  it('are signed and report a payment', async () => {
    const { id } = await stripe.session();
    expect(await stripe.pay(id)).toMatchObject({
      result: 'complete',
      paymentStatus: 'paid',
      redirectTo: `http://localhost:3000/dashboard?session=${id}`,
    });
    const { data } = await stripe.arrival('checkout.session.completed');
    expect(data.object).toMatchObject({
      id,
      payment_status: 'paid',
      amount_total: 1000,
      client_reference_id: 'account-1',
      metadata: { pack: 'basic' },
    });
    await until('all came', () => types().length === 3);
    expect(types()).toEqual(['charge.succeeded', 'checkout.session.completed', 'payment_intent.succeeded']);
    for (const { body, stripeSignature } of stripe.posts) {
      expect(StripeSdk.webhooks.constructEvent(body, stripeSignature, 'whsec_sandbox').livemode).toBe(false);
    }
  });

  it('are retried until the product accepts them, with all attempts listed', async () => {
    const { id } = await stripe.session();
    sandbox.product.answers = [500];
    await stripe.post(`/v1/checkout/sessions/${id}/expire`);
    await until('it is taken', async () => (await stripe.events())[0]?.['state'] === 'taken');
    expect(await stripe.events()).toMatchObject([
      { type: 'checkout.session.expired', object: id, attempts: [{ status: 500 }, { status: 200 }] },
    ]);
    expect(stripe.arrived[0]?.id).toBe(stripe.arrived[1]?.id);
  });

  it('report a payment by bank account twice: completed unpaid, then paid', async () => {
    const { id } = await stripe.session();
    expect(await stripe.pay(id, '000123456789')).toMatchObject({ result: 'complete', paymentStatus: 'unpaid' });
    const completed = await stripe.arrival('checkout.session.completed');
    expect(completed.data.object).toMatchObject({ status: 'complete', payment_status: 'unpaid' });
    const later = await stripe.arrival('checkout.session.async_payment_succeeded');
    expect(later.data.object).toMatchObject({ id, payment_status: 'paid' });
  });

  it('report a failed payment by bank account', async () => {
    const { id } = await stripe.session();
    await stripe.pay(id, '000111111113');
    const failed = await stripe.arrival('checkout.session.async_payment_failed');
    expect(failed.data.object).toMatchObject({ id, payment_status: 'unpaid' });
  });

  it('of refunds and disputes contain the charge', async () => {
    const { id } = await stripe.session();
    await stripe.pay(id);
    const charge = (await stripe.arrival('charge.succeeded')).data.object.id;
    await stripe.post('/v1/refunds', { charge, amount: '250' });
    const refunded = await stripe.arrival('charge.refunded');
    expect(refunded.data.object).toMatchObject({ id: charge, amount_refunded: 250, refunded: false });
    expect(refunded.data.previous_attributes).toMatchObject({ amount_refunded: 0 });
    await sandbox.post('/_control/stripe/dispute', { charge });
    const disputed = await stripe.arrival('charge.dispute.created');
    expect(disputed.data.object).toMatchObject({ object: 'dispute', charge, amount: 1000, reason: 'fraudulent' });
    expect((await sandbox.post('/_control/stripe/dispute', { charge })).status).toBe(400);
  });

  it.each([
    ['failed', ['charge.refund.updated', 'refund.failed', 'refund.updated']],
    ['canceled', ['charge.refund.updated', 'refund.updated']],
  ])('of a refund that is %s contain the refund, and the charge is not refunded any more', async (status, expected) => {
    const { id } = await stripe.session();
    await stripe.pay(id);
    const charge = (await stripe.arrival('charge.succeeded')).data.object.id;
    const refund = (await stripe.post('/v1/refunds', { charge })).json;
    expect((await stripe.arrival('refund.created')).data.object).toMatchObject({ id: refund.id, status: 'succeeded' });
    await stripe.arrival('charge.refunded');
    sandbox.product.posts.length = 0;
    const fail = () => sandbox.post('/_control/stripe/refund/fail', { refund: refund.id, status });
    expect((await fail()).json).toMatchObject({ id: refund.id, status });
    await until('all came', () => types().length === expected.length);
    expect(types()).toEqual(expected);
    const updated = await stripe.arrival('refund.updated');
    expect(updated.data.object).toMatchObject({ object: 'refund', charge, amount: 1000, status });
    expect(updated.data.previous_attributes).toEqual({ status: 'succeeded' });
    expect((await stripe.get(`/v1/charges/${charge}`)).json).toMatchObject({ amount_refunded: 0, refunded: false });
    expect((await fail()).status).toBe(400);
  });

  it.each(['won', 'lost', 'warning_closed'])('of a dispute closed as %s contain the dispute', async (status) => {
    const { id } = await stripe.session();
    await stripe.pay(id);
    const charge = (await stripe.arrival('charge.succeeded')).data.object.id;
    const opened = await sandbox.post('/_control/stripe/dispute', { charge });
    const close = () => sandbox.post('/_control/stripe/dispute/close', { dispute: opened.json.id, status });
    expect((await close()).json).toMatchObject({ id: opened.json.id, status });
    const closed = await stripe.arrival('charge.dispute.closed');
    expect(closed.data.object).toMatchObject({ id: opened.json.id, object: 'dispute', charge, amount: 1000, status });
    expect(closed.data.previous_attributes).toEqual({ status: 'needs_response' });
    expect((await close()).status).toBe(400);
  });
});

describe('faults of webhooks', () => {
  it('no-webhook holds events back until they are resent', async () => {
    await stripe.fault({ mode: 'no-webhook', count: 1 });
    const { id } = await stripe.session();
    await stripe.pay(id);
    const held = await stripe.events();
    expect(held.map(({ state }) => state)).toEqual(['held back', 'held back', 'held back']);
    const completed = held.find(({ type }) => type === 'checkout.session.completed');
    const { json } = await sandbox.post('/_control/stripe/resend', { event: completed?.event });
    expect(json).toEqual({ event: completed?.event, status: 200 });
    expect(types()).toEqual(['checkout.session.completed']);
  });

  it('duplicate-webhook sends each event twice under one id', async () => {
    await stripe.fault({ mode: 'duplicate-webhook', count: 1 });
    const { id } = await stripe.session();
    await stripe.pay(id);
    await until('six came', () => types().length === 6);
    expect(new Set(stripe.arrived.map((event) => event.id)).size).toBe(3);
  });

  it('late-webhook sends events after a delay', async () => {
    await stripe.fault({ mode: 'late-webhook', count: 1, delayMs: 150 });
    const { id } = await stripe.session();
    const startedAt = performance.now();
    await stripe.pay(id);
    await stripe.arrival('checkout.session.completed');
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(145);
  });
});
