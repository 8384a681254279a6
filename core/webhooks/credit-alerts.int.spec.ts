import { randomUUID } from 'node:crypto';
import type { AlertsBody } from '#contract/billing.js';
import { Credits } from '../credits/credits.js';
import { Postgres } from '../platform/database/postgres.js';
import { newYorkDay } from '../rules/time.js';
import { moneyFaults } from '../testing/money.js';
import { createTestAccount, type TestAccount } from '../testing/test-accounts.js';
import { createTestBed, type TestBed } from '../testing/test-bed.js';
import { createTestCore, type TestCore } from '../testing/test-core.js';
import { WebhookEndpoints } from './endpoints/webhook-endpoints.js';
import { CreditAlerts } from './credit-alerts.js';
import { adjustCredits } from '../testing/operator-credits.js';

describe('alerts about credits', () => {
  let bed: TestBed;
  let core: TestCore;
  let account: TestAccount;

  beforeAll(async () => {
    bed = await createTestBed();
    core = await createTestCore(bed.config());
  });

  beforeEach(async () => {
    account = await createTestAccount(core, { credits: 100 });
    await core.get(WebhookEndpoints).setUrl(account.id, 'https://example.com/sms');
    await core.get(WebhookEndpoints).setEvents(account.id, ['credits.low'], 50);
  });

  afterAll(async () => {
    expect(await moneyFaults(bed.database)).toEqual([]);
    await core?.close();
    await bed?.remove();
  });

  const adjust = (credits: number) => adjustCredits(core, account.email, credits, 'test');
  const check = async (times = 1) => {
    await bed.database.sql(`UPDATE webhook_endpoints SET credits_seen_at = now() - interval '1 minute'`);
    await Promise.all(Array.from({ length: times }, () => core.get(CreditAlerts).check()));
  };
  const sent = async (type = 'credits.low') => {
    const rows = await bed.database.sql<{ body: string }>(
      `SELECT body FROM webhook_deliveries WHERE account_id = $1 AND type = $2 ORDER BY id`,
      [account.id, type],
    );
    return rows.map(({ body }) => (JSON.parse(body) as { data: unknown }).data);
  };

  const mails = async () => {
    const rows = await bed.database.sql<{ content: unknown }>(
      `SELECT content FROM mails WHERE account_id = $1 AND kind IN ('credits_low', 'daily_spend') ORDER BY created_at`,
      [account.id],
    );
    return rows.map(({ content }) => content);
  };
  const choose = (alerts: Partial<AlertsBody>) =>
    core
      .get(CreditAlerts)
      .change(account.id, { lowCreditsMail: false, lowCredits: 50, dailySpend: null, ...alerts }, '203.0.113.7');
  const spend = async (credits: number) => {
    const posting = { accountId: account.id, amount: -credits, kind: 'inbound', sourceId: randomUUID() } as const;
    await core.get(Postgres).transaction((tx) => core.get(Credits).post(tx, [posting]));
  };
  const day = newYorkDay(new Date());

  it('send credits.low once when the balance falls below the threshold, and again only after the balance has reached it', async () => {
    await adjust(-50);
    await check();
    expect(await sent()).toEqual([]);
    await adjust(-1);
    await check(5);
    await check();
    expect(await sent()).toEqual([{ balance: 49, threshold: 50 }]);
    await adjust(-10);
    await check();
    expect(await sent()).toHaveLength(1);
    await adjust(11);
    await check();
    await adjust(-30);
    await check();
    expect(await sent()).toEqual([
      { balance: 49, threshold: 50 },
      { balance: 20, threshold: 50 },
    ]);
  });

  it('do not send credits.low without a subscription or a webhook URL', async () => {
    await adjust(-99);
    await core.get(WebhookEndpoints).setEvents(account.id, []);
    await check();
    await core.get(WebhookEndpoints).setEvents(account.id, ['credits.low']);
    await core.get(WebhookEndpoints).setUrl(account.id, '');
    await check();
    expect(await sent()).toEqual([]);
  });

  it('send an email about a low balance to an account that has turned it on, without a webhook', async () => {
    await core.get(WebhookEndpoints).setUrl(account.id, '');
    await core.get(WebhookEndpoints).setEvents(account.id, []);
    await adjust(-60);
    await check();
    expect(await mails()).toEqual([]);
    await choose({ lowCreditsMail: true });
    await check(5);
    await check();
    expect(await mails()).toEqual([{ kind: 'credits_low', balance: 40, threshold: 50 }]);
    expect(await sent()).toEqual([]);
  });

  it('send an alert about the spend of a New York day once, when it reaches the threshold', async () => {
    await core.get(WebhookEndpoints).setEvents(account.id, ['credits.daily_spend']);
    await spend(4);
    await choose({ dailySpend: 10 });
    await check();
    await spend(5);
    await check();
    expect(await mails()).toEqual([]);
    await spend(3);
    await check(5);
    await spend(20);
    await check();
    const alert = { day, spent: 12, threshold: 10 };
    expect(await mails()).toEqual([{ kind: 'daily_spend', ...alert }]);
    expect(await sent('credits.daily_spend')).toEqual([alert]);
    expect(await core.get(CreditAlerts).show(account.id)).toEqual({
      lowCreditsMail: false,
      lowCredits: 50,
      dailySpend: 10,
      spentToday: 32,
    });
  });

  it('begin the count again with each New York day', async () => {
    await choose({ dailySpend: 10 });
    await spend(30);
    await bed.database.sql(
      `UPDATE ledger_entries SET created_at = created_at - interval '2 days' WHERE account_id = $1`,
      [account.id],
    );
    await bed.database.sql(
      `UPDATE webhook_endpoints SET spend_day = current_date - 2, spend_base = 0, spend_alerted_on = current_date - 2
       WHERE account_id = $1`,
      [account.id],
    );
    await spend(9);
    await check();
    expect(await mails()).toEqual([]);
    await spend(1);
    await check();
    expect(await mails()).toEqual([{ kind: 'daily_spend', day, spent: 10, threshold: 10 }]);
  });

  it('are checked no more often than every few seconds', async () => {
    await check();
    expect(await core.get(CreditAlerts).check()).toBe(0);
  });
});
