import { getQueueToken } from '@nestjs/bullmq';
import type { Queue } from 'bullmq';
import { queueNames, type DispatchPayload } from '../../platform/queue/queues.js';
import { publicMessageId } from '../../rules/ids.js';
import { newYorkDay } from '../../rules/time.js';
import { acceptanceRow } from '../../testing/acceptance-rows.js';
import { deliveryDayFaults } from '../../testing/delivery-day-faults.js';
import { moneyFaults, moneyOf } from '../../testing/money.js';
import { countDay, createTestAccount, type TestAccount } from '../../testing/test-accounts.js';
import { createTestBed, type TestBed } from '../../testing/test-bed.js';
import { createTestCore, type TestCore } from '../../testing/test-core.js';
import { ClaimMessages } from '../dispatch/claim-messages.js';
import { DispatchMessage } from '../dispatch/dispatch-message.js';
import { RecoverMessages } from '../recovery/recover-messages.js';
import { ReleaseScheduled } from '../recovery/release-scheduled.js';
import { Messages } from '../history/messages.js';
import { CancelMessage } from '../status/cancel-message.js';
import { StatusUpdates } from '../status/status-updates.js';
import { Acceptance } from './acceptance.js';
import type { AcceptanceRow } from './acceptance-batch.js';

const DAY_MS = 86_400_000;
const secondsFromNow = (seconds: number) => new Date(Date.now() + seconds * 1_000);

describe('scheduled messages', () => {
  let bed: TestBed;
  let cores: [TestCore, TestCore];
  let account: TestAccount;

  beforeAll(async () => {
    bed = await createTestBed();
    cores = await Promise.all([createTestCore(bed.config()), createTestCore(bed.config())]);
  });

  beforeEach(async () => {
    for (const { carrier } of cores) carrier.forget();
    account = await createTestAccount(cores[0], { credits: 1_000 });
  });

  afterEach(async () => {
    expect(await moneyFaults(bed.database)).toEqual([]);
    expect(await deliveryDayFaults(bed.database)).toEqual([]);
  });

  afterAll(async () => {
    await Promise.all((cores ?? []).map((core) => core.close()));
    await bed?.remove();
  });

  const decide = (changes: Partial<AcceptanceRow>) => {
    const row = acceptanceRow(cores[0], account.apiKey, { price: 3, ...changes });
    return cores[0]
      .get(Acceptance)
      .decide(row)
      .then((decision) => ({ id: row.id, decision }));
  };
  const accept = async (sendAt: Date | null, validitySeconds: number | null = null, changes = {}) => {
    const { id, decision } = await decide({ timing: { sendAt, validitySeconds }, ...changes });
    expect(decision.kind).toBe('accepted');
    return id;
  };
  const release = async (worker: 0 | 1 = 0) => {
    while (await cores[worker].get(ReleaseScheduled).run());
  };
  const dispatch = (id: string, worker: 0 | 1 = 0) => cores[worker].get(DispatchMessage).dispatch(id);
  const cancel = async (id: string, worker: 0 | 1 = 0) =>
    cores[worker].get(Messages).viewOf(await cores[worker].get(CancelMessage).cancel(account.id, publicMessageId(id)));
  const rowOf = async (id: string) =>
    (
      await bed.database.sql<{ status: string; error_code: string | null; expires_at: Date | null; refunded: number }>(
        'SELECT * FROM messages WHERE id = $1',
        [id],
      )
    )[0];
  const dayOf = async (at: Date) =>
    (
      await bed.database.sql('SELECT count, scheduled FROM daily_counts WHERE account_id = $1 AND day = $2', [
        account.id,
        newYorkDay(at),
      ])
    )[0];
  const queuedIds = async () => {
    const queue = cores[0].named<Queue<DispatchPayload>>(getQueueToken(queueNames.dispatch));
    const jobs = await queue.getJobs(['waiting', 'prioritized']);
    return jobs.flatMap(({ data }) => data.messages.map(({ messageId }) => messageId));
  };

  it('are charged at once, and neither queued nor sent before their time', async () => {
    const sendAt = secondsFromNow(3_600);
    const id = await accept(sendAt);
    await release();
    await dispatch(id);
    expect(await rowOf(id)).toMatchObject({ status: 'scheduled', send_at: sendAt, expires_at: null, attempts: 0 });
    expect(cores[0].carrier.calls).toEqual([]);
    expect(await queuedIds()).not.toContain(id);
    expect(await moneyOf(bed.database, account.id)).toMatchObject({ balance: 997 });
    expect(await dayOf(sendAt)).toMatchObject({ count: 0, scheduled: 1 });
  });

  it('are queued with a check and sent once when their time has come, however many workers release them', async () => {
    const sendAt = secondsFromNow(-1);
    const ids = await Promise.all(Array.from({ length: 60 }, () => accept(sendAt)));
    await Promise.all([release(0), release(1), release(0), release(1)]);
    const queued = await queuedIds();
    for (const id of ids) expect(queued.filter((one) => one === id)).toHaveLength(1);
    const checks = await bed.database.sql<{ id: string }>(
      `SELECT unnest(message_ids) AS id FROM message_checks WHERE kind = 'queued'`,
    );
    expect(checks.map(({ id }) => id)).toEqual(expect.arrayContaining(ids));
    await Promise.all(ids.flatMap((id) => [dispatch(id, 0), dispatch(id, 1)]));
    const sent = cores.flatMap(({ carrier }) => carrier.calls.map((call) => call.id)).filter((id) => ids.includes(id));
    expect(sent.sort()).toEqual([...ids].sort());
    // The claim counts them on the day on which they leave, also when that began after `sendAt`.
    expect(await dayOf(new Date())).toMatchObject({ count: 60, scheduled: 0 });
  });

  it('are enqueued again after the queue lost them', async () => {
    const id = await accept(secondsFromNow(-1));
    await release();
    await bed.forgetQueue();
    await cores[1].get(RecoverMessages).run();
    expect(await queuedIds()).toContain(id);
  });

  it('fail with a refund when the recipient opted out meanwhile', async () => {
    const recipient = '+14155550177';
    const id = await accept(secondsFromNow(-1), null, { recipient });
    await bed.database.sql('INSERT INTO opt_outs (recipient, sender) VALUES ($1, $2)', [recipient, '+15005550006']);
    await release();
    await dispatch(id);
    expect(await rowOf(id)).toMatchObject({ status: 'failed', error_code: 'recipient_opted_out', refunded: 3 });
    expect(cores[0].carrier.calls).toEqual([]);
  });

  it('are refused when the day on which they leave is full, and free their place when they are canceled', async () => {
    const later = new Date(Date.now() + 3 * DAY_MS);
    await bed.database.sql('UPDATE accounts SET daily_limit = 2 WHERE id = $1', [account.id]);
    const id = await accept(later);
    await accept(later);
    expect((await decide({ timing: { sendAt: later, validitySeconds: null } })).decision).toMatchObject({
      kind: 'refused',
      code: 'daily_limit',
    });
    expect((await decide({})).decision.kind).toBe('accepted');
    await cancel(id);
    expect(await dayOf(later)).toMatchObject({ count: 0, scheduled: 1 });
    await accept(later);
  });

  it('fill a day exactly when many are accepted at once, by several servers', async () => {
    const later = new Date(Date.now() + 5 * DAY_MS);
    await bed.database.sql('UPDATE accounts SET daily_limit = 25 WHERE id = $1', [account.id]);
    const rows = Array.from({ length: 60 }, (_, n) =>
      acceptanceRow(cores[0], account.apiKey, {
        timing: { sendAt: later, validitySeconds: null },
        recipient: `+1415555${2_000 + n}`,
        ...(n % 3 === 0 && { dedupeSeconds: 60 }),
      }),
    );
    const decisions = await Promise.all(rows.map((row, n) => cores[n % 2 === 0 ? 0 : 1].get(Acceptance).decide(row)));
    expect(decisions.filter(({ kind }) => kind === 'accepted')).toHaveLength(25);
    expect(new Set(decisions.flatMap((one) => (one.kind === 'refused' ? [one.code] : [])))).toEqual(
      new Set(['daily_limit']),
    );
    expect(await dayOf(later)).toMatchObject({ count: 0, scheduled: 25 });
  });

  it('leave no room for messages of today that would take their places', async () => {
    await bed.database.sql('UPDATE accounts SET daily_limit = 10 WHERE id = $1', [account.id]);
    await countDay(bed.database, account.id, 9);
    // Midnight in New York would move the schedule to the next day.
    const sendAt = new Date();
    await accept(sendAt);
    expect((await decide({})).decision).toMatchObject({ kind: 'refused', code: 'daily_limit' });
  });

  it('keep their places when messages of today are dispatched before them', async () => {
    await bed.database.sql('UPDATE accounts SET daily_limit = 10 WHERE id = $1', [account.id]);
    // Midnight in New York would move the schedule to the next day.
    const sendAt = new Date();
    const scheduled = [await accept(sendAt), await accept(sendAt), await accept(sendAt)];
    const decided = await Promise.all(
      Array.from({ length: 9 }, (_, n) => decide({ recipient: `+1415555${3_000 + n}` })),
    );
    const immediate = decided.map(({ id }) => id);
    await Promise.all(immediate.map((id) => dispatch(id)));
    await release();
    await Promise.all(scheduled.map((id) => dispatch(id)));
    expect((await Promise.all(scheduled.map(rowOf))).map((row) => row?.status)).toEqual(['sent', 'sent', 'sent']);
    const rest = await Promise.all(immediate.map(rowOf));
    expect(rest.filter((row) => row?.status === 'sent')).toHaveLength(7);
    expect(new Set(rest.flatMap((row) => row?.error_code ?? []))).toEqual(new Set(['daily_limit']));
    expect(await dayOf(sendAt)).toMatchObject({ count: 10, scheduled: 0 });
  });

  it('take their own places when they are claimed together with messages of today', async () => {
    await bed.database.sql('UPDATE accounts SET daily_limit = 5 WHERE id = $1', [account.id]);
    const immediate = (
      await Promise.all(Array.from({ length: 4 }, (_, n) => decide({ recipient: `+1415555${3_100 + n}` })))
    ).map(({ id }) => id);
    const sendAt = new Date();
    const scheduled = await accept(sendAt);
    await bed.database.sql('UPDATE accounts SET daily_limit = 2 WHERE id = $1', [account.id]);
    await release();
    await Promise.all([...immediate, scheduled].map((id) => dispatch(id)));
    expect(await rowOf(scheduled)).toMatchObject({ status: 'sent' });
    expect((await Promise.all(immediate.map(rowOf))).filter((row) => row?.status === 'sent')).toHaveLength(1);
  });

  it('keep their text and number until they have left', async () => {
    const id = await accept(secondsFromNow(DAY_MS / 1_000));
    const [row] = await bed.database.sql('SELECT recipient, body FROM messages WHERE id = $1', [id]);
    expect(row).toEqual({ recipient: '+14155552671', body: 'Hello' });
  });

  describe('with a validity', () => {
    it('are not handed to the carrier after it', async () => {
      const id = await accept(null, 60);
      await bed.database.sql(`UPDATE messages SET expires_at = now() - interval '1 second' WHERE id = $1`, [id]);
      await dispatch(id);
      expect(await rowOf(id)).toMatchObject({ status: 'failed', error_code: 'expired', refunded: 3, counted_on: null });
      expect(cores[0].carrier.calls).toEqual([]);
    });

    it('expire from the time on that they were scheduled for', async () => {
      const sendAt = secondsFromNow(600);
      const id = await accept(sendAt, 90);
      expect((await rowOf(id))?.expires_at).toEqual(new Date(sendAt.getTime() + 90_000));
    });

    it('tell the carrier what is left of it', async () => {
      const id = await accept(null, 120);
      await dispatch(id);
      const [call] = cores[0].carrier.calls;
      expect(call?.id).toBe(id);
      expect(call?.validSeconds).toBeGreaterThan(100);
      expect(call?.validSeconds).toBeLessThanOrEqual(120);
    });

    it('expire while dispatch is paused, looked at by recovery when they do', async () => {
      const id = await accept(null, 60);
      await bed.database.sql('UPDATE message_checks SET due_at = now() WHERE $1::uuid = ANY (message_ids)', [id]);
      await cores[0].get(RecoverMessages).run();
      const [check] = await bed.database.sql<{ late: number }>(
        `SELECT extract(epoch FROM c.due_at - m.expires_at)::float AS late
         FROM message_checks c JOIN messages m ON m.id = $1 WHERE m.id = ANY (c.message_ids)`,
        [id],
      );
      expect(check?.late).toBeLessThanOrEqual(1);
      await bed.database.sql(`UPDATE messages SET expires_at = now() WHERE id = $1`, [id]);
      await bed.database.sql('UPDATE message_checks SET due_at = now() WHERE $1::uuid = ANY (message_ids)', [id]);
      await Promise.all(cores.map((core) => core.get(RecoverMessages).run()));
      expect(await rowOf(id)).toMatchObject({ status: 'failed', error_code: 'expired', refunded: 3 });
    });

    it('do not expire once they were claimed', async () => {
      const id = await accept(null, 60);
      await cores[0].get(ClaimMessages).claim(id);
      const update = { id, status: 'failed', carrierId: null, errorCode: 'expired', onlyWaiting: true } as const;
      const late = cores[0].get(StatusUpdates).apply(update);
      const taken = cores[0].get(StatusUpdates).apply({ id, status: 'sent', carrierId: `SM${'2'.repeat(32)}` });
      expect([await late, (await taken)?.status]).toEqual([undefined, 'sent']);
    });
  });

  describe('that are canceled', () => {
    it('are refunded once, however often they are canceled', async () => {
      const id = await accept(secondsFromNow(3_600));
      const views = await Promise.all([cancel(id, 0), cancel(id, 1), cancel(id, 0), cancel(id, 1)]);
      for (const view of views) expect(view).toMatchObject({ status: 'canceled', refunded: 3, from: null });
      expect(await cancel(id)).toMatchObject({ status: 'canceled', sent_at: null, finished_at: expect.any(String) });
      expect(await moneyOf(bed.database, account.id)).toMatchObject({ balance: 1_000 });
    });

    it('are not released', async () => {
      const id = await accept(secondsFromNow(-1));
      await cancel(id);
      await release();
      await dispatch(id);
      expect(await rowOf(id)).toMatchObject({ status: 'canceled', attempts: 0 });
      expect(await queuedIds()).not.toContain(id);
    });

    it('are either canceled or sent when both happen at the same time', async () => {
      let canceled = 0;
      for (let round = 0; round < 40; round += 1) {
        const id = await accept(round % 2 ? secondsFromNow(-1) : null, 600);
        const tries = [() => cancel(id, 0), () => release(1).then(() => dispatch(id, 1))];
        if (round % 3 === 0) tries.reverse();
        await Promise.allSettled(tries.map((run) => run()));
        const row = await rowOf(id);
        const calls = cores[1].carrier.calls.filter((call) => call.id === id).length;
        expect([row?.status, row?.refunded, calls]).toEqual(
          row?.status === 'canceled' ? ['canceled', 3, 0] : ['sent', 0, 1],
        );
        if (row?.status === 'canceled') canceled += 1;
      }
      expect(canceled).toBeGreaterThan(0);
    });

    it('must wait: a claimed or sent message, and a one-time password, cannot be canceled', async () => {
      const [claimed, otp] = [await accept(null, 600), (await decide({ kind: 'otp' })).id];
      await cores[0].get(ClaimMessages).claim(claimed);
      await expect(cancel(claimed)).rejects.toMatchObject({ code: 'not_cancelable' });
      await expect(cancel(otp)).rejects.toMatchObject({ code: 'not_cancelable' });
      await cores[0].get(StatusUpdates).apply({ id: claimed, status: 'sent', carrierId: `SM${'3'.repeat(32)}` });
      await expect(cancel(claimed)).rejects.toMatchObject({ code: 'not_cancelable' });
    });

    it('are the own account’s', async () => {
      const id = await accept(secondsFromNow(3_600));
      const other = await createTestAccount(cores[0]);
      const foreign = cores[0].get(CancelMessage).cancel(other.id, publicMessageId(id));
      await expect(foreign).rejects.toMatchObject({ code: 'message_not_found' });
    });
  });
});
