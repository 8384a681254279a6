import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { acceptanceRow } from '../../testing/acceptance-rows.js';
import { Acceptance } from '../../messages/send/acceptance.js';
import { createTestAccount, type TestAccount } from '../../testing/test-accounts.js';
import { createTestBed, type TestBed } from '../../testing/test-bed.js';
import { createTestCore, type TestCore } from '../../testing/test-core.js';
import { ReadMetrics } from './read-metrics.js';
import { WaitingRowsRepository } from './waiting-rows.js';

describe('ReadMetrics', () => {
  let bed: TestBed;
  let core: TestCore;
  let account: TestAccount;

  beforeAll(async () => {
    bed = await createTestBed();
    core = await createTestCore(bed.config());
    account = await createTestAccount(core, { credits: 100 });
  });

  afterEach(() => {
    jest.restoreAllMocks();
  });

  afterAll(async () => {
    await core?.close();
    await bed?.remove();
  });

  it('reads rows of the declared type', async () => {
    const row = z.strictObject({
      kind: z.enum(['dispatch', 'webhooks', 'mail', 'held', 'media']),
      rows: z.int(),
      oldestAgeSeconds: z.number(),
    });
    const rows = z.array(row).parse(await core.get(WaitingRowsRepository).count());
    expect(rows.map(({ kind }) => kind).toSorted()).toEqual(['dispatch', 'held', 'mail', 'media', 'webhooks']);
  });

  const waiting = async () =>
    Object.fromEntries(
      (await core.get(WaitingRowsRepository).count()).map(({ kind, rows, oldestAgeSeconds }) => [
        kind,
        { rows, minutes: Math.floor(oldestAgeSeconds / 60) },
      ]),
    );

  it('counts queued messages and the age of the oldest, but not sent ones', async () => {
    const ids = await Promise.all(
      [1, 2, 3].map(async () => {
        const row = acceptanceRow(core, account.apiKey);
        await core.get(Acceptance).decide(row);
        return row.id;
      }),
    );
    await bed.database.sql(`UPDATE messages SET created_at = now() - interval '7 minutes' WHERE id = $1`, [ids[0]]);
    await bed.database.sql(`UPDATE messages SET status = 'sent' WHERE id = $1`, [ids[1]]);
    expect((await waiting())['dispatch']).toEqual({ rows: 2, minutes: 7 });
  });

  it('counts pending webhooks; the age is that of webhooks without an attempt', async () => {
    for (const [attempts, minutes] of [
      [0, 3],
      [4, 90],
    ])
      await bed.database.sql(
        `INSERT INTO webhook_deliveries (id, account_id, type, source_id, body, status, attempts, due_at, created_at)
         VALUES ($1::uuid, $2, 'message.sent', $1::uuid::text, '{}', 'pending', $3, now(),
           now() - make_interval(mins => $4))`,
        [randomUUID(), account.id, attempts, minutes],
      );
    expect((await waiting())['webhooks']).toEqual({ rows: 2, minutes: 3 });
  });

  it('returns zero for mails and held replies if there are none', async () => {
    const { mail, held } = await waiting();
    expect([mail, held]).toEqual([
      { rows: 0, minutes: 0 },
      { rows: 0, minutes: 0 },
    ]);
  });

  it('reads the tables once for ten scrapes', async () => {
    const look = jest.spyOn(core.get(WaitingRowsRepository), 'count');
    const texts = await Promise.all(Array.from({ length: 10 }, () => core.get(ReadMetrics).read()));
    await core.get(ReadMetrics).read();
    expect(look).toHaveBeenCalledTimes(1);
    for (const { text } of texts) expect(text).toContain('pennytext_backlog_rows{kind="dispatch",process="worker"} 2');
  });

  it('leaves out database metrics and reports the dependency as down while the database is unavailable', async () => {
    const other = await createTestCore(bed.config());
    try {
      jest.spyOn(other.get(WaitingRowsRepository), 'count').mockRejectedValue(new Error('unavailable'));
      const { text } = await other.get(ReadMetrics).read();
      expect(text).toContain('pennytext_dependency_up{dependency="postgres",process="worker"} 0');
      expect(text).not.toContain('pennytext_backlog_rows{');
      expect(text).toContain('pennytext_queue_paused{queue="dispatch",process="worker"} 0');
    } finally {
      await other.close();
    }
  });
});
