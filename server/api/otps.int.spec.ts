import fc from 'fast-check';
import { limits } from '#contract/limits.js';
import type { OtpConversionAnswer, OtpsAnswer, OtpView } from '#contract/otp.js';
import { AccountErasure } from '#core/accounts/account-erasure.js';
import { NamedKeys } from '#core/keys/named-keys.js';
import { AcceptMessage } from '#core/messages/send/accept-message.js';
import { OtpEvents } from '#core/otp/otp-events.js';
import { ReserveCode } from '#core/otp/reserve-code.js';
import { messageIdFromPublic, newMessageId } from '#core/rules/ids.js';
import { newYorkDay } from '#core/rules/time.js';
import { otpDayFaults } from '#core/testing/otp-day-faults.js';
import { sentOtp } from '#core/testing/sent-otp.js';
import { createTestAccount } from '#core/testing/test-accounts.js';
import { TestBrowser } from '../testing/browser.js';
import { otpScene } from '../testing/otp-scene.js';

const TO = '+14155552671';
const CANADIAN = '+16045550123';

interface Sent {
  readonly message_id: string;
  readonly otp_id: string;
}

describe('The log of one-time passwords', () => {
  const scene = otpScene({ credits: 1_000, dailyLimit: 10_000 });

  afterEach(async () => {
    expect(await otpDayFaults(scene.bed.database)).toEqual([]);
  });

  const send = async (body: object = {}): Promise<Sent> => {
    const answer = await scene.calls.send({ to: TO, apikey: scene.account.apiKey, limit: 10, ...body });
    expect(answer.statusCode).toBe(200);
    return answer.json<Sent>();
  };
  const codeOf = ({ message_id: id }: Sent) => sentOtp(scene.server, id);
  const verify = (otp: string, body: object) =>
    scene.otherCalls.verdict({ otp, apikey: scene.account.apiKey, ...body });
  const wrong = (code: string) => (code === '111111' ? '222222' : '111111');
  const read = (path: string, apiKey = scene.account.apiKey) =>
    scene.server.inject({ url: path, headers: { authorization: `Bearer ${apiKey}` } });
  const list = async (query = '', apiKey = scene.account.apiKey): Promise<OtpsAnswer> => {
    const answer = await read(`/api/otps${query}`, apiKey);
    expect(answer.statusCode).toBe(200);
    return answer.json<OtpsAnswer>();
  };
  const idsOf = async (query = '', apiKey?: string) => (await list(query, apiKey)).otps.map(({ otp_id: id }) => id);
  const conversion = async (query = '') => (await read(`/api/otp/conversion${query}`)).json<OtpConversionAnswer>();
  const expire = async () => {
    await scene.bed.database.sql(
      `UPDATE otp_codes SET expires_at = now(), forget_at = now() + interval '24 hours' WHERE state = 'live'`,
    );
    while (await scene.server.get(OtpEvents).expire());
  };

  it('shows codes newest first, with their messages, attempts and key, and never the code', async () => {
    const first = await send({ reference: 'order 4711' });
    const code = await codeOf(first);
    for (let tries = 0; tries < 2; tries += 1) await verify(wrong(code), { otp_id: first.otp_id });
    expect(await verify(code, { otp_id: first.otp_id })).toMatchObject({ status: 'verified' });
    const second = await send({ to: CANADIAN });

    const answer = await read('/api/otps');
    const { otps, next_cursor: next } = answer.json<OtpsAnswer>();
    expect(next).toBeNull();
    expect(otps).toEqual([
      expect.objectContaining({
        otp_id: second.otp_id,
        status: 'pending',
        to: CANADIAN,
        country: 'CA',
        attempts: 0,
        attempts_left: 5,
        verified_at: null,
        delivered_at: null,
        messages: [expect.objectContaining({ message_id: second.message_id, status: 'queued', reason: null })],
      }),
      expect.objectContaining({
        otp_id: first.otp_id,
        status: 'verified',
        to: TO,
        country: 'US',
        reference: 'order 4711',
        attempts: 3,
        attempts_left: 0,
        key_id: null,
        blocked_by: null,
      }),
    ]);
    const [, verified] = otps;
    expect(verified?.verified_at).toBe(verified?.ended_at);
    expect(verified?.last_attempt_at).toBe(verified?.verified_at);
    expect(answer.body).not.toContain(code);
    expect(answer.body).not.toMatch(/hash|wording|digits/);
    expect((await read(`/api/otps/${first.otp_id}`)).json()).toEqual({ success: 'true', ...verified });
  });

  it('shows when a resend was delivered although the first message was not', async () => {
    const first = await send();
    await scene.bed.database.sql(`UPDATE otp_codes SET created_at = created_at - interval '31 seconds'`);
    const again = await scene.calls.resend({ otp_id: first.otp_id, apikey: scene.account.apiKey });
    const resent = again.json<Sent>();
    await scene.bed.database.sql(
      `UPDATE messages SET status = 'undelivered', error_code = 'not_delivered', carrier_error = 30003,
         finished_at = now() WHERE id = $1`,
      [messageIdFromPublic(first.message_id)],
    );
    await scene.bed.database.sql(`UPDATE messages SET status = 'delivered', finished_at = now() WHERE id = $1`, [
      messageIdFromPublic(resent.message_id),
    ]);
    const [otp] = (await list()).otps;
    expect(otp).toMatchObject({
      message_id: resent.message_id,
      messages: [
        { message_id: first.message_id, status: 'undelivered', reason: { code: '30003' } },
        { message_id: resent.message_id, status: 'delivered', reason: null },
      ],
    });
    expect(otp?.delivered_at).toBe(otp?.messages[1]?.finished_at);
    await scene.bed.database.sql(`UPDATE otp_codes SET created_at = created_at + interval '31 seconds'`);
  });

  it('is filtered by number, state, country, id, reference, key and time', async () => {
    const keys = await scene.server
      .get(NamedKeys)
      .create({ actor: 'account', accountId: scene.account.id }, namedKey('Shop'));
    const verified = await send({ reference: 'a' });
    await verify(await codeOf(verified), { otp_id: verified.otp_id });
    const exhausted = await send({ to: CANADIAN, apikey: keys.secret });
    const code = await codeOf(exhausted);
    for (let tries = 0; tries < limits.otpTriesMax; tries += 1) await verify(wrong(code), { otp_id: exhausted.otp_id });
    const expired = await send();
    await expire();
    const pending = await send({ to: '+14155550100' });
    await scene.bed.database.sql(`UPDATE otp_rules SET sends_max = 1 WHERE rule = 'recipient_hour'`);
    const refused = await scene.calls.send({ to: '+14155550100', apikey: scene.account.apiKey });
    await scene.bed.database.sql(`UPDATE otp_rules SET sends_max = 5 WHERE rule = 'recipient_hour'`);
    const blocked = refused.json<Sent>();
    expect(refused.statusCode).toBe(429);

    const all = [blocked, pending, expired, exhausted, verified].map(({ otp_id: id }) => id);
    expect(await idsOf()).toEqual(all);
    for (const [status, one] of Object.entries({ blocked, pending, expired, exhausted, verified }))
      expect([status, await idsOf(`?status=${status}`)]).toEqual([status, [one.otp_id]]);
    expect(await idsOf(`?to=${encodeURIComponent('(415) 555-2671')}`)).toEqual([expired.otp_id, verified.otp_id]);
    expect(await idsOf(`?to=%2B14155550100`)).toEqual([blocked.otp_id, pending.otp_id]);
    expect(await idsOf('?country=ca')).toEqual([exhausted.otp_id]);
    expect(await idsOf(`?otp_id=${expired.otp_id}`)).toEqual([expired.otp_id]);
    expect(await idsOf(`?otp_id=${expired.otp_id}&status=verified`)).toEqual([]);
    expect(await idsOf('?otp_id=OT1')).toEqual([]);
    expect(await idsOf('?reference=a')).toEqual([verified.otp_id]);
    expect(await idsOf(`?key_id=${keys.id}`)).toEqual([exhausted.otp_id]);
    expect(await idsOf('?key_id=account')).toEqual([pending, expired, verified].map(({ otp_id: id }) => id));
    expect((await list(`?otp_id=${exhausted.otp_id}`)).otps[0]).toMatchObject({ key_id: keys.id, key_name: 'Shop' });
    expect((await list(`?otp_id=${blocked.otp_id}`)).otps[0]).toMatchObject({
      blocked_by: 'recipient_hour',
      messages: [],
      message_id: null,
    });
    const soon = encodeURIComponent(new Date(Date.now() + 3_600_000).toISOString());
    const ago = encodeURIComponent(new Date(Date.now() - 3_600_000).toISOString());
    expect(await idsOf(`?since=${ago}&until=${soon}`)).toEqual(all);
    expect([await idsOf(`?since=${soon}`), await idsOf(`?until=${ago}`)]).toEqual([[], []]);
  });

  it.each([
    'status=sent',
    'country=USA',
    'key_id=x',
    'to=abc',
    'since=today',
    'until=1',
    'cursor=x',
    'status=pending&status=verified',
  ])('refuses %s', async (query) => {
    const answer = await read(`/api/otps?${query}`);
    expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([400, 'invalid_request']);
  });

  it('takes empty filters for none', async () => {
    const { otp_id: id } = await send();
    expect(await idsOf('?status=&to=&country=&otp_id=&key_id=&reference=&since=&until=&cursor=')).toEqual([id]);
  });

  it('has pages that follow each other without gap or repetition', async () => {
    await scene.bed.database.sql(`DELETE FROM otp_rules WHERE rule IN ('block_hour', 'conversion_hour')`);
    const sent: string[] = [];
    for (let n = 0; n < limits.otpsPageSize + 3; n += 1)
      sent.unshift((await send({ to: `+1415555${3_000 + n}` })).otp_id);
    const first = await list();
    expect(first.otps).toHaveLength(limits.otpsPageSize);
    const second = await list(`?cursor=${first.next_cursor}`);
    expect([...first.otps, ...second.otps].map(({ otp_id: id }) => id)).toEqual(sent);
    expect(second.next_cursor).toBeNull();
  });

  it('finds every code of a reference and of a number, however many there are, and by any time', async () => {
    const key = { reference: 'signup', to: TO };
    await scene.bed.database.sql(
      `INSERT INTO otp_codes (id, account_id, recipient, country, code_hash, digits, reference, state, expires_at,
         ended_at, forget_at, created_at)
       SELECT uuid_v7_floor(at), $1, $2, 'US', sha256(at::text::bytea), 6, $3, 'over', at, at,
         now() + interval '1 day', at
       FROM generate_series(now() - interval '4499 seconds', now(), interval '1 second') AS at`,
      [scene.account.id, key.to, key.reference],
    );
    for (const query of [`reference=${key.reference}`, `to=${encodeURIComponent(key.to)}`]) {
      const found: string[] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const page: OtpsAnswer = await list(`?${query}${cursor && `&cursor=${cursor}`}`);
        found.push(...page.otps.map(({ otp_id: id }) => id));
        cursor = page.next_cursor;
      }
      expect(new Set(found).size).toBe(4_500);
      expect(found).toEqual(found.toSorted().reverse());
    }
    const early = new Date(Date.now() - 4_400_000).toISOString();
    expect((await list(`?reference=signup&until=${early}`)).otps).toHaveLength(limits.otpsPageSize);
    expect((await list('?since=1970-01-01T00:00:00Z')).otps).toHaveLength(limits.otpsPageSize);
    await scene.bed.database.sql(`DELETE FROM otp_codes WHERE reference = 'signup'`);
  });

  it('shows an account its own codes alone, also by cursor, id and number', async () => {
    const mine = await send();
    const stranger = await createTestAccount(scene.server, { credits: 5 });
    expect(await idsOf('', stranger.apiKey)).toEqual([]);
    expect(await idsOf(`?otp_id=${mine.otp_id}`, stranger.apiKey)).toEqual([]);
    expect(await idsOf(`?to=${encodeURIComponent(TO)}`, stranger.apiKey)).toEqual([]);
    const later = (await send({ to: CANADIAN })).otp_id;
    expect(await idsOf(`?cursor=${later}`, stranger.apiKey)).toEqual([]);
    expect((await read(`/api/otps/${mine.otp_id}`, stranger.apiKey)).statusCode).toBe(404);
    const browser = await TestBrowser.signedIn(scene.server, stranger.id);
    expect((await browser.call('GET', '/api/dashboard/otps')).json()).toEqual({ otps: [], nextCursor: null });
    expect((await browser.call('GET', `/api/dashboard/otps/${mine.otp_id}`)).statusCode).toBe(404);
    const figures = await browser.call('GET', '/api/dashboard/otp/conversion');
    expect(figures.json()).toMatchObject({ sent: 0, verified: 0, verified_percent: null, countries: [], days: [] });
  });

  it('needs the scope otp, and shows a test key examples', async () => {
    await send();
    const { secret } = await scene.server
      .get(NamedKeys)
      .create({ actor: 'account', accountId: scene.account.id }, { ...namedKey('Reader'), scopes: ['read'] });
    for (const path of ['/api/otps', '/api/otp/conversion'])
      expect((await read(path, secret)).json()).toMatchObject({ code: 'key_scope' });
    const test = await list('', `${scene.account.apiKey}_test`);
    expect(test).toMatchObject({ test: true, next_cursor: null });
    const states = ['pending', 'verified', 'expired', 'exhausted', 'blocked', 'pending', 'pending', 'unmanaged'];
    expect(test.otps.map(({ status }) => status)).toEqual(states);
    expect((await read('/api/otp/conversion', `${scene.account.apiKey}_test`)).json()).toMatchObject({ test: true });
  });

  it('is searched in the dashboard by digits, a formatted number, both ids and a reference', async () => {
    const { message_id: messageId, otp_id: id } = await send({ reference: 'order 4711' });
    await send({ to: CANADIAN });
    const browser = await TestBrowser.signedIn(scene.server, scene.account.id);
    const today = newYorkDay(new Date());
    const queries = [
      { number: '2671' },
      { number: '(415) 555-2671' },
      { number: '+1 415 555 2671' },
      { text: ` ${id} ` },
      { text: messageId },
      { text: 'order 4711' },
      { country: 'US', from: today, to: today, key: 'account', status: 'pending' },
    ];
    for (const query of queries) {
      const answer = await browser.call('GET', `/api/dashboard/otps?${new URLSearchParams(query).toString()}`);
      const found = answer.json<{ otps: OtpView[] }>().otps.map(({ otp_id: one }) => one);
      expect([query, found]).toEqual([query, [id]]);
    }
    const none = await browser.call('GET', '/api/dashboard/otps?from=2020-01-01&to=2020-01-02');
    expect(none.json()).toEqual({ otps: [], nextCursor: null });
  });

  it('loses the codes of an erased recipient, and keeps the counts', async () => {
    const gone = await send();
    await verify(await codeOf(gone), { otp_id: gone.otp_id });
    const kept = await send({ to: CANADIAN });
    await scene.server.get(AccountErasure).eraseRecipient(scene.account.email, TO);
    expect(await idsOf()).toEqual([kept.otp_id]);
    expect(await conversion()).toMatchObject({ sent: 2, verified: 1 });
    await scene.bed.database.sql(`UPDATE messages SET status = 'delivered', finished_at = now()`);
    await scene.server.get(AccountErasure).erase(scene.account.email, 'asked for it');
    expect(await scene.bed.database.sql('SELECT 1 FROM otp_days WHERE account_id = $1', [scene.account.id])).toEqual(
      [],
    );
  });

  describe('its conversion', () => {
    it('is exact in all, by country and by day, and counts a code once', async () => {
      const codes = [await send(), await send(), await send(), await send({ to: CANADIAN })];
      const [first] = codes;
      if (!first) throw new Error('No code was sent');
      await scene.bed.database.sql(`UPDATE otp_codes SET created_at = created_at - interval '31 seconds'`);
      expect((await scene.calls.resend({ otp_id: first.otp_id, apikey: scene.account.apiKey })).statusCode).toBe(200);
      await scene.bed.database.sql(`UPDATE otp_codes SET created_at = created_at + interval '31 seconds'`);
      for (const one of codes.slice(0, 2)) await verify(await codeOf(one), { otp_id: one.otp_id });
      await scene.calls.send({ to: TO, apikey: `${scene.account.apiKey}_test` });
      const today = newYorkDay(new Date());
      const us = { sent: 3, verified: 2, verified_percent: 66.7 };
      expect(await conversion()).toMatchObject({
        to: today,
        sent: 4,
        verified: 2,
        verified_percent: 50,
        countries: [
          { country: 'CA', sent: 1, verified: 0, verified_percent: 0 },
          { country: 'US', ...us },
        ],
        days: [{ day: today, sent: 4, verified: 2, verified_percent: 50 }],
      });
      expect(await conversion('?from=2020-01-01&to=2020-01-31')).toMatchObject({ sent: 0, verified_percent: null });
      const browser = await TestBrowser.signedIn(scene.server, scene.account.id);
      const csv = await browser.call('GET', '/api/dashboard/otp/conversion.csv');
      expect(csv.body.replace('\ufeff', '').split('\r\n')).toEqual([
        '"Day (New York)","Country","Sent","Verified","Verified %"',
        `"${today}","CA",1,0,0`,
        `"${today}","US",3,2,66.7`,
        '',
      ]);
    });

    it.each(['from=2026-02-01&to=2026-01-01', 'from=2026-01-01&to=2026-12-31', 'from=x'])(
      'refuses %s',
      async (query) => {
        expect((await read(`/api/otp/conversion?${query}`)).json()).toMatchObject({ code: 'invalid_request' });
      },
    );

    it('does not count a code whose message is refused', async () => {
      scene.account = await createTestAccount(scene.server, { credits: 1 });
      await send();
      const answer = await scene.calls.send({ to: TO, apikey: scene.account.apiKey });
      expect(answer.json()).toMatchObject({ code: 'no_credits' });
      expect(await conversion()).toMatchObject({ sent: 1 });
    });

    it('no longer counts a code that a crash left without its message, once it has expired', async () => {
      const sent = await send();
      await scene.server.get(ReserveCode).reserve({
        id: newMessageId(),
        accountId: scene.account.id,
        keyId: null,
        recipient: CANADIAN,
        country: 'CA',
        digits: 6,
        minutes: 5,
        reference: undefined,
        org: undefined,
        domain: undefined,
        ip: undefined,
        device: undefined,
      });
      expect(await conversion()).toMatchObject({ sent: 2 });
      await expire();
      expect(await conversion()).toMatchObject({ sent: 1, countries: [{ country: 'US', sent: 1 }] });
      const [lost, found] = (await list()).otps;
      expect(lost).toMatchObject({ status: 'expired', country: 'CA', messages: [{ status: null }] });
      expect(found?.otp_id).toBe(sent.otp_id);
    });

    it('equals the codes after any sequence of sends, failures, attempts, expiries and removals', async () => {
      await scene.bed.database.sql(`DELETE FROM otp_rules`);
      const accept = scene.server.get(AcceptMessage);
      const step = fc.constantFrom('send', 'refused', 'crash', 'verify', 'wrong', 'expire', 'reuse');
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
          scene.account = await createTestAccount(scene.server, { credits: 100, dailyLimit: 1_000 });
          const open: Sent[] = [];
          for (const one of steps) {
            const last = open.at(-1);
            switch (one) {
              case 'send':
                open.push(await send({ to: open.length % 2 === 0 ? TO : CANADIAN }));
                break;
              case 'refused': {
                const answer = await scene.calls.send({ to: TO, apikey: scene.account.apiKey, org: 'example.com' });
                expect(answer.statusCode).toBe(403);
                break;
              }
              case 'crash': {
                // The process ends between reserving the code and accepting its message.
                const failed = jest.spyOn(accept, 'accept').mockRejectedValueOnce(new Error('crash'));
                const reserved = jest
                  .spyOn(scene.server.get(ReserveCode), 'release')
                  .mockImplementationOnce(async () => undefined);
                expect((await scene.calls.send({ to: TO, apikey: scene.account.apiKey })).statusCode).toBe(500);
                failed.mockRestore();
                reserved.mockRestore();
                break;
              }
              case 'verify':
              case 'reuse':
                if (last) await verify(await codeOf(last), { otp_id: last.otp_id });
                break;
              case 'wrong':
                if (last) await verify(wrong(await codeOf(last)), { otp_id: last.otp_id });
                break;
              case 'expire':
                await expire();
                break;
            }
          }
          await expire();
          expect(await otpDayFaults(scene.bed.database)).toEqual([]);
        }),
        { numRuns: 12, seed: 7 },
      );
    });
  });
});

function namedKey(name: string): Parameters<NamedKeys['create']>[1] {
  return {
    mode: 'live',
    name,
    scopes: ['otp', 'send'],
    addresses: [],
    countries: [],
    creditsPerDay: null,
    creditsPerMonth: null,
    messagesPerSecond: null,
    expiresAt: null,
  };
}
