import { z } from 'zod';
import { carrierNumbers } from '#contract/carrier-codes.js';
import { NumberRent } from '../../numbers/number-rent.js';
import { Numbers } from '../../numbers/numbers.js';
import { publicNumberId } from '../../rules/ids.js';
import { NumberDirectory } from '../../numbers/number-directory.js';
import { byOwner, numberScene } from '../../numbers/testing/number-scene.js';
import { DispatchQueue } from '../../platform/queue/queues.js';
import { createTestAccount } from '../../testing/test-accounts.js';
import { createTestCore } from '../../testing/test-core.js';
import { texted } from '../../testing/texted.js';
import { StatusUpdates } from '../status/status-updates.js';
import { DispatchGate } from './dispatch-gate.js';
import { DispatchMessage } from './dispatch-message.js';
import { MessageQueues } from '../store/message-queues.js';
import { DispatchPauses } from './dispatch-pauses.js';
import { NumberTurns, takeTurnStatement, type Turn } from './number-turns.js';

const SHARED = '+15005550006';
const LATE_MS = 400;

describe('The turns of a number', () => {
  const scene = numberScene();
  let people = 0;

  const queued = (sender: string, account = scene.account) => {
    people += 1;
    const recipient = `+1415${5_560_000 + people}`;
    return texted(scene.core, scene.bed.database, account, { recipient, sender, status: 'queued' });
  };
  const take = (messageId: string, core = scene.core) => core.get(NumberTurns).take(scene.account.id, messageId);
  const { twilio, telnyx } = carrierNumbers;
  const pause = (carrier: number) =>
    scene.core.get(DispatchPauses).begin({ carrier, messageId: null, httpStatus: 401, carrierError: 20003 }, 60);
  const resume = (carrier: number) => scene.core.get(DispatchPauses).end(carrier, false);
  const jobOf = (messageId: string) => ({ accountId: scene.account.id, messageId });
  /** Returns the waits of new messages in the order of their requests. */
  const waits = async (sender: string, count: number) => {
    const found: number[] = [];
    for (let n = 0; n < count; n += 1) found.push((await take(await queued(sender)))?.waitMs ?? -1);
    return found;
  };
  const expectApart = (found: readonly number[], gapMs: number) =>
    found.forEach((waitMs, n) => {
      expect(waitMs).toBeGreaterThan(n * gapMs - LATE_MS * (n + 1));
      expect(waitMs).toBeLessThanOrEqual(n * gapMs);
    });

  it('of a local one come each second, of a toll-free one three times as often', async () => {
    const local = await scene.buy();
    const tollFree = await scene.buy({ number: `+1833${2_000_000 + people}` });
    expectApart(await waits(local.number, 3), 1_000);
    expectApart(await waits(tollFree.number, 7), 1_000 / 3);
  });

  describe('for more than the next seconds', () => {
    let number: string;
    let messages: string[];

    /** Queues eight messages; the first few have turns. */
    beforeEach(async () => {
      ({ number } = await scene.buy());
      messages = [];
      for (let n = 0; n < 8; n += 1) messages.push(await queued(number));
      for (const message of messages) await take(message);
    });

    const numberTurns = async () => {
      const rows = await scene.bed.database.sql<{ id: string; at: Date | null }>(
        'SELECT message_id AS id, at FROM number_turns WHERE account_id = $1',
        [scene.account.id],
      );
      return new Map(rows.map(({ id, at }) => [id, at]));
    };
    const withTurns = async () => {
      const found = await numberTurns();
      return messages.filter((id) => found.get(id));
    };
    /** Lets some seconds pass. */
    const pass = (seconds: number) =>
      scene.bed.database.sql(
        `UPDATE number_slots SET next_at = next_at - make_interval(secs => $2) WHERE account_id = $1`,
        [scene.account.id, seconds],
      );
    const give = () => scene.core.get(NumberTurns).give();
    const slot = async () => {
      const [row] = await scene.bed.database.sql<{ waits: boolean; aheadMs: number }>(
        `SELECT waits, (1000 * extract(epoch FROM next_at - now()))::float8 AS "aheadMs" FROM number_slots
         WHERE account_id = $1`,
        [scene.account.id],
      );
      return row;
    };
    const fail = (id: string) =>
      scene.core.get(StatusUpdates).apply({ id, status: 'failed', carrierId: null, errorCode: 'expired' });

    it('are not given: messages wait on a list, without a job', async () => {
      const given = await withTurns();
      expect(given).toEqual(messages.slice(0, given.length));
      expect([3, 4]).toContain(given.length);
      expect(await slot()).toMatchObject({ waits: true });
      const enqueued = jest.spyOn(scene.core.get(DispatchQueue), 'enqueued').mockResolvedValue();
      const [waiting = ''] = messages.slice(-1);
      const dispatched = scene.core.get(DispatchMessage).dispatchInTurn(jobOf(waiting));
      expect(await dispatched).toEqual({ kind: 'done' });
      expect(enqueued).not.toHaveBeenCalled();
    });

    it('come in the order of acceptance, with a job each, and not for those that come later', async () => {
      const before = await withTurns();
      const enqueued = jest.spyOn(scene.core.get(DispatchQueue), 'enqueued').mockResolvedValue();
      await pass(2);
      expect((await take(await queued(number)))?.waitMs).toBeNull();
      const given = await give();
      expect([1, 2, 3]).toContain(given);
      expect(await withTurns()).toEqual(messages.slice(0, before.length + given));
      expect(enqueued.mock.calls.map(([{ id }]) => id)).toEqual(messages.slice(before.length, before.length + given));
      const delays = enqueued.mock.calls.map(([{ delayMs = 0 }]) => delayMs);
      delays.slice(1).forEach((delay, n) => expect(delay - (delays[n] ?? 0)).toBeGreaterThanOrEqual(999));
      for (let n = 0; n < 9; n += 1) {
        await pass(2);
        await give();
      }
      expect(await withTurns()).toEqual(messages);
      expect(await slot()).toMatchObject({ waits: false });
    });

    it('are not kept for what does not wait any more', async () => {
      for (const message of messages) await fail(message);
      await pass(3);
      await give();
      expect((await withTurns()).length).toBeLessThan(messages.length);
      expect(await slot()).toMatchObject({ waits: false });
      const next = await take(await queued(number));
      expect(next?.waitMs).toBeLessThan(3_000);
    });

    it('are not given while the number’s carrier is paused, and come one after the other when it resumes', async () => {
      const before = await withTurns();
      await pause(twilio);
      await pass(10);
      expect(await give()).toBe(0);
      expect((await take(await queued(number)))?.waitMs).toBeNull();
      expect(await withTurns()).toEqual(before);
      await resume(twilio);
      const enqueued = jest.spyOn(scene.core.get(DispatchQueue), 'enqueued').mockResolvedValue();
      await give();
      const jobs = enqueued.mock.calls.flatMap(([job]) => (messages.includes(job.id) ? [job] : []));
      expect(jobs.map(({ id }) => id)).toEqual(messages.slice(before.length, before.length + 3));
      const delays = jobs.map(({ delayMs = 0 }) => delayMs);
      delays.slice(1).forEach((delay, n) => expect(delay - (delays[n] ?? 0)).toBeGreaterThanOrEqual(999));
    });

    it('are given back while the carrier is paused, and come first when it resumes', async () => {
      const [first = '', second = ''] = messages;
      scene.core.carrier.next('suspended');
      await scene.core.get(DispatchMessage).dispatchInTurn(jobOf(first));
      const enqueued = jest.spyOn(scene.core.get(DispatchQueue), 'enqueued').mockResolvedValue();
      try {
        for (const id of [first, second]) {
          await scene.bed.database.sql('UPDATE number_turns SET at = now() WHERE message_id = $1', [id]);
          expect(await scene.core.get(DispatchMessage).dispatchInTurn(jobOf(id))).toEqual({ kind: 'done' });
        }
        expect(await withTurns()).not.toEqual(expect.arrayContaining([first]));
        expect(await withTurns()).not.toEqual(expect.arrayContaining([second]));
        expect(enqueued).not.toHaveBeenCalled();
      } finally {
        await scene.bed.database.sql('DELETE FROM carrier_pauses');
        await scene.core.get(DispatchGate).refresh();
      }
      await pass(10);
      await give();
      const jobs = enqueued.mock.calls.flatMap(([job]) => (messages.includes(job.id) ? [job] : []));
      expect(jobs.slice(0, 2).map(({ id }) => id)).toEqual([first, second]);
      expect((jobs[1]?.delayMs ?? 0) - (jobs[0]?.delayMs ?? 0)).toBeGreaterThanOrEqual(999);
    });

    it('are refunded when the number is released: at once without a turn, and in their turn otherwise', async () => {
      const balance = async () => (await scene.balance())?.balance ?? 0;
      const failed = async () =>
        (
          await scene.bed.database.sql<{ id: string }>(
            `SELECT id FROM messages WHERE id = ANY ($1) AND status = 'failed' AND error_code = 'sender_released'
             ORDER BY id`,
            [messages],
          )
        ).map(({ id }) => id);
      const credits = await balance();
      await scene.core.get(Numbers).release(scene.account.id, publicNumberId(await numberId()), byOwner);
      const turns = await withTurns();
      expect(turns.length).toBeGreaterThan(0);
      expect(await failed()).toEqual(messages.filter((id) => !turns.includes(id)));
      for (const id of turns) await scene.core.get(DispatchMessage).dispatchInTurn(jobOf(id));
      expect(await failed()).toEqual(messages);
      expect(await balance()).toBe(credits + messages.length);
    });

    it('come at once also while the carrier is paused and cannot take the number back', async () => {
      await scene.bed.database.sql(
        `UPDATE numbers SET status = 'releasing', release_reason = 'owner', past_due_at = NULL WHERE number = $1`,
        [number],
      );
      await pause(twilio);
      try {
        await pass(3);
        await give();
        expect(await withTurns()).toEqual(messages);
      } finally {
        await resume(twilio);
        await scene.core.get(NumberRent).run();
      }
    });

    it('do not come back to what waited when the number is bought again', async () => {
      await scene.core.get(Numbers).release(scene.account.id, publicNumberId(await numberId()), byOwner);
      await scene.buy({ number });
      const [first = ''] = messages;
      await scene.core.get(DispatchMessage).dispatch(first);
      expect(await scene.bed.database.sql('SELECT status, error_code FROM messages WHERE id = $1', [first])).toEqual([
        { status: 'failed', error_code: 'sender_released' },
      ]);
    });

    const numberId = async () => {
      const [row] = await scene.bed.database.sql<{ id: string }>(
        `SELECT id FROM numbers WHERE number = $1 AND status <> 'released'`,
        [number],
      );
      return row?.id ?? '';
    };
  });

  it('are not taken while the number’s carrier is paused, except by one-time passwords', async () => {
    const { number } = await scene.buy();
    const { number: idle } = await scene.buy();
    await take(await queued(number));
    await pause(twilio);
    let waiting: string[];
    try {
      await scene.bed.database.sql(`UPDATE number_slots SET next_at = now() - interval '1 minute'`);
      const [code, early, late] = [await queued(number), await queued(number), await queued(idle)];
      await scene.bed.database.sql(`UPDATE messages SET kind = 'otp' WHERE id = $1`, [code]);
      for (const [message, waitMs] of [
        [code, 0],
        [early, null],
        [late, null],
      ] as const)
        expect(await take(message)).toMatchObject({ waitMs });
      waiting = [early, late];
    } finally {
      await resume(twilio);
    }
    await scene.core.get(NumberTurns).give();
    for (const message of waiting) expect(await take(message)).toMatchObject({ isKnown: true });
  });

  it('do not wait for the pause of another carrier', async () => {
    const { number } = await scene.buy();
    await pause(telnyx);
    try {
      expectApart(await waits(number, 2), 1_000);
    } finally {
      await resume(telnyx);
    }
  });

  it('are taken in a process that does not know the number yet, when the message’s own does', async () => {
    const other = await createTestCore(scene.bed.config());
    try {
      await other.get(NumberDirectory).all();
      const { number } = await scene.buy();
      const enqueued = jest.spyOn(scene.core.get(DispatchQueue), 'enqueued').mockResolvedValue();
      const [first, second] = [await queued(number), await queued(number)];
      await scene.core.get(MessageQueues).enqueued({ id: second, accountId: scene.account.id, kind: 'sms' }, number);
      const [job] = enqueued.mock.calls[0] ?? [];
      expect(job).toMatchObject({ id: second, takesTurns: true });
      await take(first);
      const takeThere = (takesTurns?: boolean) => other.get(NumberTurns).take(scene.account.id, second, takesTurns);
      expect(await takeThere()).toBeUndefined();
      expect((await takeThere(job?.takesTurns))?.waitMs).toBeGreaterThan(500);
    } finally {
      await other.close();
    }
  });

  it('follow the settings', async () => {
    const { number } = await scene.buy();
    const fast = await createTestCore(scene.bed.config({ NUMBER_PER_SECOND_LOCAL: '50' }));
    try {
      const [first, second] = [await queued(number), await queued(number)];
      await take(first, fast);
      expect((await take(second, fast))?.waitMs ?? Infinity).toBeLessThanOrEqual(20);
    } finally {
      await fast.close();
    }
  });

  it('are each given once, however many processes ask at a time', async () => {
    const { number } = await scene.buy({ number: `+1833${2_100_000 + people}` });
    const other = await createTestCore(scene.bed.config());
    try {
      const messages = await Promise.all(Array.from({ length: 8 }, () => queued(number)));
      await Promise.all(messages.map((message, n) => take(message, n % 2 ? other : scene.core)));
      const turns = await scene.bed.database.sql<{ gap: number | null }>(
        `SELECT round(1000 * extract(epoch FROM at - lag(at) OVER (ORDER BY at)))::int AS gap FROM number_turns
         WHERE account_id = $1`,
        [scene.account.id],
      );
      const gaps = turns.flatMap(({ gap }) => (gap === null ? [] : [gap]));
      expect(gaps).toHaveLength(7);
      expect(Math.min(...gaps)).toBeGreaterThanOrEqual(333);
    } finally {
      await other.close();
    }
  });

  it('stay the message’s when they are over: it leaves when its job runs', async () => {
    const { number } = await scene.buy();
    const message = await queued(number);
    expect(await take(message)).toMatchObject({ isKnown: false });
    await take(await queued(number));
    await scene.bed.database.sql(`UPDATE number_turns SET at = at - interval '1 minute' WHERE message_id = $1`, [
      message,
    ]);
    const again = await take(message);
    expect(again).toMatchObject({ isKnown: true });
    expect(again?.waitMs).toBeLessThan(-50_000);
  });

  it('are not part of the hours after which a message that its carrier cannot take is given up', async () => {
    const { number } = await scene.buy();
    const [turned, untaken] = [await queued(number), await queued(number)];
    for (const id of [turned, untaken]) await take(id);
    await scene.bed.database.sql(`UPDATE messages SET created_at = now() - interval '5 hours' WHERE account_id = $1`, [
      scene.account.id,
    ]);
    await scene.bed.database.sql(`UPDATE number_turns SET at = now() - interval '5 hours' WHERE message_id = $1`, [
      untaken,
    ]);
    const dispatch = async (id: string) => {
      scene.core.carrier.next('unavailable');
      await scene.core.get(DispatchMessage).dispatch(id);
      const [row] = await scene.bed.database.sql('SELECT status, error_code FROM messages WHERE id = $1', [id]);
      return row;
    };
    expect(await dispatch(turned)).toEqual({ status: 'queued', error_code: null });
    expect(await dispatch(untaken)).toEqual({ status: 'failed', error_code: 'carrier_unavailable' });
  });

  it('cost shared senders and other accounts nothing', async () => {
    expect(await take(await queued(SHARED))).toBeUndefined();
    await scene.buy();
    expect(await take(await queued(SHARED))).toBeUndefined();
    const other = await createTestAccount(scene.core, { credits: 10 });
    expect(await scene.core.get(NumberTurns).take(other.id, await queued(SHARED, other))).toBeUndefined();
    expect(
      await scene.bed.database.sql('SELECT * FROM number_turns WHERE account_id = ANY ($1)', [
        [scene.account.id, other.id],
      ]),
    ).toEqual([]);
  });

  it('let one-time passwords leave at once, and others wait for them', async () => {
    const { number } = await scene.buy();
    const [code, sms, next] = [await queued(number), await queued(number), await queued(number)];
    await scene.bed.database.sql(`UPDATE messages SET kind = 'otp' WHERE id = $1`, [code]);
    await take(sms);
    expect(await take(code)).toEqual({ kind: 'otp', waitMs: 0, isKnown: false });
    expect((await take(next))?.waitMs).toBeGreaterThan(1_000);
  });

  it('are waited for: the first message is sent, a later one gets a job for its turn', async () => {
    const { number } = await scene.buy();
    const dispatch = (id: string) => scene.core.get(DispatchMessage).dispatchInTurn(jobOf(id));
    const enqueued = jest.spyOn(scene.core.get(DispatchQueue), 'enqueued').mockResolvedValue();
    const [first, second] = [await queued(number), await queued(number)];
    expect(await dispatch(first)).toEqual({ kind: 'done' });
    const later = await dispatch(second);
    if (later.kind !== 'retry') throw new Error('The second message has to wait');
    expect(later.delayMs).toBeGreaterThan(500);
    const job = { id: second, accountId: scene.account.id, kind: 'sms', delayMs: later.delayMs };
    expect(enqueued.mock.calls).toEqual([[expect.objectContaining(job)]]);
    expect(await dispatch(second)).toMatchObject({ kind: 'retry' });
    expect(enqueued).toHaveBeenCalledTimes(1);
    const stateOf = (id: string) => scene.bed.database.sql('SELECT status, attempts FROM messages WHERE id = $1', [id]);
    expect([await stateOf(first), await stateOf(second)]).toEqual([
      [{ status: 'sent', attempts: 1 }],
      [{ status: 'queued', attempts: 0 }],
    ]);
    await scene.bed.database.sql('UPDATE number_turns SET at = now() WHERE message_id = $1', [second]);
    expect(await dispatch(second)).toEqual({ kind: 'done' });
    expect(await stateOf(second)).toEqual([{ status: 'sent', attempts: 1 }]);
  });

  it('are forgotten five hours after they were over', async () => {
    const { number } = await scene.buy();
    await take(await queued(number));
    const turns = () => scene.bed.database.sql('SELECT * FROM number_turns WHERE account_id = $1', [scene.account.id]);
    await scene.core.get(NumberTurns).forget();
    expect(await turns()).toHaveLength(1);
    await scene.bed.database.sql(`UPDATE number_turns SET at = at - interval '301 minutes'`);
    await scene.core.get(NumberTurns).forget();
    expect(await turns()).toEqual([]);
  });

  it('are taken by a statement that returns rows of its type', async () => {
    const { number } = await scene.buy();
    const values = [scene.account.id, await queued(number), 1_000, 1_000 / 3];
    const row: z.ZodType<Turn> = z.strictObject({
      kind: z.enum(['sms', 'otp']),
      isKnown: z.boolean(),
      waitMs: z.number().nullable(),
    });
    for (const isKnown of [false, true])
      expect((await scene.bed.database.sql(takeTurnStatement.text, values)).map((one) => row.parse(one))).toMatchObject(
        [{ isKnown }],
      );
  });
});
