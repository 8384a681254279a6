import { Secret, TOTP } from 'otpauth';
import type { LightMyRequestResponse } from 'fastify';
import { testTotp } from '#contract/examples.js';
import { limits } from '#contract/limits.js';
import type { CreateTotpAnswer, RecoveryCodesAnswer, TotpAnswer, VerifyTotpAnswer } from '#contract/totp.js';
import { RequestLog } from '#core/accounts/request-log.js';
import { Postgres } from '#core/platform/database/postgres.js';
import { NamedKeys } from '#core/keys/named-keys.js';
import { newMessageId, totpIdFromPublic } from '#core/rules/ids.js';
import { createTestAccount } from '#core/testing/test-accounts.js';
import { TotpsRepository } from '#core/totp/totps.repository.js';
import { otpScene } from '../testing/otp-scene.js';

const { totp_id: testTotpId, secret: testTotpSecret } = testTotp;
const STEP_MS = limits.totpStepSeconds * 1_000;
/** The middle of a step. */
const NOON = new Date('2026-12-01T12:00:15.000Z');

interface Failure {
  readonly code: string;
  readonly detail: string;
}

describe('/api/totp', () => {
  const scene = otpScene();
  /** The time of both servers. */
  let now = NOON;

  beforeAll(() => {
    for (const server of [scene.server, scene.other])
      jest.spyOn(server.get(TotpsRepository), 'now').mockImplementation(async () => now);
  });

  beforeEach(() => {
    now = NOON;
  });

  const call = (
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    body?: object,
    { apikey = scene.account.apiKey, from = scene.server } = {},
  ) =>
    from.inject({
      method,
      url: `/api/totp${path}`,
      headers: { authorization: `Bearer ${apikey}` },
      ...(body && { payload: body }),
    });
  const create = async (body: object = {}, options = {}) =>
    (await call('POST', '', { label: 'alice@example.com', ...body }, options)).json<CreateTotpAnswer>();
  const verify = async (totpId: string, code: string, options = {}) =>
    (await call('POST', `/${totpId}/verify`, { code }, options)).json<VerifyTotpAnswer>();
  const show = async (totpId: string) => (await call('GET', `/${totpId}`)).json<TotpAnswer>();
  const recoveryCodes = async (totpId: string) =>
    (await call('POST', `/${totpId}/recovery-codes`)).json<RecoveryCodesAnswer>().recovery_codes;
  const refusal = ({ statusCode, json }: LightMyRequestResponse) => [statusCode, json<Failure>().code];
  /** The code that an app shows some steps from now. */
  const codeOf = ({ secret }: Pick<CreateTotpAnswer, 'secret'>, steps = 0) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: now.getTime() + steps * STEP_MS });
  /** A code that an app shows at no time near now. */
  const wrongFor = (totp: Pick<CreateTotpAnswer, 'secret'>) => {
    const near = [-3, -2, -1, 0, 1, 2, 3].map((steps) => codeOf(totp, steps));
    return ['000000', '111111', '222222', '333333', '444444', '555555', '666666', '777777'].find(
      (code) => !near.includes(code),
    ) as string;
  };
  const rowsOf = (accountId = scene.account.id) =>
    scene.bed.database.sql('SELECT * FROM totps WHERE account_id = $1 ORDER BY id', [accountId]);
  const counted = async () =>
    (await scene.bed.database.sql('SELECT totps FROM totp_counts WHERE account_id = $1', [scene.account.id]))[0];

  describe('POST /api/totp', () => {
    it('answers a secret, its address and its QR code, once', async () => {
      const answer = await call('POST', '', { label: ' alice@example.com ', issuer: 'Acme' });
      expect(answer.statusCode).toBe(200);
      const created = answer.json<CreateTotpAnswer>();
      expect(created).toEqual({
        success: 'true',
        totp_id: expect.stringMatching(/^TP[0-9a-f]{32}$/),
        label: 'alice@example.com',
        issuer: 'Acme',
        secret: expect.stringMatching(/^[A-Z2-7]{32}$/),
        otpauth_url:
          `otpauth://totp/Acme:alice%40example.com?issuer=Acme&secret=${created.secret}` +
          '&algorithm=SHA1&digits=6&period=30',
        qr_svg: expect.stringMatching(/^<svg .*<\/svg>$/),
        created_at: expect.any(String),
      });
      const state = await call('GET', `/${created.totp_id}`);
      expect(state.json()).toEqual({
        success: 'true',
        totp_id: created.totp_id,
        label: 'alice@example.com',
        issuer: 'Acme',
        created_at: created.created_at,
        verified_at: null,
        last_used_at: null,
        attempts_left: 10,
        locked_until: null,
        recovery_codes_left: 0,
      });
      for (const { body } of [state, await call('GET', '')]) expect(body).not.toMatch(/secret|otpauth|svg/);
    });

    it('takes a form, and a key in the body', async () => {
      const { apiKey } = scene.account;
      const answer = await scene.server.inject({
        method: 'POST',
        url: '/api/totp',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: new URLSearchParams({ label: 'alice', issuer: '', apikey: apiKey }).toString(),
      });
      expect(answer.json()).toMatchObject({ label: 'alice', issuer: null });
    });

    it('stores the secret encrypted alone', async () => {
      const { secret } = await create();
      const [row] = await scene.bed.database.sql<{ text: string; raw: Buffer }>(
        'SELECT t::text AS text, secret AS raw FROM totps t WHERE account_id = $1',
        [scene.account.id],
      );
      expect(row?.text).not.toContain(secret);
      expect(row?.raw.includes(Buffer.from(secret))).toBe(false);
      expect(row?.raw.includes(Buffer.from(Secret.fromBase32(secret).bytes))).toBe(false);
    });

    it.each([
      [{ label: '' }, 'missing_fields', '"label" is missing or empty.'],
      [{ label: null }, 'missing_fields', '"label" is missing or empty.'],
      [{ label: '  ' }, 'missing_fields', '"label" is missing or empty.'],
      [{ label: 1 }, 'invalid_request', 'label: '],
      [{ label: 'a:b' }, 'invalid_request', 'label: must not contain a colon.'],
      [{ label: 'a\nb' }, 'invalid_request', 'label: must be one line of text.'],
      [{ label: 'a\u0007' }, 'invalid_request', 'label: must be one line of text.'],
      [{ label: 'a\u202eb' }, 'invalid_request', 'label: must be one line of text.'],
      [{ label: 'é'.repeat(101) }, 'invalid_request', 'label: Too long: at most 100 characters.'],
      [{ issuer: 'Acme: Co' }, 'invalid_request', 'issuer: must not contain a colon.'],
      [{ issuer: 'A\r\nB' }, 'invalid_request', 'issuer: must be one line of text.'],
      [{ issuer: 'A'.repeat(41) }, 'invalid_request', 'issuer: Too long: at most 40 characters.'],
      [{ issuer: ['A'] }, 'invalid_request', 'issuer: '],
    ])('refuses %j, names the field, and stores nothing', async (body, code, detail) => {
      const answer = await call('POST', '', { label: 'alice', ...body });
      expect(refusal(answer)).toEqual([400, code]);
      expect(answer.json<Failure>().detail).toContain(detail);
      expect(await rowsOf()).toEqual([]);
      expect(await counted()).toBeUndefined();
    });

    it('stores exactly as many as an account may have, from two servers at once', async () => {
      await create();
      await scene.bed.database.sql('UPDATE totp_counts SET totps = $2 WHERE account_id = $1', [
        scene.account.id,
        limits.totpsMax - 2,
      ]);
      const answers = await Promise.all(
        Array.from({ length: 6 }, (_, n) =>
          call('POST', '', { label: `user ${n}` }, { from: n % 2 === 0 ? scene.server : scene.other }),
        ),
      );
      expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(2);
      const refused = answers.filter(({ statusCode }) => statusCode !== 200);
      expect(refused.map(refusal)).toEqual(Array.from({ length: 4 }, () => [409, 'totp_limit']));
      expect(refused[0]?.json<Failure>().detail).toBe(
        'An account has at most 100,000 authenticators. Delete one first.',
      );
      expect(await rowsOf()).toHaveLength(3);
      expect(await counted()).toEqual({ totps: limits.totpsMax });
      const [{ id } = { id: '' }] = await scene.bed.database.sql<{ id: string }>(
        'SELECT id FROM totps WHERE account_id = $1 LIMIT 1',
        [scene.account.id],
      );
      expect((await call('DELETE', `/TP${id.replaceAll('-', '')}`)).statusCode).toBe(200);
      expect((await call('POST', '', { label: 'one more' })).statusCode).toBe(200);
    });
  });

  describe('POST /api/totp/{totp_id}/verify', () => {
    it('verifies the code of the app, and shows when', async () => {
      const totp = await create();
      expect(await verify(totp.totp_id, codeOf(totp))).toEqual({
        success: 'true',
        totp_id: totp.totp_id,
        status: 'verified',
        method: 'app',
        attempts_left: 10,
        locked_until: null,
        recovery_codes_left: 0,
      });
      const at = NOON.toISOString();
      expect(await show(totp.totp_id)).toMatchObject({ verified_at: at, last_used_at: at });
    });

    it('reads a code as people type it', async () => {
      const totp = await create();
      const code = codeOf(totp);
      expect(await verify(totp.totp_id, ` ${code.slice(0, 3)} ${code.slice(3)}`)).toMatchObject({ status: 'verified' });
    });

    it('accepts a step once, on every server', async () => {
      const totp = await create();
      const code = codeOf(totp);
      expect(await verify(totp.totp_id, code)).toMatchObject({ status: 'verified' });
      for (const from of [scene.server, scene.other])
        expect(await verify(totp.totp_id, code, { from })).toMatchObject({
          status: 'used',
          method: 'app',
          attempts_left: 10,
        });
    });

    it('verifies one of two calls with a code at once', async () => {
      for (let n = 0; n < 5; n += 1) {
        const totp = await create();
        const answers = await Promise.all(
          [scene.server, scene.other].map((from) => verify(totp.totp_id, codeOf(totp), { from })),
        );
        expect(answers.map(({ status }) => status).toSorted()).toEqual(['used', 'verified']);
      }
    });

    it.each([
      [-2, 'wrong'],
      [-1, 'verified'],
      [1, 'verified'],
      [2, 'wrong'],
    ])('answers the code of %d steps from now as %s', async (steps, status) => {
      const totp = await create();
      expect(await verify(totp.totp_id, codeOf(totp, steps))).toMatchObject({ status });
    });

    it('accepts no code of a step before one that was accepted', async () => {
      const totp = await create();
      expect(await verify(totp.totp_id, codeOf(totp, 1))).toMatchObject({ status: 'verified' });
      expect(await verify(totp.totp_id, codeOf(totp))).toMatchObject({ status: 'used' });
    });

    it('judges exactly ten of eleven wrong codes at once from two servers, and then none for 15 minutes', async () => {
      const totp = await create();
      const code = wrongFor(totp);
      const answers = await Promise.all(
        Array.from({ length: 11 }, (_, n) =>
          verify(totp.totp_id, code, { from: n % 2 === 0 ? scene.server : scene.other }),
        ),
      );
      expect(answers.map(({ status }) => status).toSorted()).toEqual(['locked', ...Array(10).fill('wrong')]);
      const left = answers.flatMap(({ status, attempts_left }) => (status === 'wrong' ? [attempts_left] : []));
      expect(left.toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
      const locked_until = new Date(NOON.getTime() + 900_000).toISOString();
      const locked = { status: 'locked', method: null, attempts_left: 0, locked_until };
      expect(answers.find(({ status }) => status === 'locked')).toMatchObject(locked);
      expect(answers.find(({ attempts_left }) => attempts_left === 0)).toMatchObject({ locked_until });
      expect(await verify(totp.totp_id, codeOf(totp))).toMatchObject(locked);
      expect(await show(totp.totp_id)).toMatchObject({ attempts_left: 0, locked_until, verified_at: null });

      now = new Date(NOON.getTime() + 899_999);
      expect(await verify(totp.totp_id, codeOf(totp))).toMatchObject({ status: 'locked' });
      now = new Date(NOON.getTime() + 900_000);
      expect(await show(totp.totp_id)).toMatchObject({ attempts_left: 10, locked_until: null });
      expect(await verify(totp.totp_id, code)).toMatchObject({ status: 'wrong', attempts_left: 9, locked_until: null });
      expect(await verify(totp.totp_id, codeOf(totp))).toMatchObject({ status: 'verified', attempts_left: 10 });
    });

    it('counts no try for a text that cannot be a code', async () => {
      const { totp_id } = await create();
      for (const code of ['12345', '1234567', 'abcdef', 'x'.repeat(1_000)])
        expect(await verify(totp_id, code)).toMatchObject({ status: 'wrong', method: null, attempts_left: 10 });
    });

    it('counts the tries of each authenticator by itself', async () => {
      const [one, other] = [await create(), await create()];
      expect(await verify(one.totp_id, wrongFor(one))).toMatchObject({ attempts_left: 9 });
      expect(await show(other.totp_id)).toMatchObject({ attempts_left: 10 });
      expect(await verify(other.totp_id, codeOf(one))).toMatchObject({ status: 'wrong' });
    });

    it('accepts a recovery code once, of two calls at once, and tells which kind it was', async () => {
      const totp = await create();
      const [code = '', next = ''] = await recoveryCodes(totp.totp_id);
      const answers = await Promise.all(
        [scene.server, scene.other].map((from) => verify(totp.totp_id, code.toLowerCase(), { from })),
      );
      expect(answers.toSorted((a, b) => a.status.localeCompare(b.status))).toMatchObject([
        { status: 'used', method: 'recovery_code', recovery_codes_left: 9 },
        { status: 'verified', method: 'recovery_code', recovery_codes_left: 9 },
      ]);
      expect(await show(totp.totp_id)).toMatchObject({
        recovery_codes_left: 9,
        verified_at: null,
        last_used_at: NOON.toISOString(),
      });
      expect(await verify(totp.totp_id, next)).toMatchObject({ status: 'verified', recovery_codes_left: 8 });
      const other = await create();
      expect(await verify(other.totp_id, code)).toMatchObject({ status: 'wrong', attempts_left: 9 });
    });

    it.each([
      [{ code: '' }, 'missing_fields', '"code" is missing or empty.'],
      [{}, 'missing_fields', '"code" is missing or empty.'],
      [{ code: 123456 }, 'invalid_request', 'code: '],
      [{ code: ['123456'] }, 'invalid_request', 'code: '],
    ])('refuses %j, names the field, and counts no try', async (body, code, detail) => {
      const { totp_id } = await create();
      const answer = await call('POST', `/${totp_id}/verify`, body);
      expect(refusal(answer)).toEqual([400, code]);
      expect(answer.json<Failure>().detail).toContain(detail);
      expect(answer.body).not.toContain('123456');
      expect(await show(totp_id)).toMatchObject({ attempts_left: 10 });
    });

    it('lets many people of an account sign in at once', async () => {
      const totps = await Promise.all(Array.from({ length: 10 }, () => create()));
      const calls = Array.from({ length: 60 }, (_, n) => totps[n % totps.length] ?? totps[0]);
      const answers = await Promise.all(
        calls.map((totp) => call('POST', `/${totp?.totp_id}/verify`, { code: totp && codeOf(totp) })),
      );
      expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(60).fill(200));
      const verified = answers.filter((answer) => answer.json<VerifyTotpAnswer>().status === 'verified');
      expect(verified).toHaveLength(totps.length);
    });
  });

  describe('POST /api/totp/{totp_id}/recovery-codes', () => {
    it('answers ten codes once, stores keyed hashes, and replaces earlier codes', async () => {
      const totp = await create();
      const [first, second] = [await recoveryCodes(totp.totp_id), await recoveryCodes(totp.totp_id)];
      for (const codes of [first, second]) {
        expect(new Set(codes).size).toBe(10);
        for (const code of codes) expect(code).toMatch(/^[0-9A-Z]{5}-[0-9A-Z]{5}$/);
      }
      const [row] = await scene.bed.database.sql<{ text: string; hashes: Buffer[] }>(
        'SELECT t::text AS text, recovery_hashes AS hashes FROM totps t WHERE account_id = $1',
        [scene.account.id],
      );
      expect(row?.hashes.map(({ length }) => length)).toEqual(Array(10).fill(32));
      for (const code of second) expect(row?.text).not.toContain(Buffer.from(code.replace('-', '')).toString('hex'));
      expect(await verify(totp.totp_id, first[0] ?? '')).toMatchObject({ status: 'wrong' });
      expect(await verify(totp.totp_id, second[0] ?? '')).toMatchObject({ status: 'verified', recovery_codes_left: 9 });
      await recoveryCodes(totp.totp_id);
      expect(await verify(totp.totp_id, second[0] ?? '')).toMatchObject({ status: 'wrong' });
    });
  });

  describe('GET /api/totp', () => {
    it('lists authenticators in pages, newest first', async () => {
      const insert = `INSERT INTO totps (account_id, id, label, secret, encryption_key_id)
        SELECT $1, id, 'user', 'x', 'key' FROM unnest($2::uuid[]) AS id`;
      const ids = Array.from({ length: limits.totpsPageSize + 1 }, newMessageId);
      await scene.bed.database.sql(insert, [scene.account.id, ids]);
      const page = async (query: string) =>
        (await call('GET', query)).json<{ totps: TotpAnswer[]; next_cursor: string | null }>();
      const first = await page('');
      expect(first.totps.map(({ totp_id }) => totpIdFromPublic(totp_id))).toEqual(ids.slice(1).toReversed());
      const last = await page(`?cursor=${first.next_cursor}`);
      expect(last).toMatchObject({ totps: [{ totp_id: `TP${ids[0]?.replaceAll('-', '')}` }], next_cursor: null });
    });

    it('has no authenticator of another account, and refuses a cursor of another form', async () => {
      const other = await createTestAccount(scene.server);
      await create({}, { apikey: other.apiKey });
      expect((await call('GET', '')).json()).toEqual({ success: 'true', totps: [], next_cursor: null });
      expect(refusal(await call('GET', '?cursor=x'))).toEqual([400, 'invalid_request']);
    });
  });

  describe('DELETE /api/totp/{totp_id}', () => {
    it('deletes the authenticator, whose codes are then not found', async () => {
      const totp = await create();
      const { totp_id } = totp;
      expect((await call('DELETE', `/${totp_id}`)).json()).toEqual({ success: 'true', totp_id, deleted: true });
      expect(refusal(await call('POST', `/${totp_id}/verify`, { code: codeOf(totp) }))).toEqual([
        404,
        'totp_not_found',
      ]);
      expect(refusal(await call('DELETE', `/${totp_id}`))).toEqual([404, 'totp_not_found']);
      expect(await counted()).toEqual({ totps: 0 });
    });
  });

  it.each([
    ['GET', ''],
    ['DELETE', ''],
    ['POST', '/verify'],
    ['POST', '/recovery-codes'],
  ] as const)('%s /{totp_id}%s finds no other account’s authenticator, and changes nothing', async (method, path) => {
    const totp = await create();
    const before = await rowsOf();
    const { apiKey: apikey } = await createTestAccount(scene.server);
    const body = method === 'POST' ? { code: codeOf(totp) } : undefined;
    for (const id of [totp.totp_id, totp.totp_id.toUpperCase(), 'TP1', 'YOUR_TOTP_ID', 'OT'.padEnd(34, '0')])
      expect(refusal(await call(method, `/${id}${path}`, body, { apikey }))).toEqual([404, 'totp_not_found']);
    expect(await rowsOf()).toEqual(before);
  });

  it('needs the scope otp, and an account that is not blocked', async () => {
    const { id: accountId } = scene.account;
    const key = async (scope: 'otp' | 'send') => {
      const lists = { scopes: [scope], addresses: [], countries: [] };
      const limitless = { creditsPerDay: null, creditsPerMonth: null, messagesPerSecond: null, expiresAt: null };
      const body = { name: 'Key', mode: 'live' as const, ...lists, ...limitless };
      const make = () => scene.server.get(NamedKeys).create({ actor: 'account', accountId }, body);
      return (await scene.server.get(Postgres).ofAccount(accountId, make)).secret;
    };
    const totp = await create({}, { apikey: await key('otp') });
    expect(await show(totp.totp_id)).toMatchObject({ totp_id: totp.totp_id });
    const sendOnly = await key('send');
    const calls = [
      ['POST', '', { label: 'x' }],
      ['GET', '', undefined],
      ['GET', `/${totp.totp_id}`, undefined],
      ['POST', `/${totp.totp_id}/verify`, { code: codeOf(totp) }],
      ['POST', `/${totp.totp_id}/recovery-codes`, undefined],
      ['DELETE', `/${totp.totp_id}`, undefined],
    ] as const;
    for (const [method, path, body] of calls)
      expect(refusal(await call(method, path, body, { apikey: sendOnly }))).toEqual([403, 'key_scope']);
    await scene.bed.database.sql('UPDATE accounts SET blocked_at = now() WHERE id = $1', [accountId]);
    for (const [method, path, body] of calls)
      expect(refusal(await call(method, path, body))).toEqual([403, 'account_blocked']);
    expect(await rowsOf()).toMatchObject([{ last_step: null, wrong_tries: 0 }]);
  });

  it('keeps secrets and codes out of the log of calls', async () => {
    const totp = await create({ issuer: 'Acme' });
    const code = codeOf(totp);
    const codes = await recoveryCodes(totp.totp_id);
    await verify(totp.totp_id, code);
    await verify(totp.totp_id, codes[0] ?? '');
    await scene.server.get(RequestLog).flush();
    const logged = await scene.bed.database.sql<{ path: string; fields: string; text: string }>(
      'SELECT path, fields, r::text AS text FROM api_requests r WHERE account_id = $1 ORDER BY id',
      [scene.account.id],
    );
    expect(logged.map(({ path, fields }) => [path, JSON.parse(fields)])).toEqual([
      ['/api/totp', { label: '[17 characters]', issuer: '[4 characters]' }],
      [`/api/totp/${totp.totp_id}/recovery-codes`, {}],
      [`/api/totp/${totp.totp_id}/verify`, { code: '[6 characters]' }],
      [`/api/totp/${totp.totp_id}/verify`, { code: '[11 characters]' }],
    ]);
    for (const { text } of logged)
      for (const secret of [totp.secret, code, ...codes, 'svg', 'otpauth']) expect(text).not.toContain(secret);
  });

  describe('with a test key', () => {
    const asTest = () => ({ apikey: `${scene.account.apiKey}_test` });

    it('has one authenticator with a secret that is known, and stores nothing', async () => {
      const created = await create({ label: 'bob', issuer: 'Acme' }, asTest());
      expect(created).toMatchObject({ totp_id: testTotpId, label: 'bob', secret: testTotpSecret, test: true });
      expect(created.otpauth_url).toContain(`otpauth://totp/Acme:bob?issuer=Acme&secret=${testTotpSecret}`);
      for (const path of ['', `/${testTotpId}`])
        expect((await call('GET', path, undefined, asTest())).json()).toMatchObject({ test: true });
      const answer = await call('POST', `/${testTotpId}/recovery-codes`, undefined, asTest());
      expect(answer.json<RecoveryCodesAnswer>().recovery_codes[9]).toBe('TEST0-00009');
      const deleted = await call('DELETE', `/${testTotpId}`, undefined, asTest());
      expect(deleted.json()).toMatchObject({ deleted: true, test: true });
      expect(await rowsOf()).toEqual([]);
    });

    it.each([
      ['123456', { status: 'verified', method: 'app' }],
      ['000001', { status: 'wrong', method: null, attempts_left: 9 }],
      ['000002', { status: 'used', method: 'app' }],
      ['000003', { status: 'locked', method: null, attempts_left: 0, locked_until: expect.any(String) }],
      ['12', { status: 'wrong', attempts_left: 10 }],
      ['TEST0-00000', { status: 'verified', method: 'recovery_code', recovery_codes_left: 8 }],
      ['TEST0-00009', { status: 'used', method: 'recovery_code' }],
      ['TEST0-0000A', { status: 'wrong' }],
    ])('answers %s the same each time', async (code, verdict) => {
      for (let n = 0; n < 2; n += 1)
        expect(await verify(testTotpId, code, asTest())).toMatchObject({ ...verdict, test: true });
    });

    it('verifies the codes of an app with that secret', async () => {
      now = new Date();
      expect(await verify(testTotpId, codeOf({ secret: testTotpSecret }), asTest())).toMatchObject({
        status: 'verified',
      });
    });

    it('reaches no live authenticator', async () => {
      const totp = await create();
      const before = await rowsOf();
      for (const [method, path] of [
        ['GET', ''],
        ['DELETE', ''],
        ['POST', '/verify'],
        ['POST', '/recovery-codes'],
      ] as const) {
        const body = method === 'POST' ? { code: codeOf(totp) } : undefined;
        const answer = await call(method, `/${totp.totp_id}${path}`, body, asTest());
        expect(refusal(answer)).toEqual([404, 'totp_not_found']);
      }
      expect(await rowsOf()).toEqual(before);
      expect(refusal(await call('GET', `/${testTotpId}`))).toEqual([404, 'totp_not_found']);
    });
  });
});
