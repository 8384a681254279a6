import { accountSidOf, type CreateKeyBody } from '#contract/account.js';
import { messageRecordAnswer, type MessageRecordAnswer } from '#contract/message-record.js';
import { NamedKeys } from '#core/keys/named-keys.js';
import { LedgerSeals } from '#core/credits/ledger-seals.js';
import { DispatchMessage } from '#core/messages/dispatch/dispatch-message.js';
import { MessageRecords } from '#core/messages/history/message-record.js';
import { RecordReceipt } from '#core/messages/status/record-receipt.js';
import { messageIdFromPublic } from '#core/rules/ids.js';
import { eventually } from '#core/testing/eventually.js';
import { sentOtp } from '#core/testing/sent-otp.js';
import { createTestAccount, type TestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { createTestCore, type TestCore } from '#core/testing/test-core.js';
import { DeliverWebhook } from '#core/webhooks/delivery/deliver-webhook.js';
import { WebhookEndpoints } from '#core/webhooks/endpoints/webhook-endpoints.js';
import { Receiver, status } from '#core/webhooks/testing/receiver.js';
import { WebhookEvents } from '#core/webhooks/webhook-events.js';
import { WebhookRetention } from '#core/webhooks/webhook-retention.js';
import { TestBrowser } from '../testing/browser.js';
import { createTestServer, type TestServer } from '../testing/test-server.js';

const TO = '+14155552671';

describe('the record of a message', () => {
  let bed: TestBed;
  let server: TestServer;
  let worker: TestCore;
  let account: TestAccount;
  let browser: TestBrowser;
  let receiver: Receiver;

  beforeAll(async () => {
    bed = await createTestBed();
    const config = bed.config({ ALLOW_PRIVATE_WEBHOOKS: 'true' });
    server = await createTestServer(config);
    worker = await createTestCore(config);
  });

  beforeEach(async () => {
    account = await createTestAccount(server);
    browser = await TestBrowser.signedIn(server, account.id);
    receiver = await Receiver.start();
  });

  afterEach(() => receiver.close());

  afterAll(async () => {
    await Promise.all([server?.close(), worker?.close()]);
    await bed?.remove();
  });

  const post = async (url: string, payload: object, headers = {}) =>
    (await server.inject({ method: 'POST', url, payload, headers })).json<Record<string, string>>();
  const send = async (fields: object = {}) => {
    const body = { to: TO, message: 'Your table is ready', apikey: account.apiKey, ...fields };
    return (await post('/api/sendsms', body))['message_id'] ?? '';
  };
  const uuidOf = (id: string) => messageIdFromPublic(id) ?? '';
  const ask = (id: string, key = account.apiKey) =>
    server.inject({ url: `/api/messages/${id}/record`, headers: { authorization: `Bearer ${key}` } });
  const recordOf = async (id: string): Promise<MessageRecordAnswer> => {
    const answer = await ask(id);
    expect(answer.statusCode).toBe(200);
    return messageRecordAnswer.strict().parse(answer.json());
  };
  const finish = async (id: string, state: 'delivered' | 'undelivered', carrierError: number | null = null) => {
    await worker.get(DispatchMessage).dispatch(uuidOf(id));
    const { carrierId = '' } = worker.carrier.records.find(({ messageId }) => messageId === uuidOf(id)) ?? {};
    await worker.get(RecordReceipt).record({ carrier: 1, messageId: id, carrierId, status: state, carrierError });
    return carrierId;
  };
  const subscribe = async () => {
    const endpoints = server.get(WebhookEndpoints);
    await endpoints.setUrl(account.id, `${receiver.url}/hook`);
    await endpoints.setEvents(account.id, ['message.sent', 'message.delivered', 'message.undelivered', 'otp.sent']);
    const events = worker.get(WebhookEvents);
    await eventually('the worker knows it', async () => (await events.messageSubscribers())?.(account.id) === true);
  };
  const call = async () => {
    const pending = `SELECT id FROM webhook_deliveries WHERE account_id = $1 AND status IN ('pending', 'waiting')
      ORDER BY id`;
    await bed.database.sql(`UPDATE webhook_deliveries SET status = 'pending' WHERE status = 'waiting'`);
    for (const { id } of await bed.database.sql<{ id: string }>(pending, [account.id]))
      await worker.get(DeliverWebhook).deliver(id, account.id);
  };

  it('shows every state with its cause, the carrier, price, ledger entry and seal, the same in the dashboard', async () => {
    const id = await send({ reference: 'table 4' });
    const carrierId = await finish(id, 'delivered');
    const unsealed = await recordOf(id);
    expect(unsealed.ledger).toMatchObject([{ kind: 'message', amount: -1, seal: null }]);
    while (await worker.get(LedgerSeals).run());
    const record = await recordOf(id);
    expect(record).toMatchObject({
      message_id: id,
      kind: 'sms',
      to: TO,
      message: 'Your table is ready',
      reference: 'table 4',
      status: 'delivered',
      segments: 1,
      credits: 1,
      encoding: 'GSM-7',
      carrier_id: carrierId,
      receipt_level: 'handset',
      attempts: 1,
      refund: null,
      callback: null,
      webhooks: [],
      removed: [],
    });
    expect(record.transitions.map(({ status: state, cause }) => [state, cause])).toEqual([
      ['queued', 'accepted'],
      ['sending', 'claimed'],
      ['sent', 'carrier_accepted'],
      ['delivered', 'delivery_receipt'],
    ]);
    const times = record.transitions.map(({ at }) => at);
    expect(times).toEqual(times.toSorted());
    const [seal] = await bed.database.sql<{ hash: string; key: string }>(
      `SELECT encode(hash, 'hex') AS hash, key_id AS key FROM ledger_seals WHERE account_id = $1
        ORDER BY number DESC LIMIT 1`,
      [account.id],
    );
    expect(record.ledger).toMatchObject([{ number: 2, balance_after: 99, seal: { last: 2, ...seal } }]);
    const shown = await browser.get(`/api/dashboard/messages/sent/${id}/record`);
    expect({ ...shown.json<MessageRecordAnswer>(), recorded_at: record.recorded_at }).toEqual(record);
  });

  it('shows what a receipt of its route proves', async () => {
    const id = await send();
    await finish(id, 'delivered');
    await bed.database.sql(
      `INSERT INTO routes (country, carrier, resting_weight, weight, receipt_level)
       VALUES ('US', 1, 100, 100, 'network'), ('US', 2, 0, 0, 'none'), ('CA', 1, 100, 100, 'none')`,
    );
    try {
      expect(await recordOf(id)).toMatchObject({ status: 'delivered', receipt_level: 'network' });
      const shown = await browser.get(`/api/dashboard/messages/sent/${id}`);
      expect(shown.json()).toMatchObject({ receiptLevel: 'network' });
      await bed.database.sql('UPDATE messages SET carrier = 2 WHERE id = $1', [uuidOf(id)]);
      expect(await recordOf(id)).toMatchObject({ receipt_level: 'none' });
    } finally {
      await bed.database.sql('DELETE FROM routes');
    }
  });

  it('shows why a message was not delivered, its refund, and each webhook with its attempts and answers', async () => {
    await subscribe();
    receiver.answers(status(500, 'try later'));
    const id = await send();
    await finish(id, 'undelivered', 30_005);
    await call();
    await call();
    const record = await recordOf(id);
    expect(record).toMatchObject({ status: 'undelivered', error_code: 'not_delivered', carrier_error: 30_005 });
    expect(record.transitions.at(-1)).toMatchObject({ status: 'undelivered', cause: 'not_delivered' });
    expect(record.ledger.map(({ kind, amount }) => [kind, amount])).toEqual([
      ['message', -1],
      ['refund', 1],
    ]);
    expect(record.refund).toEqual({ credits: 1, at: record.ledger[1]?.at });
    expect(record.webhooks.map(({ type, status: state, attempts }) => [type, state, attempts])).toEqual([
      ['message.sent', 'delivered', 2],
      ['message.undelivered', 'delivered', 1],
    ]);
    const [sent] = record.webhooks;
    expect(sent?.attempt_list).toMatchObject([{ status: 500, answer: 'try later' }, { status: 200 }]);
    expect(JSON.parse(sent?.body ?? '')).toMatchObject({ type: 'message.sent', data: { to: TO } });
    expect(receiver.received.map(({ body }) => body)).toContain(sent?.body);
  });

  it("shows the callback of a message as it was called, without its URL's secrets", async () => {
    const sid = accountSidOf(account.id);
    const authorization = `Basic ${Buffer.from(`${sid}:${account.apiKey}`).toString('base64')}`;
    const fields = { To: TO, From: '+15005550006', Body: 'Hi', StatusCallback: `${receiver.url}/status?token=hush` };
    const headers = { authorization, 'content-type': 'application/x-www-form-urlencoded' };
    const payload = new URLSearchParams(fields).toString();
    const answer = await server.inject({
      method: 'POST',
      url: `/2010-04-01/Accounts/${sid}/Messages.json`,
      headers,
      payload,
    });
    const id = answer.json<{ sid: string }>().sid;
    await finish(id, 'delivered');
    await call();
    const record = await recordOf(id);
    const callback = { format: 'twilio', url: `${receiver.url}/status` };
    expect(record).toMatchObject({ callback, webhooks: [{ callback }, { callback }] });
    expect(record.webhooks[0]?.body).toContain(`MessageSid=${id}`);
    expect(JSON.stringify(record)).not.toContain('hush');
  });

  it('never shows the code of a one-time password', async () => {
    await subscribe();
    const id = (await post('/api/sendotp', { to: TO, apikey: account.apiKey }))['message_id'] ?? '';
    const code = await sentOtp(server, id);
    await finish(id, 'delivered');
    await call();
    const answer = await ask(id);
    expect(answer.json()).toMatchObject({ kind: 'otp', message: 'Your one-time verification code is ******.' });
    expect(answer.json<MessageRecordAnswer>().webhooks.map(({ type }) => type)).toContain('otp.sent');
    // Ids and times consist of digits too.
    expect(answer.body.replaceAll(/[0-9a-f-]{20,}|\d{4}-\d\d-\d\dT[\d:.]+Z/g, '')).not.toContain(code);
  });

  it('is not found for another account, and needs a session in the dashboard', async () => {
    const id = await send();
    const other = await createTestAccount(server);
    const theirs = await TestBrowser.signedIn(server, other.id);
    const path = `/api/dashboard/messages/sent/${id}/record`;
    for (const answer of [await ask(id, other.apiKey), await theirs.get(path), await ask('SM1')])
      expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([404, 'message_not_found']);
    expect((await new TestBrowser(server).get(path)).statusCode).toBe(401);
  });

  it('needs the scope read of a named key, and is an example for a test key', async () => {
    const id = await send();
    const limits = { creditsPerDay: null, creditsPerMonth: null, messagesPerSecond: null, expiresAt: null };
    const named = async (scope: CreateKeyBody['scopes'][number]) => {
      const body = { name: 'Key', mode: 'live' as const, scopes: [scope], addresses: [], countries: [], ...limits };
      return (await server.get(NamedKeys).create({ actor: 'account', accountId: account.id }, body)).secret;
    };
    expect((await ask(id, await named('send'))).json()).toMatchObject({ code: 'key_scope' });
    expect((await ask(id, await named('read'))).json()).toMatchObject({ message_id: id });
    const example = (await ask(id, `${account.apiKey}_test`)).json<MessageRecordAnswer>();
    expect(example).toMatchObject({ test: true });
    expect(example.message_id).not.toBe(id);
  });

  it('names what is no longer kept', async () => {
    await subscribe();
    const id = await send();
    await finish(id, 'delivered');
    await call();
    expect((await recordOf(id)).webhooks).toHaveLength(2);
    await bed.database.sql(`UPDATE webhook_deliveries SET finished_at = finished_at - interval '31 days'`);
    await bed.database.sql(
      `UPDATE messages SET body = '', finished_at = finished_at - interval '31 days' WHERE id = $1`,
      [uuidOf(id)],
    );
    await worker.get(WebhookRetention).run();
    const record = await recordOf(id);
    expect(record).toMatchObject({ message: '', encoding: null, segments: 1, webhooks: [] });
    expect(record.removed.map(({ part }) => part)).toEqual(['text', 'webhooks']);
    expect(record.removed[1]?.why).toContain('30 days');
    await bed.database.sql(
      `UPDATE messages SET recipient = masked_number(recipient), carrier_id = NULL, finished_at = now() WHERE id = $1`,
      [uuidOf(id)],
    );
    const masked = await server.get(MessageRecords).show(account.id, id);
    expect(masked).toMatchObject({ to: '+1415•••••••', carrier_id: null });
    expect(masked.removed.map(({ part }) => part)).toEqual(['text', 'number', 'carrier_id']);
  });
});
