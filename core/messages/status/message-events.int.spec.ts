import { Postgres } from '../../platform/database/postgres.js';
import { publicMessageId } from '../../rules/ids.js';
import { acceptanceRow } from '../../testing/acceptance-rows.js';
import { eventually } from '../../testing/eventually.js';
import { moneyFaults } from '../../testing/money.js';
import { createTestAccount, type TestAccount } from '../../testing/test-accounts.js';
import { createTestBed, type TestBed } from '../../testing/test-bed.js';
import { createTestCore, type TestCore } from '../../testing/test-core.js';
import { WebhookEndpoints } from '../../webhooks/endpoints/webhook-endpoints.js';
import { WebhookEvents } from '../../webhooks/webhook-events.js';
import { Acceptance } from '../send/acceptance.js';
import { ClaimMessages } from '../dispatch/claim-messages.js';
import { StatusUpdates } from './status-updates.js';

const CARRIER_ID = `SM${'1'.repeat(32)}`;

describe('the events of messages', () => {
  let bed: TestBed;
  let core: TestCore;
  let subscribed: TestAccount;
  let other: TestAccount;

  beforeAll(async () => {
    bed = await createTestBed();
    core = await createTestCore(bed.config());
    [subscribed, other] = await Promise.all([createTestAccount(core), createTestAccount(core)]);
    for (const { id } of [subscribed, other]) await core.get(WebhookEndpoints).setUrl(id, 'https://example.com/sms');
  });

  afterAll(async () => {
    expect(await moneyFaults(bed.database)).toEqual([]);
    await core?.close();
    await bed?.remove();
  });

  async function sending(account: TestAccount, reference: string | null = null): Promise<string> {
    const row = acceptanceRow(core, account.apiKey, { price: 3, reference });
    await core.get(Acceptance).decide(row);
    await core.get(ClaimMessages).claim(row.id);
    return row.id;
  }
  const advance = (id: string, status: 'sent' | 'delivered' | 'undelivered') =>
    core
      .get(StatusUpdates)
      .apply({ id, status, carrierId: CARRIER_ID, carrierError: status === 'undelivered' ? 30_003 : null });
  const written = async (messageId: string) =>
    bed.database.sql<{ type: string; body: string; account_id: string }>(
      'SELECT type, body, account_id FROM webhook_deliveries WHERE source_id = $1 ORDER BY id',
      [messageId],
    );

  it('are not written without a subscriber', async () => {
    expect(await core.get(WebhookEvents).messageSubscribers()).toBeUndefined();
    const id = await sending(subscribed);
    await advance(id, 'sent');
    expect(await written(id)).toEqual([]);
  });

  it('include the acceptance of a scheduled message, once and to subscribers alone', async () => {
    const timing = { sendAt: new Date(Date.now() + 3_600_000), validitySeconds: null };
    const accept = async (account: TestAccount, changes: object = {}) => {
      const row = acceptanceRow(core, account.apiKey, { price: 3, reference: 'R', timing, ...changes });
      await core.get(Acceptance).decide(row);
      return row.id;
    };
    const listener = await createTestAccount(core, { credits: 10 });
    await core.get(WebhookEndpoints).setUrl(listener.id, 'https://example.com/sms');
    await core.get(WebhookEndpoints).setEvents(listener.id, ['message.scheduled']);
    await eventually(
      'the subscription is known',
      async () => (await core.get(WebhookEvents).messageSubscribers()) !== undefined,
    );
    const [id, retried] = [
      await accept(listener),
      await accept(listener, { idempotencyKey: 'a', bodyHash: Buffer.alloc(32) }),
    ];
    const again = await accept(listener, { idempotencyKey: 'a', bodyHash: Buffer.alloc(32) });
    const refused = await accept(listener, { price: 50 });
    const now = await accept(listener, { timing: undefined });
    const foreign = await accept(other);
    const [event] = await written(id);
    expect([event?.type, event?.account_id]).toEqual(['message.scheduled', listener.id]);
    expect(JSON.parse(event?.body ?? '')).toMatchObject({
      type: 'message.scheduled',
      data: {
        message_id: publicMessageId(id),
        to: expect.any(String),
        status: 'scheduled',
        credits: 3,
        refunded: 0,
        reference: 'R',
        send_at: timing.sendAt.toISOString(),
      },
    });
    expect(await written(retried)).toHaveLength(1);
    for (const unrecorded of [again, refused, now, foreign]) expect(await written(unrecorded)).toEqual([]);
    await bed.database.sql(`UPDATE webhook_endpoints SET events = '{}' WHERE account_id = $1`, [listener.id]);
    await eventually(
      'the end of the subscription is known',
      async () => (await core.get(WebhookEvents).messageSubscribers()) === undefined,
    );
  });

  it('need no connection beside that of their transaction', async () => {
    const narrow = await createTestCore(bed.config({ DATABASE_POOL_MAX: '1', DATABASE_WAIT_MS: '60000' }));
    try {
      const id = await sending(subscribed);
      const advanced = await narrow
        .get(Postgres)
        .transaction((tx) => narrow.get(StatusUpdates).applyIn(tx, { id, status: 'sent', carrierId: CARRIER_ID }));
      expect(advanced).toMatchObject({ id, status: 'sent' });
    } finally {
      await narrow.close();
    }
  }, 20_000);

  it('are written once each, with reference and refund and without the text, for those who asked', async () => {
    await core.get(WebhookEndpoints).setEvents(subscribed.id, ['message.sent', 'message.undelivered']);
    await eventually(
      'the subscription is known',
      async () => (await core.get(WebhookEvents).messageSubscribers()) !== undefined,
    );
    const id = await sending(subscribed, 'order 7');
    await Promise.all([advance(id, 'sent'), advance(id, 'sent')]);
    await Promise.all([advance(id, 'undelivered'), advance(id, 'undelivered')]);
    const events = await written(id);
    expect(events.map(({ type }) => type)).toEqual(['message.sent', 'message.undelivered']);
    expect(JSON.parse(events[1]?.body ?? '')).toEqual({
      type: 'message.undelivered',
      timestamp: expect.any(String),
      data: {
        message_id: publicMessageId(id),
        to: '+14155552671',
        status: 'undelivered',
        segments: 1,
        credits: 3,
        refunded: 3,
        reference: 'order 7',
        error_code: null,
        carrier_error: 30_003,
      },
    });
  });

  it('are not written for an account that did not ask, nor of a state it did not ask for', async () => {
    const [its, ours] = [await sending(other), await sending(subscribed)];
    await Promise.all([advance(its, 'sent'), advance(ours, 'delivered')]);
    expect(await written(its)).toEqual([]);
    expect((await written(ours)).map(({ type }) => type)).toEqual([]);
  });
});
