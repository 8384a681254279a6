import { openApiDocument } from '#contract/openapi/openapi.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { createTestServer, type TestServer } from '../testing/test-server.js';

const ORIGIN = 'https://shop.example';

describe('CORS', () => {
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

  const preflight = (url: string) =>
    server.inject({
      method: 'OPTIONS',
      url,
      headers: {
        origin: ORIGIN,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type,authorization,idempotency-key',
      },
    });

  it.each([...Object.keys(openApiDocument(ORIGIN).paths), '/api/messages/SM0', '/api/messages?cursor=x'])(
    'answers the preflight of %s for any origin',
    async (url) => {
      const { statusCode, headers } = await preflight(url);
      expect(statusCode).toBe(204);
      expect(headers).toMatchObject({ 'access-control-allow-origin': '*', 'access-control-max-age': '86400' });
      expect(headers['access-control-allow-methods']).toMatch(/GET.*POST/);
      expect(headers['access-control-allow-headers']).toBe(
        'Authorization, Content-Type, Idempotency-Key, Last-Event-ID, X-Request-Id',
      );
      expect(headers).not.toHaveProperty('access-control-allow-credentials');
    },
  );

  it('lets a page read errors and rate limit headers', async () => {
    const { statusCode, headers } = await server.send({}, { origin: ORIGIN });
    expect(statusCode).toBe(400);
    expect(headers['access-control-allow-origin']).toBe('*');
    expect(headers['access-control-expose-headers']).toContain('RateLimit-Remaining');
  });

  it.each([
    '/',
    '/healthz',
    '/readyz',
    '/webhooks/twilio/status',
    '/api/checkout',
    '/api/sendsmsx',
    '/auth/me',
    '/api',
  ])('is closed on %s', async (url) => {
    for (const answer of [await preflight(url), await server.inject({ url, headers: { origin: ORIGIN } })]) {
      expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
    }
  });
});
