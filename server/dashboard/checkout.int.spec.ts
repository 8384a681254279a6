import { limits } from '#contract/limits.js';
import { json } from '#core/testing/local-server.js';
import { logLines } from '#core/testing/log-lines.js';
import { moneyOf } from '#core/testing/money.js';
import { createTestAccount, type TestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { startLocalStripe, type LocalStripe } from '../testing/local-stripe.js';
import { signedOut, signIn } from '../testing/browser.js';
import { createTestServer, type TestServer } from '../testing/test-server.js';

describe('/api/checkout', () => {
  let bed: TestBed;
  let stripe: LocalStripe;
  let server: TestServer;
  let account: TestAccount;

  beforeAll(async () => {
    bed = await createTestBed();
  });

  beforeEach(async () => {
    stripe = await startLocalStripe();
    server = await createTestServer(bed.config(stripe.variables));
    account = await createTestAccount(server, { credits: 3 });
  });

  afterEach(async () => {
    jest.restoreAllMocks();
    await server.close();
    await stripe.close();
  });

  afterAll(async () => {
    await bed?.remove();
  });

  const start = async (payload: object, headers: Record<string, string> = {}, of: TestServer = server) =>
    of.inject({
      method: 'POST',
      url: '/api/checkout',
      headers: { ...(await signIn(of, account)), ...headers },
      payload,
    });
  const settle = async (sessionId: string, by = account) =>
    server.inject({ method: 'GET', url: `/api/checkout/${sessionId}`, headers: await signIn(server, by) });

  it('opens a checkout at Stripe and returns its id and URL', async () => {
    const answer = await start({ priceId: 'price_pro', userId: account.id, credits: 1_000 });
    expect(answer.statusCode).toBe(200);
    const sessionId: unknown = expect.stringMatching(/^cs_test_/);
    expect(answer.json()).toEqual({
      sessionId,
      url: expect.stringContaining(`${stripe.server.url}/checkout/cs_test_`),
    });
    expect(stripe.server.requests).toHaveLength(1);
    expect(stripe.server.requests[0]).toMatchObject({
      method: 'POST',
      url: '/v1/checkout/sessions',
      form: {
        mode: 'payment',
        'line_items[0][price]': 'price_pro',
        'line_items[0][quantity]': '1',
        client_reference_id: account.id,
        customer_email: account.email,
        success_url:
          'https://pennytext.test/dashboard?transaction=success&credits=1000&session_id={CHECKOUT_SESSION_ID}',
        cancel_url: 'https://pennytext.test/dashboard?transaction=canceled',
      },
    });
  });

  it('returns the status of a checkout and credits it when paid', async () => {
    const { sessionId } = (await start({ pack: 'starter' })).json<{ sessionId: string }>();
    expect((await settle(sessionId)).json()).toEqual({ status: 'pending', credits: 50 });
    stripe.pay(sessionId);
    expect((await settle(sessionId)).json()).toEqual({ status: 'paid', credits: 50 });
    expect(await moneyOf(bed.database, account.id)).toMatchObject({ balance: 53, entries: 2 });
    const history = await server.inject({
      method: 'GET',
      url: '/api/dashboard/billing?page=7',
      headers: await signIn(server, account),
    });
    expect(history.json()).toMatchObject({ page: 1, pages: 1, records: [{ amount: '$3', credits: 50 }] });
  });

  it('answers 404 to another account’s session, credits nothing and logs it', async () => {
    const thief = await createTestAccount(server, { credits: 3 });
    const { sessionId } = (await start({ pack: 'starter' })).json<{ sessionId: string }>();
    stripe.pay(sessionId);
    const lines = logLines(server);
    const answer = await settle(sessionId, thief);
    expect([answer.statusCode, answer.json<object>()]).toMatchObject([404, { code: 'checkout_not_found' }]);
    expect((await settle('cs_test_forged')).statusCode).toBe(404);
    expect(lines[0]?.text).toBe('checkout of another account requested');
    for (const { id } of [thief, account]) expect(await moneyOf(bed.database, id)).toMatchObject({ balance: 3 });
  });

  it('credits nothing when a browser returns with a forged transaction=success', async () => {
    const { sessionId } = (await start({ pack: 'enterprise' })).json<{ sessionId: string }>();
    await server.inject({
      method: 'GET',
      url: '/dashboard?transaction=success&credits=2500',
      headers: await signIn(server, account),
    });
    expect((await settle(sessionId)).json()).toEqual({ status: 'pending', credits: 2_500 });
    expect(await moneyOf(bed.database, account.id)).toMatchObject({ balance: 3, entries: 1 });
  });

  it('answers 503 with the specified text when Stripe is not configured', async () => {
    const names = ['SECRET_KEY', 'WEBHOOK_SECRET', 'PRICE_STARTER', 'PRICE_BASIC', 'PRICE_PRO', 'PRICE_ENTERPRISE'];
    const unset = await createTestServer(bed.config(Object.fromEntries(names.map((name) => [`STRIPE_${name}`, '']))));
    try {
      const answer = await start({ pack: 'basic' }, {}, unset);
      expect(answer.statusCode).toBe(503);
      expect(answer.json()).toMatchObject({
        error: 'Stripe failed to initialize. Please check your configuration.',
        code: 'stripe_not_configured',
      });
    } finally {
      await unset.close();
    }
  });

  it('answers the specified text when Stripe rejects the call, and only logs Stripe’s message', async () => {
    stripe.server.answer = json(401, { error: { message: 'Invalid API Key provided: sk_test_***' } });
    const lines = logLines(server);
    const answer = await start({ pack: 'basic' });
    expect(answer.statusCode).toBe(502);
    expect(answer.json()).toMatchObject({
      error: 'Failed to create checkout session: Stripe refused the request. Please contact support.',
      code: 'checkout_failed',
    });
    expect(answer.body).not.toContain('sk_test');
    expect(lines.map(({ text }) => text)).toEqual(['request failed']);
  });

  it('advises to try again when Stripe is down, as that helps', async () => {
    stripe.server.answer = json(500, { error: { type: 'api_error', message: 'internal of Stripe' } });
    const answer = await start({ pack: 'basic' });
    expect(answer.statusCode).toBe(502);
    expect(answer.json()).toMatchObject({
      error: 'Failed to create checkout session: Stripe is not working right now. Please try again.',
      code: 'checkout_failed',
    });
  });

  it('names Stripe as the cause when it never answers, before the page gives up', async () => {
    stripe.server.answer = () => undefined;
    const startedAtMs = Date.now();
    const answer = await start({ pack: 'basic' });
    expect(answer.json()).toMatchObject({
      error: 'Failed to create checkout session: Stripe did not answer. Please try again.',
      code: 'checkout_failed',
    });
    expect(Date.now() - startedAtMs).toBeLessThan(15_000);
  }, 40_000);

  it('sends the same idempotency key again when Stripe’s answer is lost', async () => {
    const answering = stripe.server.answer;
    const keys: unknown[] = [];
    stripe.server.answer = (response, request) => {
      keys.push(request.idempotencyKey);
      if (keys.length === 1) response.destroy();
      else answering(response, request);
    };
    expect((await start({ pack: 'basic' })).statusCode).toBe(200);
    expect(keys).toEqual([expect.any(String), keys[0]]);
  });

  it('answers 503 while Stripe is unavailable', async () => {
    const { sessionId } = (await start({ pack: 'starter' })).json<{ sessionId: string }>();
    stripe.server.answer = json(500, { error: { message: 'down' } });
    const answer = await settle(sessionId);
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '2']);
  });

  it.each([
    ['no pack', {}],
    ['an unknown pack', { pack: 'custom' }],
    ['an unknown price', { priceId: 'price_free' }],
    ['credits that are not the pack’s', { pack: 'starter', credits: 2_500 }],
    ['another type', { pack: 5 }],
  ])('answers 400 to %s', async (_title, payload) => {
    expect((await start(payload)).json()).toMatchObject({ code: 'invalid_request' });
    expect(stripe.server.requests).toEqual([]);
  });

  it('answers 429 with Retry-After to an account over its limit, without calling Stripe, and accepts others', async () => {
    for (let n = 0; n < limits.checkoutsMax; n += 1) expect((await start({ pack: 'starter' })).statusCode).toBe(200);
    const answer = await start({ pack: 'starter' });
    expect(answer.statusCode).toBe(429);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(limits.checkoutWindowSeconds - 60);
    expect(answer.json()).toMatchObject({
      error: 'You have started many purchases in a short time. Please try again in a few minutes.',
      code: 'too_many_checkouts',
    });
    expect(stripe.server.requests).toHaveLength(limits.checkoutsMax);
    account = await createTestAccount(server);
    expect((await start({ pack: 'starter' })).statusCode).toBe(200);
  });

  it('answers 403 to a userId that is not the session’s', async () => {
    const answer = await start({ pack: 'basic', userId: 'somebody else' });
    expect([answer.statusCode, answer.json<object>()]).toMatchObject([403, { code: 'foreign_account' }]);
    expect(stripe.server.requests).toEqual([]);
  });

  it.each([
    ['POST', '/api/checkout'],
    ['GET', '/api/checkout/cs_test_1'],
    ['GET', '/api/dashboard/billing'],
  ] as const)('%s %s answers 401 without a session', async (method, url) => {
    expect((await server.inject({ method, url, headers: signedOut })).statusCode).toBe(401);
  });
});
