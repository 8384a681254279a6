import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { failureAnswer, type FailureAnswer, type FixedCall } from '#contract/messages.js';
import { limits } from '#contract/limits.js';
import { Postgres } from '#core/platform/database/postgres.js';
import { PricePromises } from '#core/messages/send/price-promises.js';
import { createTestAccount, type TestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { createTestServer, type TestServer } from '../testing/test-server.js';

const TO = '+14155552671';
const BRITISH = '+447400123456';
const secondsAgo = (seconds: number) => new Date(Date.now() - seconds * 1_000).toISOString();
const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);

type Refusal = Pick<FailureAnswer, 'code' | 'fix'>;

describe('The fix in an error', () => {
  let bed: TestBed;
  let server: TestServer;
  let account: TestAccount;

  beforeAll(async () => {
    bed = await createTestBed();
    server = await createTestServer(
      bed.config({ RATE_LIMIT_KEY_PER_SECOND: '100000', RATE_LIMIT_ADDRESS_PER_SECOND: '0' }),
    );
  });

  beforeEach(async () => {
    account = await createTestAccount(server, { credits: 100_000, dailyLimit: 100_000 });
  });

  afterAll(async () => {
    await server?.close();
    await bed?.remove();
  });

  const post = (url: string, body: object, apikey = account.apiKey) =>
    server.inject({ method: 'POST', url, headers: { authorization: `Bearer ${apikey}` }, payload: body });
  const refusalOf = async (url: string, body: object): Promise<Refusal> => {
    const answer = await post(url, body);
    expect(answer.statusCode).toBeGreaterThanOrEqual(400);
    return failureAnswer.parse(answer.json());
  };
  /** Performs the call as its reader would. */
  const perform = async ({ call, body }: FixedCall) => {
    const [method, url = ''] = call.split(' ');
    expect(method).toBe('POST');
    return post(url, body);
  };

  const expiredQuote = (credits: number) =>
    server
      .get(PricePromises)
      .issue(
        { accountId: account.id, content: ['sms', BRITISH, 'Hello'] },
        credits,
        new Date(Date.now() - limits.quoteMinutes * 60_000 - 1_000),
      ).quote;

  const curly = `“${'a'.repeat(700)}”`;

  it.each<[title: string, url: string, body: () => object, code: string, changed: object]>([
    [
      'a field called as elsewhere',
      '/api/sendsms',
      () => ({ phone: TO, text: 'Hi' }),
      'missing_fields',
      { to: TO, message: 'Hi' },
    ],
    [
      'a misspelled field',
      '/api/sendsms',
      () => ({ to: TO, mesage: 'Hi' }),
      'missing_fields',
      { to: TO, message: 'Hi' },
    ],
    [
      'another letter case',
      '/api/sendsms',
      () => ({ To: TO, Message: 'Hi' }),
      'missing_fields',
      { to: TO, message: 'Hi' },
    ],
    [
      'a misspelled field of a quote',
      '/api/quote',
      () => ({ to: TO, mesasge: 'Hi' }),
      'missing_fields',
      { to: TO, message: 'Hi' },
    ],
    ['a misspelled field of a code', '/api/sendotp', () => ({ phone: TO }), 'missing_fields', { to: TO }],
    [
      'a code under another name',
      '/api/verifyotp',
      () => ({ code: '123456', to: TO }),
      'missing_fields',
      { otp: '123456', to: TO },
    ],
    [
      'digits as a number',
      '/api/sendsms',
      () => ({ to: 14155552671, message: 'Hi' }),
      'invalid_request',
      { to: '14155552671', message: 'Hi' },
    ],
    ['a number as text', '/api/sendsms', () => ({ to: TO, message: 42 }), 'invalid_request', { to: TO, message: '42' }],
    [
      'the letters of an encoding',
      '/api/sendsms',
      () => ({ to: TO, message: 'Hi', encoding: 'GSM-7' }),
      'invalid_request',
      { to: TO, message: 'Hi', encoding: 'gsm7' },
    ],
    [
      'a number without its +',
      '/api/sendsms',
      () => ({ to: '447400 123456', message: 'Hi' }),
      'invalid_number',
      { to: BRITISH, message: 'Hi' },
    ],
    [
      'a number with 00 for its +',
      '/api/sendsms',
      () => ({ to: '00447400123456', message: 'Hi' }),
      'invalid_number',
      { to: BRITISH, message: 'Hi' },
    ],
    [
      'such a number of a quote',
      '/api/quote',
      () => ({ to: '447400123456', message: 'Hi' }),
      'invalid_number',
      { to: BRITISH, message: 'Hi' },
    ],
    [
      'such a number with a code',
      '/api/verifyotp',
      () => ({ to: '447400123456', otp: '123456' }),
      'invalid_number',
      { to: BRITISH, otp: '123456' },
    ],
    ['such a number of a code', '/api/sendotp', () => ({ to: '0014155552671' }), 'invalid_number', { to: TO }],
    [
      'typographic characters',
      '/api/sendsms',
      () => ({ to: TO, message: '“Hi”', encoding: 'gsm7' }),
      'encoding_unsupported',
      { to: TO, message: '“Hi”', encoding: 'smart' },
    ],
    [
      'a text that they make too long',
      '/api/sendsms',
      () => ({ to: TO, message: curly }),
      'message_too_long',
      { to: TO, message: curly, encoding: 'smart' },
    ],
    [
      'a text that they make too dear',
      '/api/sendsms',
      () => ({ to: TO, message: `“${'a'.repeat(80)}”`, max_credits: 1 }),
      'price_above_max',
      { to: TO, message: `“${'a'.repeat(80)}”`, max_credits: 1, encoding: 'smart' },
    ],
    [
      'a time without its T',
      '/api/sendsms',
      () => ({ to: TO, message: 'Hi', send_at: `${tomorrow()} 09:00-05:00` }),
      'invalid_send_at',
      { to: TO, message: 'Hi', send_at: `${tomorrow()}T09:00:00-05:00` },
    ],
    [
      'a time that a form made of it',
      '/api/sendsms',
      () => ({ to: TO, message: 'Hi', send_at: `${tomorrow()}T09:00:00 05:00` }),
      'invalid_send_at',
      { to: TO, message: 'Hi', send_at: `${tomorrow()}T09:00:00+05:00` },
    ],
    [
      'a time that has just passed',
      '/api/sendsms',
      () => ({ to: TO, message: 'Hi', send_at: secondsAgo(30) }),
      'invalid_send_at',
      { to: TO, message: 'Hi' },
    ],
    [
      'an expired quote',
      '/api/sendsms',
      () => ({ to: BRITISH, message: 'Hello', quote: expiredQuote(3) }),
      'quote_expired',
      { to: BRITISH, message: 'Hello', quote: expect.any(String) },
    ],
    [
      'a bulk with a bad item',
      '/api/sendbulk',
      () => ({
        messages: [
          { to: TO, message: 'Hi' },
          { to: 'none', message: 'Hi' },
        ],
      }),
      'bulk_rejected',
      {
        messages: [
          { to: TO, message: 'Hi' },
          { to: 'none', message: 'Hi' },
        ],
        partial: true,
      },
    ],
    [
      'a quote of such a bulk',
      '/api/quote',
      () => ({
        messages: [
          { to: TO, message: 'Hi' },
          { to: 'none', message: 'Hi' },
        ],
      }),
      'bulk_rejected',
      {
        messages: [
          { to: TO, message: 'Hi' },
          { to: 'none', message: 'Hi' },
        ],
        partial: true,
      },
    ],
  ])('corrects %s, and succeeds when it is performed', async (_title, url, body, code, corrected) => {
    const refusal = await refusalOf(url, body());
    expect(refusal).toMatchObject({ code, fix: { call: `POST ${url}`, body: corrected } });
    expect(refusal.fix?.body).toEqual(corrected);
    const performed = await perform(refusal.fix ?? { call: '', body: {} });
    expect([performed.statusCode, performed.body]).toEqual([200, performed.body]);
  });

  it.each<[title: string, url: string, body: () => object, code: string]>([
    [
      'a field that could be two',
      '/api/sendsms',
      () => ({ phone: TO, number: BRITISH, message: 'Hi' }),
      'missing_fields',
    ],
    ['a field that is nowhere', '/api/sendsms', () => ({ to: TO }), 'missing_fields'],
    ['a misspelled field with a bad number', '/api/sendsms', () => ({ phone: '123', message: 'Hi' }), 'missing_fields'],
    [
      'a code as a number, which may have lost a 0',
      '/api/verifyotp',
      () => ({ otp: 12345, to: TO }),
      'invalid_request',
    ],
    ['a list', '/api/sendsms', () => ({ to: [TO], message: 'Hi' }), 'invalid_request'],
    ['a number that is none', '/api/sendsms', () => ({ to: '123', message: 'Hi' }), 'invalid_number'],
    [
      'a ten-digit number, which is dialed in the USA',
      '/api/sendsms',
      () => ({ to: '6591234567', message: 'Hi' }),
      'invalid_number',
    ],
    [
      'a number of a country that is not served',
      '/api/sendsms',
      () => ({ to: '33612345678', message: 'Hi' }),
      'invalid_number',
    ],
    [
      'characters that nothing replaces',
      '/api/sendsms',
      () => ({ to: TO, message: '😀', encoding: 'gsm7' }),
      'encoding_unsupported',
    ],
    ['a text that stays too long', '/api/sendsms', () => ({ to: TO, message: '😀'.repeat(400) }), 'message_too_long'],
    [
      'a price that only a higher limit covers',
      '/api/sendsms',
      () => ({ to: BRITISH, message: 'Hi', max_credits: 2 }),
      'price_above_max',
    ],
    [
      'a time long ago',
      '/api/sendsms',
      () => ({ to: TO, message: 'Hi', send_at: secondsAgo(86_400) }),
      'invalid_send_at',
    ],
    [
      'a time without an offset',
      '/api/sendsms',
      () => ({ to: TO, message: 'Hi', send_at: `${tomorrow()}T09:00:00` }),
      'invalid_send_at',
    ],
    [
      'an expired quote below the price of today',
      '/api/sendsms',
      () => ({ to: BRITISH, message: 'Hello', quote: expiredQuote(2) }),
      'quote_expired',
    ],
    [
      'a bulk without a good item',
      '/api/sendbulk',
      () => ({ messages: [{ to: 'none', message: 'Hi' }] }),
      'bulk_rejected',
    ],
    [
      'a bulk that is partial already',
      '/api/sendbulk',
      () => ({ messages: [{ to: 'none', message: 'Hi' }], partial: true }),
      'bulk_rejected',
    ],
  ])('is absent for %s', async (_title, url, body, code) => {
    const refusal = await refusalOf(url, body());
    expect(refusal.code).toBe(code);
    expect(refusal).not.toHaveProperty('fix');
  });

  it('keeps all that was meant: each name that is nearly right, else there is none', async () => {
    const renamed = await refusalOf('/api/verifyotp', { code: '123456', phone: TO });
    expect(renamed.fix?.body).toEqual({ otp: '123456', to: TO });
    const priced = await refusalOf('/api/sendsms', {
      phone: TO,
      message: 'Hi',
      maxCredits: 1,
      sendAt: `${tomorrow()}T10:00:00Z`,
    });
    expect(priced.fix?.body).toEqual({ to: TO, message: 'Hi', max_credits: 1, send_at: expect.any(String) });
    for (const fields of [
      { code: '123456', phone: TO, session: 'x' },
      { to: '447400123456', message: 'Hi', maxCredits: 1 },
      { phone: TO, message: 'Hi', budget: 1 },
    ]) {
      const url = 'code' in fields ? '/api/verifyotp' : '/api/sendsms';
      expect(await refusalOf(url, fields)).not.toHaveProperty('fix');
    }
  });

  it('never contains the key, wherever it was sent', async () => {
    for (const fields of [
      { phone: TO, message: 'Hi', reference: account.apiKey },
      { phone: TO, text: `My key is ${account.apiKey}` },
      { phone: TO, message: 'Hi', apikey_: account.apiKey },
    ]) {
      const answer = await post('/api/sendsms', fields);
      expect(answer.statusCode).toBe(400);
      expect(answer.body).not.toContain(account.apiKey);
    }
  });

  it('is the same for forms', async () => {
    const fields = { phone: TO, message: 'Hi', apikey: account.apiKey };
    const asForm = await server.inject({
      method: 'POST',
      url: '/api/sendsms',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ ...fields, reference: '' }).toString(),
    });
    for (const answer of [await post('/api/sendsms', fields), asForm]) {
      expect(answer.json<Refusal>().fix).toEqual({ call: 'POST /api/sendsms', body: { to: TO, message: 'Hi' } });
      expect(answer.body).not.toContain(account.apiKey);
    }
  });

  it('is absent for a call without a key, whatever else is wrong with it', async () => {
    for (const payload of [
      { to: TO, message: 'Hi' },
      { phone: TO, text: 'Hi' },
      { phone: TO, text: 'Hi', apikey: '' },
    ]) {
      const answer = await server.inject({ method: 'POST', url: '/api/sendsms', payload });
      expect([answer.json<Refusal>().code, answer.json<Refusal>().fix]).toEqual(['missing_fields', undefined]);
    }
  });

  it('is absent for a caller who is not known or may not call, and its body is not looked at', async () => {
    const refusalWith = async (apikey: string) => {
      const answer = await post('/api/sendsms', { phone: TO, text: 'Hi' }, apikey);
      return [answer.json<Refusal>().code, answer.json<Refusal>().fix !== undefined];
    };
    expect(await refusalWith(account.apiKey)).toEqual(['missing_fields', true]);
    expect(await refusalWith(`${account.apiKey}_test`)).toEqual(['missing_fields', true]);
    expect(await refusalWith(randomUUID())).toEqual(['missing_fields', false]);
    expect(await refusalWith('wrong')).toEqual(['missing_fields', false]);
    await server.get(Postgres).query({ text: 'UPDATE accounts SET blocked_at = now() WHERE id = $1' }, [account.id]);
    expect(await refusalWith(account.apiKey)).toEqual(['missing_fields', false]);
  });

  it('is absent for a body that is too long to be repeated', async () => {
    const messages = Array.from({ length: 400 }, (_, n) => ({ to: TO, message: `Number ${n} of a long list` }));
    const refusal = await refusalOf('/api/sendbulk', { messages: [...messages, { to: 'none', message: 'Hi' }] });
    expect(refusal).toMatchObject({ code: 'bulk_rejected' });
    expect(refusal).not.toHaveProperty('fix');
  });

  it('is absent from the compatible APIs, whose errors are theirs', async () => {
    const textbelt = await server.inject({
      method: 'POST',
      url: '/text',
      payload: { phone: '447400123456', message: 'Hi', key: account.apiKey },
    });
    expect(Object.keys(textbelt.json<object>()).toSorted()).toEqual(['error', 'success']);
  });

  it('succeeds whenever it is given, whatever was sent', async () => {
    const number = fc.constantFrom(TO, TO, BRITISH, '447400123456', '0014155552671', 14155552671, '12', 33612345678);
    const text = fc.constantFrom('Hi', 'Hi', '“Hi”', curly, '😀', 42, 'a'.repeat(2_000));
    const name = (right: string, ...others: string[]) => fc.constantFrom(right, right, ...others);
    const body = fc
      .record({
        to: fc.tuple(name('to', 'To', 'phone'), number),
        message: fc.tuple(name('message', 'mesage', 'text'), text),
        encoding: fc.constantFrom(undefined, undefined, 'gsm7', 'smart', 'GSM7', 'none'),
        max_credits: fc.constantFrom(undefined, undefined, 3, '10'),
        send_at: fc.constantFrom(
          undefined,
          undefined,
          undefined,
          secondsAgo(60),
          secondsAgo(9_999),
          `${tomorrow()} 10:00Z`,
          'soon',
        ),
      })
      .map(({ to: [toName, to], message: [messageName, message], ...others }) => ({
        [toName]: to,
        [messageName]: message,
        ...others,
      }));
    let fixed = 0;
    await fc.assert(
      fc.asyncProperty(body, fc.constantFrom('/api/sendsms', '/api/quote'), async (fields, url) => {
        const answer = await post(url, fields);
        const { fix } = answer.json<Partial<Refusal>>();
        if (!fix) return;
        fixed += 1;
        const performed = await perform(fix);
        expect([performed.statusCode, fields, fix]).toEqual([200, fields, fix]);
      }),
      { numRuns: 400 },
    );
    expect(fixed).toBeGreaterThan(20);
  });
});
