import { sentQuery } from '#contract/histories.js';
import fc from 'fast-check';
import { limits, tablePageSizes } from '#contract/limits.js';
import { Acceptance } from '../../messages/send/acceptance.js';
import { SentHistory } from '../../messages/history/sent-history.js';
import { publicMessageId } from '../../rules/ids.js';
import { acceptanceRow } from '../../testing/acceptance-rows.js';
import { moneyFaults } from '../../testing/money.js';
import { plantMessages } from '../../testing/planted-messages.js';
import { createTestAccount } from '../../testing/test-accounts.js';
import { createTestBed, type TestBed } from '../../testing/test-bed.js';
import { createTestCore, type TestCore } from '../../testing/test-core.js';
import { NumberedRows } from './numbered-rows.js';
import { Postgres } from './postgres.js';

describe('History', () => {
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

  const send = async (apiKey: string) => {
    const row = acceptanceRow(core, apiKey);
    await core.get(Acceptance).decide(row);
    return publicMessageId(row.id);
  };

  it('shows every row once and in order over its pages while rows are written', async () => {
    const filters = [{}, { text: 'hello' }, { number: '+14155552671' }];
    await fc.assert(
      fc.asyncProperty(
        fc.nat({ max: 35 }),
        fc.nat({ max: 12 }),
        fc.constantFrom(...filters),
        fc.constantFrom(...tablePageSizes),
        async (there, newer, filter, size) => {
          const { id, apiKey } = await createTestAccount(core);
          const sent = new Set(await Promise.all(Array.from({ length: there }, () => send(apiKey))));
          const first = await core.get(SentHistory).page(id, sentQuery.parse({ size, ...filter }));
          const seen = first.rows.map(({ messageId }) => messageId);
          for (let page = 2; page <= first.pages; page += 1) {
            const query = sentQuery.parse({ page, size, continue: first.anchor, ...filter });
            const [answer] = await Promise.all([
              core.get(SentHistory).page(id, query),
              ...Array.from({ length: newer }, () => send(apiKey)),
            ]);
            seen.push(...answer.rows.map(({ messageId }) => messageId));
          }
          expect(seen).toHaveLength(there);
          expect(new Set(seen)).toEqual(sent);
          const numbers = await bed.database.sql<{ id: string }>(
            'SELECT id FROM messages WHERE account_id = $1 AND number <= $2 ORDER BY number DESC',
            [id, there],
          );
          expect(seen).toEqual(numbers.map((row) => publicMessageId(row.id)));
        },
      ),
      { numRuns: 15 },
    );
    expect(await moneyFaults(bed.database)).toEqual([]);
  });

  it('returns times in order under concurrent writes', async () => {
    const { id, apiKey } = await createTestAccount(core, { credits: 500 });
    await Promise.all(Array.from({ length: 300 }, () => send(apiKey)));
    for (const table of ['messages', 'ledger_entries']) {
      const [row] = await bed.database.sql<{ rows: number; backwards: number }>(
        `SELECT count(*)::int AS rows, count(*) FILTER (WHERE created_at < earlier)::int AS backwards
         FROM (SELECT created_at, lag(created_at) OVER (ORDER BY number) AS earlier FROM ${table}
           WHERE account_id = $1) r`,
        [id],
      );
      expect(row?.rows).toBeGreaterThanOrEqual(300);
      expect(row?.backwards).toBe(0);
    }
  });

  it('finds the first rows at or after an instant at any position', async () => {
    const rows = new NumberedRows(core.get(Postgres), { table: 'messages', columns: 'id' });
    const startMs = 1_770_000_000_000;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat({ max: 20 }), { maxLength: 40 }),
        fc.array(fc.tuple(fc.integer({ min: -4, max: 26 }), fc.constantFrom(0, 0.5, 1)), { maxLength: 8 }),
        async (seconds, asked) => {
          const { id } = await createTestAccount(core);
          const times = [...seconds].sort((a, b) => a - b);
          const messages = times.map((one) => ({ at: new Date(startMs + one * 1_000) }));
          await plantMessages(bed.database, id, messages);
          const back = [...asked].sort(([a], [b]) => b - a);
          const expected = back.map(([second]) => times.filter((one) => one < second).length + 1);
          const spans = back.map(([second, known], index) => {
            const rowsThere = (expected[index - 1] ?? times.length + 1) - (expected[index] ?? 0);
            return { since: new Date(startMs + second * 1_000), rowsMin: Math.floor(rowsThere * known) };
          });
          expect(await rows.firstsBack(id, times.length, spans)).toEqual(expected);
          for (const [index, { since }] of spans.entries())
            expect(await rows.firstSince(id, times.length, since)).toBe(expected[index]);
        },
      ),
      { numRuns: 30 },
    );
  });

  it.each([
    ['everything', {}, 2_345],
    ['rows found by an index', { status: 'failed' as const }, 1_172],
    ['rows found by a scan', { status: 'delivered' as const }, 1_173],
    ['nothing', { text: 'nowhere' }, 0],
  ])('reads in bounded batches, each row once and newest first: %s', async (_title, filter, count) => {
    const { id } = await createTestAccount(core, { credits: 3_000 });
    const messages = Array.from({ length: 2_345 }, (_, n) => ({
      status: n % 2 ? ('failed' as const) : ('delivered' as const),
    }));
    await plantMessages(bed.database, id, messages);
    const ids: string[] = [];
    for await (const text of await core.get(SentHistory).csv(id, filter)) {
      const found = text.match(/SM[0-9a-f]{32}/g) ?? [];
      expect(found.length).toBeLessThanOrEqual(limits.exportBatchRowsMax);
      ids.push(...found);
    }
    expect(ids).toHaveLength(count);
    expect(ids).toEqual([...new Set(ids)].sort().reverse());
  });
});
