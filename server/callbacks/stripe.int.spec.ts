import { logLines } from '#core/testing/log-lines.js';
import { moneyFaults, moneyOf } from '#core/testing/money.js';
import { createTestAccount, type TestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { signedBody, startLocalStripe, stripeEvent, type LocalStripe } from '../testing/local-stripe.js';
import { signIn } from '../testing/browser.js';
import { createTestServer, type TestServer } from '../testing/test-server.js';

const SECOND_MS = 1_000;

describe('POST /webhooks/stripe', () => {
  let bed: TestBed;
  let stripe: LocalStripe;
  let server: TestServer;
  let account: TestAccount;
  let sessionId: string;

  beforeAll(async () => {
    bed = await createTestBed();
    stripe = await startLocalStripe();
    server = await createTestServer(bed.config(stripe.variables));
  });

  beforeEach(async () => {
    account = await createTestAccount(server, { credits: 3 });
    const opened = await server.inject({
      method: 'POST',
      url: '/api/checkout',
      headers: await signIn(server, account),
      payload: { pack: 'basic' },
    });
    ({ sessionId } = opened.json<{ sessionId: string }>());
  });

  afterEach(async () => {
    jest.restoreAllMocks();
    expect(await moneyFaults(bed.database)).toEqual([]);
  });

  afterAll(async () => {
    await server?.close();
    await stripe?.close();
    await bed?.remove();
  });

  const post = ({ payload, headers }: ReturnType<typeof stripeEvent>) =>
    server.inject({ method: 'POST', url: '/webhooks/stripe', headers, payload });
  const completed = (changes: object = {}) => stripeEvent('checkout.session.completed', stripe.pay(sessionId, changes));
  const money = () => moneyOf(bed.database, account.id);
  const dispute = (status: string) => ({
    id: `du_${sessionId}`,
    object: 'dispute',
    amount: 1_000,
    currency: 'usd',
    charge: `ch_${sessionId}`,
    payment_intent: `pi_${sessionId}`,
    reason: 'fraudulent',
    status,
  });
  const flag = async () => {
    const rows = await bed.database.sql<{ reason: string }>(
      'SELECT flagged_reason AS reason FROM accounts WHERE id = $1',
      [account.id],
    );
    return rows[0]?.reason;
  };
  const payments = () => bed.database.sql('SELECT * FROM payments WHERE account_id = $1', [account.id]);

  it('credits a completed checkout and stores the URL of Stripe’s receipt', async () => {
    const answer = await post(completed());
    expect([answer.statusCode, answer.body]).toEqual([204, '']);
    expect(await money()).toMatchObject({ balance: 253, entries: 2 });
    expect(await payments()).toMatchObject([
      { session_id: sessionId, receipt_url: `https://pay.stripe.test/receipts/${sessionId}` },
    ]);
  });

  it('credits once for 200 concurrent events and returning pages', async () => {
    const event = completed();
    const late = stripeEvent('checkout.session.async_payment_succeeded', stripe.pay(sessionId));
    const failed = stripeEvent('checkout.session.async_payment_failed', stripe.pay(sessionId));
    const headers = await signIn(server, account);
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, n) =>
        n % 4 === 0
          ? server.inject({ method: 'GET', url: `/api/checkout/${sessionId}`, headers })
          : post([event, late, failed, event][n % 4] ?? event),
      ),
    );
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200, 204]));
    expect(await money()).toMatchObject({ balance: 253, entries: 2 });
    expect(await payments()).toHaveLength(1);
  });

  it('credits a delayed payment when the bank confirms it', async () => {
    const unpaid = stripe.pay(sessionId, { payment_status: 'unpaid' });
    await post(stripeEvent('checkout.session.completed', unpaid));
    expect(await money()).toMatchObject({ balance: 3 });
    await post(stripeEvent('checkout.session.async_payment_succeeded', stripe.pay(sessionId)));
    expect(await money()).toMatchObject({ balance: 253 });
  });

  it('removes the credits of a refunded charge once', async () => {
    const charge = (refunded: number) => ({
      id: 'ch_1',
      object: 'charge',
      payment_intent: `pi_${sessionId}`,
      amount: 1_000,
      amount_refunded: refunded,
    });
    await post(stripeEvent('charge.refunded', charge(500)));
    await post(completed());
    expect(await money()).toMatchObject({ balance: 3 + 125 });
    await post(stripeEvent('charge.refunded', charge(1_000)));
    await post(stripeEvent('charge.refunded', charge(500)));
    expect(await money()).toMatchObject({ balance: 3, entries: 4 });
  });

  it.each([
    ['charge.refund.updated', 'failed'],
    ['refund.updated', 'failed'],
    ['refund.failed', 'failed'],
    ['refund.updated', 'canceled'],
  ])('returns the credits of a refund once when %s reports it as %s', async (type, status) => {
    await post(completed());
    const refund = { id: `re_${sessionId}`, object: 'refund', amount: 1_000, payment_intent: `pi_${sessionId}` };
    await post(stripeEvent('refund.created', { ...refund, status: 'pending' }));
    expect(await money()).toMatchObject({ balance: 3 });
    for (let times = 0; times < 2; times += 1)
      expect((await post(stripeEvent(type, { ...refund, status }))).statusCode).toBe(204);
    expect(await money()).toMatchObject({ balance: 253, entries: 4 });
    expect(await payments()).toMatchObject([{ refunded_cents: 0, credits_reversed: 0 }]);
  });

  it('flags the account of a disputed charge', async () => {
    await post(completed());
    expect((await post(stripeEvent('charge.dispute.created', dispute('needs_response')))).statusCode).toBe(204);
    expect(await flag()).toBe(`Payment ${sessionId} is disputed: fraudulent.`);
    expect(await money()).toMatchObject({ balance: 253 });
  });

  it('removes the credits of a lost dispute once', async () => {
    await post(completed());
    await post(stripeEvent('charge.dispute.created', dispute('needs_response')));
    const closed = stripeEvent('charge.dispute.closed', dispute('lost'));
    for (const event of [closed, closed]) expect((await post(event)).statusCode).toBe(204);
    expect(await money()).toMatchObject({ balance: 3, entries: 3 });
    expect(await flag()).toBe(`Payment ${sessionId} was lost to a dispute: fraudulent.`);
  });

  it.each(['won', 'warning_closed'])('clears the flag of a dispute that is closed as %s', async (status) => {
    await post(completed());
    await post(stripeEvent('charge.dispute.created', dispute('needs_response')));
    await post(stripeEvent('charge.dispute.closed', dispute(status)));
    expect(await flag()).toBeNull();
    expect(await money()).toMatchObject({ balance: 253 });
  });

  it.each([
    [
      'made with another secret',
      () => stripeEvent('checkout.session.completed', stripe.pay(sessionId), { secret: 'whsec_forged' }),
    ],
    [
      'older than five minutes',
      () =>
        stripeEvent('checkout.session.completed', stripe.pay(sessionId), {
          at: new Date(Date.now() - 301 * SECOND_MS),
        }),
    ],
    ['of another body', () => ({ ...completed(), payload: completed().payload.replace('"usd"', '"eur"') })],
    ['of the same body written otherwise', () => ({ ...completed(), payload: `${completed().payload} ` })],
    ['missing', () => ({ ...completed(), headers: { 'content-type': 'application/json' } })],
    ['empty', () => ({ ...completed(), headers: { 'content-type': 'application/json', 'stripe-signature': '' } })],
  ])('answers 403, credits nothing and logs it when the signature is %s', async (_title, forge) => {
    const lines = logLines(server);
    const answer = await post(forge());
    expect(answer.statusCode).toBe(403);
    expect(answer.json()).toMatchObject({ success: 'false', error: 'Forbidden', code: 'invalid_signature' });
    expect(lines.map(({ text }) => text)).toEqual(['Stripe event rejected: invalid signature']);
    expect(await money()).toMatchObject({ balance: 3, entries: 1 });
    expect(await payments()).toEqual([]);
  });

  it.each([
    ['an amount that is not its pack’s', { amount_total: 1 }],
    ['another currency', { currency: 'eur' }],
    ['another account', { client_reference_id: 'somebody' }],
  ])('accepts a signed event with %s, credits nothing and logs it', async (_title, changes) => {
    const lines = logLines(server);
    expect((await post(completed(changes))).statusCode).toBe(204);
    expect(lines.map(({ text }) => text)).toEqual(['paid checkout refused: nothing credited']);
    expect(await money()).toMatchObject({ balance: 3, entries: 1 });
  });

  it('accepts signed events that do not concern us', async () => {
    expect((await post(stripeEvent('customer.created', { id: 'cus_1', object: 'customer' }))).statusCode).toBe(204);
    const foreign = { id: 'pi_2', object: 'payment_intent', metadata: { top_up: 'of another program' } };
    expect((await post(stripeEvent('payment_intent.succeeded', foreign))).statusCode).toBe(204);
    const orphan = { id: 'ch_2', object: 'charge', payment_intent: null, amount_refunded: 5 };
    expect((await post(stripeEvent('charge.refunded', orphan))).statusCode).toBe(204);
  });

  it('accepts a balance, the one object without an id', async () => {
    expect((await post(stripeEvent('balance.available', { object: 'balance' }))).statusCode).toBe(204);
  });

  it.each(['{}', 'null', '[]', '5', '{"type":"charge.refunded"}', '{"type":"charge.refunded","data":{"object":null}}'])(
    'refuses the signed event %s',
    async (payload) => {
      const answer = await post(signedBody(payload));
      expect([answer.statusCode, answer.json()]).toMatchObject([400, { code: 'invalid_request' }]);
    },
  );

  it.each([
    ['checkout.session.completed', { amount_total: 10.5 }, 'amount_total'],
    ['checkout.session.completed', { id: 'a\u0000b' }, 'id'],
    ['payment_intent.succeeded', {}, 'metadata'],
    ['charge.refunded', { amount_refunded: -1, payment_intent: 'pi_1' }, 'amount_refunded'],
    ['refund.failed', { amount: 1, status: 'failed' }, 'payment_intent'],
    ['charge.dispute.created', { amount: 1, reason: 'x', status: 'open', payment_intent: '\u0000' }, 'payment_intent'],
  ])('names the field of a signed %s with %j that is not as documented', async (type, changes, field) => {
    const event = type.startsWith('checkout') ? completed(changes) : stripeEvent(type, { id: 'x_1', ...changes });
    const answer = await post(event);
    expect(answer.json()).toMatchObject({ code: 'invalid_request', detail: expect.stringContaining(`${field}: `) });
    expect(await money()).toMatchObject({ balance: 3, entries: 1 });
  });

  it('credits an event of almost 1 MiB', async () => {
    const large = completed({ metadata: { note: 'x'.repeat(1_040_000) } });
    expect((await post(large)).statusCode).toBe(204);
    expect(await money()).toMatchObject({ balance: 253 });
  });

  it('answers 413 to a body over 1 MiB, and logs it', async () => {
    const lines = logLines(server);
    expect((await post(stripeEvent('x', { text: 'x'.repeat(1_048_577) }))).statusCode).toBe(413);
    const text = 'callback of a provider rejected';
    expect(lines).toMatchObject([{ text, data: { code: 'body_too_large', bytes: expect.any(Number) } }]);
  });

  it('parses nothing before it knows the signature', async () => {
    expect((await post({ ...completed(), payload: '{' })).statusCode).toBe(403);
  });

  it('leaves the limit of other routes as it is', async () => {
    const payload = { to: '+14155552671', message: 'x'.repeat(70_000), apikey: account.apiKey };
    expect((await server.inject({ method: 'POST', url: '/api/sendsms', payload })).statusCode).toBe(413);
  });

  it('makes Stripe retry when payments are not configured', async () => {
    const unset = await createTestServer(bed.config(withoutStripe));
    try {
      const { payload, headers } = completed();
      const answer = await unset.inject({ method: 'POST', url: '/webhooks/stripe', headers, payload });
      expect(answer.statusCode).toBe(503);
    } finally {
      await unset.close();
    }
  });
});

const withoutStripe = Object.fromEntries(
  ['SECRET_KEY', 'WEBHOOK_SECRET', 'PRICE_STARTER', 'PRICE_BASIC', 'PRICE_PRO', 'PRICE_ENTERPRISE'].map((name) => [
    `STRIPE_${name}`,
    '',
  ]),
);
