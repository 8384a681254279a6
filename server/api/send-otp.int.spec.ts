import fc from 'fast-check';
import { messageIdFromPublic } from '#core/rules/ids.js';
import { moneyFaults, moneyOf } from '#core/testing/money.js';
import { sentOtp, sentOtpText } from '#core/testing/sent-otp.js';
import { countDay, createTestAccount } from '#core/testing/test-accounts.js';
import { otpScene } from '../testing/otp-scene.js';

const TO = '+14155552671';
const FAILED = 'Failed to send SMS';
const MISSING = 'Missing required fields: "to", "message" or "apikey"';
const UNKNOWN = 'User not found for the provided API key';
const EMPTY = 'Credit Balance is 0. Please purchase credits from the Dashboard to send SMS.';

describe('POST /api/sendotp', () => {
  const scene = otpScene();
  const { through } = scene;

  const send = (body: object = {}, headers: Record<string, string> = {}) =>
    scene.calls.send({ to: TO, apikey: scene.account.apiKey, ...body }, headers);
  const idOf = (answer: { body: string }) => (JSON.parse(answer.body) as { message_id: string }).message_id;
  const messages = () =>
    scene.bed.database.sql('SELECT * FROM messages WHERE account_id = $1 ORDER BY id', [scene.account.id]);
  const codes = () =>
    scene.bed.database.sql('SELECT * FROM otp_codes WHERE account_id = $1 ORDER BY id', [scene.account.id]);
  const money = () => moneyOf(scene.bed.database, scene.account.id);

  it('charges one credit, and stores and answers like sendsms', async () => {
    const answer = await send();
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(answer.json()).toEqual({
      success: 'true',
      message_id: expect.stringMatching(/^SM[0-9a-f]{32}$/),
      segments: 1,
      credits: 1,
      encoding: 'GSM-7',
      balance: 99,
      otp_id: expect.stringMatching(/^OT[0-9a-f]{32}$/),
      expires_at: expect.any(String),
      next_resend_at: expect.any(String),
      attempts_left: 5,
    });
    expect(await messages()).toMatchObject([{ kind: 'otp', recipient: TO, country: 'US', segments: 1, credits: 1 }]);
    expect(await money()).toMatchObject({ balance: 99, used: 1, messages: 1 });
    const kinds = await scene.bed.database.sql('SELECT kind, amount::int FROM ledger_entries WHERE source_id = $1', [
      messageIdFromPublic(idOf(answer)),
    ]);
    expect(kinds).toEqual([{ kind: 'otp', amount: -1 }]);
  });

  it('creates six digits and reveals them only to the recipient', async () => {
    const answer = await send();
    expect(await sentOtpText(scene.server, idOf(answer))).toMatch(/^Your one-time verification code is \d{6}\.$/);
    const code = await sentOtp(scene.server, idOf(answer));
    const [message] = await messages();
    expect(message?.body).toBe('Your one-time verification code is ******.');
    for (const table of ['messages', 'otp_codes', 'sealed_texts', 'ledger_entries'])
      expect(JSON.stringify(await scene.bed.database.sql(`SELECT t::text FROM ${table} t`))).not.toContain(
        `is ${code}`,
      );
    const shown = await scene.server.inject({
      method: 'GET',
      url: '/api/messages',
      headers: { authorization: `Bearer ${scene.account.apiKey}` },
    });
    expect(shown.body).toContain('code is ******.');
    expect(shown.body).not.toContain(`is ${code}`);
  });

  it.each([
    [{ org: 'Acme' }, /^Message from Acme\. Your one-time verification code is \d{6}\.$/],
    [{ org: '' }, /^Your one-time verification code is \d{6}\.$/],
    [{ org: null }, /^Your one-time verification code is \d{6}\.$/],
    [{ length: 4 }, /^Your one-time verification code is \d{4}\.$/],
    [{ length: '8' }, /^Your one-time verification code is \d{8}\.$/],
    [{ domain: '' }, /^Your one-time verification code is \d{6}\.$/],
  ])('words the message with %j', async (fields, text) => {
    expect(await sentOtpText(scene.server, idOf(await send(fields)))).toMatch(text);
  });

  it('binds the code to a domain for an account that is activated for URLs', async () => {
    scene.account = await createTestAccount(scene.server, { urlsActivated: true });
    expect(await sentOtpText(scene.server, idOf(await send({ domain: 'Example.com' })))).toMatch(
      /^Your one-time verification code is (\d{6})\.\n@example\.com #\1$/,
    );
  });

  it('accepts a form with an unescaped +', async () => {
    const payload = `to=+14155552671&org=Acme+%26+Co&limit=10&length=5&apikey=${scene.account.apiKey}`;
    const answer = await scene.calls.form('/api/sendotp', payload);
    expect(answer.json()).toMatchObject({ success: 'true', credits: 1 });
    expect(await sentOtpText(scene.server, idOf(answer))).toMatch(/^Message from Acme & Co\. Your .* is \d{5}\.$/);
  });

  it.each([
    [undefined, 5],
    [2, 2],
    ['10', 10],
  ])('lets a code expire after the limit %p', async (limit, minutes) => {
    await send({ limit });
    const [row] = await scene.bed.database.sql(
      `SELECT extract(epoch FROM expires_at - created_at)::int AS seconds FROM otp_codes WHERE account_id = $1`,
      [scene.account.id],
    );
    expect(row).toEqual({ seconds: minutes * 60 });
  });

  it('sends to Canada and returns the reference', async () => {
    const answer = await send({ to: '+16045550123', reference: 'login 7' });
    expect(answer.json()).toMatchObject({ success: 'true', credits: 1, reference: 'login 7' });
  });

  it('accepts the key in Authorization: Bearer', async () => {
    const answer = await scene.calls.send({ to: TO }, { authorization: `Bearer ${scene.account.apiKey}` });
    expect(answer.statusCode).toBe(200);
  });

  it('may be called by any web page', async () => {
    const answer = await scene.server.inject({ method: 'OPTIONS', url: '/api/sendotp' });
    expect(answer.headers['access-control-allow-origin']).toBe('*');
  });

  it('takes an empty field of a form for one that was left out', async () => {
    const empty = { org: '', limit: '', length: '', domain: '', ip: '', device: '', reference: '' };
    const payload = new URLSearchParams({ to: TO, apikey: scene.account.apiKey, ...empty }).toString();
    const answer = await scene.calls.form('/api/sendotp', payload);
    expect([answer.statusCode, answer.json()]).toEqual([200, expect.not.objectContaining({ reference: '' })]);
  });

  describe('rejects, without a charge or a code,', () => {
    const none = async () => {
      expect(await codes()).toEqual([]);
      expect(await messages()).toEqual([]);
    };

    it.each([1, 11, 5.5, 'five', '', 0, -2, '5.5', ' 5'])('a limit of %p', async (limit) => {
      const answer = await send({ limit });
      expect([answer.statusCode, answer.json()]).toEqual([
        400,
        { success: 'false', error: FAILED, code: 'invalid_limit', detail: expect.stringContaining('2 to 10') },
      ]);
      await none();
    });

    it.each(['1', '11', '5.5', 'five', ' '])('a limit of %p in a form', async (limit) => {
      const payload = new URLSearchParams({ to: TO, limit, apikey: scene.account.apiKey }).toString();
      const answer = await scene.calls.form('/api/sendotp', payload);
      expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([400, 'invalid_limit']);
    });

    it.each([
      [{ limit: true }],
      [{ limit: [5] }],
      [{ to: 5 }],
      [{ org: {} }],
      [{ org: 'a'.repeat(41) }],
      [{ org: 'A\nB' }],
      [{ org: 'A\u0000' }],
      [{ org: '\ud800' }],
      [{ length: 3 }],
      [{ length: 9 }],
      [{ length: 'six' }],
      [{ domain: 'https://example.com' }],
      [{ domain: 'localhost' }],
      [{ reference: 'r'.repeat(65) }],
    ])('%j as an invalid request', async (fields) => {
      const answer = await send(fields);
      expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([400, 'invalid_request']);
      await none();
    });

    it.each([
      ['an absent to', { to: undefined }, 400, 'missing_fields', MISSING],
      ['an empty to', { to: '' }, 400, 'missing_fields', MISSING],
      ['an absent apikey', { apikey: undefined }, 400, 'missing_fields', MISSING],
      ['an unknown key', { apikey: 'nobody' }, 401, 'unknown_api_key', UNKNOWN],
      ['an unknown key before a bad number', { apikey: 'nobody', to: '5' }, 401, 'unknown_api_key', UNKNOWN],
      ['a bad number', { to: '+1 555' }, 400, 'invalid_number', FAILED],
      ['a number in Germany', { to: '+4915123456789' }, 400, 'region_unsupported', FAILED],
      ['a number in France', { to: '+33612345678' }, 400, 'region_unsupported', FAILED],
      ['a number in Puerto Rico', { to: '+17875550123' }, 400, 'region_unsupported', FAILED],
      ['a number in Kenya', { to: '+254712123456' }, 400, 'region_unsupported', FAILED],
      ['more than one segment', { org: 'ü🚀'.repeat(15) }, 400, 'message_too_long', FAILED],
      ['a shortened URL as name', { org: 'bit.ly/abc' }, 403, 'url_shortener', FAILED],
      ['a URL as name of an account without activation', { org: 'evil.com' }, 403, 'url_not_activated', FAILED],
      ['a disguised URL as name', { org: 'evil。ｃｏｍ' }, 403, 'url_not_activated', FAILED],
      ['a shortener as domain', { domain: 'bit.ly' }, 403, 'url_shortener', FAILED],
      ['a domain of an account without activation', { domain: 'evil.com' }, 403, 'url_not_activated', FAILED],
    ])('%s', async (_title, fields, status, code, error) => {
      const answer = await send(fields);
      expect([answer.statusCode, answer.json()]).toEqual([
        status,
        { success: 'false', error, code, detail: expect.any(String) },
      ]);
      await none();
    });

    it('an account without credits', async () => {
      scene.account = await createTestAccount(scene.server, { credits: 0 });
      expect((await send()).json()).toMatchObject({ error: EMPTY, code: 'no_credits' });
      expect((await send({ to: '+1 555' })).json()).toMatchObject({ code: 'no_credits' });
      await none();
    });

    it('a blocked account', async () => {
      scene.account = await createTestAccount(scene.server, { blockedAt: new Date() });
      const answer = await send();
      expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([403, 'account_blocked']);
      await none();
    });

    it('a recipient who has opted out', async () => {
      await scene.bed.database.sql(`INSERT INTO opt_outs (recipient, sender) VALUES ('+14155552699', '+15005550006')`);
      const answer = await send({ to: '+14155552699' });
      expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([403, 'recipient_opted_out']);
      await none();
    });

    it('an account whose day is full', async () => {
      await countDay(scene.bed.database, scene.account.id, 100);
      const answer = await send();
      expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([429, 'daily_limit']);
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
      await none();
    });
  });

  it('sends a name with a dot for an account that is activated for URLs', async () => {
    scene.account = await createTestAccount(scene.server, { urlsActivated: true });
    expect((await send({ org: 'Booking.com' })).statusCode).toBe(200);
  });

  describe('with an Idempotency-Key', () => {
    const keyed = (body: object = {}, by = scene.calls) =>
      by.send({ to: TO, apikey: scene.account.apiKey, ...body }, { 'idempotency-key': 'first' });

    it('repeats the first answer and creates no second code', async () => {
      const first = await keyed({ limit: 5 });
      const second = await keyed();
      expect(second.body).toBe(first.body);
      expect(second.headers['idempotent-replayed']).toBe('true');
      expect(await codes()).toHaveLength(1);
      expect(await money()).toMatchObject({ balance: 99, messages: 1 });
    });

    it('repeats it also when the number is over its limit', async () => {
      const first = await keyed();
      for (let n = 0; n < 4; n += 1) await send();
      expect((await keyed()).body).toBe(first.body);
    });

    it.each([
      { to: '+14155552672' },
      { org: 'Acme' },
      { limit: 6 },
      { length: 5 },
      { domain: 'example.internal' },
      { reference: 'r' },
    ])('conflicts with another body: %j', async (change) => {
      await keyed();
      const answer = await keyed(change);
      expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([422, 'idempotency_conflict']);
      expect(await codes()).toHaveLength(1);
    });

    it('conflicts with a message of sendsms', async () => {
      await scene.server.send({ to: TO, message: 'otp', apikey: scene.account.apiKey }, { 'idempotency-key': 'first' });
      expect((await keyed()).statusCode).toBe(422);
    });

    it('sends one code for many concurrent requests through two servers', async () => {
      const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => keyed({}, through(n))));
      expect(new Set(answers.filter(({ statusCode }) => statusCode === 200).map(({ body }) => body)).size).toBe(1);
      expect(await money()).toMatchObject({ balance: 99, messages: 1 });
      expect(await codes()).toHaveLength(1);
    });
  });

  it('never creates equal live codes for an account, nor equal hashes for two accounts', async () => {
    scene.account = await createTestAccount(scene.server, { credits: 1_000, dailyLimit: 10_000 });
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, n) => send({ to: `+1415${String(300 + n)}0123`, length: 4 })),
    );
    expect(answers.filter(({ statusCode }) => statusCode !== 200)).toEqual([]);
    const sent = await Promise.all(answers.map((answer) => sentOtp(scene.server, idOf(answer))));
    expect(new Set(sent).size).toBe(200);
    const [{ hashes } = { hashes: 0 }] = await scene.bed.database.sql<{ hashes: number }>(
      `SELECT count(DISTINCT code_hash)::int AS hashes FROM otp_codes WHERE account_id = $1`,
      [scene.account.id],
    );
    expect(hashes).toBe(200);
  });

  it('keeps balances and ledger consistent', async () => {
    const anOtp = fc.record({
      to: fc.constantFrom(TO, '+14155552672', '+16045550123', '+4915123456789', '+1 555', ''),
      org: fc.constantFrom(undefined, 'Acme', 'evil.com', 'ü'.repeat(40)),
      limit: fc.constantFrom(undefined, 2, 11),
      isTest: fc.boolean(),
      key: fc.constantFrom(undefined, 'a', 'b'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(anOtp, { maxLength: 12 }), fc.integer({ min: 0, max: 5 }), async (otps, credits) => {
        scene.account = await createTestAccount(scene.server, { credits });
        await scene.bed.database.sql('DELETE FROM otp_sends');
        const answers = await Promise.all(
          otps.map(({ isTest, key, ...body }) =>
            send(
              { ...body, ...(isTest && { apikey: `${scene.account.apiKey}_test` }) },
              key === undefined ? {} : { 'idempotency-key': key },
            ),
          ),
        );
        const sent = new Set(
          answers.filter((answer) => answer.statusCode === 200 && !answer.body.includes('"test"')).map(idOf),
        );
        expect(await money()).toMatchObject({ balance: credits - sent.size, messages: sent.size });
        expect(await codes()).toHaveLength(sent.size);
        expect(await moneyFaults(scene.bed.database)).toEqual([]);
      }),
      { numRuns: 15 },
    );
  });

  afterEach(async () => {
    expect(await moneyFaults(scene.bed.database)).toEqual([]);
    const leftovers = ['otp_codes.id', 'sealed_texts.message_id', 'otp_sends.message_id'].map((column) => {
      const table = column.split('.')[0];
      return scene.bed.database.sql(
        `SELECT ${column} FROM ${table} WHERE NOT EXISTS (SELECT 1 FROM messages m WHERE m.id = ${column})`,
      );
    });
    expect(await Promise.all(leftovers)).toEqual([[], [], []]);
  });
});
