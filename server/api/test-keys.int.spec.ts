import { NamedKeys } from '#core/keys/named-keys.js';
import { Postgres } from '#core/platform/database/postgres.js';
import { countDay, createTestAccount, type TestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { createTestServer, type TestServer } from '../testing/test-server.js';

const TO = '+14155562671';
const SEND_AT = new Date(Date.now() + 86_400_000).toISOString();
const bulk = Array.from({ length: 30 }, (_, n) => ({ to: `+1415556${1_000 + n}`, message: 'Hello' }));

/** Every call in which money, limits or earlier messages of the account could show. */
const calls: readonly [string, object?][] = [
  ['POST /api/sendsms', { to: TO, message: 'Hello' }],
  ['POST /api/sendsms', { to: TO, message: 'x'.repeat(1_000), max_credits: 50 }],
  ['POST /api/sendsms', { to: TO, message: 'Hello', dedupe: 3_600 }],
  ['POST /api/sendsms', { to: TO, message: 'Hello', send_at: SEND_AT }],
  ['POST /api/sendsms', { to: '123', message: 'Hello' }],
  ['POST /api/sendbulk', { messages: bulk }],
  ['POST /api/sendbulk', { messages: bulk, partial: true }],
  ['POST /api/sendbulk', { messages: bulk, partial: true, send_at: SEND_AT, dedupe: 3_600 }],
  ['POST /api/quote', { to: TO, message: 'Hello' }],
  ['POST /api/quote', { messages: bulk }],
  ['POST /api/sendotp', { to: TO, org: 'Ada' }],
  ['POST /api/verifyotp', { otp: '123456' }],
  ['GET /api/balance'],
  ['GET /api/messages'],
  ['GET /api/batches'],
  ['POST /text', { phone: TO, message: 'Hello' }],
  ['GET /quota/{key}'],
  ['POST /otp/generate', { phone: TO, userid: 'ada' }],
];

describe('a test key reveals nothing of its account', () => {
  let bed: TestBed;
  let server: TestServer;

  beforeAll(async () => {
    bed = await createTestBed();
    server = await createTestServer(bed.config({ RATE_LIMIT_KEY_PER_SECOND: '0', RATE_LIMIT_ADDRESS_PER_SECOND: '0' }));
  });

  afterAll(async () => {
    await server?.close();
    await bed?.remove();
  });

  const nothing = async () => undefined;
  const sql = (text: string, id: string) => bed.database.sql(text, [id]);

  const states: readonly [string, number, (account: TestAccount) => Promise<unknown>][] = [
    ['no credits', 0, nothing],
    ['one credit', 1, nothing],
    ['12 credits', 12, nothing],
    [
      'no credits record',
      3,
      async ({ id }) => {
        await sql('DELETE FROM ledger_entries WHERE account_id = $1', id);
        await sql('DELETE FROM credit_accounts WHERE account_id = $1', id);
      },
    ],
    ['frozen credits', 500, ({ id }) => sql('UPDATE credit_accounts SET frozen = 500 WHERE account_id = $1', id)],
    ['a full day', 500, ({ id }) => countDay(bed.database, id, 100)],
    ['suspended sending', 500, ({ id }) => sql('UPDATE accounts SET delivery_suspended_at = now() WHERE id = $1', id)],
    [
      'the same messages sent before, with the same Idempotency-Key',
      500,
      async ({ apiKey }) => {
        for (const [call, body] of calls.slice(0, 4)) expect((await ask(apiKey, call, body)).status).toBe(200);
      },
    ],
  ];

  const ask = async (key: string, call: string, body?: object) => {
    const [method, url = ''] = call.split(' ');
    const answer = await server.inject({
      method: method === 'GET' ? 'GET' : 'POST',
      url: url.replace('{key}', key),
      headers: { authorization: `Bearer ${key}`, 'idempotency-key': `once ${JSON.stringify(body)?.slice(0, 60)}` },
      ...(body && { payload: url.startsWith('/api/') ? body : { key, ...body } }),
    });
    return { call, body, status: answer.statusCode, answer: withoutChance(answer.body) };
  };
  /** One after the other, because an account has one bulk at a time. */
  const askAll = async (key: string) => {
    const answers = [];
    for (const [call, body] of calls) answers.push(await ask(key, call, body));
    return answers;
  };

  it.each(states)('that has %s', async (_title, credits, prepare) => {
    const [poor, rich] = [
      await createTestAccount(server, { credits }),
      await createTestAccount(server, { credits: 100_000 }),
    ];
    await prepare(poor);
    const expected = await askAll(`${rich.apiKey}_test`);
    expect(expected.filter(({ status }) => status === 200).length).toBeGreaterThan(12);
    expect(await askAll(`${poor.apiKey}_test`)).toEqual(expected);
    const limits = { addresses: [], countries: [], creditsPerMonth: null, messagesPerSecond: null, expiresAt: null };
    const named = async ({ id: accountId }: TestAccount) =>
      server
        .get(NamedKeys)
        .create(
          { actor: 'account', accountId },
          { mode: 'test', name: 'Test', scopes: ['send', 'otp', 'read'], ...limits, creditsPerDay: 1 },
        );
    expect(await askAll((await named(poor)).secret)).toEqual(await askAll((await named(rich)).secret));
    expect(
      await server.get(Postgres).query({ text: 'SELECT 1 FROM messages WHERE account_id = $1' }, [rich.id]),
    ).toEqual([]);
  });
});

/** The answer without values that differ from call to call: ids, times, and quotes. */
function withoutChance(text: string): string {
  return text
    .replaceAll(/"(quote|message_id|batch_id|otp_id|textId|expires_at|next_resend_at|created_at)":"[^"]*"/g, '"$1":"…"')
    .replaceAll(/"expires_in":\d+/g, '"expires_in":"…"');
}
