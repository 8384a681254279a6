import { EndKeys } from '#core/messages/status/end-keys.js';
import { z } from 'zod';
import type { CreateKeyBody } from '#contract/account.js';
import { keyBudget, type BalanceAnswer } from '#contract/credits.js';
import { ApiKeys } from '#core/keys/api-keys.js';
import { ApiKeyUsage } from '#core/keys/api-key-usage.js';
import { findBudget, listNamedKeys, NamedKeys } from '#core/keys/named-keys.js';
import { Credits } from '#core/credits/credits.js';
import { NumberDirectory } from '#core/numbers/number-directory.js';
import { OperatorNumbers } from '#core/numbers/operator-numbers.js';
import { Senders } from '#core/messages/senders/senders.js';
import { acceptanceValues } from '#core/messages/send/acceptance-batch.js';
import { acceptanceStatements } from '#core/messages/send/acceptance.sql.js';
import { Postgres } from '#core/platform/database/postgres.js';
import { acceptanceRow } from '#core/testing/acceptance-rows.js';
import { createTestAccount, type TestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { createTestServer, OtpCalls, type TestServer } from '../testing/test-server.js';

const TO = '+14155552671';
const BRITISH = '+447400123456';

const unlimited: CreateKeyBody = {
  name: 'Shop',
  mode: 'live',
  scopes: ['send', 'otp', 'read', 'webhooks'],
  addresses: [],
  countries: [],
  creditsPerDay: null,
  creditsPerMonth: null,
  messagesPerSecond: null,
  expiresAt: null,
};

describe('A named key', () => {
  let bed: TestBed;
  let server: TestServer;
  let other: TestServer;
  let account: TestAccount;

  beforeAll(async () => {
    bed = await createTestBed();
    const config = { RATE_LIMIT_KEY_PER_SECOND: '100000', RATE_LIMIT_ADDRESS_PER_SECOND: '0' };
    server = await createTestServer(bed.config(config));
    other = await createTestServer(bed.config(config));
  });

  beforeEach(async () => {
    account = await createTestAccount(server, { dailyLimit: 100_000 });
  });

  afterAll(async () => {
    await Promise.all([server?.close(), other?.close()]);
    await bed?.remove();
  });

  const by = () => ({ actor: 'account', accountId: account.id, address: '127.0.0.1' }) as const;
  const keyWith = async (limited: Partial<CreateKeyBody>) =>
    server.get(NamedKeys).create(by(), { ...unlimited, ...limited });
  const secretWith = async (limited: Partial<CreateKeyBody> = {}) => (await keyWith(limited)).secret;
  const send = async (apikey: string, fields: object = {}, from = server) => {
    const answer = await from.send({ to: TO, message: 'Hello', apikey, ...fields });
    return { status: answer.statusCode, headers: answer.headers, ...answer.json<{ code?: string; detail?: string }>() };
  };
  const outcome = async (...args: Parameters<typeof send>) => {
    const { status, code } = await send(...args);
    return code === undefined ? [status] : [status, code];
  };
  const read = async (apikey: string, url = '/api/balance', remoteAddress = '127.0.0.1') => {
    const headers = { authorization: `Bearer ${apikey}` };
    const answer = await server.inject({ url, headers, remoteAddress });
    return [answer.statusCode, answer.json<{ code?: string }>().code];
  };
  const spentOf = async () => {
    const [key] = await server.get(NamedKeys).list(account.id);
    return [key?.spentToday, key?.spentThisMonth];
  };
  const balance = async () => (await server.get(Credits).balanceOf(account.id)).balance;

  it('sends, sends and verifies one-time passwords, and reads', async () => {
    const apikey = await secretWith();
    expect(apikey).toMatch(/^pt_live_[0-9a-f]{40}$/);
    expect(await outcome(apikey)).toEqual([200]);
    const otp = await new OtpCalls(server).codeOf({ to: TO, apikey });
    expect((await new OtpCalls(server).verdict({ otp, to: TO, apikey })).status).toBe('verified');
    expect(await read(apikey)).toEqual([200, undefined]);
    expect(await balance()).toBe(98);
  });

  it('is no key of its account once it is revoked, and its secret ends when it is rotated', async () => {
    const { id, secret } = await keyWith({});
    const { secret: next } = await server.get(EndKeys).rotate(by(), id, 0, false);
    expect(await outcome(secret)).toEqual([401, 'unknown_api_key']);
    expect(await outcome(next)).toEqual([200]);
    await server.get(EndKeys).revoke(by(), id, false);
    expect([await outcome(next), await read(next)]).toEqual([
      [401, 'unknown_api_key'],
      [401, 'unknown_api_key'],
    ]);
  });

  it('takes an old secret for the chosen time, within the same limits and budget', async () => {
    const { id, secret: first } = await keyWith({ creditsPerDay: 5, countries: ['US'] });
    expect(await outcome(first)).toEqual([200]);
    const { secret: second } = await server.get(EndKeys).rotate(by(), id, 24, false);
    const { secret: third } = await server.get(EndKeys).rotate(by(), id, 1, false);
    const secrets = [first, second, third];
    const outcomes = await Promise.all(
      Array.from({ length: 12 }, (_, n) => outcome(secrets[n % 3] ?? '', {}, n % 2 === 0 ? server : other)),
    );
    expect(outcomes.filter(([status]) => status === 200)).toHaveLength(4);
    expect(outcomes.filter(([, code]) => code === 'key_budget')).toHaveLength(8);
    expect(await spentOf()).toEqual([5, 5]);
    for (const secret of secrets) {
      expect(await outcome(secret, { to: BRITISH })).toEqual([403, 'key_country']);
      expect(await read(secret)).toEqual([200, undefined]);
    }
    await server.get(ApiKeyUsage).flush();
    const [key] = await server.get(NamedKeys).list(account.id);
    expect(key?.earlier.map(({ lastUsedAt }) => lastUsedAt)).toEqual([expect.any(String), expect.any(String)]);
    await bed.database.sql(`UPDATE key_secrets SET expires_at = now() WHERE ending = right($1, 4) AND key_id = $2`, [
      first,
      id,
    ]);
    const ended = [401, 'unknown_api_key'];
    expect([await outcome(first), await read(first)]).toEqual([ended, ended]);
    expect(await read(second)).toEqual([200, undefined]);
    await server.get(NamedKeys).endOldSecrets(by(), id);
    expect([await outcome(second), await read(second), await read(third)]).toEqual([ended, ended, [200, undefined]]);
    await server.get(EndKeys).rotate(by(), id, 72, false);
    await server.get(EndKeys).revoke(by(), id, false);
    expect([await outcome(third), await read(third)]).toEqual([ended, ended]);
  });

  it('has no test form, and is no other key by its prefix', async () => {
    const apikey = await secretWith();
    expect(await outcome(`${apikey}_test`)).toEqual([401, 'unknown_api_key']);
    expect(await outcome(apikey.replace('live', 'test'))).toEqual([401, 'unknown_api_key']);
    expect(await outcome(`pt_live_${account.apiKey}`)).toEqual([401, 'unknown_api_key']);
  });

  it('of test mode checks everything, charges and stores nothing, and reads examples', async () => {
    const apikey = await secretWith({ mode: 'test', countries: ['US'] });
    expect(apikey).toMatch(/^pt_test_/);
    expect(await send(apikey)).toMatchObject({ status: 200, test: true });
    expect(await outcome(apikey, { to: BRITISH })).toEqual([403, 'key_country']);
    const answer = await server.inject({ url: `/api/messages?apikey=${apikey}` });
    expect(answer.json()).toMatchObject({ test: true, messages: [{ message: 'Hello from Pennytext' }] });
    expect(await balance()).toBe(100);
  });

  it.each([
    ['send', [200], 'key_scope', 'key_scope'],
    ['otp', [403, 'key_scope'], undefined, 'key_scope'],
    ['read', [403, 'key_scope'], 'key_scope', undefined],
    ['webhooks', [403, 'key_scope'], 'key_scope', 'key_scope'],
  ] as const)('with the scope %s alone may not make other calls', async (scope, sms, otp, reading) => {
    const apikey = await secretWith({ scopes: [scope] });
    const calls = new OtpCalls(server);
    expect(await outcome(apikey)).toEqual(sms);
    expect((await calls.send({ to: TO, apikey })).json<{ code?: string }>().code).toBe(otp);
    expect((await calls.resend({ otp_id: 'OT1', apikey })).json<{ code?: string }>().code).toBe(otp ?? 'otp_not_found');
    if (otp) expect((await calls.verify({ otp: '000000', apikey })).json<{ code?: string }>().code).toBe(otp);
    expect((await read(apikey, '/api/otp/guard'))[1]).toBe(otp);
    expect((await read(apikey, '/api/messages'))[1]).toBe(reading);
    expect((await read(apikey))[1]).toBe(reading);
  });

  it('learns which scope a call needs, and which it has', async () => {
    const [sender, reader] = [await secretWith({ scopes: ['send', 'otp'] }), await secretWith({ scopes: ['read'] })];
    const how = 'Add the scope in the dashboard under API Keys, or use another key.';
    const detailOf = async (apikey: string, url: string, body?: object) => {
      const headers = { authorization: `Bearer ${apikey}` };
      const answer = await server.inject({ url, headers, ...(body && { method: 'POST', payload: body }) });
      const error = /^\/api\/(send|quote|resendotp|verifyotp)/.test(url)
        ? 'Failed to send SMS'
        : 'The request was refused.';
      expect(answer.json()).toMatchObject({ error, code: 'key_scope' });
      return answer.json<{ detail: string }>().detail;
    };
    for (const path of ['balance', 'messages', 'batches', 'deliverability', 'events'])
      expect(await detailOf(sender, `/api/${path}`)).toBe(
        `This call needs the scope "read"; this API key has "send" and "otp". ${how}`,
      );
    const sms = { to: TO, message: 'Hi' };
    for (const [path, body] of [
      ['sendsms', sms],
      ['sendsms', { ...sms, to: 'nonsense' }],
      ['sendbulk', { messages: [sms] }],
      ['messages/SM1/cancel', {}],
    ] as const)
      expect(await detailOf(reader, `/api/${path}`, body)).toBe(
        `This call needs the scope "send"; this API key has "read". ${how}`,
      );
    expect(await detailOf(reader, '/api/quote', sms)).toBe(
      `This call needs the scope "send" or "otp"; this API key has "read". ${how}`,
    );
    for (const [path, body] of [
      ['sendotp', { to: TO }],
      ['resendotp', { otp_id: 'OT1' }],
      ['verifyotp', { otp: '123456' }],
    ] as const)
      expect(await detailOf(reader, `/api/${path}`, body)).toContain('needs the scope "otp"');
    expect(await detailOf(reader, '/api/events', { type: 'message.delivered' })).toContain('"webhooks"');
  });

  it('without the scope is refused for that before its number is', async () => {
    const apikey = await secretWith({ scopes: ['read'] });
    expect(await outcome(apikey, { to: 'nonsense' })).toEqual([403, 'key_scope']);
  });

  it('loses a scope at once when it is changed', async () => {
    const { id, secret } = await keyWith({});
    expect(await outcome(secret)).toEqual([200]);
    const { mode: _mode, ...body } = unlimited;
    await server.get(NamedKeys).change(by(), id, { ...body, scopes: ['read'] });
    expect(await outcome(secret, {}, other)).toEqual([403, 'key_scope']);
  });

  it('is refused from other network addresses than its own', async () => {
    const apikey = await secretWith({ addresses: ['203.0.113.0/24', '2001:db8::/48'] });
    const from = async (remoteAddress: string) => {
      const answer = await server.app.inject({
        method: 'POST',
        url: '/api/sendsms',
        payload: { to: TO, message: 'Hello', apikey },
        remoteAddress,
      });
      return [answer.statusCode, answer.json<{ code?: string }>().code];
    };
    expect(await from('203.0.113.7')).toEqual([200, undefined]);
    expect(await from('::ffff:203.0.113.8')).toEqual([200, undefined]);
    expect(await from('2001:db8:0:1::5')).toEqual([200, undefined]);
    expect(await from('203.0.114.7')).toEqual([403, 'key_address']);
    expect(await from('2001:db8:1::5')).toEqual([403, 'key_address']);
    expect(await read(apikey)).toEqual([403, 'key_address']);
    expect(await read(apikey, '/api/balance', '203.0.113.9')).toEqual([200, undefined]);
  });

  it('is refused after its expiry', async () => {
    const { id, secret } = await keyWith({ expiresAt: new Date(Date.now() + 60_000).toISOString() });
    expect(await outcome(secret)).toEqual([200]);
    await bed.database.sql(`UPDATE api_keys SET expires_at = now() WHERE id = $1`, [id]);
    expect([await outcome(secret), await read(secret)]).toEqual([
      [401, 'key_expired'],
      [401, 'key_expired'],
    ]);
    expect(await server.get(NamedKeys).list(account.id)).toMatchObject([{ isExpired: true }]);
  });

  it('sends to its countries only', async () => {
    const apikey = await secretWith({ countries: ['US', 'CA'] });
    expect(await outcome(apikey)).toEqual([200]);
    expect(await outcome(apikey, { to: BRITISH })).toEqual([403, 'key_country']);
    expect(await balance()).toBe(99);
  });

  it('has a rate of its own, below that of its account', async () => {
    const apikey = await secretWith({ messagesPerSecond: 3 });
    await send(apikey);
    expect((await send(apikey)).headers['ratelimit-limit']).toBe('3');
    await bed.database.sql('UPDATE accounts SET key_rate_per_second = 2 WHERE id = $1', [account.id]);
    await read(apikey, '/api/balance');
    expect((await send(apikey)).headers['ratelimit-limit']).toBe('2');
  });

  it('shows when and from where it was last used, like the first key', async () => {
    const apikey = await secretWith();
    await send(apikey);
    await send(account.apiKey);
    await server.get(ApiKeyUsage).flush();
    const expected = { lastUsedAddress: '127.0.0.1' };
    const [named] = await server.get(NamedKeys).list(account.id);
    expect(named).toMatchObject({ ...expected, lastUsedAt: expect.stringMatching(/Z$/) });
    expect(await server.get(ApiKeys).list(account.id)).toMatchObject({ ...expected, lastUsedAt: expect.any(Date) });
  });

  it('uses the senders of its account', async () => {
    await server.get(OperatorNumbers).set(account.email, ['+15005550020']);
    try {
      const apikey = await secretWith();
      await server.get(NumberDirectory).renewed();
      expect(await server.get(Senders).senderFor(server.get(ApiKeys).parse(apikey), TO, 'US')).toBe('+15005550020');
      expect(await outcome(apikey)).toEqual([200]);
    } finally {
      await server.get(OperatorNumbers).set(account.email, []);
    }
  });

  describe('with a budget', () => {
    it('spends it and no more, on messages and one-time passwords', async () => {
      const apikey = await secretWith({ creditsPerDay: 3 });
      expect(await outcome(apikey)).toEqual([200]);
      expect((await new OtpCalls(server).send({ to: TO, apikey })).statusCode).toBe(200);
      expect(await outcome(apikey, { message: 'x'.repeat(200) })).toEqual([429, 'key_budget']);
      expect(await outcome(apikey)).toEqual([200]);
      const refused = await send(apikey);
      expect(refused).toMatchObject({
        status: 429,
        code: 'key_budget',
        detail: expect.stringContaining('daily budget'),
      });
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
      expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(90_000);
      expect((await new OtpCalls(server).send({ to: TO, apikey })).json()).toMatchObject({ code: 'key_budget' });
      expect([await spentOf(), await balance()]).toEqual([[3, 3], 97]);
      expect(await outcome(account.apiKey)).toEqual([200]);
    });

    it('of a month is spent over days, and starts again with the next month', async () => {
      const apikey = await secretWith({ creditsPerDay: 10, creditsPerMonth: 3 });
      await send(apikey);
      await send(apikey);
      await bed.database.sql(
        `UPDATE api_keys SET spent_that_day = 0, spent_that_month = 2,
           spent_on = date_trunc('month', now() AT TIME ZONE 'America/New_York')::date
         WHERE account_id = $1 AND NOT is_default`,
        [account.id],
      );
      expect(await outcome(apikey)).toEqual([200]);
      const refused = await send(apikey);
      expect(refused).toMatchObject({ code: 'key_budget', detail: expect.stringContaining('monthly budget') });
      await bed.database.sql(
        `UPDATE api_keys SET spent_on = spent_on - interval '1 month' WHERE account_id = $1 AND NOT is_default`,
        [account.id],
      );
      expect(await outcome(apikey)).toEqual([200]);
      expect(await spentOf()).toEqual([1, 1]);
    });

    it('of a day and a smaller one of a month ends with the smaller one, for requests at once too', async () => {
      const apikey = await secretWith({ creditsPerDay: 10, creditsPerMonth: 3 });
      const answers = await Promise.all(Array.from({ length: 12 }, () => send(apikey)));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
      expect(await spentOf()).toEqual([3, 3]);
    });

    it('shows it with the balance, and what was spent', async () => {
      const apikey = await secretWith({ creditsPerMonth: 50 });
      await send(apikey);
      const show = async (key: string) => {
        const answer = await server.inject({ url: '/api/balance', headers: { authorization: `Bearer ${key}` } });
        return answer.json<BalanceAnswer>().budget;
      };
      const spent = { spent_today: 1, spent_this_month: 1 };
      expect(await show(apikey)).toEqual({ credits_per_day: null, credits_per_month: 50, ...spent });
      expect(await show(await secretWith())).toBeUndefined();
      expect(await show(account.apiKey)).toBeUndefined();
    });

    it('keeps a refund out of the budget', async () => {
      const apikey = await secretWith({ creditsPerDay: 1 });
      await send(apikey);
      await server
        .get(Postgres)
        .transaction((tx) =>
          server.get(Credits).post(tx, [{ accountId: account.id, amount: 1, kind: 'refund', sourceId: account.id }]),
        );
      expect(await balance()).toBe(100);
      expect(await outcome(apikey)).toEqual([429, 'key_budget']);
    });

    it('answers an idempotent request again, although the budget is spent', async () => {
      const apikey = await secretWith({ creditsPerDay: 1 });
      const repeat = () => server.send({ to: TO, message: 'Hello', apikey }, { 'idempotency-key': 'once' });
      const [first, second] = [await repeat(), await repeat()];
      expect([first.statusCode, second.statusCode]).toEqual([200, 200]);
      expect(second.headers['idempotent-replayed']).toBe('true');
    });

    it('is exact for concurrent requests of two servers, beside keys that have none', async () => {
      const [tight, wide] = [await secretWith({ creditsPerDay: 17 }), await secretWith({ creditsPerMonth: 31 })];
      const requests = Array.from({ length: 240 }, (_, index) => {
        const apikey = [tight, wide, account.apiKey][index % 3] ?? tight;
        const message = index % 5 === 0 ? 'x'.repeat(200) : 'Hello';
        return { apikey, message, from: index % 2 === 0 ? server : other };
      });
      await server
        .get(Postgres)
        .transaction((tx) =>
          server
            .get(Credits)
            .post(tx, [{ accountId: account.id, amount: 1_000, kind: 'adjustment', sourceId: account.id }]),
        );
      const answers = await Promise.all(
        requests.map(async ({ apikey, message, from }) => ({ apikey, ...(await send(apikey, { message }, from)) })),
      );
      const spent = (key: string) =>
        answers.reduce((sum, { apikey, status, ...rest }) => {
          const { credits = 0 } = rest as { credits?: number };
          return apikey === key && status === 200 ? sum + credits : sum;
        }, 0);
      expect(new Set(answers.map(({ code }) => code))).toEqual(new Set([undefined, 'key_budget']));
      expect(spent(account.apiKey)).toBe(answers.filter(({ apikey }) => apikey === account.apiKey).length + 16);
      const keys = await server.get(NamedKeys).list(account.id);
      expect(keys.map(({ spentToday }) => spentToday)).toEqual([spent(wide), spent(tight)]);
      expect([spent(tight), spent(wide)]).toEqual([17, 31]);
      expect(await balance()).toBe(1_100 - spent(account.apiKey) - 48);
    });
  });

  it('is read in rows of their types', async () => {
    const apikey = await secretWith({ creditsPerDay: 5, addresses: ['127.0.0.1'], countries: ['US'] });
    const postgres = server.get(Postgres);
    const row = acceptanceRow(server, apikey);
    const [accepted] = await postgres.query(
      acceptanceStatements.options,
      acceptanceValues([row], 'options', { conversationHours: 72, ownNumbersOnly: true }),
    );
    expect(accepted).toMatchObject({ verdict: 'accepted', accountId: account.id, keyRatePerSecond: null });
    const [budget] = await postgres.query(findBudget, [server.get(ApiKeys).parse(apikey).hash]);
    keyBudget.strict().parse(budget);
    const [listed] = await postgres.query(listNamedKeys, [account.id]);
    const instant = z.date().nullable();
    const list = z.array(z.string()).nullable();
    expect(
      z
        .strictObject({
          id: z.uuid(),
          name: z.string(),
          mode: z.enum(['live', 'test']),
          ending: z.string(),
          forSamples: z.boolean(),
          plug: z.null(),
          scopes: z.array(z.string()),
          addresses: list,
          countries: list,
          creditsPerDay: z.int().nullable(),
          creditsPerMonth: z.int().nullable(),
          messagesPerSecond: z.int().nullable(),
          spentToday: z.int(),
          spentThisMonth: z.int(),
          expiresAt: instant,
          isExpired: z.boolean(),
          createdAt: z.date(),
          lastUsedAt: instant,
          lastUsedAddress: z.string().nullable(),
          earlier: z.array(
            z.strictObject({ ending: z.string(), lastUsedAt: z.string().nullable(), expiresAt: z.string() }),
          ),
        })
        .parse(listed),
    ).toMatchObject({ addresses: ['127.0.0.1'], countries: ['US'], creditsPerDay: 5, spentToday: 1 });
  });
});
