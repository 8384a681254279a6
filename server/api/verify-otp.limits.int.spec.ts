import { AuditLog } from '#core/audit/audit-log.js';
import { sentOtp } from '#core/testing/sent-otp.js';
import { TestBrowser } from '../testing/browser.js';
import { otpScene } from '../testing/otp-scene.js';

const TO = '+14155552671';
const OTHER = '+14155552672';

describe('POST /api/verifyotp', () => {
  const scene = otpScene();
  const { through } = scene;

  const send = async (body: object = {}) => {
    const answer = await scene.calls.send({ to: TO, apikey: scene.account.apiKey, limit: 10, ...body });
    const { message_id, otp_id } = answer.json<{ message_id: string; otp_id: string }>();
    return { code: await sentOtp(scene.server, message_id), otp_id };
  };
  const verify = (otp: string, body: object = {}) => scene.calls.verify({ otp, apikey: scene.account.apiKey, ...body });
  /** Returns a code of as many digits that differs from these. */
  const wrong = (...codes: string[]) =>
    ['1', '2', '3', '4', '5', '6', '7']
      .map((digit) => digit.repeat(codes[0]?.length ?? 4))
      .find((code) => !codes.includes(code)) ?? '';
  const sql = (text: string) => scene.bed.database.sql(text, [scene.account.id]);

  describe('with codes of four digits', () => {
    const four = (to = TO) => send({ to, length: 4 });

    it('allows 25 chances an hour to a recipient in all, over all codes and through two servers', async () => {
      const sent = [await four(), await four(), await four()];
      const bad = wrong(...sent.map(({ code }) => code));
      const answers = await Promise.all(
        Array.from({ length: 4 }, (_, n) => through(n).verify({ otp: bad, to: TO, apikey: scene.account.apiKey })),
      );
      // Four guesses at three codes each.
      expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200]);
      await sql(`UPDATE otp_codes SET state = 'over', ended_at = now() WHERE account_id = $1`);

      const later = [await four(), await four()];
      const guess = (n: number) =>
        through(n).verify({ otp: wrong(...later.map(({ code }) => code)), to: TO, apikey: scene.account.apiKey });
      // Twelve of 25 chances are used: six guesses at two codes each would use 24, but a code has
      // five attempts.
      await sql(`UPDATE otp_codes SET wrong_tries = -10 WHERE account_id = $1 AND state = 'live'`);
      const statuses = await Promise.all(Array.from({ length: 20 }, async (_, n) => (await guess(n)).statusCode));
      expect(statuses.filter((status) => status === 200)).toHaveLength(6);
      const refused = await verify(later[0]?.code ?? '', { to: TO });
      expect([refused.statusCode, refused.json()]).toEqual([
        429,
        expect.objectContaining({ code: 'rate_limited', detail: expect.stringContaining('4 digits') }),
      ]);
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3_500);
      expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(3_600);

      // One code alone is one chance: the 25th.
      expect((await verify(wrong(later[1]?.code ?? ''), { otp_id: later[1]?.otp_id })).statusCode).toBe(200);
      expect((await verify(later[1]?.code ?? '', { otp_id: later[1]?.otp_id })).statusCode).toBe(429);
    });

    it('allows them again an hour later, and to another recipient at once', async () => {
      const { code } = await four();
      await sql(`UPDATE otp_codes SET chances = 25, tried_at = now() WHERE account_id = $1`);
      expect((await verify(code, { to: TO })).statusCode).toBe(429);
      expect((await verify((await four(OTHER)).code, { to: OTHER })).body).toBe('OTP verified');
      await sql(`UPDATE otp_codes SET tried_at = now() - interval '61 minutes' WHERE account_id = $1`);
      expect((await verify(code, { to: TO })).body).toBe('OTP verified');
    });

    it('does not count guesses at longer codes, nor refuse them', async () => {
      const { code } = await four();
      const { code: long } = await send();
      await sql(`UPDATE otp_codes SET chances = 25, tried_at = now() WHERE account_id = $1 AND digits = 4`);
      expect((await verify(wrong(long), { to: TO })).body).toBe('OTP not found');
      expect((await verify(long, { to: TO })).body).toBe('OTP verified');
      expect((await verify(code, { to: TO })).statusCode).toBe(429);
    });

    it('counts a guess without recipient at every code, three times in ten minutes', async () => {
      const [mine, theirs] = [await four(), await four(OTHER)];
      const bad = wrong(mine.code, theirs.code);
      const statuses = await Promise.all(
        Array.from(
          { length: 10 },
          async (_, n) => (await through(n).verify({ otp: bad, apikey: scene.account.apiKey })).statusCode,
        ),
      );
      expect(statuses.filter((status) => status === 200)).toHaveLength(3);
      const chances = await sql('SELECT chances FROM otp_codes WHERE account_id = $1');
      expect(chances).toEqual([{ chances: 3 }, { chances: 3 }]);
      // Six digits and named guesses are not affected.
      expect((await verify('999999')).body).toBe('OTP not found');
      expect((await verify(mine.code, { to: TO })).body).toBe('OTP verified');
      await sql(`UPDATE otp_guards SET window_ends_at = now() WHERE account_id = $1`);
      expect((await verify(theirs.code)).body).toBe('OTP verified');
    });
  });

  it('keeps a stranger’s guesses from locking other users longer than ten minutes, and not at all with to or otp_id', async () => {
    const [one, two, three] = [await send(), await send({ to: OTHER }), await send({ to: '+14155552673' })];
    await sql(
      `UPDATE otp_guards SET wrong_guesses = 1000, window_ends_at = now() + interval '10 minutes'
        WHERE account_id = $1`,
    );
    const locked = await verify(one.code);
    expect([locked.statusCode, Number(locked.headers['retry-after']) <= 600]).toEqual([429, true]);
    expect((await verify(two.code, { to: OTHER })).body).toBe('OTP verified');
    expect((await verify(three.code, { otp_id: three.otp_id })).body).toBe('OTP verified');
    await verify(wrong(one.code));
    const [guard] = await sql(
      `SELECT window_ends_at <= now() + interval '10 minutes' AS "isBounded" FROM otp_guards WHERE account_id = $1`,
    );
    expect(guard).toEqual({ isBounded: true });
  });

  it('requires to or otp_id when the account has switched that on, also of a test key', async () => {
    const browser = await TestBrowser.signedIn(scene.server, scene.account.id);
    const change = (recipientRequired: unknown) => browser.call('PUT', '/api/dashboard/otp', { recipientRequired });
    expect((await browser.call('GET', '/api/dashboard/otp')).json()).toMatchObject({ recipientRequired: false });
    expect((await change('yes')).statusCode).toBe(400);
    expect((await change(true)).json()).toMatchObject({ recipientRequired: true });
    expect((await browser.call('GET', '/api/dashboard/otp')).json()).toMatchObject({ recipientRequired: true });

    const { code, otp_id } = await send();
    for (const apikey of [scene.account.apiKey, `${scene.account.apiKey}_test`]) {
      const refused = await scene.calls.verify({ otp: code, apikey });
      expect([refused.statusCode, refused.json()]).toEqual([
        400,
        {
          success: 'false',
          error: 'Missing required fields: "to", "message" or "apikey"',
          code: 'missing_fields',
          detail: expect.stringContaining('otp_id'),
        },
      ]);
    }
    expect((await verify(wrong(code), { to: TO })).body).toBe('OTP not found');
    expect((await verify(code, { otp_id })).body).toBe('OTP verified');

    await change(false);
    expect((await verify((await send()).code)).body).toBe('OTP verified');
    const entries = await scene.server
      .get(AuditLog)
      .list({ accountId: scene.account.id, beforeId: undefined, entriesMax: 2 });
    expect(entries).toMatchObject([
      { action: 'otp.settings_changed', details: { recipientRequired: false } },
      { action: 'otp.settings_changed', details: { recipientRequired: true } },
    ]);
  });
});
