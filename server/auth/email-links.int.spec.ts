import type { AccountAnswer, KeysAnswer } from '#contract/account.js';
import { limits } from '#contract/limits.js';
import { AccountErasure } from '#core/accounts/account-erasure.js';
import { AccountsRepository } from '#core/accounts/accounts.repository.js';
import { Sessions } from '#core/accounts/sessions/sessions.js';
import { findLink, PasswordLinks } from '#core/accounts/sign-in/email-links.js';
import { SignIn } from '#core/accounts/sign-in/sign-in.js';
import { AuditLog } from '#core/audit/audit-log.js';
import { MailSender } from '#core/mail/mail-sender.js';
import type { MailContent } from '#core/mail/mail-template.js';
import { Mails } from '#core/mail/mails.js';
import { Encryption } from '#core/platform/crypto/encryption.js';
import { Postgres } from '#core/platform/database/postgres.js';
import { eventually } from '#core/testing/eventually.js';
import { createTestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { createTestCore } from '#core/testing/test-core.js';
import { TestBrowser } from '../testing/browser.js';
import { createTestServer, type TestServer } from '../testing/test-server.js';
import { AccountDeletion } from '#core/accounts/account-deletion.js';
import { AccountRetention } from '#core/accounts/account-retention.js';

const PASSWORD = 'C0rrect!horse';
const NEXT = 'B@tterystaple9';

describe('links in emails', () => {
  let bed: TestBed;
  let server: TestServer;
  let closed: TestServer;
  let nth = 0;
  let email: string;
  let id: string;
  let browser: TestBrowser;

  beforeAll(async () => {
    bed = await createTestBed();
    server = await createTestServer(bed.config({ CUSTOM_SIGN_IN_ENABLED: 'true' }));
    closed = await createTestServer(bed.config());
  });

  // Every test has an account of its own that has just signed up, and no earlier attempts.
  beforeEach(async () => {
    await bed.forgetQueue();
    nth += 1;
    email = `Ada${nth}@example.com`;
    browser = new TestBrowser(server);
    const answer = await browser.call('POST', '/auth/signup', { username: 'Ada', email, password: PASSWORD });
    id = answer.json<{ id: string }>().id;
  });

  afterEach(() => jest.restoreAllMocks());

  afterAll(async () => {
    await server?.close();
    await closed?.close();
    await bed?.remove();
  });

  const post = (path: string, body: object = {}, by = new TestBrowser(server)) => by.call('POST', path, body);
  const codeOf = async (answering: Promise<{ statusCode: number; json(): { code: string } }>) => {
    const answer = await answering;
    return answer.statusCode < 300 ? answer.statusCode : answer.json().code;
  };
  const mailsOf = (kind: MailContent['kind'], accountId = id) =>
    bed.database.sql<{ recipient: string; content: MailContent; secret: Buffer | null; secret_key_id: string }>(
      `SELECT recipient, content, secret, secret_key_id FROM mails WHERE account_id = $1 AND kind = $2
        ORDER BY created_at`,
      [accountId, kind],
    );
  const tokenOf = async (kind: MailContent['kind']) => {
    const mail = (await mailsOf(kind)).at(-1);
    if (!mail?.secret) throw new Error(`No ${kind} with a link`);
    return server.get(Encryption).decrypt({ ciphertext: mail.secret, keyId: mail.secret_key_id });
  };
  const actionsOf = async (accountId = id) => {
    const entries = await server.get(AuditLog).list({ accountId, beforeId: undefined, entriesMax: 50 });
    return entries.map(({ action, address, details }) => ({ action, address, details }));
  };
  const logIn = (password: string) => codeOf(post('/auth/login', { email, password }));
  const account = async () => (await browser.get('/api/dashboard/account')).json<AccountAnswer>();
  const age = (minutes: number) =>
    bed.database.sql(
      'UPDATE email_links SET expires_at = expires_at - make_interval(mins => $2) WHERE account_id = $1',
      [id, minutes],
    );
  const linksOf = () => bed.database.sql('SELECT 1 FROM email_links WHERE account_id = $1', [id]);
  const verify = async () => codeOf(post('/auth/verify-email', { token: await tokenOf('verify_email') }, browser));
  const settled = () => server.get(PasswordLinks).onModuleDestroy();
  const forgot = async () => {
    const before = (await mailsOf('reset_password')).length;
    expect(await codeOf(post('/auth/forgot-password', { email }))).toBe(204);
    await eventually('the link is queued', async () => (await mailsOf('reset_password')).length > before);
    return tokenOf('reset_password');
  };
  const reset = (token: string, password = NEXT) => codeOf(post('/auth/reset-password', { token, password }));

  describe('to verify the address', () => {
    it('are sent at the sign-up, with the token encrypted in the email and hashed in the database', async () => {
      const token = await tokenOf('verify_email');
      expect((await mailsOf('verify_email')).map(({ recipient }) => recipient)).toEqual([email]);
      const [stored] = await bed.database.sql<{ all: string }>(
        `SELECT (SELECT string_agg(m::text, '') FROM mails m) || (SELECT string_agg(l::text, '')
          FROM email_links l) AS all`,
      );
      expect(stored?.all).not.toContain(token);
      expect(stored?.all).not.toContain(Buffer.from(token).toString('hex'));
      expect(await server.get(Postgres).query(findLink, [Buffer.alloc(32), 'verify'])).toEqual([]);
      expect((await account()).emailVerified).toBe(false);
    });

    it('verify it once, and a repeated click changes nothing', async () => {
      const token = await tokenOf('verify_email');
      expect(await verify()).toBe(204);
      expect((await account()).emailVerified).toBe(true);
      expect(await codeOf(post('/auth/verify-email', { token }, browser))).toBe(204);
      expect(await linksOf()).toEqual([]);
      expect((await actionsOf()).filter(({ action }) => action === 'account.email_verified')).toEqual([
        { action: 'account.email_verified', address: '127.0.0.1', details: {} },
      ]);
    });

    it('do nothing without a session, or in the session of another account', async () => {
      const token = await tokenOf('verify_email');
      expect(await codeOf(post('/auth/verify-email', { token }))).toBe('not_signed_in');
      const other = new TestBrowser(server);
      await post('/auth/signup', { username: 'Eve', email: `eve${nth}@example.com`, password: PASSWORD }, other);
      expect(await codeOf(post('/auth/verify-email', { token }, other))).toBe('link_invalid');
      expect((await account()).emailVerified).toBe(false);
      expect(await verify()).toBe(204);
    });

    it('expire, and cannot be guessed or used for another purpose', async () => {
      for (const token of ['', 'x'.repeat(43), await forgot()])
        expect(await codeOf(post('/auth/verify-email', { token }, browser))).toBe('link_invalid');
      await age(limits.verificationLinkMinutes);
      expect(await verify()).toBe('link_invalid');
      await server.get(AccountRetention).run();
      expect(await linksOf()).toEqual([]);
    });

    it('are sent again a bounded number of times, and not once the address is verified', async () => {
      const resend = () => post('/auth/verify-email/resend', {}, browser);
      const statuses = await Promise.all(Array.from({ length: 4 }, async () => (await resend()).statusCode));
      expect(statuses.filter((status) => status === 204)).toHaveLength(limits.linkMailsPerHourMax - 1);
      const refused = await resend();
      expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '3600']);
      expect(refused.json()).toMatchObject({ code: 'too_many_mails', error: 'We sent you several emails already.' });
      expect(await verify()).toBe(204);
      expect((await resend()).statusCode).toBe(204);
      expect(await mailsOf('verify_email')).toHaveLength(limits.linkMailsPerHourMax);
    });

    it('are queued later with the welcome email when queueing fails', async () => {
      jest.spyOn(server.get(Mails), 'queue').mockRejectedValue(new Error('no room'));
      const late = new TestBrowser(server);
      const answer = await post(
        '/auth/signup',
        { username: 'L', email: `l${nth}@example.com`, password: PASSWORD },
        late,
      );
      const { id: lateId } = answer.json<{ id: string }>();
      expect((await late.get('/api/dashboard/welcome')).json()).toMatchObject({ emailFailed: true });
      jest.restoreAllMocks();
      expect((await post('/api/welcomeemail', {}, late)).statusCode).toBe(200);
      expect(await mailsOf('verify_email', lateId)).toHaveLength(1);
    });

    it('are not sent to people who come by Google', async () => {
      const profile = { subject: `g-${nth}`, email: `g${nth}@example.com`, emailVerified: true, displayName: 'G' };
      const { accountId } = await server.get(SignIn).withGoogle(profile);
      expect(await mailsOf('verify_email', accountId)).toEqual([]);
      const google = await TestBrowser.signedIn(server, accountId);
      expect((await google.get('/api/dashboard/account')).json<AccountAnswer>().emailVerified).toBe(true);
    });
  });

  it('let Google link an account only after its address was verified', async () => {
    const profile = { subject: `owner-${nth}`, email, emailVerified: true, displayName: 'Ada' };
    await expect(server.get(SignIn).withGoogle(profile)).rejects.toMatchObject({
      code: 'sign_in_failed',
      detail: 'This address has a password. Use it, or “Forgot your password?”.',
    });
    expect(await verify()).toBe(204);
    expect(await server.get(SignIn).withGoogle(profile, '203.0.113.7')).toMatchObject({ accountId: id });
    expect(await logIn(PASSWORD)).toBe(200);
    expect(await actionsOf()).toContainEqual({
      action: 'account.google_linked',
      address: '203.0.113.7',
      details: {},
    });
  });

  describe('to set a new password', () => {
    it('answer the same for every address, and send something to the owner alone', async () => {
      const google = await createTestAccount(server);
      const blocked = await createTestAccount(server, { blockedAt: new Date() });
      const answers = [];
      for (const one of [email, email.toUpperCase(), google.email, blocked.email, 'unknown@example.com'])
        answers.push(await post('/auth/forgot-password', { email: one }));
      const seen = answers.map(({ statusCode, body, headers }) => {
        const { 'x-request-id': _id, date: _date, ...rest } = headers;
        return { statusCode, body, rest };
      });
      expect(new Set(seen.map((one) => JSON.stringify(one))).size).toBe(1);
      expect(seen[0]).toMatchObject({ statusCode: 204, body: '' });
      await eventually('both links are queued', async () => (await mailsOf('reset_password')).length === 2);
      await eventually(
        'the reminder is queued',
        async () => (await mailsOf('google_reminder', google.id)).length === 1,
      );
      expect(await mailsOf('google_reminder', blocked.id)).toEqual([]);
      const others = await bed.database.sql(`SELECT 1 FROM mails WHERE recipient = 'unknown@example.com'`);
      expect(others).toEqual([]);
      expect((await actionsOf()).filter(({ action }) => action === 'password.link_requested')).toHaveLength(2);
    });

    it('answer before anything is written for an account', async () => {
      let carryOn = () => {};
      const waiting = new Promise<void>((resolve) => (carryOn = resolve));
      const queue = jest.spyOn(server.get(Mails), 'queue').mockImplementation(async () => {
        await waiting;
        return false;
      });
      expect(await codeOf(post('/auth/forgot-password', { email }))).toBe(204);
      await eventually('the link is about to be queued', () => Promise.resolve(queue.mock.calls.length === 1));
      expect(await linksOf()).toHaveLength(1);
      carryOn();
    });

    it('are sent to one account a bounded number of times, with the same answer beyond', async () => {
      for (let count = 0; count < limits.linkMailsPerHourMax; count += 1) await forgot();
      const answers = await Promise.all(Array.from({ length: 3 }, () => post('/auth/forgot-password', { email })));
      expect(answers.map(({ statusCode }) => statusCode)).toEqual([204, 204, 204]);
      await settled();
      expect(await mailsOf('reset_password')).toHaveLength(limits.linkMailsPerHourMax);
      expect(await reset(await tokenOf('reset_password'))).toBe(204);
    });

    it('are limited per network address', async () => {
      const strict = await createTestServer(bed.config({ CUSTOM_SIGN_IN_ENABLED: 'true', SIGN_INS_PER_ADDRESS: '2' }));
      try {
        const codes = [];
        for (let count = 0; count < 4; count += 1) {
          const one = new TestBrowser(strict);
          codes.push(await codeOf(one.call('POST', '/auth/forgot-password', { email: `x${count}@example.com` })));
          codes.push(await codeOf(one.call('POST', '/auth/reset-password', { token: 'x', password: NEXT })));
        }
        expect(codes.at(-1)).toBe('too_many_attempts');
        expect(codes.at(-2)).toBe('too_many_attempts');
      } finally {
        await strict.close();
      }
    });

    it.each([
      ['/auth/forgot-password', {}, 'fields_mandatory'],
      ['/auth/forgot-password', { email: 'nonsense' }, 'email_invalid'],
      ['/auth/forgot-password', { email: 'a\0@example.com' }, 'invalid_request'],
      ['/auth/forgot-password', { email: 5 }, 'invalid_request'],
      ['/auth/reset-password', { token: 'x' }, 'fields_mandatory'],
      ['/auth/reset-password', { token: 'x', password: 'short' }, 'password_invalid'],
      ['/auth/reset-password', { password: NEXT }, 'link_invalid'],
      ['/auth/reset-password', { token: 'x'.repeat(43), password: NEXT }, 'link_invalid'],
      ['/auth/reset-password', { token: { $ne: '' }, password: NEXT }, 'invalid_request'],
    ])('refuse at %s %j with %s', async (path, body, code) => {
      expect(await codeOf(post(path, body))).toBe(code);
    });

    it.each(['/auth/forgot-password', '/auth/reset-password'])('are off by default: %s', async (path) => {
      const body = { email, token: 'x'.repeat(43), password: NEXT };
      expect(await codeOf(post(path, body, new TestBrowser(closed)))).toBe('custom_sign_in_off');
      expect(await mailsOf('reset_password')).toEqual([]);
    });

    it.each(['/auth/forgot-password', '/auth/reset-password', '/auth/password', '/auth/verify-email'])(
      'are accepted only from our own pages: %s',
      async (path) => {
        const answer = await browser.call('POST', path, { email }, { 'sec-fetch-site': 'cross-site' });
        expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([403, 'cross_site']);
      },
    );

    it('set it once, end every session and link, and tell the owner', async () => {
      await verify();
      const key = (await browser.get('/api/dashboard/key')).json<KeysAnswer>().apiKey;
      await browser.call('PUT', '/api/dashboard/webhook-url', { webhookUrl: 'https://example.com/hook' });
      const [first, second] = [await forgot(), await forgot()];
      expect(await reset(first)).toBe(204);
      expect((await browser.get('/auth/me')).statusCode).toBe(401);
      expect([await reset(first), await reset(second)]).toEqual(['link_invalid', 'link_invalid']);
      expect(await linksOf()).toEqual([]);
      expect([await logIn(PASSWORD), await logIn(NEXT)]).toEqual(['sign_in_failed', 200]);
      const notice = { kind: 'password_changed', by: 'link', address: '127.0.0.1', at: expect.stringMatching(/Z$/) };
      expect((await mailsOf('password_changed')).map(({ content }) => content)).toEqual([notice]);
      expect(await actionsOf()).toContainEqual({
        action: 'password.changed',
        address: '127.0.0.1',
        details: { by: 'link' },
      });
      // The owner's programs keep working.
      browser = await TestBrowser.signedIn(server, id);
      expect((await browser.get('/api/dashboard/key')).json<KeysAnswer>().apiKey).toBe(key);
      const webhook = (await browser.get('/api/dashboard/webhook-url')).json<{ receiving: boolean }>();
      expect(webhook.receiving).toBe(true);
    });

    it('leave an earlier holder of an unverified account nothing: no session, key or webhook', async () => {
      const key = (await browser.get('/api/dashboard/key')).json<KeysAnswer>().apiKey;
      await browser.call('POST', '/api/dashboard/key/rotate', { keepOldForHours: 72 });
      const named = await browser.call('POST', '/api/dashboard/keys', {
        name: 'Eve',
        mode: 'live',
        scopes: ['read'],
        addresses: [],
        countries: [],
        creditsPerDay: null,
        creditsPerMonth: null,
        messagesPerSecond: null,
        expiresAt: null,
      });
      const { secret } = named.json<{ secret: string }>();
      expect((await server.inject({ url: `/api/balance?apikey=${secret}` })).statusCode).toBe(200);
      await browser.call('PUT', '/api/dashboard/webhook-url', { webhookUrl: 'https://example.com/eve' });
      const verification = await tokenOf('verify_email');
      const token = await forgot();
      expect((await mailsOf('reset_password')).at(-1)?.content).toMatchObject({ takesOver: true });
      expect(await reset(token)).toBe(204);
      expect((await browser.get('/auth/me')).statusCode).toBe(401);
      for (const ended of [key, secret])
        expect((await server.inject({ url: `/api/balance?apikey=${ended}` })).statusCode).toBe(401);
      browser = await TestBrowser.signedIn(server, id);
      const keys = (await browser.get('/api/dashboard/key')).json<KeysAnswer>();
      expect(keys.earlier).toEqual([]);
      const webhook = (await browser.get('/api/dashboard/webhook-url')).json<{ receiving: boolean }>();
      expect(webhook.receiving).toBe(false);
      expect((await account()).emailVerified).toBe(true);
      expect(await codeOf(post('/auth/verify-email', { token: verification }, browser))).toBe(204);
      expect((await mailsOf('password_changed')).map(({ content }) => content)).toMatchObject([{ by: 'takeover' }]);
    });

    it('set one password of two that are sent at the same moment', async () => {
      const token = await forgot();
      const codes = await Promise.all([NEXT, 'An0ther!secret', 'Th1rd?secret'].map((one) => reset(token, one)));
      expect(codes.filter((code) => code === 204)).toHaveLength(1);
      expect(codes.filter((code) => code === 'link_invalid')).toHaveLength(2);
      expect(await mailsOf('password_changed')).toHaveLength(1);
    });

    it('stay valid after a refused password, and expire', async () => {
      const token = await forgot();
      expect(await reset(token, 'P@ssw0rd1')).toBe('password_common');
      expect(await reset(token, 'lower!case1')).toBe('password_invalid');
      await age(limits.passwordLinkMinutes);
      expect(await reset(token)).toBe('link_invalid');
    });

    it('are void when the account is blocked, and gone when it is erased', async () => {
      const token = await forgot();
      await server.get(AccountsRepository).change(id, { blockedAt: new Date() });
      expect(await reset(token)).toBe('link_invalid');
      await server.get(AccountsRepository).change(id, { blockedAt: null });
      await server.get(AccountDeletion).request({ accountId: id, email });
      await server.get(AccountErasure).erase(email, 'asked');
      expect(await linksOf()).toEqual([]);
      expect(await reset(token)).toBe('link_invalid');
    });

    it('let the owner in after too many wrong passwords', async () => {
      for (let count = 0; count < 10; count += 1) await logIn('Wr0ng!!!');
      expect(await logIn(PASSWORD)).toBe('too_many_attempts');
      expect(await reset(await forgot())).toBe(204);
      expect(await logIn(NEXT)).toBe(200);
    });

    it('start no session for a password that was changed while it was checked', async () => {
      const { passwordHash } = await server.get(SignIn).withPassword(email, PASSWORD);
      await reset(await forgot());
      const stale = { method: 'password', passwordHash, earlierToken: undefined } as const;
      await expect(server.get(Sessions).start(id, stale)).rejects.toMatchObject({ code: 'sign_in_failed' });
    });

    it('carry the token in the email until it is sent', async () => {
      const token = await forgot();
      const core = await createTestCore(bed.config());
      try {
        const [mail] = await bed.database.sql<{ id: string }>(
          `SELECT id FROM mails WHERE account_id = $1 AND kind = 'reset_password'`,
          [id],
        );
        await core.get(MailSender).send(mail?.id ?? '');
        expect(core.mailer.brought.at(-1)?.text).toContain(`/reset-password#${token}\n`);
        expect((await mailsOf('reset_password'))[0]?.secret).toBeNull();
      } finally {
        await core.close();
      }
    });
  });
});
