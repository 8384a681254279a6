import { NamedKeys } from '#core/keys/named-keys.js';
import { MessagesRepository } from '#core/messages/store/messages.repository.js';
import { DispatchQueue } from '#core/platform/queue/queues.js';
import { moneyFaults, moneyOf } from '#core/testing/money.js';
import { countDay, createTestAccount, type TestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { WebhookEndpoints } from '#core/webhooks/endpoints/webhook-endpoints.js';
import { WebhookEvents } from '#core/webhooks/webhook-events.js';
import { eventually } from '#core/testing/eventually.js';
import { createTestServer, type TestServer } from '../testing/test-server.js';
import { PricePromises } from '#core/messages/send/price-promises.js';
import { adjustCredits } from '#core/testing/operator-credits.js';

const ADA = '+14155562671';
const GRACE = '+14155562672';
const BRITAIN = '+447400123456';

describe('options of POST /api/sendbulk', () => {
  let bed: TestBed;
  let server: TestServer;
  let account: TestAccount;

  beforeAll(async () => {
    bed = await createTestBed();
    server = await createTestServer(bed.config());
  });

  beforeEach(async () => {
    account = await createTestAccount(server);
  });

  afterEach(async () => {
    expect(await moneyFaults(bed.database)).toEqual([]);
  });

  afterAll(async () => {
    await server?.close();
    await bed?.remove();
  });

  const post = (url: string, body: object, apikey = account.apiKey) =>
    server.inject({ method: 'POST', url, headers: { authorization: `Bearer ${apikey}` }, payload: body });
  const send = async (body: object) => (await post('/api/sendbulk', body)).json<Record<string, unknown>>();
  const messages = [
    { to: ADA, message: 'Hello' },
    { to: BRITAIN, message: 'Hello' },
  ];

  it('schedules all messages, and enqueues none', async () => {
    const sendAt = new Date(Date.now() + 3_600_000).toISOString();
    expect(await send({ messages, send_at: sendAt, validity: 60 })).toMatchObject({ accepted: 2, balance: 96 });
    const rows = await bed.database.sql<{ status: string; send_at: Date; expires_at: Date }>(
      'SELECT status, send_at, expires_at FROM messages WHERE account_id = $1',
      [account.id],
    );
    expect(rows).toHaveLength(2);
    for (const row of rows) {
      expect(row).toMatchObject({ status: 'scheduled', send_at: new Date(sendAt) });
      expect(row.expires_at.getTime() - row.send_at.getTime()).toBe(60_000);
    }
    expect(await server.get(DispatchQueue).size()).toBe(0);
  });

  describe('scheduled for a day', () => {
    const send_at = new Date(Date.now() + 3 * 86_400_000).toISOString();
    const today = new Date(Date.now() + 3_600_000).toISOString();
    const numbered = (count: number, from = 0) =>
      Array.from({ length: count }, (_, n) => ({ to: `+1415556${1_000 + from + n}`, message: 'Hello' }));
    const places = async () =>
      (
        await bed.database.sql<{ taken: number }>(
          'SELECT coalesce(sum(count + scheduled), 0)::int AS taken FROM daily_counts WHERE account_id = $1',
          [account.id],
        )
      )[0]?.taken;

    beforeEach(async () => {
      account = await createTestAccount(server, { credits: 1_000, dailyLimit: 5 });
    });

    it('with fewer places left than messages, sends nothing, or in part what fits', async () => {
      const refused = await post('/api/sendbulk', { messages: numbered(7), send_at });
      expect([refused.statusCode, refused.json()]).toMatchObject([
        400,
        { code: 'bulk_rejected', rejected: [5, 6].map((index) => ({ index, code: 'daily_limit' })) },
      ]);
      expect(refused.json<{ rejected: { detail: string }[] }>().rejected[0]?.detail).toContain(
        'the day on which the message would be sent',
      );
      expect(await moneyOf(bed.database, account.id)).toMatchObject({ balance: 1_000, messages: 0 });
      expect(await places()).toBe(0);
      expect(await send({ messages: numbered(7), send_at, partial: true })).toMatchObject({
        accepted: 5,
        credits: 5,
        balance: 995,
        rejected: [5, 6].map((index) => ({ index, code: 'daily_limit' })),
      });
      expect(await places()).toBe(5);
      for (const partial of [false, true])
        expect(await send({ messages: numbered(2), send_at, partial })).toMatchObject({ code: 'daily_limit' });
      expect(await send({ messages: numbered(2) })).toMatchObject({ accepted: 2 });
    });

    it('takes the places of that day only, after what the day has already', async () => {
      await countDay(bed.database, account.id, 3);
      expect(await send({ messages: numbered(2), send_at: today, partial: true })).toMatchObject({ accepted: 2 });
      expect(await send({ messages: numbered(5), send_at })).toMatchObject({ accepted: 5 });
    });

    it('fills the day exactly, however many bulks and messages come at once', async () => {
      await bed.database.sql('UPDATE accounts SET daily_limit = 40 WHERE id = $1', [account.id]);
      const accepted = await Promise.all([
        ...Array.from({ length: 8 }, async (_, n) => {
          const part = await send({ messages: numbered(7, 100 * n), send_at, partial: true });
          return Number(part['accepted'] ?? 0);
        }),
        ...Array.from({ length: 24 }, async (_, n) => {
          const body = { to: `+1415557${1_000 + n}`, message: 'Hello', send_at };
          return (await post('/api/sendsms', body)).statusCode === 200 ? 1 : 0;
        }),
      ]);
      expect(accepted.reduce((sum, one) => sum + one, 0)).toBe(40);
      expect(await places()).toBe(40);
      expect(await moneyOf(bed.database, account.id)).toMatchObject({ balance: 960, messages: 40 });
    });
  });

  it('records an event for each scheduled message that is accepted, for subscribers', async () => {
    await server.get(WebhookEndpoints).setUrl(account.id, 'https://example.com/sms');
    await server.get(WebhookEndpoints).setEvents(account.id, ['message.scheduled']);
    await eventually(
      'the subscription is known',
      async () => (await server.get(WebhookEvents).messageSubscribers())?.(account.id) ?? false,
    );
    const eventsOf = async () =>
      bed.database.sql<{ type: string; to: string }>(
        `SELECT type, body::json->'data'->>'to' AS to FROM webhook_deliveries WHERE account_id = $1 ORDER BY 2`,
        [account.id],
      );
    const send_at = new Date(Date.now() + 3_600_000).toISOString();
    const withWrong = [...messages, { to: '1', message: 'Hello' }];
    expect(await send({ messages: withWrong, send_at })).toMatchObject({ code: 'bulk_rejected' });
    expect(await eventsOf()).toEqual([]);
    expect(await send({ messages: withWrong, send_at, partial: true })).toMatchObject({ accepted: 2 });
    expect(await send({ messages: [{ to: ADA, message: 'Now' }] })).toMatchObject({ accepted: 1 });
    expect(await eventsOf()).toEqual([ADA, BRITAIN].map((to) => ({ type: 'message.scheduled', to })));
  });

  it.each([
    [{ send_at: '2020-01-01T00:00:00Z' }, 'invalid_send_at'],
    [{ send_at: 'tomorrow' }, 'invalid_send_at'],
    [{ validity: 59 }, 'invalid_validity'],
    [{ max_credits: 3 }, 'price_above_max'],
    [{ max_credits: 0 }, 'invalid_request'],
    [{ quote: 'none' }, 'quote_invalid'],
    [{ encoding: 'other' }, 'invalid_request'],
  ])('with %j is refused as %s', async (options, code) => {
    expect(await send({ messages, ...options })).toMatchObject({ success: 'false', code });
    expect(await moneyOf(bed.database, account.id)).toMatchObject({ balance: 100, messages: 0 });
  });

  it('with "dedupe" lists what was sent before as duplicates, and sends the others', async () => {
    await send({ messages: messages.slice(1) });
    expect(await send({ messages, dedupe: 60 })).toMatchObject({
      accepted: 1,
      credits: 1,
      balance: 96,
      rejected: [{ index: 1, to: BRITAIN, code: 'duplicate' }],
    });
    expect(await send({ messages, dedupe: 60 })).toMatchObject({ code: 'bulk_rejected', rejected: [{}, {}] });
    expect(await send({ messages })).toMatchObject({ accepted: 2 });
  });

  it('encodes all messages alike', async () => {
    const curly = {
      recipients: [
        { to: ADA, name: '“Ada”' },
        { to: GRACE, name: 'Grace' },
      ],
      message: 'Hi {{name}}…',
    };
    expect(await send({ ...curly, encoding: 'gsm7' })).toMatchObject({
      code: 'bulk_rejected',
      rejected: [{ code: 'encoding_unsupported' }, { code: 'encoding_unsupported' }],
    });
    expect(await send({ ...curly, encoding: 'smart' })).toMatchObject({ accepted: 2 });
    const sent = await server.get(MessagesRepository).page(account.id, undefined, 10);
    expect(sent.map(({ body }) => body).sort()).toEqual(['Hi "Ada"...', 'Hi Grace...']);
  });

  it('are quoted, and the quote holds for the same content', async () => {
    const quoted = await post('/api/quote', { messages });
    expect(quoted.json()).toEqual({
      success: 'true',
      quote: expect.any(String),
      expires_at: expect.any(String),
      segments: 2,
      credits: 4,
      balance: 100,
      balance_after: 96,
      messages: 2,
      rejected: [],
    });
    expect(await moneyOf(bed.database, account.id)).toMatchObject({ balance: 100, messages: 0 });
    const { quote } = quoted.json<{ quote: string }>();
    expect(await send({ messages: messages.slice(1), quote })).toMatchObject({ code: 'quote_invalid' });
    expect(await send({ messages, quote, max_credits: 4 })).toMatchObject({ accepted: 2, credits: 4, balance: 96 });
  });

  it('never cost more than quoted, and no message is free', async () => {
    const content = ['bulk', [ADA, 'Hello'], [BRITAIN, 'Hello']];
    const { quote } = server.get(PricePromises).issue({ accountId: account.id, content }, 3);
    expect(await send({ messages, quote })).toMatchObject({ accepted: 2, credits: 3, balance: 97 });
    const rows = await bed.database.sql('SELECT credits FROM messages WHERE account_id = $1 ORDER BY number', [
      account.id,
    ]);
    expect(rows).toEqual([{ credits: 1 }, { credits: 2 }]);
  });

  it('are quoted in part, and refused as a test would be', async () => {
    const some = [...messages, { to: 'x', message: 'Hello' }];
    expect((await post('/api/quote', { messages: some, partial: true })).json()).toMatchObject({
      messages: 2,
      credits: 4,
      rejected: [{ index: 2, code: 'invalid_number' }],
    });
    expect((await post('/api/quote', { messages: some })).json()).toMatchObject({ code: 'bulk_rejected' });
    expect((await post('/api/quote', { messages }, `${account.apiKey}_test`)).json()).toMatchObject({ test: true });
    account = await createTestAccount(server, { credits: 3 });
    expect((await post('/api/quote', { messages })).json()).toMatchObject({
      credits: 4,
      balance: 3,
      balance_after: null,
    });
  });

  it('are accepted as a whole or not at all when the key loses its scope meanwhile', async () => {
    const size = 500;
    const by = { actor: 'account', accountId: account.id, address: '127.0.0.1' } as const;
    const limits = { addresses: [], countries: [], creditsPerDay: null, creditsPerMonth: null, expiresAt: null };
    const body = { name: 'Bulk', ...limits, messagesPerSecond: null };
    await adjustCredits(server, account.email, 3 * size, 'test');
    const many = Array.from({ length: size }, (_one, n) => ({ to: `+1415${5_570_000 + n}`, message: 'Hello' }));
    const keys = server.get(NamedKeys);
    const { id, secret } = await keys.create(by, { ...body, mode: 'live', scopes: ['send'] });
    const bulks = Array.from({ length: 2 }, () => post('/api/sendbulk', { messages: many }, secret));
    await Promise.race(bulks);
    await keys.change(by, id, { ...body, scopes: ['read'] });
    bulks.push(post('/api/sendbulk', { messages: many }, secret));
    const answers = await Promise.all(bulks);
    const accepted = answers.filter(({ statusCode }) => statusCode === 200);
    expect(accepted.map((answer) => answer.json<{ accepted: number }>().accepted)).toEqual(accepted.map(() => size));
    const refused = answers.filter(({ statusCode }) => statusCode !== 200);
    expect(refused.map((answer) => answer.json<{ code: string }>().code)).toEqual(refused.map(() => 'key_scope'));
    expect([accepted.length >= 1, answers.at(-1)?.statusCode]).toEqual([true, 403]);
    expect(await moneyOf(bed.database, account.id)).toMatchObject({ messages: accepted.length * size });
  });
});
