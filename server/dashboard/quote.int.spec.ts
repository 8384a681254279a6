import fc from 'fast-check';
import type { LightMyRequestResponse } from 'fastify';
import { quoteAnswer, type QuoteAnswer } from '#contract/dashboard.js';
import { sendSmsAnswer } from '#contract/messages.js';
import { Accounts } from '#core/accounts/accounts.js';
import { moneyFaults, moneyOf } from '#core/testing/money.js';
import { countDay, createTestAccount, type TestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { signedOut, signIn } from '../testing/browser.js';
import { createTestServer, type TestServer } from '../testing/test-server.js';

const TO = '+14155552671';
const OPTED_OUT = '+14155552672';

describe('POST /api/dashboard/quote', () => {
  let bed: TestBed;
  let server: TestServer;
  let account: TestAccount;
  let headers: Record<string, string>;

  beforeAll(async () => {
    bed = await createTestBed();
    server = await createTestServer(bed.config());
    await bed.database.sql(`INSERT INTO opt_outs (recipient, sender) VALUES ($1, '+15005550006')`, [OPTED_OUT]);
  });

  afterAll(async () => {
    await server?.close();
    await bed?.remove();
  });

  const become = async (credits: number, changes: { urlsActivated?: boolean } = {}) => {
    account = await createTestAccount(server, { credits, ...changes });
    headers = await signIn(server, account);
  };
  const ask = (payload: object, by = headers): Promise<LightMyRequestResponse> =>
    server.inject({ method: 'POST', url: '/api/dashboard/quote', headers: by, payload });
  const quote = async (to: string, message: string): Promise<QuoteAnswer> => {
    const answer = await ask({ to, message });
    expect(answer.statusCode).toBe(200);
    return quoteAnswer.parse(answer.json());
  };
  const codes = async (to: string, message: string) =>
    (await quote(to, message)).faults.map(({ field, code }) => `${field}: ${code}`);

  it('returns the segments, price and balance of a message', async () => {
    await become(100);
    expect(await quote('+4915123456789', 'Grüße an жанна 😀'.padEnd(80, '.'))).toEqual({
      kind: 'sms',
      country: 'Germany',
      iso2: 'DE',
      active: true,
      encoding: 'UCS-2',
      segments: 2,
      charactersLeft: 54,
      unicodeCharacters: ['ж', 'а', 'н', '😀'],
      creditsPerSms: 5,
      credits: 10,
      balance: 100,
      balanceAfter: 90,
      faults: [],
    });
  });

  it('returns the country of an incomplete number, without a price', async () => {
    await become(100);
    expect(await quote('+49 15', 'Hello')).toMatchObject({
      country: 'Germany',
      creditsPerSms: 5,
      credits: null,
      balanceAfter: null,
      faults: [{ field: 'to', code: 'invalid_number' }],
    });
  });

  it('reports no error for empty fields', async () => {
    await become(100);
    expect(await quote('', '')).toMatchObject({
      iso2: null,
      segments: 1,
      charactersLeft: 160,
      credits: null,
      faults: [],
    });
    expect(await quote(TO, '')).toMatchObject({ iso2: 'US', credits: null, faults: [] });
    expect(await quote('', 'Hello')).toMatchObject({ iso2: null, credits: null, faults: [] });
  });

  it('names each invalid field', async () => {
    await become(100);
    expect(await codes('+33612345678', 'Hello')).toEqual(['to: region_inactive']);
    expect(await codes('+18764123456', 'Hello')).toEqual(['to: region_unsupported']);
    expect(await codes(OPTED_OUT, 'Hello')).toEqual(['to: recipient_opted_out']);
    expect(await codes(TO, 'a'.repeat(1531))).toEqual(['message: message_too_long']);
    expect(await codes(TO, 'See https://bit.ly/x')).toEqual(['message: url_shortener']);
    expect(await codes(TO, 'See https://example.com/x')).toEqual(['message: url_not_activated']);
    expect(await codes('nonsense', 'See https://bit.ly/x')).toEqual(['to: invalid_number', 'message: url_shortener']);
    await become(0);
    expect(await codes(TO, 'Hello')).toEqual(['credits: no_credits']);
    await become(4);
    expect(await quote('+4915123456789', 'Hello')).toMatchObject({
      credits: 5,
      balanceAfter: null,
      faults: [{ field: 'credits', code: 'insufficient_credits' }],
    });
  });

  it('reports a full day like sending does, after an empty balance and before one that is too small', async () => {
    await become(4);
    const { dailyLimit } = await server.get(Accounts).show(account.email);
    await countDay(bed.database, account.id, dailyLimit - 1);
    expect(await codes(TO, 'Hello')).toEqual([]);
    await countDay(bed.database, account.id, dailyLimit);
    expect(await codes(TO, '')).toEqual(['credits: daily_limit']);
    expect(await codes(OPTED_OUT, 'Hello')).toEqual(['to: recipient_opted_out', 'credits: daily_limit']);
    for (const to of [TO, '+4915123456789']) {
      const [fault] = (await quote(to, 'Hello')).faults;
      const answer = await server.send({ to, message: 'Hello', apikey: account.apiKey });
      expect([answer.statusCode, answer.json()]).toMatchObject([429, { code: fault?.code, detail: fault?.detail }]);
    }
    await bed.database.sql('UPDATE accounts SET daily_limit = daily_limit + 1 WHERE id = $1', [account.id]);
    expect(await codes(TO, 'Hello')).toEqual([]);
    await become(0);
    await countDay(bed.database, account.id, dailyLimit);
    expect(await codes(TO, 'Hello')).toEqual(['credits: no_credits']);
  });

  it('returns the price or error that sending returns', async () => {
    await become(1_000_000, { urlsActivated: true });
    await bed.database.sql('UPDATE accounts SET daily_limit = 1000000 WHERE id = $1', [account.id]);
    const numbers = fc.constantFrom(
      TO,
      '+16135550123',
      '+4915123456789',
      '+447400123456',
      '+66812345678',
      '+12423591234',
      OPTED_OUT,
      '+1415',
    );
    const text = fc.oneof(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 700 }),
      fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 1_700 }),
      fc.constantFrom('https://bit.ly/x', 'https://example.com/x', 'Grüße', '€'.repeat(80)),
    );
    let balance = 1_000_000;
    await fc.assert(
      fc.asyncProperty(numbers, text, async (to, message) => {
        const told = await quote(to, message);
        expect(told.balance).toBe(balance);
        const answer = await server.send({ to, message, apikey: account.apiKey });
        if (told.faults.length > 0) {
          expect(answer.json()).toMatchObject({ code: told.faults[0]?.code, detail: told.faults[0]?.detail });
          return;
        }
        const { segments, credits } = sendSmsAnswer.parse(answer.json());
        expect([told.segments, told.credits]).toEqual([segments, credits]);
        balance -= credits;
        expect(told.balanceAfter).toBe(balance);
      }),
      { numRuns: 150 },
    );
    expect((await moneyOf(bed.database, account.id)).balance).toBe(balance);
    expect(await moneyFaults(bed.database)).toEqual([]);
  });

  it('changes nothing', async () => {
    await become(100);
    const before = await moneyOf(bed.database, account.id);
    await quote(TO, 'Hello');
    expect(await moneyOf(bed.database, account.id)).toEqual(before);
    expect(await bed.database.sql('SELECT last_used_at FROM key_secrets WHERE account_id = $1', [account.id])).toEqual([
      { last_used_at: null },
    ]);
  });

  it('rejects other types, unsendable text, text that is too long, and calls without a session', async () => {
    await become(100);
    for (const payload of [{}, { to: 5, message: 'Hello' }, { to: TO, message: null }, { to: TO, message: '\0' }])
      expect((await ask(payload)).json()).toMatchObject({ code: 'invalid_request' });
    expect((await ask({ to: TO, message: 'a'.repeat(70_000) })).statusCode).toBe(413);
    expect((await ask({ to: TO, message: 'Hello' }, signedOut)).statusCode).toBe(401);
    expect((await ask({ to: TO, message: 'Hello' }, { cookie: headers['cookie'] ?? '' })).statusCode).toBe(403);
  });
});
