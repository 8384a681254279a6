import { openApiDocument } from '#contract/openapi/openapi.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { createTestServer, type TestServer } from '../testing/test-server.js';

describe('GET /openapi.json', () => {
  let bed: TestBed;
  let server: TestServer;

  beforeAll(async () => {
    bed = await createTestBed();
    server = await createTestServer(bed.config({ PUBLIC_URL: 'https://sms.example.org/' }));
  });

  afterAll(async () => {
    await server?.close();
    await bed?.remove();
  });

  it('returns the document of this installation to every origin', async () => {
    const { statusCode, headers, body } = await server.inject({ url: '/openapi.json' });
    expect([statusCode, headers['content-type'], headers['access-control-allow-origin']]).toEqual([
      200,
      'application/json; charset=utf-8',
      '*',
    ]);
    expect(JSON.parse(body)).toEqual(JSON.parse(JSON.stringify(openApiDocument('https://sms.example.org'))));
  });

  it('may be cached for minutes and is then revalidated', async () => {
    const { headers } = await server.inject({ url: '/openapi.json' });
    expect(headers['cache-control']).toBe('public, max-age=300');
    const again = await server.inject({ url: '/openapi.json', headers: { 'if-none-match': String(headers.etag) } });
    expect([again.statusCode, again.body, again.headers['access-control-allow-origin']]).toEqual([304, '', '*']);
  });
});
