import type { InjectOptions } from 'fastify';
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
    server = await createTestServer(bed.config({ RATE_LIMIT_ADDRESS_PER_SECOND: String(LIMIT) }));
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
  ])('hold on %s %s', async (method, url) => {
    const refused = (await burst({ method: method ?? 'GET', url })).filter(({ statusCode }) => statusCode === 429);
    // A burst may span two windows.
    expect(refused.length).toBeGreaterThanOrEqual(LIMIT);
    expect(refused[0]?.json()).toMatchObject({ success: 'false', code: 'rate_limited' });
    expect(refused[0]?.headers['retry-after']).toBe('1');
  });

  it.each<[InjectOptions['method'], string]>([
    ['POST', '/webhooks/twilio/inbound'],
    ['POST', '/webhooks/twilio/status'],
    ['POST', '/webhooks/stripe'],
    ['GET', '/healthz'],
  ])('do not hold on %s %s', async (method, url) => {
    const answers = await burst({ method: method ?? 'GET', url });
    expect(answers.filter(({ statusCode }) => statusCode === 429)).toEqual([]);
  });

  it('tell our own pages what happened without mentioning a message', async () => {
    const refused = (await burst({ url: '/auth/me' })).find(({ statusCode }) => statusCode === 429);
    expect(refused?.json()).toMatchObject({ error: 'Too many requests. Please wait a moment.' });
  });

  it('are stricter for sign-in with Google, which the login page reports', async () => {
    const strict = await createTestServer(
      bed.config({ SIGN_INS_PER_ADDRESS: '3', GOOGLE_CLIENT_ID: 'id', GOOGLE_CLIENT_SECRET: 'secret' }),
    );
    try {
      const begin = () => strict.inject({ url: '/auth/google', remoteAddress: '2001:db8::1' });
      const locations: string[] = [];
      for (let count = 0; count < 5; count += 1) locations.push(String((await begin()).headers.location));
      expect(locations[0]).toMatch(/^https:\/\/accounts\.google\.com\//);
      expect(locations.at(-1)).toBe('/login?error=Sign-in+error%3A+Too+many+attempts.+Please+try+again+later.');
      const neighbor = await strict.inject({ url: '/auth/google', remoteAddress: '2001:db8::2' });
      expect(neighbor.headers.location).toMatch(/^\/login\?error=/);
    } finally {
      await strict.close();
    }
  });

  describe('behind proxies', () => {
    const PROXY = '10.0.0.2';

    /** Whether a client that sends an invented address with every request is counted as one client. */
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
      ['1', (n: number) => `no address ${n}`, true],
    ])('TRUST_PROXY=%s', async (trustProxy, forwardedFor, expected) => {
      expect(await isCounted(trustProxy, forwardedFor)).toBe(expected);
    });

    it('ignores the header of a client that is not a proxy', async () => {
      expect(await isCounted('10.0.0.0/8', (n) => `203.0.113.${n}`, '192.0.2.9')).toBe(true);
    });
  });
});
