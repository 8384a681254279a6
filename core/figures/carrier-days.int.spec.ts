import { randomUUID } from 'node:crypto';
import { uuidV7Floor } from '../rules/ids.js';
import { createTestAccount } from '../testing/test-accounts.js';
import { createTestBed, type TestBed } from '../testing/test-bed.js';
import { createTestCore, type TestCore } from '../testing/test-core.js';
import { CarrierDays, type CarrierSum } from './carrier-days.js';
import { MessageCosts } from '../messages/status/message-costs.js';

/** Noon in New York; the days below end with the 20th. */
const NOW = new Date('2026-11-26T17:00:00Z');
const FINAL = '2026-11-20';

interface Planted {
  /** Time of the message's id. */
  readonly at: string;
  readonly country?: string;
  readonly carrier?: number | null;
  readonly segments?: number;
  readonly credits?: number;
  readonly refunded?: number;
  readonly sendAt?: string | null;
  readonly isHanded?: boolean;
}

describe('CarrierDays', () => {
  let bed: TestBed;
  let core: TestCore;
  let accountId: string;
  let numbers = 0;

  beforeAll(async () => {
    bed = await createTestBed();
    core = await createTestCore(bed.config());
  });

  beforeEach(async () => {
    for (const table of ['messages', 'message_costs', 'carrier_days', 'routes'])
      await bed.database.sql(`DELETE FROM ${table}`);
    accountId = (await createTestAccount(core)).id;
  });

  afterAll(async () => {
    await core?.close();
    await bed?.remove();
  });

  const plant = async (message: Planted): Promise<string> => {
    numbers += 1;
    const { at, country = 'US', carrier = null, segments = 1, credits = 1, refunded = 0, sendAt = null } = message;
    const id = `${uuidV7Floor(new Date(at)).slice(0, 24)}${numbers.toString(16).padStart(12, '0')}`;
    await bed.database.sql(
      `INSERT INTO messages (id, account_id, number, kind, recipient, country, sender, body, segments, credits,
         refunded, status, send_at, created_at, sent_at, carrier)
       VALUES ($1, $2, $3, 'sms', '+14155552671', $4, '+15005550006', 'Hello', $5, $6, $7, 'delivered', $8, $9,
         CASE WHEN $10 THEN $9::timestamptz END, $11)`,
      [id, accountId, numbers, country, segments, credits, refunded, sendAt, at, message.isHanded ?? true, carrier],
    );
    return id;
  };
  const told = (id: string, microusd: bigint, carrier = 2) =>
    core.get(MessageCosts).record({ id, carrier, costMicrousd: microusd });
  const since = async (day: string, now = NOW) =>
    (await core.get(CarrierDays).since(day, now)).toSorted(
      (a, b) => a.country.localeCompare(b.country) || a.carrier - b.carrier,
    );
  const addUp = async (now = NOW) => {
    let runs = 0;
    while (await core.get(CarrierDays).addUp(now)) runs += 1;
    return runs;
  };
  const sum = (figures: Partial<CarrierSum>): CarrierSum => ({
    accountId,
    country: 'US',
    carrier: 1,
    messages: 0n,
    credits: 0n,
    realMicrousd: 0n,
    estimatedMicrousd: 0n,
    unpricedSegments: 0n,
    ...figures,
  });
  const days = () =>
    bed.database.sql(
      `SELECT to_char(day, 'YYYY-MM-DD') AS day, country, carrier, messages::int, credits::int, real_messages::int,
         real_microusd::int, estimated_segments::int, estimated_microusd::int
       FROM carrier_days ORDER BY day, country, carrier`,
    );

  it('sums messages by the New York day of their ids, also around midnight', async () => {
    await plant({ at: '2026-11-20T04:59:59.999Z', segments: 3, credits: 3 });
    await plant({ at: '2026-11-20T05:00:00Z', segments: 2, credits: 2 });
    await plant({ at: '2026-11-26T16:00:00Z', country: 'GB', carrier: 2, credits: 3 });
    const british = sum({ country: 'GB', carrier: 2, messages: 1n, credits: 3n, unpricedSegments: 1n });
    expect(await since('2026-11-19')).toEqual([british, sum({ messages: 2n, credits: 5n, unpricedSegments: 5n })]);
    expect(await since('2026-11-20')).toEqual([british, sum({ messages: 1n, credits: 2n, unpricedSegments: 2n })]);
  });

  it('counts no message that no carrier took, and no credits that were refunded', async () => {
    await plant({ at: '2026-11-25T12:00:00Z', credits: 4, refunded: 4, isHanded: false });
    await plant({ at: '2026-11-25T12:00:00Z', credits: 2, refunded: 2, segments: 2 });
    await plant({ at: '2026-11-25T12:00:00Z', credits: 7, isHanded: false });
    expect(await since('2026-11-25')).toEqual([sum({ messages: 1n, credits: 7n, unpricedSegments: 2n })]);
  });

  const attempt = (id: string, n: number, carrier: number, outcome: string) =>
    bed.database.sql(
      `INSERT INTO message_attempts (account_id, message_id, n, current, carrier, sender, reason, handed_at, outcome)
       VALUES ($1, $2, $3, false, $4, '+15005550006', 'first', now(), $5)`,
      [accountId, id, n, carrier, outcome],
    );

  it('counts the segments of each route that took a message, and the message of the last', async () => {
    const id = await plant({ at: '2026-11-25T12:00:00Z', carrier: 2, segments: 2, credits: 2 });
    await attempt(id, 1, 1, 'accepted');
    await attempt(id, 2, 3, 'not_taken');
    expect(await since('2026-11-25')).toEqual([
      sum({ unpricedSegments: 2n }),
      sum({ carrier: 2, messages: 1n, credits: 2n, unpricedSegments: 2n }),
    ]);
  });

  it('counts a scheduled message on the day on which it leaves, and not before', async () => {
    await plant({ at: '2026-10-25T12:00:00Z', sendAt: '2026-11-25T12:00:00Z' });
    await plant({ at: '2026-11-25T12:00:00Z', sendAt: '2026-11-29T12:00:00Z', isHanded: false });
    expect(await since('2026-11-25')).toEqual([sum({ messages: 1n, credits: 1n, unpricedSegments: 1n })]);
    expect(await since('2026-11-26')).toEqual([]);
    expect(await since('2026-10-01')).toHaveLength(1);
  });

  it('has what the carrier told in place of an estimate, once, also of an earlier hand-over', async () => {
    const id = await plant({ at: '2026-11-25T12:00:00Z', carrier: 2, segments: 3 });
    const moved = await plant({ at: '2026-11-25T12:00:00Z', carrier: 1, segments: 2 });
    for (const microusd of [12_000n, 99_000n]) await told(id, microusd);
    await attempt(moved, 1, 2, 'accepted');
    await told(moved, 4_000n);
    await told(randomUUID(), 1n);
    expect(await since('2026-11-25')).toEqual([
      sum({ messages: 1n, credits: 1n, unpricedSegments: 2n }),
      sum({ carrier: 2, messages: 1n, credits: 1n, realMicrousd: 16_000n }),
    ]);
  });

  it('adds up each day once it is final, at the price of that time, and shows the same before and after', async () => {
    await bed.database.sql(
      `INSERT INTO routes (country, carrier, weight, resting_weight, cost_microusd) VALUES ('US', 1, 100, 100, 8000)`,
    );
    await plant({ at: '2026-10-30T12:00:00Z', segments: 2 });
    await plant({ at: '2026-10-31T12:00:00Z', sendAt: '2026-11-19T12:00:00Z' });
    const id = await plant({ at: '2026-11-20T12:00:00Z', carrier: 2, segments: 3, credits: 3 });
    await plant({ at: '2026-11-20T13:00:00Z', carrier: 2, country: 'GB' });
    const open = await plant({ at: '2026-11-21T12:00:00Z', carrier: 2 });
    for (const one of [id, open]) await told(one, 5_000n);
    const total = async () =>
      (await since('2026-10-01')).map(({ estimatedMicrousd, unpricedSegments, ...figures }) => ({
        ...figures,
        cost: figures.country === 'US' ? estimatedMicrousd + unpricedSegments * 8_000n : unpricedSegments,
      }));
    const before = await total();

    expect(await addUp()).toBe(2);
    expect(await days()).toEqual([
      {
        day: '2026-10-30',
        country: 'US',
        carrier: 1,
        messages: 1,
        credits: 1,
        real_messages: 0,
        real_microusd: 0,
        estimated_segments: 2,
        estimated_microusd: 16_000,
      },
      {
        day: '2026-11-19',
        country: 'US',
        carrier: 1,
        messages: 1,
        credits: 1,
        real_messages: 0,
        real_microusd: 0,
        estimated_segments: 1,
        estimated_microusd: 8_000,
      },
      {
        day: FINAL,
        country: 'GB',
        carrier: 2,
        messages: 1,
        credits: 1,
        real_messages: 0,
        real_microusd: 0,
        estimated_segments: 1,
        estimated_microusd: null,
      },
      {
        day: FINAL,
        country: 'US',
        carrier: 2,
        messages: 1,
        credits: 3,
        real_messages: 1,
        real_microusd: 5_000,
        estimated_segments: 0,
        estimated_microusd: 0,
      },
    ]);
    expect(await total()).toEqual(before);
    expect(await bed.database.sql('SELECT message_id FROM message_costs')).toEqual([{ message_id: open }]);

    await bed.database.sql('UPDATE routes SET cost_microusd = 1');
    expect(await since('2026-10-01')).toContainEqual(sum({ messages: 2n, credits: 2n, estimatedMicrousd: 24_000n }));
    expect(await addUp()).toBe(0);
    expect(await addUp(new Date(NOW.getTime() + 86_400_000))).toBe(1);
    expect(await total()).toEqual(before);
  });

  it('adds up a day without messages of its own with the next that has some', async () => {
    await plant({ at: '2026-11-10T12:00:00Z', sendAt: '2026-11-12T12:00:00Z' });
    expect(await addUp()).toBe(0);
    await plant({ at: '2026-11-15T12:00:00Z' });
    expect(await addUp()).toBe(1);
    await plant({ at: '2026-11-16T12:00:00Z', sendAt: '2026-11-18T12:00:00Z' });
    expect(await addUp()).toBe(0);
    expect(await since('2026-11-01')).toEqual([sum({ messages: 3n, credits: 3n, unpricedSegments: 3n })]);
    await plant({ at: '2026-11-20T12:00:00Z' });
    expect(await addUp()).toBe(1);
    expect((await days()).map(({ day }) => day)).toEqual(['2026-11-12', '2026-11-15', '2026-11-18', '2026-11-20']);
  });

  it('adds up nothing twice when two workers do it at once', async () => {
    await plant({ at: '2026-11-15T12:00:00Z' });
    await Promise.all([1, 2, 3].map(() => core.get(CarrierDays).addUp(NOW)));
    expect(await days()).toHaveLength(1);
  });
});
