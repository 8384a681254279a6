import type {
  KeysAnswer,
  KeyScheduledAnswer,
  NamedKeyBody,
  NamedKeysAnswer,
  NamedKeySecretAnswer,
} from '#contract/account.js';
import { limits } from '#contract/limits.js';
import { AccountErasure } from '#core/accounts/account-erasure.js';
import { AuditLog } from '#core/audit/audit-log.js';
import { KeySchedules } from '#core/messages/status/key-schedules.js';
import { Postgres } from '#core/platform/database/postgres.js';
import { createTestAccount, type TestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { TestBrowser } from '../testing/browser.js';
import { createTestServer, type TestServer } from '../testing/test-server.js';
import { AccountRetention } from '#core/accounts/account-retention.js';

const PATH = '/api/dashboard/keys';
const UNKNOWN = '00000000-0000-4000-8000-000000000000';
const AT_ONCE = { keepOldForHours: 0 };

const body: NamedKeyBody = {
  name: 'Shop',
  scopes: ['send', 'read'],
  addresses: ['203.0.113.9/24', '2001:DB8::1'],
  countries: ['US'],
  creditsPerDay: 50,
  creditsPerMonth: null,
  messagesPerSecond: 5,
  expiresAt: '2099-01-01T00:00:00.000Z',
};

describe('/api/dashboard/keys', () => {
  let bed: TestBed;
  let server: TestServer;
  let account: TestAccount;
  let browser: TestBrowser;

  beforeAll(async () => {
    bed = await createTestBed();
    server = await createTestServer(bed.config({ RATE_LIMIT_ADDRESS_PER_SECOND: '0' }));
  });

  beforeEach(async () => {
    account = await createTestAccount(server);
    browser = await TestBrowser.signedIn(server, account.id);
  });

  afterAll(async () => {
    await server?.close();
    await bed?.remove();
  });

  const list = async () => (await browser.get(PATH)).json<NamedKeysAnswer>().keys;
  const create = async (change: object = {}) => {
    const answer = await browser.call('POST', PATH, { ...body, mode: 'live', ...change });
    return { status: answer.statusCode, ...answer.json<NamedKeySecretAnswer & { code?: string; detail?: string }>() };
  };
  const createdId = async () => (await create()).keys[0]?.id ?? '';
  const codeOf = async (method: 'PUT' | 'POST' | 'DELETE', path: string, sent: object = {}) => {
    const answer = await browser.call(method, path, sent);
    return [answer.statusCode, answer.json<{ code?: string }>().code];
  };
  const makeSessionOld = () =>
    bed.database.sql(`UPDATE sessions SET authenticated_at = now() - interval '1 hour' WHERE account_id = $1`, [
      account.id,
    ]);

  it('shows the secret once', async () => {
    const { secret, keys } = await create();
    const [key] = keys;
    expect(secret).toMatch(/^pt_live_/);
    expect(key).toEqual({
      ...body,
      id: expect.any(String),
      mode: 'live',
      addresses: ['203.0.113.0/24', '2001:db8::1'],
      masked: `pt_live_••••${secret.slice(-4)}`,
      forSamples: false,
      plug: null,
      isExpired: false,
      spentToday: 0,
      spentThisMonth: 0,
      createdAt: expect.stringMatching(/Z$/),
      lastUsedAt: null,
      lastUsedAddress: null,
      earlier: [],
    });
    expect(JSON.stringify(await list())).not.toContain(secret);
    const rows = await bed.database.sql(
      `SELECT row_to_json(k)::text || row_to_json(s)::text AS row
       FROM api_keys k JOIN key_secrets s ON s.key_id = k.id`,
    );
    expect(JSON.stringify(rows)).not.toContain(secret.slice(8));
  });

  it('changes and revokes a key', async () => {
    const id = await createdId();
    const changed = { ...body, name: 'Store', scopes: ['otp'], addresses: [], countries: [], expiresAt: null };
    expect(await codeOf('PUT', `${PATH}/${id}`, changed)).toEqual([200, undefined]);
    expect(await list()).toMatchObject([changed]);
    expect(await codeOf('DELETE', `${PATH}/${id}`)).toEqual([200, undefined]);
    expect(await list()).toEqual([]);
  });

  it('shows how many messages a key has scheduled, and cancels them with it if asked', async () => {
    const { secret, keys } = await create();
    const path = `${PATH}/${keys[0]?.id}`;
    const send_at = new Date(Date.now() + 3_600_000).toISOString();
    const scheduleWith = (key: string) =>
      server.inject({
        method: 'POST',
        url: '/api/sendsms',
        headers: { authorization: `Bearer ${key}` },
        payload: { to: '+14155562671', message: 'Later', send_at },
      });
    await server.get(Postgres).query({ text: 'UPDATE api_keys SET addresses = NULL WHERE id = $1' }, [keys[0]?.id]);
    for (const key of [secret, account.apiKey]) expect((await scheduleWith(key)).statusCode).toBe(200);
    const scheduled = async (of: string) => (await browser.get(`${of}/scheduled`)).json<KeyScheduledAnswer>();
    expect([await scheduled(path), await scheduled('/api/dashboard/key')]).toEqual([{ messages: 1 }, { messages: 1 }]);
    expect(await codeOf('DELETE', `${path}?cancel_scheduled=yes`)).toEqual([400, 'invalid_request']);
    const rotated = await browser.call('POST', `${path}/rotate`, AT_ONCE);
    expect(rotated.json<NamedKeySecretAnswer>().canceled).toBe(0);
    const revoked = await browser.call('DELETE', `${path}?cancel_scheduled=true`);
    expect(revoked.json<NamedKeysAnswer>()).toEqual({ keys: [], canceled: 1 });
    const replaced = await browser.call('POST', '/api/dashboard/key/rotate', { ...AT_ONCE, cancel_scheduled: true });
    expect(replaced.json<KeysAnswer>().canceled).toBe(1);
    expect([await scheduled(path), await scheduled('/api/dashboard/key')]).toEqual([{ messages: 0 }, { messages: 0 }]);
    while (await server.get(KeySchedules).run());
  });

  it('replaces a secret', async () => {
    const id = await createdId();
    const answer = await browser.call('POST', `${PATH}/${id}/rotate`, AT_ONCE);
    const { secret, keys } = answer.json<NamedKeySecretAnswer>();
    expect(keys).toMatchObject([{ id, masked: `pt_live_••••${secret.slice(-4)}` }]);
  });

  it('keeps an old secret for the chosen time, shows it and ends it', async () => {
    const { secret, keys } = await create();
    const path = `${PATH}/${keys[0]?.id}`;
    const old = { masked: `pt_live_••••${secret.slice(-4)}`, lastUsedAt: null, expiresAt: expect.stringMatching(/Z$/) };
    const answer = await browser.call('POST', `${path}/rotate`, { keepOldForHours: 24 });
    const [key] = answer.json<NamedKeySecretAnswer>().keys;
    expect(key?.earlier).toEqual([old]);
    const leftMs = Date.parse(key?.earlier[0]?.expiresAt ?? '') - Date.now();
    expect(leftMs).toBeGreaterThan(23 * 3_600_000);
    expect(leftMs).toBeLessThanOrEqual(24 * 3_600_000 + 60_000);
    expect(await codeOf('DELETE', `${path}/earlier`)).toEqual([200, undefined]);
    expect(await list()).toMatchObject([{ earlier: [] }]);
  });

  it.each([[-1], [73], [1.5], ['1'], [undefined]])('keeps no old secret for %j hours', async (keepOldForHours) => {
    const id = await createdId();
    expect(await codeOf('POST', `${PATH}/${id}/rotate`, { keepOldForHours })).toEqual([400, 'invalid_request']);
  });

  it('keeps at most 10 old secrets, until they are ended', async () => {
    const path = `${PATH}/${await createdId()}`;
    for (let n = 1; n <= limits.oldKeysMax; n += 1)
      expect(await codeOf('POST', `${path}/rotate`, { keepOldForHours: 1 })).toEqual([200, undefined]);
    expect(await codeOf('POST', `${path}/rotate`, { keepOldForHours: 1 })).toEqual([409, 'too_many_keys']);
    expect(await codeOf('POST', `${path}/rotate`, AT_ONCE)).toEqual([200, undefined]);
    expect(await list()).toMatchObject([{ earlier: [] }]);
  });

  it('needs a session, and a fresh one to create and rotate', async () => {
    const id = await createdId();
    const stranger = new TestBrowser(server);
    expect((await stranger.get(PATH)).statusCode).toBe(401);
    for (const [method, path] of [
      ['POST', PATH],
      ['PUT', `${PATH}/${id}`],
      ['DELETE', `${PATH}/${id}`],
      ['DELETE', `${PATH}/${id}/earlier`],
      ['POST', `${PATH}/${id}/rotate`],
    ] as const)
      expect((await stranger.call(method, path, body)).statusCode).toBe(401);
    await makeSessionOld();
    expect(await codeOf('POST', PATH, { ...body, mode: 'live' })).toEqual([403, 'sign_in_again']);
    expect(await codeOf('POST', `${PATH}/${id}/rotate`, AT_ONCE)).toEqual([403, 'sign_in_again']);
    expect(await codeOf('PUT', `${PATH}/${id}`, body)).toEqual([200, undefined]);
    expect(await codeOf('DELETE', `${PATH}/${id}`)).toEqual([200, undefined]);
  });

  it('does not find a key of another account, an unknown one or one that is no id', async () => {
    const id = await createdId();
    account = await createTestAccount(server);
    browser = await TestBrowser.signedIn(server, account.id);
    for (const path of [`${PATH}/${id}`, `${PATH}/${UNKNOWN}`, `${PATH}/x`]) {
      expect(await codeOf('PUT', path, body)).toEqual([404, 'key_not_found']);
      expect(await codeOf('DELETE', path)).toEqual([404, 'key_not_found']);
      expect(await codeOf('DELETE', `${path}/earlier`)).toEqual([404, 'key_not_found']);
      expect(await codeOf('POST', `${path}/rotate`, AT_ONCE)).toEqual([404, 'key_not_found']);
    }
  });

  it.each([
    [{ addresses: ['10.1'] }, 'key_settings_invalid'],
    [{ addresses: ['203.0.113.0/33'] }, 'key_settings_invalid'],
    [{ countries: ['XX'] }, 'key_settings_invalid'],
    [{ expiresAt: '2020-01-01T00:00:00.000Z' }, 'key_settings_invalid'],
    [{ expiresAt: 'tomorrow' }, 'invalid_request'],
    [{ name: ' ' }, 'invalid_request'],
    [{ name: 'x'.repeat(61) }, 'invalid_request'],
    [{ scopes: [] }, 'invalid_request'],
    [{ scopes: ['all'] }, 'invalid_request'],
    [{ creditsPerDay: 0 }, 'invalid_request'],
    [{ creditsPerMonth: 1.5 }, 'invalid_request'],
    [{ messagesPerSecond: 1_001 }, 'invalid_request'],
    [{ mode: 'sandbox' }, 'invalid_request'],
    [{ addresses: Array.from({ length: 21 }, () => '203.0.113.7') }, 'invalid_request'],
  ])('rejects %j', async (change, code) => {
    expect(await create(change)).toMatchObject({ status: 400, code });
    expect(await list()).toEqual([]);
  });

  it('creates at most 20 keys, also at the same time', async () => {
    // If more came at once, some would be refused because too many wait.
    const some = () => Promise.all(Array.from({ length: limits.namedKeysMax / 2 + 2 }, () => create()));
    const answers = [...(await some()), ...(await some())];
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(limits.namedKeysMax);
    expect(answers.filter(({ code }) => code === 'key_limit')).toHaveLength(4);
    expect(await list()).toHaveLength(limits.namedKeysMax);
  });

  it('records every change in the audit log, without names, addresses and secrets, and tells the owner', async () => {
    const { secret, keys } = await create();
    const path = `${PATH}/${keys[0]?.id}`;
    // The second call changes nothing.
    for (const creditsPerDay of [60, 60]) await codeOf('PUT', path, { ...body, creditsPerDay });
    await codeOf('POST', `${path}/rotate`, AT_ONCE);
    await codeOf('DELETE', path);
    const entries = await server.get(AuditLog).list({ accountId: account.id, beforeId: undefined, entriesMax: 4 });
    expect(entries.map(({ action }) => action)).toEqual(['key.revoked', 'key.rotated', 'key.changed', 'key.created']);
    const ofKey = expect.objectContaining({ keyId: keys[0]?.id });
    expect(entries.map(({ details }) => details)).toEqual([ofKey, ofKey, ofKey, ofKey]);
    expect(JSON.stringify(entries)).not.toMatch(new RegExp(`${secret}|Shop|203\\.0\\.113`));
    const mails = await bed.database.sql<{ change: string; name: string }>(
      `SELECT content->>'change' AS change, content->>'name' AS name FROM mails
       WHERE account_id = $1 AND kind = 'key_changed' ORDER BY created_at`,
      [account.id],
    );
    expect(mails).toEqual([
      { change: 'created', name: 'Shop' },
      { change: 'rotated', name: 'Shop' },
    ]);
  });

  it('ends every key of an account that is erased, and forgets keys that expired long ago', async () => {
    const { secret } = await create();
    const old = await createTestAccount(server);
    browser = await TestBrowser.signedIn(server, old.id);
    await create();
    await bed.database.sql(
      `UPDATE api_keys SET expires_at = now() - interval '91 days' WHERE account_id = $1 AND NOT is_default`,
      [old.id],
    );
    await server.get(AccountRetention).run();
    expect(await list()).toEqual([]);
    await server.get(AccountErasure).erase(account.email, 'asked');
    expect((await server.inject({ url: `/api/balance?apikey=${secret}` })).statusCode).toBe(401);
    const [left] = await bed.database.sql('SELECT count(*)::int AS keys FROM api_keys WHERE account_id = $1', [
      account.id,
    ]);
    expect(left).toEqual({ keys: 0 });
  });

  it('is part of the account’s export, without secrets', async () => {
    const { secret } = await create();
    const document = (await browser.get('/api/dashboard/export')).json<{ account: object }>();
    expect(document.account).toMatchObject({
      apiKeys: [{ masked: expect.stringContaining('•') }],
      namedKeys: [{ name: 'Shop', masked: `pt_live_••••${secret.slice(-4)}` }],
    });
    expect(JSON.stringify(document)).not.toContain(account.apiKey);
  });
});
