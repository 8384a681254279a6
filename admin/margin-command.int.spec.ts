import { packs } from '#contract/packs.js';
import { DomainError } from '#core/platform/errors/domain-error.js';
import { uuidV7Floor } from '#core/rules/ids.js';
import { newYorkDay } from '#core/rules/time.js';
import type { MarginAnswer } from '#core/figures/margin.js';
import { MessageCosts } from '#core/messages/status/message-costs.js';
import { withSecondCarrier } from '#core/testing/second-carrier.js';
import { createTestAccount, type TestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { createTestCore, type TestCore } from '#core/testing/test-core.js';
import { runAdmin } from './testing/run-admin.js';

describe('admin margin', () => {
  let bed: TestBed;
  let core: TestCore;
  let ada: TestAccount;
  let bob: TestAccount;
  const today = newYorkDay(new Date());
  let numbers = 0;

  beforeAll(async () => {
    bed = await createTestBed();
    core = await createTestCore(bed.config());
    ada = await createTestAccount(core, { credits: 0 });
    bob = await createTestAccount(core, { credits: 0 });
    // Ada got 253 credits for $10, and $2 of it back; Bob has only free credits.
    await give(ada, 253);
    await give(bob, 10);
    const [, basic] = packs;
    await bed.database.sql(
      `INSERT INTO checkout_sessions (session_id, account_id, pack, credits, amount_cents, status, paid_at)
       VALUES ('cs_1', $1, 'basic', $2, $3, 'paid', now())`,
      [ada.id, basic?.credits, basic?.priceCents],
    );
    await bed.database.sql(
      `INSERT INTO payments (account_id, session_id, amount_cents, credits, method, refunded_cents)
       VALUES ($1, 'cs_1', $2, $3, 'Stripe Payment', 200)`,
      [ada.id, basic?.priceCents, basic?.credits],
    );
    await bed.database.sql(
      `INSERT INTO routes (country, carrier, weight, resting_weight, cost_microusd)
       VALUES ('US', 1, 100, 100, 7900), ('GB', 1, 50, 50, 40000), ('GB', 2, 50, 50, NULL)`,
    );
    await plant(ada, { segments: 2, credits: 2 });
    await plant(ada, { credits: 5, refunded: 5 });
    await plant(ada, { country: 'GB', credits: 3 });
    await plant(ada, { country: 'GB', credits: 3, carrier: 2 });
    const id = await plant(bob, { country: 'GB', credits: 3, carrier: 2 });
    await core.get(MessageCosts).record({ id, carrier: 2, costMicrousd: 31_000n });
  });

  afterAll(async () => {
    await core?.close();
    await bed?.remove();
  });

  const give = ({ id }: TestAccount, credits: number) =>
    bed.database.sql('UPDATE credit_accounts SET balance = $2, purchased = $2 WHERE account_id = $1', [id, credits]);
  const plant = async (
    { id: accountId }: TestAccount,
    {
      country = 'US',
      carrier = null,
      segments = 1,
      credits = 1,
      refunded = 0,
    }: {
      country?: string;
      carrier?: number | null;
      segments?: number;
      credits?: number;
      refunded?: number;
    },
  ) => {
    numbers += 1;
    const id = `${uuidV7Floor(new Date()).slice(0, 24)}${numbers.toString(16).padStart(12, '0')}`;
    await bed.database.sql(
      `INSERT INTO messages (id, account_id, number, kind, recipient, country, sender, body, segments, credits,
         refunded, status, sent_at, carrier)
       VALUES ($1, $2, $3, 'sms', '+14155552671', $4, '+15005550006', 'Hello', $5, $6, $7, 'delivered', now(), $8)`,
      [id, accountId, numbers, country, segments, credits, refunded, carrier],
    );
    return id;
  };
  const margin = (options: string) =>
    runAdmin(withSecondCarrier(bed.config()), ['margin', ...options.split(' ')]) as Promise<MarginAnswer>;

  // A credit of Ada's is worth $8 / 253.
  const usd = (credits: number) => (Math.floor((credits * 8_000_000) / 253) / 1_000_000).toFixed(6);

  it('by route has revenue, real and estimated cost, and no cost where it is not known', async () => {
    const { rows, ...answer } = await margin(`--by route --since ${today}`);
    expect(answer).toEqual({
      since: today,
      until: today,
      rowsLeftOut: 0,
      secondHandOvers: { messages: 0, percent: 0, costUsd: '0.000000' },
      total: {
        messages: 5,
        credits: 11,
        revenueUsd: ((Number(usd(2)) * 1e6 + 2 * Number(usd(3)) * 1e6) / 1e6).toFixed(6),
        costUsd: 'unknown',
        realCostUsd: '0.031000',
        estimatedCostUsd: '0.063700',
        unknownSegments: 1,
        marginUsd: 'unknown',
        marginPercent: null,
        revenueSharePercent: 100,
      },
    });
    expect(rows).toHaveLength(3);
    expect(rows).toEqual(
      expect.arrayContaining([
        {
          country: 'GB',
          carrier: 'twilio',
          messages: 1,
          credits: 3,
          revenueUsd: usd(3),
          costUsd: '0.040000',
          realCostUsd: '0.000000',
          estimatedCostUsd: '0.040000',
          unknownSegments: 0,
          marginUsd: (Number(usd(3)) - 0.04).toFixed(6),
          marginPercent: 57.83,
          revenueSharePercent: 37.49,
        },
        expect.objectContaining({
          country: 'GB',
          carrier: 'second',
          messages: 2,
          credits: 6,
          revenueUsd: usd(3),
          costUsd: 'unknown',
          realCostUsd: '0.031000',
          unknownSegments: 1,
        }),
        // Two messages, 3 segments; the refunded message earns nothing.
        expect.objectContaining({
          country: 'US',
          carrier: 'twilio',
          messages: 2,
          credits: 2,
          revenueUsd: usd(2),
          costUsd: '0.023700',
        }),
      ]),
    );
  });

  it('by account and by country sums the same', async () => {
    const [byAccount, byCountry] = await Promise.all([
      margin(`--by account --since ${today}`),
      margin(`--since ${today}`),
    ]);
    expect(byAccount.total).toEqual(byCountry.total);
    expect(byAccount.rows).toMatchObject([
      { accountId: ada.id, email: ada.email, messages: 4, costUsd: 'unknown' },
      { accountId: bob.id, revenueUsd: '0.000000', costUsd: '0.031000', marginUsd: '-0.031000', marginPercent: null },
    ]);
    expect(byCountry.rows.map(({ country, costUsd }) => [country, costUsd])).toEqual([
      ['GB', 'unknown'],
      ['US', '0.023700'],
    ]);
  });

  it('shows the largest rows, with the others in the total', async () => {
    expect(await margin(`--by account --since ${today} --entries 1`)).toMatchObject({
      rows: [{ accountId: ada.id }],
      rowsLeftOut: 1,
      total: { messages: 5 },
    });
  });

  it('shows the second hand-overs of slow messages and what they cost', async () => {
    const slow = await plant(ada, { country: 'US', segments: 3 });
    const ended = await plant(ada, { country: 'US', segments: 3 });
    await bed.database.sql(
      `INSERT INTO message_attempts (account_id, message_id, n, current, carrier, sender, reason, handed_at, outcome)
       VALUES ($1, $2, 1, false, 2, '+1', 'first', now(), 'accepted'), ($1, $2, 2, true, 1, '+1', 'slow', now(), NULL),
         ($1, $3, 1, false, 1, '+1', 'slow', now(), 'not_taken'), ($1, $3, 2, true, 1, '+1', 'not_taken', now(), NULL)`,
      [ada.id, slow, ended],
    );
    // Three segments at $0.0079.
    expect((await margin(`--since ${today}`)).secondHandOvers).toEqual({
      messages: 1,
      percent: 14.28,
      costUsd: '0.023700',
    });
  });

  it.each([
    ['--by route', "required option '--since <date>' not specified"],
    ['--since 2026-13-01', 'Give a date, YYYY-MM-DD'],
    ['--since 2026-02-30', 'Give a date, YYYY-MM-DD'],
    ['--since 2026-02-01T00:00:00Z', 'Give a date, YYYY-MM-DD.'],
    ['--since 2999-01-01', 'in New York: give that day or one before.'],
    ['--by carrier --since 2026-01-01', 'Allowed choices are account, country, route.'],
  ])('refuses %s', async (options, fault) => {
    const refusal = await margin(options).then(
      () => 'none',
      (error: unknown) => (error instanceof DomainError ? error.detail : (error as Error).message),
    );
    expect(refusal).toContain(fault);
  });
});
