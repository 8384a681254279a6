import { getQueueToken } from '@nestjs/bullmq';
import type { Queue } from 'bullmq';
import { messagesOf, queueNames, type DispatchJob } from '../../platform/queue/queues.js';
import { admissionRow } from '../../testing/acceptance-rows.js';
import { moneyFaults } from '../../testing/money.js';
import { createTestAccount, type TestAccount } from '../../testing/test-accounts.js';
import { createTestBed, type TestBed } from '../../testing/test-bed.js';
import { createTestCore, type TestCore } from '../../testing/test-core.js';
import { newMessageId } from '../../rules/ids.js';
import { Acceptance } from '../send/acceptance.js';
import type { CarrierMessage } from '../dispatch/carrier.js';
import { DispatchMessage } from '../dispatch/dispatch-message.js';
import { MessageRetention } from '../message-retention.js';
import { RecoverMessages } from './recover-messages.js';

describe('RecoverMessages', () => {
  let bed: TestBed;
  let core: TestCore;
  let other: TestCore;
  let queue: Queue<DispatchJob>;
  let account: TestAccount;

  beforeAll(async () => {
    bed = await createTestBed();
    const patient = bed.config({ CARRIER_LOOKUP_SECONDS: '300' });
    [core, other] = await Promise.all([createTestCore(bed.config()), createTestCore(patient)]);
    queue = core.named<Queue<DispatchJob>>(getQueueToken(queueNames.dispatch));
  });

  beforeEach(async () => {
    core.carrier.forget();
    other.carrier.forget();
    await bed.database.sql("UPDATE messages SET due_at = NULL, claimed_at = claimed_at - interval '1 hour'");
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

  /** A message in the state queued that no queue knows of. */
  async function accept(body = 'Hello'): Promise<CarrierMessage> {
    const row = admissionRow(core, account.apiKey, { body });
    await core.get(Acceptance).decide(row);
    return { id: row.id, recipient: row.recipient ?? '', sender: row.sender ?? '', body };
  }

  /** A message whose worker died, or whose answer was lost, this many seconds ago. */
  async function claimed(secondsAgo: number, body = 'Hello'): Promise<CarrierMessage> {
    const message = await accept(body);
    await bed.database.sql(
      `UPDATE messages SET status = 'sending', attempts = 1, claimed_at = now() - make_interval(secs => $2), due_at = now() - interval '1 second' WHERE id = $1`,
      [message.id, secondsAgo],
    );
    return message;
  }

  async function sent(secondsAgo: number): Promise<{ id: string; carrierId: string }> {
    const message = await accept();
    const { carrierId } = core.carrier.take(message);
    await bed.database.sql(
      `UPDATE messages SET status = 'sent', carrier_id = $2, sent_at = now() - make_interval(secs => $3), created_at = now() - make_interval(secs => $3),
         due_at = now() - interval '1 second' WHERE id = $1`,
      [message.id, carrierId, secondsAgo],
    );
    return { id: message.id, carrierId };
  }

  const makeDue = (id: string) =>
    bed.database.sql(`UPDATE messages SET due_at = now() - interval '1 second' WHERE id = $1`, [id]);
  const rowOf = async (id: string) =>
    (
      await bed.database.sql(
        'SELECT *, extract(epoch FROM due_at - now())::float AS due_seconds FROM messages WHERE id = $1',
        [id],
      )
    )[0];
  const isQueued = async (id: string) =>
    (await queue.getJobs(['waiting', 'prioritized'])).some(({ data }) =>
      messagesOf(data).some(({ messageId }) => messageId === id),
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

  it('records what the carrier has, and does not send it again', async () => {
    const message = await claimed(5);
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
    await bed.database.sql(`UPDATE messages SET due_at = now() + interval '1 minute' WHERE id = $1`, [live.id]);
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
    expect(await rowOf(id)).toMatchObject({ status, carrier_error: carrierError, refunded, due_at: null });
  });

  it.each([
    [30, 60],
    [120, 120],
    [3_600, 3_600],
    [86_400, 86_400],
  ])('asks ever less often: %i seconds after sending again in %i', async (ageSeconds, waitSeconds) => {
    const { id } = await sent(ageSeconds);
    await core.get(RecoverMessages).run();
    const row = await rowOf(id);
    expect(row?.status).toBe('sent');
    expect(Math.abs(Number(row?.due_seconds) - waitSeconds)).toBeLessThan(15);
  });

  it('first asks after CARRIER_LOOKUP_SECONDS', async () => {
    const { id } = await sent(30);
    await other.get(RecoverMessages).run();
    expect(Math.abs(Number((await rowOf(id))?.due_seconds) - 300)).toBeLessThan(15);
  });

  it('stops asking after four days', async () => {
    const { id } = await sent(4 * 86_400 + 60);
    await core.get(RecoverMessages).run();
    expect(await rowOf(id)).toMatchObject({ status: 'sent', due_at: null });
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

describe('Retention', () => {
  let bed: TestBed;
  let core: TestCore;

  beforeAll(async () => {
    bed = await createTestBed();
    core = await createTestCore(bed.config());
  });

  afterAll(async () => {
    await core?.close();
    await bed?.remove();
  });

  it('makes the partitions of this month and the next two, as often as it runs', async () => {
    await bed.database.sql('DROP TABLE IF EXISTS ' + (await partitions()).map((name) => `"${name}"`).join(', '));
    await Promise.all([core.get(MessageRetention).run(), core.get(MessageRetention).run()]);
    const now = new Date();
    const expected = [0, 1, 2].map((step) => {
      const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + step, 1));
      return `messages_${month.toISOString().slice(0, 7).replace('-', '_')}`;
    });
    expect(await partitions()).toEqual(expected);
  });

  const partitions = async () =>
    (
      await bed.database.sql<{ name: string }>(
        `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'messages'::regclass ORDER BY 1`,
      )
    )
      .map(({ name }) => name)
      .filter((name) => name !== 'messages_default');

  it('bounds each partition by its month in UTC', async () => {
    const [first, last] = await bed.database.sql<{ id: string }>(
      `SELECT uuid_v7_floor(t)::text AS id FROM unnest(ARRAY['2026-12-01T00:00:00Z'::timestamptz, '2026-12-31T23:59:59.999Z'::timestamptz]) t`,
    );
    await bed.database.sql(`SELECT ensure_message_partitions('2026-11-15', 3)`);
    for (const [id, partition] of [
      [first?.id, 'messages_2026_12'],
      [last?.id, 'messages_2026_12'],
      [previousOf(first?.id ?? ''), 'messages_2026_11'],
    ]) {
      const [row] = await bed.database.sql<{ partition: string }>(
        `INSERT INTO messages (id, account_id, number, kind, recipient, country, sender, body, segments, credits)
         VALUES ($1, gen_random_uuid(), 1, 'sms', '+1', 'US', '+1', 'x', 1, 1) RETURNING tableoid::regclass::text AS partition`,
        [id],
      );
      expect(row?.partition).toBe(partition);
    }
  });

  it('forgets idempotency keys after 24 hours, and keeps younger ones', async () => {
    await bed.database.sql(
      `INSERT INTO idempotency_keys (account_id, key, body_hash, message_id, created_at)
       VALUES (gen_random_uuid(), 'old', '', $1, now() - interval '24 hours 1 minute'), (gen_random_uuid(), 'young', '', $1, now() - interval '23 hours')`,
      [newMessageId()],
    );
    await core.get(MessageRetention).run();
    expect(await bed.database.sql('SELECT key FROM idempotency_keys')).toEqual([{ key: 'young' }]);
  });
});

/** The largest UUIDv7 of the millisecond before. */
function previousOf(id: string): string {
  const ms = Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16) - 1;
  const hex = ms.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7fff-bfff-ffffffffffff`;
}
