import { WelcomeMails } from '#core/accounts/sign-in/welcome-mails.js';
import { createTestAccount, type TestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { signedOut, signIn } from '../testing/browser.js';
import { createTestServer, type TestServer } from '../testing/test-server.js';

describe('POST /api/welcomeemail', () => {
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

  const ask = async (payload: object = {}) =>
    server.inject({ method: 'POST', url: '/api/welcomeemail', headers: await signIn(server, account), payload });
  const mails = () => bed.database.sql('SELECT kind, recipient FROM mails WHERE account_id = $1', [account.id]);

  it('enqueues one email to the session’s own address for any number of calls', async () => {
    const answers = await Promise.all([ask({ to: account.email.toUpperCase() }), ask(), ask()]);
    for (const answer of answers) {
      expect(answer.statusCode).toBe(200);
      expect(answer.json()).toEqual({ success: 'true', message: expect.any(String) });
    }
    expect(await mails()).toEqual([{ kind: 'welcome', recipient: account.email }]);
  });

  it('answers 403 to another address, 400 to another type, 401 without a session', async () => {
    expect((await ask({ to: 'somebody@example.com' })).json()).toMatchObject({ code: 'foreign_account' });
    expect((await ask({ to: 5 })).json()).toMatchObject({ code: 'invalid_request' });
    expect(
      (await server.inject({ method: 'POST', url: '/api/welcomeemail', headers: signedOut, payload: {} })).statusCode,
    ).toBe(401);
    expect(await mails()).toEqual([]);
  });

  it('answers the specified text when the email cannot be queued', async () => {
    const failing = jest.spyOn(server.get(WelcomeMails), 'send').mockRejectedValueOnce(new Error('no database'));
    const answer = await ask();
    expect(answer.statusCode).toBe(503);
    expect(answer.json()).toMatchObject({ error: 'There was an error sending the email. Please try again.' });
    failing.mockRestore();
  });
});
