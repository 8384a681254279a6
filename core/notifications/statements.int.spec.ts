import { z } from 'zod';
import { statementScene } from '../testing/core-scene.js';
import { type AccountState, accountStateStatement } from './account-state.sql.js';

const date = z.date().nullable();
const number = z.number().nullable();
const text = z.string().nullable();
const state: z.ZodType<AccountState> = z.strictObject({
  day: z.iso.date(),
  deleteAt: date,
  flaggedAt: date,
  welcomeFailed: z.boolean(),
  hasUrl: z.boolean(),
  failingSince: date,
  disabledAt: date,
  disabledReason: z.enum(['gone', 'failing', 'operator']).nullable(),
  waiting: z.int(),
  lastStatus: number,
  lastError: text,
  lowCredits: number,
  suspendedAt: date,
  recipients: number,
  undelivered: number,
  filtered: z.int(),
  ended: z.int(),
  guardRefused: z.boolean(),
  topUpOn: z.boolean(),
  topUpThreshold: number,
  topUpsMax: number,
  topUpsThisMonth: z.int(),
  topUpOffReason: z.enum(['declined', 'not_confirmed']).nullable(),
  topUpRetryAt: date,
  chargeId: text,
  chargeStatus: text,
  chargeReason: text,
  chargeCredits: number,
  cardLast4: text,
  chargedAt: date,
  chargeEndedAt: date,
  disputes: z.int(),
  disputedAt: date,
  creditsDisputed: z.int(),
  keys: z.array(
    z.strictObject({
      id: z.uuid(),
      name: z.string(),
      perDay: z.int().nullable(),
      perMonth: z.int().nullable(),
      today: z.int(),
      thisMonth: z.int(),
    }),
  ),
  numbers: z.array(
    z.strictObject({
      id: z.uuid(),
      number: z.string(),
      rent: z.int(),
      pastDueAt: text,
      filteredAt: text,
    }),
  ),
});

describe('the statement of notifications', () => {
  const { createAccount, expectRows, sql } = statementScene();

  it('returns the row that its type declares, also for an account that has everything', async () => {
    const { id } = await createAccount();
    const month = new Date(Date.now() - 86_400_000);
    await expectRows(state, accountStateStatement.text, [id, month]);
    await sql(
      `INSERT INTO webhook_endpoints (account_id, url, low_credits_mail, failing_since)
       VALUES ($1, 'https://example.com', true, now())`,
      [id],
    );
    await sql(
      `INSERT INTO auto_top_ups (account_id, payment_method_id, enabled, retry_at) VALUES ($1, 'pm', true, now())`,
      [id],
    );
    await sql(
      `INSERT INTO api_keys (account_id, name, credits_per_day) SELECT $1, 'k' || n, n FROM generate_series(1, 3) n`,
      [id],
    );
    await sql(
      `INSERT INTO numbers (number, account_id, origin, status, type, country, credits_per_month, carrier_id,
         activated_at, renews_at, past_due_at, filtered_at)
       VALUES ('+12125550143', $1, 'purchase', 'past_due', 'local', 'US', 50, 'PN1', now(), now(), now(), now())`,
      [id],
    );
    await sql('INSERT INTO delivery_suspensions (account_id, recipients, undelivered) VALUES ($1, 60, 40)', [id]);
    await expectRows(state, accountStateStatement.text, [id, month]);
  });

  it('reads an account among 100,000 waiting webhooks by indexes alone', async () => {
    const { id } = await createAccount();
    await sql(
      `INSERT INTO webhook_endpoints (account_id, url, failing_since) VALUES ($1, 'https://example.com', now())`,
      [id],
    );
    await sql(
      `INSERT INTO webhook_deliveries (id, account_id, type, source_id, body, status, attempts, due_at)
       SELECT uuid_v7_floor(now() - make_interval(secs => n)), CASE WHEN n % 50 = 0 THEN $1 ELSE gen_random_uuid() END,
         'message.sent', n::text, '{}', 'waiting', 1, now()
       FROM generate_series(1, 100000) n`,
      [id],
    );
    await sql('ANALYZE webhook_deliveries', []);
    const rows = await sql<{ 'QUERY PLAN': string }>(
      `EXPLAIN ${accountStateStatement.text.replaceAll('$1', `'${id}'::uuid`).replaceAll('$2', 'now()')}`,
    );
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).not.toMatch(/Seq Scan on (webhook_deliveries|webhook_attempts|messages|ledger_entries|api_requests)/);
    expect((await sql<AccountState>(accountStateStatement.text, [id, new Date()]))[0]?.waiting).toBe(2_000);
  });
});
