import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import fc from 'fast-check';
import type { CarrierReceipt } from '../../carriers/carrier.js';
import { Postgres } from '../../platform/database/postgres.js';
import { publicMessageId } from '../../rules/ids.js';
import { Acceptance } from '../../messages/send/acceptance.js';
import { acceptanceRow } from '../../testing/acceptance-rows.js';
import { eventually } from '../../testing/eventually.js';
import { createTestAccount, type TestAccount } from '../../testing/test-accounts.js';
import { createTestBed, type TestBed } from '../../testing/test-bed.js';
import { createTestCore, type TestCore } from '../../testing/test-core.js';
import type { IdBase, SegmentReceipt } from './smpp-receipts.js';
import {
  type AwaitedSegment,
  endSegmentStatement,
  findByReferenceStatement,
  findSegmentsStatement,
  namedNotesStatement,
  notedStatement,
  type NamedNote,
  purgeSegments,
  statesStatement,
  storeSegmentsStatement,
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
  let account: TestAccount;
  let recorded: CarrierReceipt[];
  const workers: SubmittedSegments[] = [];

  beforeAll(async () => {
    bed = await createTestBed();
    core = await createTestCore(bed.config());
    account = await createTestAccount(core, { credits: 100 });
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await Promise.all(workers.splice(0).map((worker) => worker.storeAllSegments()));
  });
  beforeEach(async () => {
    recorded = [];
    await bed.database.sql('DELETE FROM smpp_segments');
    await bed.database.sql('DELETE FROM smpp_submits');
  });
  afterAll(async () => {
    await core?.close();
    await bed?.remove();
  });

  /** Segments of one worker. By default another worker may have the bind. */
  const segmentsOf = (
    base: IdBase,
    isAlone: () => boolean = () => false,
    record = async (one: CarrierReceipt): Promise<void> => void recorded.push(one),
  ) => {
    const segments = new SubmittedSegments(core.get(Postgres), CARRIER, base, { record }, isAlone);
    workers.push(segments);
    return segments;
  };
  const holderOf = (base: IdBase) => segmentsOf(base, () => true);
  const tendAfter = (segments: SubmittedSegments, ms: number) => segments.tend(performance.now() + ms);
  const outcomes = () => recorded.map(({ messageId, status, carrierId }) => [messageId, status, carrierId]);
  const outcome = ({ messageId }: SubmittedMessage, status: string, carrierId: string) => [
    publicMessageId(messageId),
    status,
    carrierId,
  ];
  const taken = (segments: SubmittedSegments, of: SubmittedMessage, id: string, carrierId = id) =>
    segments.taken({ message: of, id, carrierId, isLate: false });
  const allTaken = (segments: SubmittedSegments, of: SubmittedMessage, ...ids: string[]) =>
    Promise.all(ids.map((id) => taken(segments, of, id, ids[0])));
  const rows = () => bed.database.sql('SELECT id FROM smpp_segments');
  const notes = async () =>
    (await bed.database.sql('SELECT message_id FROM smpp_submits')).map((row) => row['message_id']);
  const hasNoNotes = () => eventually('no notes', async () => (await notes()).length === 0);
  /** Counts the statements from now on. */
  const statements = () => {
    const query = jest.spyOn(core.get(Postgres), 'query');
    return () => query.mock.calls.map(([{ name }]) => name?.replace(/-\d+$/, ''));
  };
  /** A message whose row has the id by which the bind has taken it. */
  async function sent(carrierId: string, recipient: string): Promise<SubmittedMessage> {
    const row = acceptanceRow(core, account.apiKey, { recipient });
    await core.get(Acceptance).decide(row);
    await bed.database.sql(`UPDATE messages SET status = 'sent', carrier = $2, carrier_id = $3 WHERE id = $1`, [
      row.id,
      CARRIER,
      carrierId,
    ]);
    return { messageId: row.id, accountId: account.id, recipient, segments: 1 };
  }

  it('records the receipt of a message when all its segments are final, whatever the order', async () => {
    const steps = fc.record({
      isOneWorker: fc.boolean(),
      count: fc.integer({ min: 1, max: 6 }),
      seed: fc.infiniteStream(fc.nat()),
    });
    await fc.assert(
      fc.asyncProperty(steps, async ({ isOneWorker, count, seed }) => {
        recorded = [];
        const several = Array.from({ length: 2 * count }, () => segmentsOf('auto'));
        const holder = holderOf('auto');
        const workerOf = (n: number) => (isOneWorker ? holder : (several[n] ?? holder));
        const submitted = message(count);
        const ids = Array.from({ length: count }, () => randomUUID());
        const states = ids.map(() =>
          Number(seed.next().value) % 4 === 0 ? ('undelivered' as const) : ('delivered' as const),
        );
        const events = [
          ...ids.map((id, at) => () => taken(workerOf(at), submitted, id, ids[0])),
          ...ids.map((id, at) => () => workerOf(count + at).receipt(receipt(id, { status: states[at] ?? 'sent' }))),
        ].map((event) => ({ event, order: Number(seed.next().value) }));
        // All events at once, in one worker or in separate workers.
        await Promise.all(events.sort((one, other) => one.order - other.order).map(({ event }) => event()));
        await Promise.all([...several, holder].map((worker) => tendAfter(worker, 5_000)));
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
    await allTaken(segments, submitted, 'A1', 'A2');
    await segments.receipt(receipt('a1', { status: 'undelivered' }));
    await segments.receipt(receipt('a1'));
    await segmentsOf('same').receipt(receipt('a1'));
    await segments.receipt(receipt('a2', { status: 'sent' }));
    expect(recorded).toEqual([]);
    await segments.receipt(receipt('a2'));
    expect(outcomes()).toEqual([outcome(submitted, 'undelivered', 'A1')]);
    expect(await rows()).toEqual([]);
    // The peer repeats a receipt.
    const names = statements();
    await segments.receipt(receipt('a1'));
    expect(names()).toEqual([]);
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
    // The peer hides the phone, or writes it second: the id belongs to the first message.
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
    // The peer repeats the receipt.
    expect(await segments.wordedReceipt(receipt('7001'))).toBe(true);
    expect(outcomes()).toHaveLength(1);
    // The receipt comes before the response.
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
      await allTaken(segments, message(codes.length), ...ids);
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
    const segments = segmentsOf(base);
    await segments.receipt(receipt(receiptId));
    expect(recorded).toEqual([]);
    await taken(segments, submitted, id);
    expect(outcomes()).toEqual([outcome(submitted, 'delivered', id)]);
    expect(await rows()).toEqual([]);
    // The peer gives the id again.
    await taken(segments, message(1), id);
    expect(recorded).toHaveLength(1);
  });

  it.each([1, 2])(
    'finds the message of a receipt whose response comes while it is looked for, of %d segments',
    async (count) => {
      const segments = holderOf('auto');
      const submitted = message(count);
      const ids = Array.from({ length: count }, () => randomUUID());
      const postgres = core.get(Postgres);
      const query = postgres.query.bind(postgres);
      jest.spyOn(postgres, 'query').mockImplementation(async (statement, values) => {
        const found = await query(statement, values);
        if (statement === findByReferenceStatement) await allTaken(segments, submitted, ...ids);
        return found;
      });
      await segments.receipt(receipt(ids.at(-1) ?? '', { reference: 1 }));
      jest.restoreAllMocks();
      for (const id of ids.slice(0, -1)) await segments.receipt(receipt(id));
      expect(outcomes()).toEqual([outcome(submitted, 'delivered', ids[0] ?? '')]);
    },
  );

  it('keeps a receipt whose segment the worker before stores late', async () => {
    const [segments, submitted] = [holderOf('auto'), message(1)];
    await segments.receipt(receipt('FF'));
    await taken(segmentsOf('auto'), submitted, '255');
    await tendAfter(segments, 5_000);
    expect(outcomes()).toEqual([outcome(submitted, 'delivered', '255')]);
    // The id also counts later.
    const next = message(1, toOther);
    await segments.receipt(receipt('FE', fromOther));
    await tendAfter(segments, 5_000);
    await taken(segmentsOf('auto'), next, '254');
    await tendAfter(segments, 7_000);
    expect(outcomes()).toHaveLength(1);
    await tendAfter(segments, 11_000);
    expect(outcomes()[1]).toEqual(outcome(next, 'delivered', '254'));
  });

  it('keeps a receipt whose message could not be recorded, though it came early', async () => {
    const submitted = message(1);
    let isDown = true;
    const record = async (one: CarrierReceipt) => {
      if (isDown) throw new Error('The database cannot be reached');
      recorded.push(one);
    };
    const segments = segmentsOf('same', () => true, record);
    await segments.receipt(receipt('7'));
    await expect(taken(segments, submitted, '7')).rejects.toThrow('cannot be reached');
    isDown = false;
    await tendAfter(segments, 5_000);
    expect(outcomes()).toEqual([outcome(submitted, 'delivered', '7')]);
  });

  it('takes two statements for a message whose receipt comes soon: its note, and the deletion of that', async () => {
    const [segments, submitted] = [holderOf('auto'), message(1)];
    const names = statements();
    await segments.submitting(submitted);
    await taken(segments, submitted, 'A1B2');
    expect(await notes()).toEqual([submitted.messageId]);
    await segments.receipt(receipt('a1b2'));
    // The peer repeats the receipt.
    await segments.receipt(receipt('a1b2'));
    expect(outcomes()).toEqual([outcome(submitted, 'delivered', 'A1B2')]);
    await hasNoNotes();
    expect(names()).toEqual(['smpp-submits-note', 'smpp-submits-note']);
    expect(await rows()).toEqual([]);
  });

  it('deletes notes that are not needed any more with the next batch of new ones', async () => {
    const segments = holderOf('auto');
    const [first, second] = [message(1), message(1, toOther)];
    await segments.submitting(first);
    await taken(segments, first, '1');
    await segments.receipt(receipt('1'));
    await segments.submitting(second);
    expect(await notes()).toEqual([second.messageId]);
  });

  it('deletes a note later when its deletion has failed', async () => {
    const segments = holderOf('auto');
    const [first, second] = [message(1), message(1, toOther)];
    await segments.submitting(first);
    await taken(segments, first, '1');
    await segments.receipt(receipt('1'));
    jest.spyOn(core.get(Postgres), 'query').mockRejectedValueOnce(new Error('The database cannot be reached'));
    await expect(segments.submitting(second)).rejects.toThrow('cannot be reached');
    await segments.submitting(second);
    expect(await notes()).toEqual([second.messageId]);
  });

  it('keeps the note of a message that is submitted again', async () => {
    const [segments, submitted] = [holderOf('auto'), message(1)];
    await segments.submitting(submitted);
    await taken(segments, submitted, '1');
    await segments.receipt(receipt('1', { status: 'undelivered' }));
    const query = jest.spyOn(core.get(Postgres), 'query');
    await segments.submitting(submitted);
    expect(query.mock.calls.map(([, values]) => values)).toEqual([[CARRIER, [submitted.messageId], []]]);
    await segments.submitting(message(1));
    expect(await notes()).toContain(submitted.messageId);
  });

  it('deletes no note of a worker that has the bind meanwhile', async () => {
    let isAlone = true;
    const [segments, submitted] = [segmentsOf('auto', () => isAlone), message(1)];
    await segments.submitting(submitted);
    await taken(segments, submitted, '1');
    await segments.receipt(receipt('1'));
    isAlone = false;
    await segments.storeAllSegments();
    await segments.submitting(message(1));
    expect(await notes()).toContain(submitted.messageId);
  });

  it('stores a segment whose receipt takes long, which another worker finds', async () => {
    const [segments, submitted] = [holderOf('auto'), message(1)];
    await segments.submitting(submitted);
    await taken(segments, submitted, '1');
    await tendAfter(segments, 29_000);
    expect([await rows(), await notes()]).toEqual([[], [submitted.messageId]]);
    await tendAfter(segments, 31_000);
    expect([await rows(), await notes()]).toEqual([[{ id: '1' }], []]);
    expect(await segmentsOf('auto').of(submitted.messageId)).toEqual({ kind: 'taken', carrierId: '1' });
    await segmentsOf('auto').receipt(receipt('1'));
    expect(outcomes()).toEqual([outcome(submitted, 'delivered', '1')]);
    expect(await rows()).toEqual([]);
  });

  it('finds a late receipt after the segment was stored, in the same worker', async () => {
    const [segments, submitted] = [holderOf('auto'), message(1)];
    await taken(segments, submitted, '1');
    await tendAfter(segments, 31_000);
    await segments.receipt(receipt('1'));
    expect(outcomes()).toEqual([outcome(submitted, 'delivered', '1')]);
  });

  it('leaves no segment of a message whose receipt comes while it is stored', async () => {
    const [segments, submitted] = [holderOf('auto'), message(1)];
    await taken(segments, submitted, '1');
    await Promise.all([segments.storeAllSegments(), segments.receipt(receipt('1'))]);
    expect(outcomes()).toEqual([outcome(submitted, 'delivered', '1')]);
    expect(await rows()).toEqual([]);
  });

  it.each([
    ['another worker may have the bind', message(1), { isAlone: false }],
    ['the response is late, which the message’s row does not get', message(1), { isLate: true }],
    ['it is one of several, whose ids no message has', message(2), {}],
  ])(
    'stores a segment at once when %s',
    async (_why, submitted, changes: { readonly isAlone?: boolean; readonly isLate?: boolean }) => {
      const { isAlone = true, isLate = false } = changes;
      const segments = segmentsOf('auto', () => isAlone);
      await segments.submitting(submitted);
      await segments.taken({ message: submitted, id: '1', carrierId: '1', isLate });
      expect([await rows(), await notes()]).toEqual([[{ id: '1' }], []]);
    },
  );

  it('stores all segments when it has lost the bind', async () => {
    let isAlone = true;
    const segments = segmentsOf('auto', () => isAlone);
    await taken(segments, message(1), '1');
    await tendAfter(segments, 0);
    expect(await rows()).toEqual([]);
    isAlone = false;
    await tendAfter(segments, 0);
    expect(await rows()).toEqual([{ id: '1' }]);
  });

  it('remembers a bounded number of segments, and stores further ones at once', async () => {
    const segments = holderOf('same');
    const one = message(1);
    for (let id = 1; id <= 20_000; id++) await taken(segments, one, `a${id}`);
    expect(await rows()).toEqual([]);
    await taken(segments, one, 'b');
    expect(await rows()).toEqual([{ id: 'b' }]);
    const names = statements();
    await segments.receipt(receipt('b'));
    expect(outcomes()).toEqual([outcome(one, 'delivered', 'b')]);
    expect(names()).toEqual(['smpp-segments-find', 'smpp-segments-delete']);
  }, 30_000);

  it('keeps 10,000 receipts whose segments are not known yet, the latest ones', async () => {
    const [segments, submitted] = [holderOf('same'), message(1)];
    for (const id of ['0', '1']) await segments.receipt(receipt(id));
    const ids = Array.from({ length: 9_999 }, (_, n) => String(n + 2));
    for (let from = 0; from < ids.length; from += 5_000)
      await Promise.all(ids.slice(from, from + 5_000).map((id) => segments.receipt(receipt(id))));
    for (const id of ['0', '1']) await taken(segments, submitted, id);
    expect(outcomes()).toEqual([outcome(submitted, 'delivered', '1')]);
  }, 30_000);

  it('knows the latest 10,000 receipts again without a statement', async () => {
    const [segments, submitted] = [holderOf('same'), message(1)];
    for (let id = 0; id <= 10_000; id++) {
      await taken(segments, submitted, String(id));
      await segments.receipt(receipt(String(id)));
    }
    const names = statements();
    await segments.receipt(receipt('1'));
    expect(names()).not.toContain('smpp-segments-find');
    await segments.receipt(receipt('0'));
    expect(names()).toContain('smpp-segments-find');
    expect(recorded).toHaveLength(10_001);
  }, 30_000);

  it('asks for the segment of a receipt at growing intervals, for ten minutes', async () => {
    const segments = holderOf('same');
    await tendAfter(segments, 0);
    await segments.receipt(receipt('1'));
    const names = statements();
    for (let seconds = 1; seconds <= 3_600; seconds++) await tendAfter(segments, seconds * 1_000);
    expect(names().filter((name) => name === 'smpp-segments-find')).toHaveLength(8);
  });

  it('stores all segments before another worker gets the bind', async () => {
    const [segments, submitted, ended] = [holderOf('auto'), message(1), message(1, toOther)];
    for (const [at, one] of [submitted, ended].entries()) {
      await segments.submitting(one);
      await taken(segments, one, String(at));
    }
    await segments.receipt(receipt('1', fromOther));
    await segments.storeAllSegments();
    expect([await rows(), await notes()]).toEqual([[{ id: '0' }], []]);
  });

  it('knows what a crashed worker has left before its first receipt', async () => {
    const crashed = holderOf('auto');
    const one = await sent('0C', '+14155552671');
    await crashed.submitting(one);
    await taken(crashed, one, '0C');
    const next = holderOf('auto');
    await next.settleLatest();
    await next.receipt(receipt('0C'));
    expect(outcomes()).toEqual([outcome(one, 'delivered', '0C')]);
  });

  it('finds messages of a worker that crashed by their notes and rows, and leaves others in doubt', async () => {
    const crashed = holderOf('auto');
    const [first, second] = [await sent('0A', '+14155552671'), await sent('0B', '+14045550177')];
    const doubtful = message(1);
    for (const one of [first, second, doubtful]) await crashed.submitting(one);
    await taken(crashed, first, '0A');
    await taken(crashed, second, '0B');
    const next = holderOf('auto');
    await next.receipt(receipt('a'));
    expect(recorded).toEqual([]);
    await tendAfter(next, 5_000);
    expect(outcomes()).toEqual([outcome(first, 'delivered', '0A')]);
    // The peer hides the phone.
    await next.receipt(receipt('b', { addresses: ['140455501**', ''] }));
    expect(outcomes()[1]).toEqual(outcome(second, 'delivered', '0B'));
    expect(await notes()).toEqual([doubtful.messageId]);
    expect(await next.of(doubtful.messageId)).toEqual({ kind: 'doubtful' });
    expect(await rows()).toEqual([]);
  });

  it('finds an earlier hand-over of a message that went to another route meanwhile', async () => {
    const submitted = await sent('9', '+14155552671');
    await bed.database.sql('UPDATE messages SET carrier = 2, carrier_id = $2 WHERE id = $1', [
      submitted.messageId,
      'x',
    ]);
    await bed.database.sql(
      `INSERT INTO message_attempts (account_id, message_id, n, current, carrier, sender, reason, handed_at, outcome,
         carrier_id) VALUES ($1, $2, 1, false, $3, '1', 'first', now(), 'accepted', '7')`,
      [account.id, submitted.messageId, CARRIER],
    );
    await holderOf('auto').submitting(submitted);
    await tendAfter(holderOf('auto'), 0);
    expect(await rows()).toEqual([{ id: '7' }]);
  });

  it('keeps states and ids of stored segments when it settles the notes of a worker of release 0.1.0', async () => {
    const submitted = { ...(await sent('a', '+14155552671')), segments: 2 };
    const old = segmentsOf('same');
    await allTaken(old, submitted, 'a', 'b');
    await old.receipt(receipt('a', { status: 'undelivered' }));
    await old.submitting(submitted);
    const next = holderOf('same');
    await tendAfter(next, 0);
    expect(await notes()).toEqual([]);
    await next.receipt(receipt('b'));
    expect(outcomes()).toEqual([outcome(submitted, 'undelivered', 'a')]);
  });

  it('leaves the notes alone of messages that it remembers itself', async () => {
    const [segments, submitted] = [holderOf('auto'), await sent('5', '+14155552671')];
    await segments.submitting(submitted);
    await taken(segments, submitted, '5');
    await tendAfter(segments, 0);
    expect([await rows(), await notes()]).toEqual([[], [submitted.messageId]]);
  });

  it('settles notes once, and again after another worker had the bind', async () => {
    let isAlone = true;
    const segments = segmentsOf('auto', () => isAlone);
    await tendAfter(segments, 0);
    const submitted = await sent('5', '+14155552671');
    await holderOf('auto').submitting(submitted);
    await tendAfter(segments, 0);
    expect(await rows()).toEqual([]);
    isAlone = false;
    await tendAfter(segments, 0);
    isAlone = true;
    await tendAfter(segments, 0);
    expect(await rows()).toEqual([{ id: '5' }]);
  });

  it('asks the database where another message in memory has the number of an id in another base', async () => {
    const [own, one] = [message(1), message(1)];
    const segments = holderOf('auto');
    await taken(segments, own, '10');
    await tendAfter(segments, 31_000);
    await taken(segments, one, 'a');
    await segments.receipt(receipt('10'));
    expect(outcomes()).toEqual([outcome(own, 'delivered', '10')]);
  });

  it('takes no receipt of long ago for that of a later message with the same id', async () => {
    const segments = segmentsOf('same');
    await segments.receipt(receipt('7'));
    await tendAfter(segments, 11 * 60_000);
    await taken(segments, message(1), '7');
    expect(recorded).toEqual([]);
  });

  it('gives an id that the peer uses again to the later message', async () => {
    const later = message(1);
    await taken(segmentsOf('same'), message(1), '7');
    await taken(segmentsOf('same'), later, '7');
    await segmentsOf('same').receipt(receipt('7'));
    expect(outcomes()).toEqual([outcome(later, 'delivered', '7')]);
  });

  it('deletes the note of a message whose id the peer uses again', async () => {
    const [segments, first, later] = [holderOf('same'), message(1), message(1)];
    await segments.submitting(first);
    await taken(segments, first, '7');
    await segments.submitting(later);
    await taken(segments, later, '7');
    await eventually('one note', async () => (await notes()).length === 1);
    expect(await notes()).toEqual([later.messageId]);
  });

  it('takes no receipt for a repeated one whose id was the same number in another base', async () => {
    const [segments, stored] = [holderOf('auto'), message(1)];
    await taken(segmentsOf('auto'), stored, '16');
    await taken(segments, message(1), '10');
    await segments.receipt(receipt('10'));
    await segments.receipt(receipt('16'));
    expect(outcomes()[1]).toEqual(outcome(stored, 'delivered', '16'));
  });

  it('takes no receipt for a repeated one when another worker has used its id since', async () => {
    let isAlone = true;
    const [segments, later] = [segmentsOf('same', () => isAlone), message(1)];
    await taken(segments, message(1), '7');
    await segments.receipt(receipt('7'));
    await tendAfter(segments, 0);
    isAlone = false;
    await tendAfter(segments, 0);
    await taken(segmentsOf('same'), later, '7');
    isAlone = true;
    await segments.receipt(receipt('7'));
    expect(outcomes()[1]).toEqual(outcome(later, 'delivered', '7'));
  });

  it('takes no receipt for a repeated one when the peer has used its id again since', async () => {
    const [segments, later] = [holderOf('same'), message(1)];
    await taken(segments, message(1), '7');
    await segments.receipt(receipt('7'));
    await taken(segments, later, '7');
    await tendAfter(segments, 31_000);
    await segments.receipt(receipt('7'));
    expect(outcomes()[1]).toEqual(outcome(later, 'delivered', '7'));
  });

  it('keeps a segment when its message could not be recorded, for the repeated receipt', async () => {
    const submitted = message(1);
    await taken(segmentsOf('same'), submitted, '7');
    const failing = segmentsOf(
      'same',
      () => false,
      () => Promise.reject(new Error('The database cannot be reached')),
    );
    await expect(failing.receipt(receipt('7'))).rejects.toThrow('cannot be reached');
    await segmentsOf('same').receipt(receipt('7'));
    expect(outcomes()).toEqual([outcome(submitted, 'delivered', '7')]);
  });

  it('stores the other segments of a batch when Postgres refuses one', async () => {
    const segments = segmentsOf('same');
    const results = await Promise.allSettled(
      ['a', 'b\0', 'c'].map((id) => segments.taken({ message: message(1), id, carrierId: id, isLate: false })),
    );
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(new Set((await rows()).map(({ id }) => id))).toEqual(new Set(['a', 'c']));
  });

  it('knows of each hand-over whether it has begun and whether it was taken, in every worker', async () => {
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
    await segmentsOf('same').submitting(message(1));
    await bed.database.sql(
      `INSERT INTO smpp_early_receipts (carrier, id, phone_end, status) VALUES (1, '1', '', 'delivered')`,
    );
    const counts = async () => [
      (await rows()).length,
      (await notes()).length,
      (await bed.database.sql('SELECT FROM smpp_early_receipts')).length,
    ];
    await purgeSegments(core.get(Postgres));
    expect(await counts()).toEqual([1, 1, 1]);
    await bed.database.sql(`UPDATE smpp_segments SET taken_at = now() - interval '8 days'`);
    await bed.database.sql(`UPDATE smpp_submits SET begun_at = now() - interval '8 days'`);
    await bed.database.sql(`UPDATE smpp_early_receipts SET received_at = now() - interval '11 minutes'`);
    await purgeSegments(core.get(Postgres));
    expect(await counts()).toEqual([0, 0, 0]);
  });

  it('reads the rows that its types declare', async () => {
    const stored: z.ZodType<AwaitedSegment> = z.strictObject({
      id: z.string(),
      messageId: z.uuid(),
      accountId: z.uuid(),
      segments: z.int(),
      carrierId: z.string(),
      phoneEnd: z.string(),
    });
    const sql = (text: string, values: unknown[]) => bed.database.sql(text, values);
    const { messageId, accountId } = message(2);
    await sql(storeSegmentsStatement.text, [CARRIER, ['1'], [messageId], [accountId], [2], ['1'], ['552671']]);
    await sql(endSegmentStatement.text, [CARRIER, '1', 'undelivered', 27]);
    expect(z.array(stored).parse(await sql(findSegmentsStatement.text, [CARRIER, ['1']]))).toHaveLength(1);
    expect(await sql(statesStatement.text, [CARRIER, messageId, '1'])).toEqual([
      { id: '1', status: 'undelivered', error: 27 },
    ]);
    const named: z.ZodType<NamedNote> = z.strictObject({
      messageId: z.uuid(),
      accountId: z.uuid(),
      recipient: z.string(),
      carrierId: z.string(),
    });
    const known = await sent('7', '+14155552671');
    const handOverNotes = await sql(namedNotesStatement.text, [CARRIER, [known.messageId]]);
    expect(z.array(named).parse(handOverNotes)).toHaveLength(1);
    await segmentsOf('same').submitting(known);
    expect(await sql(notedStatement.text, [CARRIER, 'ffffffff-ffff-ffff-ffff-ffffffffffff'])).toEqual([
      { messageId: known.messageId, isStored: false },
    ]);
    expect(await sql(findByReferenceStatement.text, [CARRIER, '+14155552671', '0001'])).toEqual([]);
  });
});
