import { failureAnswer } from '#contract/messages.js';
import { moneyFaults, moneyOf } from '#core/testing/money.js';
import { createTestAccount, type TestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { createTestServer, type TestServer } from '../testing/test-server.js';

const TO = '+14155552671';
const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';

/** The possible `error` and `code` of a rejected body. */
const FAILED = 'Failed to send SMS';
const MISSING = 'Missing required fields: "to", "message" or "apikey"';

describe('POST /api/sendsms with bad input', () => {
  let bed: TestBed;
  let server: TestServer;
  let account: TestAccount;
  let good: Record<string, string>;

  beforeAll(async () => {
    bed = await createTestBed();
    server = await createTestServer(bed.config());
  });

  beforeEach(async () => {
    account = await createTestAccount(server, { credits: 100_000 });
    good = { to: TO, message: 'Hello', apikey: account.apiKey };
  });

  afterAll(async () => {
    await server?.close();
    await bed?.remove();
  });

  const raw = (payload: string | Buffer, contentType?: string, headers: Record<string, string> = {}) =>
    server.inject({
      method: 'POST',
      url: '/api/sendsms',
      headers: { ...(contentType !== undefined && { 'content-type': contentType }), ...headers },
      payload,
    });

  type Answer = Awaited<ReturnType<typeof raw>>;

  async function expectRefused(answer: Answer, status: number, code: string, error = FAILED) {
    // fixed-call.int.spec.ts tests the `fix` of some of these.
    const { fix: _fix, ...refusal } = failureAnswer.parse(answer.json());
    expect({ status: answer.statusCode, ...refusal }).toEqual({
      status,
      success: 'false',
      error,
      code,
      detail: expect.stringMatching(/\S/),
    });
    await expectUntouched();
  }

  async function expectUntouched() {
    expect(await moneyOf(bed.database, account.id)).toEqual({
      balance: 100_000,
      purchased: 100_000,
      used: 0,
      ledger: 100_000,
      entries: 1,
      messages: 0,
    });
  }

  describe.each(['to', 'message', 'apikey'])('%s', (field) => {
    it.each([
      ['absent', undefined],
      ['null', null],
      ['empty', ''],
    ])('is missing when it is %s', async (_title, value) => {
      await expectRefused(await server.send({ ...good, [field]: value }), 400, 'missing_fields', MISSING);
    });

    it.each([0, 14155552671, true, false, [], ['a'], {}, { text: 'a' }])('is of a wrong type as %j', async (value) => {
      await expectRefused(await server.send({ ...good, [field]: value }), 400, 'invalid_request');
    });

    it('is missing from a form when it is absent or empty', async () => {
      const { [field]: _left, ...others } = good;
      for (const fields of [others, { ...others, [field]: '' }]) {
        await expectRefused(
          await raw(new URLSearchParams(fields).toString(), FORM_TYPE),
          400,
          'missing_fields',
          MISSING,
        );
      }
    });

    it('is rejected when a form has it twice', async () => {
      const fields = `${new URLSearchParams(good).toString()}&${field}=x`;
      await expectRefused(await raw(fields, FORM_TYPE), 400, 'invalid_request');
    });
  });

  it.each(['\0', 'a\0b', '\ud800', 'a\udc00', '\udc00\ud800'])('rejects %j in a text', async (bad) => {
    await expectRefused(await server.send({ ...good, message: bad }), 400, 'invalid_request');
    await expectRefused(await server.send({ ...good, to: bad }), 400, 'invalid_request');
    await expectRefused(await server.send({ ...good, reference: bad }), 400, 'invalid_request');
    await expectRefused(await server.send({ ...good, apikey: bad }), 400, 'invalid_request');
    await expectRefused(await server.send({ ...good, quote: bad }), 400, 'invalid_request');
  });

  it('takes an empty field of a form for one that was left out', async () => {
    const empty = { reference: '', encoding: '', quote: '', max_credits: '', send_at: '', validity: '', dedupe: '' };
    const sent = await raw(new URLSearchParams({ ...good, ...empty }).toString(), FORM_TYPE);
    expect([sent.statusCode, sent.json()]).toEqual([200, expect.objectContaining({ success: 'true' })]);
  });

  it('names each fault of a request in plain words', async () => {
    const detailOf = async (fields: object) =>
      (await server.send({ ...good, ...fields })).json<{ detail: string }>().detail;
    expect(await detailOf({ to: 12025550143 })).toBe('to: must be text in quotation marks, not a number.');
    expect(await detailOf({ to: [TO], message: {} })).toBe(
      'to: must be text, not a list: send it once; message: must be text, not an object.',
    );
    expect(await detailOf({ encoding: 'GSM-7' })).toBe('encoding: must be "auto", "gsm7" or "smart".');
    expect(await detailOf({ max_credits: {} })).toBe('max_credits: must be text or a number, not an object.');
    expect(await detailOf({ max_credits: 0 })).toBe(
      'max_credits: must be a whole number from 1 to 1,000,000,000. You were not charged.',
    );
    expect(await detailOf({ reference: 'r'.repeat(65) })).toBe('reference: may have at most 64 characters.');
    const read = async (url: string) =>
      (await server.inject({ url, headers: { authorization: `Bearer ${account.apiKey}` } })).json<object>();
    const wrong = { success: 'false', error: 'The request was refused.', code: 'invalid_request' };
    expect(await read('/api/messages?status=lost&status=sent')).toEqual({
      ...wrong,
      detail: expect.stringMatching(/^status: must be "scheduled", .+ or "canceled"\.$/),
    });
    expect(await read('/api/deliverability?from=yesterday')).toEqual({
      ...wrong,
      detail: 'from: must be a day, YYYY-MM-DD.',
    });
  });

  it('rejects NUL in a form', async () => {
    await expectRefused(
      await raw(`to=%2B14155552671&message=a%00b&apikey=${account.apiKey}`, FORM_TYPE),
      400,
      'invalid_request',
    );
  });

  it.each([1, true, [], {}, 'r'.repeat(65), 'r'.repeat(10_000)])('rejects the reference %j', async (reference) => {
    await expectRefused(await server.send({ ...good, reference }), 400, 'invalid_request');
  });

  it.each(['', 'GSM7', 'utf8', 'auto ', 7, true, [], {}])('rejects the encoding %j', async (encoding) => {
    await expectRefused(await server.send({ ...good, encoding }), 400, 'invalid_request');
  });

  it.each([0, -1, 1.5, 1_000_000_001, '', ' 1', '1e3', '0x1', 'one', true, [], {}])(
    'rejects max_credits as %j',
    async (max_credits) => {
      await expectRefused(await server.send({ ...good, max_credits }), 400, 'invalid_request');
    },
  );

  it.each([0, -1, 1.5, 86_401, '', 'day', '60s', true, [], {}])('rejects dedupe as %j', async (dedupe) => {
    await expectRefused(await server.send({ ...good, dedupe }), 400, 'invalid_request');
  });

  it.each(['x', '=', 'A'.repeat(400), 'q'.repeat(50_000)])('rejects the quote %j', async (quote) => {
    await expectRefused(await server.send({ ...good, quote }), 400, 'quote_invalid');
  });

  it.each([1, true, [], {}])('rejects a quote of a wrong type: %j', async (quote) => {
    await expectRefused(await server.send({ ...good, quote }), 400, 'invalid_request');
  });

  it('rejects a number that is too long', async () => {
    await expectRefused(await server.send({ ...good, to: `+1${'4'.repeat(60_000)}` }), 400, 'invalid_number');
  });

  it('rejects a message that fills the body', async () => {
    await expectRefused(await server.send({ ...good, message: '😀'.repeat(15_000) }), 400, 'message_too_long');
  });

  it('rejects a key that is too long', async () => {
    await expectRefused(
      await server.send({ ...good, apikey: 'k'.repeat(60_000) }),
      401,
      'unknown_api_key',
      'User not found for the provided API key',
    );
  });

  it.each([JSON_TYPE, FORM_TYPE])('rejects a body of 1 MB as %s', async (type) => {
    const body =
      type === JSON_TYPE
        ? JSON.stringify({ ...good, message: 'a'.repeat(1_048_576) })
        : `message=${'a'.repeat(1_048_576)}`;
    await expectRefused(await raw(body, type), 413, 'invalid_request');
  });

  it.each([
    '{',
    '}',
    '{"to"',
    '{"to":"+14155552671",}',
    "{'to':'x'}",
    'to=1',
    '[1,',
    'NaN',
    'undefined',
    '{"a":1}{"b":2}',
    '\ufeff{',
    '"\\ud8"',
    '{"__proto__":{"to":"x"}}',
    '{"constructor":{"prototype":{"to":"x"}}}',
    '',
    ' ',
  ])('rejects the broken JSON %j', async (body) => {
    await expectRefused(await raw(body, JSON_TYPE), 400, 'invalid_request');
  });

  it.each(['[]', '[{"to":"x"}]', '"text"', '1', 'true', '[null]'])(
    'rejects the JSON %s, which is not an object',
    async (body) => {
      await expectRefused(await raw(body, JSON_TYPE), 400, 'invalid_request');
    },
  );

  it('takes null and an empty object for a body without fields', async () => {
    await expectRefused(await raw('null', JSON_TYPE), 400, 'missing_fields', MISSING);
    await expectRefused(await raw('{}', JSON_TYPE), 400, 'missing_fields', MISSING);
    await expectRefused(await raw('', FORM_TYPE), 400, 'missing_fields', MISSING);
  });

  it.each([
    'text/plain',
    'text/html',
    'application/xml',
    'application/octet-stream',
    'multipart/form-data; boundary=x',
    'application/jsonx',
    'application/json; charset',
    'nonsense',
    '/',
    'application/x-www-form-urlencoded-not',
    'image/png',
    ';',
  ])('answers a body of the content type "%s" as documented', async (type) => {
    const answer = await raw(JSON.stringify(good), type);
    if (type.startsWith('application/json;')) return expect(answer.statusCode).toBeLessThan(500);
    await expectRefused(answer, 400, 'invalid_request');
  });

  it('answers a body without a content type as documented', async () => {
    await expectRefused(await raw(Buffer.from(JSON.stringify(good))), 400, 'invalid_request');
  });

  it('answers a request without any body', async () => {
    const answer = await server.inject({ method: 'POST', url: '/api/sendsms' });
    await expectRefused(answer, 400, 'missing_fields', MISSING);
  });

  it('reads bytes that are not UTF-8 without an internal error', async () => {
    const body = Buffer.concat([
      Buffer.from(`{"to":"+1 555","apikey":"${account.apiKey}","message":"`),
      Buffer.from([0xff, 0xfe, 0x80]),
      Buffer.from('"}'),
    ]);
    const answer = await raw(body, JSON_TYPE);
    expect(answer.statusCode).toBe(400);
    await expectUntouched();
  });

  it('ignores fields in the query', async () => {
    const answer = await server.inject({
      method: 'POST',
      url: `/api/sendsms?${new URLSearchParams(good).toString()}`,
      payload: {},
    });
    await expectRefused(answer, 400, 'missing_fields', MISSING);
  });

  it('rejects a form that names the prototype', async () => {
    await expectRefused(
      await raw(`__proto__=y&${new URLSearchParams(good).toString()}`, FORM_TYPE),
      400,
      'invalid_request',
    );
  });

  it.each(['GET', 'PUT', 'DELETE', 'PATCH'] as const)('answers %s as documented', async (method) => {
    const answer = await server.inject({ method, url: '/api/sendsms' });
    await expectRefused(answer, 404, 'not_found', 'Not found');
  });

  it.each([
    '/api/sendsms%',
    '/api/sendsms%00',
    '/api/messages/%E0%A4%A',
    '/api/%ff',
    '/api//sendsms',
    '/api/sendsms/x',
  ])('answers the URL %s as documented', async (url) => {
    const answer = await server.inject({ method: 'POST', url, payload: good });
    expect(answer.statusCode).toBeGreaterThanOrEqual(400);
    expect(answer.statusCode).toBeLessThan(500);
    expect(failureAnswer.safeParse(answer.json()).success).toBe(true);
    await expectUntouched();
  });

  afterEach(async () => {
    expect(await moneyFaults(bed.database)).toEqual([]);
  });
});
