import type { InjectOptions } from 'fastify';
import { eventually } from '#core/testing/eventually.js';
import { telnyxVariables } from '#core/testing/telnyx-account.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { createTestServer, type TestServer } from '../testing/test-server.js';

const LIMIT = 4;
const ours = { 'sec-fetch-site': 'same-origin' };

let lastAddress = 0;
/** An address without earlier requests. */
const newAddress = () => `198.51.100.${(lastAddress += 1)}`;

describe('limits per network address', () => {
  let bed: TestBed;
  let server: TestServer;

  beforeAll(async () => {
    bed = await createTestBed();
    const limit = { RATE_LIMIT_ADDRESS_PER_SECOND: String(LIMIT) };
    server = await createTestServer(bed.config({ ...limit, ...telnyxVariables }));
  });

  afterAll(async () => {
    await server?.close();
    await bed?.remove();
  });

  const burst = async (request: InjectOptions, count = 3 * LIMIT) => {
    const remoteAddress = newAddress();
    return Promise.all(
      Array.from({ length: count }, () => server.inject({ remoteAddress, headers: ours, ...request })),
    );
  };

  it.each<[InjectOptions['method'], string]>([
    ['GET', '/auth/me'],
    ['POST', '/auth/logout'],
    ['POST', '/auth/login'],
    ['POST', '/auth/signup'],
    ['GET', '/auth/google'],
    ['GET', '/auth/google/callback'],
    ['GET', '/api/dashboard/credits'],
    ['GET', '/api/dashboard/messages/sent'],
    ['GET', '/api/dashboard/events'],
    ['POST', '/api/checkout'],
    ['GET', '/api/checkout/cs_test_1'],
    ['POST', '/api/redeemcode'],
    ['GET', '/api/balance'],
    ['GET', '/api/messages'],
    ['GET', '/openapi.json'],
    ['GET', '/login'],
    ['GET', '/api/unknown'],
    ['GET', '/unknown'],
    ['POST', '/unknown'],
    ['OPTIONS', '/api/sendsms'],
    ['GET', '/%E9'],
    ['POST', '/webhooks/twilio/inbound'],
    ['POST', '/webhooks/twilio/status'],
    ['POST', '/webhooks/telnyx/inbound'],
    ['POST', '/webhooks/telnyx/status'],
    ['POST', '/webhooks/stripe'],
    ['GET', '/healthz'],
    ['GET', '/readyz'],
    ['GET', '/metrics'],
    ['POST', '/text'],
    ['GET', '/status/x'],
    ['GET', '/quota/x'],
    ['POST', '/2010-04-01/Accounts/x/Messages.json'],
  ])('hold on %s %s', async (method, url) => {
    const refused = (await burst({ method: method ?? 'GET', url })).filter(({ statusCode }) => statusCode === 429);
    // A burst may span two windows.
    expect(refused.length).toBeGreaterThanOrEqual(LIMIT);
    expect(refused[0]?.statusCode).toBe(429);
    expect(refused[0]?.headers['retry-after']).toBe('1');
  });

  it.each(['/api/sendsms', '/api/sendbulk', '/api/quote', '/api/sendotp', '/api/verifyotp', '/text', '/auth/login'])(
    'hold on requests to %s that are malformed, without a key or empty',
    async (url) => {
      for (const payload of ['{"x"', '{}', '', '{"messages":[{"to":"1"}]}']) {
        const headers = { ...ours, 'content-type': 'application/json' };
        const answers = await burst({ method: 'POST', url, headers, payload });
        expect(answers.filter(({ statusCode }) => statusCode === 429).length).toBeGreaterThanOrEqual(LIMIT);
      }
    },
  );

  it('hold before the body arrives', async () => {
    const headers = { 'content-type': 'application/json', 'content-length': '100000000' };
    const answers = await burst({ method: 'POST', url: '/api/sendbulk', headers, payload: '{' });
    expect(answers.some(({ statusCode }) => statusCode === 429)).toBe(true);
  });

  it.each([
    ['/webhooks/twilio/inbound', 'x-twilio-signature'],
    ['/webhooks/twilio/status', 'x-twilio-signature'],
    ['/webhooks/telnyx/inbound', 'telnyx-signature-ed25519'],
    ['/webhooks/telnyx/status', 'telnyx-signature-ed25519'],
    ['/webhooks/stripe', 'stripe-signature'],
  ])('count wrong signatures on %s', async (url, name) => {
    const headers = { [name]: 'forged', 'content-type': 'application/x-www-form-urlencoded' };
    const refused = await burst({ method: 'POST', url, headers, payload: 'Body=x' });
    expect(refused.filter(({ statusCode }) => statusCode === 429).length).toBeGreaterThanOrEqual(LIMIT);
  });

  it.each(['{', '{"a":"\\u0000"}'])('count a callback with a signature and the body %s', async (payload) => {
    const headers = { 'x-twilio-signature': 'x', 'content-type': 'application/json' };
    const call = {
      method: 'POST' as const,
      url: '/webhooks/twilio/inbound?a=%00',
      headers,
      payload,
      remoteAddress: newAddress(),
    };
    // Callbacks are counted after their answer.
    await eventually('a call is refused', async () => {
      const answers = await Promise.all(Array.from({ length: LIMIT }, () => server.inject(call)));
      return answers.some(({ statusCode }) => statusCode === 429);
    });
  });

  it('hold on paths beside the callbacks, whatever the headers', async () => {
    const headers = { 'x-twilio-signature': 'x', 'stripe-signature': 'x' };
    const answers = [
      ...(await burst({ url: '/webhooks/nothing', headers })),
      ...(await burst({ url: '/webhooks/twilio/inbound', headers })),
    ];
    expect(answers.filter(({ statusCode }) => statusCode === 429).length).toBeGreaterThanOrEqual(2 * LIMIT);
  });

  it('leave health checks to an address whose other requests are refused', async () => {
    const remoteAddress = newAddress();
    const requests = Array.from({ length: 3 * LIMIT }, () => server.inject({ remoteAddress, url: '/unknown' }));
    expect((await Promise.all(requests)).some(({ statusCode }) => statusCode === 429)).toBe(true);
    expect((await server.inject({ remoteAddress, url: '/healthz' })).statusCode).toBe(200);
  });

  it('tell our own pages what happened without mentioning a message', async () => {
    const refused = (await burst({ url: '/auth/me' })).find(({ statusCode }) => statusCode === 429);
    expect(refused?.json()).toMatchObject({ error: 'Too many requests. Please wait a moment.' });
  });

  it('do not count sign-ins with Google, which Google checks itself', async () => {
    const strict = await createTestServer(
      bed.config({ SIGN_INS_PER_ADDRESS: '3', GOOGLE_CLIENT_ID: 'id', GOOGLE_CLIENT_SECRET: 'secret' }),
    );
    try {
      const begin = () => strict.inject({ url: '/auth/google', remoteAddress: '2001:db8::1' });
      const locations: string[] = [];
      for (let count = 0; count < 5; count += 1) locations.push(String((await begin()).headers.location));
      for (const location of locations) expect(location).toMatch(/^https:\/\/accounts\.google\.com\//);
    } finally {
      await strict.close();
    }
  });

  describe('behind proxies', () => {
    const PROXY = '10.0.0.2';

    /**
     * Returns whether a client that sends an invented address with every request counts as one
     * client.
     */
    const isCounted = async (trustProxy: string, forwardedFor: (n: number) => string, remoteAddress = PROXY) => {
      const behind = await createTestServer(
        bed.config({ RATE_LIMIT_ADDRESS_PER_SECOND: String(LIMIT), TRUST_PROXY: trustProxy }),
      );
      try {
        const answers = await Promise.all(
          Array.from({ length: 3 * LIMIT }, (_, n) =>
            behind.inject({ url: '/auth/me', remoteAddress, headers: { 'x-forwarded-for': forwardedFor(n) } }),
          ),
        );
        return answers.some(({ statusCode }) => statusCode === 429);
      } finally {
        await behind.close();
      }
    };

    it.each([
      ['0', (n: number) => `203.0.113.${n}`, true],
      ['1', (n: number) => `203.0.113.${n}, 192.0.2.1`, true],
      ['1', (n: number) => `203.0.113.${n}`, false],
      ['2', (n: number) => `203.0.113.${n}, 192.0.2.2, 10.0.0.1`, true],
      ['10.0.0.0/8', (n: number) => `203.0.113.${n}, 192.0.2.3, 10.0.0.1`, true],
      ['10.0.0.0/8', (n: number) => `192.0.2.3, 203.0.113.${n}`, false],
      ['1', (n: number) => `203.0.113.7:${n}`, true],
      ['1', (n: number) => `[2001:db8::${n}]:443`, true],
      ['10.0.0.0/8', (n: number) => `203.0.113.${n}, 192.0.2.3:${n}, 10.0.0.1:${n}`, true],
      ['1', () => 'no address', true],
      ['1', (n: number) => `no address ${n}`, false],
    ])('TRUST_PROXY=%s', async (trustProxy, forwardedFor, expected) => {
      expect(await isCounted(trustProxy, forwardedFor)).toBe(expected);
    });

    it('ignores the header of a client that is not a proxy', async () => {
      expect(await isCounted('10.0.0.0/8', (n) => `203.0.113.${n}`, '192.0.2.9')).toBe(true);
    });
  });
});
