import { z } from 'zod';
import { numberScene } from '../../numbers/testing/number-scene.js';
import { DispatchQueue } from '../../platform/queue/queues.js';
import { createTestAccount } from '../../testing/test-accounts.js';
import { createTestCore } from '../../testing/test-core.js';
import { texted } from '../../testing/texted.js';
import { DispatchMessage } from './dispatch-message.js';
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
  /** The waits of new messages, in the order in which they ask. */
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
    expectApart(await waits(local.number, 4), 1_000);
    expectApart(await waits(tollFree.number, 7), 1_000 / 3);
  });

  it('follow the settings', async () => {
    const { number } = await scene.buy();
    const fast = await createTestCore(scene.bed.config({ NUMBER_PER_SECOND_LOCAL: '50' }));
    try {
      const [first, second] = [await queued(number), await queued(number)];
      await take(first, fast);
      expect((await take(second, fast))?.waitMs).toBeLessThanOrEqual(20);
    } finally {
      await fast.close();
    }
  });

  it('are each given once, however many processes ask at a time', async () => {
    const { number } = await scene.buy();
    const other = await createTestCore(scene.bed.config());
    try {
      const messages = await Promise.all(Array.from({ length: 20 }, () => queued(number)));
      await Promise.all(messages.map((message, n) => take(message, n % 2 ? other : scene.core)));
      const turns = await scene.bed.database.sql<{ gap: number | null }>(
        `SELECT round(1000 * extract(epoch FROM at - lag(at) OVER (ORDER BY at)))::int AS gap FROM number_turns
         WHERE account_id = $1`,
        [scene.account.id],
      );
      const gaps = turns.flatMap(({ gap }) => (gap === null ? [] : [gap]));
      expect(gaps).toHaveLength(19);
      expect(Math.min(...gaps)).toBeGreaterThanOrEqual(1_000);
    } finally {
      await other.close();
    }
  });

  it('stay, until ten seconds after they are over', async () => {
    const { number } = await scene.buy();
    const message = await queued(number);
    expect(await take(message)).toMatchObject({ isKnown: false });
    await take(await queued(number));
    expect(await take(message)).toMatchObject({ isKnown: true });
    await scene.bed.database.sql(`UPDATE number_turns SET at = at - interval '11 seconds' WHERE message_id = $1`, [
      message,
    ]);
    const again = await take(message);
    expect(again).toMatchObject({ isKnown: false });
    expect(again?.waitMs).toBeGreaterThan(1_000);
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
    const dispatch = (id: string) => scene.core.get(DispatchMessage).dispatchInTurn(scene.account.id, id);
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

  it('are forgotten an hour after they were over', async () => {
    const { number } = await scene.buy();
    await take(await queued(number));
    const turns = () => scene.bed.database.sql('SELECT * FROM number_turns WHERE account_id = $1', [scene.account.id]);
    await scene.core.get(NumberTurns).forget();
    expect(await turns()).toHaveLength(1);
    await scene.bed.database.sql(`UPDATE number_turns SET at = at - interval '61 minutes'`);
    await scene.core.get(NumberTurns).forget();
    expect(await turns()).toEqual([]);
  });

  it('are taken by a statement that returns rows of its type', async () => {
    const { number } = await scene.buy();
    const values = [scene.account.id, await queued(number), 1_000, 1_000 / 3];
    const row: z.ZodType<Turn> = z.strictObject({
      kind: z.enum(['sms', 'otp']),
      isKnown: z.boolean(),
      waitMs: z.number(),
    });
    for (const isKnown of [false, true])
      expect((await scene.bed.database.sql(takeTurnStatement.text, values)).map((one) => row.parse(one))).toMatchObject(
        [{ isKnown }],
      );
  });
});
