import { createTestAccount, type TestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { createTestServer, type TestServer } from '../testing/test-server.js';

const TO = '+14155552671';

describe('delivery of messages', () => {
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
  afterAll(async () => {
    await server?.close();
    await bed?.remove();
  });

  const post = async (call: string, body: object, headers: Record<string, string> = {}) => {
    const payload = { to: TO, message: 'Hello', apikey: account.apiKey, ...body };
    const answer = await server.app.inject({ method: 'POST', url: `/api/${call}`, payload, headers });
    return { status: answer.statusCode, ...answer.json<Record<string, unknown>>() };
  };
  const stored = async () =>
    (
      await bed.database.sql<{ hedge_seconds: number | null }>(
        'SELECT hedge_seconds FROM messages WHERE account_id = $1 ORDER BY id',
        [account.id],
      )
    ).map(({ hedge_seconds }) => hedge_seconds);
  const views = async () => {
    const url = `/api/messages?apikey=${account.apiKey}`;
    const { messages } = (await server.app.inject({ url })).json<{
      messages: { delivery: string; attempts: number }[];
    }>();
    return messages.map(({ delivery, attempts }) => [delivery, attempts]);
  };

  it.each([
    ['sendsms', {}, undefined, null, 'once'],
    ['sendsms', { delivery: 'once' }, 'once', 0, 'once'],
    ['sendsms', { delivery: 'fast' }, 'fast', 20, 'fast'],
    ['sendsms', { delivery: 'fast', hedge_seconds: '8' }, 'fast', 8, 'fast'],
    ['sendotp', {}, undefined, null, 'fast'],
    ['sendotp', { hedge_seconds: 300 }, 'fast', 300, 'fast'],
    ['sendotp', { delivery: 'once' }, 'once', 0, 'once'],
  ])('%s with %j', async (call, body, answered, hedgeSeconds, shown) => {
    expect(await post(call, body)).toMatchObject({ status: 200, ...(answered && { delivery: answered }) });
    expect(await stored()).toEqual([hedgeSeconds]);
    expect(await views()).toEqual([[shown, 0]]);
  });

  it('is that of every message of a bulk', async () => {
    const messages = [
      { to: TO, message: 'One' },
      { to: TO, message: 'Two' },
    ];
    expect(await post('sendbulk', { messages, message: undefined, delivery: 'fast', hedge_seconds: 30 })).toMatchObject(
      {
        status: 200,
        accepted: 2,
      },
    );
    expect(await stored()).toEqual([30, 30]);
  });

  it('is repeated with the answer of an earlier request, and is part of what must be equal', async () => {
    const headers = { 'idempotency-key': 'delivery' };
    const first = await post('sendsms', { delivery: 'fast' }, headers);
    expect(await post('sendsms', { delivery: 'fast' }, headers)).toEqual(first);
    expect(await post('sendsms', { delivery: 'once' }, headers)).toMatchObject({ code: 'idempotency_conflict' });
    const otpHeaders = { 'idempotency-key': 'otp' };
    await post('sendotp', {}, otpHeaders);
    expect(await post('sendotp', { delivery: 'once' }, otpHeaders)).toMatchObject({ code: 'idempotency_conflict' });
  });

  it.each([
    ['sendsms', { delivery: 'twice' }],
    ['sendsms', { hedge_seconds: 20 }],
    ['sendsms', { delivery: 'once', hedge_seconds: 20 }],
    ['sendsms', { delivery: 'fast', hedge_seconds: 7 }],
    ['sendsms', { delivery: 'fast', hedge_seconds: 301 }],
    ['sendsms', { delivery: 'fast', hedge_seconds: 8.5 }],
    ['sendotp', { delivery: 'once', hedge_seconds: 20 }],
    ['sendsms', { delivery: 'fast', hedge_seconds: [20] }],
    ['sendsms', { delivery: ['fast'] }],
    ['sendotp', { hedge_seconds: 'soon' }],
    ['sendbulk', { messages: [{ to: TO, message: 'One' }], message: undefined, delivery: 'fast', hedge_seconds: 7 }],
    ['quote', { delivery: 'fast', hedge_seconds: {} }],
  ])('%s with %j is refused, and the refusal states that nothing was charged', async (call, body) => {
    expect(await post(call, body)).toMatchObject({
      status: 400,
      code: 'invalid_request',
      detail: expect.stringMatching(/ You were not charged\.$/),
    });
    expect(await stored()).toEqual([]);
  });
});
