import { Accounts } from '../accounts/accounts.js';
import { moneyFaults } from '../testing/money.js';
import { createTestAccount, type TestAccount } from '../testing/test-accounts.js';
import { createTestBed, type TestBed } from '../testing/test-bed.js';
import { createTestCore, type TestCore } from '../testing/test-core.js';
import { ChangeEvents } from './endpoints/change-events.js';
import { WebhookUrl } from './endpoints/webhook-url.js';
import { LookForLowCredits } from './look-for-low-credits.js';

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
    await core.get(WebhookUrl).set(account.id, 'https://example.com/sms');
    await core.get(ChangeEvents).run(account.id, ['credits.low'], 50);
  });

  afterAll(async () => {
    expect(await moneyFaults(bed.database)).toEqual([]);
    await core?.close();
    await bed?.remove();
  });

  const adjust = (credits: number) => core.get(Accounts).adjustCredits(account.email, credits, 'test');
  const look = async (times = 1) => {
    await bed.database.sql(`UPDATE webhook_endpoints SET credits_seen_at = now() - interval '1 minute'`);
    await Promise.all(Array.from({ length: times }, () => core.get(LookForLowCredits).run()));
  };
  const told = async () => {
    const rows = await bed.database.sql<{ body: string }>(
      `SELECT body FROM webhook_deliveries WHERE account_id = $1 AND type = 'credits.low' ORDER BY id`,
      [account.id],
    );
    return rows.map(({ body }) => (JSON.parse(body) as { data: unknown }).data);
  };

  it('is told once when the balance falls below the threshold, and again only after it has risen to it', async () => {
    await adjust(-50);
    await look();
    expect(await told()).toEqual([]);
    await adjust(-1);
    await look(5);
    await look();
    expect(await told()).toEqual([{ balance: 49, threshold: 50 }]);
    await adjust(-10);
    await look();
    expect(await told()).toHaveLength(1);
    await adjust(11);
    await look();
    await adjust(-30);
    await look();
    expect(await told()).toEqual([
      { balance: 49, threshold: 50 },
      { balance: 20, threshold: 50 },
    ]);
  });

  it('is not told to those who did not ask, or have no webhook', async () => {
    await adjust(-99);
    await core.get(ChangeEvents).run(account.id, []);
    await look();
    await core.get(ChangeEvents).run(account.id, ['credits.low']);
    await core.get(WebhookUrl).set(account.id, '');
    await look();
    expect(await told()).toEqual([]);
  });

  it('is looked for no more often than every few seconds', async () => {
    await look();
    expect(await core.get(LookForLowCredits).run()).toBe(0);
  });
});
