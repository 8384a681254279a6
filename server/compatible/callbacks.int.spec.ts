import { createHmac } from 'node:crypto';
import twilio from 'twilio';
import { accountSidOf } from '#contract/account.js';
import { NamedKeys } from '#core/keys/named-keys.js';
import { HeldReplies } from '#core/inbound/held-replies.js';
import { ReceiveReplies } from '#core/inbound/receive-replies.js';
import { DispatchMessage } from '#core/messages/dispatch/dispatch-message.js';
import { RecordReceipt } from '#core/messages/status/record-receipt.js';
import { messageIdFromPublic, newMessageId, publicWebhookId } from '#core/rules/ids.js';
import { moneyFaults, moneyOf } from '#core/testing/money.js';
import { createTestAccount, type TestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { createTestCore, type TestCore } from '#core/testing/test-core.js';
import { MessageCallbacks } from '#core/webhooks/callbacks/message-callbacks.js';
import { DeliverWebhook } from '#core/webhooks/delivery/deliver-webhook.js';
import { WebhookDeliveries } from '#core/webhooks/webhook-deliveries.js';
import { WebhookEndpoints } from '#core/webhooks/endpoints/webhook-endpoints.js';
import { Receiver, status, type ReceivedWebhook } from '#core/webhooks/testing/receiver.js';
import { WebhookRetention } from '#core/webhooks/webhook-retention.js';
import { createTestServer, type TestServer } from '../testing/test-server.js';
import { adjustCredits } from '#core/testing/operator-credits.js';

const OURS = '+15005550006';

interface Row {
  readonly id: string;
  readonly type: string;
  readonly status: string;
}

describe('callbacks of messages', () => {
  let bed: TestBed;
  let server: TestServer;
  let worker: TestCore;
  let account: TestAccount;
  let receiver: Receiver;
  let person: string;
  let persons = 0;

  beforeAll(async () => {
    bed = await createTestBed();
    const config = bed.config({ ALLOW_PRIVATE_WEBHOOKS: 'true' });
    server = await createTestServer(config);
    worker = await createTestCore(config);
  });

  beforeEach(async () => {
    account = await createTestAccount(server);
    receiver = await Receiver.start();
    persons += 1;
    person = `+1415557${String(1_000 + persons)}`;
  });

  afterEach(async () => {
    await receiver.close();
    expect(await moneyFaults(bed.database)).toEqual([]);
  });

  afterAll(async () => {
    await Promise.all([server?.close(), worker?.close()]);
    await bed?.remove();
  });

  const sql = (text: string, values: unknown[]) => bed.database.sql<Record<string, unknown>>(text, values);
  const form = async (url: string, fields: Record<string, string>, headers: Record<string, string> = {}) => {
    const answer = await server.inject({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      payload: new URLSearchParams(fields).toString(),
    });
    return answer.json<Record<string, unknown>>();
  };
  /** Sends as Twilio's API; returns the answer. */
  const create = (
    fields: Record<string, string> = {},
    { key = account.apiKey, headers = {} }: { key?: string; headers?: Record<string, string> } = {},
  ) => {
    const sid = accountSidOf(account.id);
    const authorization = `Basic ${Buffer.from(`${sid}:${key}`).toString('base64')}`;
    const callback = { StatusCallback: `${receiver.url}/status?order=7` };
    return form(
      `/2010-04-01/Accounts/${sid}/Messages.json`,
      { To: person, From: OURS, Body: 'Hello', ...callback, ...fields },
      { authorization, ...headers },
    );
  };
  const idOf = (answer: Record<string, unknown>) =>
    messageIdFromPublic(String(answer['sid'] ?? answer['textId'])) ?? '';
  const dispatch = (id: string) => worker.get(DispatchMessage).dispatch(id);
  /** Sends as Textbelt's API, up to the carrier; returns the answer. */
  const text = async (fields: Record<string, string> = {}) => {
    const callback = { replyWebhookUrl: `${receiver.url}/reply` };
    const answer = await form('/text', {
      phone: person,
      message: 'Hello',
      key: account.apiKey,
      ...callback,
      ...fields,
    });
    if (answer['success']) await dispatch(idOf(answer));
    return answer;
  };
  const receipt = (id: string, state: 'delivered' | 'undelivered', carrierError: number | null = null) => {
    const { carrierId = '' } = worker.carrier.records.find(({ messageId }) => messageId === id) ?? {};
    const messageId = `SM${id.replaceAll('-', '')}`;
    return worker.get(RecordReceipt).record({ carrier: 1, messageId, carrierId, status: state, carrierError });
  };
  const reply = (body: string) =>
    worker.get(ReceiveReplies).receive({
      carrier: 1,
      carrierId: `SM${newMessageId().replaceAll('-', '')}`,
      sender: person,
      recipient: OURS,
      service: undefined,
      text: body,
      segments: 1,
      wish: undefined,
    });
  const deliveries = () =>
    bed.database.sql<Row>('SELECT id, type, status FROM webhook_deliveries WHERE account_id = $1 ORDER BY id', [
      account.id,
    ]);
  /** Runs the jobs of pending deliveries. */
  const deliver = async () => {
    for (const { id, status: state } of await deliveries())
      if (state === 'pending') await worker.get(DeliverWebhook).deliver(id, account.id);
  };
  const shown = async (id: string) => server.get(WebhookDeliveries).show(account.id, publicWebhookId(id));
  const isTwilios = ({ headers, path, body }: ReceivedWebhook, key: string) =>
    twilio.validateRequest(
      key,
      headers['x-twilio-signature'] ?? '',
      `${receiver.url}${path}`,
      Object.fromEntries(new URLSearchParams(body)),
    );
  const isTextbelts = ({ headers, body }: ReceivedWebhook, key: string) =>
    headers['x-textbelt-signature'] ===
    createHmac('sha256', key).update(`${headers['x-textbelt-timestamp']}${body}`).digest('hex');

  it('send a user name and password as Basic authorization, and show and store them nowhere else', async () => {
    const withUser = (path: string) => `${receiver.url}${path}`.replace('://', '://hook:se%40cret@');
    const posted = { StatusCallback: ` ${withUser('/status?order=7')}\u200b` };
    const id = idOf(await create(posted));
    const plain = idOf(await create({ StatusCallback: `${receiver.url}/plain` }));
    await text({ replyWebhookUrl: withUser('/reply') });
    await dispatch(id);
    await dispatch(plain);
    await reply('Hi');
    await deliver();
    const authorization = `Basic ${Buffer.from('hook:se@cret').toString('base64')}`;
    const called = receiver.received.find(({ path }) => path === '/status?order=7');
    const answer = receiver.received.find(({ path }) => path === '/reply');
    expect([called?.headers['authorization'], answer?.headers['authorization']]).toEqual([
      authorization,
      authorization,
    ]);
    expect(receiver.received.find(({ path }) => path === '/plain')?.headers['authorization']).toBeUndefined();
    expect(called && isTwilios(called, account.apiKey)).toBe(true);
    expect(answer && isTextbelts(answer, account.apiKey)).toBe(true);
    const stored = await sql(
      `SELECT m::text AS row FROM message_callbacks m WHERE account_id = $1
       UNION ALL SELECT d::text FROM webhook_deliveries d WHERE account_id = $1
       UNION ALL SELECT k::text FROM callback_keys k WHERE account_id = $1`,
      [account.id],
    );
    expect(stored.length).toBeGreaterThan(4);
    expect(JSON.stringify(stored)).not.toMatch(/se(@|%40)cret|hook/);
    const [delivery] = await deliveries();
    const { callback } = await shown(delivery?.id ?? '');
    expect(callback?.url).toBe(`${receiver.url.replace('://', '://***:***@')}/status?order=7`);
    expect((await worker.get(MessageCallbacks).reencrypt()).unreadable).toBe(0);
  });

  describe('as Twilio', () => {
    it('post each status, signed with the API key of the request', async () => {
      const id = idOf(await create());
      await dispatch(id);
      await deliver();
      await receipt(id, 'delivered');
      await deliver();
      expect(receiver.received.map(({ path }) => path)).toEqual(['/status?order=7', '/status?order=7']);
      const calls = receiver.received.map(({ body }) => Object.fromEntries(new URLSearchParams(body)));
      expect(calls).toMatchObject([
        { MessageStatus: 'sent', To: person, From: OURS, AccountSid: accountSidOf(account.id) },
        { MessageStatus: 'delivered', MessageSid: `SM${id.replaceAll('-', '')}` },
      ]);
      for (const call of receiver.received) {
        expect(isTwilios(call, account.apiKey)).toBe(true);
        expect(isTwilios(call, 'another key')).toBe(false);
        expect(call.headers['content-type']).toContain('application/x-www-form-urlencoded');
      }
    });

    it('carry the carrier’s error code of a message that was not delivered', async () => {
      const id = idOf(await create());
      await dispatch(id);
      await receipt(id, 'undelivered', 30_003);
      await deliver();
      const calls = receiver.received.map(({ body }) => Object.fromEntries(new URLSearchParams(body)));
      expect(calls.find(({ MessageStatus }) => MessageStatus === 'undelivered')).toMatchObject({ ErrorCode: '30003' });
    });

    it('are signed with a named key that sent the message', async () => {
      const lists = { scopes: ['send' as const, 'read' as const], addresses: [], countries: [] };
      const limitless = { creditsPerDay: null, creditsPerMonth: null, messagesPerSecond: null, expiresAt: null };
      const body = { name: 'Key', mode: 'live' as const, ...lists, ...limitless };
      const { secret } = await server.get(NamedKeys).create({ actor: 'account', accountId: account.id }, body);
      await dispatch(idOf(await create({}, { key: secret })));
      await deliver();
      const [call] = receiver.received;
      expect(call && isTwilios(call, secret)).toBe(true);
    });

    it('report a scheduled message that is canceled', async () => {
      const SendAt = new Date(Date.now() + 3_600_000).toISOString();
      const { sid } = await create({ SendAt, ScheduleType: 'fixed' });
      const authorization = `Basic ${Buffer.from(`${accountSidOf(account.id)}:${account.apiKey}`).toString('base64')}`;
      const url = `/2010-04-01/Accounts/${accountSidOf(account.id)}/Messages/${String(sid)}.json`;
      await form(url, { Status: 'canceled' }, { authorization });
      await deliver();
      expect(receiver.received.map(({ body }) => new URLSearchParams(body).get('MessageStatus'))).toEqual(['canceled']);
    });

    it('are not made for other messages, refused ones and those of a test key', async () => {
      const refused = await create({ To: '+1' });
      expect(refused).toMatchObject({ code: 21_211 });
      await create({}, { key: `${account.apiKey}_test` });
      const other = idOf(await create({ StatusCallback: '' }));
      await dispatch(other);
      expect(await sql('SELECT 1 FROM message_callbacks WHERE account_id = $1', [account.id])).toEqual([]);
      expect(await deliveries()).toEqual([]);
    });

    it('belong to the fields that a repeated idempotency token needs', async () => {
      const headers = { 'i-twilio-idempotency-token': 'once' };
      const first = await create({}, { headers });
      expect((await create({}, { headers }))['sid']).toBe(first['sid']);
      expect(await create({ StatusCallback: `${receiver.url}/other` }, { headers })).toMatchObject({ status: 422 });
      expect(await sql('SELECT 1 FROM message_callbacks WHERE account_id = $1', [account.id])).toHaveLength(1);
    });

    it('are retried, listed with their URL, and resent without a webhook of the account', async () => {
      receiver.answers(status(500, 'broken'));
      await dispatch(idOf(await create()));
      await deliver();
      const [row] = await deliveries();
      expect(row).toMatchObject({ type: 'message.sent', status: 'waiting' });
      const delivery = await shown(row?.id ?? '');
      expect(delivery).toMatchObject({
        callback: { format: 'twilio', url: `${receiver.url}/status?order=7` },
        body: receiver.received[0]?.body,
        attemptList: [{ status: 500, answer: 'broken' }],
      });
      await server.get(WebhookDeliveries).resend(account.id, delivery.id);
      await deliver();
      expect((await shown(row?.id ?? '')).status).toBe('delivered');
      const tokens = receiver.received.map(({ headers }) => headers['i-twilio-idempotency-token']);
      expect(new Set(tokens)).toEqual(new Set([delivery.id]));
    });

    it('end with 410, and leave the account’s webhook on', async () => {
      await server.get(WebhookEndpoints).setUrl(account.id, `${receiver.url}/sms`);
      receiver.always(status(410));
      await dispatch(idOf(await create()));
      await deliver();
      expect(await deliveries()).toMatchObject([{ status: 'failed' }]);
      const [endpoint] = await sql('SELECT disabled_at, failing_since FROM webhook_endpoints WHERE account_id = $1', [
        account.id,
      ]);
      expect(endpoint).toEqual({ disabled_at: null, failing_since: null });
    });

    it('never reach a private network', async () => {
      await dispatch(idOf(await create()));
      await sql(`UPDATE webhook_deliveries SET url = 'http://169.254.169.254/' WHERE account_id = $1`, [account.id]);
      await deliver();
      const [row] = await deliveries();
      const { attemptList } = await shown(row?.id ?? '');
      expect(attemptList).toMatchObject([{ status: null, error: expect.stringContaining('private') }]);
      expect(receiver.received).toEqual([]);
    });
  });

  describe('as Textbelt', () => {
    it('post a reply once, signed, and charge one credit without a webhook of the account', async () => {
      const { textId } = await text({ webhookData: 'order 7' });
      const { balance } = await moneyOf(bed.database, account.id);
      expect(await reply('Ja 👍')).toBe('received');
      await deliver();
      expect(receiver.received.map(({ path, body }) => [path, JSON.parse(body) as unknown])).toEqual([
        ['/reply', { textId, fromNumber: person, text: 'Ja 👍', data: 'order 7' }],
      ]);
      const [call] = receiver.received;
      expect(call && isTextbelts(call, account.apiKey)).toBe(true);
      expect(call && isTextbelts(call, 'another key')).toBe(false);
      expect((await moneyOf(bed.database, account.id)).balance).toBe(balance - 1);
    });

    it('leave out data that was not given, and answer the newest message with a URL', async () => {
      await text({ webhookData: 'first' });
      const { textId } = await text();
      await text({ replyWebhookUrl: '' });
      await reply('Yes');
      await deliver();
      expect(receiver.received.map(({ body }) => JSON.parse(body) as unknown)).toEqual([
        { textId, fromNumber: person, text: 'Yes' },
      ]);
    });

    it('do not turn receiving on for other people', async () => {
      await text();
      person = `+1415558${String(1_000 + persons)}`;
      await text({ replyWebhookUrl: '' });
      expect(await reply('Yes')).toBe('off');
    });

    it('come besides the webhook of the account, for one credit', async () => {
      await server.get(WebhookEndpoints).setUrl(account.id, `${receiver.url}/sms`);
      await text();
      const { balance } = await moneyOf(bed.database, account.id);
      await reply('Yes');
      await deliver();
      expect(receiver.received.map(({ path }) => path).sort()).toEqual(['/reply', '/sms']);
      expect((await moneyOf(bed.database, account.id)).balance).toBe(balance - 1);
    });

    it('wait for credits, and release no reply of the time before the webhook was turned off', async () => {
      account = await createTestAccount(server, { credits: 2 });
      await server.get(WebhookEndpoints).setUrl(account.id, `${receiver.url}/sms`);
      const awaited = person;
      await text();
      person = `+1415559${String(1_000 + persons)}`;
      await text({ replyWebhookUrl: '' });
      expect(await reply('to the account')).toBe('held');
      person = awaited;
      expect(await reply('to the message')).toBe('held');
      await server.get(WebhookEndpoints).setUrl(account.id, '');
      await adjustCredits(server, account.email, 10, 'test');
      await worker.get(HeldReplies).release(account.id);
      await deliver();
      expect(receiver.received.map(({ body }) => JSON.parse(body) as unknown)).toMatchObject([
        { text: 'to the message' },
      ]);
      expect((await moneyOf(bed.database, account.id)).balance).toBe(9);
    });

    it.each([
      [{ webhookData: 'x', replyWebhookUrl: '' }, 'webhookData: needs replyWebhookUrl. Nothing was sent.'],
      [{ webhookData: 'x'.repeat(1_001) }, 'webhookData: at most 1000 characters.'],
      [{ replyWebhookUrl: 'ftp://example.com' }, expect.stringContaining('begins with https://')],
    ])('refuse %j', async (fields, error) => {
      expect(await text(fields)).toEqual({ success: false, error });
    });
  });

  describe('are erased', () => {
    const left = async () => {
      const tables = ['message_callbacks', 'callback_keys', 'webhook_deliveries'];
      const counts = await Promise.all(
        tables.map((table) => sql(`SELECT 1 FROM ${table} WHERE account_id = $1`, [account.id])),
      );
      return counts.map((rows) => rows.length);
    };
    const sent = async () => {
      const id = idOf(await create());
      await dispatch(id);
      await receipt(id, 'delivered');
      await text();
      await deliver();
    };

    it('with their recipient', async () => {
      await sent();
      expect(await left()).toEqual([2, 1, 2]);
      await server.get(WebhookRetention).eraseRecipient(account.id, person);
      expect(await left()).toEqual([0, 1, 0]);
    });

    it('with their account', async () => {
      await sent();
      await server.get(WebhookRetention).erase(account.id);
      expect(await left()).toEqual([0, 0, 0]);
    });

    it('30 days after the message has left; its key later', async () => {
      await sent();
      await sql(`UPDATE message_callbacks SET leaves_at = now() - interval '31 days' WHERE account_id = $1`, [
        account.id,
      ]);
      await worker.get(WebhookRetention).run();
      expect(await left()).toEqual([0, 1, 2]);
      await sql(`UPDATE callback_keys SET used_at = now() - interval '96 days' WHERE account_id = $1`, [account.id]);
      await worker.get(WebhookRetention).run();
      expect(await left()).toEqual([0, 0, 2]);
    });
  });

  it('are signed with keys that are encrypted again with a newer encryption key', async () => {
    await dispatch(idOf(await create()));
    await sql(`UPDATE callback_keys SET secret_key_id = 'unknown' WHERE account_id = $1`, [account.id]);
    expect(await server.get(MessageCallbacks).reencrypt()).toEqual({ reencrypted: 0, unreadable: 1 });
    await sql('DELETE FROM callback_keys WHERE account_id = $1', [account.id]);
  });
});
