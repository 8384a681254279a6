import { limits } from '#contract/limits.js';
import { otpQuoteAnswer } from '#contract/otp.js';
import type { KeyScope } from '#contract/account.js';
import { NamedKeys } from '#core/keys/named-keys.js';
import { freeze, moneyFaults, moneyOf } from '#core/testing/money.js';
import { createTestAccount, type TestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { createTestServer, type TestServer } from '../testing/test-server.js';

const TO = '+14155552671';
const CANADIAN = '+16135550123';
const MANY = [{ channel: 'sms', wait_seconds: 30 }, { channel: 'voice' }, { channel: 'whatsapp' }];

interface Answer {
  readonly code?: string;
  readonly detail?: string;
  readonly credits_max?: number;
  readonly fix?: unknown;
}

describe('POST /api/quote of a code with channels', () => {
  let bed: TestBed;
  let server: TestServer;
  let account: TestAccount;

  beforeAll(async () => {
    bed = await createTestBed();
    server = await createTestServer(
      bed.config({
        TWILIO_WHATSAPP_SENDER: '+14155238886',
        TWILIO_WHATSAPP_TEMPLATE: `HX${'0'.repeat(32)}`,
        TWILIO_VOICE_NUMBER: '+15005550006',
        OTP_VOICE_CREDITS: '5',
      }),
    );
    await bed.database.sql(`INSERT INTO region_settings (code, voice) VALUES ('USA', true)`);
  });

  beforeEach(async () => {
    account = await createTestAccount(server, { credits: 100 });
    await bed.database.sql('DELETE FROM otp_sends');
  });

  afterEach(async () => {
    expect(await moneyFaults(bed.database)).toEqual([]);
  });

  afterAll(async () => {
    await server?.close();
    await bed?.remove();
  });

  const post = (url: string, body: object, headers: Record<string, string> = {}) =>
    server.inject({ method: 'POST', url, headers, payload: { to: TO, apikey: account.apiKey, ...body } });
  const quote = (body: object = {}) => post('/api/quote', { channels: MANY, ...body });
  const send = (body: object = {}) => post('/api/sendotp', { channels: MANY, ...body });
  const form = (fields: Record<string, string>) =>
    server.inject({
      method: 'POST',
      url: '/api/quote',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ to: TO, apikey: account.apiKey, ...fields }).toString(),
    });
  const codeOf = (answer: { statusCode: number; body: string }) => [
    answer.statusCode,
    (JSON.parse(answer.body) as Answer).code,
  ];
  const money = () => moneyOf(bed.database, account.id);
  /** Rows that sending a code writes. */
  const written = async () => {
    const [rows] = await bed.database.sql(
      `SELECT (SELECT count(*)::int FROM otp_codes WHERE account_id = $1) AS codes,
        (SELECT count(*)::int FROM otp_sends) AS guarded,
        (SELECT count(*)::int FROM messages WHERE account_id = $1) AS messages,
        (SELECT coalesce(sum(count + scheduled), 0)::int FROM daily_counts WHERE account_id = $1) AS counted`,
      [account.id],
    );
    return rows;
  };
  const keyWith = async (scopes: KeyScope[], countries: string[] = []) => {
    const limitless = { creditsPerDay: null, creditsPerMonth: null, messagesPerSecond: null, expiresAt: null };
    const key = { name: 'Key', mode: 'live' as const, scopes, addresses: [], countries, ...limitless };
    const { secret } = await server.get(NamedKeys).create({ actor: 'account', accountId: account.id }, key);
    return secret;
  };
  const stop = (sql = 'INSERT INTO opt_outs (account_id, recipient, sender) VALUES ($1, $2, $3)') =>
    bed.database.sql(sql, [account.id, TO, '+15005550006']);

  it('answers the price of each channel in order and of all, and charges, stores and counts nothing', async () => {
    const answer = await quote({ org: 'Acme', max_credits: 1, reference: 'r', delivery: 'once' });
    expect(answer.statusCode).toBe(200);
    expect(answer.body).toBe(
      JSON.stringify({
        success: 'true',
        channels: [
          { channel: 'sms', credits: 1 },
          { channel: 'voice', credits: 5 },
          { channel: 'whatsapp', credits: 2 },
        ],
        credits: 1,
        credits_max: 8,
        country: 'US',
        balance: 100,
        balance_after: 92,
      }),
    );
    expect(otpQuoteAnswer.strict().parse(answer.json())).toBeTruthy();
    expect(await money()).toMatchObject({ balance: 100, messages: 0, entries: 1 });
    expect(await written()).toEqual({ codes: 0, guarded: 0, messages: 0, counted: 0 });
  });

  it('is not refused by the fraud guard, however often it is asked', async () => {
    for (let n = 0; n < 12; n += 1) expect((await quote()).statusCode).toBe(200);
    expect((await send()).statusCode).toBe(200);
  });

  it('has the price that sending the code then charges and shows', async () => {
    const body = { channels: 'voice,sms' };
    const quoted = (await quote(body)).json<Record<string, unknown>>();
    expect(quoted).toMatchObject({ credits: 5, credits_max: 6, balance: 100, balance_after: 94 });
    const { credits, credits_max } = quoted;
    expect(codeOf(await send({ ...body, max_credits: 5 }))).toEqual([409, 'price_above_max']);
    expect((await send({ ...body, max_credits: credits_max })).json()).toMatchObject({
      credits,
      credits_max,
      balance: 95,
    });
    expect(await money()).toMatchObject({ balance: 95, messages: 1 });
  });

  it.each([
    [0, null],
    [7, null],
    [8, 0],
  ])('answers for a balance of %i that all channels leave %j', async (credits, balance_after) => {
    account = await createTestAccount(server, { credits });
    expect((await quote()).json()).toMatchObject({ balance: credits, credits: 1, credits_max: 8, balance_after });
  });

  it('does not count credits that a dispute has frozen as spendable', async () => {
    await freeze(bed.database, account.id, 93);
    expect((await quote()).json()).toMatchObject({ balance: 100, balance_after: null });
  });

  it('names the country of the person, also where the first channel goes to another number', async () => {
    const channels = [{ channel: 'sms', to: CANADIAN }, { channel: 'voice' }];
    expect((await quote({ channels })).json()).toMatchObject({ country: 'US', credits_max: 6 });
  });

  it('takes the names of channels from a form', async () => {
    expect((await form({ channels: 'whatsapp, sms', message: '' })).json()).toMatchObject({
      channels: [
        { channel: 'whatsapp', credits: 2 },
        { channel: 'sms', credits: 1 },
      ],
      credits: 2,
      credits_max: 3,
    });
  });

  it.each(['channels[]', 'channels[0][channel]'])(
    'refuses the field %s of a form, which it cannot read',
    async (name) => {
      const answer = await form({ [name]: 'whatsapp' });
      expect(codeOf(answer)).toEqual([400, 'invalid_request']);
      expect(answer.json<Answer>().detail).toMatch(/^channels: /);
    },
  );

  it.each([
    ['an unknown channel', { channels: [{ channel: 'pigeon' }] }, 400, 'invalid_request'],
    ['no channel', { channels: [] }, 400, 'invalid_request'],
    ['an empty text of channels', { channels: '' }, 400, 'invalid_request'],
    ['five channels', { channels: Array.from({ length: 5 }, () => ({ channel: 'sms' })) }, 400, 'invalid_request'],
    ['a channel twice', { channels: 'sms,sms' }, 400, 'invalid_request'],
    ['a wait that is too long', { channels: [{ channel: 'sms', wait_seconds: 301 }] }, 400, 'invalid_request'],
    ['no number', { to: '' }, 400, 'missing_fields'],
    ['a number that is no text', { to: 5 }, 400, 'invalid_request'],
    ['a lifetime that is too long', { limit: 11 }, 400, 'invalid_limit'],
    ['a length that is too short', { length: 3 }, 400, 'invalid_request'],
    ['a maximum that is no number', { max_credits: 'much' }, 400, 'invalid_request'],
    ['hedge_seconds of a message that goes once', { delivery: 'once', hedge_seconds: 30 }, 400, 'invalid_request'],
    ['an own code that is too short', { code: 'IO', channels: 'sms' }, 400, 'code_invalid'],
    ['own code and two channels', { code: '482913', channels: 'sms,voice' }, 400, 'invalid_request'],
    ['an impossible number', { to: '+1 555' }, 400, 'invalid_number'],
    [
      'an impossible number of a later channel',
      { channels: [{ channel: 'sms' }, { channel: 'voice', to: '+1' }] },
      400,
      'invalid_number',
    ],
    ['email without a mail server', { channels: [{ channel: 'email', to: 'a@b.cc' }] }, 400, 'channel_unsupported'],
    ['email later', { channels: [{ channel: 'sms' }, { channel: 'email', to: 'a@b.cc' }] }, 400, 'channel_unsupported'],
    ['a country without calls', { channels: 'sms,voice', to: CANADIAN }, 403, 'channel_disabled'],
    ['a country without codes', { to: '+447400123456' }, 400, 'region_unsupported'],
    ['a number that is no mobile number', { to: '+18005550100' }, 400, 'number_type_unsupported'],
    ['a text of two segments', { org: '中'.repeat(40) }, 400, 'message_too_long'],
    ['a shortened URL', { org: 'bit.ly/x' }, 403, 'url_shortener'],
    ['a URL of an account that may send none', { org: 'example.com' }, 403, 'url_not_activated'],
    ['a sender that is not the account’s', { from: '+12125550143' }, 400, 'from_unknown'],
    ['such a sender of a later text', { from: '+12125550143', channels: 'voice,sms' }, 400, 'from_unknown'],
    ['an unknown key', { apikey: 'unknown' }, 401, 'unknown_api_key'],
  ])('refuses %s, as sending does', async (_what, body, status, code) => {
    const answer = await quote(body);
    expect([answer.statusCode, answer.json<Answer>().code]).toEqual([status, code]);
    expect(await money()).toMatchObject({ balance: 100, messages: 0 });
    expect((await send(body)).json()).toEqual(answer.json());
  });

  it('names the call that was meant', async () => {
    const answer = await quote({ to: undefined, phone: TO });
    expect(answer.json<Answer>()).toMatchObject({
      code: 'missing_fields',
      fix: { call: 'POST /api/quote', body: { to: TO, channels: MANY } },
    });
  });

  it('refuses a country that the account has switched off', async () => {
    await bed.database.sql(`UPDATE accounts SET disabled_countries = '{US}' WHERE id = $1`, [account.id]);
    expect(codeOf(await quote())).toEqual([403, 'country_disabled']);
  });

  it('refuses the call of a person who has said STOP, unless the key only tests', async () => {
    await stop();
    expect(codeOf(await quote({ channels: 'voice,whatsapp' }))).toEqual([403, 'recipient_opted_out']);
    expect(codeOf(await quote({ channels: 'sms,voice' }))).toEqual([403, 'recipient_opted_out']);
    const apikey = `${account.apiKey}_test`;
    expect(codeOf(await quote({ channels: 'voice', apikey }))).toEqual([200, undefined]);
  });

  it('refuses the call of an account that has never paid', async () => {
    await bed.database.sql('UPDATE accounts SET own_numbers_only = true WHERE id = $1', [account.id]);
    expect(codeOf(await quote({ channels: 'sms,voice' }))).toEqual([403, 'channel_disabled']);
  });

  it('quotes an own code by one channel', async () => {
    expect((await quote({ code: '4830K2', channels: [{ channel: 'whatsapp' }] })).json()).toMatchObject({
      credits: 2,
      credits_max: 2,
    });
  });

  it('shows an example in place of the balance to a test key', async () => {
    expect((await quote({ apikey: `${account.apiKey}_test` })).json()).toMatchObject({
      credits: 1,
      credits_max: 8,
      balance: 212,
      balance_after: 204,
      test: true,
    });
  });

  describe('with a named key', () => {
    const sms = { channels: undefined, message: 'Hello' };
    const bulk = { channels: undefined, messages: [{ to: TO, message: 'Hello' }] };

    it.each([['in the body'], ['in the head']])('needs the scope otp, and send for messages: %s', async (place) => {
      const ask = (secret: string, body: object) =>
        place === 'in the body'
          ? quote({ ...body, apikey: secret })
          : post('/api/quote', { channels: MANY, ...body, apikey: undefined }, { authorization: `Bearer ${secret}` });
      const [sender, coder, reader] = [await keyWith(['send']), await keyWith(['otp']), await keyWith(['read'])];
      expect(codeOf(await ask(coder, {}))).toEqual([200, undefined]);
      const refused = await ask(sender, {});
      expect(codeOf(refused)).toEqual([403, 'key_scope']);
      expect(refused.json<Answer>().detail).toContain('needs the scope "otp"; this API key has "send".');
      for (const body of [sms, bulk]) {
        expect(codeOf(await ask(sender, body))).toEqual([200, undefined]);
        const message = await ask(coder, body);
        expect(codeOf(message)).toEqual([403, 'key_scope']);
        expect(message.json<Answer>().detail).toContain('needs the scope "send"; this API key has "otp".');
      }
      for (const body of [{}, sms, bulk]) expect(codeOf(await ask(reader, body))).toEqual([403, 'key_scope']);
    });

    it('refuses a long bulk of a key for codes', async () => {
      const apikey = await keyWith(['otp']);
      const messages = Array.from({ length: 2_000 }, () => ({ to: TO, message: 'Hello '.repeat(8) }));
      expect(JSON.stringify(messages).length).toBeGreaterThan(limits.apiBodyBytesMax);
      expect(codeOf(await quote({ channels: undefined, apikey, messages }))).toEqual([403, 'key_scope']);
    });

    it('refuses a country that is not among those of the key', async () => {
      expect(codeOf(await quote({ apikey: await keyWith(['otp'], ['CA']) }))).toEqual([403, 'key_country']);
    });
  });

  it.each([
    ['a message', { message: 'Hello' }, { segments: 1, quote: expect.any(String) }],
    ['a bulk', { messages: [{ to: TO, message: 'Hello' }] }, { messages: 1, quote: expect.any(String) }],
    ['a template', { message: 'Hi', recipients: [{ to: TO }] }, { messages: 1, quote: expect.any(String) }],
  ])('prices %s as before, which has channels too', async (_what, body, expected) => {
    expect((await quote(body)).json()).toMatchObject(expected);
  });

  it.each([{ channels: null }, { channels: undefined }])('misses the text of a body with %j', async (body) => {
    expect(codeOf(await quote(body))).toEqual([400, 'missing_fields']);
  });
});
