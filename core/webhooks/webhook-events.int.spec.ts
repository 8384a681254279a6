import { randomUUID } from 'node:crypto';
import { Postgres } from '../platform/database/postgres.js';
import { createTestAccount } from '../testing/test-accounts.js';
import { createTestBed, type TestBed } from '../testing/test-bed.js';
import { createTestCore, type TestCore } from '../testing/test-core.js';
import { WebhookEndpoints } from './endpoints/webhook-endpoints.js';
import { WebhookEvents, type WebhookEvent } from './webhook-events.js';

const payload = {
  MessageId: `SM${'0'.repeat(32)}`,
  Sender: '+12025550142',
  Message: 'Yes 👍\u0000',
  Status: 'Received',
  DateTime: 'x',
};

describe('WebhookEvents', () => {
  let bed: TestBed;
  let core: TestCore;
  let accountId: string;

  beforeAll(async () => {
    bed = await createTestBed();
    core = await createTestCore(bed.config());
  });

  beforeEach(async () => {
    ({ id: accountId } = await createTestAccount(core));
  });

  afterAll(async () => {
    await core?.close();
    await bed?.remove();
  });

  const setUrl = (url: string) => core.get(WebhookEndpoints).setUrl(accountId, url);
  const received = (sourceId: string = randomUUID()): WebhookEvent => ({
    accountId,
    type: 'message.received',
    sourceId,
    payload,
  });
  const record = (...events: WebhookEvent[]) =>
    core.get(Postgres).transaction((tx) => core.get(WebhookEvents).recordAll(tx, events));
  const rows = () => bed.database.sql('SELECT * FROM webhook_deliveries WHERE account_id = $1', [accountId]);
  const isReceiving = async () => {
    const receiving = await core.get(Postgres).transaction((tx) => core.get(WebhookEvents).receiving(tx, [accountId]));
    return receiving.has(accountId);
  };

  it('records a received message for an account with a webhook URL, with the specified body', async () => {
    await setUrl('https://example.com/sms');
    const [id] = await record(received());
    expect(await rows()).toMatchObject([
      { id, type: 'message.received', body: JSON.stringify(payload), status: 'pending', attempts: 0 },
    ]);
  });

  it('records nothing for an account without a URL', async () => {
    expect(await record(received())).toEqual([undefined]);
    await setUrl('https://example.com/sms');
    await setUrl('');
    expect(await record(received())).toEqual([undefined]);
    expect(await rows()).toEqual([]);
  });

  it('records optional events for subscribed accounts only', async () => {
    await setUrl('https://example.com/sms');
    const sent: WebhookEvent = { accountId, type: 'message.sent', sourceId: randomUUID(), payload: { a: 1 } };
    expect(await record(sent)).toEqual([undefined]);
    await bed.database.sql(`UPDATE webhook_endpoints SET events = '{message.sent}' WHERE account_id = $1`, [accountId]);
    expect(await record(sent)).toEqual([expect.any(String)]);
    const [row] = await rows();
    expect(JSON.parse(String(row?.body))).toEqual({
      type: 'message.sent',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      data: { a: 1 },
    });
  });

  it('records one event per type and source, even concurrently', async () => {
    await setUrl('https://example.com/sms');
    const event = received();
    const answers = await Promise.all(Array.from({ length: 20 }, () => record(event)));
    expect(answers.flat().filter((id) => id !== undefined)).toHaveLength(1);
    expect(await rows()).toHaveLength(1);
  });

  it('rolls events back with the transaction that recorded them', async () => {
    await setUrl('https://example.com/sms');
    const undone = core.get(Postgres).transaction(async (tx) => {
      await core.get(WebhookEvents).record(tx, received());
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(await rows()).toEqual([]);
  });

  it('reports an account as receiving while it has a URL of its own', async () => {
    expect(await isReceiving()).toBe(false);
    await setUrl('https://example.com/sms');
    expect(await isReceiving()).toBe(true);
    await setUrl('https://pennytext.test');
    expect(await isReceiving()).toBe(false);
  });
});
