import { Accounts } from '#core/accounts/accounts.js';
import { listSessions, type SessionView as SessionRow } from '#core/accounts/sessions/sessions.repository.js';
import { Sessions } from '#core/accounts/sessions/sessions.js';
import { Passwords } from '#core/accounts/sign-in/passwords.js';
import { AuditLog } from '#core/audit/audit-log.js';
import { Postgres } from '#core/platform/database/postgres.js';
import { createTestAccount, type TestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { limits } from '#contract/limits.js';
import type { SessionsAnswer } from '#contract/account.js';
import { z } from 'zod';
import { TestBrowser } from '../testing/browser.js';
import { createTestServer, type TestServer } from '../testing/test-server.js';

const PATH = '/api/dashboard/sessions';
const ROTATE = '/api/dashboard/key/rotate';
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';

const sessionRow: z.ZodType<SessionRow> = z.strictObject({
  id: z.uuid(),
  device: z.string(),
  address: z.string(),
  method: z.enum(['google', 'password']),
  startedAt: z.date(),
  lastSeenAt: z.date(),
});

describe('/api/dashboard/sessions', () => {
  let bed: TestBed;
  let server: TestServer;
  let account: TestAccount;

  beforeAll(async () => {
    bed = await createTestBed();
    server = await createTestServer(bed.config({ CUSTOM_SIGN_IN_ENABLED: 'true' }));
  });

  beforeEach(async () => {
    account = await createTestAccount(server);
  });

  afterAll(async () => {
    await server?.close();
    await bed?.remove();
  });

  const signedIn = () => TestBrowser.signedIn(server, account.id);
  const listOf = async (browser: TestBrowser) => (await browser.get(PATH)).json<SessionsAnswer>().sessions;
  const statusOf = async (browser: TestBrowser) => (await browser.get('/auth/me')).statusCode;
  const age = (minutes: number) =>
    bed.database.sql(`UPDATE sessions SET authenticated_at = now() - make_interval(mins => $2) WHERE account_id = $1`, [
      account.id,
      minutes,
    ]);

  it('lists the account’s sessions with device, address and times, and marks the current one', async () => {
    const other = await createTestAccount(server);
    await TestBrowser.signedIn(server, other.id);
    const browser = await signedIn();
    const email = `${account.id}@example.com`;
    const password = 'C0rrect!horse';
    await server.get(Accounts).create({
      email,
      displayName: '',
      signInType: 'custom',
      passwordHash: await server.get(Passwords).hash(password),
    });
    const custom = new TestBrowser(server);
    const answer = await custom.call(
      'POST',
      '/auth/login',
      { email, password },
      { 'sec-fetch-site': 'same-origin', 'user-agent': FIREFOX },
    );
    expect(answer.statusCode).toBe(200);
    expect(await listOf(custom)).toEqual([
      {
        id: expect.any(String),
        device: 'Firefox on Linux',
        address: '127.0.0.1',
        method: 'password',
        startedAt: expect.stringMatching(/Z$/),
        lastSeenAt: expect.stringMatching(/Z$/),
        current: true,
      },
    ]);
    await signedIn();
    expect((await listOf(browser)).filter(({ current }) => current)).toHaveLength(1);
    const [row] = await server.get(Postgres).query<object>(listSessions, [account.id, 30, 7]);
    sessionRow.parse(row);
  });

  it('ends one session, and no session of another account', async () => {
    const [browser, lost] = [await signedIn(), await signedIn()];
    const stranger = await TestBrowser.signedIn(server, (await createTestAccount(server)).id);
    const id = (await listOf(browser)).find(({ current }) => !current)?.id ?? '';
    const refused = await stranger.call('DELETE', `${PATH}/${id}`);
    expect([refused.statusCode, refused.json<{ code: string }>().code]).toEqual([404, 'session_not_found']);
    const answer = await browser.call('DELETE', `${PATH}/${id}`);
    expect(answer.json<SessionsAnswer>().sessions).toMatchObject([{ current: true }]);
    expect([await statusOf(lost), await statusOf(browser)]).toEqual([401, 200]);
    for (const gone of [id, 'no-uuid']) expect((await browser.call('DELETE', `${PATH}/${gone}`)).statusCode).toBe(404);
  });

  it('ends all other sessions and records it', async () => {
    const [browser, one, two] = [await signedIn(), await signedIn(), await signedIn()];
    const answer = await browser.call('POST', `${PATH}/end-others`);
    expect(answer.json<SessionsAnswer>().sessions).toMatchObject([{ current: true }]);
    expect([await statusOf(one), await statusOf(two), await statusOf(browser)]).toEqual([401, 401, 200]);
    const [entry] = await server.get(AuditLog).list({ accountId: account.id, beforeId: undefined, entriesMax: 1 });
    expect(entry).toMatchObject({ action: 'session.others_ended', details: { sessions: 2 } });
  });

  it.each([
    ['all end the others', (browser: TestBrowser) => browser.call('POST', `${PATH}/end-others`)],
    ['each ends the next one', (browser: TestBrowser, next: string) => browser.call('DELETE', `${PATH}/${next}`)],
  ])('never signs out everyone when eight sessions end each other at once: %s', async (title, end) => {
    const browsers: TestBrowser[] = [];
    const ids: string[] = [];
    for (let count = 0; count < 8; count += 1) {
      const browser = await signedIn();
      browsers.push(browser);
      ids.push((await listOf(browser)).find(({ current }) => current)?.id ?? '');
    }
    const answers = await Promise.all(
      browsers.map((browser, index) => end(browser, ids[(index + 1) % ids.length] ?? '')),
    );
    const left = await Promise.all(browsers.map(statusOf));
    expect(left).toContain(200);
    for (const [index, { statusCode, body }] of answers.entries()) {
      expect([200, 401]).toContain(statusCode);
      if (statusCode === 401) {
        expect(JSON.parse(body)).toMatchObject({
          error: 'Please log in to view the dashboard.',
          code: 'not_signed_in',
          detail: expect.stringContaining('Sign in again.'),
        });
        expect(left[index]).toBe(401);
      }
    }
    if (title === 'all end the others') {
      expect(left.filter((status) => status === 200)).toHaveLength(1);
      expect(answers.map(({ statusCode }) => statusCode)).toEqual(left);
    }
  });

  it('needs a session and our own page', async () => {
    const browser = await signedIn();
    expect((await new TestBrowser(server).get(PATH)).statusCode).toBe(401);
    const crossSite = await browser.call('POST', `${PATH}/end-others`, undefined, { 'sec-fetch-site': 'cross-site' });
    expect(crossSite.statusCode).toBe(403);
  });

  it(`keeps at most ${limits.sessionsMax} sessions of an account, the last used ones`, async () => {
    const first = await signedIn();
    await bed.database.sql(`UPDATE sessions SET seen_at = now() - interval '1 hour' WHERE account_id = $1`, [
      account.id,
    ]);
    const start = () => server.get(Sessions).start(account.id, { method: 'google', earlierToken: undefined });
    for (let count = 0; count < limits.sessionsMax - 1; count += 1) await start();
    const newest = await signedIn();
    expect(await listOf(newest)).toHaveLength(limits.sessionsMax);
    expect([await statusOf(first), await statusOf(newest)]).toEqual([401, 200]);
  });

  it('ends sessions after the configured times, also those that were started before the change', async () => {
    const browser = await signedIn();
    const short = await createTestServer(bed.config({ SESSION_DAYS: '2', SESSION_IDLE_DAYS: '1' }));
    try {
      const there = new TestBrowser(short);
      for (const [name, value] of browser.cookies) there.cookies.set(name, value);
      expect(await statusOf(there)).toBe(200);
      await bed.database.sql(`UPDATE sessions SET seen_at = now() - interval '25 hours' WHERE account_id = $1`, [
        account.id,
      ]);
      expect([await statusOf(there), await statusOf(browser)]).toEqual([401, 200]);
      await bed.database.sql(`UPDATE sessions SET created_at = now() - interval '49 hours' WHERE account_id = $1`, [
        account.id,
      ]);
      expect([await statusOf(there), await statusOf(browser)]).toEqual([401, 200]);
    } finally {
      await short.close();
    }
  });

  it('uses the plain cookie name over http', async () => {
    const plain = await createTestServer(
      bed.config({ PUBLIC_URL: 'http://127.0.0.1:3000', CUSTOM_SIGN_IN_ENABLED: 'true' }),
    );
    try {
      const browser = new TestBrowser(plain);
      const email = `${account.id}@example.com`;
      const body = { username: 'Ada', email, password: 'C0rrect!horse' };
      expect((await browser.call('POST', '/auth/signup', body)).statusCode).toBe(201);
      expect([...browser.cookies.keys()].toSorted()).toEqual(['pennytext_device', 'pennytext_session']);
      expect(await statusOf(browser)).toBe(200);
    } finally {
      await plain.close();
    }
  });

  describe('a fresh sign-in', () => {
    it(`is needed to rotate the key ${limits.freshSignInMinutes} minutes after the last one, and not to see it`, async () => {
      const browser = await signedIn();
      await age(limits.freshSignInMinutes);
      const answer = await browser.call('POST', ROTATE, { keepOldForHours: 1 });
      expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([403, 'sign_in_again']);
      expect((await browser.get('/api/dashboard/key')).json()).toMatchObject({ apiKey: account.apiKey, earlier: [] });
      await age(limits.freshSignInMinutes - 1);
      expect((await browser.call('POST', ROTATE, { keepOldForHours: 1 })).statusCode).toBe(200);
    });

    it('is made by confirming the password', async () => {
      await bed.database.sql(`UPDATE accounts SET sign_in_type = 'custom', password_hash = $2 WHERE id = $1`, [
        account.id,
        await server.get(Passwords).hash('C0rrect!horse'),
      ]);
      const browser = await signedIn();
      await age(60);
      const wrong = await browser.call('POST', '/auth/confirm', { password: 'Wr0ng!horse' });
      expect([wrong.statusCode, wrong.json<{ code: string }>().code]).toEqual([403, 'password_wrong']);
      expect((await browser.call('POST', ROTATE, { keepOldForHours: 1 })).statusCode).toBe(403);
      expect((await browser.call('POST', '/auth/confirm', { password: 'C0rrect!horse' })).statusCode).toBe(204);
      expect((await browser.call('POST', ROTATE, { keepOldForHours: 1 })).statusCode).toBe(200);
    });

    it('cannot be made with a password by an account that has none, and guesses are limited', async () => {
      const browser = await signedIn();
      const statuses: number[] = [];
      for (let guess = 0; guess < 11; guess += 1)
        statuses.push((await browser.call('POST', '/auth/confirm', { password: 'any' })).statusCode);
      expect(statuses).toEqual([...Array.from({ length: 10 }, () => 403), 429]);
    });
  });
});
