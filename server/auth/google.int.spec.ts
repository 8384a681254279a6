import { randomUUID } from 'node:crypto';
import { AccountsRepository } from '#core/accounts/accounts.repository.js';
import { CreateAccount } from '#core/accounts/create-account.js';
import { FindAccount } from '#core/accounts/find-account.js';
import { ShowKeys } from '#core/accounts/keys/show-keys.js';
import { SignUpListeners, type Newcomer } from '#core/accounts/sign-in/sign-up-listeners.js';
import { moneyFaults, moneyOf } from '#core/testing/money.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { TestBrowser } from '../testing/browser.js';
import { FakeGoogle, type GooglePerson } from '../testing/fake-google.js';
import { createTestServer, type TestServer } from '../testing/test-server.js';

describe('sign-in with Google', () => {
  let bed: TestBed;
  let google: FakeGoogle;
  let server: TestServer;
  const newcomers: Newcomer[] = [];

  beforeAll(async () => {
    bed = await createTestBed();
    google = await FakeGoogle.start();
    server = await createTestServer(bed.config(google.variables));
    server.get(SignUpListeners).add(async (newcomer) => void newcomers.push(newcomer));
  });

  afterEach(async () => {
    expect(await moneyFaults(bed.database)).toEqual([]);
  });

  afterAll(async () => {
    await server?.close();
    await google?.close();
    await bed?.remove();
  });

  const personOf = (changes: Partial<GooglePerson> = {}): GooglePerson => {
    const sub = randomUUID();
    return { sub, email: `${sub}@example.com`, email_verified: true, name: 'Ada Lovelace', ...changes };
  };

  async function begin(browser: TestBrowser): Promise<string> {
    const answer = await browser.get('/auth/google');
    expect(answer.statusCode).toBe(302);
    return String(answer.headers.location);
  }

  async function signIn(person: object, browser = new TestBrowser(server)) {
    const answer = await browser.get(google.agree(await begin(browser), person));
    expect(answer.statusCode).toBe(302);
    return { browser, location: String(answer.headers.location) };
  }

  const errorIn = (location: string) => new URL(location, 'https://pennytext.test').searchParams.get('error');
  const accountsOf = ({ email }: GooglePerson) =>
    bed.database.sql<{ id: string }>('SELECT id FROM accounts WHERE lower(email) = lower($1)', [email]);

  it('sends the browser to Google with state and a PKCE challenge', async () => {
    const browser = new TestBrowser(server);
    const answer = await browser.get('/auth/google');
    const url = new URL(String(answer.headers.location));
    expect(`${url.origin}${url.pathname}`).toBe(`${google.url}/o/oauth2/v2/auth`);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      response_type: 'code',
      client_id: 'client',
      redirect_uri: 'https://pennytext.test/auth/google/callback',
      scope: 'openid email profile',
      state: expect.stringMatching(/^[\w-]{22}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    });
    expect(answer.cookies).toMatchObject([{ httpOnly: true, sameSite: 'Lax', secure: true, path: '/auth/google' }]);
  });

  it('opens an account at the first sign-in: key, day, credits and ledger entry', async () => {
    const person = personOf();
    const { browser, location } = await signIn(person);
    expect(location).toBe('/dashboard');
    const { id, email, displayName } = (await browser.get('/auth/me')).json<Record<string, string>>();
    expect({ email, displayName }).toEqual({ email: person.email, displayName: 'Ada Lovelace' });
    expect(await moneyOf(bed.database, id ?? '')).toMatchObject({ balance: 3, purchased: 3, used: 0, entries: 1 });
    expect(await server.get(FindAccount).run(person.email)).toMatchObject({
      apiKey: expect.stringMatching(/^[0-9a-f-]{36}$/),
      dailyLimit: 100,
    });
    expect(
      await bed.database.sql(
        `SELECT count FROM daily_counts WHERE account_id = $1 AND day = (now() AT TIME ZONE 'America/New_York')::date`,
        [id],
      ),
    ).toEqual([{ count: 0 }]);
    expect(newcomers.at(-1)).toEqual({ id, email: person.email, displayName: 'Ada Lovelace' });
  });

  it('gives a session cookie that scripts and other sites cannot use', async () => {
    const browser = new TestBrowser(server);
    const answer = await browser.get(google.agree(await begin(browser), personOf()));
    expect(answer.cookies.find(({ name }) => name === 'pennytext_session')).toMatchObject({
      httpOnly: true,
      sameSite: 'Lax',
      secure: true,
      path: '/',
      maxAge: 2_592_000,
    });
    expect(browser.cookies.has('pennytext_google')).toBe(false);
  });

  it('finds the account again, also after the address has changed at Google, and tells no newcomer', async () => {
    const person = personOf();
    const first = await signIn(person);
    const told = newcomers.length;
    const again = await signIn({ ...person, email: `moved-${person.email}` });
    expect((await again.browser.get('/auth/me')).json()).toEqual((await first.browser.get('/auth/me')).json());
    expect(newcomers).toHaveLength(told);
  });

  it('gives a new token at every sign-in, and ends the browser’s old session', async () => {
    const person = personOf();
    const { browser } = await signIn(person);
    const old = new TestBrowser(server);
    old.cookies.set('pennytext_session', browser.cookies.get('pennytext_session') ?? '');
    await signIn(person, browser);
    expect(browser.cookies.get('pennytext_session')).not.toBe(old.cookies.get('pennytext_session'));
    expect((await old.get('/auth/me')).statusCode).toBe(401);
  });

  it('makes one account of first sign-ins at the same moment', async () => {
    const person = personOf();
    const arrivals = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const browser = new TestBrowser(server);
        return { browser, callback: google.agree(await begin(browser), person) };
      }),
    );
    const told = newcomers.length;
    const answers = await Promise.all(arrivals.map(({ browser, callback }) => browser.get(callback)));
    expect(new Set(answers.map(({ headers }) => headers.location))).toEqual(new Set(['/dashboard']));
    expect(await accountsOf(person)).toHaveLength(1);
    expect(newcomers).toHaveLength(told + 1);
  });

  it('links the account that the operator made for the address', async () => {
    const person = personOf();
    const made = await server
      .get(CreateAccount)
      .run({ email: person.email.toUpperCase(), displayName: '', signInType: 'google', credits: 50 });
    const { browser } = await signIn(person);
    expect((await browser.get('/auth/me')).json()).toMatchObject({ id: made.id, displayName: 'Ada Lovelace' });
    expect(await moneyOf(bed.database, made.id)).toMatchObject({ balance: 50 });
    const stranger = await signIn({ ...person, sub: randomUUID() });
    expect(errorIn(stranger.location)).toBe(
      'Sign-in error: This address belongs to another Google account here. Contact support.',
    );
  });

  it('does not give a password’s account to whom Google says has the address', async () => {
    const person = personOf();
    await server.get(CreateAccount).run({ email: person.email, displayName: 'Mallory', signInType: 'custom' });
    const { location } = await signIn(person);
    expect(errorIn(location)).toBe('Sign-in error: This address signs in with its password.');
  });

  it.each([
    [
      'an address that Google has not verified',
      { email_verified: false },
      'Your e-mail address is not verified at Google.',
    ],
    ['a profile without an address', { email: undefined }, 'Google sent an incomplete profile.'],
    ['a profile without an id', { sub: '' }, 'Google sent an incomplete profile.'],
  ])('lands on the login page for %s, and makes nothing', async (_title, changes, message) => {
    const person = personOf();
    const { browser, location } = await signIn({ ...person, ...changes });
    expect(location).toMatch(/^\/login\?error=/);
    expect(errorIn(location)).toBe(`Sign-in error: ${message}`);
    expect(await accountsOf(person)).toEqual([]);
    expect(browser.cookies.size).toBe(0);
  });

  it('lets a blocked account not in', async () => {
    const person = personOf();
    await signIn(person);
    const [account] = await accountsOf(person);
    await server.get(AccountsRepository).change(account?.id ?? '', { blockedAt: new Date() });
    const { location, browser } = await signIn(person);
    expect(errorIn(location)).toBe('Sign-in error: This account is blocked. Contact support.');
    expect((await browser.get('/auth/me')).statusCode).toBe(401);
  });

  describe('refuses a callback', () => {
    const state = 'Sign-in error: The sign-in took too long or began in another browser. Please try again.';
    const callback = async (change: (url: URL, browser: TestBrowser) => void) => {
      const browser = new TestBrowser(server);
      const url = new URL(google.agree(await begin(browser), personOf()), 'https://pennytext.test');
      change(url, browser);
      const answer = await browser.get(`${url.pathname}${url.search}`);
      expect(browser.cookies.has('pennytext_session')).toBe(false);
      return errorIn(String(answer.headers.location));
    };

    it.each<[string, (url: URL, browser: TestBrowser) => void]>([
      ['with another state', (url) => url.searchParams.set('state', 'A'.repeat(22))],
      ['without a state', (url) => url.searchParams.delete('state')],
      ['in another browser', (_url, browser) => browser.cookies.clear()],
      [
        'with a cookie it made itself',
        (url, browser) => {
          const mine = `${Date.now() + 60_000}.${url.searchParams.get('state')}.verifier`;
          browser.cookies.set('pennytext_google', encodeURIComponent(`${mine}.signature`));
        },
      ],
    ])('%s', async (_title, change) => {
      expect(await callback(change)).toBe(state);
    });

    it('that comes a second time', async () => {
      const browser = new TestBrowser(server);
      const url = google.agree(await begin(browser), personOf());
      await browser.get(url);
      expect(errorIn(String((await browser.get(url)).headers.location))).toBe(state);
    });

    it('with a code that Google does not know', async () => {
      expect(await callback((url) => url.searchParams.set('code', 'made-up'))).toBe(
        "Sign-in error: Couldn't reach Google. Please try again.",
      );
    });

    it('of a person who said no, in our own words whatever the address says', async () => {
      const said = await callback((url) => {
        url.search = '?error=access_denied&error_description=Call+this+number';
      });
      expect(said).toBe('Sign-in error: You did not allow Google to share your profile.');
    });

    it('with any other error of Google', async () => {
      expect(await callback((url) => (url.search = '?error=server_error&error_description=Call+us'))).toBe(
        "Sign-in error: Couldn't reach Google. Please try again.",
      );
    });
  });

  it('gives up on a Google that does not answer', async () => {
    const browser = new TestBrowser(server);
    const callback = google.agree(await begin(browser), personOf());
    google.isMute = true;
    try {
      const { headers } = await browser.get(callback);
      expect(errorIn(String(headers.location))).toBe("Sign-in error: Couldn't reach Google. Please try again.");
    } finally {
      google.isMute = false;
    }
  }, 30_000);

  it('says that it is not set up when nobody has', async () => {
    const bare = await createTestServer(bed.config());
    try {
      const answer = await new TestBrowser(bare).get('/auth/google');
      expect(errorIn(String(answer.headers.location))).toBe('Sign-in error: Google sign-in is not configured.');
    } finally {
      await bare.close();
    }
  });

  describe('when a table refuses', () => {
    const refuse = (table: string) =>
      bed.database.sql(`ALTER TABLE ${table} ADD CONSTRAINT away CHECK (false) NOT VALID`);
    const allow = (table: string) => bed.database.sql(`ALTER TABLE ${table} DROP CONSTRAINT IF EXISTS away`);

    afterEach(async () => {
      await allow('credit_accounts');
      await allow('accounts');
    });

    it('signs in without credits, says so, and the next look at the balance makes them', async () => {
      await refuse('credit_accounts');
      const person = personOf();
      const { browser, location } = await signIn(person);
      expect(location).toMatch(/^\/dashboard\?error=/);
      expect(errorIn(location)).toMatch(/^Failed to create credits record: /);
      expect((await browser.get('/auth/me')).statusCode).toBe(200);
      await allow('credit_accounts');
      const { apiKey } = await server.get(FindAccount).run(person.email);
      const answers = await Promise.all(
        Array.from({ length: 5 }, () => server.inject({ url: `/api/balance?apikey=${apiKey}` })),
      );
      for (const answer of answers)
        expect(answer.json()).toEqual({ success: 'true', balance: 3, purchased: 3, used: 0 });
    });

    it('sends a message of an account without credits record, from credits made at that moment', async () => {
      await refuse('credit_accounts');
      const person = personOf();
      await signIn(person);
      await allow('credit_accounts');
      const [account] = await accountsOf(person);
      const { apiKey } = await server.get(ShowKeys).run(account?.id ?? '');
      const answers = await Promise.all(
        Array.from({ length: 5 }, () => server.send({ to: '+14155552671', message: 'Hello', apikey: apiKey })),
      );
      expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 200, 200, 402, 402]);
      expect(await moneyOf(bed.database, account?.id ?? '')).toMatchObject({ balance: 0, purchased: 3, messages: 3 });
    });

    it('says that the user record could not be made, and leaves nothing', async () => {
      await refuse('accounts');
      const person = personOf();
      const { location } = await signIn(person);
      expect(location).toMatch(/^\/login\?/);
      expect(errorIn(location)).toMatch(/^Failed to create user record: /);
      expect(await accountsOf(person)).toEqual([]);
    });
  });
});
