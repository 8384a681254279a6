import { acceptanceRow } from '../../testing/acceptance-rows.js';
import { moneyFaults, moneyOf } from '../../testing/money.js';
import { answersAfter } from '../../testing/slow-claims.js';
import { countDay, createTestAccount, type TestAccount } from '../../testing/test-accounts.js';
import { createTestBed, type TestBed } from '../../testing/test-bed.js';
import { createTestCore, type TestCore } from '../../testing/test-core.js';
import { Acceptance } from '../send/acceptance.js';
import { ClaimMessages, claimStatement } from './claim-messages.js';
import { DispatchMessage } from './dispatch-message.js';

describe('DispatchMessage', () => {
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
    jest.restoreAllMocks();
    await bed.database.sql('DELETE FROM opt_outs');
    expect(await moneyFaults(bed.database)).toEqual([]);
  });

  afterAll(async () => {
    await Promise.all((cores ?? []).map((core) => core.close()));
    await bed?.remove();
  });

  /** Stores queued messages of the account and returns their ids. */
  async function queue(count: number, price = 3): Promise<string[]> {
    const rows = Array.from({ length: count }, (_, n) =>
      acceptanceRow(cores[0], account.apiKey, { price, body: `Hello ${n}` }),
    );
    const decisions = await Promise.all(rows.map((row) => cores[0].get(Acceptance).decide(row)));
    expect(decisions.every(({ kind }) => kind === 'accepted')).toBe(true);
    return rows.map(({ id }) => id);
  }

  async function queueOne(): Promise<string> {
    const [id] = await queue(1);
    if (id === undefined) throw new Error('One message was queued');
    return id;
  }

  const run = (id: string, worker: 0 | 1 = 0) => cores[worker].get(DispatchMessage).dispatch(id);
  const rowOf = async (id: string) => (await bed.database.sql('SELECT * FROM messages WHERE id = $1', [id]))[0];
  const optOut = (recipient: string, sender: string) =>
    bed.database.sql('INSERT INTO opt_outs (recipient, sender) VALUES ($1, $2)', [recipient, sender]);
  const optOuts = () => bed.database.sql('SELECT recipient, sender FROM opt_outs ORDER BY sender');
  const dayCount = async () =>
    (
      await bed.database.sql<{ count: number; day: string }>(
        `SELECT count, day::text FROM daily_counts WHERE account_id = $1 AND day > '2020-01-01'`,
        [account.id],
      )
    )[0];

  it('hands the message over and records the carrier’s id', async () => {
    const id = await queueOne();
    expect(await run(id)).toEqual({ kind: 'done' });
    const [call] = cores[0].carrier.calls;
    expect(call).toMatchObject({ id, recipient: '+14155552671', sender: '+15005550006', body: 'Hello 0' });
    expect(await rowOf(id)).toMatchObject({
      status: 'sent',
      carrier_id: cores[0].carrier.records[0]?.carrierId,
      attempts: 1,
      sent_at: expect.any(Date),
      finished_at: null,
      error_code: null,
      refunded: 0,
    });
  });

  it('sends once however often and wherever the job runs', async () => {
    const ids = await queue(20);
    await Promise.all(ids.flatMap((id) => [run(id, 0), run(id, 1), run(id, 0), run(id, 1)]));
    await Promise.all(ids.map((id) => run(id)));
    const sent = cores.flatMap(({ carrier }) => carrier.calls.map((call) => call.id));
    expect(sent.sort()).toEqual(ids.sort());
  });

  it('has one winner among claims at the same time', async () => {
    const ids = await queue(50);
    const claims = await Promise.all(
      ids.flatMap((id) => [0, 1, 0, 1].map((worker) => cores[worker as 0 | 1].get(ClaimMessages).claim(id))),
    );
    const won = claims.flatMap((claim) => (claim ? [claim.row.id] : []));
    expect(won.sort()).toEqual(ids.sort());
    expect(await dayCount()).toMatchObject({ count: 50 });
  });

  it.each([
    ['calls the carrier', 'twice as long as a call may take', 9_500, 1],
    ['does not call it, and queues the message again,', 'less', 10_500, 0],
  ])('%s when the rest of its lease is %s', async (_does, _rest, claimMs, calls) => {
    // The lease is 30 s; two calls of 10 s must still fit.
    const id = await queueOne();
    answersAfter(cores[0], claimStatement.name, claimMs);
    const result = await run(id);
    expect(cores[0].carrier.calls).toHaveLength(calls);
    expect(result).toEqual(calls === 1 ? { kind: 'done' } : { kind: 'retry', delayMs: 0 });
    expect(await rowOf(id)).toMatchObject({ status: calls === 1 ? 'sent' : 'queued', refunded: 0 });
    jest.restoreAllMocks();
    await run(id);
    expect(cores[0].carrier.calls).toHaveLength(1);
  });

  it('plans no other route for a message that is delivered fast, with a single carrier', async () => {
    const timing = { sendAt: null, validitySeconds: null, hedgeSeconds: 20 };
    const row = acceptanceRow(cores[0], account.apiKey, { timing });
    await cores[0].get(Acceptance).decide(row);
    await run(row.id);
    expect(await rowOf(row.id)).toMatchObject({ status: 'sent' });
    expect(await bed.database.sql(`SELECT FROM message_checks WHERE kind = 'hedge'`)).toEqual([]);
  });

  it('claims nothing that is not there', async () => {
    expect(await run('01900000-0000-7000-8000-000000000000')).toEqual({ kind: 'done' });
    expect(cores[0].carrier.calls).toEqual([]);
  });

  it('keeps the daily limit exactly under concurrency, and gives back the credits of what is over', async () => {
    await bed.database.sql('UPDATE accounts SET daily_limit = 25 WHERE id = $1', [account.id]);
    const ids = await queue(60);
    await Promise.all(ids.map((id, n) => run(id, n % 2 ? 1 : 0)));
    const rows = await bed.database.sql<{ status: string; error_code: string | null; refunded: number }>(
      'SELECT status, error_code, refunded FROM messages WHERE account_id = $1',
      [account.id],
    );
    expect(rows.filter(({ status }) => status === 'sent')).toHaveLength(25);
    const over = rows.filter(({ status }) => status === 'failed');
    expect(over).toHaveLength(35);
    expect(new Set(over.map(({ error_code, refunded }) => `${error_code} ${refunded}`))).toEqual(
      new Set(['daily_limit 3']),
    );
    expect(cores.flatMap(({ carrier }) => carrier.calls)).toHaveLength(25);
    expect(await dayCount()).toMatchObject({ count: 25 });
    expect(await moneyOf(bed.database, account.id)).toMatchObject({ balance: 1_000 - 25 * 3, used: 75 });
  });

  it('counts on top of what the day has already, up to the limit', async () => {
    await countDay(bed.database, account.id, 98);
    const ids = await queue(5);
    await Promise.all(ids.map((id) => run(id)));
    expect(await dayCount()).toMatchObject({ count: 100 });
    expect(await moneyOf(bed.database, account.id)).toMatchObject({ used: 6 });
  });

  it('counts against today in New York, not against yesterday', async () => {
    await bed.database.sql(
      `INSERT INTO daily_counts (account_id, day, count, last_granted)
        VALUES ($1, (now() AT TIME ZONE 'America/New_York')::date - 1, 100, 0)`,
      [account.id],
    );
    const id = await queueOne();
    await run(id);
    const [row] = await bed.database.sql<{ right: boolean }>(
      `SELECT counted_on = (now() AT TIME ZONE 'America/New_York')::date AS right FROM messages WHERE id = $1`,
      [id],
    );
    expect([row?.right, (await rowOf(id))?.status]).toEqual([true, 'sent']);
  });

  it('counts a message once, however often it is tried, and lets it finish on a full day', async () => {
    const id = await queueOne();
    cores[0].carrier.next('unavailable', 'unavailable');
    await run(id);
    await run(id);
    await bed.database.sql('UPDATE daily_counts SET count = 100 WHERE account_id = $1', [account.id]);
    await run(id);
    expect(await rowOf(id)).toMatchObject({ status: 'sent', attempts: 3 });
    expect(await dayCount()).toMatchObject({ count: 100 });
  });

  it('lets nothing pass at a limit of 0', async () => {
    const id = await queueOne();
    await bed.database.sql('UPDATE accounts SET daily_limit = 0 WHERE id = $1', [account.id]);
    await run(id);
    expect(await rowOf(id)).toMatchObject({ status: 'failed', error_code: 'daily_limit', refunded: 3 });
  });

  it('fails and refunds queued messages of a blocked account and does not count them', async () => {
    const ids = await queue(3);
    await bed.database.sql('UPDATE accounts SET blocked_at = now() WHERE id = $1', [account.id]);
    await Promise.all(ids.map((id) => run(id)));
    for (const id of ids)
      expect(await rowOf(id)).toMatchObject({
        status: 'failed',
        error_code: 'account_blocked',
        refunded: 3,
        carrier_id: null,
        sent_at: null,
      });
    expect(cores[0].carrier.calls).toEqual([]);
    expect(await dayCount()).toMatchObject({ count: 0 });
    expect(await moneyOf(bed.database, account.id)).toMatchObject({ balance: 1_000, used: 0 });
  });

  it.each(['sms', 'otp'] as const)(
    'fails and refunds a queued message (%s) whose recipient has opted out since it was accepted',
    async (kind) => {
      const row = acceptanceRow(cores[0], account.apiKey, { kind, price: 3, recipient: '+14155550171' });
      expect(await cores[0].get(Acceptance).decide(row)).toMatchObject({ kind: 'accepted' });
      await optOut('+14155550171', '+15005550006');
      expect(await run(row.id)).toEqual({ kind: 'done' });
      expect(await rowOf(row.id)).toMatchObject({
        status: 'failed',
        error_code: 'recipient_opted_out',
        refunded: 3,
        attempts: 0,
        counted_on: null,
      });
      expect(cores[0].carrier.calls).toEqual([]);
      expect(await moneyOf(bed.database, account.id)).toMatchObject({ balance: 1_000, used: 0 });
    },
  );

  it('does not send again what waits for a retry once its recipient has opted out', async () => {
    const id = await queueOne();
    cores[0].carrier.next('unavailable');
    await run(id);
    await optOut('+14155552671', '+15005550006');
    await run(id);
    expect(await rowOf(id)).toMatchObject({ status: 'failed', error_code: 'recipient_opted_out', refunded: 3 });
    expect(cores[0].carrier.calls).toHaveLength(1);
  });

  it('sends to a recipient who has opted out of the sender of another account', async () => {
    const id = await queueOne();
    await optOut('+14155552671', '+15005550009');
    await bed.database.sql('UPDATE opt_outs SET shared = false');
    await optOut('+14155550171', '+15005550006');
    await run(id);
    expect(await rowOf(id)).toMatchObject({ status: 'sent' });
  });

  it('stores an opt-out when the carrier refuses a recipient for one, and refuses what follows', async () => {
    const [first, second] = await queue(2);
    cores[0].carrier.next({ refuse: 21_610 });
    await run(first ?? '');
    expect(await optOuts()).toEqual([{ recipient: '+14155552671', sender: '+15005550006' }]);
    await run(second ?? '', 1);
    expect(await rowOf(second ?? '')).toMatchObject({
      status: 'failed',
      error_code: 'recipient_opted_out',
      refunded: 3,
    });
    expect(cores.flatMap(({ carrier }) => carrier.calls)).toHaveLength(1);
    await bed.database.sql('DELETE FROM opt_outs');
    cores[0].carrier.next({ refuse: 21_211 });
    await run(await queueOne());
    expect(await optOuts()).toEqual([]);
  });

  it('fails what the carrier refuses, with its code kept and its credits back once', async () => {
    const id = await queueOne();
    cores[0].carrier.next({ refuse: 21_614 });
    expect(await run(id)).toEqual({ kind: 'done' });
    await run(id);
    expect(await rowOf(id)).toMatchObject({
      status: 'failed',
      error_code: 'carrier_refused',
      carrier_error: 21_614,
      refunded: 3,
      sent_at: null,
      finished_at: expect.any(Date),
    });
    expect(await moneyOf(bed.database, account.id)).toMatchObject({ balance: 1_000, used: 0, entries: 3 });
  });

  it('requeues messages that the carrier cannot take now, with growing delays', async () => {
    const id = await queueOne();
    const waits: number[] = [];
    for (let attempt = 1; attempt <= 8; attempt += 1) {
      cores[0].carrier.next('unavailable');
      const result = await run(id);
      if (result.kind !== 'retry') throw new Error('It is tried again');
      waits.push(result.delayMs);
      expect(await rowOf(id)).toMatchObject({ status: 'queued', attempts: attempt, refunded: 0 });
    }
    waits.forEach((delayMs, index) => {
      const ceilingMs = Math.min(60_000, 1_000 * 2 ** index);
      expect(delayMs).toBeGreaterThanOrEqual(ceilingMs / 2);
      expect(delayMs).toBeLessThanOrEqual(ceilingMs);
    });
    await run(id);
    expect(await rowOf(id)).toMatchObject({ status: 'sent' });
  });

  it('waits as long as the carrier asks for', async () => {
    const id = await queueOne();
    cores[0].carrier.next(async () => ({ kind: 'unavailable', cause: undefined, retryAfterMs: 90_000 }));
    expect(await run(id)).toEqual({ kind: 'retry', delayMs: 90_000 });
  });

  it('gives up after four hours, with the credits back', async () => {
    const id = await queueOne();
    await bed.database.sql(`UPDATE messages SET created_at = now() - interval '4 hours 1 minute' WHERE id = $1`, [id]);
    cores[0].carrier.next('unavailable');
    expect(await run(id)).toEqual({ kind: 'done' });
    expect(await rowOf(id)).toMatchObject({ status: 'failed', error_code: 'carrier_unavailable', refunded: 3 });
  });

  it.each(['lost', 'nothing'] as const)(
    'leaves a message in sending when no answer comes (%s), for recovery to settle',
    async (step) => {
      const id = await queueOne();
      cores[0].carrier.next(step);
      expect(await run(id)).toEqual({ kind: 'done' });
      expect(await run(id)).toEqual({ kind: 'done' });
      expect(cores[0].carrier.calls).toHaveLength(1);
      expect(await rowOf(id)).toMatchObject({ status: 'sending', refunded: 0 });
      const [soon] = await bed.database.sql<{ seconds: number }>(
        `SELECT extract(epoch FROM min(due_at) - now())::float AS seconds FROM message_checks
         WHERE $1 = ANY (message_ids)`,
        [id],
      );
      expect(soon?.seconds).toBeLessThanOrEqual(6);
    },
  );

  it('keeps a receipt that comes before the carrier’s own answer', async () => {
    const id = await queueOne();
    cores[0].carrier.next(async (message) => {
      const { carrierId } = cores[0].carrier.take(message);
      await bed.database.sql(
        `UPDATE messages SET status = 'delivered', carrier_id = $2, finished_at = now() WHERE id = $1`,
        [id, carrierId],
      );
      return { kind: 'accepted', carrierId };
    });
    await run(id);
    expect(await rowOf(id)).toMatchObject({ status: 'delivered' });
  });
});
