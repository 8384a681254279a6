import { InboundRetention } from '../inbound/inbound-retention.js';
import { eraseExpired, type ErasureRule } from '../platform/durable-work/retention.js';
import { Postgres } from '../platform/database/postgres.js';
import { uuidV7Floor } from '../rules/ids.js';
import { eventually } from '../testing/eventually.js';
import { moneyFaults, moneyOf } from '../testing/money.js';
import { plantMessages } from '../testing/planted-messages.js';
import { createTestAccount } from '../testing/test-accounts.js';
import { createTestBed, type TestBed } from '../testing/test-bed.js';
import { createTestCore, type TestCore } from '../testing/test-core.js';
import { WebhookRetention } from '../webhooks/webhook-retention.js';
import { MessageRetention } from './message-retention.js';
import { Messages } from './history/messages.js';

const DAY_MS = 86_400_000;
const NUMBER = '+14155552671';
const MASKED = '+1415•••••••';

const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS);

interface Row {
  readonly recipient: string;
  readonly body: string;
  readonly reference: string | null;
}

describe('retention of texts and numbers', () => {
  let bed: TestBed;
  let core: TestCore;
  let accountId: string;

  beforeAll(async () => {
    bed = await createTestBed();
    core = await createTestCore(bed.config({ MESSAGE_TEXT_DAYS: '7', MESSAGE_DAYS: '30' }));
  });

  beforeEach(async () => {
    ({ id: accountId } = await createTestAccount(core, { credits: 20_000 }));
  });

  afterEach(async () => {
    expect(await moneyFaults(bed.database)).toEqual([]);
    await bed.database.sql('TRUNCATE retention_progress, retention_waiting');
  });

  afterAll(async () => {
    await core?.close();
    await bed?.remove();
  });

  const plant = async (...messages: Parameters<typeof plantMessages>[2]) => {
    await plantMessages(bed.database, accountId, messages);
    await bed.database.sql(
      `UPDATE messages SET reference = 'order', finished_at = CASE
        WHEN status IN ('queued', 'sending') THEN NULL ELSE created_at END
       WHERE account_id = $1`,
      [accountId],
    );
  };
  const run = async () => {
    while (await core.get(MessageRetention).run());
  };
  const rows = () =>
    bed.database.sql<Row>('SELECT recipient, body, reference FROM messages WHERE account_id = $1 ORDER BY number', [
      accountId,
    ]);

  it('erases texts after MESSAGE_TEXT_DAYS, masks numbers after MESSAGE_DAYS, and keeps the ledger', async () => {
    await plant({ at: daysAgo(31) }, { at: daysAgo(8) }, { at: daysAgo(6) });
    const before = await moneyOf(bed.database, accountId);
    await run();
    expect(await rows()).toEqual([
      { recipient: MASKED, body: '', reference: null },
      { recipient: NUMBER, body: '', reference: 'order' },
      { recipient: NUMBER, body: 'Hello', reference: 'order' },
    ]);
    expect(await moneyOf(bed.database, accountId)).toEqual(before);
    expect((await core.get(Messages).checkCharges()).mismatches).toBe(0);
  });

  it('leaves a message in progress alone until it has ended as long ago, and newer ones do not wait for it', async () => {
    await plant({ at: daysAgo(40), status: 'sending' }, { at: daysAgo(35) });
    await run();
    expect((await rows()).map(({ recipient, body }) => [recipient, body])).toEqual([
      [NUMBER, 'Hello'],
      [MASKED, ''],
    ]);
    const end = (at: Date) =>
      bed.database.sql(
        `UPDATE messages SET status = 'delivered', finished_at = $2 WHERE account_id = $1 AND number = 1`,
        [accountId, at],
      );
    await end(daysAgo(8));
    await run();
    expect((await rows())[0]).toEqual({ recipient: NUMBER, body: '', reference: 'order' });
    await end(daysAgo(31));
    await run();
    expect((await rows())[0]).toEqual({ recipient: MASKED, body: '', reference: null });
    expect(await bed.database.sql('SELECT * FROM retention_waiting')).toEqual([]);
  });

  it('masks a number whose row another rule or worker is changing at the same moment', async () => {
    await plant({ at: daysAgo(35) });
    let retention: Promise<void> | undefined;
    await core.get(Postgres).transaction(async (tx) => {
      await tx.query(`UPDATE messages SET body = '' WHERE account_id = $1`, [accountId]);
      retention = run();
      await eventually('retention waits for the row', async () => {
        const [blocked] = await bed.database.sql<{ count: number }>(
          'SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND ' +
            'cardinality(pg_blocking_pids(pid)) > 0',
        );
        return (blocked?.count ?? 0) > 0;
      });
    });
    await retention;
    expect(await rows()).toEqual([{ recipient: MASKED, body: '', reference: null }]);
  });

  it('erases long histories in bounded batches, also with two workers at once', async () => {
    await plant(...Array.from({ length: 5_001 }, (_, index) => ({ at: new Date(daysAgo(10).getTime() + index) })));
    const rule: ErasureRule = {
      name: 'message-texts',
      table: 'messages',
      erase: `body = ''`,
      inProgress: `r.status = 'queued'`,
      endedAt: 'r.finished_at',
    };
    const left = async () => (await rows()).filter(({ body }) => body !== '').length;
    expect(await eraseExpired(core.get(Postgres), rule, 7)).toBe(true);
    // The rule's progress began with the messages of the other tests.
    expect(await left()).toBeGreaterThan(0);
    expect(await left()).toBeLessThan(10);
    await Promise.all([run(), run()]);
    expect(await left()).toBe(0);
  });

  it('changes nothing when both are 0, the default', async () => {
    const other = await createTestCore(bed.config());
    try {
      await plant({ at: daysAgo(400) });
      await other.get(MessageRetention).run();
      await other.get(InboundRetention).run();
      expect(await rows()).toEqual([{ recipient: NUMBER, body: 'Hello', reference: 'order' }]);
    } finally {
      await other.close();
    }
  });

  it('erases replies alike, except held ones', async () => {
    const insertHeld = (number: number, days: number) =>
      bed.database.sql(
        `WITH counted AS (UPDATE credit_accounts SET received_count = received_count + 1 WHERE account_id = $2)
         INSERT INTO inbound_messages (id, account_id, number, carrier_id, sender, recipient, body,
           segments, credits, status, created_at)
         VALUES ($1, $2, $3, 'SM1', $4, '+15005550006', 'Hi', 1, 0, 'held', $5)`,
        [uuidV7Floor(daysAgo(days)), accountId, number, NUMBER, daysAgo(days)],
      );
    await insertHeld(1, 31);
    await insertHeld(2, 8);
    await core.get(InboundRetention).run();
    const replies = () =>
      bed.database.sql<{ sender: string; body: string }>(
        'SELECT sender, body FROM inbound_messages WHERE account_id = $1 ORDER BY number',
        [accountId],
      );
    expect(await replies()).toEqual([
      { sender: NUMBER, body: 'Hi' },
      { sender: NUMBER, body: 'Hi' },
    ]);
    await bed.database.sql(
      `UPDATE inbound_messages SET status = 'received', credits = 1, received_at = created_at WHERE account_id = $1`,
      [accountId],
    );
    await core.get(InboundRetention).run();
    expect(await replies()).toEqual([
      { sender: MASKED, body: '' },
      { sender: NUMBER, body: '' },
    ]);
    await bed.database.sql('DELETE FROM inbound_messages WHERE account_id = $1', [accountId]);
    await bed.database.sql('UPDATE credit_accounts SET received_count = 0 WHERE account_id = $1', [accountId]);
  });

  it('deletes finished webhooks and their attempts with the texts', async () => {
    const insert = (days: number) =>
      bed.database.sql(
        `WITH delivery AS (
           INSERT INTO webhook_deliveries (id, account_id, type, source_id, body, status, created_at, finished_at)
           VALUES ($1::uuid, $2::uuid, 'message.received', $1::uuid::text, 'Hi', 'delivered',
             $3::timestamptz, $3::timestamptz)
         )
         INSERT INTO webhook_attempts (id, delivery_id, account_id, started_at, duration_ms, answer)
         VALUES ($1::uuid, $1::uuid, $2::uuid, $3::timestamptz, 1, 'ok')`,
        [uuidV7Floor(daysAgo(days)), accountId, daysAgo(days)],
      );
    await insert(8);
    await insert(6);
    await core.get(WebhookRetention).run();
    for (const table of ['webhook_deliveries', 'webhook_attempts'])
      expect(await bed.database.sql(`SELECT 1 FROM ${table} WHERE account_id = $1`, [accountId])).toHaveLength(1);
  });
});
