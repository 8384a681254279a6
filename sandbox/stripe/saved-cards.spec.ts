import { StripeClient, type Json } from '../testing/stripe-client.js';
import { TestSandbox } from '../testing/test-sandbox.js';

const sandbox = new TestSandbox();
const stripe = new StripeClient(sandbox);

beforeAll(() => sandbox.start({ SANDBOX_STRIPE_PRICES: 'price_basic:1000' }));
beforeEach(async () => {
  await sandbox.post('/_control/reset', {});
  sandbox.product.posts.length = 0;
});
afterAll(() => sandbox.stop());

const setup = async (card: string) => {
  const customer = (await stripe.post('/v1/customers', { email: 'ada@example.com' })).json.id;
  const { json: session } = await stripe.post('/v1/checkout/sessions', {
    mode: 'setup',
    currency: 'usd',
    customer,
    client_reference_id: 'account-1',
    success_url: 'http://localhost:3000/saved?id={CHECKOUT_SESSION_ID}',
    cancel_url: 'http://localhost:3000/canceled',
  });
  const paid = await stripe.pay(session.id, card);
  const { json: saved } = await stripe.get(`/v1/checkout/sessions/${session.id}?expand[]=setup_intent.payment_method`);
  return { customer, paid, saved, method: (saved['setup_intent'] as Json | null)?.['payment_method'] as Json };
};

const charge = (customer: string, method: string, headers: Record<string, string> = {}) =>
  stripe.post(
    '/v1/payment_intents',
    {
      amount: '1000',
      currency: 'usd',
      customer,
      payment_method: method,
      off_session: 'true',
      confirm: 'true',
      'metadata[top_up]': '1',
    },
    headers,
  );

describe('a saved card', () => {
  it('is saved by a session in mode setup, which charges nothing', async () => {
    const { saved, method } = await setup('4242424242424242');
    expect(saved).toMatchObject({
      mode: 'setup',
      amount_total: null,
      payment_status: 'no_payment_required',
      status: 'complete',
    });
    expect(method).toMatchObject({ type: 'card', card: { brand: 'visa', last4: '4242', exp_month: 12 } });
    expect(await stripe.arrival('checkout.session.completed')).toMatchObject({ data: { object: { mode: 'setup' } } });
  });

  it.each(['4000000000000002', '4000000000009995'])('is refused when it is %s', async (number) => {
    const { paid, saved } = await setup(number);
    expect(paid).toMatchObject({ result: 'declined', status: 'open' });
    expect(saved['setup_intent']).toBeNull();
  });

  it.each(['4242424242424242', '4000002500003155'])('is charged off-session when it is %s', async (number) => {
    const { customer, method } = await setup(number);
    const { status, json } = await charge(customer, method.id);
    expect([status, json]).toMatchObject([
      200,
      { status: 'succeeded', amount_received: 1_000, metadata: { top_up: '1' } },
    ]);
    const { json: list } = await stripe.get(`/v1/payment_intents?customer=${customer}&created[gte]=0&limit=5`);
    expect(list).toMatchObject({ object: 'list', data: [{ id: json.id }], has_more: false });
    await stripe.arrival('payment_intent.succeeded');
  });

  it.each([
    ['4000000000000341', 'card_declined', 'generic_decline'],
    ['4000002760003184', 'authentication_required', 'authentication_required'],
  ])('%s is declined off-session with %s', async (number, code, decline_code) => {
    const { customer, method } = await setup(number);
    const first = await charge(customer, method.id, { 'idempotency-key': `key-${number}` });
    expect(first.status).toBe(402);
    expect(first.json['error']).toMatchObject({
      type: 'card_error',
      code,
      decline_code,
      payment_intent: { status: 'requires_payment_method', last_payment_error: { code } },
    });
    const again = await charge(customer, method.id, { 'idempotency-key': `key-${number}` });
    expect([again.status, again.json, again.headers.get('idempotent-replayed')]).toEqual([402, first.json, 'true']);
    expect((await stripe.get(`/v1/payment_intents?customer=${customer}`)).json['data']).toHaveLength(1);
  });

  it('is charged after an authentication, which can fail first', async () => {
    const { customer, method } = await setup('4000002760003184');
    const { json } = await charge(customer, method.id);
    const { id } = (json['error'] as { payment_intent: Json }).payment_intent;
    const confirm = async () => {
      const form = { payment_method: method.id, return_url: 'http://localhost:3000/back' };
      const answer = await stripe.post(`/v1/payment_intents/${id}/confirm`, form);
      return (answer.json['next_action'] as { redirect_to_url: { url: string } }).redirect_to_url.url;
    };
    const act = async (url: string, choice: string) => {
      const answer = await fetch(url, {
        method: 'POST',
        body: new URLSearchParams({ act: choice }),
        redirect: 'manual',
      });
      return answer.headers.get('location');
    };
    const url = await confirm();
    expect(await (await fetch(url)).text()).toContain('asks you to confirm');
    expect(await act(url, 'deny')).toBe(`http://localhost:3000/back?payment_intent=${id}&redirect_status=failed`);
    expect((await stripe.get(`/v1/payment_intents/${id}`)).json).toMatchObject({
      status: 'requires_payment_method',
      last_payment_error: { code: 'payment_intent_authentication_failure' },
    });
    expect(await act(await confirm(), 'confirm')).toContain('redirect_status=succeeded');
    const { json: paid } = await stripe.get(`/v1/payment_intents/${id}?expand[]=latest_charge`);
    expect(paid).toMatchObject({ status: 'succeeded' });
    const receipt = (paid['latest_charge'] as { receipt_url: string }).receipt_url;
    expect(await (await fetch(receipt)).text()).toContain('$10.00');
  });

  it('is not charged after it was detached, nor for another customer', async () => {
    const { customer, method } = await setup('4242424242424242');
    const { customer: other } = await setup('4242424242424242');
    expect((await charge(other, method.id)).json['error']).toMatchObject({ type: 'invalid_request_error' });
    await stripe.post(`/v1/payment_methods/${method.id}/detach`);
    expect((await charge(customer, method.id)).status).toBe(400);
  });

  it('has charges that are canceled only before they are paid', async () => {
    const { customer, method } = await setup('4242424242424242');
    const { json: paid } = await charge(customer, method.id);
    expect((await stripe.post(`/v1/payment_intents/${paid.id}/cancel`)).json['error']).toMatchObject({
      code: 'payment_intent_unexpected_state',
    });
  });
});
