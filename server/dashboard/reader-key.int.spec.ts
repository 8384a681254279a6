import { createTestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { TestBrowser } from '../testing/browser.js';
import { createTestServer, type TestServer } from '../testing/test-server.js';

describe('GET /api/dashboard/reader-key', () => {
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

  const ask = async (browser: TestBrowser) => {
    const answer = await browser.get('/api/dashboard/reader-key');
    expect([answer.statusCode, answer.headers['cache-control']]).toEqual([200, 'no-store']);
    return answer.json<unknown>();
  };

  it('returns a signed-in user’s own working test key', async () => {
    const account = await createTestAccount(server);
    const testKey = `${account.apiKey}_test`;
    expect(await ask(await TestBrowser.signedIn(server, account.id))).toEqual({ testKey });
    const answer = await server.send({ to: '+14155552671', message: 'Hello', apikey: testKey });
    expect(answer.json()).toMatchObject({ success: 'true', test: true });
  });

  it('returns a null key without a session', async () => {
    expect(await ask(new TestBrowser(server))).toEqual({ testKey: null });
  });

  it('is not readable by other sites', async () => {
    const headers = { origin: 'https://elsewhere.example' };
    const answer = await server.inject({ url: '/api/dashboard/reader-key', headers });
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
  });
});
