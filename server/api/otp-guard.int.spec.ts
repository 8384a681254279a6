import { AuditLog } from '#core/audit/audit-log.js';
import { moneyFaults, moneyOf } from '#core/testing/money.js';
import { createTestAccount } from '#core/testing/test-accounts.js';
import { WebhookEndpoints } from '#core/webhooks/endpoints/webhook-endpoints.js';
import { TestBrowser } from '../testing/browser.js';
import { otpScene } from '../testing/otp-scene.js';

const TO = '+14155552671';

interface Refused {
  readonly code?: string;
  readonly detail?: string;
  readonly otp_id?: string;
  readonly guard?: { rule: string; sent: number; verified: number | null };
}

describe('The fraud guard of POST /api/sendotp', () => {
  const scene = otpScene({ credits: 200, dailyLimit: 1_000 });
  const { through } = scene;

  afterEach(async () => {
    expect(await moneyFaults(scene.bed.database)).toEqual([]);
  });

  const send = (body: object = {}, n = 0) => through(n).send({ to: TO, apikey: scene.account.apiKey, ...body });
  const statusesOf = async (answers: Promise<{ statusCode: number }>[]) =>
    (await Promise.all(answers)).map(({ statusCode }) => statusCode);
  const refusedBy = async (body: object = {}) => {
    const answer = await send(body);
    expect(answer.statusCode).toBe(429);
    return { ...answer.json<Refused>(), retryAfter: Number(answer.headers['retry-after']) };
  };
  const age = (seconds: number) =>
    scene.bed.database.sql(`UPDATE otp_sends SET created_at = created_at - make_interval(secs => $1)`, [seconds]);
  const state = async () =>
    (await scene.server.inject({ url: `/api/otp/guard?apikey=${scene.account.apiKey}` })).json<
      Record<string, unknown>
    >();
  const money = () => moneyOf(scene.bed.database, scene.account.id);
  /** Sends codes to different numbers of one block and marks some as verified. */
  const sendToBlock = async (count: number, verified = 0) => {
    const sent = await statusesOf(
      Array.from({ length: count }, (_, n) => send({ to: `+1415555${String(2_000 + n)}` }, n)),
    );
    await scene.bed.database.sql(
      `UPDATE otp_codes SET state = 'used', ended_at = now(), wording = NULL
       WHERE id IN (SELECT id FROM otp_codes WHERE account_id = $1 AND state = 'live' LIMIT $2)`,
      [scene.account.id, verified],
    );
    return sent;
  };

  it('sends a number 5 codes an hour from all accounts, through two servers at once', async () => {
    const accounts = await Promise.all(Array.from({ length: 4 }, () => createTestAccount(scene.server)));
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, n) => send({ apikey: accounts[n % 4]?.apiKey }, n)),
    );
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(5);
    expect(answers.filter(({ statusCode }) => statusCode === 429)).toHaveLength(35);
    const charged = await Promise.all(accounts.map(({ id }) => moneyOf(scene.bed.database, id)));
    expect(charged.reduce((sum, { messages }) => sum + messages, 0)).toBe(5);

    await age(600);
    const { code, guard, retryAfter, detail } = await refusedBy();
    expect([code, guard]).toEqual(['rate_limited', { rule: 'recipient_hour', sent: 5, verified: null }]);
    expect(detail).toContain('5 codes');
    expect(retryAfter).toBeGreaterThan(2_950);
    expect(retryAfter).toBeLessThanOrEqual(3_000);
    await age(3_001);
    expect((await send()).statusCode).toBe(200);
  });

  it('sends a number 10 codes a day', async () => {
    for (let n = 0; n < 2; n += 1) {
      expect(await statusesOf(Array.from({ length: 5 }, () => send()))).toEqual(Array(5).fill(200));
      await age(3_601);
    }
    const { guard, retryAfter } = await refusedBy();
    expect(guard?.rule).toBe('recipient_day');
    expect(retryAfter).toBeGreaterThan(70_000);
    await age(86_400);
    expect((await send()).statusCode).toBe(200);
  });

  it('counts resends, and neither refused codes nor those of a test key', async () => {
    scene.account = await createTestAccount(scene.server, { credits: 3 });
    for (let n = 0; n < 6; n += 1) await send({ apikey: `${scene.account.apiKey}_test` });
    const { otp_id } = (await send()).json<{ otp_id: string }>();
    await scene.bed.database.sql(`UPDATE otp_codes SET created_at = created_at - interval '31 seconds'`);
    expect((await scene.calls.resend({ otp_id, apikey: scene.account.apiKey })).statusCode).toBe(200);
    expect((await send()).statusCode).toBe(200);
    for (let n = 0; n < 3; n += 1) expect((await send()).json()).toMatchObject({ code: 'no_credits' });
    scene.account = await createTestAccount(scene.server);
    expect(await statusesOf([send(), send(), send()])).toEqual(expect.arrayContaining([200, 200, 429]));
  });

  it.each([
    ['ip', { ip: '203.0.113.7' }, { ip: '203.0.113.8' }],
    ['ip', { ip: '2001:db8:1:2::7' }, { ip: '2001:db8:1:3::7' }],
    ['device', { device: 'pixel 9' }, { device: 'pixel 8' }],
  ])('sends 20 codes an hour to one %s of an account: %j', async (subject, body, free) => {
    const to = (n: number) => `+1415${String(300 + n)}0123`;
    const statuses = await statusesOf(Array.from({ length: 30 }, (_, n) => send({ ...body, to: to(n) }, n)));
    expect(statuses.filter((status) => status === 200)).toHaveLength(20);
    expect((await refusedBy({ ...body, to: to(31) })).guard).toEqual({
      rule: `${subject}_hour`,
      sent: 20,
      verified: null,
    });
    expect(await statusesOf([send({ ...free, to: to(32) }), send({ to: to(33) })])).toEqual([200, 200]);
    const stranger = await createTestAccount(scene.server);
    expect((await send({ ...body, to: to(34), apikey: stranger.apiKey })).statusCode).toBe(200);
    const stored = JSON.stringify(
      await scene.bed.database.sql('SELECT s::text, c::text FROM otp_sends s JOIN otp_codes c ON c.id = s.message_id'),
    );
    for (const value of Object.values(body)) expect(stored).not.toContain(value);
  });

  it.each([[{ ip: 'nowhere' }], [{ ip: '1.2.3' }], [{ ip: 7 }], [{ device: 'd'.repeat(201) }]])(
    'refuses %j',
    async (body) => {
      expect((await send(body)).json()).toMatchObject({ code: 'invalid_request' });
    },
  );

  it('counts a network as the /64 of an IPv6 address', async () => {
    const statuses = await statusesOf(
      Array.from({ length: 25 }, (_, n) => send({ ip: `2001:db8:1:2::${n}`, to: `+1415${String(300 + n)}0123` }, n)),
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(20);
  });

  it('stops when fewer than 20% of 30 codes to a block are verified, charges nothing, and reports it once', async () => {
    await scene.server.get(WebhookEndpoints).setUrl(scene.account.id, 'https://example.com/hook');
    await scene.bed.database.sql(`UPDATE webhook_endpoints SET events = '{otp.blocked}' WHERE account_id = $1`, [
      scene.account.id,
    ]);
    const statuses = await sendToBlock(40, 5);
    expect(statuses.filter((status) => status === 200)).toHaveLength(30);
    const before = await money();
    const to = '+14155552999';
    const { code, detail, guard, otp_id: id = '', retryAfter } = await refusedBy({ to, reference: 'login 7' });
    expect([code, guard]).toEqual(['otp_suspicious', { rule: 'conversion_hour', sent: 30, verified: 5 }]);
    expect(detail).toContain('5 were verified: 16%');
    expect(retryAfter).toBeGreaterThan(3_500);
    expect((await refusedBy({ to })).otp_id).toBe(id);
    expect(await money()).toEqual(before);
    expect((await send({ to: '+14155553999' })).statusCode).toBe(200);

    const deliveries = await scene.bed.database.sql<{ body: string }>(
      'SELECT body FROM webhook_deliveries WHERE account_id = $1',
      [scene.account.id],
    );
    expect(deliveries).toHaveLength(1);
    expect(JSON.parse(deliveries[0]?.body ?? '')).toMatchObject({
      type: 'otp.blocked',
      data: { otp_id: id, rule: 'conversion_hour', country: 'US', block: '+14155552', sent: 30 },
    });
    const shown = await scene.server.inject({ url: `/api/otps/${id}?apikey=${scene.account.apiKey}` });
    expect(shown.json()).toMatchObject({ otp_id: id, status: 'blocked', message_id: null, expires_at: null });
    expect(await state()).toMatchObject({
      suspicious: true,
      rules: expect.arrayContaining([
        {
          rule: 'recipient_hour',
          counts: 'recipient',
          sends_max: 5,
          window_seconds: 3_600,
          verified_percent_min: null,
        },
        { rule: 'conversion_hour', counts: 'block', sends_max: 30, window_seconds: 3_600, verified_percent_min: 20 },
      ]),
      blocked: [{ otp_id: id, block: '+14155552', sent: 30, verified: 5, refused: 12, open: true }],
      reset_at: null,
    });

    await scene.bed.database.sql(
      `UPDATE otp_codes SET state = 'used', ended_at = now() WHERE id = (SELECT id FROM otp_codes
        WHERE account_id = $1 AND state = 'live' AND recipient LIKE '+14155552%' LIMIT 1)`,
      [scene.account.id],
    );
    expect(await state()).toMatchObject({ suspicious: false });
    expect((await send({ to })).statusCode).toBe(200);
  });

  it('lets 6 of 30 verified codes pass, and forgets codes after an hour', async () => {
    await sendToBlock(30, 6);
    expect((await send({ to: '+14155552999' })).statusCode).toBe(200);
    await scene.bed.database.sql(`UPDATE otp_codes SET state = 'over', ended_at = now() WHERE account_id = $1`, [
      scene.account.id,
    ]);
    await refusedBy({ to: '+14155552998' });
    await age(3_601);
    expect((await send({ to: '+14155552998' })).statusCode).toBe(200);
  });

  it('answers a repeated request although it would refuse it now, and records nothing then', async () => {
    const keyed = () =>
      scene.calls.send({ to: '+14155552999', apikey: scene.account.apiKey }, { 'idempotency-key': 'one' });
    const first = await keyed();
    await sendToBlock(29);
    expect((await keyed()).body).toBe(first.body);
    expect(await state()).toMatchObject({ blocked: [] });
    await refusedBy({ to: '+14155552998' });
  });

  it('can be reset in the dashboard once an hour', async () => {
    const browser = await TestBrowser.signedIn(scene.server, scene.account.id);
    const reset = () => browser.call('POST', '/api/dashboard/otp/reset', {});
    await sendToBlock(30);
    await refusedBy({ to: '+14155552999' });
    expect((await browser.call('GET', '/api/dashboard/otp')).json()).toMatchObject({ guard: { suspicious: true } });
    const answer = await reset();
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      expect.objectContaining({
        guard: expect.objectContaining({ suspicious: false, next_reset_at: expect.any(String) }),
      }),
    ]);
    expect((await send({ to: '+14155552999' })).statusCode).toBe(200);
    const again = await reset();
    expect([again.statusCode, again.json<Refused>().code]).toEqual([429, 'otp_reset_too_early']);
    expect(Number(again.headers['retry-after'])).toBeGreaterThan(3_500);
    await scene.bed.database.sql(
      `UPDATE otp_guards SET breaker_reset_at = now() - interval '61 minutes' WHERE account_id = $1`,
      [scene.account.id],
    );
    expect((await reset()).statusCode).toBe(200);
    const [entry] = await scene.server
      .get(AuditLog)
      .list({ accountId: scene.account.id, beforeId: undefined, entriesMax: 1 });
    expect(entry).toMatchObject({ actor: 'account', action: 'otp.guard_reset' });
  });

  it.each([
    ['+15005550111', 'rate_limited', 'recipient_hour'],
    ['+15005550112', 'rate_limited', 'recipient_day'],
    ['+15005550113', 'rate_limited', 'ip_hour'],
    ['+15005550114', 'rate_limited', 'block_hour'],
    ['+15005550115', 'otp_suspicious', 'conversion_hour'],
  ])('refuses %s of a test key with %s by %s', async (to, code, rule) => {
    const refused = await refusedBy({ to, apikey: `${scene.account.apiKey}_test` });
    expect(refused).toMatchObject({ code, guard: { rule }, retryAfter: 3_600 });
    expect(await state()).toMatchObject({ blocked: [] });
  });
});
