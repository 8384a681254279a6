import { balance as exampleBalance } from '#contract/examples.js';
import type { NumberBoughtAnswer, NumbersAnswer } from '#contract/numbers.js';
import { useFakeNumbers, type FakeNumberCarrier } from '#core/testing/fake-number-carrier.js';
import { moneyFaults } from '#core/testing/money.js';
import { hasPaid } from '#core/testing/paid.js';
import { createTestAccount, type TestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { createTestServer, type TestServer } from '../testing/test-server.js';

const capabilities = { sms: true, mms: true };

describe('the API of numbers', () => {
  let bed: TestBed;
  let server: TestServer;
  let carrier: FakeNumberCarrier;
  let account: TestAccount;
  let made = 0;

  beforeAll(async () => {
    bed = await createTestBed();
    server = await createTestServer(bed.config());
  });

  beforeEach(async () => {
    carrier = useFakeNumbers(server);
    account = await createTestAccount(server, { credits: 200 });
    await hasPaid(bed.database, account.id);
  });

  afterEach(async () => {
    expect(await moneyFaults(bed.database)).toEqual([]);
  });

  afterAll(async () => {
    await server?.close();
    await bed?.remove();
  });

  const newNumber = () => `+1212334${1_000 + (made += 1)}`;
  const call = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, body?: object, key = account.apiKey) =>
    server.inject({
      method,
      url,
      headers: { authorization: `Bearer ${key}` },
      ...(body !== undefined && { payload: body }),
    });
  const buy = async (body: object = {}, key?: string) =>
    call('POST', '/api/numbers', { number: newNumber(), ...body }, key);
  const testKey = () => `${account.apiKey}_test`;

  it('sends messages, codes, bulks and quotes from what it sold', async () => {
    const { number, number_id: id } = (await buy()).json<NumberBoughtAnswer>();
    const { pool_id: poolId } = (await call('POST', '/api/pools', { name: 'Shop', numbers: [number] })).json<{
      pool_id: string;
    }>();
    const [to, message] = ['+14155552671', 'Hello'];
    const messages = [{ to, message: 'Hello from the bulk' }];
    const calls = [
      ['/api/sendsms', { to, message, from: number }],
      ['/api/sendotp', { to, from: id }],
      ['/api/sendbulk', { messages, from: poolId }],
      ['/api/quote', { to, message, from: number }],
      ['/api/quote', { messages, from: poolId }],
    ] as const;
    for (const [url, body] of calls) expect((await call('POST', url, body)).statusCode).toBe(200);
    const sent = await bed.database.sql('SELECT sender, count(*)::int FROM messages WHERE account_id = $1 GROUP BY 1', [
      account.id,
    ]);
    expect(sent).toEqual([{ sender: number, count: 3 }]);
    const other = await createTestAccount(server, { credits: 10 });
    for (const [url, body] of calls) {
      const answer = await call('POST', url, body, other.apiKey);
      expect([answer.statusCode, answer.json()]).toMatchObject([400, { code: 'from_unknown' }]);
    }
    expect((await call('GET', '/api/balance', undefined, other.apiKey)).json()).toMatchObject({ balance: 10 });
  });

  it('repeats a message by its Idempotency-Key with the same sender only', async () => {
    const { number } = (await buy()).json<NumberBoughtAnswer>();
    const send = (from?: string) =>
      server.inject({
        method: 'POST',
        url: '/api/sendsms',
        headers: { authorization: `Bearer ${account.apiKey}`, 'idempotency-key': 'once' },
        payload: { to: '+14155552671', message: 'Hello', ...(from !== undefined && { from }) },
      });
    const statuses = [await send(number), await send(number), await send()].map(({ statusCode }) => statusCode);
    expect(statuses).toEqual([200, 200, 422]);
  });

  it('searches for numbers that can be bought, and leaves out the others', async () => {
    const mine = (await buy()).json<NumberBoughtAnswer>().number;
    const [free, mute, foreign, tollFree] = [newNumber(), newNumber(), '+14165550143', '+18335550143'];
    const of = (number: string, changes: object = {}) => ({
      number,
      country: 'US',
      locality: 'New York, NY',
      capabilities,
      ...changes,
    });
    carrier.available = [
      of(mine),
      of(free),
      of(mute, { capabilities: { ...capabilities, sms: false } }),
      of(foreign, { country: 'CA' }),
      of(tollFree, { locality: null }),
    ];
    carrier.taken.delete(mine);
    const answer = await call('GET', '/api/numbers/available?area_code=212&contains=55&limit=3');
    expect(answer.json()).toEqual({
      success: 'true',
      numbers: [
        {
          number: free,
          locality: 'New York, NY',
          capabilities: ['sms', 'mms'],
          credits_per_month: 50,
          setup_credits: 0,
        },
      ],
    });
    const { numbers } = (await call('GET', '/api/numbers/available?type=toll_free')).json<{ numbers: object[] }>();
    expect(numbers).toMatchObject([{ number: tollFree, credits_per_month: 100 }]);
    expect((await call('GET', '/api/numbers/available?country=ca')).json()).toMatchObject({
      numbers: [{ number: foreign }],
    });
  });

  it.each([
    'country=USA',
    'type=mobile',
    'area_code=21',
    'contains=1',
    'contains=**',
    'contains=1;2',
    'limit=0',
    'limit=51',
    'limit=0x5',
    'limit=%205',
    'limit=5e0',
    'limit=%2B5',
    'limit=5.0',
  ])('refuses a search by %s', async (query) => {
    const answer = await call('GET', `/api/numbers/available?${query}`);
    expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([400, 'invalid_request']);
  });

  it('has errors that do not speak of sending, because it sends nothing', async () => {
    const errorOf = async (...request: Parameters<typeof call>) => {
      const { error, code } = (await call(...request)).json<{ error: string; code: string }>();
      return [code, error];
    };
    expect([
      await errorOf('GET', '/api/numbers/available?limit=0'),
      await errorOf('POST', '/api/numbers', {}),
      await errorOf('POST', '/api/pools', { name: 5 }),
    ]).toEqual([
      ['invalid_request', 'The request was refused.'],
      ['missing_fields', 'A required field is missing.'],
      ['invalid_request', 'The request was refused.'],
    ]);
  });

  it('answers 503 while the carrier cannot be searched', async () => {
    carrier.isDown = true;
    const answer = await call('GET', '/api/numbers/available');
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '5']);
  });

  it('bounds the searches of an account', async () => {
    const answers = await Promise.all(Array.from({ length: 65 }, () => call('GET', '/api/numbers/available')));
    expect(answers.filter(({ statusCode }) => statusCode === 429)).toHaveLength(5);
  });

  it('sells a number as JSON and as a form', async () => {
    const answer = await buy({ label: 'Support' });
    expect([answer.statusCode, answer.json()]).toEqual([
      201,
      {
        success: 'true',
        number_id: expect.stringMatching(/^num_[0-9a-f]{32}$/),
        number: expect.any(String),
        status: 'active',
        renews_at: expect.stringMatching(/Z$/),
        credits: 50,
        balance: 150,
      },
    ]);
    const form = await server.inject({
      method: 'POST',
      url: '/api/numbers',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ number: newNumber(), apikey: account.apiKey, auto_renew: 'false' }).toString(),
    });
    expect(form.statusCode).toBe(201);
    const { numbers, numbers_max } = (await call('GET', '/api/numbers')).json<NumbersAnswer>();
    expect(numbers).toMatchObject([
      { auto_renew: false, label: null },
      { auto_renew: true, label: 'Support' },
    ]);
    expect(numbers_max).toBe(10);
  });

  it('answers 202 while the carrier has not answered, and nothing was taken yet', async () => {
    carrier.faults = ['lost'];
    carrier.isDown = true;
    const answer = await buy();
    expect([answer.statusCode, answer.json()]).toMatchObject([
      202,
      { status: 'reserving', renews_at: null, balance: 200 },
    ]);
    expect((await call('GET', '/api/balance')).json()).toMatchObject({ balance: 200, frozen: 50 });
  });

  it('names similar numbers when one is taken', async () => {
    const number = newNumber();
    const other = newNumber();
    carrier.taken.add(number);
    carrier.available = [{ number: other, country: 'US', locality: null, capabilities }];
    const answer = await buy({ number });
    expect([answer.statusCode, answer.json()]).toMatchObject([
      409,
      {
        code: 'number_taken',
        detail: expect.stringContaining(other),
        similar: [{ number: other, credits_per_month: 50 }],
      },
    ]);
  });

  it('shows, changes and releases a number', async () => {
    const { number_id: id, number } = (await buy()).json<NumberBoughtAnswer>();
    const url = `/api/numbers/${id}`;
    expect((await call('GET', url)).json()).toMatchObject({ number, traffic: { sent: 0, replies: 0, reasons: [] } });
    expect((await call('PATCH', url, { label: 'Sales' })).json()).toMatchObject({ label: 'Sales', auto_renew: true });
    const later = (await call('DELETE', `${url}?at=renews_at`)).json<{ renews_at: string }>();
    expect(later).toMatchObject({ status: 'active', auto_renew: false, releases_at: later.renews_at });
    expect((await call('PATCH', url, { strangers_per_day: 0 })).json()).toMatchObject({ strangers_per_day: 0 });
    for (const wrong of [-1, 101])
      expect((await call('PATCH', url, { strangers_per_day: wrong })).statusCode).toBe(400);
    const releasing = (await call('DELETE', url)).json<{ releases_at: string }>();
    expect(releasing).toMatchObject({ status: 'releasing', number, releases_at: expect.any(String) });
    expect((await call('DELETE', url)).json()).toMatchObject(releasing);
    expect((await call('DELETE', `${url}?cancel=true`)).json()).toMatchObject({
      status: 'active',
      releases_at: later.renews_at,
    });
    expect((await call('GET', '/api/numbers?status=released')).json()).toMatchObject({ numbers: [] });
    expect((await call('DELETE', `${url}?at=soon`)).statusCode).toBe(400);
  });

  describe('for a test key', () => {
    it('answers examples, buys nothing, and reveals nothing of the account', async () => {
      const { number_id: id } = (await buy()).json<NumberBoughtAnswer>();
      const number = newNumber();
      const before = carrier.bought;
      const bought = await buy({ number }, testKey());
      expect([bought.statusCode, bought.json()]).toMatchObject([
        201,
        { number, credits: 50, balance: exampleBalance.balance, test: true },
      ]);
      const answers = await Promise.all([
        call('GET', '/api/numbers/available', undefined, testKey()),
        call('GET', '/api/numbers', undefined, testKey()),
        call('GET', `/api/numbers/${id}`, undefined, testKey()),
        call('PATCH', `/api/numbers/${id}`, { label: 'x' }, testKey()),
        call('DELETE', `/api/numbers/${id}`, undefined, testKey()),
        call('DELETE', `/api/numbers/${id}?at=renews_at`, undefined, testKey()),
        call('POST', '/api/pools', { name: 'x', numbers: [id] }, testKey()),
        call('GET', '/api/pools', undefined, testKey()),
        call('GET', '/api/pools/pool_1', undefined, testKey()),
        call('DELETE', '/api/pools/pool_1', undefined, testKey()),
      ]);
      for (const answer of answers) {
        expect(answer.json()).toMatchObject({ test: true });
        expect(answer.body).not.toContain(id);
      }
      expect([carrier.bought, (await call('GET', `/api/numbers/${id}`)).json()]).toMatchObject([
        before,
        { label: null },
      ]);
      expect((await call('GET', '/api/pools')).json()).toMatchObject({ pools: [] });
    });

    it('refuses a number that is not for sale, as for a live key', async () => {
      expect((await buy({ number: '+442079460000' }, testKey())).json()).toMatchObject({ code: 'number_unsupported' });
    });
  });
});
