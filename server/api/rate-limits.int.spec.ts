import { moneyOf } from '#core/testing/money.js';
import { createTestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { eventually } from '#core/testing/eventually.js';
import { createTestServer, type TestServer } from '../testing/test-server.js';

const TO = '+14155552671';
const LIMIT = 5;

describe('rate limits', () => {
  let bed: TestBed;
  let byKey: TestServer;
  let byAddress: TestServer;
  let free: TestServer;

  beforeAll(async () => {
    bed = await createTestBed();
    [byKey, byAddress, free] = await Promise.all([
      createTestServer(bed.config({ RATE_LIMIT_KEY_PER_SECOND: String(LIMIT) })),
      createTestServer(bed.config({ RATE_LIMIT_ADDRESS_PER_SECOND: String(LIMIT) })),
      createTestServer(bed.config()),
    ]);
  });

  afterAll(async () => {
    await Promise.all([byKey?.close(), byAddress?.close(), free?.close()]);
    await bed?.remove();
  });

  const burst = (server: TestServer, apikey: string, count: number) =>
    Promise.all(Array.from({ length: count }, (_, n) => server.send({ to: TO, message: `burst ${n}`, apikey })));

  it('accept a key up to its limit per second and reject the rest without a charge', async () => {
    const account = await createTestAccount(byKey);
    const answers = await burst(byKey, account.apiKey, LIMIT * 3);
    const refused = answers.filter(({ statusCode }) => statusCode === 429);
    const accepted = answers.filter(({ statusCode }) => statusCode === 200);
    expect(refused.length + accepted.length).toBe(answers.length);
    // A burst may span two windows.
    expect(accepted.length).toBeGreaterThanOrEqual(LIMIT);
    expect(accepted.length).toBeLessThanOrEqual(2 * LIMIT);
    for (const answer of refused) {
      expect(answer.json()).toMatchObject({ success: 'false', error: 'Failed to send SMS', code: 'rate_limited' });
      expect(answer.headers['retry-after']).toBe('1');
      expect(answer.headers['ratelimit-remaining']).toBe('0');
    }
    expect(await moneyOf(bed.database, account.id)).toMatchObject({
      balance: 100 - accepted.length,
      messages: accepted.length,
    });
  });

  it('are in the headers of every answer to a key', async () => {
    const { apiKey, id } = await createTestAccount(byKey, { credits: 2 });
    const requests = [
      () => byKey.send({ to: TO, message: 'Hello', apikey: apiKey }),
      () => byKey.send({ to: '+1 555', message: 'Hello', apikey: apiKey }),
      () => byKey.inject({ url: '/api/balance', headers: { authorization: `Bearer ${apiKey}` } }),
      () => byKey.inject({ url: `/api/messages?apikey=${apiKey}` }),
      () => byKey.inject({ url: '/api/messages/SMx', headers: { authorization: `Bearer ${apiKey}` } }),
    ];
    for (const request of requests) {
      const { headers } = await request();
      expect(headers).toMatchObject({ 'ratelimit-limit': String(LIMIT), 'ratelimit-reset': '1' });
      expect(Number(headers['ratelimit-remaining'])).toBeLessThan(LIMIT);
    }
    expect(await moneyOf(bed.database, id)).toMatchObject({ balance: 1 });
  });

  it('count the remaining requests down', async () => {
    const { apiKey } = await createTestAccount(byKey);
    const answers = await burst(byKey, apiKey, LIMIT);
    const remaining = answers.map(({ headers }) => Number(headers['ratelimit-remaining'])).sort((a, b) => a - b);
    expect(remaining).toEqual([0, 1, 2, 3, 4]);
  });

  it('apply to unknown keys too', async () => {
    const answers = await burst(byKey, 'nobody', LIMIT * 3);
    expect(answers.some(({ statusCode }) => statusCode === 429)).toBe(true);
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([401, 429]));
  });

  it.each([
    ['', '_test'],
    ['_test', ''],
  ])('share one limit between a key and its test form (key%s, then key%s)', async (first, second) => {
    // Takes a new key for every attempt, because the two requests may fall into two windows.
    await eventually('both requests count in one window', async () => {
      const { apiKey } = await createTestAccount(byKey);
      await byKey.send({ to: TO, message: 'Hello', apikey: `${apiKey}${first}` });
      const { headers } = await byKey.send({ to: TO, message: 'Hello', apikey: `${apiKey}${second}` });
      return headers['ratelimit-remaining'] === String(LIMIT - 2);
    });
  });

  it('bound a key and its test form together', async () => {
    const { apiKey } = await createTestAccount(byKey);
    const answers = await Promise.all([burst(byKey, apiKey, LIMIT), burst(byKey, `${apiKey}_test`, LIMIT * 2)]);
    expect(answers.flat().filter(({ statusCode }) => statusCode === 200).length).toBeLessThanOrEqual(2 * LIMIT);
  });

  it('are separate for each key', async () => {
    const [one, other] = [await createTestAccount(byKey), await createTestAccount(byKey)];
    await burst(byKey, one.apiKey, LIMIT * 2);
    expect((await byKey.send({ to: TO, message: 'Hello', apikey: other.apiKey })).statusCode).toBe(200);
  });

  it('accept requests again in the next second', async () => {
    const { apiKey } = await createTestAccount(byKey);
    await burst(byKey, apiKey, LIMIT * 2);
    await eventually(
      'a request of the next second',
      async () => (await byKey.send({ to: TO, message: 'Hi', apikey: apiKey })).statusCode === 200,
      3_000,
    );
  });

  it('are the account’s own if the operator set one, from its second request', async () => {
    const { apiKey } = await createTestAccount(byKey, { keyRatePerSecond: 2 });
    await byKey.send({ to: TO, message: 'learn', apikey: apiKey });
    const answers = await burst(byKey, apiKey, 6);
    expect(answers.every(({ headers }) => headers['ratelimit-limit'] === '2')).toBe(true);
    expect(answers.filter(({ statusCode }) => statusCode === 200).length).toBeLessThanOrEqual(4);
    expect(answers.some(({ statusCode }) => statusCode === 429)).toBe(true);
  });

  it('return to the default when the operator removes the account’s own', async () => {
    const { apiKey, id } = await createTestAccount(byKey, { keyRatePerSecond: 1_000 });
    await byKey.send({ to: TO, message: 'learn', apikey: apiKey });
    await bed.database.sql('UPDATE accounts SET key_rate_per_second = NULL WHERE id = $1', [id]);
    await byKey.inject({ url: '/api/balance', headers: { authorization: `Bearer ${apiKey}` } });
    const { headers } = await byKey.send({ to: TO, message: 'again', apikey: apiKey });
    expect(headers['ratelimit-limit']).toBe(String(LIMIT));
  });

  it('reject an address with many keys and accept other addresses', async () => {
    const accounts = await Promise.all(Array.from({ length: LIMIT * 3 }, () => createTestAccount(byAddress)));
    const from = (remoteAddress: string, apikey: string) =>
      byAddress.inject({
        method: 'POST',
        url: '/api/sendsms',
        remoteAddress,
        payload: { to: TO, message: 'Hello', apikey },
      });
    const answers = await Promise.all(accounts.map(({ apiKey }) => from('198.51.100.7', apiKey)));
    const refused = answers.filter(({ statusCode }) => statusCode === 429);
    expect(refused.length).toBeGreaterThanOrEqual(LIMIT);
    expect(refused[0]?.headers['retry-after']).toBe('1');
    expect((await from('198.51.100.8', accounts[0]?.apiKey ?? '')).statusCode).toBe(200);
    // The same host as an IPv4 address mapped into IPv6.
    expect((await from('::ffff:198.51.100.7', accounts[0]?.apiKey ?? '')).statusCode).toBe(429);
    // A customer of an IPv6 provider has 2^64 addresses.
    const spread = await Promise.all(accounts.map(({ apiKey }, n) => from(`2001:db8:1:2::${n}`, apiKey)));
    expect(spread.filter(({ statusCode }) => statusCode === 429).length).toBeGreaterThanOrEqual(LIMIT);
    expect((await from('2001:db8:1:3::1', accounts[0]?.apiKey ?? '')).statusCode).toBe(200);
  });

  it.each([
    ['203.0.113.0/28', '203.0.113.15', '203.0.113.16'],
    ['2001:db8:9::/48', '2001:db8:9:ffff::1', '2001:db8:a::1'],
  ])('give way to a block of %s, which applies to %s and not to %s', async (network, inside, outside) => {
    const { apiKey } = await createTestAccount(free);
    await bed.database.sql('INSERT INTO blocked_addresses VALUES ($1)', [network]);
    const calls = (remoteAddress: string) =>
      Promise.all([
        free.inject({
          method: 'POST',
          url: '/api/sendsms',
          remoteAddress,
          payload: { to: TO, message: 'Hi', apikey: apiKey },
        }),
        free.inject({ url: `/api/balance?apikey=${apiKey}`, remoteAddress }),
      ]);
    const codes = (answers: readonly { json: () => { code?: string } }[]) =>
      answers.map((answer) => answer.json().code);
    expect(codes(await calls(inside))).toEqual(['address_blocked', 'address_blocked']);
    expect(codes(await calls(outside))).toEqual([undefined, undefined]);
  });

  it('are off, without headers, when they are 0', async () => {
    const { apiKey } = await createTestAccount(free);
    const answers = await burst(free, apiKey, 50);
    expect(answers.every(({ statusCode }) => statusCode === 200)).toBe(true);
    expect(answers[0]?.headers).not.toHaveProperty('ratelimit-limit');
  });

  it('are shared by servers', async () => {
    const second = await createTestServer(bed.config({ RATE_LIMIT_KEY_PER_SECOND: String(LIMIT) }));
    try {
      const { apiKey } = await createTestAccount(byKey);
      const answers = (await Promise.all([burst(byKey, apiKey, LIMIT * 2), burst(second, apiKey, LIMIT * 2)])).flat();
      expect(answers.filter(({ statusCode }) => statusCode === 200).length).toBeLessThanOrEqual(2 * LIMIT);
    } finally {
      await second.close();
    }
  });

  it('count in the process while Redis is unavailable', async () => {
    const alone = await createTestServer(
      bed.config({ RATE_LIMIT_KEY_PER_SECOND: String(LIMIT), REDIS_URL: 'redis://127.0.0.1:1' }),
    );
    try {
      const { apiKey, id } = await createTestAccount(alone);
      const answers = await burst(alone, apiKey, LIMIT * 3);
      const accepted = answers.filter(({ statusCode }) => statusCode === 200).length;
      expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200, 429]));
      expect(await moneyOf(bed.database, id)).toMatchObject({ balance: 100 - accepted, messages: accepted });
    } finally {
      await alone.close();
    }
  }, 30_000);
});
