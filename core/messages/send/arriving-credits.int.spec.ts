import { Credits } from '../../credits/credits.js';
import { Postgres } from '../../platform/database/postgres.js';
import { acceptanceRow } from '../../testing/acceptance-rows.js';
import { eventually } from '../../testing/eventually.js';
import { moneyFaults, moneyOf } from '../../testing/money.js';
import { createTestAccount } from '../../testing/test-accounts.js';
import { createTestBed, type TestBed } from '../../testing/test-bed.js';
import { createTestCore, type TestCore } from '../../testing/test-core.js';
import { Acceptance } from './acceptance.js';

describe('Acceptance, while credits arrive', () => {
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

  it('accepts what only the arriving credits cover', async () => {
    const account = await createTestAccount(core, { credits: 1 });
    const { admitting } = await core.get(Postgres).transaction(async (tx) => {
      const { id: accountId } = account;
      await core.get(Credits).post(tx, [{ accountId, amount: 4, kind: 'adjustment', sourceId: accountId }]);
      const waitingOne = core.get(Acceptance).decide(acceptanceRow(core, account.apiKey, { segments: 3, price: 3 }));
      await eventually('the acceptance waits for the account', async () => {
        const waiting = await bed.database.sql(
          `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        );
        return waiting.length > 0;
      });
      return { admitting: waitingOne };
    });
    expect(await admitting).toMatchObject({ kind: 'accepted' });
    expect(await moneyOf(bed.database, account.id)).toMatchObject({ balance: 2, purchased: 5, used: 3, messages: 1 });
    expect(await moneyFaults(bed.database)).toEqual([]);
  });
});
