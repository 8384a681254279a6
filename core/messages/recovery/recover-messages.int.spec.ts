import { getQueueToken } from '@nestjs/bullmq';
import type { Queue } from 'bullmq';
import { Config } from '../../platform/config/config.js';
import { queueNames, type DispatchPayload } from '../../platform/queue/queues.js';
import { acceptanceRow } from '../../testing/acceptance-rows.js';
import { moneyFaults } from '../../testing/money.js';
import { createTestAccount, type TestAccount } from '../../testing/test-accounts.js';
import { createTestBed, type TestBed } from '../../testing/test-bed.js';
import { createTestCore, type TestCore } from '../../testing/test-core.js';
import { Acceptance } from '../send/acceptance.js';
import type { CarrierMessage } from '../../carriers/carrier.js';
import { DispatchMessage } from '../dispatch/dispatch-message.js';
import { StatusUpdates } from '../status/status-updates.js';
import type { CheckKind } from '../store/checks.sql.js';
import { RecoverMessages } from './recover-messages.js';
import { SettleClaim } from './settle-claim.js';

describe('RecoverMessages', () => {
  let bed: TestBed;
  let core: TestCore;
  let other: TestCore;
  let queue: Queue<DispatchPayload>;
  let account: TestAccount;

  beforeAll(async () => {
    bed = await createTestBed();
    const patient = bed.config({ CARRIER_LOOKUP_SECONDS: '300' });
    [core, other] = await Promise.all([createTestCore(bed.config()), createTestCore(patient)]);
    queue = core.named<Queue<DispatchPayload>>(getQueueToken(queueNames.dispatch));
  });

  beforeEach(async () => {
    core.carrier.forget();
    other.carrier.forget();
    await bed.database.sql("UPDATE messages SET claimed_at = claimed_at - interval '1 hour'");
    await bed.database.sql('DELETE FROM message_checks');
    await bed.forgetQueue();
    await core.get(RecoverMessages).run();
    account = await createTestAccount(core, { credits: 1_000 });
  });

  afterEach(async () => {
    expect(await moneyFaults(bed.database)).toEqual([]);
  });

  afterAll(async () => {
    await Promise.all([core?.close(), other?.close()]);
    await bed?.remove();
  });

  /** Stores a queued message that is in no queue. */
  async function accept(body = 'Hello'): Promise<CarrierMessage> {
    const row = acceptanceRow(core, account.apiKey, { body });
    await core.get(Acceptance).decide(row);
    return { id: row.id, accountId: account.id, recipient: row.recipient ?? '', sender: row.sender ?? '', body };
  }

  /** A message whose worker died, or whose answer was lost, this many seconds ago. */
  async function claimed(secondsAgo: number, body = 'Hello'): Promise<CarrierMessage> {
    const message = await accept(body);
    await bed.database.sql(
      `UPDATE messages SET status = 'sending', attempts = 1, claimed_at = now() - make_interval(secs => $2)
       WHERE id = $1`,
      [message.id, secondsAgo],
    );
    await makeDue(message.id);
    return message;
  }

  async function sent(secondsAgo: number): Promise<{ id: string; carrierId: string }> {
    const message = await accept();
    const { carrierId } = core.carrier.take(message);
    await bed.database.sql(
      `UPDATE messages SET status = 'sent', carrier_id = $2, attempts = 1, sent_at = now() - make_interval(secs => $3),
         claimed_at = now() - make_interval(secs => $3), created_at = now() - make_interval(secs => $3) WHERE id = $1`,
      [message.id, carrierId, secondsAgo],
    );
    await makeDue(message.id);
    return { id: message.id, carrierId };
  }

  const makeDue = (id: string) =>
    bed.database.sql(`UPDATE message_checks SET due_at = now() - interval '1 second' WHERE $1 = ANY (message_ids)`, [
      id,
    ]);
  const settleSoon = async (id: string) => {
    await core.get(StatusUpdates).settleSoon(id);
    await makeDue(id);
  };
  const rowOf = async (id: string) =>
    (
      await bed.database.sql(
        `SELECT *, (
           SELECT extract(epoch FROM min(c.due_at) - now())::float FROM message_checks c
           WHERE m.id = ANY (c.message_ids)
         ) AS due_seconds
         FROM messages m WHERE id = $1`,
        [id],
      )
    )[0];
  const isQueued = async (id: string) =>
    (await queue.getJobs(['waiting', 'prioritized'])).some(({ data }) =>
      data.messages.some(({ messageId }) => messageId === id),
    );

  it('enqueues queued messages that are due again', async () => {
    const [lost, fresh] = [await accept(), await accept()];
    await makeDue(lost.id);
    expect(await core.get(RecoverMessages).run()).toBe(1);
    expect([await isQueued(lost.id), await isQueued(fresh.id)]).toEqual([true, false]);
    expect((await rowOf(lost.id))?.due_seconds).toBeGreaterThan(10);
  });

  it('enqueues one job however many workers find the message', async () => {
    const { id } = await accept();
    for (const one of [core, other, core]) {
      await makeDue(id);
      await one.get(RecoverMessages).run();
    }
    expect(await queue.getJobCountByTypes('waiting', 'prioritized', 'delayed')).toBe(1);
  });

  it('shares what is due between workers, each message once', async () => {
    const messages = await Promise.all(Array.from({ length: 40 }, () => accept()));
    await Promise.all(messages.map(({ id }) => makeDue(id)));
    const counts = await Promise.all([core.get(RecoverMessages).run(), other.get(RecoverMessages).run()]);
    expect(counts[0] + counts[1]).toBe(40);
  });

  it('enqueues all queued messages at once when Redis has lost its data', async () => {
    const messages = await Promise.all(Array.from({ length: 30 }, () => accept()));
    expect(await core.get(RecoverMessages).run()).toBe(0);
    await bed.forgetQueue();
    expect(await core.get(RecoverMessages).run()).toBe(30);
    for (const { id } of messages) expect(await isQueued(id)).toBe(true);
  });

  it('enqueues lost messages before it asks the carrier about others', async () => {
    const [lost] = [await accept(), await claimed(60)];
    await makeDue(lost.id);
    let isEarlier: boolean | undefined;
    jest.spyOn(core.get(SettleClaim), 'settle').mockImplementationOnce(async () => {
      isEarlier = await isQueued(lost.id);
    });
    expect(await core.get(RecoverMessages).run()).toBe(2);
    expect(isEarlier).toBe(true);
  });

  it('records what the carrier has, and does not send it again', async () => {
    const message = await claimed(5);
    await settleSoon(message.id);
    const { carrierId } = core.carrier.take(message);
    await core.get(RecoverMessages).run();
    expect(await rowOf(message.id)).toMatchObject({ status: 'sent', carrier_id: carrierId });
    expect(await isQueued(message.id)).toBe(false);
    expect(core.carrier.calls).toEqual([]);
  });

  it('records how the carrier’s message ended meanwhile, with the credits back and the reason', async () => {
    const message = await claimed(60);
    const { carrierId } = core.carrier.take(message);
    core.carrier.end(carrierId, 'undelivered', 30_005);
    await core.get(RecoverMessages).run();
    expect(await rowOf(message.id)).toMatchObject({
      status: 'undelivered',
      carrier_error: 30_005,
      refunded: 1,
      error_code: 'not_delivered',
    });
  });

  it('gives each of two equal messages one of the carrier’s two records', async () => {
    const twins = [await claimed(60), await claimed(60)];
    const records = twins.map((twin) => core.carrier.take(twin).carrierId);
    other.carrier.records.push(...core.carrier.records);
    await Promise.all([core.get(RecoverMessages).run(), other.get(RecoverMessages).run()]);
    const rows = await Promise.all(twins.map(({ id }) => rowOf(id)));
    expect(rows.map((row) => row?.status)).toEqual(['sent', 'sent']);
    expect(rows.map((row) => row?.carrier_id as string).sort()).toEqual(records.sort());
  });

  it('gives the carrier’s one record to one of two equal messages and sends the other again', async () => {
    const twins = [await claimed(60), await claimed(60)];
    core.carrier.take(twins[0] as CarrierMessage);
    await core.get(RecoverMessages).run();
    const statuses = await Promise.all(twins.map(async ({ id }) => (await rowOf(id))?.status as string));
    expect(statuses.sort()).toEqual(['queued', 'sent']);
  });

  it('leaves a record that may be the answer of an equal message in a worker’s hands', async () => {
    const [stale, live] = [await claimed(60, 'Twins'), await claimed(0, 'Twins')];
    await bed.database.sql(
      `UPDATE message_checks SET due_at = now() + interval '1 minute' WHERE $1 = ANY (message_ids)`,
      [live.id],
    );
    core.carrier.take(live);
    await core.get(RecoverMessages).run();
    expect(await rowOf(stale.id)).toMatchObject({ status: 'sending', carrier_id: null });
    expect(core.carrier.calls).toEqual([]);
  });

  it.each([
    ['another text', { body: 'Other' }],
    ['another sender', { sender: '+15005550099' }],
    ['another recipient', { recipient: '+14155550199' }],
  ])('takes a record of %s for another message', async (_title, change) => {
    const message = await claimed(60);
    core.carrier.take({ ...message, ...change });
    await core.get(RecoverMessages).run();
    expect(await rowOf(message.id)).toMatchObject({ status: 'queued' });
  });

  it('takes an older record for another message', async () => {
    const message = await claimed(60);
    core.carrier.take(message, new Date(Date.now() - 600_000));
    await core.get(RecoverMessages).run();
    expect(await rowOf(message.id)).toMatchObject({ status: 'queued' });
  });

  it('sends again what the carrier does not know once the lease is over', async () => {
    const message = await claimed(60);
    await core.get(RecoverMessages).run();
    expect(await rowOf(message.id)).toMatchObject({ status: 'queued' });
    expect(await isQueued(message.id)).toBe(true);
    await core.get(DispatchMessage).dispatch(message.id);
    expect(await rowOf(message.id)).toMatchObject({ status: 'sent', attempts: 2 });
    expect(core.carrier.calls).toHaveLength(1);
  });

  it('leaves alone what the carrier does not know while the lease lasts', async () => {
    const message = await claimed(10);
    await settleSoon(message.id);
    await core.get(RecoverMessages).run();
    expect(await rowOf(message.id)).toMatchObject({ status: 'sending' });
    expect(await isQueued(message.id)).toBe(false);
  });

  it('leaves everything as it is while the carrier cannot be asked, and comes back', async () => {
    const [message, waiting] = [await claimed(60), await sent(120)];
    core.carrier.deaf = true;
    expect(await core.get(RecoverMessages).run()).toBe(2);
    expect(await rowOf(message.id)).toMatchObject({ status: 'sending' });
    expect(await rowOf(waiting.id)).toMatchObject({ status: 'sent' });
    core.carrier.deaf = false;
    await makeDue(message.id);
    await core.get(RecoverMessages).run();
    expect(await rowOf(message.id)).toMatchObject({ status: 'queued' });
  });

  it('does not take back a claim that another worker has made meanwhile', async () => {
    const message = await claimed(60);
    const listed = jest.spyOn(core.carrier, 'listTo').mockImplementationOnce(async () => {
      await bed.database.sql(`UPDATE messages SET claimed_at = now(), attempts = attempts + 1 WHERE id = $1`, [
        message.id,
      ]);
      return [];
    });
    await core.get(RecoverMessages).run();
    expect(await rowOf(message.id)).toMatchObject({ status: 'sending' });
    expect(await isQueued(message.id)).toBe(false);
    listed.mockRestore();
  });

  it.each([
    ['delivered', null, 0],
    ['undelivered', 30_003, 1],
    ['failed', 30_008, 1],
  ] as const)('asks for the receipt that did not come: %s', async (status, carrierError, refunded) => {
    const { id, carrierId } = await sent(120);
    core.carrier.end(carrierId, status, carrierError);
    await core.get(RecoverMessages).run();
    expect(await rowOf(id)).toMatchObject({ status, carrier_error: carrierError, refunded });
  });

  it.each([
    [30, 30],
    [120, 120],
    [3_600, 3_600],
    [86_400, 86_400],
  ])('asks ever less often: %i seconds after sending in another %i', async (ageSeconds, waitSeconds) => {
    const { id } = await sent(ageSeconds);
    await core.get(RecoverMessages).run();
    const row = await rowOf(id);
    expect(row?.status).toBe('sent');
    expect(Math.abs(Number(row?.due_seconds) - waitSeconds)).toBeLessThan(15);
  });

  it('first asks after CARRIER_LOOKUP_SECONDS', async () => {
    const { id } = await sent(30);
    await other.get(RecoverMessages).run();
    expect(Math.abs(Number((await rowOf(id))?.due_seconds) - 270)).toBeLessThan(15);
  });

  it('stops asking after four days', async () => {
    const { id } = await sent(4 * 86_400 + 60);
    await core.get(RecoverMessages).run();
    expect(await rowOf(id)).toMatchObject({ status: 'sent', due_seconds: null });
  });

  interface Check {
    readonly kind: CheckKind;
    readonly ids: string[];
    readonly seconds: number;
  }
  const checks = () =>
    bed.database.sql<Check>(
      `SELECT kind, message_ids AS ids, extract(epoch FROM due_at - now())::float8 AS seconds
        FROM message_checks ORDER BY due_at, id`,
    );
  const makeChecksDue = () => bed.database.sql(`UPDATE message_checks SET due_at = now() - interval '1 second'`);
  /** Stores a message as dispatch leaves it, with the age of its claim or response in seconds. */
  async function dispatched(status: 'sending' | 'sent', secondsAgo: number, acceptedSecondsAgo = secondsAgo) {
    const message = await accept(`Hello ${secondsAgo}`);
    const { carrierId } = core.carrier.take(message);
    await bed.database.sql(
      `UPDATE messages SET status = $2, attempts = 1, created_at = now() - make_interval(secs => $5),
         claimed_at = now() - make_interval(secs => $4), carrier_id = CASE WHEN $2 = 'sent' THEN $3 END,
         sent_at = CASE WHEN $2 = 'sent' THEN now() - make_interval(secs => $4) END WHERE id = $1`,
      [message.id, status, carrierId, secondsAgo, acceptedSecondsAgo],
    );
    return { id: message.id, carrierId };
  }

  it('is promised at acceptance, once for a whole batch, and leaves the messages themselves alone', async () => {
    const messages = await Promise.all(Array.from({ length: 10 }, () => accept()));
    const written = await checks();
    expect(written.length).toBeLessThan(messages.length);
    expect(written.flatMap(({ ids }) => ids).toSorted()).toEqual(messages.map(({ id }) => id).toSorted());
    await makeChecksDue();
    expect(await core.get(RecoverMessages).run()).toBe(10);
    for (const { id } of messages) expect(await rowOf(id)).toMatchObject({ status: 'queued' });
    const [next, ...others] = await checks();
    expect([next?.kind, next?.ids.length, others]).toEqual(['queued', 10, []]);
    expect(next?.seconds).toBeGreaterThan(13);
  });

  it('shares checks between workers, each message once', async () => {
    for (let count = 0; count < 20; count += 1) await accept();
    await makeChecksDue();
    const counts = await Promise.all([core.get(RecoverMessages).run(), other.get(RecoverMessages).run()]);
    expect(counts[0] + counts[1]).toBe(20);
  });

  it('goes through many checks of ended messages until it finds one that waits', async () => {
    for (let count = 0; count < 70; count += 1) await accept();
    await bed.database.sql(`UPDATE messages SET status = 'delivered' WHERE account_id = $1`, [account.id]);
    const { id } = await accept();
    await makeChecksDue();
    expect(await core.get(RecoverMessages).run()).toBe(1);
    expect((await checks()).flatMap(({ ids }) => ids)).toEqual([id]);
  });

  it('settles a claim whose worker died once the lease is over, and not before', async () => {
    const [early, late] = [await dispatched('sending', 5), await dispatched('sending', 60)];
    await makeChecksDue();
    expect(await core.get(RecoverMessages).run()).toBe(1);
    expect((await rowOf(early.id))?.status).toBe('sending');
    expect(await rowOf(late.id)).toMatchObject({ status: 'sent', carrier_id: late.carrierId });
    expect((await checks()).map(({ kind }) => kind)).toEqual(['claimed', 'claimed']);
    expect((await checks())[0]?.seconds).toBeLessThan(core.get(Config).dispatch.leaseSeconds);
  });

  it('polls a sent message without a receipt, ever less often, and not after four days', async () => {
    const [fresh, silent] = [await dispatched('sent', 5), await dispatched('sent', 300)];
    await dispatched('sent', 4 * 86_400 + 60);
    core.carrier.end(silent.carrierId, 'delivered', null, 4_000n);
    await makeChecksDue();
    expect(await core.get(RecoverMessages).run()).toBe(2);
    const costs = await bed.database.sql('SELECT message_id, cost_microusd::int AS microusd FROM message_costs');
    expect(costs).toEqual([{ message_id: silent.id, microusd: 4_000 }]);
    expect((await rowOf(fresh.id))?.status).toBe('sent');
    expect((await rowOf(silent.id))?.status).toBe('delivered');
    expect((await checks()).map(({ ids }) => ids)).toEqual([[fresh.id], [silent.id]]);
  });

  it('is promised by the claim itself when the check of acceptance may be minutes away', async () => {
    const [young, old] = [await accept(), await accept()];
    await bed.database.sql(`UPDATE messages SET created_at = now() - interval '1 minute' WHERE id = $1`, [old.id]);
    await bed.database.sql('DELETE FROM message_checks');
    for (const { id } of [young, old]) await core.get(DispatchMessage).dispatch(id);
    const written = await checks();
    expect(written.map(({ kind, ids }) => [kind, ids])).toEqual([['claimed', [old.id]]]);
    expect(written[0]?.seconds).toBeGreaterThan(core.get(Config).dispatch.leaseSeconds - 5);
  });

  it('covers a message by one check through claims, retries and polls', async () => {
    const { id } = await accept();
    const kinds = async () => (await checks()).map(({ kind, ids }) => [kind, ids]);
    const recover = async () => {
      await makeChecksDue();
      await core.get(RecoverMessages).run();
    };
    for (const step of ['unavailable', 'unavailable'] as const) {
      core.carrier.next(step);
      await core.get(DispatchMessage).dispatch(id);
      expect((await rowOf(id))?.status).toBe('queued');
      await recover();
      expect(await kinds()).toEqual([['retry', [id]]]);
      expect(await isQueued(id)).toBe(true);
    }
    await core.get(DispatchMessage).dispatch(id);
    expect((await rowOf(id))?.status).toBe('sent');
    await recover();
    expect(await kinds()).toEqual([['claimed', [id]]]);
  });

  it('leaves a message to the check of its latest claim', async () => {
    const { id } = await dispatched('sending', 60, 3_600);
    await makeChecksDue();
    expect(await core.get(RecoverMessages).run()).toBe(0);
    expect(await checks()).toEqual([]);
    const write = (claim: number) =>
      bed.database.sql(
        `INSERT INTO message_checks (kind, due_at, claim, message_ids) VALUES ('claimed', now(), $2, ARRAY[$1::uuid])`,
        [id, claim],
      );
    await write(0);
    expect(await core.get(RecoverMessages).run()).toBe(0);
    await write(1);
    expect(await core.get(RecoverMessages).run()).toBe(1);
  });

  it('polls a message that was given back and is named by a late receipt', async () => {
    const { id, carrierId } = await dispatched('sending', 60);
    core.carrier.records.length = 0;
    await makeChecksDue();
    await core.get(RecoverMessages).run();
    expect((await rowOf(id))?.status).toBe('queued');
    // The check of the claim finds the message queued and leaves it to the check of the retry.
    await bed.database.sql(`UPDATE message_checks SET due_at = now() WHERE kind = 'claimed'`);
    await core.get(RecoverMessages).run();
    expect((await checks()).map(({ kind }) => kind)).toEqual(['retry']);
    await core.get(StatusUpdates).apply({ id, status: 'sent', carrierId });
    await makeChecksDue();
    await core.get(RecoverMessages).run();
    expect(await checks()).toMatchObject([{ kind: 'claimed', ids: [id] }]);
  });

  it('settles a claim early once, and goes on with the check of the claim', async () => {
    const { id } = await dispatched('sending', 5);
    core.carrier.records.length = 0;
    await core.get(StatusUpdates).settleSoon(id);
    expect((await checks()).map(({ kind }) => kind).toSorted()).toEqual(['queued', 'settle']);
    await bed.database.sql(`UPDATE message_checks SET due_at = now() WHERE kind = 'settle'`);
    expect(await core.get(RecoverMessages).run()).toBe(1);
    expect((await rowOf(id))?.status).toBe('sending');
    expect((await checks()).map(({ kind }) => kind)).toEqual(['queued']);
  });

  it('settles an answer that was lost, from send to record, with one message at the carrier', async () => {
    const message = await accept();
    core.carrier.next('lost');
    await core.get(DispatchMessage).dispatch(message.id);
    await makeDue(message.id);
    await core.get(RecoverMessages).run();
    expect(await rowOf(message.id)).toMatchObject({ status: 'sent', carrier_id: core.carrier.records[0]?.carrierId });
    expect(core.carrier.records).toHaveLength(1);
  });
});
