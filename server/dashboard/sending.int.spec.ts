import { newYorkTimestamp } from '#core/rules/time.js';
import { createTestAccount, type TestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { TestBrowser } from '../testing/browser.js';
import { createTestServer, type TestServer } from '../testing/test-server.js';

describe('/api/dashboard/sending', () => {
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

  const suspend = async () => {
    await bed.database.sql('UPDATE accounts SET delivery_suspended_at = now() WHERE id = $1', [account.id]);
    const [row] = await bed.database.sql<{ suspended_at: Date }>(
      `INSERT INTO delivery_suspensions (account_id, recipients, undelivered) VALUES ($1, 60, 40)
        RETURNING suspended_at`,
      [account.id],
    );
    if (!row) throw new Error('The account was not suspended');
    return newYorkTimestamp(row.suspended_at);
  };
  const resume = () => browser.call('POST', '/api/dashboard/sending/resume');
  const send = async () =>
    (await server.send({ to: '+14155552671', message: 'Hello', apikey: account.apiKey })).json<{ code?: string }>()
      .code;

  it('shows why an account is suspended, and lets its customer lift the suspension once', async () => {
    expect((await browser.get('/api/dashboard/sending')).json()).toEqual({ suspension: null });
    const suspendedAt = await suspend();
    const shown = { suspendedAt, recipients: 60, undelivered: 40, mayLift: true };
    expect((await browser.get('/api/dashboard/sending')).json()).toEqual({ suspension: shown });
    expect(await send()).toBe('delivery_suspended');
    expect((await resume()).json()).toEqual({ suspension: null });
    expect(await send()).toBeUndefined();
    await suspend();
    const refused = await resume();
    expect([refused.statusCode, refused.json()]).toMatchObject([409, { code: 'lift_used' }]);
    expect((await browser.get('/api/dashboard/sending')).json()).toMatchObject({ suspension: { mayLift: false } });
    expect(await send()).toBe('delivery_suspended');
  });

  it('needs a session and our own page', async () => {
    await suspend();
    const anonymous = await new TestBrowser(server).get('/api/dashboard/sending');
    expect(anonymous.statusCode).toBe(401);
    const foreign = await browser.call('POST', '/api/dashboard/sending/resume', undefined, {
      'sec-fetch-site': 'cross-site',
    });
    expect([foreign.statusCode, await send()]).toEqual([403, 'delivery_suspended']);
  });
});
