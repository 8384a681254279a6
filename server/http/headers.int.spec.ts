import type { InjectOptions } from 'fastify';
import { createTestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { TestBrowser } from '../testing/browser.js';
import { createTestServer, type TestServer } from '../testing/test-server.js';

const HSTS = 'max-age=31536000; includeSubDomains';

describe('headers of answers', () => {
  let bed: TestBed;
  let server: TestServer;

  beforeAll(async () => {
    bed = await createTestBed();
    server = await createTestServer(bed.config());
  });

  afterAll(async () => {
    await server?.close();
    await bed?.remove();
  });

  it.each<[string, InjectOptions, number]>([
    ['a refused message', { method: 'POST', url: '/api/sendsms', payload: {} }, 400],
    [
      'malformed JSON',
      { method: 'POST', url: '/api/sendsms', headers: { 'content-type': 'application/json' }, payload: '{' },
      400,
    ],
    ['a refused code', { method: 'POST', url: '/api/verifyotp', payload: {} }, 400],
    ['a balance without a key', { url: '/api/balance' }, 401],
    ['an unknown path of the API', { url: '/api/unknown' }, 404],
    ['an address that cannot be decoded', { url: '/api/%' }, 400],
    ['a missing session', { url: '/auth/me' }, 401],
    ['a call from another site', { method: 'POST', url: '/auth/logout' }, 403],
    ['a page without a session', { url: '/api/dashboard/credits' }, 401],
    ['a checkout without a session', { url: '/api/checkout/cs_1' }, 401],
    ['a forged receipt', { method: 'POST', url: '/webhooks/twilio/status' }, 403],
    ['a forged payment', { method: 'POST', url: '/webhooks/stripe', payload: {} }, 403],
    ['the health of the process', { url: '/healthz' }, 200],
    ['the readiness of the process', { url: '/readyz' }, 200],
  ])('forbid caching and type sniffing, and ask for https, on %s', async (_what, request, status) => {
    const answer = await server.inject(request);
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([
      status,
      expect.stringContaining('application/json'),
    ]);
    expect(answer.headers).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'strict-transport-security': HSTS,
    });
  });

  it('forbid caching on what an account reads', async () => {
    const account = await createTestAccount(server);
    const browser = await TestBrowser.signedIn(server, account.id);
    const answers = [
      await server.inject({ url: `/api/balance?apikey=${account.apiKey}` }),
      await server.inject({ url: `/api/messages?apikey=${account.apiKey}` }),
      await server.send({ to: '+14155552671', message: 'Hello', apikey: account.apiKey }),
      await browser.get('/auth/me'),
      await browser.get('/api/dashboard/messages/sent'),
      await browser.get('/api/dashboard/ledger'),
    ];
    for (const { statusCode, headers } of answers) {
      expect(statusCode).toBe(200);
      expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
    }
  });

  it('ask for https on pages, files and redirects, and not where the site has none', async () => {
    const plain = await createTestServer(bed.config({ PUBLIC_URL: 'http://127.0.0.1:3000' }));
    try {
      for (const url of ['/unknown', '/openapi.json', '/dashboard', '/auth/google']) {
        expect((await server.inject({ url })).headers['strict-transport-security']).toBe(HSTS);
        expect((await plain.inject({ url })).headers).not.toHaveProperty('strict-transport-security');
      }
    } finally {
      await plain.close();
    }
  });
});
