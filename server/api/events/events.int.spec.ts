import { EndKeys } from '#core/messages/status/end-keys.js';
import { randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { limits } from '#contract/limits.js';
import { webhookEventTypes } from '#contract/webhooks.js';
import { BlockedAddresses } from '#core/accounts/blocked-addresses.js';
import { NamedKeys } from '#core/keys/named-keys.js';
import { DispatchMessage } from '#core/messages/dispatch/dispatch-message.js';
import { RecordReceipt } from '#core/messages/status/record-receipt.js';
import { Postgres } from '#core/platform/database/postgres.js';
import { messageIdFromPublic } from '#core/rules/ids.js';
import { eventually } from '#core/testing/eventually.js';
import { createTestAccount, type TestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { createTestCore, type TestCore } from '#core/testing/test-core.js';
import { WebhookEndpoints } from '#core/webhooks/endpoints/webhook-endpoints.js';
import { WebhookEvents } from '#core/webhooks/webhook-events.js';
import { WebhookRetention } from '#core/webhooks/webhook-retention.js';
import { EventListener } from '../../testing/event-listener.js';
import { createTestServer, type TestServer } from '../../testing/test-server.js';

const TO = '+14155552671';

describe('GET /api/events', () => {
  let bed: TestBed;
  let server: TestServer;
  let worker: TestCore;
  let account: TestAccount;
  const listeners: EventListener[] = [];

  beforeAll(async () => {
    bed = await createTestBed();
    server = await createTestServer(bed.config());
    await server.app.listen(0, '127.0.0.1');
    worker = await createTestCore(bed.config());
  });

  // An account's first stream reports that it is complete once every process knows about it, which
  // takes seconds. Most accounts here have listened before.
  beforeEach(async () => {
    account = await listenerAccount();
  });

  afterEach(() => {
    for (const listener of listeners.splice(0)) listener.close();
  });

  afterAll(async () => {
    await Promise.all([server?.close(), worker?.close()]);
    await bed?.remove();
  });

  const newAccount = () => createTestAccount(server, { dailyLimit: 10_000 });
  const listenerAccount = async () => {
    const created = await newAccount();
    await bed.database.sql(
      `INSERT INTO event_listeners (account_id, listening_since, listening_until, receiving_until)
       VALUES ($1, now() - interval '1 hour', now() + interval '1 hour', now() - interval '1 minute')`,
      [created.id],
    );
    return created;
  };
  const listen = async (apikey = account.apiKey, lastEventId?: string, on = server) => {
    const listener = await EventListener.ready(on, apikey, lastEventId);
    listeners.push(listener);
    return listener;
  };
  const record = (accountId = account.id, count = 1) =>
    worker.get(Postgres).transaction((tx) =>
      worker.get(WebhookEvents).recordAll(
        tx,
        Array.from({ length: count }, () => ({
          accountId,
          type: 'otp.verified' as const,
          sourceId: randomUUID(),
          payload: { n: 1 },
        })),
      ),
    );
  const trigger = (body: object) =>
    server.inject({ method: 'POST', url: '/api/events', payload: { apikey: account.apiKey, ...body } });
  const secretOf = async () => (await server.get(WebhookEndpoints).show(account.id)).secret;
  const storedCount = async () => {
    const rows = await bed.database.sql<{ count: number }>(
      'SELECT count(*)::int AS count FROM account_events WHERE account_id = $1',
      [account.id],
    );
    return rows[0]?.count;
  };

  it('streams what happens to a message as webhooks would carry it, with a valid signature', async () => {
    account = await newAccount();
    const listener = await listen();
    expect(listener.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'access-control-allow-origin': '*',
    });
    const answer = await server.send({ to: TO, message: 'Hello', apikey: account.apiKey, reference: 'order 7' });
    const { message_id: messageId } = answer.json<{ message_id: string }>();
    const id = messageIdFromPublic(messageId) ?? '';
    await worker.get(DispatchMessage).dispatch(id);
    const { carrierId = '' } = worker.carrier.records.find((one) => one.messageId === id) ?? {};
    await worker
      .get(RecordReceipt)
      .record({ carrier: 1, messageId, carrierId, status: 'delivered', carrierError: null });
    await listener.until('both events', () => listener.events.length === 2);
    const [sent, delivered] = listener.events;
    expect([sent?.event, delivered?.event]).toEqual(['message.sent', 'message.delivered']);
    expect(JSON.parse(delivered?.data ?? '')).toMatchObject({
      type: 'message.delivered',
      data: { message_id: messageId, to: TO, status: 'delivered', reference: 'order 7' },
    });
    expect(Number(delivered?.id)).toBe(Number(sent?.id) + 1);
    const verified = new Webhook(await secretOf()).verify(delivered?.data ?? '', { ...delivered });
    expect(verified).toMatchObject({ type: 'message.delivered' });
  });

  it('streams events of its account only, also of types that the webhook is not subscribed to', async () => {
    const stranger = await listenerAccount();
    const [mine, theirs] = [await listen(), await listen(stranger.apiKey)];
    await record(stranger.id);
    await record();
    await mine.until('the event', () => mine.events.length > 0);
    await theirs.until('the event', () => theirs.events.length > 0);
    expect([mine.events.length, theirs.events.length]).toEqual([1, 1]);
    expect(mine.events[0]?.['webhook-id']).not.toBe(theirs.events[0]?.['webhook-id']);
  });

  it('stores nothing for an account that has never listened', async () => {
    account = await newAccount();
    await record();
    expect(await storedCount()).toBe(0);
  });

  it('continues after Last-Event-ID, with events of the time in between, each once and in order', async () => {
    const first = await listen();
    await record();
    await first.until('the event', () => first.events.length === 1);
    first.close();
    await record(account.id, 250);
    const again = await listen(account.apiKey, first.cursor);
    await again.until('all events', () => again.events.length === 250);
    await record();
    await again.until('the live event', () => again.events.length === 251);
    const start = Number(first.cursor) + 1;
    expect(again.events.map(({ id }) => Number(id))).toEqual(Array.from({ length: 251 }, (_, n) => start + n));
    expect(again.named('gap')).toEqual([]);
  });

  it('loses and repeats nothing while processes record events at the same time and the client reconnects', async () => {
    let listener = await listen();
    const seen: string[] = [];
    let recorded = 0;
    const stopping = new AbortController();
    const writers = Array.from({ length: 4 }, async () => {
      for (let n = 0; !stopping.signal.aborted; n += 1) {
        const ids = await record(account.id, 1 + (n % 3));
        recorded += ids.length;
      }
    });
    for (let n = 0; n < 4; n += 1) {
      await listener.until('some events', () => listener.events.length > 0);
      listener.close();
      seen.push(...listener.events.map((event) => event['webhook-id'] ?? ''));
      listener = await listen(account.apiKey, listener.cursor);
    }
    stopping.abort();
    await Promise.all(writers);
    await listener.until('all events', () => seen.length + listener.events.length >= recorded);
    seen.push(...listener.events.map((event) => event['webhook-id'] ?? ''));
    expect(new Set(seen).size).toBe(recorded);
    expect(seen).toHaveLength(recorded);
  });

  it('ends a long replay after a bounded number of events, and the next stream continues', async () => {
    const { cursor } = await listen();
    const count = limits.eventsReplayedMax + 50;
    await bed.database.sql(
      `INSERT INTO account_events (account_id, number, id, type, source_id, body)
       SELECT $1, n, gen_random_uuid(), 'otp.verified', n::text, '{}'
         FROM generate_series($2::int + 1, $2::int + $3::int) n`,
      [account.id, cursor, count],
    );
    await bed.database.sql('UPDATE event_listeners SET last_number = $2 WHERE account_id = $1', [
      account.id,
      Number(cursor) + count,
    ]);
    const first = await listen(account.apiKey, cursor);
    await first.until('its end', () => first.isOver, 60_000);
    expect(first.events).toHaveLength(limits.eventsReplayedMax);
    const second = await listen(account.apiKey, first.cursor);
    await second.until('the rest', () => second.events.length === 50);
  });

  it('reports a gap when events after the cursor are no longer kept, or were not stored', async () => {
    const first = await listen();
    await record(account.id, 3);
    await first.until('the events', () => first.events.length === 3);
    await bed.database.sql(
      `UPDATE account_events SET created_at = now() - interval '3 days' WHERE account_id = $1 AND number < 3`,
      [account.id],
    );
    await worker.get(WebhookRetention).run();
    expect(await storedCount()).toBe(1);
    const late = await listen(account.apiKey, '1');
    await late.until('the event', () => late.events.length === 1);
    expect(late.named('gap')).toHaveLength(1);
    expect((await listen(account.apiKey, '2')).named('gap')).toEqual([]);

    for (const one of listeners) one.close();
    await bed.database.sql('UPDATE event_listeners SET listening_until = now() WHERE account_id = $1', [account.id]);
    expect((await listen(account.apiKey, '3')).named('gap')).toHaveLength(1);
  });

  it.each(['x', '-1', '7'])('refuses the Last-Event-ID %s, which is no cursor of the account', async (id) => {
    const headers = { authorization: `Bearer ${account.apiKey}`, 'last-event-id': id };
    const answer = await server.inject({ url: '/api/events', headers });
    expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([400, 'invalid_request']);
  });

  it.each([
    ['the key is revoked', 'key_revoked', 'unknown_api_key'],
    [
      'the key loses its scope',
      `UPDATE api_keys SET scopes = '{send}' WHERE account_id = $1 AND NOT is_default`,
      'key_scope',
    ],
    [
      'the key expires',
      `UPDATE api_keys SET expires_at = now() WHERE account_id = $1 AND NOT is_default`,
      'key_expired',
    ],
    ['the account is blocked', `UPDATE accounts SET blocked_at = now() WHERE id = $1`, 'account_blocked'],
    ['the address is blocked', 'address_blocked', 'address_blocked'],
  ])('ends within seconds after %s', async (_title, change, code) => {
    const by = { actor: 'account' as const, accountId: account.id };
    const { id, secret } = await server.get(NamedKeys).create(by, {
      name: 'Listener',
      mode: 'live',
      scopes: ['read'],
      addresses: [],
      countries: [],
      creditsPerDay: null,
      creditsPerMonth: null,
      messagesPerSecond: null,
      expiresAt: null,
    });
    const listener = await listen(secret);
    if (change === 'key_revoked') await server.get(EndKeys).revoke(by, id, false);
    else if (change === 'address_blocked') await server.get(BlockedAddresses).block('127.0.0.1');
    else await bed.database.sql(change, [account.id]);
    await listener.until('its end', () => listener.isOver);
    if (change === 'address_blocked') await server.get(BlockedAddresses).unblock('127.0.0.1');
    expect(listener.named('closed').map(({ data = '' }) => JSON.parse(data) as object)).toMatchObject([{ code }]);
  });

  it('needs the scope read', async () => {
    const answer = await server.inject({ url: '/api/events' });
    expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([401, 'unknown_api_key']);
  });

  it('bounds the streams of an account, and has room again when one ends', async () => {
    for (let n = 0; n < limits.eventStreamsPerAccountMax; n += 1) await listen();
    const refused = await EventListener.open(server, account.apiKey);
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '5']);
    listeners[0]?.close();
    await refused.until('room', () => refused.isOver);
    await eventually('a stream opens', async () => {
      const next = await EventListener.open(server, account.apiKey);
      listeners.push(next);
      return next.status === 200;
    });
  });

  it('ends with a time to reconnect when the server stops', async () => {
    const stopping = await createTestServer(bed.config());
    await stopping.app.listen(0, '127.0.0.1');
    const listener = await listen(account.apiKey, undefined, stopping);
    await stopping.close();
    await listener.until('its end', () => listener.isOver);
    expect(listener.blocks.at(-1)).toEqual({ retry: '1000' });
  });

  it('shows a test key one signed example of every type, and stores nothing', async () => {
    account = await newAccount();
    const listener = await listen(`${account.apiKey}_test`);
    await listener.until('the examples', () => listener.events.length === webhookEventTypes.length);
    expect(listener.events.map(({ event }) => event)).toEqual([...webhookEventTypes]);
    const [example] = listener.events;
    expect(new Webhook(await secretOf()).verify(example?.data ?? '', { ...example })).toMatchObject({
      Status: 'Received',
    });
    expect(listener.cursor).toBe('');
    await record();
    expect(await storedCount()).toBe(0);
  });

  it('lets the account receive replies while it listens', async () => {
    const isReceiving = async () =>
      (await worker.get(Postgres).transaction((tx) => worker.get(WebhookEvents).receiving(tx, [account.id]))).size > 0;
    expect(await isReceiving()).toBe(false);
    await listen();
    expect(await isReceiving()).toBe(true);
    await bed.database.sql('UPDATE event_listeners SET receiving_until = now() WHERE account_id = $1', [account.id]);
    expect(await isReceiving()).toBe(false);
  });

  it('erases events with the account and with a recipient', async () => {
    await listen();
    const { id: accountId } = account;
    const payload = { to: TO };
    await worker.get(Postgres).transaction((tx) =>
      worker.get(WebhookEvents).recordAll(tx, [
        { accountId, type: 'message.sent', sourceId: randomUUID(), payload },
        { accountId, type: 'message.sent', sourceId: randomUUID(), payload: {} },
      ]),
    );
    expect(await worker.get(WebhookRetention).eraseRecipient(accountId, TO)).toMatchObject({ erased: 1 });
    expect(await storedCount()).toBe(1);
    await worker.get(WebhookRetention).erase(accountId);
    expect(await storedCount()).toBe(0);
  });

  describe('POST /api/events', () => {
    it('creates a test event for open streams', async () => {
      const listener = await listen();
      const answer = await trigger({ type: 'message.failed' });
      expect(answer.statusCode).toBe(200);
      await listener.until('the event', () => listener.events.length === 1);
      const { event_id } = answer.json<{ event_id: string }>();
      expect(listener.events).toMatchObject([{ event: 'message.failed', 'webhook-id': event_id }]);
    });

    it('answers 409 when neither a stream nor a webhook takes the event, and nothing to a test key', async () => {
      account = await newAccount();
      const none = await trigger({ type: 'message.sent' });
      expect([none.statusCode, none.json<{ code: string }>().code]).toEqual([409, 'webhook_off']);
      const test = await trigger({ type: 'message.sent', apikey: `${account.apiKey}_test` });
      expect(test.json()).toMatchObject({ success: 'true', test: true });
    });
  });
});
