import { CarrierSenders } from '#core/carriers/carrier-senders.js';
import { Carriers } from '#core/carriers/carrier.js';
import { ClaimMessages } from '#core/messages/dispatch/claim-messages.js';
import { moneyFaults, moneyOf } from '#core/testing/money.js';
import { createTestAccount, type TestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { Postgres } from '#core/platform/database/postgres.js';
import { AccountEvents } from '#core/platform/events/account-events.js';
import { DispatchQueue } from '#core/platform/queue/queues.js';
import { createTestServer, type TestServer } from '../testing/test-server.js';

const MESSAGES = 450;

describe('POST /api/batches/{batch_id}/cancel', () => {
  let bed: TestBed;
  let servers: [TestServer, TestServer];
  let account: TestAccount;

  beforeAll(async () => {
    bed = await createTestBed();
    servers = [await createTestServer(bed.config()), await createTestServer(bed.config())];
  });

  beforeEach(async () => {
    account = await createTestAccount(servers[0], { credits: 1_000, dailyLimit: 10_000 });
  });

  afterEach(async () => {
    expect(await moneyFaults(bed.database)).toEqual([]);
  });

  afterAll(async () => {
    for (const server of servers ?? []) await server.close();
    await bed?.remove();
  });

  const post = (url: string, payload: object = {}, server = servers[0]) =>
    server.inject({ method: 'POST', url, headers: { authorization: `Bearer ${account.apiKey}` }, payload });
  const messages = Array.from({ length: MESSAGES }, (_one, n) => ({ to: `+1415${5_560_000 + n}`, message: 'Hello' }));
  const bulk = async (options: object = {}) =>
    (await post('/api/sendbulk', { messages, ...options })).json<{ batch_id: string }>().batch_id;
  const cancel = (id: string, server = servers[0]) => post(`/api/batches/${id}/cancel`, {}, server);

  it.each([
    ['queued', {}],
    ['scheduled', { send_at: new Date(Date.now() + 3_600_000).toISOString() }],
  ])('cancels %s messages, refunds each once, and leaves others', async (_title, options) => {
    await post('/api/sendsms', { to: '+14155552671', message: 'Stays' });
    const id = await bulk(options);
    expect(await moneyOf(bed.database, account.id)).toMatchObject({ balance: 549 });
    const first = await cancel(id);
    expect(first.statusCode).toBe(200);
    expect(first.json()).toMatchObject({
      batch_id: id,
      canceled: MESSAGES,
      refunded: MESSAGES,
      statuses: { canceled: MESSAGES },
    });
    expect((await cancel(id)).json()).toMatchObject({ canceled: 0, refunded: MESSAGES });
    expect(await moneyOf(bed.database, account.id)).toMatchObject({ balance: 999, messages: MESSAGES + 1 });
  });

  it('cancels each message once while two servers cancel and dispatch claims', async () => {
    const id = await bulk();
    const rows = await bed.database.sql<{ id: string }>(
      'SELECT id FROM messages WHERE account_id = $1 ORDER BY number DESC',
      [account.id],
    );
    const claims = new ClaimMessages(
      servers[1].get(Postgres),
      servers[1].get(AccountEvents),
      servers[1].get(DispatchQueue),
      servers[1].get(CarrierSenders),
      new Carriers([]),
      bed.config(),
    );
    const [one, two, claimed] = await Promise.all([
      cancel(id),
      cancel(id, servers[1]),
      Promise.all(rows.map((row) => claims.claim(row.id))),
    ]);
    const taken = claimed.filter((claim) => claim?.row.verdict === 'claimed').length;
    const canceled = [one, two].reduce((sum, answer) => sum + (answer.json<{ canceled?: number }>().canceled ?? 0), 0);
    expect(taken + canceled).toBe(MESSAGES);
    expect(await moneyOf(bed.database, account.id)).toMatchObject({ balance: 1_000 - taken });
  });

  it('is refused when all messages have left, and for another account', async () => {
    const id = await bulk();
    await bed.database.sql(`UPDATE messages SET status = 'sending', claimed_at = now() WHERE account_id = $1`, [
      account.id,
    ]);
    expect((await cancel(id)).json()).toMatchObject({ code: 'not_cancelable' });
    account = await createTestAccount(servers[0]);
    expect((await cancel(id)).json()).toMatchObject({ code: 'batch_not_found' });
  });
});
