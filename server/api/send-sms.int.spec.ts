import { moneyFaults, moneyOf } from '#core/testing/money.js';
import { createTestAccount, type TestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { createTestServer, type TestServer } from '../testing/test-server.js';

const TO = '+14155552671';

describe('POST /api/sendsms', () => {
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

  const form = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
    server.inject({
      method: 'POST',
      url: '/api/sendsms',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      payload: new URLSearchParams(fields).toString(),
    });

  const rows = () => bed.database.sql('SELECT * FROM messages WHERE account_id = $1 ORDER BY id', [account.id]);

  it('accepts JSON: charges, stores, and returns the id, segments and credits', async () => {
    const answer = await server.send({ to: TO, message: 'Hello', apikey: account.apiKey });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    const body = answer.json<{ message_id: string }>();
    expect(body).toEqual({
      success: 'true',
      message_id: expect.stringMatching(/^SM[0-9a-f]{32}$/),
      segments: 1,
      credits: 1,
      encoding: 'GSM-7',
      balance: 99,
    });
    const [row] = await rows();
    expect(row).toMatchObject({
      recipient: TO,
      body: 'Hello',
      country: 'US',
      kind: 'sms',
      segments: 1,
      credits: 1,
      reference: null,
    });
    expect(`SM${String(row?.id).replaceAll('-', '')}`).toBe(body.message_id);
    expect(await moneyOf(bed.database, account.id)).toEqual({
      balance: 99,
      purchased: 100,
      used: 1,
      ledger: 99,
      entries: 2,
      messages: 1,
    });
  });

  it('answers the balance after each message, also of simultaneous ones', async () => {
    const send = () => server.send({ to: TO, message: 'Hello', apikey: account.apiKey });
    const answers = await Promise.all(Array.from({ length: 20 }, send));
    const balances = answers.map((answer) => answer.json<{ balance: number }>().balance);
    expect(balances.sort((a, b) => b - a)).toEqual(Array.from({ length: 20 }, (_, n) => 99 - n));
    expect((await send()).json()).toMatchObject({ balance: 79 });
  });

  it('accepts a form', async () => {
    const answer = await form({ to: TO, message: 'Grüße & mehr', apikey: account.apiKey });
    expect(answer.json()).toMatchObject({ success: 'true', segments: 1, credits: 1 });
    expect(await rows()).toMatchObject([{ recipient: TO, body: 'Grüße & mehr' }]);
  });

  it('reads the space of an unescaped + in a form as +', async () => {
    const answer = await server.inject({
      method: 'POST',
      url: '/api/sendsms',
      headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' },
      payload: `to=+447400123456&message=Hi+there&apikey=${account.apiKey}`,
    });
    expect(answer.json()).toMatchObject({ success: 'true', credits: 3 });
    expect(await rows()).toMatchObject([{ recipient: '+447400123456', body: 'Hi there', country: 'GB' }]);
  });

  it('dials a number without + from the USA', async () => {
    await server.send({ to: '(415) 555-2671', message: 'Hello', apikey: account.apiKey });
    expect(await rows()).toMatchObject([{ recipient: TO, country: 'US' }]);
  });

  it.each([
    ['Canada', '+16045550123', 1],
    ['Thailand', '+66812345678', 2],
    ['the UK', '+447400123456', 3],
    ['Ireland', '+353850123456', 4],
    ['Germany', '+4915123456789', 5],
  ])('charges segments times the rate of %s', async (_country, to, rate) => {
    const answer = await server.send({ to, message: 'a'.repeat(161), apikey: account.apiKey });
    expect(answer.json()).toMatchObject({ segments: 2, credits: 2 * rate });
    expect(await moneyOf(bed.database, account.id)).toMatchObject({ balance: 100 - 2 * rate });
  });

  it('accepts ten segments and refuses eleven', async () => {
    const ten = await server.send({ to: TO, message: 'a'.repeat(1_530), apikey: account.apiKey });
    expect(ten.json()).toMatchObject({ success: 'true', segments: 10, credits: 10 });
    const eleven = await server.send({ to: TO, message: 'a'.repeat(1_531), apikey: account.apiKey });
    expect(eleven.statusCode).toBe(400);
    expect(eleven.json()).toMatchObject({ success: 'false', code: 'message_too_long' });
    expect(await moneyOf(bed.database, account.id)).toMatchObject({ balance: 90, messages: 1 });
  });

  it('sends URLs for an account that is activated for them', async () => {
    account = await createTestAccount(server, { urlsActivated: true });
    const answer = await server.send({ to: TO, message: 'See https://example.com/page', apikey: account.apiKey });
    expect(answer.statusCode).toBe(200);
  });

  it('spends the last credit', async () => {
    account = await createTestAccount(server, { credits: 1 });
    expect((await server.send({ to: TO, message: 'one', apikey: account.apiKey })).statusCode).toBe(200);
    const second = await server.send({ to: TO, message: 'two', apikey: account.apiKey });
    expect([second.statusCode, second.json<{ code: string }>().code]).toEqual([402, 'no_credits']);
  });

  it('ignores fields it does not know', async () => {
    const answer = await server.send({
      to: TO,
      message: 'Hello',
      apikey: account.apiKey,
      credits: -5,
      account_id: 'x',
      price: 0,
    });
    expect(answer.json()).toMatchObject({ success: 'true', credits: 1 });
  });

  describe('Authorization: Bearer', () => {
    it('stands in for the apikey of the body', async () => {
      const answer = await server.send({ to: TO, message: 'Hello' }, { authorization: `Bearer ${account.apiKey}` });
      expect(answer.statusCode).toBe(200);
      expect((await form({ to: TO, message: 'Hello' }, { authorization: `bearer ${account.apiKey}` })).statusCode).toBe(
        200,
      );
      expect(await moneyOf(bed.database, account.id)).toMatchObject({ balance: 98, messages: 2 });
    });

    it('yields to the apikey of the body', async () => {
      const answer = await server.send(
        { to: TO, message: 'Hello', apikey: 'nobody' },
        { authorization: `Bearer ${account.apiKey}` },
      );
      expect(answer.statusCode).toBe(401);
    });

    it.each(['Basic abc', 'Bearer', 'Bearer  ', 'Bearer a b'])('is no key as "%s"', async (authorization) => {
      const answer = await server.send({ to: TO, message: 'Hello' }, { authorization });
      expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([400, 'missing_fields']);
    });
  });

  describe('reference', () => {
    it('is returned and stored, up to 64 characters', async () => {
      const reference = 'r'.repeat(64);
      const answer = await server.send({ to: TO, message: 'Hello', apikey: account.apiKey, reference });
      expect(answer.json()).toMatchObject({ success: 'true', reference });
      expect(await rows()).toMatchObject([{ reference }]);
    });

    it('is rejected over 64 characters', async () => {
      const answer = await server.send({ to: TO, message: 'Hello', apikey: account.apiKey, reference: 'r'.repeat(65) });
      expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([400, 'invalid_request']);
      expect(await rows()).toEqual([]);
    });

    it.each([null, ''])('is none when it is %p', async (reference) => {
      const answer = await server.send({ to: TO, message: 'Hello', apikey: account.apiKey, reference });
      expect(answer.json()).not.toHaveProperty('reference');
      expect(await rows()).toMatchObject([{ reference: null }]);
    });
  });

  describe('encoding', () => {
    const curly = `“It’s ${'a'.repeat(80)}…”`;
    const plain = `"It's ${'a'.repeat(80)}..."`;

    it.each([{}, { encoding: null }, { encoding: 'auto' }])('sends the text as it is with %j', async (option) => {
      const answer = await server.send({ to: TO, message: curly, apikey: account.apiKey, ...option });
      expect(answer.json()).toMatchObject({ segments: 2, credits: 2, encoding: 'UCS-2' });
      expect(answer.json()).not.toHaveProperty('message');
      expect(await rows()).toMatchObject([{ body: curly }]);
    });

    it('replaces typographic characters, and charges and shows the text that is sent, as smart', async () => {
      const answer = await server.send({ to: TO, message: curly, apikey: account.apiKey, encoding: 'smart' });
      expect(answer.json()).toMatchObject({ segments: 1, credits: 1, encoding: 'GSM-7', message: plain });
      expect(await rows()).toMatchObject([{ body: plain, segments: 1, credits: 1 }]);
      expect(
        (await form({ to: TO, message: 'Привет…', apikey: account.apiKey, encoding: 'smart' })).json(),
      ).toMatchObject({ encoding: 'UCS-2', message: 'Привет...' });
    });

    it('sends what GSM-7 contains as gsm7, and names other characters', async () => {
      const send = (message: string) => server.send({ to: TO, message, apikey: account.apiKey, encoding: 'gsm7' });
      expect((await send('Ä{€}')).json()).toMatchObject({ success: 'true', encoding: 'GSM-7' });
      const refused = await send('“It’s” 🎉');
      expect([refused.statusCode, refused.json()]).toEqual([
        400,
        expect.objectContaining({
          code: 'encoding_unsupported',
          detail: 'GSM-7 does not contain "“", "’", "”", "🎉".',
        }),
      ]);
      expect((await send('абвгдежзийклмн')).json()).toMatchObject({
        detail: expect.stringMatching(/"й" and maybe others\.$/),
      });
      expect(await moneyOf(bed.database, account.id)).toMatchObject({ balance: 99, messages: 1 });
    });
  });

  describe('with a key in test mode', () => {
    it('answers like a live key, and charges, stores and sends nothing', async () => {
      const answer = await server.send({
        to: '+447400123456',
        message: 'Hello',
        apikey: `${account.apiKey}_test`,
        reference: 'r',
      });
      expect(answer.statusCode).toBe(200);
      expect(answer.json()).toEqual({
        success: 'true',
        message_id: expect.stringMatching(/^SM[0-9a-f]{32}$/),
        segments: 1,
        credits: 3,
        encoding: 'GSM-7',
        balance: 212,
        reference: 'r',
        test: true,
      });
      expect(await moneyOf(bed.database, account.id)).toEqual({
        balance: 100,
        purchased: 100,
        used: 0,
        ledger: 100,
        entries: 1,
        messages: 0,
      });
      const queued = await bed.redis.keys(`{${bed.config().queue.prefix}}:dispatch:*`);
      expect(
        queued.filter((key) => key.includes(messageUuid(answer.json<{ message_id: string }>().message_id))),
      ).toEqual([]);
    });

    it.each([
      ['unknown_api_key', 401, { apikey: '00000000-0000-4000-8000-000000000000_test' }],
      ['invalid_number', 400, { to: '+1 555' }],
      ['region_unsupported', 400, { to: '+254712123456' }],
      ['region_inactive', 400, { to: '+33612345678' }],
      ['message_too_long', 400, { message: 'a'.repeat(1_531) }],
      ['url_shortener', 403, { message: 'https://bit.ly/abc' }],
      ['url_not_activated', 403, { message: 'https://example.com' }],
      ['missing_fields', 400, { message: '' }],
    ])('checks for %s', async (code, status, spoiled) => {
      const answer = await server.send({ to: TO, message: 'Hello', apikey: `${account.apiKey}_test`, ...spoiled });
      expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([status, code]);
    });

    it('shows an example in place of the balance', async () => {
      account = await createTestAccount(server, { credits: 31 });
      const answer = await server.send({ to: TO, message: 'Hello', apikey: `${account.apiKey}_test` });
      expect(answer.json()).toMatchObject({ test: true, balance: 212 });
    });

    it('needs no credits', async () => {
      account = await createTestAccount(server, { credits: 0 });
      expect((await server.send({ to: TO, message: 'Hello', apikey: `${account.apiKey}_test` })).statusCode).toBe(200);
    });
  });

  it.each([
    [
      'See you at home.In case',
      '"home.In" is a URL. Messages with URLs need activation of the account. Contact support.',
    ],
    ['Go to bit。ly/x', '"bit.ly/x" is a shortened URL. Use the full URL.'],
  ])('quotes what was taken for a URL in %j', async (message, detail) => {
    const answer = await server.send({ to: TO, message, apikey: account.apiKey });
    expect([answer.statusCode, answer.json<{ detail: string }>().detail]).toEqual([403, detail]);
  });

  afterEach(async () => {
    expect(await moneyFaults(bed.database)).toEqual([]);
  });
});

function messageUuid(publicId: string): string {
  const hex = publicId.slice(2);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
