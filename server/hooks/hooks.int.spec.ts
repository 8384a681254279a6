import { createHmac, randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import type { CreatePlugBody, PlugsAnswer, PlugSecretAnswer } from '#contract/plugs.js';
import { ApiKeys } from '#core/keys/api-keys.js';
import { Plugs } from '#core/keys/plugs.js';
import { moneyFaults, moneyOf } from '#core/testing/money.js';
import { sentOtpText } from '#core/testing/sent-otp.js';
import { createTestAccount, type TestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { Postgres } from '#core/platform/database/postgres.js';
import { publicMessageId } from '#core/rules/ids.js';
import { TestBrowser } from '../testing/browser.js';
import { createTestServer, type TestServer } from '../testing/test-server.js';

const PLUGS = '/api/dashboard/plugs';
const SECRET = 'v1,whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw5Nsb2Dyp8q8=';

/** The call of the documentation (https://supabase.com/docs/guides/auth/auth-hooks/send-sms-hook). */
const documented = {
  user: {
    id: '6481a5c1-3d37-4a56-9f6a-bee08c554965',
    aud: 'authenticated',
    role: 'authenticated',
    email: '',
    phone: '+14155552671',
    app_metadata: { provider: 'phone', providers: ['phone'] },
    user_metadata: {},
    identities: [{ identity_id: '3be5e552-65aa-41d9-9db9-2a502f845459', provider: 'phone' }],
    is_anonymous: false,
  },
  sms: { otp: '561166' },
};

describe('POST /hooks/{product}/{plug}', () => {
  let bed: TestBed;
  let server: TestServer;
  let account: TestAccount;
  let browser: TestBrowser;

  beforeAll(async () => {
    bed = await createTestBed();
    server = await createTestServer(bed.config({ RATE_LIMIT_ADDRESS_PER_SECOND: '0' }));
  });

  beforeEach(async () => {
    account = await createTestAccount(server);
    browser = await TestBrowser.signedIn(server, account.id);
    await bed.database.sql('DELETE FROM otp_sends');
  });

  afterEach(async () => {
    expect(await moneyFaults(bed.database)).toEqual([]);
  });

  afterAll(async () => {
    await server?.close();
    await bed?.remove();
  });

  const connect = async (body: Partial<CreatePlugBody> & Pick<CreatePlugBody, 'product'>) => {
    const answer = await browser.call('POST', PLUGS, { name: 'Login', ...body });
    expect([answer.statusCode, answer.body]).toEqual([200, expect.any(String)]);
    const { keyId, secret, plugs } = answer.json<PlugSecretAnswer>();
    const path = new URL(plugs.find((plug) => plug.keyId === keyId)?.address ?? '').pathname;
    return { keyId, secret: secret ?? '', path };
  };
  const post = async (path: string, body: unknown, headers: Record<string, string> = {}) => {
    const payload = typeof body === 'string' ? body : JSON.stringify(body);
    const answer = await server.inject({
      method: 'POST',
      url: path,
      headers: { 'content-type': 'application/json', ...headers },
      payload,
    });
    return { status: answer.statusCode, headers: answer.headers, body: answer.json<Record<string, unknown>>() };
  };
  const signed = (body: unknown, { secret = SECRET, id = randomUUID(), at = new Date() } = {}) => ({
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret.slice('v1,'.length)).sign(
      id,
      at,
      typeof body === 'string' ? body : JSON.stringify(body),
    ),
  });
  const money = () => moneyOf(bed.database, account.id);
  const messages = () =>
    bed.database.sql<{ id: string; recipient: string; kind: string; body: string; key_id: string | null }>(
      'SELECT id, recipient, kind, body, key_id FROM messages WHERE account_id = $1 ORDER BY id',
      [account.id],
    );
  const lastText = async () => {
    const [message] = (await messages()).toReversed();
    return sentOtpText(server, publicMessageId(message?.id ?? ''));
  };
  const plugs = async () => (await browser.get(PLUGS)).json<PlugsAnswer>().plugs;
  const unchanged = async () => expect(await money()).toMatchObject({ balance: 100, messages: 0 });

  describe('of Supabase', () => {
    it('sends the code of the documented call, by its own key, and answers with an empty object', async () => {
      const { path, keyId } = await connect({ product: 'supabase', secret: SECRET, org: 'Acme' });
      const { status, body, headers } = await post(path, documented, signed(documented));
      expect([status, body]).toEqual([200, {}]);
      // Supabase reads no other type.
      expect(headers['content-type']).toMatch(/^application\/json/);
      expect(await messages()).toMatchObject([{ recipient: '+14155552671', kind: 'otp', key_id: keyId }]);
      expect(await lastText()).toBe('Message from Acme. Your one-time verification code is 561166.');
      expect((await money()).balance).toBe(99);
      expect(await plugs()).toMatchObject([{ keyId, lastResult: 'sent', lastCallAt: expect.any(String) }]);
    });

    it('signs with a secret that we make, in the form that Supabase takes', async () => {
      const { path, secret } = await connect({ product: 'supabase' });
      expect(secret).toMatch(/^v1,whsec_[A-Za-z0-9+/]{43}=$/);
      expect(await post(path, documented, signed(documented, { secret }))).toMatchObject({ status: 200, body: {} });
    });

    it('charges a repeated call once, also when, as Supabase does, it has another webhook-id', async () => {
      const { path } = await connect({ product: 'supabase', secret: SECRET });
      const id = randomUUID();
      const tries = [id, id, randomUUID(), randomUUID()];
      const answers = await Promise.all(tries.map((each) => post(path, documented, signed(documented, { id: each }))));
      // A try that meets the first one in progress gets 503 and the time to wait.
      for (const { status, headers } of answers)
        expect([status, headers['retry-after']]).toEqual(status === 503 ? [503, '1'] : [200, undefined]);
      expect(await post(path, documented, signed(documented))).toMatchObject({ status: 200, body: {} });
      expect(await money()).toMatchObject({ balance: 99, messages: 1 });
      const next = { ...documented, sms: { otp: '561167' } };
      expect(await post(path, next, signed(next))).toMatchObject({ status: 200, body: {} });
      expect((await money()).balance).toBe(98);
    });

    it.each([
      ['a number without its plus', { user: { phone: '14155552671' }, sms: { otp: '561166' } }],
      ['the number of a newer version', { user: { phone: '' }, sms: { otp: '561166', phone: '14155552671' } }],
      [
        'a new number that the user confirms',
        { user: { phone: '14155550000', new_phone: '14155552671' }, sms: { otp: '561166', sms_type: 'phone_change' } },
      ],
      ['more fields', { ...documented, metadata: { uuid: 'x', ip_address: '203.0.113.9' } }],
    ])('reads %s', async (_what, body) => {
      const { path } = await connect({ product: 'supabase', secret: SECRET });
      expect(await post(path, body, signed(body))).toMatchObject({ status: 200, body: {} });
      expect(await messages()).toMatchObject([{ recipient: '+14155552671' }]);
    });

    it('tells a refusal as Supabase shows it to the person', async () => {
      const { path } = await connect({ product: 'supabase', secret: SECRET });
      const bad = { ...documented, user: { phone: '12' } };
      expect(await post(path, bad, signed(bad))).toMatchObject({
        status: 200,
        body: { error: { http_code: 400, message: expect.stringContaining('number') } },
      });
      account = await createTestAccount(server, { credits: 0 });
      browser = await TestBrowser.signedIn(server, account.id);
      const broke = await connect({ product: 'supabase', secret: SECRET });
      expect(await post(broke.path, documented, signed(documented))).toMatchObject({
        status: 200,
        body: { error: { http_code: 402, message: expect.any(String) } },
      });
      expect(await plugs()).toMatchObject([{ lastResult: 'no_credits' }]);
    });

    it.each([
      ['by another secret', (body: object) => signed(body, { secret: SECRET.replace('MfKQ', 'AAAA') })],
      ['six minutes ago', (body: object) => signed(body, { at: new Date(Date.now() - 360_000) })],
      ['in six minutes', (body: object) => signed(body, { at: new Date(Date.now() + 360_000) })],
      ['over another body', () => signed({ sms: { otp: '1' } })],
      ['not at all', (): Record<string, string> => ({})],
      ['in part', (body: object) => ({ ...signed(body), 'webhook-id': 'other' })],
    ])('refuses a call signed %s, and changes nothing', async (_how, headersOf) => {
      const { path } = await connect({ product: 'supabase', secret: SECRET });
      const { status, body } = await post(path, documented, headersOf(documented));
      expect([status, body['code']]).toEqual([403, 'invalid_signature']);
      await unchanged();
      expect(await plugs()).toMatchObject([{ lastResult: 'invalid_signature' }]);
    });

    it('takes both secrets for a day after a rotation', async () => {
      const { path, keyId } = await connect({ product: 'supabase', secret: SECRET });
      const { secret } = (await browser.call('POST', `${PLUGS}/${keyId}/rotate`)).json<PlugSecretAnswer>();
      for (const [otp, by] of [
        ['111111', SECRET],
        ['222222', secret ?? ''],
      ] as const) {
        const body = { ...documented, sms: { otp } };
        expect(await post(path, body, signed(body, { secret: by }))).toMatchObject({ status: 200, body: {} });
      }
      // A repetition is known by its body, whichever secret signs it.
      const again = { ...documented, sms: { otp: '111111' } };
      expect(await post(path, again, signed(again))).toMatchObject({ status: 200, body: {} });
      const mails = await bed.database.sql('SELECT 1 FROM mails WHERE account_id = $1', [account.id]);
      // One for the new plug, and one for its new secret.
      expect(mails).toHaveLength(2);
      const later = Date.now() + 25 * 3_600_000;
      const clock = jest.spyOn(Date, 'now').mockReturnValue(later);
      try {
        const body = { ...documented, sms: { otp: '333333' } };
        const old = await post(path, body, signed(body, { at: new Date(later) }));
        expect([old.status, old.body['code']]).toEqual([403, 'invalid_signature']);
      } finally {
        clock.mockRestore();
      }
      expect((await money()).balance).toBe(98);
    });

    it.each([
      ['no code', { user: { phone: '+14155552671' }, sms: {} }],
      ['a code with a space', { ...documented, sms: { otp: '561 166' } }],
      ['no number', { user: {}, sms: { otp: '561166' } }],
      ['a list', []],
    ])('refuses a call with %s', async (_what, body) => {
      const { path } = await connect({ product: 'supabase', secret: SECRET });
      expect(await post(path, body, signed(body))).toMatchObject({
        status: 200,
        body: { error: { http_code: 400, message: expect.any(String) } },
      });
      await unchanged();
    });
  });

  it('refuses a body of a megabyte unread', async () => {
    const { path } = await connect({ product: 'supabase', secret: SECRET });
    expect((await post(path, JSON.stringify({ x: 'y'.repeat(1_000_000) }))).status).toBe(413);
  });

  it.each([
    ['an address of another form', '/hooks/supabase/PL1'],
    ['a plug that does not exist', `/hooks/supabase/PL${'0'.repeat(32)}`],
    ['an unknown product', `/hooks/other/PL${'0'.repeat(32)}`],
  ])('knows nothing at %s', async (_what, path) => {
    const { status, body } = await post(path, documented, signed(documented));
    expect([status, body['code']]).toEqual([404, 'not_found']);
  });

  it('knows nothing of a plug at the address of another product', async () => {
    const { path } = await connect({ product: 'supabase', secret: SECRET });
    expect((await post(path.replace('supabase', 'logto'), documented)).status).toBe(404);
  });

  it('keeps the limits of its key, and ends with it', async () => {
    const { path, keyId, secret } = await connect({ product: 'logto' });
    const call = (code: string) =>
      post(path, { to: '14155552671', type: 'SignIn', payload: { code } }, { authorization: secret });
    const [key] = (await browser.get('/api/dashboard/keys')).json<{ keys: Record<string, unknown>[] }>().keys;
    expect(key).toMatchObject({ id: keyId, name: 'Login', scopes: ['otp'], plug: 'logto' });
    const limited = { ...key, creditsPerDay: 1, countries: ['US'] };
    expect((await browser.call('PUT', `/api/dashboard/keys/${keyId}`, limited)).statusCode).toBe(200);
    expect(await call('1111')).toMatchObject({ status: 200, body: { success: 'true' } });
    expect(await call('2222')).toMatchObject({ status: 429, body: { code: 'key_budget' } });
    expect((await browser.call('POST', `/api/dashboard/keys/${keyId}/rotate`, { keepOldForHours: 0 })).statusCode).toBe(
      404,
    );
    expect((await browser.call('DELETE', `/api/dashboard/keys/${keyId}`)).statusCode).toBe(200);
    expect(await call('3333')).toMatchObject({ status: 404 });
    expect(await plugs()).toEqual([]);
  });

  it.each([
    ['auth0', { recipient: '+14155552671', code: '561166', text: 'Your code is 561166', message_type: 'otp_verify' }],
    ['logto', { to: '14155552671', type: 'SignIn', payload: { code: '561166' }, ip: '192.168.1.1' }],
    ['otp', { to: '+14155552671', code: '561166' }],
  ] as const)('sends the code of a call of %s, proved by its secret', async (product, body) => {
    const { path, secret } = await connect({ product });
    for (const authorization of ['', 'Bearer wrong', `Basic ${Buffer.from('user:wrong').toString('base64')}`])
      expect(await post(path, body, authorization === '' ? {} : { authorization })).toMatchObject({ status: 403 });
    await unchanged();
    const basic = `Basic ${Buffer.from(`any:${secret}`).toString('base64')}`;
    expect(await post(path, body, { authorization: `Bearer ${secret}` })).toMatchObject({ status: 200 });
    expect(await lastText()).toContain('561166');
    expect(await post(path, body, { authorization: basic })).toMatchObject({ status: 200 });
    expect((await money()).balance).toBe(98);
  });

  it('reads the fields that the plug names', async () => {
    const { path, secret } = await connect({ product: 'otp', toPath: '$.user.mobile', codePath: '$.data.otp' });
    const headers = { authorization: `Bearer ${secret}` };
    const body = { user: { mobile: '+14155552671' }, data: { otp: '561166' } };
    expect(await post(path, body, headers)).toMatchObject({ status: 200 });
    expect(await lastText()).toContain('561166');
    const missing = await post(path, { user: {}, data: { otp: '561166' } }, headers);
    expect([missing.status, missing.body['detail']]).toEqual([400, expect.stringContaining('$.user.mobile')]);
  });

  it('sends texts: those of Auth0 without a code, and those of any product that sends them', async () => {
    const auth0 = await connect({ product: 'auth0' });
    const blocked = { recipient: '+14155552671', text: 'Your account was blocked.', message_type: 'blocked_account' };
    expect(await post(auth0.path, blocked, { authorization: `Bearer ${auth0.secret}` })).toMatchObject({ status: 200 });
    const sms = await connect({ product: 'sms' });
    const answer = await post(
      sms.path,
      { to: '+14155552671', content: 'Your order left.' },
      { authorization: `Bearer ${sms.secret}` },
    );
    expect(answer).toMatchObject({
      status: 200,
      body: { id: expect.stringMatching(/^SM/), date: expect.stringMatching(/^\d{4}-/) },
    });
    expect(await messages()).toMatchObject([
      { kind: 'sms', body: 'Your account was blocked.' },
      { kind: 'sms', body: 'Your order left.' },
    ]);
  });

  it('charges once for calls of one plug with one webhook-id', async () => {
    const [one, other] = [await connect({ product: 'otp' }), await connect({ product: 'otp' })];
    const call = (plug: typeof one, code: string, id: string) =>
      post(plug.path, { to: '+14155552671', code }, { authorization: `Bearer ${plug.secret}`, 'webhook-id': id });
    const [first, again] = [await call(one, '561166', '1'), await call(one, '561166', '1')];
    expect(again.body).toEqual(first.body);
    expect((await money()).balance).toBe(99);
    expect(await call(one, '561167', '1')).toMatchObject({ status: 422, body: { code: 'idempotency_conflict' } });
    expect(await call(other, '561168', '1')).toMatchObject({ status: 200 });
    const long = 'q'.repeat(400);
    for (const end of ['1', '2']) expect(await call(one, '561169', `${long}${end}`)).toMatchObject({ status: 200 });
    expect((await money()).balance).toBe(96);
  });

  it('lets no stranger use up its rate, or learn about its account', async () => {
    const { path, keyId, secret } = await connect({ product: 'otp' });
    const [key] = (await browser.get('/api/dashboard/keys')).json<{ keys: Record<string, unknown>[] }>().keys;
    const limited = { ...key, messagesPerSecond: 1, addresses: ['203.0.113.0/24'] };
    expect((await browser.call('PUT', `/api/dashboard/keys/${keyId}`, limited)).statusCode).toBe(200);
    const body = { to: '+14155552671', code: '561166' };
    for (let n = 0; n < 5; n += 1)
      expect(await post(path, body)).toMatchObject({ status: 403, body: { code: 'invalid_signature' } });
    const proved = await post(path, body, { authorization: `Bearer ${secret}` });
    expect([proved.status, proved.body['code']]).toEqual([403, 'key_address']);
    expect(
      await bed.database.sql('SELECT 1 FROM api_requests WHERE account_id = $1 AND status = 403 AND code = $2', [
        account.id,
        'invalid_signature',
      ]),
    ).toEqual([]);
  });

  it('has a key that no hash of a caller’s text reveals', async () => {
    const { keyId } = await connect({ product: 'otp' });
    const { hash } = server.get(ApiKeys).parse(`plug ${keyId}`);
    const guessed = `pt_live_${hash.toString('hex', 0, 20)}`;
    const answer = await server.inject({ url: '/api/otps', headers: { authorization: `Bearer ${guessed}` } });
    expect(answer.statusCode).toBe(401);
  });

  describe('of ZITADEL', () => {
    const KEY = 'VqLpT3kZ7y';
    const call = {
      contextInfo: { eventType: 'user.human.otp.sms.code.added', recipientPhoneNumber: '+14155552671' },
      templateData: { text: 'Your code is 561166' },
      // ZITADEL makes codes of digits and all capital letters.
      args: { code: 'IOL561', domain: 'example.com' },
    };
    const signature = (body: object, at = Math.floor(Date.now() / 1_000), key = KEY) =>
      `t=${at},v1=${createHmac('sha256', key)
        .update(`${at}.${JSON.stringify(body)}`)
        .digest('hex')}`;

    it('takes the key that ZITADEL makes for the address, and then its signed calls', async () => {
      const { path, keyId, secret } = await connect({ product: 'zitadel' });
      expect([secret, (await plugs())[0]]).toMatchObject(['', { isSigned: false }]);
      const early = await post(path, call, { 'zitadel-signature': signature(call) });
      expect([early.status, early.body['detail']]).toEqual([403, expect.stringContaining('no signing key yet')]);
      expect((await browser.call('POST', `${PLUGS}/${keyId}/rotate`, {})).statusCode).toBe(400);
      expect((await browser.call('POST', `${PLUGS}/${keyId}/rotate`, { secret: KEY })).statusCode).toBe(200);
      expect(await post(path, call, { 'zitadel-signature': signature(call) })).toMatchObject({ status: 200 });
      expect(await lastText()).toContain('IOL561');
    });

    it('charges once for a call that is sent again as it was', async () => {
      const { path } = await connect({ product: 'zitadel', secret: KEY });
      const headers = { 'zitadel-signature': signature(call) };
      for (let n = 0; n < 3; n += 1) expect(await post(path, call, headers)).toMatchObject({ status: 200 });
      expect((await money()).balance).toBe(99);
    });

    it.each([
      ['another key', signature(call, undefined, 'another-key')],
      ['an old time', signature(call, Math.floor(Date.now() / 1_000) - 400)],
      ['no time', signature(call).replace(/^t=\d+,/, '')],
      ['nothing', ''],
    ])('refuses a signature with %s', async (_what, header) => {
      const { path } = await connect({ product: 'zitadel', secret: KEY });
      expect(await post(path, call, { 'zitadel-signature': header })).toMatchObject({ status: 403 });
      await unchanged();
    });
  });

  it.each([
    ['a secret of another form for Supabase', { product: 'supabase', secret: 'whsec_abc' }],
    ['a secret for a product that takes ours', { product: 'logto', secret: 'mine' }],
    ['a short key for ZITADEL', { product: 'zitadel', secret: 'short' }],
  ])('does not connect with %s', async (_what, body) => {
    const answer = await browser.call('POST', PLUGS, { name: 'Login', ...body });
    expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([400, 'plug_secret_invalid']);
    expect(await plugs()).toEqual([]);
  });

  it('does not show the plugs of another account, and does not rotate them', async () => {
    const { keyId } = await connect({ product: 'supabase' });
    const other = await TestBrowser.signedIn(server, (await createTestAccount(server)).id);
    expect((await other.get(PLUGS)).json<PlugsAnswer>().plugs).toEqual([]);
    expect((await other.call('POST', `${PLUGS}/${keyId}/rotate`, {})).statusCode).toBe(404);
  });

  it('keeps its secrets when they are encrypted with another key', async () => {
    const { path } = await connect({ product: 'supabase', secret: SECRET });
    const stored = () =>
      bed.database.sql(
        'SELECT plug_secrets, plug_encryption_key_id FROM api_keys WHERE account_id = $1 AND plug IS NOT NULL',
        [account.id],
      );
    const [before] = await stored();
    expect(String(before?.['plug_secrets'])).not.toContain('whsec_');
    await bed.database.sql('UPDATE api_keys SET plug_encryption_key_id = NULL WHERE account_id = $1', [account.id]);
    const done = await server.get(Postgres).onEach(() => server.get(Plugs).reencrypt());
    expect(done.reduce((sum, { reencrypted, unreadable }) => sum + reencrypted - unreadable, 0)).toBe(1);
    const [after] = await stored();
    expect(after?.['plug_encryption_key_id']).toBe(before?.['plug_encryption_key_id']);
    expect(after?.['plug_secrets']).not.toEqual(before?.['plug_secrets']);
    expect(await post(path, documented, signed(documented))).toMatchObject({ status: 200, body: {} });
  });

  it('logs its calls without their codes and numbers', async () => {
    const { path } = await connect({ product: 'supabase', secret: SECRET });
    await post(path, documented, signed(documented));
    const logged = () =>
      bed.database.sql<{ path: string; fields: string }>('SELECT * FROM api_requests WHERE account_id = $1', [
        account.id,
      ]);
    let rows = await logged();
    for (let n = 0; n < 100 && rows.length === 0; n += 1) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      rows = await logged();
    }
    const [message] = await messages();
    expect(rows).toMatchObject([
      { path, method: 'POST', status: 200, code: null, subject: publicMessageId(message?.id ?? '') },
    ]);
    expect(JSON.stringify(rows)).not.toMatch(/561166|14155552671/);
  });
});
