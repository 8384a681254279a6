import { AccountsRepository } from '#core/accounts/accounts.repository.js';
import { AuditLog } from '#core/audit/audit-log.js';
import { createTestAccount, type TestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { Sessions } from '#core/accounts/sessions/sessions.js';
import { SESSION_COOKIE, TestBrowser } from '../testing/browser.js';
import { createTestServer, type TestServer } from '../testing/test-server.js';
import { AccountRetention } from '#core/accounts/account-retention.js';

describe('sessions', () => {
  let bed: TestBed;
  let server: TestServer;
  let account: TestAccount;

  beforeAll(async () => {
    bed = await createTestBed();
    server = await createTestServer(bed.config());
  });

  beforeEach(async () => {
    account = await createTestAccount(server);
  });

  afterAll(async () => {
    await server?.close();
    await bed?.remove();
  });

  const signedIn = () => TestBrowser.signedIn(server, account.id);
  const sessions = () => bed.database.sql('SELECT token_hash FROM sessions WHERE account_id = $1', [account.id]);

  it('returns the signed-in user and forbids caching', async () => {
    const answer = await (await signedIn()).get('/auth/me');
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({ id: account.id, email: account.email, displayName: 'Test' });
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  it.each([
    ['no cookie', undefined],
    ['an unknown token', 'A'.repeat(43)],
    ['no token at all', `' OR 1=1 --`],
  ])('rejects %s', async (_title, token) => {
    const browser = new TestBrowser(server);
    if (token) browser.cookies.set(SESSION_COOKIE, encodeURIComponent(token));
    const answer = await browser.get('/auth/me');
    expect(answer.statusCode).toBe(401);
    expect(answer.json()).toMatchObject({
      success: 'false',
      code: 'not_signed_in',
      error: 'Please log in to view the dashboard.',
    });
  });

  it('stores no token in the database', async () => {
    const browser = await signedIn();
    const [row] = await bed.database.sql<{ row: string }>(
      'SELECT s::text AS row FROM sessions s WHERE account_id = $1',
      [account.id],
    );
    expect(row?.row).not.toContain(browser.cookies.get(SESSION_COOKIE));
  });

  it('ends on the server at sign-out, also for a copy of the cookie', async () => {
    const browser = await signedIn();
    const thief = new TestBrowser(server);
    thief.cookies.set(SESSION_COOKIE, browser.cookies.get(SESSION_COOKIE) ?? '');
    const answer = await browser.call('POST', '/auth/logout');
    expect(answer.statusCode).toBe(204);
    expect(browser.cookies.size).toBe(0);
    expect((await thief.get('/auth/me')).statusCode).toBe(401);
    expect(await sessions()).toEqual([]);
    expect((await browser.call('POST', '/auth/logout')).statusCode).toBe(204);
  });

  it('ends the browser’s earlier session when another one starts', async () => {
    const earlier = await server.get(Sessions).start(account.id, { method: 'google', earlierToken: undefined });
    const later = await server.get(Sessions).start(account.id, { method: 'google', earlierToken: earlier });
    expect(later).not.toBe(earlier);
    expect(await server.get(Sessions).find(earlier)).toBeUndefined();
    expect(await server.get(Sessions).find(later)).toMatchObject({ accountId: account.id });
  });

  it.each([
    ['30 days after its start', `created_at = now() - interval '30 days', expires_at = now()`],
    ['after 7 days without use', `seen_at = now() - interval '7 days'`],
  ])('ends %s and is deleted by retention', async (_title, change) => {
    const browser = await signedIn();
    await bed.database.sql(`UPDATE sessions SET ${change} WHERE account_id = $1`, [account.id]);
    expect((await browser.get('/auth/me')).statusCode).toBe(401);
    await server.get(AccountRetention).run();
    expect(await sessions()).toEqual([]);
  });

  it('is found among others while it is valid, which does not count as use', async () => {
    const store = server.get(Sessions);
    const start = () => store.start(account.id, { method: 'google', earlierToken: undefined });
    const [idle, ended, used] = [await start(), await start(), await start()];
    await bed.database.sql(`UPDATE sessions SET seen_at = now() - interval '6 days' WHERE account_id = $1`, [
      account.id,
    ]);
    await store.end(ended);
    await store.find(used);
    expect(await store.liveAmong([idle, ended, used, 'A'.repeat(43)])).toEqual(new Set([idle, used]));
    await bed.database.sql(`UPDATE sessions SET seen_at = seen_at - interval '1 day' WHERE account_id = $1`, [
      account.id,
    ]);
    expect(await store.liveAmong([idle, used])).toEqual(new Set([used]));
    await server.get(AccountsRepository).change(account.id, { blockedAt: new Date() });
    expect(await store.liveAmong([used])).toEqual(new Set());
  });

  it('stays valid while it is used', async () => {
    const browser = await signedIn();
    await bed.database.sql(`UPDATE sessions SET seen_at = now() - interval '6 days' WHERE account_id = $1`, [
      account.id,
    ]);
    expect((await browser.get('/auth/me')).statusCode).toBe(200);
    await server.get(AccountRetention).run();
    expect(
      await bed.database.sql(`SELECT 1 FROM sessions WHERE account_id = $1 AND seen_at > now() - interval '1 minute'`, [
        account.id,
      ]),
    ).toHaveLength(1);
  });

  it('rejects a blocked account', async () => {
    const browser = await signedIn();
    await server.get(AccountsRepository).change(account.id, { blockedAt: new Date() });
    expect((await browser.get('/auth/me')).statusCode).toBe(401);
  });

  it.each([
    ['another site says so', { 'sec-fetch-site': 'cross-site' }],
    ['a sister site says so', { 'sec-fetch-site': 'same-site', origin: 'https://evil.pennytext.test' }],
    ['its origin is another', { origin: 'https://evil.example' }],
    ['its origin is hidden', { origin: 'null' }],
    ['it says nothing', {}],
  ])('rejects a call from another site: %s', async (_title, headers) => {
    const browser = await signedIn();
    const answer = await browser.call('POST', '/auth/logout', undefined, headers);
    expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([403, 'cross_site']);
    expect((await browser.get('/auth/me')).statusCode).toBe(200);
  });

  it.each([{ 'sec-fetch-site': 'same-origin' }, { 'sec-fetch-site': 'none' }, { origin: 'https://pennytext.test' }])(
    'takes %j for our own page',
    async (headers) => {
      const answer = await (await signedIn()).call('POST', '/auth/logout', undefined, headers);
      expect(answer.statusCode).toBe(204);
    },
  );

  it('records sign-in and sign-out in the audit log', async () => {
    await (await signedIn()).call('POST', '/auth/logout');
    const entries = await server.get(AuditLog).list({ accountId: account.id, beforeId: undefined, entriesMax: 10 });
    expect(entries.map(({ action, actor, details }) => ({ action, actor, details }))).toEqual([
      { actor: 'account', action: 'session.ended', details: {} },
      { actor: 'account', action: 'session.started', details: { method: 'google' } },
    ]);
  });
});
