import { redisOf } from '#core/testing/redis-of.js';
import { eventually } from '#core/testing/eventually.js';
import { AccountsRepository } from '#core/accounts/accounts.repository.js';
import { moneyFaults, moneyOf } from '#core/testing/money.js';
import { createTestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { TestBrowser } from '../testing/browser.js';
import { createTestServer, type TestServer } from '../testing/test-server.js';

const PASSWORD = 'C0rrect!horse';

describe('sign-in with email and password', () => {
  let bed: TestBed;
  let server: TestServer;
  let closed: TestServer;
  let number = 0;

  beforeAll(async () => {
    bed = await createTestBed();
    server = await createTestServer(bed.config({ CUSTOM_SIGN_IN_ENABLED: 'true' }));
    closed = await createTestServer(bed.config());
  });

  // Every test starts without earlier attempts.
  beforeEach(() => bed.forgetQueue());

  afterAll(async () => {
    await server?.close();
    await closed?.close();
    await bed?.remove();
  });

  const newcomer = () => {
    number += 1;
    return { username: 'Ada', email: `ada${number}@example.com`, password: PASSWORD };
  };
  const post = (path: string, body: object, browser = new TestBrowser(server)) => browser.call('POST', path, body);
  const accounts = async () => (await bed.database.sql('SELECT 1 FROM accounts')).length;

  it('opens an account with 3 credits and starts a session', async () => {
    const browser = new TestBrowser(server);
    const fields = newcomer();
    const answer = await post('/auth/signup', fields, browser);
    expect(answer.statusCode).toBe(201);
    const { id } = answer.json<{ id: string }>();
    expect(answer.json()).toEqual({ id, email: fields.email, displayName: 'Ada' });
    expect((await browser.get('/auth/me')).json()).toEqual({ id, email: fields.email, displayName: 'Ada' });
    expect(await moneyOf(bed.database, id)).toMatchObject({ balance: 3, entries: 1 });
    const [row] = await bed.database.sql('SELECT sign_in_type, password_hash FROM accounts WHERE id = $1', [id]);
    expect(row).toEqual({ sign_in_type: 'custom', password_hash: expect.stringMatching(/^\$argon2id\$/) });
    expect(await moneyFaults(bed.database)).toEqual([]);
  });

  it.each([
    [{ username: '' }, 'All fields are mandatory'],
    [{ email: undefined }, 'All fields are mandatory'],
    [{ password: null, email: 'x' }, 'All fields are mandatory'],
    [{ email: 'nonsense', password: 'short' }, 'Please enter a valid email address'],
    [
      { password: 'password' },
      'Password must be at least 8 characters. Use 1 uppercase, 1 lowercase, 1 number, and 1 special character.',
    ],
    [
      { username: 'your parcel waits:\nhttps://evil.example/pay' },
      'Please enter a username of one line, with at most 100 characters.',
    ],
    [{ username: 'a\tb' }, 'Please enter a username of one line, with at most 100 characters.'],
  ])('rejects the sign-up %j, enabled or not, and creates nothing', async (changes, text) => {
    const before = await accounts();
    for (const at of [server, closed]) {
      const answer = await post('/auth/signup', { ...newcomer(), ...changes }, new TestBrowser(at));
      expect([answer.statusCode, answer.json<{ error: string }>().error]).toEqual([400, text]);
    }
    expect(await accounts()).toBe(before);
  });

  it.each([[{ username: 5 }], [{ email: ['x'] }], [{ username: 'a\0b' }]])(
    'refuses %j as unreadable',
    async (changes) => {
      const answer = await post('/auth/signup', { ...newcomer(), ...changes });
      expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([400, 'invalid_request']);
    },
  );

  it('rejects a taken address in any case, also for concurrent sign-ups', async () => {
    const fields = newcomer();
    const answers = await Promise.all(
      [fields, { ...fields, email: fields.email.toUpperCase() }, fields].map((body) => post('/auth/signup', body)),
    );
    expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([201, 409, 409]);
    const late = await post('/auth/signup', fields);
    expect([late.statusCode, late.json<{ error: string }>().error]).toEqual([409, 'Email already in use']);
  });

  it.each(['/auth/signup', '/auth/login'])('is off by default: %s answers so and creates nothing', async (path) => {
    const before = await accounts();
    const answer = await post(path, newcomer(), new TestBrowser(closed));
    expect(answer.statusCode).toBe(403);
    expect(answer.json()).toMatchObject({
      code: 'custom_sign_in_off',
      error: 'Custom sign-in is currently unavailable. Use Sign in with Google.',
    });
    expect(answer.cookies).toEqual([]);
    expect(await accounts()).toBe(before);
  });

  it('signs in with the password and the address in any case', async () => {
    const fields = newcomer();
    await post('/auth/signup', fields);
    const browser = new TestBrowser(server);
    const answer = await post('/auth/login', { email: fields.email.toUpperCase(), password: PASSWORD }, browser);
    expect([answer.statusCode, answer.json<{ email: string }>().email]).toEqual([200, fields.email]);
    expect((await browser.get('/auth/me')).statusCode).toBe(200);
  });

  it('answers the same for a wrong password, an unknown address and a Google account', async () => {
    const fields = newcomer();
    await post('/auth/signup', fields);
    const google = await createTestAccount(server);
    const attempts = [
      { email: fields.email, password: 'Wr0ng!!!' },
      { email: 'nobody@example.com', password: PASSWORD },
      { email: google.email, password: PASSWORD },
    ];
    for (const attempt of attempts) {
      const answer = await post('/auth/login', attempt);
      expect(answer.statusCode).toBe(401);
      expect(answer.json()).toEqual({
        success: 'false',
        code: 'sign_in_failed',
        error: 'Sign-in error: The email address or the password is wrong.',
        detail: 'The email address or the password is wrong.',
      });
      expect(answer.cookies).toEqual([]);
    }
  });

  it('rejects a blocked account, with the reason only after the correct password', async () => {
    const fields = newcomer();
    const { id } = (await post('/auth/signup', fields)).json<{ id: string }>();
    await server.get(AccountsRepository).change(id, { blockedAt: new Date() });
    const error = async (password: string) =>
      (await post('/auth/login', { ...fields, password })).json<{ error: string }>().error;
    expect(await error(PASSWORD)).toBe('Sign-in error: This account is blocked. Contact support.');
    expect(await error('Wr0ng!!!')).toBe('Sign-in error: The email address or the password is wrong.');
  });

  it('limits password guesses per email address and resets the count after a correct one', async () => {
    const fields = newcomer();
    await post('/auth/signup', fields);
    const guess = (password: string) => post('/auth/login', { ...fields, password });
    for (let count = 0; count < 8; count += 1) expect((await guess('Wr0ng!!!')).statusCode).toBe(401);
    expect((await guess(PASSWORD)).statusCode).toBe(200);
    for (let count = 0; count < 10; count += 1) expect((await guess('Wr0ng!!!')).statusCode).toBe(401);
    const over = await guess(PASSWORD);
    expect(over.statusCode).toBe(429);
    expect(over.json()).toMatchObject({
      code: 'too_many_attempts',
      error: 'Sign-in error: Too many failed sign-ins with this email address. Please try again in 15 minutes.',
    });
    expect(Number(over.headers['retry-after'])).toBeGreaterThan(0);
  });

  it('lets the owner sign in, in a browser that the account knows, whatever others try', async () => {
    const fields = newcomer();
    const own = new TestBrowser(server);
    await post('/auth/signup', fields, own);
    await own.call('POST', '/auth/logout');
    for (let count = 0; count < 11; count += 1) await post('/auth/login', { ...fields, password: 'Wr0ng!!!' });
    expect((await post('/auth/login', fields)).statusCode).toBe(429);
    expect((await post('/auth/login', fields, own)).statusCode).toBe(200);
    // The cookie of another account's browser does not help to guess.
    const stranger = new TestBrowser(server);
    await post('/auth/signup', newcomer(), stranger);
    expect((await post('/auth/login', fields, stranger)).statusCode).toBe(429);
    for (let count = 0; count < 10; count += 1)
      expect((await post('/auth/login', { ...fields, password: 'Wr0ng!!!' }, own)).statusCode).toBe(401);
    expect((await post('/auth/login', fields, own)).statusCode).toBe(429);
  });

  it('counts sign-ups, links and correct passwords apart from guesses', async () => {
    const strict = await createTestServer(bed.config({ CUSTOM_SIGN_IN_ENABLED: 'true', SIGN_INS_PER_ADDRESS: '3' }));
    const statusOf = async (path: string, body: object) => (await post(path, body, new TestBrowser(strict))).statusCode;
    try {
      await eventually('Redis is connected', () => Promise.resolve(redisOf(strict).status === 'ready'));
      const fields = newcomer();
      expect(await statusOf('/auth/signup', fields)).toBe(201);
      for (let count = 0; count < 4; count += 1) await statusOf('/auth/signup', newcomer());
      const refused = await post('/auth/signup', newcomer(), new TestBrowser(strict));
      expect([refused.statusCode, refused.json<{ error: string }>().error]).toEqual([
        429,
        'Sign-in error: Too many new accounts from your network. Existing accounts can sign in; ' +
          'please try again in 15 minutes.',
      ]);
      for (let count = 0; count < 4; count += 1) await statusOf('/auth/forgot-password', { email: fields.email });
      for (let count = 0; count < 8; count += 1) expect(await statusOf('/auth/login', fields)).toBe(200);
      for (let count = 0; count < 3; count += 1)
        expect(await statusOf('/auth/login', { ...fields, password: 'Wr0ng!!!' })).toBe(401);
      const over = await post('/auth/login', fields, new TestBrowser(strict));
      expect(over.json<{ error: string }>().error).toBe(
        'Sign-in error: Too many failed sign-ins from your network. Please try again in 15 minutes.',
      );
    } finally {
      await strict.close();
    }
  });

  it('limits password guesses per network address over many accounts', async () => {
    // A server of its own, because a server blocks an address far over the limit in memory.
    const besieged = await createTestServer(bed.config({ CUSTOM_SIGN_IN_ENABLED: 'true', SIGN_INS_PER_ADDRESS: '30' }));
    const browser = new TestBrowser(besieged);
    const statuses: number[] = [];
    try {
      // Until Redis is connected a server counts in memory, and then starts again.
      await eventually('Redis is connected', () => Promise.resolve(redisOf(besieged).status === 'ready'));
      for (let count = 0; count < 31; count += 1) {
        const answer = await post('/auth/login', { email: `x${count}@example.com`, password: PASSWORD }, browser);
        statuses.push(answer.statusCode);
      }
      // Refused attempts of this network do not count against the person whose address they name.
      const fields = newcomer();
      await post('/auth/signup', fields);
      for (let count = 0; count < 11; count += 1)
        expect((await post('/auth/login', { ...fields, password: 'Wr0ng!!!' }, browser)).statusCode).toBe(429);
      const elsewhere = await besieged.inject({
        method: 'POST',
        url: '/auth/login',
        remoteAddress: '198.51.100.7',
        headers: { 'sec-fetch-site': 'same-origin' },
        payload: fields,
      });
      expect(elsewhere.statusCode).toBe(200);
    } finally {
      await besieged.close();
    }
    expect(statuses.slice(0, 30)).toEqual(Array.from({ length: 30 }, () => 401));
    expect(statuses.at(-1)).toBe(429);
  });

  it.each(['/auth/signup', '/auth/login'])('accepts %s only from our own pages', async (path) => {
    const answer = await new TestBrowser(server).call('POST', path, newcomer(), { 'sec-fetch-site': 'cross-site' });
    expect(answer.statusCode).toBe(403);
  });

  it('requires both fields to sign in', async () => {
    const answer = await post('/auth/login', { email: 'ada@example.com' });
    expect(answer.json()).toMatchObject({ code: 'fields_mandatory', error: 'All fields are mandatory' });
  });

  it('answers an error when it cannot check the address', async () => {
    await bed.database.sql('ALTER TABLE accounts RENAME TO accounts_away');
    try {
      const answer = await post('/auth/signup', newcomer());
      expect(answer.statusCode).toBe(503);
      expect(answer.json<{ error: string }>().error).toBe(
        'Error checking email: The service is temporarily unavailable.',
      );
    } finally {
      await bed.database.sql('ALTER TABLE accounts_away RENAME TO accounts');
    }
  });

  describe('and its password on the Account page', () => {
    const NEXT = 'B@tterystaple9';
    let browser: TestBrowser;
    let email: string;
    let id: string;

    beforeEach(async () => {
      browser = new TestBrowser(server);
      const fields = newcomer();
      email = fields.email;
      id = (await post('/auth/signup', fields, browser)).json<{ id: string }>().id;
    });

    const codeOf = async (path: string, body: object, by?: TestBrowser) => {
      const answer = await post(path, body, by);
      return answer.statusCode < 300 ? answer.statusCode : answer.json<{ code: string }>().code;
    };
    const change = (current: string, password: string, by = browser) =>
      codeOf('/auth/password', { current, password }, by);
    const logIn = (password: string) => codeOf('/auth/login', { email, password });

    it('changes with the current one, and other sessions and links end', async () => {
      const other = await TestBrowser.signedIn(server, id);
      const links = () => bed.database.sql('SELECT 1 FROM email_links WHERE account_id = $1', [id]);
      expect(await links()).toHaveLength(1);
      expect(await change(PASSWORD, NEXT)).toBe(204);
      expect((await browser.get('/auth/me')).statusCode).toBe(200);
      expect((await other.get('/auth/me')).statusCode).toBe(401);
      expect(await links()).toEqual([]);
      expect([await logIn(PASSWORD), await logIn(NEXT)]).toEqual(['sign_in_failed', 200]);
      const mails = `SELECT content FROM mails WHERE account_id = $1 AND kind = 'password_changed'`;
      expect(await bed.database.sql(mails, [id])).toMatchObject([{ content: { by: 'account' } }]);
    });

    it('stays for a wrong current one, a bad or common new one, and without a session', async () => {
      expect(await change('Wr0ng!!!', NEXT)).toBe('password_wrong');
      expect(await change('', NEXT)).toBe('fields_mandatory');
      expect(await change(PASSWORD, '')).toBe('fields_mandatory');
      expect(await change(PASSWORD, 'short')).toBe('password_invalid');
      expect(await change(PASSWORD, 'Qwerty123!')).toBe('password_common');
      expect(await change(PASSWORD, NEXT, new TestBrowser(server))).toBe('not_signed_in');
      const google = await createTestAccount(server);
      expect(await change(PASSWORD, NEXT, await TestBrowser.signedIn(server, google.id))).toBe('password_wrong');
      expect(await logIn(PASSWORD)).toBe(200);
    });

    it('is guessed a bounded number of times', async () => {
      for (let count = 0; count < 10; count += 1) expect(await change('Wr0ng!!!', NEXT)).toBe('password_wrong');
      expect(await change(PASSWORD, NEXT)).toBe('too_many_attempts');
    });
  });
});
