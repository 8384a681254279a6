import { createTestAccount } from '#core/testing/test-accounts.js';
import { moneyFaults, moneyOf } from '#core/testing/money.js';
import { createTestServer, OtpCalls } from '../testing/test-server.js';
import { otpScene } from '../testing/otp-scene.js';

const TO = '+14155552671';
const OTHER = '+14155552672';
const FAILED = 'Failed to send SMS';
const INSTANT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

describe('POST /api/verifyotp', () => {
  const scene = otpScene();
  const { through } = scene;

  const send = (body: object = {}) => scene.calls.codeOf({ to: TO, apikey: scene.account.apiKey, ...body });
  const verify = (otp: string, body: object = {}) => scene.calls.verify({ otp, apikey: scene.account.apiKey, ...body });
  const verdict = (otp: string, body: object = {}) =>
    scene.calls.verdict({ otp, apikey: scene.account.apiKey, ...body });
  /** Returns a code that differs from these. */
  const wrong = (...codes: string[]) => ['111111', '222222', '333333'].find((code) => !codes.includes(code)) ?? '';
  const sql = (text: string) => scene.bed.database.sql(text, [scene.account.id]);
  const expire = () => sql(`UPDATE otp_codes SET expires_at = now() - interval '1 second' WHERE account_id = $1`);
  /** Stores this many codes for another recipient. */
  const crowd = (count: number, digits = 6) =>
    scene.bed.database.sql(
      `INSERT INTO otp_codes (id, account_id, recipient, code_hash, digits, expires_at, forget_at)
       SELECT gen_random_uuid(), $1, '+14155559999', sha256(n::text::bytea), $3,
         now() + interval '5 minutes', now() + interval '1 day'
       FROM generate_series(1, $2::int) n`,
      [scene.account.id, count, digits],
    );

  describe('answers plain text', () => {
    it('OTP verified once, then OTP already used', async () => {
      const code = await send();
      const first = await verify(code);
      expect([first.statusCode, first.headers['content-type'], first.body]).toEqual([
        200,
        'text/plain; charset=utf-8',
        'OTP verified',
      ]);
      expect((await verify(code)).body).toBe('OTP already used');
      expect((await verify(code, { to: TO })).body).toBe('OTP already used');
    });

    it('OTP not found', async () => {
      expect((await verify(wrong(await send()))).body).toBe('OTP not found');
      expect((await verify('not a code')).body).toBe('OTP not found');
    });

    it('OTP expired', async () => {
      const code = await send();
      await expire();
      expect((await verify(code)).body).toBe('OTP expired');
      expect((await verify(code, { to: TO })).body).toBe('OTP expired');
    });

    it('also to a form, with an unescaped +', async () => {
      const code = await send();
      const answer = await scene.calls.form(
        '/api/verifyotp',
        `otp=${code}&to=+14155552671&apikey=${scene.account.apiKey}`,
      );
      expect([answer.headers['content-type'], answer.body]).toEqual(['text/plain; charset=utf-8', 'OTP verified']);
    });
  });

  describe('answers JSON to Accept: application/json', () => {
    it('verified, with the expiry of the code', async () => {
      const code = await send();
      const answer = await scene.calls.verify(
        { otp: code, apikey: scene.account.apiKey, to: TO },
        { accept: 'application/json' },
      );
      expect([answer.statusCode, answer.headers['content-type'], answer.headers.vary]).toEqual([
        200,
        'application/json; charset=utf-8',
        'Accept',
      ]);
      expect(answer.json()).toEqual({
        status: 'verified',
        to: TO,
        otp_id: expect.stringMatching(/^OT[0-9a-f]{32}$/),
        expires_at: expect.stringMatching(INSTANT),
      });
      expect(Date.parse(answer.json<{ expires_at: string }>().expires_at)).toBeGreaterThan(Date.now());
    });

    it('not found, with the attempts left for the number', async () => {
      const code = await send();
      expect(await verdict(wrong(code), { to: TO })).toEqual({ status: 'not_found', attempts_left: 4 });
      expect(await verdict(wrong(code), { to: OTHER })).toEqual({ status: 'not_found' });
      expect(await verdict(wrong(code))).toEqual({ status: 'not_found' });
    });

    it('already used and expired, with the expiry', async () => {
      const used = await send();
      await verify(used);
      expect(await verdict(used)).toEqual({ status: 'already_used', expires_at: expect.stringMatching(INSTANT) });
      const late = await send();
      await expire();
      const { status, expires_at: endedAt = '' } = await verdict(late);
      expect(status).toBe('expired');
      expect(Date.parse(endedAt)).toBeLessThan(Date.now());
    });

    it('also to a form', async () => {
      const answer = await scene.calls.form('/api/verifyotp', `otp=${await send()}&apikey=${scene.account.apiKey}`, {
        accept: 'application/json',
      });
      expect(answer.json()).toMatchObject({ status: 'verified' });
    });
  });

  describe('refuses', () => {
    it.each([
      [
        'an absent otp',
        { otp: undefined },
        400,
        'missing_fields',
        'Missing required fields: "to", "message" or "apikey"',
      ],
      ['an empty otp', { otp: ' ' }, 400, 'missing_fields', 'Missing required fields: "to", "message" or "apikey"'],
      [
        'an absent apikey',
        { apikey: undefined },
        400,
        'missing_fields',
        'Missing required fields: "to", "message" or "apikey"',
      ],
      ['an unknown key', { apikey: 'nobody' }, 401, 'unknown_api_key', 'User not found for the provided API key'],
      [
        'an unknown test key',
        { apikey: 'nobody_test' },
        401,
        'unknown_api_key',
        'User not found for the provided API key',
      ],
      ['a number for otp', { otp: 123456 }, 400, 'invalid_request', FAILED],
      ['a wrong type of to', { to: [] }, 400, 'invalid_request', FAILED],
      ['a bad number', { to: '+1 555' }, 400, 'invalid_number', FAILED],
    ])('%s in the shape of sendsms, whatever the Accept header', async (_title, fields, status, code, error) => {
      for (const headers of [{}, { accept: 'application/json' }, { accept: 'text/plain' }]) {
        const answer = await scene.calls.verify({ otp: '111111', apikey: scene.account.apiKey, ...fields }, headers);
        expect([answer.statusCode, answer.json()]).toEqual([
          status,
          { success: 'false', error, code, detail: expect.any(String) },
        ]);
      }
    });

    it('malformed JSON', async () => {
      const answer = await scene.server.inject({
        method: 'POST',
        url: '/api/verifyotp',
        headers: { 'content-type': 'application/json' },
        payload: '{',
      });
      expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([400, 'invalid_request']);
    });

    it('a blocked account', async () => {
      scene.account = await createTestAccount(scene.server, { blockedAt: new Date() });
      expect((await verify('111111')).statusCode).toBe(403);
    });

    it('a blocked address', async () => {
      await scene.bed.database.sql(`INSERT INTO blocked_addresses (address) VALUES ('203.0.113.80')`);
      const answer = await scene.server.inject({
        method: 'POST',
        url: '/api/verifyotp',
        remoteAddress: '203.0.113.80',
        headers: { 'content-type': 'application/json' },
        payload: JSON.stringify({ otp: '111111', apikey: scene.account.apiKey }),
      });
      expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([403, 'address_blocked']);
    });

    it('requests over the rate limit', async () => {
      const slow = await createTestServer(scene.bed.config({ RATE_LIMIT_KEY_PER_SECOND: '1' }));
      try {
        const answers = await Promise.all(
          Array.from({ length: 5 }, () => new OtpCalls(slow).verify({ otp: '111111', apikey: scene.account.apiKey })),
        );
        const refused = answers.find(({ statusCode }) => statusCode === 429);
        expect(refused?.json()).toMatchObject({ success: 'false', code: 'rate_limited' });
        expect(refused?.headers).toMatchObject({ 'retry-after': expect.any(String), 'ratelimit-limit': '1' });
      } finally {
        await slow.close();
      }
    });
  });

  it('is free and accepts the key in Authorization: Bearer', async () => {
    const code = await send();
    const answer = await scene.calls.verify({ otp: ` ${code} ` }, { authorization: `Bearer ${scene.account.apiKey}` });
    expect(answer.body).toBe('OTP verified');
    expect(await moneyOf(scene.bed.database, scene.account.id)).toMatchObject({ balance: 99, entries: 2 });
  });

  it.each([4, 5, 7, 8])('finds codes of %i digits', async (length) => {
    expect((await verify(await send({ length }))).body).toBe('OTP verified');
  });

  it.each<[string, (code: string) => string]>([
    ['Arabic digits', (code) => digitsFrom(0x660, code)],
    ['Persian digits', (code) => digitsFrom(0x6f0, code)],
    ['full-width digits', (code) => digitsFrom(0xff10, code)],
    ['a space, as phones show it', (code) => `${code.slice(0, 3)} ${code.slice(3)}`],
    ['a dash', (code) => `${code.slice(0, 3)}-${code.slice(3)}`],
    ['invisible characters', (code) => `\u200e${code.slice(0, 3)}\u200b${code.slice(3)}\u202c`],
  ])('reads a code with %s', async (_name, typed) => {
    const code = await send();
    expect(await verdict(typed(code), { to: TO })).toMatchObject({ status: 'verified', to: TO });
  });

  it('does not find the code of another account, nor, with to, of another number', async () => {
    const code = await send();
    expect((await verify(code, { to: OTHER })).body).toBe('OTP not found');
    const stranger = await createTestAccount(scene.server);
    expect((await scene.calls.verify({ otp: code, apikey: stranger.apiKey })).body).toBe('OTP not found');
    expect((await verify(code, { to: '(415) 555-2671' })).body).toBe('OTP verified');
  });

  it('accepts every code of a number until its own expiry', async () => {
    const [first, second] = [await send(), await send()];
    expect((await verify(second, { to: TO })).body).toBe('OTP verified');
    expect((await verify(first, { to: TO })).body).toBe('OTP verified');
  });

  it('prefers of equal codes the live one, then the used one, then the newest', async () => {
    const code = await send();
    const row = (state: string, age: string) =>
      sql(
        `INSERT INTO otp_codes (id, account_id, recipient, code_hash, digits, state, ended_at, created_at,
          expires_at, forget_at)
         SELECT gen_random_uuid(), account_id, recipient, code_hash, digits, '${state}', now() - interval '${age}',
           now() - interval '${age}', now() - interval '${age}', forget_at
         FROM otp_codes WHERE account_id = $1 LIMIT 1`,
      );
    await row('used', '3 hours');
    await row('over', '2 hours');
    expect((await verdict(code)).status).toBe('verified');
    await sql(`DELETE FROM otp_codes WHERE account_id = $1 AND created_at > now() - interval '1 hour'`);
    expect((await verdict(code)).status).toBe('already_used');
    await sql(`DELETE FROM otp_codes WHERE account_id = $1 AND state = 'used'`);
    expect((await verdict(code)).status).toBe('expired');
  });

  it.each([{}, { to: TO }])('verifies once for 50 concurrent requests through two servers, with %j', async (fields) => {
    const code = await send();
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        through(n)
          .verify({ otp: code, apikey: scene.account.apiKey, ...fields })
          .then(({ body }) => body),
      ),
    );
    expect(answers.filter((body) => body === 'OTP verified')).toHaveLength(1);
    const rest = answers.filter((body) => body !== 'OTP verified');
    expect(new Set(rest)).toEqual(new Set(['OTP already used']));
  });

  describe('bounds guessing with to:', () => {
    it('a code expires after five wrong attempts', async () => {
      const code = await send();
      for (const left of [4, 3, 2, 1, 0])
        expect(await verdict(wrong(code), { to: TO })).toEqual({ status: 'not_found', attempts_left: left });
      expect((await verify(code, { to: TO })).body).toBe('OTP expired');
      expect((await verify(code)).body).toBe('OTP expired');
      expect((await verify(await send(), { to: TO })).body).toBe('OTP verified');
    });

    it('what cannot be a code is no attempt', async () => {
      const code = await send();
      for (const text of ['code', '123', '123456789', '152.786', `${code}x`])
        expect([text, (await verify(text, { to: TO })).body]).toEqual([text, 'OTP not found']);
      expect(await verdict(wrong(code), { to: TO })).toMatchObject({ attempts_left: 4 });
    });

    it('wrong attempts at another number do not count', async () => {
      const code = await send();
      for (let n = 0; n < 8; n += 1) await verify(wrong(code), { to: OTHER });
      expect((await verify(code, { to: TO })).body).toBe('OTP verified');
    });

    it('exactly five of many concurrent attempts are answered before it expires', async () => {
      const code = await send();
      const lefts = await Promise.all(
        Array.from({ length: 30 }, async (_, n) => {
          const answer = await through(n).verdict({ otp: wrong(code), apikey: scene.account.apiKey, to: TO });
          return answer.attempts_left;
        }),
      );
      expect(lefts.filter((left) => left !== undefined).sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4]);
      expect((await verify(code, { to: TO })).body).toBe('OTP expired');
    });

    it('does not count against the account', async () => {
      const code = await send();
      await crowd(500);
      for (let n = 0; n < 25; n += 1) expect((await verify(wrong(code), { to: OTHER })).statusCode).toBe(200);
      expect((await verify(code)).body).toBe('OTP verified');
    });
  });

  describe('bounds guessing without to:', () => {
    it('after too many wrong codes only calls with to are answered until the window has passed', async () => {
      const code = await send();
      await crowd(499);
      for (let n = 0; n < 20; n += 1) expect((await verify(wrong(code))).body).toBe('OTP not found');
      const refused = await verify(code);
      expect([refused.statusCode, refused.json()]).toEqual([
        429,
        { success: 'false', error: FAILED, code: 'rate_limited', detail: expect.stringContaining('"to"') },
      ]);
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(590);
      expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(600);
      expect((await verify(wrong(code), { to: TO })).statusCode).toBe(200);

      await sql(`UPDATE otp_guards SET window_ends_at = now() WHERE account_id = $1`);
      expect((await verify(code)).body).toBe('OTP verified');
    });

    it('correct codes do not count', async () => {
      await crowd(500);
      const codes = [];
      for (let n = 0; n < 25; n += 1) codes.push(await send({ to: `+141555500${10 + n}` }));
      const answers = await Promise.all(codes.map((code) => verify(code)));
      expect(new Set(answers.map(({ body }) => body))).toEqual(new Set(['OTP verified']));
    });

    it('used and expired ones count as wrong', async () => {
      const code = await send();
      await verify(code);
      await crowd(500);
      for (let n = 0; n < 20; n += 1) expect((await verify(code)).body).toBe('OTP already used');
      expect((await verify(code)).statusCode).toBe(429);
    });

    it('exactly the allowed number of concurrent attempts is answered', async () => {
      await crowd(200);
      const statuses = await Promise.all(
        Array.from({ length: 120 }, async (_, n) => {
          const answer = await through(n).verify({ otp: '999999', apikey: scene.account.apiKey });
          return answer.statusCode;
        }),
      );
      expect(statuses.filter((status) => status === 200)).toHaveLength(50);
      expect(statuses.filter((status) => status === 429)).toHaveLength(70);
    });

    it('shorter codes lower the limit', async () => {
      const code = await send({ length: 4 });
      await crowd(99, 4);
      expect((await verify(wrong())).body).toBe('OTP not found');
      expect((await verify(code)).statusCode).toBe(429);
      await crowdOut();
      expect((await verify(code, { to: TO })).body).toBe('OTP verified');
    });

    const crowdOut = () => sql(`DELETE FROM otp_codes WHERE account_id = $1 AND recipient = '+14155559999'`);
  });

  it('answers the documented codes in test mode', async () => {
    const apikey = `${scene.account.apiKey}_test`;
    const sent = await send();
    const told = await Promise.all(
      ['123456', '000001', '000002', '000003', sent, '__proto__'].map(
        async (otp) => (await scene.calls.verify({ otp, apikey })).body,
      ),
    );
    const known = ['OTP verified', 'OTP not found', 'OTP expired', 'OTP already used'];
    expect(told).toEqual([...known, 'OTP not found', 'OTP not found']);
    expect(await scene.calls.verdict({ otp: '000002', apikey, to: TO })).toEqual({ status: 'expired' });
    expect((await scene.calls.verify({ otp: '123456', apikey, to: '5' })).statusCode).toBe(400);
    expect((await verify(sent)).body).toBe('OTP verified');
  });

  it('may be called by any web page', async () => {
    const answer = await scene.server.inject({ method: 'OPTIONS', url: '/api/verifyotp' });
    expect(answer.headers['access-control-allow-origin']).toBe('*');
  });

  afterEach(async () => {
    expect(await moneyFaults(scene.bed.database)).toEqual([]);
  });
});

/** A code in the digits of another script, by its zero. */
function digitsFrom(zero: number, code: string): string {
  return Array.from(code, (digit) => String.fromCodePoint(zero + Number(digit))).join('');
}
