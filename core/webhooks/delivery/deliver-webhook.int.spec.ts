import type { ServerResponse } from 'node:http';
import { payload, webhookScene } from '../testing/webhook-scene.js';
import { publicWebhookId } from '../../rules/ids.js';
import { eventually } from '../../testing/eventually.js';
import { answersAfter } from '../../testing/slow-claims.js';
import { WebhookDeliveries } from '../webhook-deliveries.js';
import { WebhookEndpoints } from '../endpoints/webhook-endpoints.js';
import { Receiver, status } from '../testing/receiver.js';
import { claimDeliveries } from './attempts.repository.js';
import { DeliverWebhook } from './deliver-webhook.js';
import { CALL_TIMEOUT_MS } from './webhook-client.js';

/** Allowance for a busy machine. */
const SLACK_SECONDS = 20;

describe('DeliverWebhook', () => {
  const scene = webhookScene();
  const { record, run, row } = scene;

  afterEach(() => jest.restoreAllMocks());

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
  const shown = (id: string) => scene.core.get(WebhookDeliveries).show(scene.account.id, publicWebhookId(id));
  const secret = async () => (await scene.core.get(WebhookEndpoints).show(scene.account.id)).secret;
  /** Makes the delivery due, recovers it and runs its job. */
  const again = async (id: string) => {
    await makeDue(id);
    await scene.core.get(DeliverWebhook).recover();
    await run(id);
  };

  it('sends the specified body, signed, and records the delivery as delivered', async () => {
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

  it('calls once when several runners take the same delivery', async () => {
    const id = await record();
    await Promise.all(Array.from({ length: 12 }, () => run(id)));
    await run(id);
    expect(scene.receiver.received).toHaveLength(1);
  });

  it('calls only while the lease of 30 s outlasts a call; recovery takes the delivery later', async () => {
    const id = await record();
    answersAfter(scene.core, claimDeliveries.name, 30_000 - CALL_TIMEOUT_MS + 500);
    await run(id);
    expect(scene.receiver.received).toEqual([]);
    expect(await row(id)).toMatchObject({ status: 'sending', attempts: 1, failures: 0 });
    jest.restoreAllMocks();
    await makeDue(id);
    await scene.core.get(DeliverWebhook).recover();
    answersAfter(scene.core, claimDeliveries.name, 30_000 - CALL_TIMEOUT_MS - 5_000);
    await run(id);
    expect(scene.receiver.received).toHaveLength(1);
  });

  it.each([
    [999, 'pending'],
    [1_000, 'failed'],
  ])('after %i claims that ended no attempt, a delivery is %s: it crashes its workers', async (attempts, state) => {
    const id = await record();
    await scene.bed.database.sql(`UPDATE webhook_deliveries SET status = 'sending', attempts = $2 WHERE id = $1`, [
      id,
      attempts,
    ]);
    await makeDue(id);
    await scene.core.get(DeliverWebhook).recover();
    expect(await row(id)).toMatchObject({ status: state, finished_at: state === 'failed' ? expect.any(Date) : null });
  });

  it('retries with the same id after growing waits, up to the tenth attempt', async () => {
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

  it('marks a delivery failed after the tenth failure', async () => {
    const id = await record();
    scene.receiver.always(status(500));
    await scene.bed.database.sql('UPDATE webhook_deliveries SET failures = 9 WHERE id = $1', [id]);
    await run(id);
    expect(await row(id)).toMatchObject({ status: 'failed', due_at: null, finished_at: expect.any(Date) });
  });

  it.each([301, 302, 307, 308, 400, 404, 500])('retries after %i without following a redirect', async (code) => {
    const id = await record();
    scene.receiver.answers(status(code, '', { location: `${scene.receiver.url}/elsewhere` }));
    await run(id);
    expect(await row(id)).toMatchObject({ status: 'waiting', failures: 1 });
    expect(scene.receiver.received.map(({ path }) => path)).toEqual(['/sms?x=1']);
  });

  it.each([
    [429, '120', 120],
    [503, '120', 120],
    [503, 'in 10 minutes', 600],
    [429, '999999999', 86_400],
    [429, '0', 5],
    [500, '120', 5],
  ])('waits after %i with Retry-After %s', async (code, header, seconds) => {
    const id = await record();
    const asked = header === 'in 10 minutes' ? new Date(Date.now() + 600_000).toUTCString() : header;
    scene.receiver.answers(status(code, '', { 'retry-after': asked }));
    await run(id);
    const wait = await waitOf(id);
    expect(wait).toBeGreaterThan(seconds - SLACK_SECONDS);
    expect(wait).toBeLessThanOrEqual(seconds * 1.1);
  });

  it('records why there was no answer', async () => {
    const id = await record();
    await scene.receiver.close();
    await run(id);
    expect((await shown(id)).attemptList).toMatchObject([
      { status: null, answer: '', error: 'The connection was refused.' },
    ]);
  });

  it('signs with both secrets during a rotation, and with the new one only afterwards', async () => {
    const before = await secret();
    await scene.core.get(WebhookEndpoints).rotateSecret(scene.account.id);
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

  describe('with an endpoint that is turned off', () => {
    const mails = () =>
      scene.bed.database.sql(`SELECT content FROM mails WHERE account_id = $1 AND kind = 'webhook_disabled'`, [
        scene.account.id,
      ]);

    it('turns it off after 410 with one email; deliveries pause and arrive when it is on again', async () => {
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
      await scene.core.get(WebhookEndpoints).enable(scene.account.id, 'account');
      await scene.core.get(DeliverWebhook).recover();
      await Promise.all([...ids, later].map(run));
      expect(await endpoint()).toMatchObject({ disabled_reason: null, failing_since: null });
      expect(await row(later)).toMatchObject({ status: 'delivered' });
      expect(await row(ids[0])).toMatchObject({ status: 'delivered' });
    });

    it('emails the owner after half an hour of failures, once for each run of them', async () => {
      scene.receiver.always(status(500));
      const warnings = () =>
        scene.bed.database.sql(`SELECT content FROM mails WHERE account_id = $1 AND kind = 'webhook_failing'`, [
          scene.account.id,
        ]);
      const since = (minutes: number) =>
        scene.bed.database.sql(
          `UPDATE webhook_endpoints SET failing_since = now() - make_interval(mins => $2) WHERE account_id = $1`,
          [scene.account.id, minutes],
        );
      await run(await record());
      await since(29);
      await run(await record());
      expect(await warnings()).toEqual([]);
      await since(31);
      await run(await record());
      await run(await record());
      const { host } = new URL(scene.receiver.url);
      expect(await warnings()).toMatchObject([{ content: { kind: 'webhook_failing', host, failure: 'HTTP 500' } }]);
      await since(45);
      await run(await record());
      expect(await warnings()).toHaveLength(2);
      // The retries of these deliveries would come during other tests.
      await scene.bed.database.sql('DELETE FROM webhook_deliveries WHERE account_id = $1', [scene.account.id]);
    });

    it('turns it off after five days of failures, not earlier and not with a success between', async () => {
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

    it('keeps it off when the operator turned it off, whatever its owner sets', async () => {
      const { id: accountId } = scene.account;
      const endpoints = scene.core.get(WebhookEndpoints);
      await endpoints.disable(accountId);
      await expect(endpoints.disable(accountId)).rejects.toMatchObject({ code: 'webhook_off' });
      await expect(endpoints.enable(accountId, 'account')).rejects.toMatchObject({ code: 'webhook_off' });
      await scene.core.get(WebhookEndpoints).setUrl(scene.account.id, `${scene.receiver.url}/new`);
      const id = await record();
      await run(id);
      expect(await row(id)).toMatchObject({ status: 'paused' });
      await endpoints.enable(accountId, 'operator');
      await again(id);
      expect(await row(id)).toMatchObject({ status: 'delivered' });
      expect(scene.receiver.received).toMatchObject([{ path: '/new' }]);
    });

    it('turns it on with a new URL', async () => {
      const id = await record();
      scene.receiver.answers(status(410));
      await run(id);
      await scene.core.get(WebhookEndpoints).setUrl(scene.account.id, `${scene.receiver.url}/new`);
      expect(await endpoint()).toMatchObject({ disabled_at: null });
      await again(id);
      expect(await row(id)).toMatchObject({ status: 'delivered' });
    });

    it('ignores a late 410 of an earlier URL', async () => {
      const id = await record();
      scene.receiver.answers((response) => {
        void scene.core
          .get(WebhookEndpoints)
          .setUrl(scene.account.id, `${scene.receiver.url}/new`)
          .then(() => response.writeHead(410).end());
      });
      await run(id);
      expect(await endpoint()).toMatchObject({ disabled_at: null });
    });

    it('fails a delivery that has been paused for a week', async () => {
      const id = await record();
      await scene.core.get(WebhookEndpoints).setUrl(scene.account.id, '');
      await again(id);
      expect(await row(id)).toMatchObject({ status: 'paused' });
      await scene.bed.database.sql(
        `UPDATE webhook_deliveries SET created_at = now() - interval '7 days' WHERE id = $1`,
        [id],
      );
      await makeDue(id);
      await scene.core.get(DeliverWebhook).recover();
      expect(await row(id)).toMatchObject({ status: 'failed', due_at: null });
    });
  });

  describe('recovery', () => {
    it('takes a delivery that the queue lost once it is due, in one of several workers', async () => {
      const id = await record();
      const worker = scene.core.get(DeliverWebhook);
      const before = await row(id);
      await worker.recover();
      expect(await row(id)).toEqual({ ...before, wait: expect.anything() });
      // Deliveries of earlier tests are on their retry schedule.
      await scene.bed.database.sql(`UPDATE webhook_deliveries SET due_at = due_at + interval '1 day' WHERE id <> $1`, [
        id,
      ]);
      await makeDue(id);
      const taken = await Promise.all([worker.recover(), worker.recover(), worker.recover()]);
      expect(taken.reduce((sum, count) => sum + count, 0)).toBe(1);
    });

    it('resends after an expired lease with the same id; the late outcome of the old claim changes nothing', async () => {
      const id = await record();
      let answer: () => void = () => undefined;
      scene.receiver.answers((response) => {
        answer = () => response.writeHead(500).end();
      });
      const dead = run(id);
      await eventually('the call is in flight', async () => scene.receiver.received.length === 1);
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

  it('ignores the outcome of an old claim while a newer one is in flight', async () => {
    const id = await record();
    const answers: ((code: number) => void)[] = [];
    const hang = (response: ServerResponse) => void answers.push((code) => response.writeHead(code).end());
    scene.receiver.answers(hang, hang);
    const runs = [run(id)];
    await eventually('the first call is in flight', async () => answers.length === 1);
    await makeDue(id);
    await scene.core.get(DeliverWebhook).recover();
    runs.push(run(id));
    await eventually('the second call is in flight', async () => answers.length === 2);
    answers[0]?.(500);
    await runs[0];
    expect(await row(id)).toMatchObject({ status: 'sending', attempts: 2, failures: 0, finished_at: null });
    answers[1]?.(200);
    await runs[1];
    expect(await row(id)).toMatchObject({ status: 'delivered', attempts: 2, failures: 0 });
  });

  describe('with a receiver that hangs', () => {
    it('makes a few calls at a time and postpones the other deliveries without an attempt', async () => {
      const open: (() => void)[] = [];
      scene.receiver.always((response) => open.push(() => response.end()));
      const ids = await Promise.all(Array.from({ length: 40 }, () => record()));
      const running = ids.map(run);
      await eventually('all slots are taken', async () => open.length === 16);
      const [counts] = await scene.bed.database.sql(
        `SELECT count(*) FILTER (WHERE status = 'sending')::int AS sending,
           count(*) FILTER (WHERE status = 'pending' AND attempts = 0)::int AS postponed
         FROM webhook_deliveries WHERE account_id = $1`,
        [scene.account.id],
      );
      expect(counts).toEqual({ sending: 16, postponed: 24 });
      scene.receiver.always(status(200));
      open.forEach((answer) => answer());
      await Promise.all(running);
      await eventually('all have arrived', async () => {
        await scene.bed.database.sql(`UPDATE webhook_deliveries SET due_at = now() WHERE status = 'pending'`);
        await scene.core.get(DeliverWebhook).recover();
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
