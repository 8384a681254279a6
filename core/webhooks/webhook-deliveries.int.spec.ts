import { setTimeout as pause } from 'node:timers/promises';
import { webhookScene } from './testing/webhook-scene.js';
import { instantOfUuidV7, publicWebhookId } from '../rules/ids.js';
import { createTestAccount } from '../testing/test-accounts.js';
import { WebhookDeliveries } from './webhook-deliveries.js';
import { WebhookEndpoints } from './endpoints/webhook-endpoints.js';
import { status } from './testing/receiver.js';
import { DeliverWebhook } from './delivery/deliver-webhook.js';

describe('WebhookDeliveries', () => {
  const scene = webhookScene();
  const { record, run, row } = scene;

  it('resends a delivery with the same id, from the start of the schedule', async () => {
    const id = await record();
    await run(id);
    scene.receiver.always(status(500));
    await scene.core.get(WebhookDeliveries).resend(scene.account.id, publicWebhookId(id));
    await run(id);
    expect(await row(id)).toMatchObject({ status: 'waiting', attempts: 2, failures: 1 });
    expect(scene.receiver.received.map((webhook) => webhook.id)).toEqual([publicWebhookId(id), publicWebhookId(id)]);
  });

  it('does not resend for another account, nor to an endpoint that is off', async () => {
    const id = await record();
    const other = await createTestAccount(scene.core);
    const deliveries = scene.core.get(WebhookDeliveries);
    await expect(deliveries.resend(other.id, publicWebhookId(id))).rejects.toMatchObject({
      code: 'delivery_not_found',
    });
    await scene.core.get(WebhookEndpoints).setUrl(scene.account.id, '');
    await expect(deliveries.resend(scene.account.id, publicWebhookId(id))).rejects.toMatchObject({
      code: 'webhook_off',
    });
  });

  it('replays a time range: the failed deliveries, or all', async () => {
    const [delivered, failed] = [await record(), await record()];
    await run(delivered);
    // The range ends at the millisecond of this one.
    await pause(2);
    const outside = await record();
    await scene.bed.database.sql(
      `UPDATE webhook_deliveries SET status = 'failed', due_at = NULL, finished_at = now() WHERE id = ANY ($1::uuid[])`,
      [[failed, outside]],
    );
    const from = new Date(Date.now() - 60_000);
    const to = instantOfUuidV7(outside);
    const replay = (which: 'failed' | 'all') =>
      scene.core.get(WebhookDeliveries).replay(scene.account.id, 'account', { from, to, which });
    expect(await replay('failed')).toEqual({ replayed: 1, more: false });
    expect([await row(delivered), await row(failed), await row(outside)]).toMatchObject([
      { status: 'delivered' },
      { status: 'waiting', failures: 0 },
      { status: 'failed' },
    ]);
    await scene.core.get(DeliverWebhook).recover();
    await run(failed);
    expect(await replay('all')).toEqual({ replayed: 2, more: false });
  });

  it('replays no call to the URL of a message', async () => {
    const callback = await record();
    await scene.bed.database.sql(
      `UPDATE webhook_deliveries SET status = 'failed', due_at = NULL, finished_at = now(), format = 'twilio',
         url = 'https://shop.example/', key_hash = '\\x00' WHERE id = $1`,
      [callback],
    );
    const range = { from: new Date(Date.now() - 60_000), to: new Date(Date.now() + 60_000), which: 'all' } as const;
    const replayed = await scene.core.get(WebhookDeliveries).replay(scene.account.id, 'account', range);
    expect([replayed, await row(callback)]).toMatchObject([{ replayed: 0 }, { status: 'failed' }]);
  });

  it('sends a test event in one attempt, even when the endpoint is off', async () => {
    await scene.core.get(WebhookEndpoints).disable(scene.account.id);
    scene.receiver.answers(status(500, 'oops'));
    const publicId = await scene.core.get(WebhookDeliveries).sendTest(scene.account.id, 'message.delivered');
    const [found] = await scene.bed.database.sql<{ id: string }>(
      'SELECT id FROM webhook_deliveries WHERE account_id = $1',
      [scene.account.id],
    );
    await run(found?.id ?? '');
    expect(await scene.core.get(WebhookDeliveries).show(scene.account.id, publicId)).toMatchObject({
      test: true,
      status: 'failed',
      attemptList: [{ status: 500, answer: 'oops' }],
    });
    expect(JSON.parse(scene.receiver.received[0]?.body ?? '')).toMatchObject({
      type: 'message.delivered',
      data: { status: 'delivered' },
    });
  });

  it.each([404, 410])('puts nothing into alarm by a test event that is answered with %d', async (code) => {
    scene.receiver.answers(status(code));
    await scene.core.get(WebhookDeliveries).sendTest(scene.account.id, 'message.received');
    const [found] = await scene.bed.database.sql<{ id: string }>(
      'SELECT id FROM webhook_deliveries WHERE account_id = $1',
      [scene.account.id],
    );
    await run(found?.id ?? '');
    expect(
      await scene.bed.database.sql(
        `SELECT d.status, e.failing_since, e.disabled_at FROM webhook_endpoints e
          JOIN webhook_deliveries d ON d.account_id = e.account_id WHERE e.account_id = $1`,
        [scene.account.id],
      ),
    ).toEqual([{ status: 'failed', failing_since: null, disabled_at: null }]);
  });
});
