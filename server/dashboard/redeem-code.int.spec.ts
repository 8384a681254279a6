import { limits } from '#contract/limits.js';
import { createTestAccount, type TestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { signedOut, signIn } from '../testing/browser.js';
import { createTestServer, type TestServer } from '../testing/test-server.js';
import { createRedeemCode } from '#core/testing/operator-credits.js';

describe('POST /api/redeemcode', () => {
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

  const code = (uses = 1, expiresAt: Date | null = null) => createRedeemCode(server, { credits: 25, uses, expiresAt });
  const redeem = async (payload: object, by = account): Promise<[number, unknown]> => {
    const headers = await signIn(server, by);
    const answer = await server.inject({ method: 'POST', url: '/api/redeemcode', headers, payload });
    return [answer.statusCode, answer.json()];
  };

  it('answers each outcome with its own text', async () => {
    const once = await code();
    expect(await redeem({ uid: account.id, code: once })).toEqual([
      200,
      { message: '25 credits were added to your account.' },
    ]);
    expect(await redeem({ code: once })).toEqual([409, { message: 'You have already redeemed this code.' }]);
    expect(await redeem({ code: once }, await createTestAccount(server))).toEqual([
      409,
      { message: 'This code has already been used.' },
    ]);
    expect(await redeem({ code: 'NONSENSE' })).toEqual([404, { message: 'This code is not valid.' }]);
    expect(await redeem({ code: await code(1, new Date(0)) })).toEqual([410, { message: 'This code has expired.' }]);
    for (const payload of [{}, { code: '' }, { code: null }, { code: '  ' }])
      expect(await redeem(payload)).toEqual([400, { message: 'Please enter a code to redeem.' }]);
  });

  it('answers 429 with Retry-After to an account that guesses', async () => {
    for (let n = 0; n < limits.redeemAttemptsMax; n += 1) await redeem({ code: `GUESS${n}` });
    const headers = await signIn(server, account);
    const answer = await server.inject({ method: 'POST', url: '/api/redeemcode', headers, payload: { code: 'X' } });
    expect(answer.statusCode).toBe(429);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    expect(answer.json()).toEqual({ message: 'Too many attempts. Please try again later.' });
  });

  it('rejects another account’s id, a code of another type, a code that is too long, and a call without a session', async () => {
    expect(await redeem({ uid: 'somebody', code: 'X' })).toMatchObject([403, { code: 'foreign_account' }]);
    expect(await redeem({ code: 5 })).toMatchObject([400, { code: 'invalid_request' }]);
    expect(await redeem({ code: 'X'.repeat(65) })).toMatchObject([400, { code: 'invalid_request' }]);
    expect(
      (await server.inject({ method: 'POST', url: '/api/redeemcode', headers: signedOut, payload: {} })).statusCode,
    ).toBe(401);
  });
});
