import { EndKeys } from '#core/messages/status/end-keys.js';
import { accountSidOf, type CreateKeyBody } from '#contract/account.js';
import {
  type ApiRequestChoices,
  apiRequestChoices,
  apiRequestsAnswer,
  type ApiRequest,
  type ApiRequestsAnswer,
} from '#contract/dashboard.js';
import { limits } from '#contract/limits.js';
import { AccountErasure } from '#core/accounts/account-erasure.js';
import { NamedKeys } from '#core/keys/named-keys.js';
import { RequestLog } from '#core/accounts/request-log.js';
import { Metrics } from '#core/platform/telemetry/metrics.js';
import { uuidV7Floor } from '#core/rules/ids.js';
import { maskedNumber } from '#core/rules/phone-numbers.js';
import { eventually } from '#core/testing/eventually.js';
import { startTcpProxy } from '#core/testing/tcp-proxy.js';
import { createTestAccount, type TestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { TestBrowser } from '../testing/browser.js';
import { createTestServer, type TestServer } from '../testing/test-server.js';
import { AccountRetention } from '#core/accounts/account-retention.js';

const PATH = '/api/dashboard/requests';
const TO = '+14155552671';
const TEXT = 'Your parcel is here';
const DAY_MS = 86_400_000;

describe('/api/dashboard/requests', () => {
  let bed: TestBed;
  let server: TestServer;
  let account: TestAccount;
  let browser: TestBrowser;

  beforeAll(async () => {
    bed = await createTestBed();
    server = await createTestServer(bed.config());
  });

  beforeEach(async () => {
    account = await createTestAccount(server);
    browser = await TestBrowser.signedIn(server, account.id);
  });

  afterAll(async () => {
    await server?.close();
    await bed?.remove();
  });

  const ask = async (query: Record<string, string> = {}): Promise<ApiRequestsAnswer> => {
    await server.get(RequestLog).flush();
    const answer = await browser.get(`${PATH}?${new URLSearchParams(query).toString()}`);
    expect(answer.statusCode).toBe(200);
    return apiRequestsAnswer.strict().parse(answer.json());
  };
  const logged = async (query: Record<string, string> = {}): Promise<ApiRequest[]> => (await ask(query)).requests;
  const send = (fields: object = {}, headers: Record<string, string> = {}) =>
    server.send({ to: TO, message: TEXT, apikey: account.apiKey, ...fields }, headers);
  const named = async (limited: Partial<CreateKeyBody> = {}) => {
    const lists = { scopes: ['send' as const, 'read' as const], addresses: [], countries: [] };
    const limitless = { creditsPerDay: null, creditsPerMonth: null, messagesPerSecond: null, expiresAt: null };
    const body = { name: 'Shop', mode: 'live' as const, ...lists, ...limitless, ...limited };
    return (await server.get(NamedKeys).create({ actor: 'account', accountId: account.id }, body)).secret;
  };

  it('has an accepted call with its message, key, duration and request id, and fields without text, code and key', async () => {
    const fields = { reference: 'order 7', encoding: 'auto', max_credits: 3 };
    const answer = await send(fields, { 'x-request-id': 'mine-1' });
    const requests = await logged();
    expect(requests).toEqual([
      {
        id: expect.any(String),
        at: expect.any(String),
        method: 'POST',
        path: '/api/sendsms',
        status: 200,
        code: null,
        requestId: 'mine-1',
        durationMs: expect.any(Number),
        keyName: null,
        keyEnding: account.apiKey.slice(-4),
        isTest: false,
        messageId: answer.json<{ message_id: string }>().message_id,
        batchId: null,
        fields: JSON.stringify({
          to: '+1415•••••••',
          message: `[${TEXT.length} characters]`,
          reference: '[7 characters]',
          encoding: 'auto',
          max_credits: 3,
        }),
        times: 1,
      },
    ]);
    const [{ masked } = {}] = await bed.database.sql<{ masked: string }>('SELECT masked_number($1) AS masked', [TO]);
    expect(maskedNumber(TO)).toBe(masked);
  });

  it('keeps no key, text, code, or whole number of any call', async () => {
    const { apiKey } = account;
    const authorization = `Bearer ${apiKey}`;
    await send();
    await send({ to: 14_155_552_671, message: 987_654_321, unknown: { nested: TEXT } });
    await server.inject({ method: 'POST', url: '/api/verifyotp', payload: { otp: '042117', to: TO, apikey: apiKey } });
    await server.inject({ url: `/api/messages?to=%2B14155552671&apikey=${apiKey}` });
    await server.inject({ url: `/quota/${apiKey}` });
    await server.inject({ method: 'POST', url: '/text', payload: { phone: TO, message: TEXT, key: apiKey } });
    await server.inject({
      method: 'POST',
      url: '/api/sendbulk',
      headers: { authorization },
      payload: { messages: [{ to: TO, message: TEXT }] },
    });
    const sid = accountSidOf(account.id);
    await server.inject({
      method: 'POST',
      url: `/2010-04-01/Accounts/${sid}/Messages.json`,
      headers: { authorization: `Basic ${Buffer.from(`${sid}:${apiKey}`).toString('base64')}` },
      payload: { To: TO, From: '+15005550006', Body: TEXT },
    });
    const calls = (await logged()).toReversed();
    expect(calls.map(({ path, status }) => `${path} ${status}`)).toEqual([
      '/api/sendsms 200',
      '/api/sendsms 400',
      '/api/verifyotp 200',
      '/api/messages 200',
      '/quota/… 200',
      '/text 200',
      '/api/sendbulk 200',
      `/2010-04-01/Accounts/${sid}/Messages.json 201`,
    ]);
    expect(calls.filter(({ messageId, batchId }) => messageId ?? batchId)).toHaveLength(4);
    const rows = await bed.database.sql('SELECT * FROM api_requests WHERE account_id = $1', [account.id]);
    const kept = JSON.stringify(rows);
    for (const secret of [apiKey, TEXT, TO.slice(1), '042117', '987654321']) expect(kept).not.toContain(secret);
  });

  it('has refused calls with their codes: before and after the key is looked at, and of keys that have ended', async () => {
    const headers = { authorization: `Bearer ${account.apiKey}` };
    await server.inject({
      method: 'POST',
      url: '/api/sendsms',
      headers: { ...headers, 'content-type': 'application/json' },
      payload: '{',
    });
    await send({ to: '+1' });
    await send({ message: '' });
    await bed.database.sql('UPDATE accounts SET daily_limit = 0 WHERE id = $1', [account.id]);
    await send();
    const expired = await named({ expiresAt: new Date(Date.now() + 60_000).toISOString() });
    await bed.database.sql('UPDATE api_keys SET expires_at = now() WHERE account_id = $1 AND NOT is_default', [
      account.id,
    ]);
    await send({ apikey: expired });
    const poor = await createTestAccount(server, { credits: 0 });
    await send({ apikey: poor.apiKey });
    await server.get(EndKeys).rotateDefault(account.id, 0, false);
    await send();
    await send({ apikey: '00000000-0000-4000-8000-000000000000' });
    const calls = (await logged()).toReversed();
    expect(calls.map(({ status, code }) => [status, code])).toEqual([
      [400, 'invalid_request'],
      [400, 'invalid_number'],
      [400, 'missing_fields'],
      [429, 'daily_limit'],
      [401, 'key_expired'],
      [401, 'unknown_api_key'],
    ]);
    expect(calls[4]).toMatchObject({ keyName: 'Shop', keyEnding: expired.slice(-4) });
    browser = await TestBrowser.signedIn(server, poor.id);
    expect(await logged()).toMatchObject([{ status: 402, code: 'no_credits', messageId: null }]);
  });

  it('keeps names of known fields only, and few characters of them', async () => {
    const invented = Object.fromEntries(Array.from({ length: 19 }, (_none, n) => [`${n}`.padStart(40, 'x'), 1]));
    await send({ ...invented, send_at: 'x' });
    const known = 'encoding domain type otp_id batch_id status since until cursor lifetime'.split(' ');
    await send(Object.fromEntries(known.map((name) => [name, 'y'.repeat(5_000)])));
    const [long, other] = await logged();
    expect(JSON.parse(other?.fields ?? '')).toEqual({
      to: '+1415•••••••',
      message: `[${TEXT.length} characters]`,
      send_at: 'x',
      '(other fields)': 19,
    });
    expect(long?.fields.length).toBeLessThan(700);
    expect(JSON.parse(long?.fields ?? '')).toMatchObject({ '(other fields)': expect.any(Number) });
  });

  it.each([
    ['that has paid', undefined, 100_000],
    ['that has never paid', limits.signupCredits, 10_000],
  ])(
    'lists the first calls of the day of an account %s, then every thousandth, and counts all',
    async (_which, credits, listedMax) => {
      account = await createTestAccount(server, credits === undefined ? {} : { credits });
      browser = await TestBrowser.signedIn(server, account.id);
      const ofToday = (calls: number) =>
        bed.database.sql('UPDATE api_request_days SET calls = $2 WHERE account_id = $1', [account.id, calls]);
      const balance = () =>
        server.inject({ url: '/api/balance', headers: { authorization: `Bearer ${account.apiKey}` } });
      await balance();
      expect(await ask()).toMatchObject({ cutDays: [], requests: [{ times: 1 }] });
      await ofToday(listedMax - 1);
      await balance();
      await balance();
      const day = new Date().toISOString().slice(0, 10);
      expect(await ask()).toMatchObject({ cutDays: [{ day, calls: listedMax + 1, listedMax }] });
      expect(await logged()).toHaveLength(2);
      await ofToday(listedMax + 5_998);
      for (let n = 0; n < 3; n += 1) await balance();
      expect(await ask()).toMatchObject({ cutDays: [{ calls: listedMax + 6_001 }] });
      expect(await logged()).toHaveLength(3);
    },
  );

  it('names test keys, whose messages do not exist', async () => {
    await send({ apikey: `${account.apiKey}_test` });
    expect(await logged()).toMatchObject([{ isTest: true, keyEnding: account.apiKey.slice(-4), messageId: null }]);
  });

  it('shows an account its own calls only, needs a session, and refuses a bad cursor', async () => {
    await send();
    const other = await createTestAccount(server);
    await send({ apikey: other.apiKey });
    expect(await logged()).toHaveLength(1);
    expect((await new TestBrowser(server).get(PATH)).statusCode).toBe(401);
    expect((await browser.get(`${PATH}?cursor=x`)).statusCode).toBe(400);
  });

  it('filters by status, code, path and request id, and pages by cursor', async () => {
    for (let n = 0; n <= limits.apiRequestsPageSize; n += 1) await send({}, { 'x-request-id': `call-${n}` });
    await send({ to: '+1' });
    await server.inject({ url: '/api/balance', headers: { authorization: `Bearer ${account.apiKey}` } });
    const first = await ask();
    expect(first.requests).toHaveLength(limits.apiRequestsPageSize);
    expect(first.keptDays).toBe(7);
    const second = await ask({ cursor: first.nextCursor ?? '' });
    expect(second.requests.map(({ requestId }) => requestId)).toEqual(['call-2', 'call-1', 'call-0']);
    expect(second.nextCursor).toBeNull();
    expect(await logged({ status: '4xx' })).toMatchObject([{ code: 'invalid_number' }]);
    expect(await logged({ code: 'invalid_number' })).toMatchObject([{ status: 400 }]);
    expect(await logged({ path: 'balance' })).toMatchObject([{ method: 'GET', path: '/api/balance' }]);
    expect(await logged({ requestId: 'call-5' })).toMatchObject([{ requestId: 'call-5' }]);
    expect(await logged({ requestId: 'call-5', status: '5xx' })).toEqual([]);
    expect(await logged({ search: 'call-5' })).toMatchObject([{ requestId: 'call-5' }]);
    expect(await logged({ search: 'balance' })).toMatchObject([{ path: '/api/balance' }]);
    const { messageId, requestId } = first.requests[5] ?? { messageId: null, requestId: '' };
    expect(await logged({ search: messageId ?? 'none' })).toMatchObject([{ requestId }]);
    expect(await logged({ search: 'call-5', status: '4xx' })).toEqual([]);
    expect(await logged({ search: 'call' })).toEqual([]);
  });

  it('filters by key and by New York days', async () => {
    const secret = await named();
    await send({ apikey: secret });
    await send();
    const [newest, older] = await logged();
    expect(await logged({ key: secret.slice(-4) })).toEqual([older]);
    const [{ yesterday, today, tomorrow } = { yesterday: '', today: '', tomorrow: '' }] = await bed.database.sql<{
      yesterday: string;
      today: string;
      tomorrow: string;
    }>(
      `SELECT to_char(at - interval '1 day', 'YYYY-MM-DD') AS yesterday, to_char(at, 'YYYY-MM-DD') AS today,
         to_char(at + interval '1 day', 'YYYY-MM-DD') AS tomorrow
       FROM (SELECT at AT TIME ZONE 'America/New_York' AS at FROM api_requests WHERE id = $1) one`,
      [newest?.id],
    );
    // There is no partition for ids of other days, so the later call is moved to tomorrow.
    await bed.database.sql(`UPDATE api_requests SET at = at + interval '1 day' WHERE id = $1`, [newest?.id]);
    expect(await logged({ to: yesterday })).toEqual([]);
    expect(await logged({ to: today })).toMatchObject([{ id: older?.id }]);
    expect(await logged({ from: today, to: today })).toMatchObject([{ id: older?.id }]);
    expect(await logged({ from: today, to: tomorrow })).toHaveLength(2);
    expect(await logged({ from: '2020-01-01', to: '2020-01-31' })).toEqual([]);
    for (const query of ['from=2026-02-30', 'to=yesterday', 'from=1999-12-31'])
      expect((await browser.get(`${PATH}?${query}`)).statusCode).toBe(400);
  });

  it('offers the error codes and keys that occur, the most frequent first', async () => {
    const choices = async (): Promise<ApiRequestChoices> => {
      await server.get(RequestLog).flush();
      return apiRequestChoices.strict().parse((await browser.get(`${PATH}/choices`)).json());
    };
    expect(await choices()).toEqual({ codes: [], keys: [] });
    const secret = await named();
    await send({ apikey: secret });
    await send({ message: '' });
    await send({ to: '+1' });
    await send({ to: '+1', apikey: `${account.apiKey}_test` });
    const keyEnding = account.apiKey.slice(-4);
    const { codes, keys } = await choices();
    expect(codes).toEqual(['invalid_number', 'missing_fields']);
    expect(keys[0]).toEqual({ keyName: null, keyEnding, isTest: false });
    expect(keys).toContainEqual({ keyName: null, keyEnding, isTest: true });
    expect(keys).toContainEqual({ keyName: 'Shop', keyEnding: secret.slice(-4), isTest: false });
    expect((await new TestBrowser(server).get(`${PATH}/choices`)).statusCode).toBe(401);
  });

  it('is kept for seven days, by day, and deleted with the account', async () => {
    // An account whose messages are under way cannot be deleted.
    await send({ apikey: `${account.apiKey}_test` });
    await logged();
    const plant = (days: number) =>
      bed.database.sql(
        `INSERT INTO api_requests SELECT account_id, $2, at, method, path, status, code, request_id,
          duration_ms, key_name, key_ending, is_test,
           subject, fields FROM api_requests WHERE account_id = $1 LIMIT 1`,
        [account.id, uuidV7Floor(new Date(Date.now() - days * DAY_MS))],
      );
    await bed.database.sql(`SELECT ensure_request_partitions((now() AT TIME ZONE 'UTC')::date - 12, 12)`);
    for (const days of [6, 8, 12]) await plant(days);
    expect(await logged()).toHaveLength(2);
    const days = async () => {
      const rows = await bed.database.sql<{ day: string }>(
        `SELECT right(inhrelid::regclass::text, 10) AS day FROM pg_inherits
          WHERE inhparent = 'api_requests'::regclass ORDER BY 1`,
      );
      return rows.map(({ day }) => day);
    };
    await server.get(AccountRetention).run();
    const kept = await days();
    const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10).replaceAll('-', '_');
    expect([kept[0], kept.at(-1)]).toEqual([dayOf(Date.now() - 7 * DAY_MS), dayOf(Date.now() + 14 * DAY_MS)]);
    expect(await logged()).toHaveLength(2);
    await server.get(AccountErasure).erase(account.email, 'test');
    expect(await bed.database.sql('SELECT 1 FROM api_requests WHERE account_id = $1', [account.id])).toEqual([]);
  });

  it('is written when the server stops, and not at all when it is off', async () => {
    const body = { to: TO, message: TEXT, apikey: account.apiKey };
    const off = await createTestServer(bed.config({ REQUEST_LOG_DAYS: '0' }));
    await off.send(body);
    await off.close();
    expect(await logged()).toEqual([]);
    const other = await createTestServer(bed.config());
    await other.send(body);
    await other.close();
    expect(await logged()).toHaveLength(1);
  });

  it('fails no call while its table cannot be written, and continues after an outage of Postgres', async () => {
    const dropped = async () => (await server.get(Metrics).requestLogDropped.get()).values[0]?.value ?? 0;
    const before = await dropped();
    await bed.database.sql('ALTER TABLE api_requests RENAME TO hidden');
    try {
      expect((await send()).statusCode).toBe(200);
      await server.get(RequestLog).flush();
      expect(await dropped()).toBe(before + 1);
    } finally {
      await bed.database.sql('ALTER TABLE hidden RENAME TO api_requests');
    }
    const url = new URL(bed.config().database.url);
    const proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port || 5432) });
    url.host = `127.0.0.1:${proxy.port}`;
    const cut = await createTestServer(bed.config({ DATABASE_URL: url.href }));
    try {
      expect((await cut.send({ to: TO, message: TEXT, apikey: account.apiKey })).statusCode).toBe(200);
      proxy.set('gone');
      await cut.get(RequestLog).flush();
      proxy.set('through');
      await eventually('the call is logged', async () => {
        await cut.get(RequestLog).flush();
        return (await logged()).length === 1;
      });
    } finally {
      await cut.close();
      await proxy.close();
    }
  });
});
