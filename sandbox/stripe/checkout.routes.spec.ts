import { StripeClient } from '../testing/stripe-client.js';
import { TestSandbox } from '../testing/test-sandbox.js';

const sandbox = new TestSandbox();
const stripe = new StripeClient(sandbox);

beforeAll(() => sandbox.start({ SANDBOX_STRIPE_PRICES: 'price_basic:1000' }));
beforeEach(() => sandbox.post('/_control/reset', {}));
afterAll(() => sandbox.stop());

const card = (number: string) => ({ number, expiry: '12 / 34', cvc: '123', name: 'Ada', email: 'ada@example.com' });

const page = async (path: string) => {
  const answer = await fetch(sandbox.url + path);
  return { status: answer.status, text: await answer.text() };
};
const submit = async (id: string, form: Record<string, string>) => {
  const options = { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' } as const;
  const answer = await fetch(`${sandbox.url}/checkout/${id}`, options);
  return { status: answer.status, location: answer.headers.get('location'), text: await answer.text() };
};
const stateOf = async (id: string) => (await stripe.get(`/v1/checkout/sessions/${id}`)).json;

describe('the hosted page', () => {
  it('shows items, payee and the back link', async () => {
    const { id } = await stripe.session({ customer_email: 'ada@example.com' });
    const { status, text } = await page(`/checkout/${id}`);
    expect(status).toBe(200);
    expect(text).toContain('localhost:3000');
    expect(text).toContain('$10.00');
    expect(text).toContain('value="ada@example.com"');
    expect(text).toContain('href="http://localhost:3000/dashboard?transaction=failed"');
    expect(text).toContain('4242 4242 4242 4242');
    expect(text).not.toContain('<script');
  });

  it('pays with 4242 and redirects to the success URL with the session id', async () => {
    const { id } = await stripe.session();
    const { status, location } = await submit(id, card('4242424242424242'));
    expect({ status, location }).toEqual({ status: 303, location: `http://localhost:3000/dashboard?session=${id}` });
    expect(await stateOf(id)).toMatchObject({
      payment_status: 'paid',
      customer_details: { email: 'ada@example.com', name: 'Ada' },
    });
    expect((await page(`/checkout/${id}`)).text).toContain('$10.00 is paid');
  });

  it('shows the error of a declined card and can be paid afterwards', async () => {
    const { id } = await stripe.session();
    const declined = await submit(id, card('4000 0000 0000 0002'));
    expect(declined.status).toBe(402);
    expect(declined.text).toContain('Your card was declined. You were not charged.');
    expect(await stateOf(id)).toMatchObject({ status: 'open', payment_status: 'unpaid' });
    expect(await stripe.paymentOf(id)).toMatchObject({
      status: 'requires_payment_method',
      last_payment_error: { code: 'card_declined', decline_code: 'generic_decline' },
    });
    expect((await submit(id, card('4242424242424242'))).status).toBe(303);
  });

  it('asks for 3-D Secure, which charges only when confirmed', async () => {
    const { id } = await stripe.session();
    const asked = await submit(id, card('4000002760003184'));
    expect(asked.text).toContain('Is this you?');
    expect((await page(`/checkout/${id}`)).text).toContain('Is this you?');
    expect((await submit(id, { act: 'deny' })).text).toContain('We are unable to authenticate');
    await submit(id, card('4000002760003184'));
    expect((await submit(id, { act: 'confirm' })).status).toBe(303);
    expect(await stateOf(id)).toMatchObject({ payment_status: 'paid' });
  });

  it('fills in a test card and keeps the entered values', async () => {
    const { id } = await stripe.session();
    const { text } = await submit(id, { ...card('1'), email: 'eve@example.com', fill: '4000000000000002' });
    expect(text).toContain('value="4000 0000 0000 0002"');
    expect(text).toContain('value="eve@example.com"');
  });

  it.each([
    [{ email: 'ada' }, 'Your email address is incomplete.'],
    [{ number: '4242' }, 'Your card number is incomplete.'],
    [{ expiry: '13 / 34' }, 'expiration date is incomplete or in the past.'],
    [{ expiry: '01 / 20' }, 'expiration date is incomplete or in the past.'],
    [{ cvc: '1' }, 'security code is incomplete.'],
    [{ name: ' ' }, 'Your name is incomplete.'],
  ])('shows the error next to the invalid field of %j', async (changes, words) => {
    const { id } = await stripe.session();
    const { status, text } = await submit(id, { ...card('4242424242424242'), ...changes });
    expect(status).toBe(400);
    expect(text).toContain(words.replaceAll("'", '&#39;'));
    expect(await stateOf(id)).toMatchObject({ payment_intent: null });
  });

  it('declines a card that is not a test card', async () => {
    const { id } = await stripe.session();
    expect((await submit(id, card('4111 1111 1111 1111'))).text).toContain('non test card');
  });

  it('charges a session once even when the form is sent repeatedly', async () => {
    const { id } = await stripe.session();
    const answers = await Promise.all(Array.from({ length: 5 }, () => submit(id, card('4242424242424242'))));
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
    const charges = (await stripe.events()).filter(({ type }) => type === 'charge.succeeded');
    expect(charges).toHaveLength(1);
  });

  it('reports expired and unknown sessions', async () => {
    const { id } = await stripe.session();
    await stripe.post(`/v1/checkout/sessions/${id}/expire`);
    expect((await page(`/checkout/${id}`)).text).toContain('This session has expired');
    expect((await submit(id, card('4242424242424242'))).text).toContain('This session has expired');
    expect(await page('/checkout/cs_test_none')).toMatchObject({ status: 404 });
  });

  it('offers no bank account when the product accepts only cards', async () => {
    const { id } = await stripe.session({ 'payment_method_types[]': 'card' });
    expect((await page(`/checkout/${id}`)).text).not.toContain('Pays later');
  });
});

describe('the pages around it', () => {
  it('lists sessions and webhooks and resends a webhook', async () => {
    const { id } = await stripe.session();
    await stripe.pay(id);
    const { text } = await page('/checkout');
    expect(text).toContain(`/checkout/${id}`);
    const [, path = ''] = /action="(\/checkout\/webhooks\/evt_\w+)"/.exec(text) ?? [];
    expect((await fetch(sandbox.url + path, { method: 'POST', redirect: 'manual' })).status).toBe(303);
  });

  it('shows refunds on the receipt', async () => {
    const { id } = await stripe.session();
    await stripe.pay(id);
    const charge = String((await stripe.paymentOf(id))['latest_charge']);
    await stripe.post('/v1/refunds', { charge, amount: '250' });
    const { json } = await stripe.get(`/v1/charges/${charge}`);
    const text = await (await fetch(String(json['receipt_url']))).text();
    expect(text).toContain('Card ending in 4242');
    expect(text).toContain('$10.00');
    expect(text).toContain('−$2.50');
  });
});
