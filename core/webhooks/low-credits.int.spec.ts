import { Accounts } from '../accounts/accounts.js';
import { moneyFaults } from '../testing/money.js';
import { createTestAccount, type TestAccount } from '../testing/test-accounts.js';
import { createTestBed, type TestBed } from '../testing/test-bed.js';
import { createTestCore, type TestCore } from '../testing/test-core.js';
import { WebhookEndpoints } from './endpoints/webhook-endpoints.js';
import { LowCredits } from './low-credits.js';

describe('credits.low', () => {
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

  const adjust = (credits: number) => core.get(Accounts).adjustCredits(account.email, credits, 'test');
  const check = async (times = 1) => {
    await bed.database.sql(`UPDATE webhook_endpoints SET credits_seen_at = now() - interval '1 minute'`);
    await Promise.all(Array.from({ length: times }, () => core.get(LowCredits).check()));
  };
  const sent = async () => {
    const rows = await bed.database.sql<{ body: string }>(
      `SELECT body FROM webhook_deliveries WHERE account_id = $1 AND type = 'credits.low' ORDER BY id`,
      [account.id],
    );
    return rows.map(({ body }) => (JSON.parse(body) as { data: unknown }).data);
  };

  it('is sent once when the balance falls below the threshold, and again only after the balance has reached it', async () => {
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

  it('is not sent to an account without a subscription or a webhook URL', async () => {
    await adjust(-99);
    await core.get(WebhookEndpoints).setEvents(account.id, []);
    await check();
    await core.get(WebhookEndpoints).setEvents(account.id, ['credits.low']);
    await core.get(WebhookEndpoints).setUrl(account.id, '');
    await check();
    expect(await sent()).toEqual([]);
  });

  it('is checked no more often than every few seconds', async () => {
    await check();
    expect(await core.get(LowCredits).check()).toBe(0);
  });
});
