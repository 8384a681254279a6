import { NamedKeys } from '#core/keys/named-keys.js';
import { RateLimiter } from '#core/platform/queue/rate-limiter.js';
import { freeze, moneyFaults, moneyOf } from '#core/testing/money.js';
import { hasPaid } from '#core/testing/paid.js';
import { createTestAccount, type TestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { UnreadBody } from '../http/unread-body.js';
import { createTestServer, type TestServer } from '../testing/test-server.js';
import { PricePromises } from '#core/messages/send/price-promises.js';

const TO = '+447400123456';

describe('POST /api/quote', () => {
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

  afterEach(async () => {
    expect(await moneyFaults(bed.database)).toEqual([]);
  });

  afterAll(async () => {
    await server?.close();
    await bed?.remove();
  });

  const post = (url: string, body: object, headers: Record<string, string> = {}) =>
    server.inject({
      method: 'POST',
      url,
      headers,
      payload: { to: TO, message: 'Hello', apikey: account.apiKey, ...body },
    });
  const quote = (body: object = {}) => post('/api/quote', body);
  const send = (body: object = {}, headers: Record<string, string> = {}) => post('/api/sendsms', body, headers);
  const quoted = async (body: object = {}) => (await quote(body)).json<{ quote: string }>().quote;
  const codeOf = (answer: { statusCode: number; body: string }) => [
    answer.statusCode,
    (JSON.parse(answer.body) as { code?: string }).code,
  ];
  const money = () => moneyOf(bed.database, account.id);
  /** A quote as an earlier price list would have given it. */
  const quotedAt = (credits: number, at?: Date) =>
    server.get(PricePromises).issue({ accountId: account.id, content: ['sms', TO, 'Hello'] }, credits, at).quote;

  it('answers the price, and charges, stores and sends nothing', async () => {
    const answer = await quote({ message: 'Привет', reference: 'r' });
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      {
        success: 'true',
        quote: expect.stringMatching(/^[\w-]{100,}$/),
        expires_at: expect.any(String),
        segments: 1,
        credits: 3,
        encoding: 'UCS-2',
        unsupported_characters: ['П', 'р', 'и', 'в', 'е', 'т'],
        country: 'GB',
        balance: 100,
        balance_after: 97,
      },
    ]);
    const minutes = (Date.parse(answer.json<{ expires_at: string }>().expires_at) - Date.now()) / 60_000;
    expect(Math.round(minutes)).toBe(10);
    expect(await money()).toMatchObject({ balance: 100, messages: 0, entries: 1 });
  });

  it.each([
    [0, null],
    [2, null],
    [3, 0],
  ])('answers for a balance of %i that sending leaves %j', async (credits, balance_after) => {
    account = await createTestAccount(server, { credits });
    expect((await quote()).json()).toMatchObject({ balance: credits, credits: 3, balance_after });
  });

  it('does not count credits that a dispute has frozen as spendable', async () => {
    await freeze(bed.database, account.id, 98);
    expect((await quote()).json()).toMatchObject({ balance: 100, credits: 3, balance_after: null });
  });

  it('prices smart encoding as it is sent', async () => {
    const message = `“${'a'.repeat(100)}”`;
    expect((await quote({ message, encoding: 'smart' })).json()).toMatchObject({
      credits: 3,
      encoding: 'GSM-7',
      unsupported_characters: [],
    });
    expect((await quote({ message })).json()).toMatchObject({ credits: 6, unsupported_characters: ['“', '”'] });
    const body = { message, encoding: 'smart' };
    expect((await send({ ...body, quote: await quoted(body) })).json()).toMatchObject({ credits: 3 });
  });

  it.each([
    [{ to: '+1 555' }, 400, 'invalid_number'],
    [{ to: '+33612345678' }, 400, 'region_inactive'],
    [{ message: 'a'.repeat(1_531) }, 400, 'message_too_long'],
    [{ message: 'https://example.com' }, 403, 'url_not_activated'],
    [{ apikey: 'unknown' }, 401, 'unknown_api_key'],
    [{ apikey: 'unknown', to: '+1 555' }, 401, 'unknown_api_key'],
    [{ message: '' }, 400, 'missing_fields'],
    [{ to: 5 }, 400, 'invalid_request'],
    [{ encoding: 'x' }, 400, 'invalid_request'],
  ])('refuses %j as a test of it would', async (body, status, code) => {
    expect(codeOf(await quote(body))).toEqual([status, code]);
    expect(await money()).toMatchObject({ balance: 100, messages: 0 });
  });

  it('needs the scope of sending', async () => {
    const lists = { scopes: ['read' as const], addresses: [], countries: [] };
    const limitless = { creditsPerDay: null, creditsPerMonth: null, messagesPerSecond: null, expiresAt: null };
    const reader = { name: 'Key', mode: 'live' as const, ...lists, ...limitless };
    const { secret } = await server.get(NamedKeys).create({ actor: 'account', accountId: account.id }, reader);
    expect(codeOf(await quote({ apikey: secret }))).toEqual([403, 'key_scope']);
  });

  it('shows an example in place of the balance to a test key, whose quote the live key can use', async () => {
    const apikey = `${account.apiKey}_test`;
    expect((await quote({ apikey })).json()).toMatchObject({
      credits: 3,
      balance: 212,
      balance_after: 209,
      test: true,
    });
    expect((await send({ quote: await quoted({ apikey }) })).json()).toMatchObject({ credits: 3 });
    expect((await send({ apikey, quote: await quoted() })).json()).toMatchObject({ credits: 3, test: true });
  });

  describe('of many long texts', () => {
    const long = 'http://a.b.c.example.com/ me@x.y '.repeat(13);
    const bulk = (items: number, message = long) => ({
      apikey: account.apiKey,
      messages: Array.from({ length: items }, (_none, n) => ({
        to: `+1202555${1_000 + n}`,
        message: `${message}${n}`,
      })),
    });
    const ask = (url: string, payload: object) => server.inject({ method: 'POST', url, payload });
    const many = 4_900;
    let read: jest.SpyInstance;

    beforeEach(async () => {
      account = await createTestAccount(server, { credits: 3, urlsActivated: true });
      read = jest.spyOn(UnreadBody.prototype, 'read');
    });

    afterEach(() => read.mockRestore());

    it('does a tenth of the work for an account that has never paid, and does not read what is beyond', async () => {
      const refused = await server.inject({
        method: 'POST',
        url: '/api/quote',
        headers: { authorization: `Bearer ${account.apiKey}` },
        payload: bulk(many),
      });
      expect(codeOf(refused)).toEqual([429, 'rate_limited']);
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
      expect(read).not.toHaveBeenCalled();
      // The refused call was not counted.
      expect(codeOf(await ask('/api/quote', bulk(10)))).toEqual([200, undefined]);
      await hasPaid(bed.database, account.id);
      expect((await ask('/api/quote', bulk(many))).json()).toMatchObject({ success: 'true', messages: many });
    });

    it('counts the texts that a template makes', async () => {
      const recipients = bulk(many).messages.map(({ to }) => ({ to }));
      expect(codeOf(await ask('/api/quote', { apikey: account.apiKey, message: long, recipients }))[1]).toBe(
        'rate_limited',
      );
    });

    it('counts refused bulks, and none that is sent', async () => {
      const counted = async (credits: number) => {
        account = await createTestAccount(server, { credits, dailyLimit: 1_000, urlsActivated: true });
        const give = jest.spyOn(RateLimiter.prototype, 'giveBack');
        const answer = await ask('/api/sendbulk', bulk(20, 'Hello '));
        const back = give.mock.calls.filter(([key]) => key === account.id);
        give.mockRestore();
        return [answer.statusCode, back.length];
      };
      expect(await counted(20)).toEqual([200, 1]);
      expect(await counted(19)).toEqual([400, 0]);
    });
  });

  describe('whose quote is sent along', () => {
    it('charges at most what was quoted, and what it costs now if that is less', async () => {
      expect((await send({ quote: await quoted() })).json()).toMatchObject({ credits: 3, balance: 97 });
      expect((await send({ quote: quotedAt(2) })).json()).toMatchObject({ credits: 2, balance: 95 });
      expect((await send({ quote: quotedAt(9) })).json()).toMatchObject({ credits: 3, balance: 92 });
      expect(
        await bed.database.sql('SELECT credits FROM messages WHERE account_id = $1 ORDER BY id', [account.id]),
      ).toEqual([{ credits: 3 }, { credits: 2 }, { credits: 3 }]);
    });

    it('can cover what the balance would not', async () => {
      account = await createTestAccount(server, { credits: 2 });
      expect(codeOf(await send())).toEqual([402, 'insufficient_credits']);
      expect((await send({ quote: quotedAt(2) })).json()).toMatchObject({ credits: 2, balance: 0 });
    });

    it('is refused after ten minutes, for another message and for another account, uncharged', async () => {
      const earlier = await quoted();
      expect(codeOf(await send({ quote: quotedAt(3, new Date(Date.now() - 601_000)) }))).toEqual([
        409,
        'quote_expired',
      ]);
      expect(codeOf(await send({ quote: earlier, message: 'Other' }))).toEqual([400, 'quote_invalid']);
      expect(codeOf(await send({ quote: earlier, to: '+447400123457' }))).toEqual([400, 'quote_invalid']);
      const other = await createTestAccount(server);
      expect(codeOf(await send({ quote: earlier, apikey: other.apiKey }))).toEqual([400, 'quote_invalid']);
      expect(codeOf(await send({ quote: earlier, apikey: 'unknown' }))).toEqual([401, 'unknown_api_key']);
      expect(await money()).toMatchObject({ balance: 100, messages: 0 });
    });

    it('accepts the number written otherwise', async () => {
      expect((await send({ to: '+44 7400 123456', quote: await quoted() })).json()).toMatchObject({ credits: 3 });
    });

    it('answers a repeated Idempotency-Key also after the quote has expired', async () => {
      const headers = { 'idempotency-key': 'k' };
      const earlier = quotedAt(2);
      const first = await send({ quote: earlier }, headers);
      expect(first.json()).toMatchObject({ credits: 2 });
      const quotes = server.get(PricePromises);
      const priceOf = quotes.priceOf.bind(quotes);
      const later = jest
        .spyOn(quotes, 'priceOf')
        .mockImplementation((issued, priced) => priceOf(issued, priced, new Date(Date.now() + 601_000)));
      expect(codeOf(await send({ quote: earlier }))).toEqual([409, 'quote_expired']);
      const second = await send({ quote: earlier }, headers);
      expect([second.statusCode, second.body]).toEqual([200, first.body]);
      later.mockRestore();
      expect(codeOf(await send({ quote: quotedAt(2) }, headers))).toEqual([422, 'idempotency_conflict']);
    });
  });

  describe('and max_credits of sendsms', () => {
    it.each([3, '3', 4, 1_000_000_000])('sends for at most %j credits', async (max_credits) => {
      expect((await send({ max_credits })).json()).toMatchObject({ credits: 3 });
    });

    it('refuses a higher price, uncharged, unless a quote lowers it', async () => {
      const refused = await send({ max_credits: 2 });
      expect(codeOf(refused)).toEqual([409, 'price_above_max']);
      expect(refused.json<{ detail: string }>().detail).toBe(
        'The price is 3 credits, more than "max_credits", 2. You were not charged.',
      );
      expect(await money()).toMatchObject({ balance: 100, messages: 0 });
      expect((await send({ max_credits: 2, quote: quotedAt(2) })).json()).toMatchObject({ credits: 2 });
    });

    it('does not matter to a quote', async () => {
      expect((await quote({ max_credits: 1 })).json()).toMatchObject({ credits: 3 });
      expect((await quote({ quote: 'none' })).json()).toMatchObject({ credits: 3 });
    });
  });
});
