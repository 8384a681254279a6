import { messageAnswer, messagesAnswer, type MessagesAnswer } from '#contract/messages.js';
import { createTestAccount, type TestAccount } from '#core/testing/test-accounts.js';
import { plantMessages } from '#core/testing/planted-messages.js';
import { publicMessageId } from '#core/rules/ids.js';
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
      reason: null,
      delivery: 'once',
      attempts: 0,
      created_at: expect.stringMatching(/Z$/),
      send_at: null,
      expires_at: null,
      sent_at: null,
      finished_at: null,
    });
  });

  it('shows the outcome of a message', async () => {
    const id = await sendOne('Later');
    await bed.database.sql(
      `UPDATE messages SET status = 'undelivered', carrier_id = 'SMx', error_code = 'not_delivered',
        carrier_error = 30003, refunded = 1,
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

  it('refuses a message id that is not text', async () => {
    for (const id of ['%00', '%E9', 'a%00'])
      expect(codeOf(await get(`/api/messages/${id}`))).toEqual([400, 'invalid_request']);
  });

  it.each(['x', 'SM', `SM${'g'.repeat(32)}`, '%F0%9F%98%80', `SM${'0'.repeat(32)}`, 'a'.repeat(80)])(
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

    it('answers an example to a test key', async () => {
      const answer = await get(url, `${account.apiKey}_test`);
      expect([answer.statusCode, answer.json<object>()]).toEqual([200, expect.objectContaining({ test: true })]);
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

  describe('with filters', () => {
    const list = async (query: Record<string, string>, apiKey = account.apiKey) =>
      (await get(`/api/messages?${new URLSearchParams(query).toString()}`, apiKey)).json<MessagesAnswer>();
    const textsOf = ({ messages }: MessagesAnswer) => messages.map(({ message }) => message);

    it('find messages by status, recipient, reference and time, each and together', async () => {
      const own = await createTestAccount(server);
      const send = (fields: object) => server.send({ to: TO, message: 'one', apikey: own.apiKey, ...fields });
      await send({ reference: 'a' });
      await send({ message: 'two', to: '+14155550123' });
      await send({ message: 'three', send_at: new Date(Date.now() + 60_000).toISOString() });
      await send({ message: 'foreign', apikey: stranger.apiKey });
      const at = (answer: MessagesAnswer, index: number) => answer.messages[index]?.created_at ?? '';
      const all = await list({}, own.apiKey);
      expect(textsOf(await list({ status: 'scheduled' }, own.apiKey))).toEqual(['three']);
      expect(textsOf(await list({ status: 'queued' }, own.apiKey))).toEqual(['two', 'one']);
      expect(textsOf(await list({ to: '+1 (415) 555-0123' }, own.apiKey))).toEqual(['two']);
      expect(textsOf(await list({ to: TO, status: 'queued' }, own.apiKey))).toEqual(['one']);
      expect(textsOf(await list({ reference: 'a' }, own.apiKey))).toEqual(['one']);
      expect(textsOf(await list({ reference: 'A' }, own.apiKey))).toEqual([]);
      expect(textsOf(await list({ since: at(all, 1) }, own.apiKey))).toEqual(['three', 'two']);
      expect(textsOf(await list({ until: at(all, 1) }, own.apiKey))).toEqual(['one']);
      expect(textsOf(await list({ since: at(all, 1), until: at(all, 0) }, own.apiKey))).toEqual(['two']);
    });

    it('find messages by why they were not delivered', async () => {
      const own = await createTestAccount(server, { credits: 100 });
      const failed = { status: 'undelivered' } as const;
      await plantMessages(bed.database, own.id, [
        { ...failed, body: 'off', carrierError: 30_003 },
        { ...failed, body: 'no reason' },
        { body: 'delivered' },
        { status: 'failed', body: 'refused', carrierError: 30_003 },
      ]);
      expect(textsOf(await list({ reason: '30003' }, own.apiKey))).toEqual(['refused', 'off']);
      expect(textsOf(await list({ reason: '30003', status: 'failed' }, own.apiKey))).toEqual(['refused']);
      const { messages } = await list({ reason: 'not_delivered' }, own.apiKey);
      expect(messages).toMatchObject([
        {
          message: 'no reason',
          carrier_error: null,
          reason: { code: 'not_delivered', text: 'Not delivered, no reason given', permanent: false },
        },
      ]);
      expect(textsOf(await list({ reason: '30003' }, stranger.apiKey))).toEqual([]);
    });

    it('page with a cursor, also through messages that do not match', async () => {
      const own = await createTestAccount(server, { credits: 10_000 });
      const first = Date.UTC(2026, 2, 1);
      await plantMessages(
        bed.database,
        own.id,
        Array.from({ length: 5_200 }, (_, n) => ({
          at: new Date(first + n * 1_000),
          body: `message ${n}`,
          status: n % 100 === 0 ? ('failed' as const) : ('delivered' as const),
        })),
      );
      const found: string[] = [];
      let pages = 0;
      for (let cursor: string | null = ''; cursor !== null; pages += 1) {
        const answer: MessagesAnswer = await list({ status: 'failed', ...(cursor && { cursor }) }, own.apiKey);
        found.push(...textsOf(answer));
        cursor = answer.next_cursor;
      }
      expect(found).toEqual(Array.from({ length: 52 }, (_, n) => `message ${(51 - n) * 100}`));
      expect(pages).toBeGreaterThan(1);
    });

    it('page through another account’s messages to the number without naming one', async () => {
      const [own, busy] = [
        await createTestAccount(server, { credits: 1_000 }),
        await createTestAccount(server, { credits: 10_000 }),
      ];
      const to = '+14155550199';
      const first = Date.UTC(2026, 2, 1);
      const at = (n: number) => ({ at: new Date(first + n * 1_000), recipient: to, body: `message ${n}` });
      // The search ends after 5,000 messages, between messages of the account with equal times.
      await plantMessages(
        bed.database,
        busy.id,
        Array.from({ length: 5_100 }, (_, n) => at(n)),
      );
      await plantMessages(
        bed.database,
        own.id,
        Array.from({ length: 100 }, (_, n) => at(n + 100)),
      );
      const found: string[] = [];
      const cursors: string[] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const answer: MessagesAnswer = await list({ to, ...(cursor && { cursor }) }, own.apiKey);
        found.push(...textsOf(answer));
        cursor = answer.next_cursor;
        if (cursor !== null) cursors.push(cursor);
      }
      expect(found).toEqual(Array.from({ length: 100 }, (_, n) => `message ${199 - n}`));
      const busyIds = await bed.database.sql('SELECT id FROM messages WHERE account_id = $1', [busy.id]);
      const foreign = new Set(busyIds.map(({ id }) => publicMessageId(String(id))));
      expect(cursors.length).toBeGreaterThan(0);
      expect(cursors.filter((cursor) => foreign.has(cursor))).toEqual([]);
    });

    it('take times that no message can have', async () => {
      const own = await createTestAccount(server);
      await server.send({ to: TO, message: 'one', apikey: own.apiKey });
      for (const since of ['1970-01-01T00:00:00Z', '1969-12-31T23:00:00Z', '0001-01-01T00:00:00Z'])
        expect(textsOf(await list({ since, to: TO }, own.apiKey))).toEqual(['one']);
      expect(textsOf(await list({ until: '9999-12-31T23:59:59Z' }, own.apiKey))).toEqual(['one']);
      expect(textsOf(await list({ until: '1970-01-01T00:00:00Z' }, own.apiKey))).toEqual([]);
    });

    it('find the messages of a batch', async () => {
      const own = await createTestAccount(server);
      const payload = { apikey: own.apiKey, message: 'batch', recipients: [{ to: TO }, { to: '+14155550123' }] };
      const sent = await server.inject({ method: 'POST', url: '/api/sendbulk', payload });
      await server.send({ to: TO, message: 'alone', apikey: own.apiKey });
      const { batch_id } = sent.json<{ batch_id: string }>();
      expect(textsOf(await list({ batch_id }, own.apiKey))).toEqual(['batch', 'batch']);
      expect((await list({ batch_id, to: TO }, own.apiKey)).messages).toHaveLength(1);
      expect(codeOf(await get(`/api/messages?batch_id=${batch_id}`))).toEqual([404, 'batch_not_found']);
    });

    it.each(['status=gone', 'reason=Spam!', 'to=abc', 'since=2026-12-01', 'until=yesterday'])(
      'reject %s',
      async (query) => {
        expect(codeOf(await get(`/api/messages?${query}`))).toEqual([400, 'invalid_request']);
      },
    );
  });
});
