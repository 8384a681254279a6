import twilio from 'twilio';
import type { RequestOptions } from 'twilio/lib/base/RequestClient.js';
import { accountSidOf, type CreateKeyBody } from '#contract/account.js';
import { NamedKeys } from '#core/keys/named-keys.js';
import { DispatchMessage } from '#core/messages/dispatch/dispatch-message.js';
import { startFileServer } from '#core/media/testing/file-server.js';
import { animatedGif, photoWithPlace } from '#core/media/testing/pictures.js';
import { NumberDirectory } from '#core/numbers/number-directory.js';
import { messageIdFromPublic } from '#core/rules/ids.js';
import { moneyFaults } from '#core/testing/money.js';
import { countDay, createTestAccount, type TestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { createTestCore, type TestCore } from '#core/testing/test-core.js';
import { createTestServer, type TestServer } from '../testing/test-server.js';

const TO = '+14155552671';
const FROM = '+15005550006';
const STOPPED = '+14155552699';

/** The SDK's own HTTP client, with another host. */
class OtherHost extends twilio.RequestClient {
  constructor(private readonly url: string) {
    super();
  }

  override request<T>(options: RequestOptions<T>) {
    return super.request<T>({ ...options, uri: options.uri.replace('https://api.twilio.com', this.url) });
  }
}

describe('the Twilio-compatible API with Twilio’s SDK', () => {
  let bed: TestBed;
  let server: TestServer;
  let worker: TestCore;
  let account: TestAccount;
  let url: string;

  beforeAll(async () => {
    bed = await createTestBed();
    server = await createTestServer(bed.config());
    await server.app.listen(0, '127.0.0.1');
    url = await server.app.getUrl();
    worker = await createTestCore(bed.config());
    await bed.database.sql(`INSERT INTO opt_outs (recipient, sender) VALUES ($1, $2)`, [STOPPED, FROM]);
  });

  beforeEach(async () => {
    account = await createTestAccount(server);
  });

  afterEach(async () => {
    expect(await moneyFaults(bed.database)).toEqual([]);
  });

  afterAll(async () => {
    await Promise.all([server?.close(), worker?.close()]);
    await bed?.remove();
  });

  const client = (token = account.apiKey, sid = accountSidOf(account.id), user = sid) =>
    twilio(user, token, { accountSid: sid, httpClient: new OtherHost(url) });
  const message = { to: TO, from: FROM, body: 'Hello' };
  const fault = async (call: Promise<unknown>) => {
    const error = await call.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    if (!(error instanceof twilio.RestException)) throw new Error(`Not refused by the API: ${String(error)}`);
    return [error.status, error.code];
  };
  const named = (limited: Partial<CreateKeyBody>) => {
    const lists = { scopes: ['send' as const, 'read' as const], addresses: [], countries: [] };
    const limitless = { creditsPerDay: null, creditsPerMonth: null, messagesPerSecond: null, expiresAt: null };
    const body = { name: 'Key', mode: 'live' as const, ...lists, ...limitless, ...limited };
    return server.get(NamedKeys).create({ actor: 'account', accountId: account.id }, body);
  };

  it('sends a message and fetches it as it is sent', async () => {
    const sent = await client().messages.create({ ...message, body: 'Hello “there”', smartEncoded: true });
    expect(sent).toMatchObject({
      accountSid: accountSidOf(account.id),
      sid: expect.stringMatching(/^SM[0-9a-f]{32}$/),
      to: TO,
      body: 'Hello "there"',
      status: 'queued',
      numSegments: '1',
      direction: 'outbound-api',
      apiVersion: '2010-04-01',
      errorCode: null,
    });
    expect(sent.dateCreated.getTime()).toBeGreaterThan(Date.now() - 60_000);
    await worker.get(DispatchMessage).dispatch(messageIdFromPublic(sent.sid) ?? '');
    const fetched = await client().messages(sent.sid).fetch();
    expect(fetched).toMatchObject({ sid: sent.sid, status: 'sent', from: FROM });
    expect(fetched.dateSent).toBeInstanceOf(Date);
  });

  it('restores the + of a hand-written form and query, and reads pasted characters around number, key and SID', async () => {
    const sid = accountSidOf(account.id);
    const basic = Buffer.from(`\u200b${sid} :${account.apiKey.toUpperCase()}\n`).toString('base64');
    const headers = { authorization: `Basic ${basic}` };
    const sent = await server.inject({
      method: 'POST',
      url: `/2010-04-01/Accounts/${sid}/Messages.json`,
      headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
      payload: `To=+4589231234&From=%2B15005550006&Body=Hello&StatusCallback=%E2%80%AA+https%3A%2F%2Fexample.com%2F%0A`,
    });
    expect([sent.statusCode, sent.json<{ to: string }>().to]).toEqual([201, '+4589231234']);
    const found = await server.inject({ url: `/2010-04-01/Accounts/${sid}/Messages.json?To=+4589231234`, headers });
    expect(found.json<{ messages: { to: string }[] }>().messages.map(({ to }) => to)).toEqual(['+4589231234']);
    const [callback] = await bed.database.sql('SELECT url FROM message_callbacks WHERE account_id = $1', [account.id]);
    expect(callback).toEqual({ url: 'https://example.com/' });
  });

  it('accepts a messaging service in place of a sender', async () => {
    const { from: _from, ...rest } = message;
    const sent = await client().messages.create({ ...rest, messagingServiceSid: `MG${'0'.repeat(32)}` });
    expect(sent.status).toBe('queued');
  });

  it('sends from a number of an account that has some, and falls back for any other as before', async () => {
    await bed.database.sql('INSERT INTO numbers (number, account_id) VALUES ($1, $2)', ['+15005550008', account.id]);
    for (const process of [server, worker]) await process.get(NumberDirectory).renewed();
    const sent = await client().messages.create({ ...message, from: ' +1 500 555 0008' });
    const [stored] = await bed.database.sql('SELECT sender FROM messages WHERE id = $1', [
      messageIdFromPublic(sent.sid),
    ]);
    expect(stored).toEqual({ sender: '+15005550008' });
    expect((await client().messages.create({ ...message, from: '+15005550009' })).from).not.toBe('+15005550009');
    const { from: _from, ...rest } = message;
    const service = { ...rest, messagingServiceSid: `MG${'0'.repeat(32)}` };
    expect((await client().messages.create(service)).messagingServiceSid).toBe(service.messagingServiceSid);
  });

  it('sends from no other sender in place of a number that the account has released', async () => {
    await bed.database.sql(
      `INSERT INTO numbers (
         number, account_id, origin, status, type, country, credits_per_month, released_at, rests_until
       )
       VALUES ('+12125550177', $1, 'purchase', 'released', 'local', 'US', 50, now() - interval '1 year', now())`,
      [account.id],
    );
    await server.get(NumberDirectory).renewed();
    const create = (from: string) => client().messages.create({ ...message, from });
    for (const from of ['+12125550177', '+1 (212) 555-0177']) expect(await fault(create(from))).toEqual([400, 21_606]);
    for (const from of [`num_${'0'.repeat(32)}`, `pool_${'0'.repeat(32)}`])
      expect(await fault(create(from))).toEqual([400, 21_606]);
    expect(await bed.database.sql('SELECT id FROM messages WHERE account_id = $1', [account.id])).toEqual([]);
    expect((await create('+12125550178')).status).toBe('queued');
  });

  it('schedules and cancels a message, which is refunded, and cancels nothing that is sent', async () => {
    const sendAt = new Date(Date.now() + 3_600_000);
    const sent = await client().messages.create({ ...message, sendAt, scheduleType: 'fixed', validityPeriod: 120 });
    expect(sent.status).toBe('scheduled');
    expect((await client().messages(sent.sid).update({ status: 'canceled' })).status).toBe('canceled');
    const other = await client().messages.create(message);
    await worker.get(DispatchMessage).dispatch(messageIdFromPublic(other.sid) ?? '');
    expect(await fault(client().messages(other.sid).update({ status: 'canceled' }))).toEqual([409, 30_409]);
  });

  it('lists messages page by page, and by recipient and day', async () => {
    const bodies = ['1', '2', '3', '4', '5'];
    for (const body of bodies) await client().messages.create({ ...message, body });
    await client().messages.create({ ...message, to: '+14155552672', body: 'other' });
    const listed = await client().messages.list({ pageSize: 2 });
    expect(listed.map(({ body }) => body)).toEqual(['other', ...bodies.toReversed()]);
    const [first] = await client().messages.list({ limit: 1 });
    expect(first?.body).toBe('other');
    const some = await client().messages.list({ to: TO, dateSentAfter: new Date(Date.now() - 3_600_000) });
    expect(some.map(({ body }) => body)).toEqual(bodies.toReversed());
    expect(await client().messages.list({ dateSentBefore: new Date(Date.now() - 3_600_000) })).toEqual([]);
    const page = await client().messages.page({ pageSize: 4 });
    expect(page.instances).toHaveLength(4);
    const next = await page.nextPage();
    expect(next?.instances).toHaveLength(2);
    expect(await next?.nextPage()).toBeUndefined();
  });

  it('repeats no message of the same idempotency token', async () => {
    const headers = {
      authorization: `Basic ${Buffer.from(`${accountSidOf(account.id)}:${account.apiKey}`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
      'i-twilio-idempotency-token': 'once',
    };
    const payload = new URLSearchParams({ To: TO, From: FROM, Body: 'Hello' }).toString();
    const path = `/2010-04-01/Accounts/${accountSidOf(account.id)}/Messages.json`;
    const send = () => server.inject({ method: 'POST', url: path, headers, payload });
    const [one, two] = [await send(), await send()];
    expect(one.json<{ sid: string }>().sid).toBe(two.json<{ sid: string }>().sid);
  });

  it('accepts the key as the secret of an API key SID', async () => {
    const sk = client(account.apiKey, accountSidOf(account.id), `SK${'a'.repeat(32)}`);
    expect((await sk.messages.create(message)).status).toBe('queued');
  });

  it('checks with a test key and sends nothing', async () => {
    const sent = await client(`${account.apiKey}_test`).messages.create(message);
    expect(sent).toMatchObject({ status: 'queued', to: TO, body: 'Hello' });
    expect(await client().messages.list()).toEqual([]);
    expect((await client(`${account.apiKey}_test`).messages(sent.sid).fetch()).status).toBe('delivered');
    expect(await client(`${account.apiKey}_test`).messages.list()).toHaveLength(1);
  });

  it('refuses a wrong token, another account and a key without the scope', async () => {
    const other = await createTestAccount(server);
    expect(await fault(client('wrong').messages.create(message))).toEqual([401, 20_003]);
    expect(await fault(client(other.apiKey).messages.create(message))).toEqual([401, 20_003]);
    expect(await fault(client(account.apiKey, accountSidOf(other.id)).messages.list())).toEqual([401, 20_003]);
    const { secret } = await named({ scopes: ['read'] });
    expect(await fault(client(secret).messages.create(message))).toEqual([403, 20_006]);
    const answer = await server.inject({ url: `/2010-04-01/Accounts/${accountSidOf(account.id)}/Messages.json` });
    expect(answer.json()).toEqual({
      code: 20_003,
      message: 'Authenticate',
      more_info: 'https://www.twilio.com/docs/errors/20003',
      status: 401,
    });
  });

  it.each<[string, object, number, number]>([
    ['an invalid number', { to: '+1' }, 400, 21_211],
    ['a premium-rate number', { to: '+19005550100' }, 400, 21_614],
    ['a country that is not supported', { to: '+254712123456' }, 400, 21_408],
    ['a recipient who has opted out', { to: STOPPED }, 403, 21_610],
    ['no text', { body: '' }, 400, 21_602],
    ['no recipient', { to: '' }, 400, 21_604],
    ['no sender', { from: undefined }, 400, 21_603],
    ['a text that is too long', { body: 'x'.repeat(1_600) }, 400, 21_617],
    ['a shortened URL', { body: 'see bit.ly/x' }, 403, 30_007],
    ['a time without its type', { sendAt: new Date() }, 400, 35_111],
    ['a time that is too early', { sendAt: new Date(), scheduleType: 'fixed' }, 400, 35_114],
    ['a validity that is too short', { validityPeriod: 5 }, 400, 20_001],
    ['a file at a private address', { mediaUrl: ['http://10.0.0.1/a.png'] }, 400, 11_200],
    ['a file at no URL', { mediaUrl: ['a.png'] }, 400, 21_620],
    ['11 files', { mediaUrl: Array.from({ length: 11 }, () => 'https://example.com/a.png') }, 400, 21_623],
    ['files to a country without MMS', { to: '+447400123456', mediaUrl: ['https://example.com/a.png'] }, 400, 21_612],
    ['a status callback to a private address', { statusCallback: 'http://10.0.0.1/status' }, 400, 21_609],
    ['a highest price', { maxPrice: 1 }, 400, 20_001],
  ])('refuses %s, and sends nothing', async (_title, change, status, code) => {
    expect(await fault(client().messages.create({ ...message, ...change }))).toEqual([status, code]);
    expect(await client().messages.list()).toEqual([]);
  });

  it('sends a message with files, also without a text', async () => {
    const files = await startFileServer();
    const local = await createTestServer(bed.config({ ALLOW_PRIVATE_WEBHOOKS: 'true' }));
    try {
      await local.app.listen(0, '127.0.0.1');
      const sid = accountSidOf(account.id);
      const httpClient = new OtherHost(await local.app.getUrl());
      const sdk = twilio(sid, account.apiKey, { accountSid: sid, httpClient });
      const mediaUrl = [files.serve('/a.jpg', await photoWithPlace()), files.serve('/b.gif', await animatedGif(2))];
      const sent = await sdk.messages.create({ to: TO, from: FROM, mediaUrl });
      expect(sent).toMatchObject({ body: '', numMedia: '2', numSegments: '1', status: 'queued' });
      expect(await sdk.messages(sent.sid).fetch()).toMatchObject({ numMedia: '2' });
      const page = files.serve('/page.png', Buffer.from('<html>'));
      expect(await fault(sdk.messages.create({ ...message, mediaUrl: [page] }))).toEqual([400, 12_300]);
      const large = files.serve('/large', Buffer.alloc(5_000_001));
      expect(await fault(sdk.messages.create({ ...message, mediaUrl: [large] }))).toEqual([413, 11_751]);
      expect(await sdk.messages.list()).toHaveLength(1);
    } finally {
      await Promise.all([local.close(), files.close()]);
    }
  });

  it('refuses messages that the account cannot pay for, or over its daily limit', async () => {
    account = await createTestAccount(server, { credits: 0 });
    expect(await fault(client().messages.create(message))).toEqual([402, 30_002]);
    account = await createTestAccount(server, { dailyLimit: 1 });
    await countDay(bed.database, account.id, 1);
    expect(await fault(client().messages.create(message))).toEqual([429, 63_038]);
  });

  it('answers bodies that cannot be read and unknown addresses in Twilio’s shape', async () => {
    const path = `/2010-04-01/Accounts/${accountSidOf(account.id)}`;
    const authorization = `Basic ${Buffer.from(`${accountSidOf(account.id)}:${account.apiKey}`).toString('base64')}`;
    const post = (payload: string, type: string) =>
      server.inject({
        method: 'POST',
        url: `${path}/Messages.json`,
        headers: { authorization, 'content-type': type },
        payload,
      });
    for (const [payload, type, status] of [
      ['{', 'application/json', 400],
      ['[]', 'application/json', 400],
      ['"text"', 'application/json', 400],
      ['To=1', 'text/plain', 400],
      ['x'.repeat(70_000), 'application/x-www-form-urlencoded', 413],
    ] as const) {
      const answer = await post(payload, type);
      const code = answer.json<{ code: number }>().code;
      expect([answer.statusCode, answer.json<unknown>()]).toEqual([
        status,
        { code, status, message: expect.any(String), more_info: `https://www.twilio.com/docs/errors/${code}` },
      ]);
    }
    const unknown = await server.inject({ url: `${path}/Calls.json` });
    expect([unknown.statusCode, unknown.json<{ code: number }>().code]).toEqual([404, 20_404]);
  });

  it('does not find messages of other accounts, and deletes and changes none', async () => {
    const other = await createTestAccount(server);
    const { sid } = await client().messages.create(message);
    const theirs = client(other.apiKey, accountSidOf(other.id));
    expect(await fault(theirs.messages(sid).fetch())).toEqual([404, 20_404]);
    expect(await fault(theirs.messages(sid).update({ status: 'canceled' }))).toEqual([404, 20_404]);
    expect(await fault(client().messages(sid).update({ body: '' }))).toEqual([400, 20_001]);
    expect(await fault(client().messages(sid).remove())).toEqual([405, 20_004]);
    expect(await fault(client().messages.list({ from: FROM }))).toEqual([400, 20_001]);
  });
});

it('the Twilio-compatible API counts requests against the rate limit of the key', async () => {
  const bed = await createTestBed();
  const server = await createTestServer(bed.config({ RATE_LIMIT_KEY_PER_SECOND: '1' }));
  try {
    const { id, apiKey } = await createTestAccount(server);
    const sid = accountSidOf(id);
    const headers = { authorization: `Basic ${Buffer.from(`${sid}:${apiKey}`).toString('base64')}` };
    const answers = await Promise.all(
      [0, 1, 2, 3].map(() => server.inject({ url: `/2010-04-01/Accounts/${sid}/Messages.json`, headers })),
    );
    const refused = answers.find(({ statusCode }) => statusCode === 429);
    expect(refused?.json()).toMatchObject({ code: 20_429 });
    expect(refused?.headers['retry-after']).toBeDefined();
  } finally {
    await server.close();
    await bed.remove();
  }
});
