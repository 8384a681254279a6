import { renderMail, type MailContent } from '#core/mail/mail-template.js';
import { createTestAccount, type TestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import type { AccountAnswer } from '#contract/account.js';
import { limits } from '#contract/limits.js';
import { Sessions } from '#core/accounts/sessions/sessions.js';
import { TestBrowser } from '../testing/browser.js';
import { createTestServer, type TestServer } from '../testing/test-server.js';
import { AccountRetention } from '#core/accounts/account-retention.js';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';
const PASSWORD = 'C0rrect!horse';

describe('email notices', () => {
  let bed: TestBed;
  let server: TestServer;
  let account: TestAccount;
  let browser: TestBrowser;

  beforeAll(async () => {
    bed = await createTestBed();
    server = await createTestServer(bed.config({ CUSTOM_SIGN_IN_ENABLED: 'true' }));
  });

  beforeEach(async () => {
    account = await createTestAccount(server);
    browser = await TestBrowser.signedIn(server, account.id);
  });

  afterAll(async () => {
    await server?.close();
    await bed?.remove();
  });

  const noticesTo = async (email: string) => {
    const rows = await bed.database.sql<{ content: MailContent }>(
      `SELECT content FROM mails WHERE recipient = $1 AND kind NOT IN ('welcome', 'verify_email') ORDER BY created_at`,
      [email],
    );
    return rows.map(({ content }) => content);
  };
  const choose = (...notices: string[]) => browser.call('PUT', '/api/dashboard/notices', { notices });
  const setUrl = (webhookUrl: string) => browser.call('PUT', '/api/dashboard/webhook-url', { webhookUrl });

  describe('about a sign-in', () => {
    let nth = 0;
    let email: string;
    const headers = { 'sec-fetch-site': 'same-origin', 'user-agent': FIREFOX };
    const logIn = async (device: TestBrowser) => {
      const answer = await device.call('POST', '/auth/login', { email, password: PASSWORD }, headers);
      expect(answer.statusCode).toBe(200);
    };

    beforeEach(async () => {
      nth += 1;
      email = `device${nth}@example.com`;
      browser = new TestBrowser(server);
      const body = { username: 'Ada', email, password: PASSWORD };
      expect((await browser.call('POST', '/auth/signup', body, headers)).statusCode).toBe(201);
    });

    it('are sent for a browser that the account does not know, once, and not for known ones', async () => {
      expect(await noticesTo(email)).toEqual([]);
      await browser.call('POST', '/auth/logout');
      await logIn(browser);
      expect(await noticesTo(email)).toEqual([]);
      const other = new TestBrowser(server);
      await logIn(other);
      await logIn(other);
      expect(await noticesTo(email)).toEqual([
        { kind: 'new_device', device: 'Firefox on Linux', address: '127.0.0.1', at: expect.stringMatching(/Z$/) },
      ]);
      expect([...other.cookies.keys()].toSorted((a, b) => a.localeCompare(b))).toContain('__Host-pennytext_device');
    });

    it('are not sent to an account that has turned them off', async () => {
      expect((await choose('key_changed')).statusCode).toBe(200);
      await logIn(new TestBrowser(server));
      expect(await noticesTo(email)).toEqual([]);
    });

    it('remember a bounded number of browsers for a bounded time', async () => {
      const { id } = (await browser.get('/auth/me')).json<{ id: string }>();
      const start = (token: string) =>
        server.get(Sessions).start(id, {
          method: 'password',
          earlierToken: undefined,
          client: { device: '', address: '127.0.0.1', token },
        });
      for (let count = 0; count < 101; count += 1) await start(`browser ${count}`);
      const devices = () => bed.database.sql('SELECT 1 FROM account_devices WHERE account_id = $1', [id]);
      expect(await devices()).toHaveLength(100);
      await bed.database.sql('UPDATE account_devices SET seen_at = now() - make_interval(days => $1)', [
        limits.deviceDaysMax,
      ]);
      await server.get(AccountRetention).run();
      expect(await devices()).toEqual([]);
    });
  });

  it('are sent when the key is rotated', async () => {
    await browser.call('POST', '/api/dashboard/key/rotate', { keepOldForHours: 0 });
    expect(await noticesTo(account.email)).toEqual([
      { kind: 'key_changed', change: 'rotated', at: expect.any(String) },
    ]);
  });

  it('are sent when the webhook’s URL or secret changes, with the host alone', async () => {
    for (const url of ['https://example.com/secret-path', 'https://example.com/secret-path', '']) await setUrl(url);
    await browser.call('POST', '/api/dashboard/webhook/secret/rotate');
    const at = expect.any(String) as string;
    expect(await noticesTo(account.email)).toEqual([
      { kind: 'webhook_changed', change: 'url', host: 'example.com', at },
      { kind: 'webhook_changed', change: 'url', host: null, at },
      { kind: 'webhook_changed', change: 'secret', host: null, at },
    ]);
  });

  it('can be turned off one by one, only after a fresh sign-in', async () => {
    const shown = async () => (await browser.get('/api/dashboard/account')).json<AccountAnswer>().notices;
    expect(await shown()).toEqual([
      'new_device',
      'key_changed',
      'webhook_changed',
      'webhook_failing',
      'payment_disputed',
    ]);
    expect((await choose('new_device', 'webhook_changed')).json<AccountAnswer>().notices).toEqual([
      'new_device',
      'webhook_changed',
    ]);
    await browser.call('POST', '/api/dashboard/key/rotate', { keepOldForHours: 0 });
    expect(await noticesTo(account.email)).toEqual([]);
    await setUrl('https://example.com/');
    expect(await noticesTo(account.email)).toHaveLength(1);
    expect((await choose('nonsense')).statusCode).toBe(400);
    await bed.database.sql(
      `UPDATE sessions SET authenticated_at = now() - interval '10 minutes' WHERE account_id = $1`,
      [account.id],
    );
    const refused = await choose();
    expect([refused.statusCode, refused.json<{ code: string }>().code]).toEqual([403, 'sign_in_again']);
    expect(await shown()).toEqual(['new_device', 'webhook_changed']);
  });

  it.each<[MailContent, string, string]>([
    [
      { kind: 'new_device', device: 'Firefox on Linux', address: '203.0.113.7', at: '2026-11-29T05:00:00.000Z' },
      'New sign-in to your account',
      'Network address: 203.0.113.7\nTime: 11/29/2026, 12:00:00 AM (New York)',
    ],
    [
      { kind: 'key_changed', change: 'rotated', at: '2026-11-29T05:00:00.000Z' },
      'Your API key was replaced',
      'sign out all other devices',
    ],
    [
      { kind: 'key_changed', change: 'created', name: 'Shop', at: '2026-11-29T05:00:00.000Z' },
      'An API key was created',
      'Key: Shop\nTime: 11/29/2026, 12:00:00 AM (New York)',
    ],
    [
      { kind: 'webhook_changed', change: 'url', host: 'example.com', at: '2026-11-29T05:00:00.000Z' },
      'Your webhook was changed',
      'Host: example.com',
    ],
    [
      { kind: 'webhook_changed', change: 'url', host: null, at: '2026-11-29T05:00:00.000Z' },
      'Your webhook was changed',
      'Replies and events are no longer sent anywhere.',
    ],
    [
      { kind: 'payment_disputed', amountCents: 1_000, credits: 250, reason: 'fraudulent' },
      'A payment to Pennytext is disputed',
      'Amount: $10\nCredits: 250\nReason: fraudulent',
    ],
    [
      { kind: 'password_changed', by: 'link', address: '203.0.113.7', at: '2026-11-29T05:00:00.000Z' },
      'Your password was changed',
      'All devices were signed out.\n\nNetwork address: 203.0.113.7',
    ],
    [
      { kind: 'password_changed', by: 'takeover', address: '203.0.113.7', at: '2026-11-29T05:00:00.000Z' },
      'Your password was changed',
      'the API key was replaced and the webhook turned off',
    ],
    [
      { kind: 'delivery_suspended', recipients: 60, undelivered: 41 },
      'Your account can no longer send messages',
      'Recipients: 60\nNot reached: 41',
    ],
  ])('say what happened and what to do: %j', (content, subject, words) => {
    const mail = renderMail(content, 'https://pennytext.test');
    const canBeMuted = !['password_changed', 'delivery_suspended'].includes(content.kind);
    expect(mail.subject).toBe(subject);
    expect(mail.text).toContain(words);
    expect(mail.text.includes('You can turn it off on the Account page.')).toBe(canBeMuted);
    expect(mail.text).toMatch(/https:\/\/pennytext\.test\/(dashboard|forgot-password)/);
  });
});
