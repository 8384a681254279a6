import { DataSource } from 'typeorm';
import { acceptanceRow } from '../../../testing/acceptance-rows.js';
import { createTestAccount } from '../../../testing/test-accounts.js';
import { createTestBed, type TestBed } from '../../../testing/test-bed.js';
import { createTestCore, type TestCore } from '../../../testing/test-core.js';
import { Acceptance } from '../../../messages/send/acceptance.js';
import { dataSourceOptions } from '../data-source.js';
import { MessageChecks1795500000620 } from './1795500000620-message-checks.js';

describe('MessageChecks', () => {
  let bed: TestBed;
  let core: TestCore;
  let dataSource: DataSource;

  beforeAll(async () => {
    bed = await createTestBed();
    core = await createTestCore(bed.config());
    dataSource = await new DataSource(dataSourceOptions(bed.config().database)).initialize();
  });

  afterAll(async () => {
    await dataSource?.destroy();
    await core?.close();
    await bed?.remove();
  });

  /** Indexes of messages that contain one of the columns that change from acceptance to delivery; those on `due_at` hold no row. */
  const touched = () =>
    bed.database.sql<{ name: string }>(
      `SELECT DISTINCT i.indexrelid::regclass::text AS name
       FROM pg_index i JOIN pg_depend d ON d.objid = i.indexrelid AND d.refobjid = i.indrelid
       JOIN pg_attribute a ON a.attrelid = d.refobjid AND a.attnum = d.refobjsubid
       WHERE i.indrelid IN (SELECT relid FROM pg_partition_tree('messages'))
         AND a.attname IN ('status', 'attempts', 'counted_on', 'carrier_id', 'claimed_at', 'sent_at', 'finished_at', 'refunded')`,
    );
  const isValid = async () =>
    (
      await bed.database.sql(
        `SELECT 1 FROM pg_index WHERE indrelid IN (SELECT relid FROM pg_partition_tree('messages')) AND NOT indisvalid`,
      )
    ).length === 0;
  const unfilled = () =>
    bed.database.sql(
      `SELECT relid::text FROM pg_partition_tree('messages') JOIN pg_class c ON c.oid = relid
       WHERE isleaf AND coalesce(array_to_string(reloptions, ','), '') NOT LIKE '%fillfactor=60%'`,
    );

  it('leaves no index on a column that changes on the way to delivery, and room in the pages of every partition', async () => {
    await bed.database.sql(`SELECT ensure_message_partitions('2031-01-01', 1)`);
    expect([await touched(), await isValid(), await unfilled()]).toEqual([[], true, []]);
  });

  it('is reverted and applied again on a database with data, also after an interruption', async () => {
    const account = await createTestAccount(core, { credits: 10 });
    const [queued, failed] = [acceptanceRow(core, account.apiKey), acceptanceRow(core, account.apiKey)];
    for (const row of [queued, failed]) await core.get(Acceptance).decide(row);
    await bed.database.sql(`UPDATE messages SET status = 'failed' WHERE id = $1`, [failed.id]);
    const migration = new MessageChecks1795500000620();
    const runner = dataSource.createQueryRunner();
    try {
      await migration.down(runner);
      expect(await touched()).not.toEqual([]);
      // Where an interrupted run got to: one partition has an index that is not attached.
      await runner.query(`CREATE INDEX messages_default_failed ON messages_default (number)`);
      await migration.up(runner);
      await migration.up(runner);
    } finally {
      await runner.release();
    }
    expect([await touched(), await isValid(), await unfilled()]).toEqual([[], true, []]);
    const rows = await bed.database.sql(
      'SELECT id, due_at IS NOT NULL AS due, error_code FROM messages ORDER BY number',
    );
    expect(rows).toEqual([
      { id: queued.id, due: true, error_code: null },
      { id: failed.id, due: false, error_code: 'not_delivered' },
    ]);
  });
});
