import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { RedeemCodes } from '#core/billing/redeem-codes.js';
import { Credits } from '#core/credits/credits.js';
import { Messages } from '#core/messages/history/messages.js';
import { DispatchMessage } from '#core/messages/dispatch/dispatch-message.js';
import { RecordReceipt } from '#core/messages/status/record-receipt.js';
import { AccountEvents } from '#core/platform/events/account-events.js';
import { queuePrefix } from '#core/platform/queue/redis-client.js';
import { messageIdFromPublic, newMessageId, publicMessageId } from '#core/rules/ids.js';
import { eventually } from '#core/testing/eventually.js';
import { moneyFaults } from '#core/testing/money.js';
import { createTestAccount, type TestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { createTestCore, type TestCore } from '#core/testing/test-core.js';
import { testServices } from '#core/testing/test-environment.js';
import { startTcpProxy } from '#core/testing/tcp-proxy.js';
import type { Config } from '#core/platform/config/config.js';
import { dashboardEventsPath } from '#contract/dashboard.js';
import { EventPage } from '../../testing/event-page.js';
import { signedOut, signIn } from '../../testing/browser.js';
import { createTestServer, type TestServer } from '../../testing/test-server.js';
import { EventStreams, STREAMS_MAX, STREAMS_PER_ACCOUNT_MAX } from './event-streams.js';
import { adjustCredits, createRedeemCode } from '#core/testing/operator-credits.js';

const TO = '+14155552671';

async function listeningServer(config: Config): Promise<TestServer> {
  const server = await createTestServer(config);
  await server.app.listen(0, '127.0.0.1');
  return server;
}

describe.each(['redis', 'postgres'])('GET /api/dashboard/events, with account events over %s', (backend) => {
  let bed: TestBed;
  let server: TestServer;
  let other: TestServer;
  let worker: TestCore;
  let account: TestAccount;
  const pages: EventPage[] = [];

  beforeAll(async () => {
    bed = await createTestBed();
    const config = bed.config({ QUEUE_BACKEND: backend });
    [server, other] = [await listeningServer(config), await listeningServer(config)];
    worker = await createTestCore(config);
  });

  beforeEach(async () => {
    account = await createTestAccount(server, { credits: 1_000, dailyLimit: 10_000 });
  });

  afterEach(async () => {
    jest.restoreAllMocks();
    for (const page of pages.splice(0)) page.close();
    expect(await moneyFaults(bed.database)).toEqual([]);
  });

  afterAll(async () => {
    await Promise.all([server?.close(), other?.close(), worker?.close()]);
    // BullMQ's Postgres backend may still run its migrations when its queue is closed, and does not
    // handle a lost connection.
    await eventually('no statement is running', async () => (await runningStatements()) === 0);
    await bed?.remove();
  });

  const runningStatements = async () => {
    const [row] = await bed.database.sql<{ count: number }>(
      `SELECT count(*)::int AS count FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid() AND state <> 'idle'`,
    );
    return row?.count;
  };
  const watch = async (of = account, on = server, headers?: Record<string, string>) => {
    const page = await EventPage.live(on, of, headers);
    pages.push(page);
    return page;
  };
  const send = async (message = 'Hello', of = account, through = server): Promise<string> => {
    const answer = await through.send({ to: TO, message, apikey: of.apiKey });
    return answer.json<{ message_id: string }>().message_id;
  };
  const idOf = (messageId: string) => messageIdFromPublic(messageId) ?? '';
  const statesOf = (page: EventPage, messageId: string) =>
    page
      .data('message')
      .filter(({ message_id }) => message_id === messageId)
      .map(({ status }) => status);

  it('is a stream that caches and proxies do not buffer, and starts with `live`', async () => {
    const page = await watch();
    expect(page.status).toBe(200);
    expect(page.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    expect(page.retry).toBe('2000');
    expect(page.events).toEqual([{ name: 'live', data: {} }]);
  });

  it('shows a message from acceptance to delivery, whichever process changes it', async () => {
    const page = await watch();
    const messageId = await send('Hello there', account, other);
    await page.until('the new message', () => statesOf(page, messageId).includes('queued'));
    expect(page.data('message')[0]).toMatchObject({ to: TO, message: 'Hello there', status: 'queued', credits: 1 });
    await page.until('the balance', () => page.data('balance').at(-1)?.balance === 999);

    await worker.get(DispatchMessage).dispatch(idOf(messageId));
    await page.until('the message is sent', () => statesOf(page, messageId).includes('sent'));

    const { carrierId = '' } = worker.carrier.records.find((record) => record.messageId === idOf(messageId)) ?? {};
    await other
      .get(RecordReceipt)
      .record({ carrier: 1, messageId, carrierId, status: 'delivered', carrierError: null });
    await page.until('the receipt', () => statesOf(page, messageId).at(-1) === 'delivered');
  });

  it('shows that a message is queued again, and its refund when it fails', async () => {
    const page = await watch();
    const messageId = await send();
    worker.carrier.next('unavailable', { refuse: 21_211 });
    await worker.get(DispatchMessage).dispatch(idOf(messageId));
    await page.until('it is queued again', () => statesOf(page, messageId).at(-1) === 'queued');
    await worker.get(DispatchMessage).dispatch(idOf(messageId));
    await page.until('it failed', () => statesOf(page, messageId).at(-1) === 'failed');
    expect(page.data('message').at(-1)).toMatchObject({ refunded: 1, error_code: 'carrier_refused' });
    await page.until('the refund', () => page.data('balance').at(-1)?.balance === 1_000);
  });

  it('shows credits from the operator and from a redeem code', async () => {
    const page = await watch();
    await adjustCredits(worker, account.email, 7, 'a gift');
    await page.until('the gift', () => page.data('balance').at(-1)?.balance === 1_007);
    const code = await createRedeemCode(worker, { credits: 25 });
    await worker.get(RedeemCodes).redeem(account.id, code);
    await page.until('the code', () => page.data('balance').at(-1)?.balance === 1_032);
    expect(page.data('balance').at(-1)).toEqual({ balance: 1_032, purchased: 1_032, used: 0, frozen: 0 });
  });

  it('names inbound messages', async () => {
    const page = await watch();
    const id = newMessageId();
    worker.get(AccountEvents).received(account.id, id);
    await page.until('its id', () => page.count('received') > 0);
    expect(page.data('received')).toEqual([{ message_ids: [publicMessageId(id)] }]);
  });

  it('sends all of 50 messages in a second, in order', async () => {
    const page = await watch();
    const sent: string[] = [];
    for (let n = 0; n < 50; n += 1) sent.push(await send(`number ${n}`));
    await page.until('the last one', () => statesOf(page, sent.at(-1) ?? '').length > 0);
    expect(page.data('message').map(({ message_id }) => message_id)).toEqual(sent);
    expect(page.count('many')).toBe(0);
    await page.until('the last balance', () => page.data('balance').at(-1)?.balance === 950);
  });

  it('sends `many` instead of thousands of messages, about once a second', async () => {
    const page = await watch();
    const startedAt = performance.now();
    const sent = Array.from({ length: 1_000 }, (_, n) => send(`flood ${n}`, account, n % 2 ? server : other));
    await Promise.all(sent);
    await page.until('the last balance', () => page.data('balance').at(-1)?.balance === 0);
    const seconds = (performance.now() - startedAt) / 1_000;
    await page.until('`many`', () => page.count('many') > 0);
    expect(page.count('many')).toBeLessThanOrEqual(Math.ceil(seconds) + 1);
    expect(page.count('message')).toBeLessThan(1_000);
  });

  it('shows an account only its own messages, whatever an account event names', async () => {
    const stranger = await createTestAccount(server, { credits: 10 });
    const [mine, theirs] = [await watch(), await watch(stranger)];
    const messageId = await send('secret');
    // An account event that names a message of another account.
    worker.get(AccountEvents).changed(stranger.id, idOf(messageId));
    const last = await send('last', stranger);
    await mine.until('mine', () => statesOf(mine, messageId).length > 0);
    await theirs.until('theirs', () => statesOf(theirs, last).length > 0);
    expect(theirs.data('message').map(({ message }) => message)).toEqual(['last']);
    expect(theirs.data('balance').every(({ balance }) => Number(balance) <= 10)).toBe(true);
    expect(new Set(mine.data('message').map(({ message }) => message))).toEqual(new Set(['secret']));
  });

  it('serves every page of an account from one read per account event, on each server', async () => {
    const open = [await watch(), await watch(), await watch(account, other)];
    const reads = [server, other].map((one) => jest.spyOn(one.get(Messages), 'changed'));
    const balances = [server, other].map((one) => jest.spyOn(one.get(Credits), 'balancesOf'));
    for (const count of [1, 2, 3]) {
      worker.get(AccountEvents).received(account.id, newMessageId());
      for (const page of open) await page.until('its event', () => page.count('balance') === count);
    }
    for (const spy of [...reads, ...balances]) expect(spy).toHaveBeenCalledTimes(3);
  });

  it('reads once for a batch of account events', async () => {
    const accounts = [account, await createTestAccount(server), await createTestAccount(server)];
    const open = await Promise.all(accounts.map((one) => watch(one)));
    const read = jest.spyOn(server.get(Credits), 'balancesOf');
    for (const { id } of accounts) worker.get(AccountEvents).received(id, newMessageId());
    for (const page of open) await page.until('its event', () => page.count('received') === 1);
    worker.get(AccountEvents).received(account.id, newMessageId());
    await open[0]?.until('the next event', () => open[0]?.count('received') === 2);
    expect(read.mock.calls.map(([ids]) => ids.toSorted())).toEqual([
      accounts.map(({ id }) => id).toSorted(),
      [account.id],
    ]);
  });

  it('ends the oldest stream of an account over its limit, and the page does not reconnect', async () => {
    const first = await watch();
    for (let n = 0; n < STREAMS_PER_ACCOUNT_MAX; n += 1) await watch();
    await first.until('its end', () => first.isOver);
    expect(first.data('ended')).toEqual([{ reason: 'too_many_streams' }]);
    expect(pages.filter(({ isOver }) => isOver)).toEqual([first]);
  });

  it('ends within seconds after the sign-out and leaves other streams open', async () => {
    const headers = await signIn(server, account);
    const [mine, elsewhere] = [await watch(account, server, headers), await watch()];
    await other.inject({ method: 'POST', url: '/auth/logout', headers });
    await mine.until('its end', () => mine.isOver);
    expect(mine.data('ended')).toEqual([{ reason: 'signed_out' }]);
    expect(elsewhere.isOver).toBe(false);
    expect((await EventPage.open(server, account, headers)).status).toBe(401);
  });

  it.each([
    ['has expired', `UPDATE sessions SET expires_at = now() WHERE account_id = $1`],
    ['has been idle for too long', `UPDATE sessions SET seen_at = now() - interval '1 year' WHERE account_id = $1`],
    ['belongs to a blocked account', `UPDATE accounts SET blocked_at = now() WHERE id = $1`],
  ])('ends within seconds after the session %s, and leaves other streams open', async (_title, statement) => {
    const stranger = await createTestAccount(server);
    const [mine, theirs] = [await watch(), await watch(stranger)];
    await bed.database.sql(statement, [account.id]);
    await mine.until('its end', () => mine.isOver);
    expect(mine.data('ended')).toEqual([{ reason: 'signed_out' }]);
    expect(theirs.isOver).toBe(false);
  });

  it('answers 503 with Retry-After when the process is at its limit of streams', async () => {
    const full = await listeningServer(bed.config({ QUEUE_BACKEND: backend }));
    try {
      const streams = full.get(EventStreams);
      const response = () => new ServerResponse(new IncomingMessage(new Socket()));
      for (let n = 0; n < STREAMS_MAX; n += 1) streams.open(newMessageId(), 'token', response());
      const answer = await full.inject({ url: dashboardEventsPath, headers: await signIn(full, account) });
      expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '5']);
      expect(answer.json()).toMatchObject({ code: 'unavailable' });
    } finally {
      await full.close();
    }
  });

  it('answers 401 without a session, and HEAD without a body', async () => {
    expect((await server.inject({ url: dashboardEventsPath, headers: signedOut })).statusCode).toBe(401);
    const head = await server.inject({
      method: 'HEAD',
      url: dashboardEventsPath,
      headers: await signIn(server, account),
    });
    expect(head.body).toBe('');
  });

  it('lets the server stop promptly, also when a page does not read', async () => {
    const stopping = await listeningServer(bed.config({ QUEUE_BACKEND: backend }));
    const page = await watch(account, stopping);
    const startedAt = performance.now();
    await stopping.close();
    expect(performance.now() - startedAt).toBeLessThan(15_000);
    await page.until('its end', () => page.isOver);
    expect(page.count('ended')).toBe(0);
  });

  it('sends `live` again after the connection for account events was lost', async () => {
    const page = await watch();
    await breakSubscriptions();
    await send('unheard');
    await page.until('it is live again', () => page.count('live') === 2);
    const messageId = await send('heard');
    await page.until('the message', () => statesOf(page, messageId).length > 0);
    expect(page.isOver).toBe(false);
  });

  /** Closes every process's subscribed connection, and no other. */
  async function breakSubscriptions(): Promise<void> {
    if (backend === 'redis') {
      const clients = String(await bed.redis.client('LIST')).split('\n');
      const ours = clients.filter((line) => line.includes(` name=${queuePrefix(bed.config())}:news `));
      expect(ours.length).toBeGreaterThan(0);
      for (const line of ours) await bed.redis.client('KILL', 'ID', /^id=(\d+)/.exec(line)?.[1] ?? '');
    } else
      await bed.database.sql(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND query LIKE 'LISTEN "test_%:news"'`,
      );
  }
});

it('live updates survive an outage of Redis: streams stay open, messages are accepted, and `live` is sent when it is back', async () => {
  const { hostname: host, port } = new URL(testServices().redisUrl);
  const [bed, proxy] = [await createTestBed(), await startTcpProxy({ host, port: Number(port) })];
  const server = await listeningServer(bed.config({ REDIS_URL: `redis://127.0.0.1:${proxy.port}` }));
  try {
    const account = await createTestAccount(server);
    const page = await EventPage.live(server, account);
    proxy.set('gone');
    expect((await server.send({ to: TO, message: 'unheard', apikey: account.apiKey })).statusCode).toBe(200);
    const late = await EventPage.open(server, account);
    expect([late.status, late.count('live')]).toEqual([200, 0]);
    proxy.set('through');
    for (const one of [page, late]) await one.until('it is live', () => one.data('live').length > 0);
    await page.until('it is live again', () => page.count('live') === 2);
    await page.until('the processes report missed events', () => page.count('many') > 0);
    await server.send({ to: TO, message: 'heard', apikey: account.apiKey });
    await page.until('the message', () => page.data('message').some(({ message }) => message === 'heard'));
    expect([page.isOver, late.isOver]).toEqual([false, false]);
  } finally {
    await server.close();
    await proxy.close();
    await bed.remove();
  }
});
