import { newMessageId } from '../rules/ids.js';
import { createTestAccount } from '../testing/test-accounts.js';
import { createTestBed, type TestBed } from '../testing/test-bed.js';
import { createTestCore, type TestCore } from '../testing/test-core.js';
import { MessageRetention } from './message-retention.js';

describe('MessageRetention', () => {
  let bed: TestBed;
  let core: TestCore;

  beforeAll(async () => {
    bed = await createTestBed();
    core = await createTestCore(bed.config());
  });

  afterAll(async () => {
    await core?.close();
    await bed?.remove();
  });

  it('makes the partitions of this month and the next two, as often as it runs', async () => {
    await bed.database.sql('DROP TABLE IF EXISTS ' + (await partitions()).map((name) => `"${name}"`).join(', '));
    await Promise.all([core.get(MessageRetention).run(), core.get(MessageRetention).run()]);
    const now = new Date();
    const expected = [0, 1, 2].map((step) => {
      const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + step, 1));
      return `messages_${month.toISOString().slice(0, 7).replace('-', '_')}`;
    });
    expect(await partitions()).toEqual(expected);
  });

  const partitions = async () =>
    (
      await bed.database.sql<{ name: string }>(
        `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'messages'::regclass ORDER BY 1`,
      )
    )
      .map(({ name }) => name)
      .filter((name) => name !== 'messages_default');

  it('bounds each partition by its month in UTC', async () => {
    const [first, last] = await bed.database.sql<{ id: string }>(
      `SELECT uuid_v7_floor(t)::text AS id FROM unnest(ARRAY['2026-12-01T00:00:00Z'::timestamptz,
        '2026-12-31T23:59:59.999Z'::timestamptz]) t`,
    );
    await bed.database.sql(`SELECT ensure_message_partitions('2026-11-15', 3)`);
    for (const [id, partition] of [
      [first?.id, 'messages_2026_12'],
      [last?.id, 'messages_2026_12'],
      [previousOf(first?.id ?? ''), 'messages_2026_11'],
    ]) {
      const [row] = await bed.database.sql<{ partition: string }>(
        `INSERT INTO messages (id, account_id, number, kind, recipient, country, sender, body, segments, credits)
         VALUES ($1, gen_random_uuid(), 1, 'sms', '+1', 'US', '+1', 'x', 1, 1)
           RETURNING tableoid::regclass::text AS partition`,
        [id],
      );
      expect(row?.partition).toBe(partition);
    }
  });

  it('deletes decisions about routes after 400 days, and keeps younger ones', async () => {
    await bed.database.sql(
      `INSERT INTO route_code_days (country, carrier, day, delivered, verified)
       SELECT 'US', 1, (now() AT TIME ZONE 'UTC')::date - days, days, 0 FROM unnest(ARRAY[400, 401]) days`,
    );
    await bed.database.sql(
      `INSERT INTO route_changes (at, country, "from", "to", cause, figures)
       SELECT now() - make_interval(days => n), 'US', '{}', '{}', 'weight', jsonb_build_object('days', n)
       FROM unnest(ARRAY[399, 401]) AS n`,
    );
    await core.get(MessageRetention).run();
    expect(await bed.database.sql('SELECT figures FROM route_changes')).toEqual([{ figures: { days: 399 } }]);
    expect(await bed.database.sql('SELECT delivered FROM route_code_days')).toEqual([{ delivered: 400 }]);
  });

  it('forgets the rejected items of bulks after 24 hours, and keeps younger ones', async () => {
    const { id } = await createTestAccount(core);
    await bed.database.sql(
      `INSERT INTO batches (account_id, first_number, messages, id, credits, rejected, created_at)
       SELECT $1, n, 1, gen_random_uuid(), 1, '[]', now() - make_interval(hours => n) FROM unnest(ARRAY[23, 25]) AS n`,
      [id],
    );
    await core.get(MessageRetention).run();
    expect(await bed.database.sql('SELECT rejected FROM batches ORDER BY first_number')).toEqual([
      { rejected: [] },
      { rejected: null },
    ]);
  });

  it('forgets idempotency keys after 24 hours, and keeps younger ones', async () => {
    await bed.database.sql(
      `INSERT INTO idempotency_keys (account_id, key, body_hash, message_id, created_at)
       VALUES (gen_random_uuid(), 'old', '', $1, now() - interval '24 hours 1 minute'), (gen_random_uuid(),
         'young', '', $1, now() - interval '23 hours')`,
      [newMessageId()],
    );
    await core.get(MessageRetention).run();
    expect(await bed.database.sql('SELECT key FROM idempotency_keys')).toEqual([{ key: 'young' }]);
  });
});

/** The largest UUIDv7 of the millisecond before. */
function previousOf(id: string): string {
  const ms = Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16) - 1;
  const hex = ms.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7fff-bfff-ffffffffffff`;
}
