import { z } from 'zod';
import { Credits } from '../../credits/credits.js';
import { acceptanceRow } from '../../testing/acceptance-rows.js';
import { createTestAccount } from '../../testing/test-accounts.js';
import { createTestBed, type TestBed } from '../../testing/test-bed.js';
import { createTestCore, type TestCore } from '../../testing/test-core.js';
import { Postgres } from '../../platform/database/postgres.js';
import { newYorkDay } from '../../rules/time.js';
import { claimStatement } from '../dispatch/claim-messages.js';
import { Acceptance } from './acceptance.js';
import { acceptanceValues } from './acceptance-batch.js';
import { acceptanceStatements, acceptedStatement, type AcceptanceResult, type AcceptedRow } from './acceptance.sql.js';

const acceptanceResult = z.strictObject({
  sender: z.string(),
  verdict: z.string(),
  accountId: z.uuid().nullable(),
  keyRatePerSecond: z.int().nullable(),
  earlierId: z.uuid().nullable(),
  repliesUnavailable: z.boolean(),
  balance: z.int().nonnegative(),
});
/** Findings of the variant with dry runs. */
const findings = z.strictObject({
  message: z.string().nullable(),
  account: z.string().nullable(),
  available: z.int().nonnegative(),
});
const acceptedRow: z.ZodType<AcceptedRow> = z.strictObject({
  id: z.uuid(),
  accountId: z.uuid(),
  sender: z.string(),
  repliesUnavailable: z.boolean(),
  segments: z.int(),
  credits: z.int(),
  body: z.string(),
  reference: z.string().nullable(),
  kind: z.enum(['sms', 'otp']),
  sendAt: z.date().nullable(),
  hedgeSeconds: z.int().nullable(),
  balance: z.int().nonnegative(),
});
const claimRow = z.discriminatedUnion('verdict', [
  z.strictObject({
    id: z.uuid(),
    accountId: z.uuid(),
    verdict: z.literal('claimed'),
    kind: z.enum(['sms', 'otp']),
    carrier: z.literal(1),
    recipient: z.string(),
    sender: z.string(),
    body: z.string(),
    attempts: z.int(),
    waitsSince: z.date(),
    validSeconds: z.number().nullable(),
  }),
  z.object({
    id: z.uuid(),
    accountId: z.uuid(),
    verdict: z.enum([
      'daily_limit',
      'account_blocked',
      'delivery_suspended',
      'recipient_opted_out',
      'expired',
      'paused',
    ]),
  }),
]);

/** 03:30 UTC today, which is yesterday in New York in any season. */
function lateEvening(): Date {
  const at = new Date();
  at.setUTCHours(3, 30, 0, 0);
  return at;
}

/** The statement as it runs at another time: its clock is `now()`. */
const at = (statement: { text: string }, instant: Date) => ({
  text: statement.text.replaceAll('now()', `'${instant.toISOString()}'::timestamptz`),
});

describe('The statements of acceptance and claim', () => {
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

  const settings = { conversationHours: 72, ownNumbersOnly: true };
  const acceptAt = async (instant: Date, apiKey: string) => {
    const row = acceptanceRow(core, apiKey);
    const statement = at(acceptanceStatements.plain, instant);
    const [result] = await core
      .get(Postgres)
      .query<AcceptanceResult>(statement, acceptanceValues([row], 'plain', settings));
    return { id: row.id, verdict: result?.verdict };
  };
  const fillDay = (accountId: string, day: string) =>
    bed.database.sql(
      `INSERT INTO daily_counts (account_id, day, count, last_granted)
       SELECT id, $2::date, daily_limit, 0 FROM accounts WHERE id = $1
       ON CONFLICT (account_id, day) DO UPDATE SET count = excluded.count`,
      [accountId, day],
    );

  it('return rows of their types', async () => {
    const { apiKey } = await createTestAccount(core);
    const row = acceptanceRow(core, apiKey);
    const postgres = core.get(Postgres);
    const [result] = await postgres.query(acceptanceStatements.plain, acceptanceValues([row], 'plain', settings));
    expect(acceptanceResult.parse(result)).toMatchObject({ verdict: 'accepted', balance: 99 });
    const [accepted] = await postgres.query(acceptedStatement, [[row.id]]);
    expect(acceptedRow.parse(accepted)).toMatchObject({ id: row.id, repliesUnavailable: false, balance: 99 });
    const [claimed] = await postgres.query(claimStatement, [[row.id], 30, false, [], [], 1, [false], [], [], false]);
    expect(claimRow.parse(claimed)).toMatchObject({ verdict: 'claimed', attempts: 1 });
  });

  it.each(['options', 'bulk'] as const)('return rows of the same type with %s', async (variant) => {
    const { apiKey } = await createTestAccount(core);
    const timing = { sendAt: new Date(Date.now() + 3_600_000), validitySeconds: 60 };
    const verdicts: string[] = [];
    for (const change of [{}, { timing }, { dedupeSeconds: 60 }, { dedupeSeconds: 60, timing }]) {
      const row = acceptanceRow(core, apiKey, change);
      const values = acceptanceValues([row], variant, settings);
      const [result] = await core.get(Postgres).query(acceptanceStatements[variant], values);
      const resultRow = variant === 'options' ? acceptanceResult.extend({ findings: z.null() }) : acceptanceResult;
      verdicts.push(resultRow.parse(result).verdict);
    }
    expect(verdicts).toEqual(['accepted', 'accepted', 'deduplicated', 'deduplicated']);
  });

  it('return what a dry run finds', async () => {
    const { apiKey } = await createTestAccount(core);
    const rows = [{}, { price: 101, country: null }, { hasUrl: true }].map((change) =>
      acceptanceRow(core, apiKey, { ...change, dryRun: true }),
    );
    const results = await core
      .get(Postgres)
      .query(acceptanceStatements.options, acceptanceValues(rows, 'options', settings));
    const dryRun = acceptanceResult.extend({ findings });
    expect(results.map((result) => dryRun.parse(result))).toMatchObject([
      { verdict: 'approved', balance: 100, findings: { message: null, account: null, available: 100 } },
      { verdict: 'insufficient_credits', findings: { message: null, account: 'insufficient_credits' } },
      { verdict: 'url_not_activated', findings: { message: 'url_not_activated', account: null } },
    ]);
  });

  it('refuse at acceptance when the New York day is full, not the UTC day', async () => {
    const instant = lateEvening();
    const [full, free] = [await createTestAccount(core), await createTestAccount(core)];
    await fillDay(full.id, newYorkDay(instant));
    await fillDay(free.id, instant.toISOString().slice(0, 10));
    expect((await acceptAt(instant, full.apiKey)).verdict).toBe('daily_limit');
    expect((await acceptAt(instant, free.apiKey)).verdict).toBe('accepted');
  });

  it('count a claim on the New York day, not the UTC day', async () => {
    const { id: accountId, apiKey } = await createTestAccount(core);
    const instant = lateEvening();
    const { id } = await acceptAt(instant, apiKey);
    await core.get(Postgres).query(at(claimStatement, instant), [[id], 30, false, [], [], 1, [false], [], [], false]);
    expect(
      await bed.database.sql('SELECT day::text, count FROM daily_counts WHERE account_id = $1 AND count > 0', [
        accountId,
      ]),
    ).toEqual([{ day: newYorkDay(instant), count: 1 }]);
  });

  it('refuse a recipient who opted out of this sender, or of a shared one as it is itself', async () => {
    const { apiKey } = await createTestAccount(core);
    const recipient = '+14155550199';
    const [ours, other] = ['+15005550006', '+15005550007'];
    await bed.database.sql('INSERT INTO opt_outs (recipient, sender, shared) VALUES ($1, $2, true)', [recipient, ours]);
    const decide = (sender: string) => core.get(Acceptance).decide(acceptanceRow(core, apiKey, { recipient, sender }));
    for (const sender of [ours, other])
      expect(await decide(sender)).toMatchObject({ kind: 'refused', code: 'recipient_opted_out' });
    await bed.database.sql('UPDATE opt_outs SET shared = false WHERE recipient = $1', [recipient]);
    expect(await decide(ours)).toMatchObject({ kind: 'refused', code: 'recipient_opted_out' });
    expect(await decide(other)).toMatchObject({ kind: 'accepted' });
  });

  it('never let an account’s ledger go back in time, also when the clock does', async () => {
    const { id: accountId, apiKey } = await createTestAccount(core);
    const [before] = await bed.database.sql<{ at: Date }>(
      `UPDATE credit_accounts SET updated_at = now() + interval '1 hour' WHERE account_id = $1
        RETURNING updated_at AS at`,
      [accountId],
    );
    await core.get(Acceptance).decide(acceptanceRow(core, apiKey));
    await core
      .get(Postgres)
      .transaction((tx) => core.get(Credits).post(tx, [{ accountId, amount: 5, kind: 'adjustment', sourceId: 'a' }]));
    const entries = await bed.database.sql<{ at: Date; updated: Date }>(
      `SELECT l.created_at AS at, c.updated_at AS updated FROM ledger_entries l
        JOIN credit_accounts c USING (account_id)
       WHERE account_id = $1 ORDER BY number DESC LIMIT 2`,
      [accountId],
    );
    expect(entries).toHaveLength(2);
    for (const { at: entryAt, updated } of entries) expect([entryAt, updated]).toEqual([before?.at, before?.at]);
  });
});
