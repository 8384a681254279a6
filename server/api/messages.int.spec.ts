import { messageAnswer, messagesAnswer, type MessagesAnswer } from '#contract/messages.js';
import { createTestAccount, type TestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { createTestServer, type TestServer } from '../testing/test-server.js';

const TO = '+14155552671';

describe('GET /api/messages and /api/balance', () => {
  let bed: TestBed;
  let server: TestServer;
  let account: TestAccount;
  let stranger: TestAccount;

  beforeAll(async () => {
    bed = await createTestBed();
    server = await createTestServer(bed.config());
    [account, stranger] = await Promise.all([createTestAccount(server, { credits: 500 }), createTestAccount(server)]);
  });

  afterAll(async () => {
    await server?.close();
    await bed?.remove();
  });

  const get = (url: string, apiKey = account.apiKey, headers: Record<string, string> = {}) =>
    server.inject({ url, headers: { authorization: `Bearer ${apiKey}`, ...headers } });
  const sendOne = async (message: string, apikey = account.apiKey) =>
    (await server.send({ to: TO, message, apikey, reference: 'ref' })).json<{ message_id: string }>().message_id;
  const codeOf = (answer: { statusCode: number; body: string }) => [
    answer.statusCode,
    (JSON.parse(answer.body) as { code?: string }).code,
  ];

  it('shows one message as its sender sees it', async () => {
    const id = await sendOne('Hello');
    const answer = await get(`/api/messages/${id}`);
    expect(answer.statusCode).toBe(200);
    expect(messageAnswer.parse(answer.json())).toEqual({
      success: 'true',
      message_id: id,
      to: TO,
      from: null,
      message: 'Hello',
      status: 'queued',
      segments: 1,
      credits: 1,
      refunded: 0,
      reference: 'ref',
      error_code: null,
      carrier_error: null,
      created_at: expect.stringMatching(/Z$/),
      sent_at: null,
      finished_at: null,
    });
  });

  it('shows the outcome of a message', async () => {
    const id = await sendOne('Later');
    await bed.database.sql(
      `UPDATE messages SET status = 'undelivered', carrier_id = 'SMx', error_code = 'not_delivered', carrier_error = 30003, refunded = 1,
         sent_at = now(), finished_at = now() WHERE body = 'Later'`,
    );
    expect((await get(`/api/messages/${id}`)).json()).toMatchObject({
      status: 'undelivered',
      from: '+15005550006',
      error_code: 'not_delivered',
      carrier_error: 30003,
      refunded: 1,
      sent_at: expect.stringMatching(/Z$/),
    });
  });

  it('hides another account’s message behind the 404 of an unknown one', async () => {
    const id = await sendOne('Secret');
    const foreign = await get(`/api/messages/${id}`, stranger.apiKey);
    const unknown = await get(
      `/api/messages/SM0190${'0'.repeat(8)}7${'0'.repeat(3)}8${'0'.repeat(15)}`,
      stranger.apiKey,
    );
    expect(foreign.json()).toMatchObject({ success: 'false', error: 'Message not found', code: 'message_not_found' });
    expect([foreign.statusCode, foreign.body]).toEqual([404, unknown.body]);
  });

  it.each(['x', 'SM', `SM${'g'.repeat(32)}`, '%00', '%F0%9F%98%80', `SM${'0'.repeat(32)}`, 'a'.repeat(80)])(
    'answers 404 to the message id "%s"',
    async (id) => {
      expect(codeOf(await get(`/api/messages/${id}`))).toEqual([404, 'message_not_found']);
    },
  );

  it('lists newest first, over pages that never overlap, of the account alone', async () => {
    const lister = await createTestAccount(server, { credits: 500 });
    const sent: string[] = [];
    for (let n = 0; n < 120; n += 1) sent.push(await sendOne(`m${n}`, lister.apiKey));
    const listed: string[] = [];
    const sizes: number[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const answer = await get(`/api/messages${cursor && `?cursor=${cursor}`}`, lister.apiKey);
      const page: MessagesAnswer = messagesAnswer.parse(answer.json());
      sizes.push(page.messages.length);
      listed.push(...page.messages.map(({ message_id }) => message_id));
      cursor = page.next_cursor;
    }
    expect(sizes).toEqual([50, 50, 20]);
    expect(listed).toEqual(sent.reverse());
  });

  it('ends exactly on a full page', async () => {
    const lister = await createTestAccount(server, { credits: 500 });
    for (let n = 0; n < 50; n += 1) await sendOne(`m${n}`, lister.apiKey);
    const page = (await get('/api/messages', lister.apiKey)).json<MessagesAnswer>();
    expect([page.messages.length, page.next_cursor]).toEqual([50, null]);
  });

  it('lists nothing for an account without messages', async () => {
    expect((await get('/api/messages', stranger.apiKey)).json()).toEqual({
      success: 'true',
      messages: [],
      next_cursor: null,
    });
  });

  it('stays within the account when the cursor is another account’s message', async () => {
    const cursor = await sendOne('Mine');
    expect((await get(`/api/messages?cursor=${cursor}`, stranger.apiKey)).json()).toMatchObject({ messages: [] });
  });

  it.each(['x', '', 'SM', '0', '%00', "'; DROP TABLE messages"])('rejects the cursor "%s"', async (cursor) => {
    expect(codeOf(await get(`/api/messages?cursor=${encodeURIComponent(cursor)}`))).toEqual([400, 'invalid_request']);
  });

  it('rejects a repeated query parameter', async () => {
    expect(codeOf(await get('/api/messages?cursor=a&cursor=b'))).toEqual([400, 'invalid_request']);
    expect(codeOf(await server.inject({ url: '/api/balance?apikey=a&apikey=b' }))).toEqual([400, 'invalid_request']);
  });

  it('answers the balance: purchased - used', async () => {
    const spender = await createTestAccount(server, { credits: 7 });
    await sendOne('one', spender.apiKey);
    const answer = await get('/api/balance', spender.apiKey);
    expect(answer.json()).toEqual({ success: 'true', balance: 6, purchased: 7, used: 1 });
  });

  describe.each(['/api/balance', '/api/messages', '/api/messages/SMx'])('%s', (url) => {
    it('accepts the key in the query too', async () => {
      expect((await server.inject({ url: `${url}?apikey=${account.apiKey}` })).statusCode).not.toBe(401);
    });

    it('accepts a test key', async () => {
      expect((await get(url, `${account.apiKey}_test`)).statusCode).not.toBe(401);
    });

    it('rejects an unknown key and a missing key', async () => {
      const unknown = await get(url, 'nobody');
      expect([unknown.statusCode, unknown.json<object>()]).toEqual([
        401,
        {
          success: 'false',
          error: 'User not found for the provided API key',
          code: 'unknown_api_key',
          detail: expect.any(String),
        },
      ]);
      expect(codeOf(await server.inject({ url }))).toEqual([401, 'unknown_api_key']);
    });

    it('rejects a blocked account and a blocked address', async () => {
      const blocked = await createTestAccount(server, { blockedAt: new Date() });
      expect(codeOf(await get(url, blocked.apiKey))).toEqual([403, 'account_blocked']);
      await bed.database.sql(`INSERT INTO blocked_addresses VALUES ('203.0.113.50') ON CONFLICT DO NOTHING`);
      const answer = await server.inject({
        url,
        remoteAddress: '203.0.113.50',
        headers: { authorization: `Bearer ${account.apiKey}` },
      });
      expect(codeOf(answer)).toEqual([403, 'address_blocked']);
    });
  });
});
