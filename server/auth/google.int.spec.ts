import { randomUUID } from 'node:crypto';
import { signInErrorCookie } from '#contract/sign-in.js';
import { AccountsRepository } from '#core/accounts/accounts.repository.js';
import { Accounts } from '#core/accounts/accounts.js';
import { ApiKeys } from '#core/keys/api-keys.js';
import { moneyFaults, moneyOf } from '#core/testing/money.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { SESSION_COOKIE, TestBrowser } from '../testing/browser.js';
import { TestSandbox, type GoogleChoice } from '../testing/sandbox.js';
import { createTestServer, type TestServer } from '../testing/test-server.js';
import { GoogleStrategy } from './google-strategy.js';

interface Person {
  readonly email: string;
  readonly name: string;
}

describe('sign-in with Google', () => {
  let bed: TestBed;
  let google: TestSandbox;
  let server: TestServer;

  beforeAll(async () => {
    bed = await createTestBed();
    google = await TestSandbox.start();
    server = await createTestServer(bed.config(google.variables));
  });

  afterEach(async () => {
    jest.restoreAllMocks();
    expect(await moneyFaults(bed.database)).toEqual([]);
  });

  afterAll(async () => {
    await server?.close();
    await google?.close();
    await bed?.remove();
  });

  const newPerson = (): Person => ({ email: `${randomUUID()}@example.com`, name: 'Ada Lovelace' });

  async function begin(browser: TestBrowser): Promise<string> {
    const answer = await browser.get('/auth/google');
    expect(answer.statusCode).toBe(302);
    return String(answer.headers.location);
  }

  async function signIn(person: GoogleChoice, browser = new TestBrowser(server)) {
    const answer = await browser.get(await google.choose(await begin(browser), person));
    expect(answer.statusCode).toBe(302);
    return { browser, location: String(answer.headers.location) };
  }

  const errorIn = (location: string) => new URL(location, 'https://pennytext.test').searchParams.get('error');
  const accountsOf = ({ email }: Person) =>
    bed.database.sql<{ id: string }>('SELECT id FROM accounts WHERE lower(email) = lower($1)', [email]);

  const welcomeMails = ({ email }: Person) =>
    bed.database.sql(
      `SELECT account_id, content ->> 'displayName' AS display_name FROM mails
        WHERE recipient = $1 AND kind = 'welcome'`,
      [email],
    );

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
    const person = newPerson();
    const { browser, location } = await signIn(person);
    expect(location).toBe('/dashboard');
    const { id, email, displayName } = (await browser.get('/auth/me')).json<Record<string, string>>();
    expect({ email, displayName }).toEqual({ email: person.email, displayName: 'Ada Lovelace' });
    expect(await moneyOf(bed.database, id ?? '')).toMatchObject({ balance: 3, purchased: 3, used: 0, entries: 1 });
    expect(await server.get(Accounts).show(person.email)).toMatchObject({
      apiKey: expect.stringMatching(/^[0-9a-f-]{36}$/),
      dailyLimit: 100,
    });
    expect(
      await bed.database.sql(
        `SELECT count FROM daily_counts WHERE account_id = $1 AND day = (now() AT TIME ZONE 'America/New_York')::date`,
        [id],
      ),
    ).toEqual([{ count: 0 }]);
    expect(await welcomeMails(person)).toEqual([{ account_id: id, display_name: 'Ada Lovelace' }]);
  });

  it('gives a session cookie that scripts and other sites cannot use', async () => {
    const browser = new TestBrowser(server);
    const answer = await browser.get(await google.choose(await begin(browser), newPerson()));
    expect(answer.cookies.find(({ name }) => name === '__Host-pennytext_session')).toMatchObject({
      httpOnly: true,
      sameSite: 'Lax',
      secure: true,
      path: '/',
      maxAge: 2_592_000,
    });
    expect(browser.cookies.has('pennytext_google')).toBe(false);
  });

  it('finds the account again after the address has changed at Google and sends no second welcome email', async () => {
    const person = newPerson();
    const first = await signIn(person);
    // Our record has an older address than Google's.
    await bed.database.sql(`UPDATE accounts SET email = 'old-' || email WHERE email = $1`, [person.email]);
    const again = await signIn(person);
    expect((await again.browser.get('/auth/me')).json()).toEqual((await first.browser.get('/auth/me')).json());
    expect(await accountsOf(person)).toEqual([]);
    expect(await welcomeMails(person)).toHaveLength(1);
  });

  it('gives a new token at every sign-in, and ends the browser’s old session', async () => {
    const person = newPerson();
    const { browser } = await signIn(person);
    const old = new TestBrowser(server);
    old.cookies.set(SESSION_COOKIE, browser.cookies.get(SESSION_COOKIE) ?? '');
    await signIn(person, browser);
    expect(browser.cookies.get(SESSION_COOKIE)).not.toBe(old.cookies.get(SESSION_COOKIE));
    expect((await old.get('/auth/me')).statusCode).toBe(401);
  });

  it('creates one account for concurrent first sign-ins', async () => {
    const person = newPerson();
    const arrivals = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const browser = new TestBrowser(server);
        return { browser, callback: await google.choose(await begin(browser), person) };
      }),
    );
    const answers = await Promise.all(arrivals.map(({ browser, callback }) => browser.get(callback)));
    expect(new Set(answers.map(({ headers }) => headers.location))).toEqual(new Set(['/dashboard']));
    expect(await accountsOf(person)).toHaveLength(1);
    expect(await welcomeMails(person)).toHaveLength(1);
  });

  it('creates the account again that Postgres rolled back for a deadlock', async () => {
    const sql = (text: string) => bed.database.sql(text);
    const person = newPerson();
    await sql('CREATE SEQUENCE deadlocks');
    await sql(`CREATE FUNCTION deadlock_once() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF nextval('deadlocks') = 1 THEN RAISE deadlock_detected; END IF;
      RETURN NEW;
    END $$`);
    await sql('CREATE TRIGGER deadlock_once BEFORE INSERT ON accounts FOR EACH ROW EXECUTE FUNCTION deadlock_once()');
    const { browser, location } = await signIn(person);
    await sql('DROP TRIGGER deadlock_once ON accounts');
    expect(location).toBe('/dashboard');
    const { id } = (await browser.get('/auth/me')).json<{ id: string }>();
    expect(await accountsOf(person)).toEqual([{ id }]);
    expect(await moneyOf(bed.database, id)).toMatchObject({ balance: 3 });
    expect(await sql('SELECT last_value::int FROM deadlocks')).toEqual([{ last_value: 2 }]);
  });

  it('links the account that the operator created for the address', async () => {
    const person = newPerson();
    const made = await server
      .get(Accounts)
      .create({ email: person.email.toUpperCase(), displayName: '', signInType: 'google', credits: 50 });
    const { browser } = await signIn(person);
    expect((await browser.get('/auth/me')).json()).toMatchObject({ id: made.id, displayName: 'Ada Lovelace' });
    expect(await moneyOf(bed.database, made.id)).toMatchObject({ balance: 50 });
    await bed.database.sql(`UPDATE accounts SET google_subject = 'another' WHERE id = $1`, [made.id]);
    const stranger = await signIn(person);
    expect(errorIn(stranger.location)).toBe(
      'Sign-in error: This address belongs to another Google account. Contact support.',
    );
  });

  it('does not open a password account by a Google address', async () => {
    const person = newPerson();
    await server.get(Accounts).create({ email: person.email, displayName: 'Mallory', signInType: 'custom' });
    const { location } = await signIn(person);
    expect(errorIn(location)).toBe('Sign-in error: This address has a password. Use it, or “Forgot your password?”.');
  });

  it('redirects to the login page for an address that Google has not verified and creates nothing', async () => {
    const person = newPerson();
    const { browser, location } = await signIn({ ...person, email_verified: 'false' });
    expect(location).toMatch(/^\/login\?error=/);
    expect(errorIn(location)).toBe('Sign-in error: Your email address is not verified at Google.');
    expect(await accountsOf(person)).toEqual([]);
    // The cookie proves to the login page that the server sent the text.
    expect([...browser.cookies.keys()]).toEqual([signInErrorCookie.name]);
    expect(decodeURIComponent(browser.cookies.get(signInErrorCookie.name) ?? '')).toBe(errorIn(location));
  });

  it.each([
    ['address', { emails: [] }],
    ['id', { id: '' }],
  ])('redirects to the login page for a profile without an %s and creates nothing', async (_title, changes) => {
    const person = newPerson();
    const profile = { id: '1', displayName: '', emails: [{ value: person.email, verified: true }], ...changes };
    const strategy = server.get(GoogleStrategy);
    jest.spyOn(strategy, 'userProfile').mockImplementation((_token, done) => done(null, profile));
    const { browser, location } = await signIn(person);
    expect(location).toMatch(/^\/login\?error=/);
    expect(errorIn(location)).toBe('Sign-in error: Google sent an incomplete profile.');
    expect(await accountsOf(person)).toEqual([]);
    expect([...browser.cookies.keys()]).toEqual([signInErrorCookie.name]);
  });

  it('rejects a blocked account', async () => {
    const person = newPerson();
    await signIn(person);
    const [account] = await accountsOf(person);
    await server.get(AccountsRepository).change(account?.id ?? '', { blockedAt: new Date() });
    const { location, browser } = await signIn(person);
    expect(errorIn(location)).toBe('Sign-in error: This account is blocked. Contact support.');
    expect((await browser.get('/auth/me')).statusCode).toBe(401);
  });

  describe('rejects a callback', () => {
    const state = 'Sign-in error: The sign-in took too long or began in another browser. Please try again.';
    const callback = async (change: (url: URL, browser: TestBrowser) => void) => {
      const browser = new TestBrowser(server);
      const url = new URL(await google.choose(await begin(browser), newPerson()), 'https://pennytext.test');
      change(url, browser);
      const answer = await browser.get(`${url.pathname}${url.search}`);
      expect(browser.cookies.has(SESSION_COOKIE)).toBe(false);
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

    it('used a second time', async () => {
      const browser = new TestBrowser(server);
      const url = await google.choose(await begin(browser), newPerson());
      await browser.get(url);
      expect(errorIn(String((await browser.get(url)).headers.location))).toBe(state);
    });

    it('with a code that Google does not know', async () => {
      expect(await callback((url) => url.searchParams.set('code', 'made-up'))).toBe(
        "Sign-in error: Couldn't reach Google. Please try again.",
      );
    });

    it('after a refusal at Google, with our own text whatever the URL contains', async () => {
      const said = await callback((url) => {
        url.search = '?error=access_denied&error_description=Call+this+number';
      });
      expect(said).toBe('Sign-in error: You did not allow Google to share your profile.');
    });

    it('with any other error from Google', async () => {
      expect(await callback((url) => (url.search = '?error=server_error&error_description=Call+us'))).toBe(
        "Sign-in error: Couldn't reach Google. Please try again.",
      );
    });
  });

  it('times out when Google does not answer', async () => {
    const browser = new TestBrowser(server);
    const callback = await google.choose(await begin(browser), newPerson());
    await google.fail('google', 'timeout');
    try {
      const { headers } = await browser.get(callback);
      expect(errorIn(String(headers.location))).toBe("Sign-in error: Couldn't reach Google. Please try again.");
    } finally {
      await google.fail('google', 'none');
    }
  }, 30_000);

  it('answers that Google sign-in is not configured', async () => {
    const bare = await createTestServer(bed.config());
    try {
      const answer = await new TestBrowser(bare).get('/auth/google');
      expect(errorIn(String(answer.headers.location))).toBe('Sign-in error: Google sign-in is not configured.');
    } finally {
      await bare.close();
    }
  });

  describe('when a table rejects inserts', () => {
    const refuse = (table: string) =>
      bed.database.sql(`ALTER TABLE ${table} ADD CONSTRAINT away CHECK (false) NOT VALID`);
    const allow = (table: string) => bed.database.sql(`ALTER TABLE ${table} DROP CONSTRAINT IF EXISTS away`);

    afterEach(async () => {
      await allow('credit_accounts');
      await allow('accounts');
      await allow('mails');
    });

    it('signs in without credits, shows the error, and creates them at the next read of the balance', async () => {
      await refuse('credit_accounts');
      const person = newPerson();
      const { browser, location } = await signIn(person);
      expect(location).toBe('/dashboard');
      expect(browser.cookies.get('pennytext_notice')).toBe('credits_record_failed');
      expect((await browser.get('/auth/me')).statusCode).toBe(200);
      await allow('credit_accounts');
      const { apiKey } = await server.get(Accounts).show(person.email);
      const answers = await Promise.all(
        Array.from({ length: 5 }, () => server.inject({ url: `/api/balance?apikey=${apiKey}` })),
      );
      for (const answer of answers)
        expect(answer.json()).toEqual({ success: 'true', balance: 3, purchased: 3, used: 0 });
    });

    it('signs in when the welcome email cannot be queued, which the dashboard shows', async () => {
      await refuse('mails');
      const { browser, location } = await signIn(newPerson());
      expect(location).toBe('/dashboard');
      expect(browser.cookies.has('pennytext_notice')).toBe(false);
      expect((await browser.get('/api/dashboard/welcome')).json()).toMatchObject({ emailFailed: true });
      expect((await browser.get('/auth/me')).statusCode).toBe(200);
    });

    it('sends a message for an account without credits record from credits created at that moment', async () => {
      await refuse('credit_accounts');
      const person = newPerson();
      await signIn(person);
      await allow('credit_accounts');
      const [account] = await accountsOf(person);
      const { apiKey } = await server.get(ApiKeys).list(account?.id ?? '');
      const answers = await Promise.all(
        Array.from({ length: 5 }, () => server.send({ to: '+14155552671', message: 'Hello', apikey: apiKey })),
      );
      expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 200, 200, 402, 402]);
      expect(await moneyOf(bed.database, account?.id ?? '')).toMatchObject({ balance: 0, purchased: 3, messages: 3 });
    });

    it('shows that the user record could not be created and leaves nothing behind', async () => {
      await refuse('accounts');
      const person = newPerson();
      const { location } = await signIn(person);
      expect(location).toMatch(/^\/login\?/);
      expect(errorIn(location)).toMatch(/^Failed to create user record: /);
      expect(await accountsOf(person)).toEqual([]);
    });
  });
});
