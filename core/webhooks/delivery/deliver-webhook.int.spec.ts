import { payload, webhookScene } from '../testing/webhook-scene.js';
import { publicWebhookId } from '../../rules/ids.js';
import { eventually } from '../../testing/eventually.js';
import { ShowDeliveries } from '../deliveries/show-deliveries.js';
import { RotateSecret } from '../endpoints/rotate-secret.js';
import { ShowWebhook } from '../endpoints/show-webhook.js';
import { SwitchWebhook } from '../endpoints/switch-webhook.js';
import { WebhookUrl } from '../endpoints/webhook-url.js';
import { Receiver, status } from '../testing/receiver.js';
import { RecoverWebhooks } from './recover-webhooks.js';

/** A busy machine may look late. */
const SLACK_SECONDS = 20;

describe('webhooks', () => {
  const scene = webhookScene();
  const { record, run, row } = scene;

  const waitOf = async (id: string) => {
    const [found] = await scene.bed.database.sql<{ seconds: number }>(
      'SELECT extract(epoch FROM due_at - now())::float8 AS seconds FROM webhook_deliveries WHERE id = $1',
      [id],
    );
    return found?.seconds ?? NaN;
  };
  const endpoint = async () =>
    (await scene.bed.database.sql('SELECT * FROM webhook_endpoints WHERE account_id = $1', [scene.account.id]))[0];
  const makeDue = (id: string) =>
    scene.bed.database.sql('UPDATE webhook_deliveries SET due_at = now() WHERE id = $1', [id]);
  const shown = (id: string) => scene.core.get(ShowDeliveries).one(scene.account.id, publicWebhookId(id));
  const secret = async () => (await scene.core.get(ShowWebhook).run(scene.account.id)).secret;
  /** Its time has come, and a worker takes it up. */
  const again = async (id: string) => {
    await makeDue(id);
    await scene.core.get(RecoverWebhooks).run();
    await run(id);
  };

  it('arrive with the body of the specification, signed, and end as delivered', async () => {
    const id = await record();
    scene.receiver.answers(status(204));
    await run(id);
    expect(scene.receiver.received).toMatchObject([
      {
        path: '/sms?x=1',
        id: publicWebhookId(id),
        body: JSON.stringify(payload),
        headers: { 'content-type': 'application/json; charset=utf-8' },
      },
    ]);
    const [webhook] = scene.receiver.received;
    if (!webhook) throw new Error('It has come');
    expect(Receiver.verify(webhook, await secret())).toEqual(payload);
    expect(webhook.headers).not.toHaveProperty('cookie');
    expect(await row(id)).toMatchObject({ status: 'delivered', attempts: 1, due_at: null });
  });

  it('go out once, however many runners take one up', async () => {
    const id = await record();
    await Promise.all(Array.from({ length: 12 }, () => run(id)));
    await run(id);
    expect(scene.receiver.received).toHaveLength(1);
  });

  it('keep their id over nine failures and arrive at the tenth attempt, after waits that grow', async () => {
    const id = await record();
    scene.receiver.answers(...Array.from({ length: 9 }, () => status(500, 'not now')));
    const waits: number[] = [];
    await run(id);
    for (let failures = 1; failures <= 9; failures += 1) {
      expect(await row(id)).toMatchObject({ status: 'waiting', failures, attempts: failures });
      waits.push(await waitOf(id));
      await again(id);
    }
    const schedule = scene.bed.config().webhooks.retrySeconds;
    waits.forEach((wait, index) => {
      const least = schedule[index] ?? NaN;
      expect(wait).toBeGreaterThan(least - SLACK_SECONDS);
      expect(wait).toBeLessThanOrEqual(least * 1.1);
    });
    expect(new Set(scene.receiver.received.map((webhook) => webhook.id))).toEqual(new Set([publicWebhookId(id)]));
    expect(scene.receiver.received).toHaveLength(10);
    expect(await row(id)).toMatchObject({ status: 'delivered', attempts: 10 });
    const { attemptList } = await shown(id);
    expect(attemptList.map((attempt) => attempt.status)).toEqual([200, ...Array.from({ length: 9 }, () => 500)]);
    expect(attemptList[1]).toMatchObject({ answer: 'not now', error: null, durationMs: expect.any(Number) });
  });

  it('are marked failed after the tenth failure', async () => {
    const id = await record();
    scene.receiver.always(status(500));
    await scene.bed.database.sql('UPDATE webhook_deliveries SET failures = 9 WHERE id = $1', [id]);
    await run(id);
    expect(await row(id)).toMatchObject({ status: 'failed', due_at: null, finished_at: expect.any(Date) });
  });

  it.each([301, 302, 307, 308, 400, 404, 500])(
    'are tried again after %i, which no redirect is followed for',
    async (code) => {
      const id = await record();
      scene.receiver.answers(status(code, '', { location: `${scene.receiver.url}/elsewhere` }));
      await run(id);
      expect(await row(id)).toMatchObject({ status: 'waiting', failures: 1 });
      expect(scene.receiver.received.map(({ path }) => path)).toEqual(['/sms?x=1']);
    },
  );

  it.each([
    [429, '120', 120],
    [503, '120', 120],
    [503, 'in 10 minutes', 600],
    [429, '999999999', 86_400],
    [429, '0', 5],
    [500, '120', 5],
  ])('come back after %i when Retry-After %s has passed', async (code, header, seconds) => {
    const id = await record();
    const asked = header === 'in 10 minutes' ? new Date(Date.now() + 600_000).toUTCString() : header;
    scene.receiver.answers(status(code, '', { 'retry-after': asked }));
    await run(id);
    const wait = await waitOf(id);
    expect(wait).toBeGreaterThan(seconds - SLACK_SECONDS);
    expect(wait).toBeLessThanOrEqual(seconds * 1.1);
  });

  it('say in words why there was no answer', async () => {
    const id = await record();
    await scene.receiver.close();
    await run(id);
    expect((await shown(id)).attemptList).toMatchObject([
      { status: null, answer: '', error: 'The connection was refused.' },
    ]);
  });

  it('are signed with both secrets while one replaces the other, and with the new one alone afterwards', async () => {
    const before = await secret();
    await scene.core.get(RotateSecret).run(scene.account.id);
    const after = await secret();
    expect(after).not.toBe(before);
    await run(await record());
    await scene.bed.database.sql('UPDATE webhook_endpoints SET previous_secret_ends_at = now() WHERE account_id = $1', [
      scene.account.id,
    ]);
    await run(await record());
    const [first, second] = scene.receiver.received;
    if (!first || !second) throw new Error('Both have come');
    expect(Receiver.verify(first, before)).toEqual(payload);
    expect(Receiver.verify(first, after)).toEqual(payload);
    expect(Receiver.verify(second, after)).toEqual(payload);
    expect(() => Receiver.verify(second, before)).toThrow();
  });

  describe('turned off', () => {
    const mails = () =>
      scene.bed.database.sql(`SELECT content FROM mails WHERE account_id = $1 AND kind = 'webhook_disabled'`, [
        scene.account.id,
      ]);

    it('by 410 at once, with one e-mail to the owner; what comes waits and arrives when it is on again', async () => {
      const ids = [await record(), await record()] as const;
      scene.receiver.answers(status(410), status(410));
      await Promise.all(ids.map(run));
      expect(await endpoint()).toMatchObject({ disabled_reason: 'gone', disabled_at: expect.any(Date) });
      expect(await mails()).toEqual([
        { content: { kind: 'webhook_disabled', host: new URL(scene.receiver.url).host, reason: 'gone' } },
      ]);
      const later = await record();
      await run(later);
      await again(ids[0]);
      expect(scene.receiver.received).toHaveLength(2);
      expect(await row(later)).toMatchObject({ status: 'paused', attempts: 0 });
      expect(await row(ids[0])).toMatchObject({ status: 'paused', attempts: 1 });
      await scene.core.get(SwitchWebhook).enable(scene.account.id, 'account');
      await scene.core.get(RecoverWebhooks).run();
      await Promise.all([...ids, later].map(run));
      expect(await endpoint()).toMatchObject({ disabled_reason: null, failing_since: null });
      expect(await row(later)).toMatchObject({ status: 'delivered' });
      expect(await row(ids[0])).toMatchObject({ status: 'delivered' });
    });

    it('by five days of failures, and not by a shorter time or with a success between', async () => {
      scene.receiver.always(status(500));
      const since = (days: number) =>
        scene.bed.database.sql(
          `UPDATE webhook_endpoints SET failing_since = now() - make_interval(days => $2) WHERE account_id = $1`,
          [scene.account.id, days],
        );
      await run(await record());
      expect(await endpoint()).toMatchObject({ failing_since: expect.any(Date), disabled_at: null });
      await since(4);
      await run(await record());
      expect(await endpoint()).toMatchObject({ disabled_at: null });
      scene.receiver.answers(status(200));
      await run(await record());
      expect(await endpoint()).toMatchObject({ failing_since: null });
      await run(await record());
      await since(5);
      await run(await record());
      expect(await endpoint()).toMatchObject({ disabled_reason: 'failing' });
      expect(await mails()).toHaveLength(1);
    });

    it('by the operator, whom the owner cannot overrule; a new URL does not either', async () => {
      const { email } = scene.account;
      const switches = scene.core.get(SwitchWebhook);
      await switches.disable(email);
      await expect(switches.disable(email)).rejects.toMatchObject({ code: 'webhook_off' });
      await expect(switches.enable(scene.account.id, 'account')).rejects.toMatchObject({ code: 'webhook_off' });
      await scene.core.get(WebhookUrl).set(scene.account.id, `${scene.receiver.url}/new`);
      const id = await record();
      await run(id);
      expect(await row(id)).toMatchObject({ status: 'paused' });
      await switches.enableOf(email);
      await again(id);
      expect(await row(id)).toMatchObject({ status: 'delivered' });
      expect(scene.receiver.received).toMatchObject([{ path: '/new' }]);
    });

    it('goes on with a new URL', async () => {
      const id = await record();
      scene.receiver.answers(status(410));
      await run(id);
      await scene.core.get(WebhookUrl).set(scene.account.id, `${scene.receiver.url}/new`);
      expect(await endpoint()).toMatchObject({ disabled_at: null });
      await again(id);
      expect(await row(id)).toMatchObject({ status: 'delivered' });
    });

    it('by a late 410 of an earlier URL does not happen', async () => {
      const id = await record();
      scene.receiver.answers((response) => {
        void scene.core
          .get(WebhookUrl)
          .set(scene.account.id, `${scene.receiver.url}/new`)
          .then(() => response.writeHead(410).end());
      });
      await run(id);
      expect(await endpoint()).toMatchObject({ disabled_at: null });
    });

    it('for a week, ends what waited as failed', async () => {
      const id = await record();
      await scene.core.get(WebhookUrl).set(scene.account.id, '');
      await again(id);
      expect(await row(id)).toMatchObject({ status: 'paused' });
      await scene.bed.database.sql(
        `UPDATE webhook_deliveries SET created_at = now() - interval '7 days' WHERE id = $1`,
        [id],
      );
      await makeDue(id);
      await scene.core.get(RecoverWebhooks).run();
      expect(await row(id)).toMatchObject({ status: 'failed', due_at: null });
    });
  });

  describe('that are left behind', () => {
    it('by the queue are found once their time has come, and taken by one of many', async () => {
      const id = await record();
      const recover = scene.core.get(RecoverWebhooks);
      const before = await row(id);
      await recover.run();
      expect(await row(id)).toEqual({ ...before, wait: expect.anything() });
      await makeDue(id);
      const taken = await Promise.all([recover.run(), recover.run(), recover.run()]);
      expect(taken.reduce((sum, count) => sum + count, 0)).toBe(1);
    });

    it('by a dead worker go out again with the same id, without a failure; its late word changes nothing', async () => {
      const id = await record();
      let answer: () => void = () => undefined;
      scene.receiver.answers((response) => {
        answer = () => response.writeHead(500).end();
      });
      const dead = run(id);
      await eventually('it is under way', async () => scene.receiver.received.length === 1);
      expect(await row(id)).toMatchObject({ status: 'sending' });
      await again(id);
      expect(await row(id)).toMatchObject({ status: 'delivered', attempts: 2, failures: 0 });
      answer();
      await dead;
      expect(await row(id)).toMatchObject({ status: 'delivered', attempts: 2, failures: 0 });
      expect(new Set(scene.receiver.received.map((webhook) => webhook.id)).size).toBe(1);
      expect((await shown(id)).attemptList).toHaveLength(2);
    });
  });

  describe('to one receiver that hangs', () => {
    it('take up a few calls at a time; the others are put aside without an attempt, and come later', async () => {
      const open: (() => void)[] = [];
      scene.receiver.always((response) => open.push(() => response.end()));
      const ids = await Promise.all(Array.from({ length: 40 }, () => record()));
      const running = ids.map(run);
      await eventually('the lane is full', async () => open.length === 16);
      const [counts] = await scene.bed.database.sql(
        `SELECT count(*) FILTER (WHERE status = 'sending')::int AS sending,
           count(*) FILTER (WHERE status = 'pending' AND attempts = 0)::int AS aside
         FROM webhook_deliveries WHERE account_id = $1`,
        [scene.account.id],
      );
      expect(counts).toEqual({ sending: 16, aside: 24 });
      scene.receiver.always(status(200));
      open.forEach((answer) => answer());
      await Promise.all(running);
      await eventually('all have arrived', async () => {
        await scene.bed.database.sql(`UPDATE webhook_deliveries SET due_at = now() WHERE status = 'pending'`);
        await scene.core.get(RecoverWebhooks).run();
        for (const id of ids) await run(id);
        const [left] = await scene.bed.database.sql<{ count: number }>(
          `SELECT count(*)::int AS count FROM webhook_deliveries WHERE account_id = $1 AND status <> 'delivered'`,
          [scene.account.id],
        );
        return left?.count === 0;
      });
      expect(scene.receiver.received).toHaveLength(40);
    });
  });
});
