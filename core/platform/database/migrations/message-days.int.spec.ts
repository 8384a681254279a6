import { DataSource } from 'typeorm';
import { messageDayFaults } from '../../../testing/message-day-faults.js';
import { plantMessages } from '../../../testing/planted-messages.js';
import { createTestAccount } from '../../../testing/test-accounts.js';
import { createTestBed, type TestBed } from '../../../testing/test-bed.js';
import { createTestCore, type TestCore } from '../../../testing/test-core.js';
import { dataSourceOptions } from '../data-source.js';
import { ScheduledMessages1795500000700 } from './1795500000700-scheduled-messages.js';
import { MessageDays1795400000700 } from './1795400000700-message-days.js';

describe('MessageDays', () => {
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

  it('counts existing messages by account and day', async () => {
    const statuses = ['queued', 'sending', 'sent', 'delivered', 'undelivered', 'failed'] as const;
    const instants = ['2026-03-08T04:59:59Z', '2026-03-08T05:00:00Z', '2026-07-04T04:00:00Z'];
    for (const count of [1, 2]) {
      const { id } = await createTestAccount(core, { credits: 1_000 });
      const messages = instants.flatMap((at) => statuses.map((status) => ({ at: new Date(at), status })));
      await plantMessages(bed.database, id, Array.from({ length: count }, () => messages).flat());
    }
    const migration = new MessageDays1795400000700();
    const runner = dataSource.createQueryRunner();
    const scheduled = new ScheduledMessages1795500000700();
    await scheduled.down(runner);
    await migration.down(runner);
    await migration.up(runner);
    await scheduled.up(runner);
    await runner.release();
    expect(await messageDayFaults(bed.database)).toEqual([]);
    const days = await bed.database.sql(`SELECT sum(sent)::int AS sent, count(*)::int AS days FROM message_days`);
    expect(days).toEqual([{ sent: 9, days: 6 }]);
  });
});
