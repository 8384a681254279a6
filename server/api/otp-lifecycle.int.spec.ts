import { OtpEvents } from '#core/otp/otp-events.js';
import { messageIdFromPublic, otpIdFromPublic } from '#core/rules/ids.js';
import { moneyFaults, moneyOf } from '#core/testing/money.js';
import { sentOtp, sentOtpText } from '#core/testing/sent-otp.js';
import { createTestAccount } from '#core/testing/test-accounts.js';
import { otpScene } from '../testing/otp-scene.js';

const TO = '+14155552671';
const UNKNOWN = 'OT0199d0d07c5a7b1f8e0a4f6f2f9c1b3d';

interface Sent {
  readonly message_id: string;
  readonly otp_id: string;
  readonly expires_at: string;
  readonly next_resend_at: string | null;
  readonly attempts_left: number;
}

describe('A one-time password with its id', () => {
  const scene = otpScene();

  afterEach(async () => {
    expect(await moneyFaults(scene.bed.database)).toEqual([]);
  });

  const send = async (body: object = {}) =>
    (await scene.calls.send({ to: TO, apikey: scene.account.apiKey, limit: 10, ...body })).json<Sent>();
  const codeOf = ({ message_id: id }: Sent) => sentOtp(scene.server, id);
  const verdict = (otp: string, body: object) => scene.calls.verdict({ otp, apikey: scene.account.apiKey, ...body });
  const resend = (otpId: string, headers: Record<string, string> = {}, by = scene.calls) =>
    by.resend({ otp_id: otpId, apikey: scene.account.apiKey }, headers);
  const find = async (otpId: string, apiKey = scene.account.apiKey) => {
    const answer = await scene.server.inject({
      url: `/api/otps/${otpId}`,
      headers: { authorization: `Bearer ${apiKey}` },
    });
    return { statusCode: answer.statusCode, ...answer.json<{ status?: string }>() };
  };
  /** Moves the code and its resends into the past. */
  const wait = async (seconds: number) => {
    const past = `created_at = created_at - make_interval(secs => $1)`;
    await scene.bed.database.sql(`UPDATE otp_codes SET ${past}, expires_at = expires_at - make_interval(secs => $1)`, [
      seconds,
    ]);
    await scene.bed.database.sql(`UPDATE otp_resends SET ${past}`, [seconds]);
  };
  const wrong = (code: string) => (code === '111111' ? '222222' : '111111');
  const money = () => moneyOf(scene.bed.database, scene.account.id);

  it('is returned with its expiry, the next resend and the attempts left', async () => {
    const { otp_id, expires_at, next_resend_at, attempts_left } = await send({ limit: 2 });
    expect(otp_id).toMatch(/^OT[0-9a-f]{32}$/);
    const lifetimeMs = Date.parse(expires_at) - Date.now();
    expect(lifetimeMs).toBeGreaterThan(110_000);
    expect(lifetimeMs).toBeLessThanOrEqual(120_000);
    expect(Date.parse(expires_at) - Date.parse(next_resend_at ?? '')).toBe(90_000);
    expect(attempts_left).toBe(5);
  });

  it('is returned again to a repeated request', async () => {
    const keyed = { 'idempotency-key': 'one' };
    const first = await scene.calls.send({ to: TO, apikey: scene.account.apiKey }, keyed);
    await wait(1);
    await wait(-1);
    expect((await scene.otherCalls.send({ to: TO, apikey: scene.account.apiKey }, keyed)).body).toBe(first.body);
  });

  describe('verified by otp_id', () => {
    it('counts wrong attempts at that code alone', async () => {
      const [one, two] = [await send(), await send()];
      const [first, second] = [await codeOf(one), await codeOf(two)];
      for (const left of [4, 3, 2, 1, 0])
        expect(await verdict(second, { otp_id: one.otp_id })).toEqual({ status: 'not_found', attempts_left: left });
      expect(await verdict(first, { otp_id: one.otp_id })).toMatchObject({ status: 'expired' });
      expect(await verdict(second, { otp_id: two.otp_id })).toMatchObject({
        status: 'verified',
        to: TO,
        otp_id: two.otp_id,
      });
      expect(await verdict(second, { otp_id: two.otp_id })).toMatchObject({ status: 'already_used' });
    });

    it('needs the id of the account, and the number if that is sent too', async () => {
      const sent = await send();
      const code = await codeOf(sent);
      const stranger = await createTestAccount(scene.server);
      const strange = { otp: code, otp_id: sent.otp_id, apikey: stranger.apiKey };
      expect((await scene.calls.verify(strange)).body).toBe('OTP not found');
      expect(await verdict(code, { otp_id: sent.otp_id, to: '+14155552672' })).toEqual({ status: 'not_found' });
      for (const id of [UNKNOWN, 'OT1', sent.message_id])
        expect(await verdict(code, { otp_id: id })).toEqual({ status: 'not_found' });
      expect(await verdict(code, { otp_id: sent.otp_id, to: TO })).toMatchObject({ status: 'verified' });
    });

    it('is verified once by 40 concurrent requests through two servers', async () => {
      const sent = await send();
      const request = { otp: await codeOf(sent), otp_id: sent.otp_id, apikey: scene.account.apiKey };
      const answers = await Promise.all(
        Array.from(
          { length: 40 },
          async (_, n) => (await (n % 2 ? scene.calls : scene.otherCalls).verify(request)).body,
        ),
      );
      expect(answers.filter((body) => body === 'OTP verified')).toHaveLength(1);
    });
  });

  describe('sent again', () => {
    it('carries the same code and wording in a new message that costs 1 credit', async () => {
      scene.account = await createTestAccount(scene.server, { urlsActivated: true });
      const first = await send({ to: '+14155552777', org: 'Acme', domain: 'example.com', reference: 'login 7' });
      await wait(30);
      const answer = await resend(first.otp_id);
      expect(answer.json()).toEqual({
        success: 'true',
        message_id: expect.stringMatching(/^SM[0-9a-f]{32}$/),
        segments: 1,
        credits: 1,
        encoding: 'GSM-7',
        balance: 98,
        reference: 'login 7',
        otp_id: first.otp_id,
        expires_at: expect.any(String),
        next_resend_at: expect.any(String),
        attempts_left: 5,
      });
      const again = answer.json<Sent>();
      expect(again.message_id).not.toBe(first.message_id);
      expect(await sentOtpText(scene.server, again.message_id)).toBe(await sentOtpText(scene.server, first.message_id));
      expect(await money()).toMatchObject({ balance: 98, messages: 2 });
      const [message] = await scene.bed.database.sql<{ body: string }>('SELECT body FROM messages WHERE id = $1', [
        messageIdFromPublic(again.message_id),
      ]);
      expect(message?.body).toBe('Message from Acme. Your one-time verification code is ******.\n@example.com #******');
      expect(await verdict(await codeOf(again), { otp_id: first.otp_id })).toMatchObject({ status: 'verified' });
    });

    it('is useful to the carrier until the code expires, and no longer', async () => {
      const { otp_id: id } = await send();
      await wait(400);
      const { message_id: messageId } = (await resend(id)).json<Sent>();
      const [left] = await scene.bed.database.sql<{ seconds: number }>(
        `SELECT extract(epoch FROM s.useful_until - c.expires_at)::float8 AS seconds
         FROM sealed_texts s, otp_codes c WHERE s.message_id = $1 AND c.id = $2`,
        [messageIdFromPublic(messageId), otpIdFromPublic(id)],
      );
      expect(left?.seconds).toBeLessThanOrEqual(0);
      expect(left?.seconds).toBeGreaterThan(-2);
    });

    it('waits 30, 60, 120 and 300 seconds, four times at most, and expires as before', async () => {
      const { otp_id: id } = await send();
      for (const seconds of [30, 60, 120, 300]) {
        await wait(seconds - 10);
        const early = await resend(id);
        expect([early.statusCode, early.json<{ code: string }>().code]).toEqual([429, 'otp_resend_too_early']);
        expect(Number(early.headers['retry-after'])).toBeLessThanOrEqual(10);
        expect(Number(early.headers['retry-after'])).toBeGreaterThan(0);
        await wait(10);
        expect((await resend(id)).statusCode).toBe(200);
      }
      const fifth = await resend(id);
      expect([fifth.statusCode, fifth.json<{ code: string }>().code]).toEqual([409, 'otp_not_resendable']);
      expect(await money()).toMatchObject({ balance: 95, messages: 5 });
      const view = await find(id);
      expect(view).toMatchObject({ status: 'pending', resends_left: 0, next_resend_at: null });
      const [lifetime] = await scene.bed.database.sql<{ seconds: number }>(
        'SELECT extract(epoch FROM expires_at - created_at)::int AS seconds FROM otp_codes WHERE id = $1',
        [otpIdFromPublic(id)],
      );
      expect(lifetime?.seconds).toBe(600);
    });

    it('is sent once by 20 concurrent requests through two servers', async () => {
      const { otp_id: id } = await send();
      await wait(30);
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, n) => resend(id, {}, n % 2 ? scene.calls : scene.otherCalls)),
      );
      expect(answers.map(({ statusCode }) => statusCode).filter((status) => status === 200)).toHaveLength(1);
      expect(await money()).toMatchObject({ balance: 98, messages: 2 });
    });

    it('is answered again to a repeated request, also when the next one would be too early', async () => {
      const { otp_id: id } = await send();
      await wait(30);
      const first = await resend(id, { 'idempotency-key': 'again' });
      await verdict('000000', { otp_id: id });
      const repeated = await resend(id, { 'idempotency-key': 'again' }, scene.otherCalls);
      expect([repeated.body, repeated.headers['idempotent-replayed']]).toEqual([first.body, 'true']);
      expect(await money()).toMatchObject({ messages: 2 });
    });

    it('is refused after its end, and its wording is erased', async () => {
      const sent = [await send(), await send(), await send()];
      const [used, exhausted, expired] = sent;
      const code = await codeOf(exhausted as Sent);
      await verdict(await codeOf(used as Sent), { otp_id: used?.otp_id });
      for (let n = 0; n < 5; n += 1) await verdict(wrong(code), { otp_id: exhausted?.otp_id });
      await scene.bed.database.sql(
        `UPDATE otp_codes SET expires_at = now(), forget_at = now() + interval '24 hours' WHERE id = $1`,
        [otpIdFromPublic(expired?.otp_id ?? '')],
      );
      await scene.server.get(OtpEvents).expire();
      for (const { otp_id: id } of sent) expect((await resend(id)).statusCode).toBe(409);
      const kept = 'SELECT 1 FROM otp_codes WHERE account_id = $1 AND wording IS NOT NULL';
      expect(await scene.bed.database.sql(kept, [scene.account.id])).toEqual([]);
      expect(await Promise.all(sent.map(async ({ otp_id: id }) => (await find(id)).status))).toEqual([
        'verified',
        'exhausted',
        'expired',
      ]);
    });

    it('uses up no resend when the account has no credits', async () => {
      scene.account = await createTestAccount(scene.server, { credits: 1 });
      const { otp_id: id } = await send();
      await wait(30);
      expect((await resend(id)).json()).toMatchObject({ code: 'no_credits' });
      expect(await find(id)).toMatchObject({ resends_left: 4 });
      expect(
        await scene.bed.database.sql(
          'SELECT 1 FROM otp_resends r JOIN otp_codes c ON c.id = r.code_id WHERE c.account_id = $1',
          [scene.account.id],
        ),
      ).toEqual([]);
    });

    it.each([
      ['an unknown id', () => UNKNOWN, 404, 'otp_not_found'],
      ['another form of id', () => 'abc', 404, 'otp_not_found'],
      ['an empty id', () => '', 400, 'missing_fields'],
    ])('answers %s', async (_title, id, status, code) => {
      const answer = await resend(id());
      expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([status, code]);
    });

    it('is not found by another account', async () => {
      const { otp_id: id } = await send();
      scene.account = await createTestAccount(scene.server);
      expect((await resend(id)).statusCode).toBe(404);
      expect(await find(id)).toMatchObject({ statusCode: 404, code: 'otp_not_found' });
    });
  });

  it('is shown pending, then verified, without its digits', async () => {
    const sent = await send({ reference: 'r' });
    const code = await codeOf(sent);
    await verdict(wrong(code), { otp_id: sent.otp_id });
    expect(await find(sent.otp_id)).toEqual({
      statusCode: 200,
      success: 'true',
      otp_id: sent.otp_id,
      status: 'pending',
      to: TO,
      country: 'US',
      message_id: sent.message_id,
      messages: [
        {
          message_id: sent.message_id,
          status: 'queued',
          reason: null,
          created_at: expect.any(String),
          sent_at: null,
          finished_at: null,
        },
      ],
      delivered_at: null,
      reference: 'r',
      attempts: 1,
      attempts_left: 4,
      resends_left: 4,
      channel: 'sms',
      next_channel: null,
      next_channel_at: null,
      steps: [expect.objectContaining({ n: 1, channel: 'sms', outcome: 'started', credits: 1 })],
      entered_step: null,
      next_resend_at: sent.next_resend_at,
      key_id: null,
      key_name: null,
      blocked_by: null,
      created_at: expect.any(String),
      last_attempt_at: expect.any(String),
      verified_at: null,
      expires_at: sent.expires_at,
      ended_at: null,
    });
    await verdict(code, { otp_id: sent.otp_id });
    const view = await find(sent.otp_id);
    expect(view).toMatchObject({ status: 'verified', resends_left: 0, ended_at: expect.any(String) });
    expect(JSON.stringify(view)).not.toContain(code);
  });

  describe('of a test key', () => {
    const test = () => ({ apikey: `${scene.account.apiKey}_test` });
    const idOf = async (to: string) => (await send({ ...test(), to })).otp_id;

    it.each([
      ['+15005550121', 'pending', 200],
      ['+15005550122', 'verified', 409],
      ['+15005550123', 'expired', 409],
      ['+15005550124', 'exhausted', 409],
      ['+15005550125', 'blocked', 409],
      ['+15005550126', 'pending', 429],
      ['+15005550127', 'pending', 409],
      ['+14155552671', 'pending', 200],
    ])('sent to %s is %s and answers a resend with %i', async (to, status, resent) => {
      const id = await idOf(to);
      expect(await find(id, test().apikey)).toMatchObject({ status, otp_id: id, test: true });
      expect((await scene.calls.resend({ otp_id: id, ...test() })).statusCode).toBe(resent);
      expect(await money()).toMatchObject({ balance: 100, messages: 0 });
    });

    it.each([
      ['+15005550121', '123456', 'verified'],
      ['+15005550121', '654321', 'not_found'],
      ['+15005550122', '123456', 'already_used'],
      ['+15005550123', '123456', 'expired'],
      ['+15005550124', '123456', 'expired'],
      ['+15005550125', '123456', 'not_found'],
    ])('sent to %s verifies %s as %s', async (to, otp, status) => {
      expect(await verdict(otp, { ...test(), otp_id: await idOf(to) })).toMatchObject({ status });
    });

    it('names a recipient, and answers 000004 with 429', async () => {
      expect(await verdict('123456', test())).toEqual({ status: 'verified', to: '+12025550142' });
      expect(await verdict('123456', { ...test(), to: TO })).toEqual({ status: 'verified', to: TO });
      const refused = await scene.calls.verify({ otp: '000004', ...test() });
      expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '600']);
    });

    it('is unknown to a live key, and live codes are unknown to a test key', async () => {
      expect(await find(await idOf(TO))).toMatchObject({ statusCode: 404 });
      expect(await find((await send()).otp_id, test().apikey)).toMatchObject({ statusCode: 404 });
    });
  });
});
