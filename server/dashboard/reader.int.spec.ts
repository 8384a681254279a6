import type { NamedKeysAnswer } from '#contract/account.js';
import { createTestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { TestBrowser } from '../testing/browser.js';
import { createTestServer, type TestServer } from '../testing/test-server.js';

describe('what public pages show a signed-in reader', () => {
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

  const ask = async (browser: TestBrowser, what = 'reader-key') => {
    const answer = await browser.get(`/api/dashboard/${what}`);
    expect([answer.statusCode, answer.headers['cache-control']]).toEqual([200, 'no-store']);
    return answer.json<unknown>();
  };

  it('returns a working test key of a signed-in user, made for this purpose, the same each time', async () => {
    const account = await createTestAccount(server);
    const browser = await TestBrowser.signedIn(server, account.id);
    const answers = await Promise.all([1, 2, 3].map(() => ask(browser)));
    const [{ testKey } = { testKey: '' }] = answers as { testKey: string }[];
    expect(testKey).toMatch(/^pt_test_[0-9a-f]{40}$/);
    expect(answers).toEqual([{ testKey }, { testKey }, { testKey }]);
    const answer = await server.send({ to: '+14155552671', message: 'Hello', apikey: testKey });
    expect(answer.json()).toMatchObject({ success: 'true', test: true });
  });

  it('returns another key after the first was revoked', async () => {
    const account = await createTestAccount(server);
    const browser = await TestBrowser.signedIn(server, account.id);
    const first = (await ask(browser)) as { testKey: string };
    const { keys } = (await browser.get('/api/dashboard/keys')).json<NamedKeysAnswer>();
    expect(keys).toMatchObject([{ forSamples: true, mode: 'test', name: 'Documentation samples' }]);
    await browser.call('DELETE', `/api/dashboard/keys/${keys[0]?.id}`);
    const message = { to: '+14155552671', message: 'Hello' };
    expect((await server.send({ ...message, apikey: first.testKey })).statusCode).toBe(401);
    const second = (await ask(browser)) as { testKey: string };
    expect(second.testKey).not.toBe(first.testKey);
    expect((await server.send({ ...message, apikey: second.testKey })).statusCode).toBe(200);
  });

  it('returns a key that works where the release before has made one, to several pages at once', async () => {
    const account = await createTestAccount(server);
    const browser = await TestBrowser.signedIn(server, account.id);
    const { testKey } = (await ask(browser)) as { testKey: string };
    await bed.database.sql(
      `UPDATE key_secrets SET hash = decode(repeat('00', 32), 'hex'), ending = 'zzzz'
       WHERE account_id = $1 AND ending = $2`,
      [account.id, testKey.slice(-4)],
    );
    expect(await Promise.all([1, 2, 3].map(() => ask(browser)))).toEqual([{ testKey }, { testKey }, { testKey }]);
    const answer = await server.send({ to: '+14155552671', message: 'Hello', apikey: testKey });
    expect(answer.json()).toMatchObject({ success: 'true', test: true });
  });

  it('returns the balance after a message', async () => {
    const account = await createTestAccount(server, { credits: 3 });
    const browser = await TestBrowser.signedIn(server, account.id);
    expect(await ask(browser, 'reader-balance')).toEqual({ balance: 3 });
    await server.send({ to: '+14155552671', message: 'Hello', apikey: account.apiKey });
    expect(await ask(browser, 'reader-balance')).toEqual({ balance: 2 });
  });

  it('returns null without a session', async () => {
    const browser = new TestBrowser(server);
    expect(await ask(browser)).toEqual({ testKey: null });
    expect(await ask(browser, 'reader-balance')).toEqual({ balance: null });
  });

  it.each(['reader-key', 'reader-balance'])('%s is not readable by other sites', async (what) => {
    const headers = { origin: 'https://elsewhere.example' };
    const answer = await server.inject({ url: `/api/dashboard/${what}`, headers });
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
  });
});
