import { webhookScene } from '../testing/webhook-scene.js';
import { instantOfUuidV7, publicWebhookId } from '../../rules/ids.js';
import { createTestAccount } from '../../testing/test-accounts.js';
import { SendAgain } from './send-again.js';
import { SendTestEvent } from './send-test-event.js';
import { ShowDeliveries } from './show-deliveries.js';
import { SwitchWebhook } from '../endpoints/switch-webhook.js';
import { WebhookUrl } from '../endpoints/webhook-url.js';
import { status } from '../testing/receiver.js';
import { RecoverWebhooks } from '../delivery/recover-webhooks.js';

describe('webhooks', () => {
  const scene = webhookScene();
  const { record, run, row } = scene;

  describe('by hand', () => {
    it('are sent again with the same id, from the start of the schedule', async () => {
      const id = await record();
      await run(id);
      scene.receiver.always(status(500));
      await scene.core.get(SendAgain).one(scene.account.id, publicWebhookId(id));
      await run(id);
      expect(await row(id)).toMatchObject({ status: 'waiting', attempts: 2, failures: 1 });
      expect(scene.receiver.received.map((webhook) => webhook.id)).toEqual([publicWebhookId(id), publicWebhookId(id)]);
    });

    it('are not sent again by somebody else, nor to a webhook that is off', async () => {
      const id = await record();
      const other = await createTestAccount(scene.core);
      const sendAgain = scene.core.get(SendAgain);
      await expect(sendAgain.one(other.id, publicWebhookId(id))).rejects.toMatchObject({ code: 'delivery_not_found' });
      await scene.core.get(WebhookUrl).set(scene.account.id, '');
      await expect(sendAgain.one(scene.account.id, publicWebhookId(id))).rejects.toMatchObject({ code: 'webhook_off' });
    });

    it('of a time range are sent again: those that failed, or all', async () => {
      const [delivered, failed, outside] = [await record(), await record(), await record()];
      await run(delivered);
      await scene.bed.database.sql(
        `UPDATE webhook_deliveries SET status = 'failed', due_at = NULL, finished_at = now() WHERE id = ANY ($1::uuid[])`,
        [[failed, outside]],
      );
      const from = new Date(Date.now() - 60_000);
      const to = instantOfUuidV7(outside);
      const replay = (which: 'failed' | 'all') =>
        scene.core.get(SendAgain).range(scene.account.id, 'account', { from, to, which });
      expect(await replay('failed')).toEqual({ replayed: 1, more: false });
      expect([await row(delivered), await row(failed), await row(outside)]).toMatchObject([
        { status: 'delivered' },
        { status: 'waiting', failures: 0 },
        { status: 'failed' },
      ]);
      await scene.core.get(RecoverWebhooks).run();
      await run(failed);
      expect(await replay('all')).toEqual({ replayed: 2, more: false });
    });

    it('are tested with an example, once, also when the webhook is off', async () => {
      await scene.core.get(SwitchWebhook).disable(scene.account.email);
      scene.receiver.answers(status(500, 'oops'));
      const publicId = await scene.core.get(SendTestEvent).run(scene.account.id, 'message.delivered');
      const [found] = await scene.bed.database.sql<{ id: string }>(
        'SELECT id FROM webhook_deliveries WHERE account_id = $1',
        [scene.account.id],
      );
      await run(found?.id ?? '');
      expect(await scene.core.get(ShowDeliveries).one(scene.account.id, publicId)).toMatchObject({
        test: true,
        status: 'failed',
        attemptList: [{ status: 500, answer: 'oops' }],
      });
      expect(JSON.parse(scene.receiver.received[0]?.body ?? '')).toMatchObject({
        type: 'message.delivered',
        data: { status: 'delivered' },
      });
    });
  });
});
