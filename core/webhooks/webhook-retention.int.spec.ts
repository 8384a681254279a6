import { newMessageId, uuidV7Floor } from '../rules/ids.js';
import { createTestAccount } from '../testing/test-accounts.js';
import { createTestBed, type TestBed } from '../testing/test-bed.js';
import { createTestCore, type TestCore } from '../testing/test-core.js';
import { WebhookRetention } from './webhook-retention.js';

const DAY_MS = 86_400_000;

describe('WebhookRetention', () => {
  let bed: TestBed;
  let core: TestCore;
  let accountId: string;

  beforeAll(async () => {
    bed = await createTestBed();
    core = await createTestCore(bed.config());
    ({ id: accountId } = await createTestAccount(core));
  });

  afterAll(async () => {
    await core?.close();
    await bed?.remove();
  });

  const plant = (status: string, endedDaysAgo: number) =>
    bed.database.sql(
      `INSERT INTO webhook_deliveries (id, account_id, type, source_id, body, status, finished_at)
       VALUES ($1::uuid, $2, 'message.received', $1::uuid::text, '{}', $3::text,
         CASE WHEN $3::text IN ('delivered', 'failed') THEN now() - make_interval(days => $4) END)`,
      [newMessageId(), accountId, status, endedDaysAgo],
    );
  const plantAttempt = (daysAgo: number) =>
    bed.database.sql(
      `INSERT INTO webhook_attempts (id, delivery_id, account_id, started_at, duration_ms, answer)
       VALUES ($1, gen_random_uuid(), $2, now(), 1, '')`,
      [uuidV7Floor(new Date(Date.now() - daysAgo * DAY_MS)), accountId],
    );
  const months = async () => {
    const rows = await bed.database.sql<{ name: string }>(
      `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'webhook_attempts'::regclass`,
    );
    return rows.map(({ name }) => name).sort();
  };

  it('deletes deliveries that finished more than 30 days ago, and no others', async () => {
    for (const [status, days] of [
      ['delivered', 31],
      ['failed', 31],
      ['delivered', 29],
      ['pending', 0],
    ] as const)
      await plant(status, days);
    expect(await core.get(WebhookRetention).run()).toBe(false);
    const left = await bed.database.sql('SELECT status FROM webhook_deliveries ORDER BY id');
    expect(left).toEqual([{ status: 'delivered' }, { status: 'pending' }]);
  });

  it('drops partitions of attempts that ended 30 days ago, and creates those of the coming months', async () => {
    const now = await months();
    expect(now).toHaveLength(4);
    const old = new Date(Date.now() - 100 * DAY_MS);
    await bed.database.sql('SELECT ensure_webhook_partitions($1, 1)', [old.toISOString().slice(0, 10)]);
    await plantAttempt(100);
    await plantAttempt(0);
    expect(await months()).toHaveLength(5);
    await core.get(WebhookRetention).run();
    expect(await months()).toEqual(now);
    expect(await bed.database.sql('SELECT 1 FROM webhook_attempts')).toHaveLength(1);
  });
});
