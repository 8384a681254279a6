import { coreScene } from '../testing/core-scene.js';
import { plantMessages } from '../testing/planted-messages.js';
import { createTestCore } from '../testing/test-core.js';
import { computeStatement, DeliveryQuality } from './delivery-quality.js';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

describe('The delivery quality', () => {
  const scene = coreScene();
  let accountId: string;

  beforeEach(async () => {
    await scene.sql('DELETE FROM delivery_quality');
    await scene.sql('DELETE FROM messages');
    accountId = (await scene.createAccount({ credits: 5_000 })).id;
  });

  /** Noon of a day in UTC, which has passed for days before today. */
  const noon = (daysAgo: number) =>
    new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS - daysAgo * DAY_MS + 12 * HOUR_MS);
  const dayOf = (daysAgo: number) => noon(daysAgo).toISOString().slice(0, 10);
  const plant = (status: 'delivered' | 'undelivered' | 'failed' | 'sent' | 'canceled', at: Date, count = 1) =>
    plantMessages(
      scene.bed.database,
      accountId,
      Array.from({ length: count }, () => ({ at, status })),
    );
  const deliverAfter = (seconds: number, status = 'sent') =>
    scene.sql(
      `UPDATE messages SET status = 'delivered', finished_at = created_at + make_interval(secs => $1)
        WHERE status = $2`,
      [seconds, status],
    );
  const age = (interval: string) =>
    scene.sql(`UPDATE delivery_quality SET computed_at = computed_at - $1::interval`, [interval]);
  const stored = () =>
    scene.sql<{ day: string }>(
      `SELECT to_char(day, 'YYYY-MM-DD') AS day, country, accounts, messages::int, delivered::int,
        median_ms::int, p95_ms::int
       FROM delivery_quality ORDER BY day`,
    );
  const run = () => scene.get(DeliveryQuality).run();

  it('has share and times of final messages, for scheduled ones from the time they were due', async () => {
    await plant('sent', noon(1), 17);
    await deliverAfter(2);
    await plant('sent', noon(1), 2);
    await deliverAfter(9);
    await plant('sent', noon(1));
    await scene.sql(`UPDATE messages SET send_at = created_at + interval '1 hour' WHERE status = 'sent'`);
    await deliverAfter(3_601);
    for (const status of ['undelivered', 'failed', 'sent', 'canceled'] as const) await plant(status, noon(1));
    await run();
    expect(await stored()).toEqual([
      { day: dayOf(1), country: 'US', accounts: 1, messages: 22, delivered: 20, median_ms: 2_000, p95_ms: 9_000 },
    ]);
  });

  it('has the codes of the day in New York that were sent and verified, over all accounts', async () => {
    await plant('delivered', noon(1));
    await scene.sql('UPDATE messages SET finished_at = created_at');
    const other = (await scene.createAccount()).id;
    await scene.sql(
      `INSERT INTO otp_days (account_id, day, country, sent, verified) VALUES ($1, $3, 'US', 700, 600),
         ($2, $3, 'US', 500, 300), ($2, $3, 'CA', 9, 9), ($1, $3::date - 1, 'US', 9, 9)`,
      [accountId, other, dayOf(1)],
    );
    await run();
    expect(await scene.sql('SELECT country, otp_accounts, otps::int, verified::int FROM delivery_quality')).toEqual([
      { country: 'US', otp_accounts: 2, otps: 1_200, verified: 900 },
    ]);
  });

  it('follows late receipts of a day while it is open, and not later', async () => {
    await plant('sent', noon(3));
    await plant('sent', noon(5));
    await run();
    await deliverAfter(5);
    await run();
    expect(await stored()).toMatchObject([{ delivered: 0 }, { delivered: 0 }]);
    await age('7 hours');
    await run();
    const closed = { day: dayOf(5), messages: 0, delivered: 0 };
    expect(await stored()).toMatchObject([closed, { day: dayOf(3), messages: 1, delivered: 1, median_ms: 5_000 }]);
  });

  it('computes a day once more after it closed, if the last time was before', async () => {
    await plant('sent', noon(5));
    await run();
    await deliverAfter(5);
    await age('7 hours');
    await run();
    expect(await stored()).toMatchObject([{ day: dayOf(5), delivered: 0 }]);
    await age('3 days');
    await run();
    expect(await stored()).toMatchObject([{ day: dayOf(5), delivered: 1 }]);
  });

  it('is written once by two workers', async () => {
    await plant('delivered', noon(1));
    await scene.sql('UPDATE messages SET finished_at = created_at');
    const other = await createTestCore(scene.bed.config());
    try {
      const quality = [scene.get(DeliveryQuality), other.get(DeliveryQuality)];
      await Promise.all(quality.map((one) => one.run()));
      const version = 'SELECT xmin::text, computed_at FROM delivery_quality';
      const written = await scene.sql(version);
      expect(written).toHaveLength(1);
      await Promise.all(quality.map((one) => one.run()));
      expect(await scene.sql(version)).toEqual(written);
      // Another worker holds the turn.
      await age('7 hours');
      const before = await scene.sql(version);
      await scene.transaction(async (tx) => {
        await tx.query(`SELECT pg_advisory_xact_lock(hashtext('pennytext delivery quality'))`);
        expect(await other.get(DeliveryQuality).run()).toBe(false);
      });
      expect(await scene.sql(version)).toEqual(before);
    } finally {
      await other.close();
    }
  });

  it('hides a day and country below both limits, and forgets days after 30', async () => {
    await plant('delivered', noon(1), 999);
    await plant('delivered', noon(2), 1_000);
    await scene.sql(`UPDATE messages SET finished_at = created_at + interval '2 seconds'`);
    await scene.sql(
      `INSERT INTO delivery_quality SELECT (now() AT TIME ZONE 'UTC')::date - 30, 'US', 20, 20, 0, NULL, NULL, now()`,
    );
    await run();
    expect(await stored()).toMatchObject([{ day: dayOf(2) }, { day: dayOf(1) }]);
    const { quality } = await scene.get(DeliveryQuality).shown();
    const shown = { country: 'US', delivered_percent: 100, median_seconds: 2, p95_seconds: 2, verified_percent: null };
    expect(quality).toEqual([{ day: dayOf(2), ...shown }]);
  });

  it('reads only the partition of its day', async () => {
    const values = [new Date('2026-12-10T00:00:00Z'), new Date('2026-12-11T00:00:00Z')];
    await scene.sql(`SELECT ensure_message_partitions('2026-11-01', 4)`);
    const connection = await scene.bed.database.connect();
    // PostgreSQL 18 runs without pruning: data-source.ts.
    await connection.query('SET enable_partition_pruning = on');
    const { rows } = await connection.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${computeStatement.text}`, values);
    await connection.end();
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect([...new Set(plan.match(/messages_\w*\d{4}_\d{2}|messages_default/g))]).toEqual(['messages_2026_12']);
  });
});
