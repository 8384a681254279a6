import { AuditLog } from '#core/audit/audit-log.js';
import { ApiKeyUsage } from '#core/keys/api-key-usage.js';
import { ReencryptKeys } from '#core/keys/reencrypt-keys.js';
import { createTestAccount, type TestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { testVariables } from '#core/testing/test-config.js';
import { createTestCore } from '#core/testing/test-core.js';
import type { KeysAnswer } from '#contract/account.js';
import { TestBrowser } from '../testing/browser.js';
import { createTestServer, type TestServer } from '../testing/test-server.js';

const PATH = '/api/dashboard/key';

describe('/api/dashboard/key', () => {
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

  const show = async () => (await browser.get(PATH)).json<KeysAnswer>();
  const rotate = (keepOldForHours: unknown) => browser.call('POST', `${PATH}/rotate`, { keepOldForHours });
  const send = async (apikey: string) =>
    (await server.send({ to: '+14155552671', message: 'Hello', apikey })).statusCode;
  const read = async (apikey: string) => (await server.inject({ url: `/api/balance?apikey=${apikey}` })).statusCode;

  it('shows the key masked and readable', async () => {
    const keys = await show();
    expect(keys).toEqual({
      apiKey: account.apiKey,
      masked: `••••••••-••••-••••-••••-••••••••${account.apiKey.slice(-4)}`,
      createdAt: expect.stringMatching(/Z$/),
      lastUsedAt: null,
      lastUsedAddress: null,
      earlier: [],
    });
  });

  it('needs a session', async () => {
    expect((await new TestBrowser(server).get(PATH)).statusCode).toBe(401);
    expect((await new TestBrowser(server).call('POST', `${PATH}/rotate`, { keepOldForHours: 0 })).statusCode).toBe(401);
  });

  it('does not rotate for a page of another site', async () => {
    const answer = await browser.call(
      'POST',
      `${PATH}/rotate`,
      { keepOldForHours: 0 },
      { 'sec-fetch-site': 'cross-site' },
    );
    expect(answer.statusCode).toBe(403);
    expect((await show()).apiKey).toBe(account.apiKey);
  });

  it('accepts the old key until it expires', async () => {
    const { apiKey, earlier } = (await rotate(24)).json<KeysAnswer>();
    expect(apiKey).not.toBe(account.apiKey);
    expect(earlier).toEqual([
      { masked: expect.stringContaining(account.apiKey.slice(-4)), lastUsedAt: null, expiresAt: expect.any(String) },
    ]);
    const hours = (Date.parse(earlier[0]?.expiresAt ?? '') - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(23.9);
    expect(hours).toBeLessThanOrEqual(24.1);
    for (const key of [apiKey, account.apiKey]) expect([await send(key), await read(key)]).toEqual([200, 200]);
    await bed.database.sql(
      'UPDATE key_secrets SET expires_at = now() WHERE account_id = $1 AND expires_at IS NOT NULL',
      [account.id],
    );
    expect([await send(account.apiKey), await read(account.apiKey)]).toEqual([401, 401]);
    expect([await send(`${account.apiKey}_test`), await send(apiKey)]).toEqual([401, 200]);
    expect((await show()).earlier).toEqual([]);
  });

  it('revokes every old key at once on request', async () => {
    await rotate(72);
    const { apiKey, earlier } = (await rotate(0)).json<KeysAnswer>();
    expect(earlier).toEqual([]);
    expect([await send(account.apiKey), await send(apiKey)]).toEqual([401, 200]);
  });

  it('keeps the earlier end that an older key had', async () => {
    await rotate(1);
    const { earlier } = (await rotate(72)).json<KeysAnswer>();
    expect(earlier).toHaveLength(2);
    const first = earlier.find(({ masked }) => masked.endsWith(account.apiKey.slice(-4)));
    expect(Date.parse(first?.expiresAt ?? '')).toBeLessThan(Date.now() + 3_700_000);
  });

  it('leaves one current key after concurrent rotations', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => rotate(1)));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 200]);
    const { apiKey, earlier } = await show();
    expect(earlier).toHaveLength(5);
    expect(await send(apiKey)).toBe(200);
  });

  it('keeps at most 10 old keys and revokes them all on request', async () => {
    for (let count = 0; count < 10; count += 1) expect((await rotate(72)).statusCode).toBe(200);
    const refused = await rotate(72);
    expect([refused.statusCode, refused.json<{ code: string }>().code]).toEqual([409, 'too_many_keys']);
    expect((await rotate(0)).json<KeysAnswer>().earlier).toEqual([]);
  });

  it.each([[-1], [73], [1.5], ['1'], [null], [undefined]])('rejects to keep a key for %j hours', async (hours) => {
    const answer = await rotate(hours);
    expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([400, 'invalid_request']);
    expect((await show()).apiKey).toBe(account.apiKey);
  });

  it('shows when a key was last used, written at most once a minute', async () => {
    await send(account.apiKey);
    await server.get(ApiKeyUsage).flush();
    const { lastUsedAt } = await show();
    expect(Date.parse(lastUsedAt ?? '')).toBeGreaterThan(Date.now() - 60_000);
    await read(`${account.apiKey}_test`);
    await server.get(ApiKeyUsage).flush();
    expect((await show()).lastUsedAt).toBe(lastUsedAt);
  });

  it('records rotations in the audit log', async () => {
    await rotate(5);
    const [entry] = await server.get(AuditLog).list({ accountId: account.id, beforeId: undefined, entriesMax: 1 });
    expect(entry).toMatchObject({ action: 'key.rotated', details: { keepOldForHours: 5 } });
  });

  it('is readable after the encryption key was rotated, and without the old one after re-encryption', async () => {
    const newKey = Buffer.alloc(32, 9).toString('base64');
    const rotating = {
      API_KEY_ENCRYPTION_KEY: newKey,
      API_KEY_ENCRYPTION_KEYS_OLD: testVariables.API_KEY_ENCRYPTION_KEY ?? '',
    };
    const [count] = await bed.database.sql<{ keys: number }>(
      'SELECT count(*)::int AS keys FROM key_secrets WHERE encrypted IS NOT NULL',
    );
    await bed.database.sql('UPDATE key_secrets SET encryption_key_id = NULL WHERE account_id = $1', [account.id]);
    const core = await createTestCore(bed.config(rotating));
    try {
      expect(await core.get(ReencryptKeys).reencrypt()).toEqual({ reencrypted: count?.keys, unreadable: 0 });
      expect(await core.get(ReencryptKeys).reencrypt()).toEqual({ reencrypted: 0, unreadable: 0 });
    } finally {
      await core.close();
    }
    const after = await createTestServer(bed.config({ API_KEY_ENCRYPTION_KEY: newKey }));
    try {
      const answer = await (await TestBrowser.signedIn(after, account.id)).get(PATH);
      expect(answer.json()).toMatchObject({ apiKey: account.apiKey });
    } finally {
      await after.close();
    }
  });
});
