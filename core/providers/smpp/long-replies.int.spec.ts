import fc from 'fast-check';
import { z } from 'zod';
import { Postgres } from '../../platform/database/postgres.js';
import { Logger } from '../../platform/telemetry/logger.js';
import { createTestBed, type TestBed } from '../../testing/test-bed.js';
import { createTestCore, type TestCore } from '../../testing/test-core.js';
import {
  type ClosedReply,
  closedReplyStatement,
  dueRepliesStatement,
  forgetStatement,
  type JoinedReply,
  lateStatement,
  LongReplies,
  type LongRepliesBounds,
  type LongReplySegment,
  type OpenSegment,
  openRepliesStatement,
  purgeLongReplies,
} from './long-replies.js';

const CARRIER = 10;
const PERSON = '14155552671';
const NO_ID = '00000000-0000-0000-0000-000000000000';

function segment(number: number, text: string, changes: Partial<LongReplySegment['part']> = {}): LongReplySegment {
  return {
    sender: PERSON,
    ton: 1,
    recipient: '12345',
    dataCoding: number - 1,
    octets: Buffer.from(text),
    part: { reference: 7, total: 3, number, ...changes },
  };
}

describe('LongReplies', () => {
  let bed: TestBed;
  let core: TestCore;
  /** First received text by id, as in inbound_receipts. */
  let received: Map<string, string>;
  let calls: number;
  let isDown: boolean;

  beforeAll(async () => {
    bed = await createTestBed();
    core = await createTestCore(bed.config());
  });
  beforeEach(async () => {
    await bed.database.sql('DELETE FROM smpp_long_replies');
    received = new Map();
    [calls, isDown] = [0, false];
  });
  afterAll(async () => {
    await core?.close();
    await bed?.remove();
  });

  /** Returns the replies of a bind in one worker. */
  function worker(bounds: Partial<LongRepliesBounds> = {}, carrier = CARRIER): LongReplies {
    const give = async ({ parts }: JoinedReply, carrierId: string) => {
      calls += 1;
      if (isDown) throw new Error('The database cannot be reached');
      if (!received.has(carrierId))
        received.set(carrierId, `${parts.length} ${parts.map(({ octets }) => octets.toString()).join('')}`);
    };
    return new LongReplies(core.get(Postgres), carrier, give, Logger.silent(), bounds);
  }
  const texts = () => [...received.values()];
  /** Lets time pass for all replies that were begun. */
  const wait = (seconds: number) =>
    bed.database.sql(
      `UPDATE smpp_long_replies SET begun_at = begun_at - make_interval(secs => $1),
         closed_at = closed_at - make_interval(secs => $1), given_at = given_at - make_interval(secs => $1)`,
      [seconds],
    );
  const rows = () =>
    bed.database.sql('SELECT closed_at IS NOT NULL AS closed, given_at IS NOT NULL AS given FROM smpp_long_replies');

  it('hands over a reply whose segments reach different workers, once, in any order and repeated', async () => {
    const workers = [worker(), worker(), worker()];
    const parts = [segment(1, 'a'), segment(2, 'b'), segment(3, 'c')];
    const order = fc.shuffledSubarray([...parts, ...parts, ...parts], { minLength: 9, maxLength: 9 });
    await fc.assert(
      fc.asyncProperty(order, fc.boolean(), async (segments, isAtOnce) => {
        await bed.database.sql('DELETE FROM smpp_long_replies');
        received.clear();
        const add = async (one: LongReplySegment, n: number) => workers[n % workers.length]?.add(one);
        if (isAtOnce) await Promise.all(segments.map(add));
        else for (const [n, one] of segments.entries()) await add(one, n);
        expect(texts()).toEqual(['3 abc']);
        // Later repetitions do not begin another reply.
        await wait(301);
        await Promise.all(workers.map((one) => one.handOver()));
        expect(texts()).toEqual(['3 abc']);
      }),
      { numRuns: 30 },
    );
  });

  it('has stored a segment before it resolves, so that another worker goes on after a crash', async () => {
    await worker().add(segment(1, 'a'));
    await worker().add(segment(3, 'c'));
    expect(await rows()).toEqual([{ closed: false, given: false }]);
    expect(texts()).toEqual([]);
    await worker().add(segment(2, 'b'));
    expect(texts()).toEqual(['3 abc']);
  });

  it('hands over each segment with its own coding, and that of the reply where an earlier release stored none', async () => {
    const given: JoinedReply['parts'][] = [];
    const replies = new LongReplies(
      core.get(Postgres),
      CARRIER,
      async ({ parts }) => void given.push(parts),
      Logger.silent(),
    );
    await replies.add(segment(2, 'b'));
    await replies.add(segment(1, 'a'));
    await bed.database.sql('UPDATE smpp_reply_segments SET data_coding = NULL WHERE number = 1');
    await replies.add(segment(3, 'c'));
    expect(given.flat().map(({ dataCoding, octets }) => [dataCoding, octets.toString()])).toEqual([
      [1, 'a'],
      [1, 'b'],
      [2, 'c'],
    ]);
  });

  it('rejects when a segment is not stored', async () => {
    await worker().add(segment(1, 'a'));
    const failing = worker();
    jest.spyOn(core.get(Postgres), 'transaction').mockRejectedValueOnce(new Error('The database cannot be reached'));
    await expect(failing.add(segment(2, 'b'))).rejects.toThrow('cannot be reached');
    jest.restoreAllMocks();
    await failing.add(segment(2, 'b'));
    await failing.add(segment(3, 'c'));
    expect(texts()).toEqual(['3 abc']);
  });

  it('hands over what a worker could not, or left when it was killed, under the same id', async () => {
    isDown = true;
    for (const [n, text] of ['a', 'b', 'c'].entries()) await worker().add(segment(n + 1, text));
    expect([texts(), await rows()]).toEqual([[], [{ closed: true, given: false }]]);
    isDown = false;
    const others = [worker(), worker()];
    await Promise.all(others.map((one) => one.handOver()));
    expect(texts()).toEqual(['3 abc']);
    const [id = ''] = received.keys();
    expect(id).toMatch(/^smpp-[0-9a-f-]{36}$/);
    // The worker died between the receipt and its record.
    await bed.database.sql('UPDATE smpp_long_replies SET given_at = NULL');
    await bed.database.sql(`UPDATE smpp_reply_segments SET octets = 'x'`);
    await others[0]?.handOver();
    expect([...received.keys()]).toEqual([id]);
  });

  it('hands over an incomplete reply after its time, and what comes later as well, with other ids', async () => {
    const one = worker();
    await one.add(segment(3, 'c'));
    await wait(200);
    await one.add(segment(1, 'a'));
    await wait(99);
    await one.handOver();
    expect(texts()).toEqual([]);
    await wait(2);
    await Promise.all([one.handOver(), worker().handOver()]);
    expect(texts()).toEqual(['2 ac']);
    await worker().add(segment(2, 'b'));
    await wait(301);
    await one.handOver();
    expect(texts()).toEqual(['2 ac', '1 b']);
    expect([...received.keys()]).toEqual(Array(2).fill(expect.stringMatching(/^smpp-[0-9a-f-]{36}-part$/)));
    // Repeated segments do not begin another reply.
    for (const [n, text] of ['a', 'b', 'c'].entries()) if (text !== 'b') await one.add(segment(n + 1, text));
    await wait(301);
    await one.handOver();
    expect(texts()).toEqual(['2 ac', '1 b']);
  });

  it('does not let an incomplete reply that was handed over before a crash swallow its late segment', async () => {
    await worker().add(segment(1, 'a'));
    await worker().add(segment(2, 'b'));
    await wait(301);
    isDown = true;
    await worker().handOver();
    expect(await rows()).toEqual([{ closed: true, given: false }]);
    // The reply is closed, so this segment does not join it.
    await worker().add(segment(3, 'c'));
    isDown = false;
    await worker().handOver();
    await wait(301);
    await worker().handOver();
    expect(texts()).toEqual(['2 ab', '1 c']);
  });

  it('tells a reply with the same reference and the same end from the one before', async () => {
    const one = worker();
    for (const [n, text] of ['Yes, ', 'Regards, ', 'Ada'].entries()) await one.add(segment(n + 1, text));
    // The end comes first, while it looks like a repetition.
    await one.add(segment(3, 'Ada'));
    await one.add(segment(1, 'No, '));
    await one.add(segment(2, 'Regards, '));
    expect(texts()).toEqual(['3 Yes, Regards, Ada', '3 No, Regards, Ada']);
    await wait(301);
    await one.handOver();
    expect(texts()).toHaveLength(2);
  });

  it('takes an equal reply for another one when the time for repetitions is over', async () => {
    const send = async () => {
      for (const [n, text] of ['a', 'b', 'c'].entries()) await worker().add(segment(n + 1, text));
    };
    await send();
    await wait(599);
    await send();
    expect(texts()).toEqual(['3 abc']);
    await wait(601);
    await send();
    expect(texts()).toEqual(['3 abc', '3 abc']);
  });

  it('recognizes a repetition that begins at the end of that time, and stays incomplete', async () => {
    const one = worker();
    for (const [n, text] of ['a', 'b', 'c'].entries()) await one.add(segment(n + 1, text));
    await wait(599);
    await one.add(segment(1, 'a'));
    for (const seconds of [200, 101]) {
      await wait(seconds);
      await one.handOver();
    }
    const given = { closed: true, given: true };
    expect([texts(), await rows()]).toEqual([['3 abc'], [given, given]]);
  });

  it('waits for a bounded number of replies of a bind, and hands over the oldest', async () => {
    const one = worker({ openMax: 2 });
    for (const reference of [1, 2, 3]) await one.add(segment(1, `first of ${reference}`, { reference }));
    await worker({ openMax: 2 }, CARRIER + 1).add(segment(1, 'of another bind'));
    expect(texts()).toEqual(['1 first of 1']);
    await Promise.all([4, 5, 6, 7].map((reference) => one.add(segment(1, `first of ${reference}`, { reference }))));
    expect(texts()).toHaveLength(5);
    expect(await rows()).toHaveLength(8);
  });

  it('stores the other segments of a batch when Postgres refuses one', async () => {
    const one = worker();
    const bad = { ...segment(1, 'a'), sender: 'a\0b' };
    const results = await Promise.allSettled([one.add(bad), ...[1, 2, 3].map((n) => one.add(segment(n, String(n))))]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled', 'fulfilled']);
    expect(texts()).toEqual(['3 123']);
  });

  it('goes on with the other replies when one cannot be handed over', async () => {
    const one = worker();
    isDown = true;
    for (let reference = 0; reference < 250; reference++)
      await Promise.all([1, 2].map((n) => one.add(segment(n, String(n), { reference, total: 2 }))));
    isDown = false;
    const before = calls;
    await bed.database.sql(
      `UPDATE smpp_reply_segments SET octets = NULL
       WHERE reply_id = (SELECT min(id::text)::uuid FROM smpp_long_replies)`,
    );
    await one.handOver();
    expect(calls - before).toBeGreaterThanOrEqual(249);
    expect(texts()).toHaveLength(249);
  });

  it('deletes texts when they are handed over, and the rest soon after', async () => {
    const one = worker({ givenMax: 2 });
    for (const reference of [1, 2, 3, 4])
      await Promise.all([1, 2].map((n) => one.add(segment(n, String(n), { reference, total: 2 }))));
    expect(await bed.database.sql('SELECT FROM smpp_reply_segments WHERE octets IS NOT NULL')).toEqual([]);
    await one.handOver();
    expect(await rows()).toHaveLength(2);
    await wait(1_201);
    await one.handOver();
    expect(await rows()).toEqual([]);
    await one.add(segment(1, 'a'));
    await wait(6 * 86_400);
    await purgeLongReplies(core.get(Postgres));
    expect(await rows()).toHaveLength(1);
    await wait(86_401);
    await purgeLongReplies(core.get(Postgres));
    expect(await bed.database.sql('SELECT FROM smpp_reply_segments')).toEqual([]);
  });

  it('reads the rows that its types declare', async () => {
    const openRow: z.ZodType<OpenSegment> = z.strictObject({
      id: z.uuid(),
      sender: z.string(),
      recipient: z.string(),
      reference: z.int(),
      total: z.int(),
      number: z.int(),
      digest: z.string().length(64),
    });
    const closedRow: z.ZodType<ClosedReply> = z.strictObject({
      sender: z.string(),
      recipient: z.string(),
      total: z.int(),
      octets: z.array(z.instanceof(Buffer)),
      codings: z.array(z.int()),
      isRepeated: z.boolean(),
    });
    await worker().add(segment(1, 'a'));
    const values = [CARRIER, [PERSON], ['12345'], [7], [3]];
    const [open] = await bed.database.sql(openRepliesStatement.text, values);
    const { id } = openRow.parse(open);
    expect(await bed.database.sql(lateStatement.text, [CARRIER, 0])).toEqual([{ areLate: true }]);
    await bed.database.sql('UPDATE smpp_long_replies SET closed_at = now()');
    expect(await bed.database.sql(dueRepliesStatement.text, [CARRIER, NO_ID])).toEqual([{ id }]);
    const [closed] = await bed.database.sql(closedReplyStatement.text, [CARRIER, id, 600]);
    expect(closedRow.parse(closed)).toMatchObject({ octets: [Buffer.from('a')], codings: [0], isRepeated: false });
    expect(await bed.database.sql(forgetStatement.text, [CARRIER, 0, 0])).toEqual([{ count: 0 }]);
  });
});
