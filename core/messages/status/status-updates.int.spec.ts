import fc from 'fast-check';
import { acceptanceRow } from '../../testing/acceptance-rows.js';
import { deliveryDayFaults } from '../../testing/delivery-day-faults.js';
import { moneyFaults, moneyOf } from '../../testing/money.js';
import { eventually } from '../../testing/eventually.js';
import { createTestAccount, type TestAccount } from '../../testing/test-accounts.js';
import { createTestBed, type TestBed } from '../../testing/test-bed.js';
import { createTestCore, type TestCore } from '../../testing/test-core.js';
import { Postgres } from '../../platform/database/postgres.js';
import { Metrics } from '../../platform/telemetry/metrics.js';
import { publicMessageId } from '../../rules/ids.js';
import { Acceptance } from '../send/acceptance.js';
import { ClaimMessages } from '../dispatch/claim-messages.js';
import { StatusUpdates } from './status-updates.js';
import { RecordReceipt } from './record-receipt.js';

const statuses = ['sent', 'delivered', 'undelivered', 'failed'] as const;
const CARRIER_ID = `SM${'1'.repeat(32)}`;

describe('StatusUpdates', () => {
  let bed: TestBed;
  let core: TestCore;
  let sparing: TestCore;
  let account: TestAccount;

  beforeAll(async () => {
    bed = await createTestBed();
    [core, sparing] = await Promise.all([
      createTestCore(bed.config()),
      createTestCore(bed.config({ REFUND_UNDELIVERED: 'false' })),
    ]);
    account = await createTestAccount(core, { credits: 100_000 });
  });

  afterEach(async () => {
    expect(await moneyFaults(bed.database)).toEqual([]);
    expect(await deliveryDayFaults(bed.database)).toEqual([]);
  });

  afterAll(async () => {
    await Promise.all([core?.close(), sparing?.close()]);
    await bed?.remove();
  });

  async function sending(apiKey = account.apiKey): Promise<string> {
    const row = acceptanceRow(core, apiKey, { price: 4 });
    await core.get(Acceptance).decide(row);
    // All accounts at once would deadlock with another message's update.
    const ofMessage = 'SELECT account_id FROM messages WHERE id = $1';
    await bed.database.sql(`UPDATE accounts SET daily_limit = 1000000 WHERE id = (${ofMessage})`, [row.id]);
    await core.get(ClaimMessages).claim(row.id);
    return row.id;
  }

  const rowOf = async (id: string) => (await bed.database.sql('SELECT * FROM messages WHERE id = $1', [id]))[0];
  const refunds = (id: string) =>
    bed.database.sql<{ amount: string }>(`SELECT amount FROM ledger_entries WHERE kind = 'refund' AND source_id = $1`, [
      id,
    ]);
  const unknownCodes = async () =>
    (await core.get(Metrics).unknownCarrierCodes.get()).values.reduce((sum, { value }) => sum + value, 0);
  const receive = (id: string, status: (typeof statuses)[number], of = core) =>
    of.get(RecordReceipt).record({
      carrier: 1,
      messageId: publicMessageId(id),
      carrierId: CARRIER_ID,
      status,
      carrierError: status === 'sent' ? null : 30_003,
    });

  it('only moves forward and refunds at most once, whatever receipts come, in whatever order', async () => {
    const news = fc.array(fc.constantFrom(...statuses), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(news, fc.boolean(), async (receipts, atOnce) => {
        const id = await sending();
        const seen: unknown[] = [];
        if (atOnce) await Promise.all(receipts.map((status) => receive(id, status)));
        else
          for (const status of receipts)
            seen.push(await receive(id, status).then(async () => (await rowOf(id))?.status));
        const final = await rowOf(id);
        const ends = receipts.filter((status) => status !== 'sent');
        if (ends.length === 0) expect(final?.status).toBe('sent');
        else if (atOnce) expect(ends).toContain(final?.status);
        else expect(final?.status).toBe(ends[0]);
        const lost = final?.status === 'failed' || final?.status === 'undelivered';
        expect((await refunds(id)).map(({ amount }) => Number(amount))).toEqual(lost ? [4] : []);
        expect(final?.refunded).toBe(lost ? 4 : 0);
        expect(final?.finished_at === null).toBe(final?.status === 'sent');
        // A final state is never left.
        const first = seen.findIndex((status) => status !== 'sent' && status !== undefined);
        if (first >= 0) expect(new Set(seen.slice(first)).size).toBe(1);
      }),
      { numRuns: 80 },
    );
  });

  it('refunds once when two workers and the carrier say so at the same time', async () => {
    const ids = await Promise.all(Array.from({ length: 30 }, () => sending()));
    const before = await moneyOf(bed.database, account.id);
    await Promise.all(
      ids.flatMap((id) => [
        receive(id, 'undelivered'),
        receive(id, 'failed'),
        receive(id, 'undelivered', sparing),
        receive(id, 'failed'),
      ]),
    );
    // The first update decides, and the process without refunds refunds nothing.
    const rows = await bed.database.sql<{ refunded: number }>(
      'SELECT refunded FROM messages WHERE id = ANY($1::uuid[])',
      [ids],
    );
    const refunded = rows.reduce((sum, row) => sum + row.refunded, 0);
    expect((await moneyOf(bed.database, account.id)).balance).toBe(before.balance + refunded);
  });

  it.each([
    ['begins', 'commits', 2],
    ['begins', 'fails', 1],
    ['adds to', 'commits', 3],
    ['adds to', 'fails', 2],
  ])('counts a message while another process %s its count and %s', async (beginning, end, expected) => {
    const other = await createTestAccount(core, { credits: 1_000 });
    const sent = (id: string) => ({ id, status: 'sent', carrier: 1, carrierId: CARRIER_ID }) as const;
    if (beginning === 'adds to') await core.get(StatusUpdates).apply(sent(await sending(other.apiKey)));
    const [one, two] = [await sending(other.apiKey), await sending(other.apiKey)];
    let concurrent: Promise<unknown> = Promise.resolve();
    const held = sparing.get(Postgres).ofAccount(other.id, () =>
      sparing.get(Postgres).transaction(async (tx) => {
        await sparing.get(StatusUpdates).applyIn(tx, sent(one));
        concurrent = core.get(Postgres).ofAccount(other.id, () => core.get(StatusUpdates).apply(sent(two)));
        const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
        await eventually('an update waits for the count', async () => (await bed.database.sql(waiting)).length > 0);
        if (end === 'fails') throw new Error('A process failed');
      }),
    );
    expect((await Promise.allSettled([held]))[0].status).toBe(end === 'fails' ? 'rejected' : 'fulfilled');
    await concurrent;
    const counts = 'SELECT reason, sent FROM delivery_days WHERE account_id = $1';
    expect(await bed.database.sql(counts, [other.id])).toEqual([{ reason: '', sent: String(expected) }]);
  });

  it('counts the messages of many accounts that move on in several processes at once', async () => {
    const accounts = await Promise.all(Array.from({ length: 8 }, () => createTestAccount(core, { credits: 1_000 })));
    const ids = await Promise.all(
      Array.from({ length: 64 }, (_, n) => sending(accounts[n % accounts.length]?.apiKey ?? '')),
    );
    const move = (id: string, n: number) =>
      Promise.all(statuses.slice(0, 1 + (n % 4)).map((status, more) => receive(id, status, more % 2 ? core : sparing)));
    await Promise.all(ids.map(move));
  });

  it('refunds only what the carrier never accepted when REFUND_UNDELIVERED is false', async () => {
    const [undelivered, failed, refused] = [await sending(), await sending(), await sending()];
    await receive(undelivered, 'undelivered', sparing);
    await receive(failed, 'failed', sparing);
    await sparing
      .get(StatusUpdates)
      .apply({ id: refused, status: 'failed', carrierId: null, errorCode: 'carrier_refused' });
    expect(await rowOf(undelivered)).toMatchObject({ status: 'undelivered', refunded: 0 });
    expect(await rowOf(failed)).toMatchObject({ status: 'failed', refunded: 0 });
    expect(await rowOf(refused)).toMatchObject({ status: 'failed', refunded: 4 });
  });

  it('stores an opt-out that a receipt reports when nothing is refunded either', async () => {
    const id = await sending();
    const receipt = {
      carrier: 1,
      messageId: publicMessageId(id),
      carrierId: CARRIER_ID,
      status: 'undelivered',
    } as const;
    await sparing.get(RecordReceipt).record({ ...receipt, carrierError: 21_610 });
    expect(await bed.database.sql('DELETE FROM opt_outs RETURNING recipient, sender')).toEqual([
      { recipient: '+14155552671', sender: '+15005550006' },
    ]);
  });

  it('keeps the first id of the carrier', async () => {
    const id = await sending();
    await core.get(StatusUpdates).apply({ id, status: 'sent', carrierId: 'SMfirst' });
    await receive(id, 'delivered');
    expect(await rowOf(id)).toMatchObject({ carrier_id: 'SMfirst', status: 'delivered' });
  });

  it('records a receipt of a message that was requeued', async () => {
    const id = await sending();
    await bed.database.sql(`UPDATE messages SET status = 'queued' WHERE id = $1`, [id]);
    await receive(id, 'delivered');
    expect(await rowOf(id)).toMatchObject({ status: 'delivered', sent_at: expect.any(Date) });
    expect(await core.get(ClaimMessages).claim(id)).toBeUndefined();
  });

  it('answers nothing for a message it does not know', async () => {
    expect(
      await core
        .get(StatusUpdates)
        .apply({ id: '01900000-0000-7000-8000-000000000000', status: 'delivered', carrierId: null }),
    ).toBeUndefined();
  });

  it('shares a batch of many without mixing them up', async () => {
    const ids = await Promise.all(Array.from({ length: 200 }, () => sending()));
    await Promise.all(ids.map((id, n) => receive(id, statuses[n % 4] ?? 'sent')));
    const rows = await bed.database.sql<{ id: string; status: string; refunded: number }>(
      'SELECT id, status, refunded FROM messages WHERE id = ANY($1::uuid[])',
      [ids],
    );
    for (const { id, status, refunded } of rows) {
      expect([status, refunded]).toEqual([statuses[ids.indexOf(id) % 4], ids.indexOf(id) % 4 >= 2 ? 4 : 0]);
    }
  });

  it('stores a code that no column takes as none, without holding the others of its batch', async () => {
    const [huge, usual] = [await sending(), await sending()];
    const failed = { status: 'failed', carrier: 1, carrierId: null, errorCode: 'carrier_refused' } as const;
    const before = await unknownCodes();
    await Promise.all([
      core.get(StatusUpdates).apply({ ...failed, id: huge, carrierError: 0xffff_ffff }),
      core.get(StatusUpdates).apply({ ...failed, id: usual, carrierError: 21_211 }),
    ]);
    expect(await rowOf(huge)).toMatchObject({ status: 'failed', carrier_error: null, refunded: 4 });
    expect(await rowOf(usual)).toMatchObject({ status: 'failed', carrier_error: 21_211, refunded: 4 });
    expect((await unknownCodes()) - before).toBe(1);
  });

  it('applies the other updates of a batch when Postgres refuses one, and fails all of that message', async () => {
    const ids = await Promise.all(Array.from({ length: 5 }, () => sending()));
    const [bad = ''] = ids;
    const sent = (id: string, carrierId: string) =>
      core.get(StatusUpdates).apply({ id, status: 'sent', carrier: 1, carrierId });
    const results = await Promise.allSettled([
      ...ids.map((id) => sent(id, id === bad ? 'SM\0' : CARRIER_ID)),
      // The same update of a message counts once.
      sent(bad, 'SM\0'),
    ]);
    expect(results.map(({ status }) => status)).toEqual([
      'rejected',
      ...Array<string>(4).fill('fulfilled'),
      'rejected',
    ]);
    for (const id of ids) expect((await rowOf(id))?.['status']).toBe(id === bad ? 'sending' : 'sent');
  });

  it('releases the other claims of a batch when Postgres refuses one', async () => {
    const [bad, good] = [await sending(), await sending()];
    const results = await Promise.allSettled([
      core.get(StatusUpdates).release(bad, 1, 2 ** 40),
      core.get(StatusUpdates).release(good, 1, 0),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    expect([(await rowOf(bad))?.['status'], (await rowOf(good))?.['status']]).toEqual(['sending', 'queued']);
  });

  it('releases what is being sent, and nothing that has come further', async () => {
    const [id, done] = [await sending(), await sending()];
    await receive(done, 'delivered');
    const released = await Promise.all([
      core.get(StatusUpdates).release(id, 1, 500),
      core.get(StatusUpdates).release(done, 1, 500),
    ]);
    expect(released).toEqual([true, false]);
    expect(await rowOf(id)).toMatchObject({ status: 'queued' });
    expect(await rowOf(done)).toMatchObject({ status: 'delivered' });
  });

  it('does not release a newer claim than its caller’s', async () => {
    const id = await sending();
    expect(await core.get(StatusUpdates).release(id, 1, 0)).toBe(true);
    await core.get(ClaimMessages).claim(id);
    expect(await core.get(StatusUpdates).release(id, 1, 0)).toBe(false);
    expect(await rowOf(id)).toMatchObject({ status: 'sending', attempts: 2 });
  });
});
