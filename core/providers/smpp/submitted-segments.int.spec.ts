import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import fc from 'fast-check';
import type { CarrierReceipt } from '../../messages/routes/carrier.js';
import { Postgres } from '../../platform/database/postgres.js';
import { publicMessageId } from '../../rules/ids.js';
import { createTestBed, type TestBed } from '../../testing/test-bed.js';
import { createTestCore, type TestCore } from '../../testing/test-core.js';
import type { IdBase, SegmentReceipt } from './smpp-receipts.js';
import {
  endSegmentStatement,
  findByReferenceStatement,
  findEarlyStatement,
  findSegmentsStatement,
  insertSegmentsStatement,
  purgeSegments,
  statesStatement,
  type StoredSegment,
  type SubmittedMessage,
  SubmittedSegments,
} from './submitted-segments.js';

const CARRIER = 24_539;
const message = (segments: number, changes: Partial<SubmittedMessage> = {}): SubmittedMessage => ({
  messageId: randomUUID(),
  accountId: randomUUID(),
  recipient: '+14155552671',
  segments,
  ...changes,
});
const receipt = (id: string, changes: Partial<SegmentReceipt> = {}): SegmentReceipt => ({
  ids: [id],
  status: 'delivered',
  error: null,
  addresses: ['14155552671', '15005550006'],
  reference: null,
  ...changes,
});

describe('SubmittedSegments', () => {
  let bed: TestBed;
  let core: TestCore;
  let recorded: CarrierReceipt[];

  beforeAll(async () => {
    bed = await createTestBed();
    core = await createTestCore(bed.config());
  });
  beforeEach(async () => {
    recorded = [];
    await bed.database.sql('DELETE FROM smpp_segments');
    await bed.database.sql('DELETE FROM smpp_early_receipts');
  });
  afterAll(async () => {
    await core?.close();
    await bed?.remove();
  });

  /** As one worker has them; every worker has its own. */
  const segmentsOf = (base: IdBase) =>
    new SubmittedSegments(core.get(Postgres), CARRIER, base, async (one) => void recorded.push(one));
  const outcomes = () => recorded.map(({ messageId, status, carrierId }) => [messageId, status, carrierId]);
  const outcome = ({ messageId }: SubmittedMessage, status: string, carrierId: string) => [
    publicMessageId(messageId),
    status,
    carrierId,
  ];
  const taken = (segments: SubmittedSegments, of: SubmittedMessage, ...ids: string[]) =>
    Promise.all(ids.map((id) => segments.taken({ message: of, id, carrierId: ids[0] ?? id })));
  const rows = () => bed.database.sql('SELECT id FROM smpp_segments UNION ALL SELECT id FROM smpp_early_receipts');

  it('records the receipt of a message when all its segments are final, whatever the order', async () => {
    const steps = fc.record({ count: fc.integer({ min: 1, max: 6 }), seed: fc.infiniteStream(fc.nat()) });
    await fc.assert(
      fc.asyncProperty(steps, async ({ count, seed }) => {
        recorded = [];
        const submitted = message(count);
        const ids = Array.from({ length: count }, () => randomUUID());
        const states = ids.map(() =>
          Number(seed.next().value) % 4 === 0 ? ('undelivered' as const) : ('delivered' as const),
        );
        const events = [
          ...ids.map((id) => () => segmentsOf('auto').taken({ message: submitted, id, carrierId: ids[0] ?? id })),
          ...ids.map((id, at) => () => segmentsOf('auto').receipt(receipt(id, { status: states[at] ?? 'sent' }))),
        ].map((event) => ({ event, order: Number(seed.next().value) }));
        // All at once, each in a worker of its own.
        await Promise.all(events.sort((one, other) => one.order - other.order).map(({ event }) => event()));
        const expected = states.includes('undelivered') ? 'undelivered' : 'delivered';
        expect(new Set(outcomes().map(String))).toEqual(new Set([String(outcome(submitted, expected, ids[0] ?? ''))]));
        expect(await rows()).toEqual([]);
      }),
      { numRuns: 30 },
    );
  });

  it('finds the message of a receipt that comes after a restart, in any base', async () => {
    const submitted = message(1);
    await taken(segmentsOf('auto'), submitted, '0000FF');
    await segmentsOf('auto').receipt(receipt('255', { addresses: ['14155550000'] }));
    expect(recorded).toEqual([]);
    await segmentsOf('auto').receipt(receipt('255'));
    expect(outcomes()).toEqual([outcome(submitted, 'delivered', '0000FF')]);
  });

  it('waits for all segments, also when one is undelivered, and a first final state stays', async () => {
    const submitted = message(2);
    const segments = segmentsOf('same');
    await taken(segments, submitted, 'A1', 'A2');
    await segments.receipt(receipt('a1', { status: 'undelivered' }));
    await segments.receipt(receipt('a1'));
    await segments.receipt(receipt('a2', { status: 'sent' }));
    expect(recorded).toEqual([]);
    await segments.receipt(receipt('a2'));
    expect(outcomes()).toEqual([outcome(submitted, 'undelivered', 'A1')]);
    expect(await rows()).toEqual([]);
  });

  const toOther = { recipient: '+14045550177' };
  const fromOther = { addresses: ['0014045550177'] };

  it('has the phone decide which message a receipt is of, whose id is the number of another one', async () => {
    // jookies/jasmin#1034, MavoCz/smscsim#4: 0x10 is 16, and a message with the id 16 waits too.
    const [first, second] = [message(1), message(1, toOther)];
    const segments = segmentsOf('auto');
    await taken(segments, first, '00000016');
    await taken(segments, second, '00000010');
    await segments.receipt(receipt('0000000016', { ...fromOther, status: 'undelivered', error: 1 }));
    expect(outcomes()).toEqual([outcome(second, 'undelivered', '00000010')]);
    expect(recorded[0]?.carrierError).toBe(1);
    // The peer hides the phone, or writes it second: the id is the first one's.
    await segments.receipt(receipt('16', { addresses: ['1404555****', ''] }));
    expect(outcomes()[1]).toEqual(outcome(first, 'delivered', '00000016'));
  });

  it('keeps such a receipt for a message to its phone that has no response yet', async () => {
    const [first, second] = [message(1), message(1, toOther)];
    const segments = segmentsOf('auto');
    await taken(segments, first, '16');
    await segments.submitting(second);
    await segments.receipt(receipt('16', { ...fromOther, status: 'undelivered', error: 27 }));
    expect(recorded).toEqual([]);
    await taken(segments, second, '10');
    expect(recorded).toMatchObject([{ messageId: publicMessageId(second.messageId), carrierError: 27 }]);
    await segments.receipt(receipt('16'));
    expect(outcomes()[1]).toEqual(outcome(first, 'delivered', '16'));
  });

  it.each([
    ['its second id', receipt('ffff', { ids: ['ffff', 'a1b2_c3d4'] })],
    ['the phone in the second place', receipt('2712847316', { addresses: ['15005550006', '+1 (415) 555-2671'] })],
  ])('finds a message by %s', async (_name, given) => {
    const submitted = message(1);
    const segments = segmentsOf('auto');
    await taken(segments, submitted, given.ids.length > 1 ? 'A1B2_c3d4' : 'A1B2C3D4');
    await segments.receipt(given);
    expect(outcomes().map(([id]) => id)).toEqual([publicMessageId(submitted.messageId)]);
  });

  it('takes a text that reads like a receipt for one only where it names a message to that phone', async () => {
    // farhadi/node-smpp#140, praekeltfoundation/vumi#872
    const segments = segmentsOf('auto');
    const submitted = message(1);
    await segments.submitting(submitted);
    await taken(segments, submitted, '7001');
    expect(await segments.wordedReceipt(receipt('7001', fromOther))).toBe(false);
    expect(await segments.wordedReceipt(receipt('7002'))).toBe(false);
    expect(await segments.wordedReceipt(receipt('7001', { status: 'sent' }))).toBe(true);
    expect(recorded).toEqual([]);
    expect(await segments.wordedReceipt(receipt('7001'))).toBe(true);
    expect(outcomes()).toEqual([outcome(submitted, 'delivered', '7001')]);
    // The peer repeats it.
    expect(await segments.wordedReceipt(receipt('7001'))).toBe(true);
    expect(outcomes()).toHaveLength(1);
    // It comes before the response.
    const next = message(1, toOther);
    await segments.submitting(next);
    expect(await segments.wordedReceipt(receipt('7003', fromOther))).toBe(true);
    await taken(segments, next, '7003');
    expect(outcomes()[1]).toEqual(outcome(next, 'delivered', '7003'));
  });

  it('reports the code of the segment that failed, unless that would send the others again', async () => {
    const segments = segmentsOf('same');
    const codeOf = async (codes: readonly (number | null)[]) => {
      recorded = [];
      const ids = codes.map(() => randomUUID());
      await taken(segments, message(codes.length), ...ids);
      for (const [at, error] of codes.entries())
        await segments.receipt(receipt(ids[at] ?? '', { status: error === null ? 'delivered' : 'undelivered', error }));
      return recorded.map(({ status, carrierError }) => [status, carrierError]);
    };
    expect(await codeOf([null, 27])).toEqual([['undelivered', 27]]);
    expect(await codeOf([34, 34])).toEqual([['undelivered', 34]]);
    // 34 is a fault of the route, and the phone has the first segment.
    expect(await codeOf([null, 34])).toEqual([['undelivered', null]]);
  });

  it('prefers the message with the same id to one with that number in another base', async () => {
    const [one, own] = [message(1), message(1)];
    const segments = segmentsOf('auto');
    await taken(segments, one, 'a');
    await taken(segments, own, '10');
    await segments.receipt(receipt('10'));
    expect(outcomes()).toEqual([outcome(own, 'delivered', '10')]);
  });

  it.each([
    ['255', 'ff', 'hex'],
    ['ff', '255', 'decimal'],
    ['00FF', 'ff', 'same'],
    ['ff', '0255', 'auto'],
  ] as const)('keeps a receipt that comes before the response: %s as %s under %s', async (id, receiptId, base) => {
    const submitted = message(1);
    await segmentsOf(base).receipt(receipt(receiptId));
    expect(recorded).toEqual([]);
    await taken(segmentsOf(base), submitted, id);
    expect(outcomes()).toEqual([outcome(submitted, 'delivered', id)]);
    expect(await rows()).toEqual([]);
  });

  it('looks for an early receipt only where there may be one: its own, or one of another worker', async () => {
    let isAlone = true;
    const make = () =>
      new SubmittedSegments(
        core.get(Postgres),
        CARRIER,
        'auto',
        async (one) => void recorded.push(one),
        () => isAlone,
      );
    const [segments, other] = [make(), make()];
    const query = jest.spyOn(core.get(Postgres), 'query');
    const looks = () => query.mock.calls.filter(([{ name }]) => name === findEarlyStatement.name).length;
    await taken(segments, message(1), '1');
    expect(looks()).toBe(0);
    // Known to the worker itself, in whichever base.
    const own = message(1);
    await segments.receipt(receipt('FF'));
    await taken(segments, own, '255');
    expect([looks(), outcomes()]).toEqual([1, [outcome(own, 'delivered', '255')]]);
    // Of a worker that has taken the bind over meanwhile.
    const late = message(1);
    await other.receipt(receipt('3'));
    isAlone = false;
    await taken(segments, late, '3');
    expect(outcomes()).toContainEqual(outcome(late, 'delivered', '3'));
    jest.restoreAllMocks();
    expect(await rows()).toEqual([{ id: '1' }]);
  });

  it('takes no receipt of long ago for that of a later message with the same id', async () => {
    await segmentsOf('same').receipt(receipt('7'));
    await bed.database.sql(`UPDATE smpp_early_receipts SET received_at = now() - interval '11 minutes'`);
    await taken(segmentsOf('same'), message(1), '7');
    expect(recorded).toEqual([]);
  });

  it('gives an id that the peer uses again to the later message', async () => {
    const later = message(1);
    await taken(segmentsOf('same'), message(1), '7');
    await taken(segmentsOf('same'), later, '7');
    await segmentsOf('same').receipt(receipt('7'));
    expect(outcomes()).toEqual([outcome(later, 'delivered', '7')]);
  });

  it('keeps a segment when its message could not be recorded, for the repeated receipt', async () => {
    const submitted = message(1);
    await taken(segmentsOf('same'), submitted, '7');
    const failing = new SubmittedSegments(core.get(Postgres), CARRIER, 'same', () =>
      Promise.reject(new Error('The database cannot be reached')),
    );
    await expect(failing.receipt(receipt('7'))).rejects.toThrow('cannot be reached');
    await segmentsOf('same').receipt(receipt('7'));
    expect(outcomes()).toEqual([outcome(submitted, 'delivered', '7')]);
  });

  it('stores the other segments of a batch when Postgres refuses one', async () => {
    const segments = segmentsOf('same');
    const results = await Promise.allSettled(
      ['a', 'b\0', 'c'].map((id) => segments.taken({ message: message(1), id, carrierId: id })),
    );
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(new Set((await rows()).map(({ id }) => id))).toEqual(new Set(['a', 'c']));
  });

  it('knows of each hand-off whether it has begun and whether it was taken, in every worker', async () => {
    const submitted = message(1);
    const of = () => segmentsOf('same').of(submitted.messageId);
    expect(await of()).toEqual({ kind: 'none' });
    await segmentsOf('same').submitting(submitted);
    expect(await of()).toEqual({ kind: 'doubtful' });
    await segmentsOf('same').notTaken(submitted);
    expect(await of()).toEqual({ kind: 'none' });
    await segmentsOf('same').submitting(submitted);
    await taken(segmentsOf('same'), submitted, '0A');
    expect(await of()).toEqual({ kind: 'taken', carrierId: '0A' });
    await segmentsOf('same').receipt(receipt('a'));
    expect(await bed.database.sql('SELECT FROM smpp_submits')).toEqual([]);
  });

  it('deletes what is not waited for any more', async () => {
    await taken(segmentsOf('same'), message(1), '1');
    await segmentsOf('same').receipt(receipt('2'));
    await purgeSegments(core.get(Postgres));
    expect(await rows()).toHaveLength(2);
    await bed.database.sql(`UPDATE smpp_segments SET taken_at = now() - interval '8 days'`);
    await bed.database.sql(`UPDATE smpp_early_receipts SET received_at = now() - interval '11 minutes'`);
    await purgeSegments(core.get(Postgres));
    expect(await rows()).toEqual([]);
  });

  it('reads the rows that its types declare', async () => {
    const stored: z.ZodType<StoredSegment> = z.strictObject({
      id: z.string(),
      messageId: z.uuid(),
      accountId: z.uuid(),
      segments: z.int(),
      carrierId: z.string(),
      phoneEnd: z.string(),
    });
    const sql = (text: string, values: unknown[]) => bed.database.sql(text, values);
    const { messageId, accountId } = message(2);
    await sql(insertSegmentsStatement.text, [CARRIER, ['1'], [messageId], [accountId], [2], ['1'], ['552671']]);
    await sql(endSegmentStatement.text, [CARRIER, '1', 'undelivered', 27]);
    expect(z.array(stored).parse(await sql(findSegmentsStatement.text, [CARRIER, ['1']]))).toHaveLength(1);
    expect(await sql(statesStatement.text, [CARRIER, messageId, '1'])).toEqual([
      { id: '1', status: 'undelivered', error: 27 },
    ]);
    await segmentsOf('same').receipt(receipt('2'));
    expect(await sql(findEarlyStatement.text, [CARRIER, ['2']])).toEqual([
      { id: '2', phoneEnd: '552671 550006', status: 'delivered', error: null },
    ]);
    expect(await sql(findByReferenceStatement.text, [CARRIER, '+14155552671', '0001'])).toEqual([]);
  });
});
