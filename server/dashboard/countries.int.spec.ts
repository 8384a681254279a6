import type { AccountAnswer } from '#contract/account.js';
import type { QuoteAnswer } from '#contract/dashboard.js';
import { Credits } from '#core/credits/credits.js';
import { createTestAccount, type TestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { TestBrowser } from '../testing/browser.js';
import { createTestServer, OtpCalls, type TestServer } from '../testing/test-server.js';

const AMERICAN = '+14155552671';
const BRITISH = '+447400123456';
const REFUSED = [403, 'country_disabled'];

describe('The countries of an account', () => {
  let bed: TestBed;
  let server: TestServer;
  let other: TestServer;
  let account: TestAccount;
  let browser: TestBrowser;

  beforeAll(async () => {
    bed = await createTestBed();
    server = await createTestServer(bed.config());
    other = await createTestServer(bed.config());
  });

  beforeEach(async () => {
    account = await createTestAccount(server);
    browser = await TestBrowser.signedIn(server, account.id);
  });

  afterAll(async () => {
    await Promise.all([server?.close(), other?.close()]);
    await bed?.remove();
  });

  const choose = async (...disabledCountries: string[]) =>
    browser.call('PUT', '/api/dashboard/countries', { disabledCountries });
  const balance = async () => (await server.get(Credits).balanceOf(account.id)).balance;
  const send = async (to: string, from = server, apikey = account.apiKey) => {
    const answer = await from.send({ to, message: 'Hello', apikey });
    return [answer.statusCode, answer.json<{ code?: string }>().code];
  };
  const post = async (url: string, payload: object) => {
    const answer = await server.inject({ method: 'POST', url, payload: { ...payload, apikey: account.apiKey } });
    return [answer.statusCode, answer.json<{ code?: string; rejected?: { index: number; code: string }[] }>()] as const;
  };

  it('are all on at first', async () => {
    const answer = await browser.call('GET', '/api/dashboard/account');
    expect(answer.json<AccountAnswer>().disabledCountries).toEqual([]);
    expect(await send(BRITISH)).toEqual([200, undefined]);
  });

  it('are saved without duplicates, and recorded', async () => {
    const answer = await choose('US', 'GB', 'GB');
    expect([answer.statusCode, answer.json<AccountAnswer>().disabledCountries]).toEqual([200, ['GB', 'US']]);
    expect(
      await bed.database.sql(
        'SELECT action, details, host(address) AS address FROM audit_entries WHERE account_id = $1',
        [account.id],
      ),
    ).toContainEqual({
      action: 'account.countries_changed',
      details: { disabledCountries: ['GB', 'US'] },
      address: '127.0.0.1',
    });
  });

  it.each([[['XX']], [['gb']], ['GB'], [[7]], [undefined]])('are refused as %j', async (disabledCountries) => {
    const answer = await browser.call('PUT', '/api/dashboard/countries', { disabledCountries });
    expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([400, 'invalid_request']);
    const now = await browser.call('GET', '/api/dashboard/account');
    expect(now.json<AccountAnswer>().disabledCountries).toEqual([]);
  });

  it('are changed after a sign-in only', async () => {
    const answer = await new TestBrowser(server).call('PUT', '/api/dashboard/countries', { disabledCountries: [] });
    expect(answer.statusCode).toBe(401);
  });

  it('refuse messages at once, on every server and with a test key, and charge nothing', async () => {
    expect(await send(BRITISH, other)).toEqual([200, undefined]);
    const before = await balance();
    await choose('GB');
    expect(await Promise.all([send(BRITISH), send(BRITISH, other)])).toEqual([REFUSED, REFUSED]);
    expect(await send(BRITISH, server, `${account.apiKey}_test`)).toEqual(REFUSED);
    expect(await balance()).toBe(before);
    expect(await send(AMERICAN, other)).toEqual([200, undefined]);
    await choose();
    expect(await send(BRITISH, other)).toEqual([200, undefined]);
  });

  it('refuse scheduled and deduplicated messages', async () => {
    await choose('GB');
    const message = { to: BRITISH, message: 'Hello' };
    const sendAt = new Date(Date.now() + 3_600_000).toISOString();
    for (const fields of [{ send_at: sendAt }, { dedupe: 60 }]) {
      const [status, { code }] = await post('/api/sendsms', { ...message, ...fields });
      expect([status, code]).toEqual(REFUSED);
    }
  });

  it('refuse quotes and items of a bulk', async () => {
    await choose('GB');
    const [status, { code }] = await post('/api/quote', { to: BRITISH, message: 'Hello' });
    expect([status, code]).toEqual(REFUSED);
    const messages = [AMERICAN, BRITISH].map((to) => ({ to, message: 'Hello' }));
    const rejected = [{ index: 1, code: 'country_disabled' }];
    expect(await post('/api/sendbulk', { messages })).toMatchObject([400, { code: 'bulk_rejected', rejected }]);
    expect(await balance()).toBe(100);
    expect(await post('/api/sendbulk', { messages, partial: true })).toMatchObject([200, { accepted: 1, rejected }]);
    expect(await post('/api/quote', { messages, partial: true })).toMatchObject([200, { messages: 1, rejected }]);
  });

  it('refuse one-time passwords, which then do not exist', async () => {
    await choose('US');
    const calls = new OtpCalls(server);
    const answer = await calls.send({ to: AMERICAN, apikey: account.apiKey });
    expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual(REFUSED);
    expect(await balance()).toBe(100);
    await choose();
    const otp = await calls.codeOf({ to: AMERICAN, apikey: account.apiKey });
    expect((await calls.verdict({ otp, to: AMERICAN, apikey: account.apiKey })).status).toBe('verified');
  });

  it('explain a refusal at the number of the composer', async () => {
    await choose('GB');
    const answer = await browser.call('POST', '/api/dashboard/quote', { to: BRITISH, message: 'Hello' });
    expect(answer.json<QuoteAnswer>().faults).toMatchObject([{ field: 'to', code: 'country_disabled' }]);
  });
});
