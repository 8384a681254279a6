import { Postgres } from '../platform/database/postgres.js';
import { Metrics } from '../platform/telemetry/metrics.js';
import { createTestAccount, type TestAccount } from '../testing/test-accounts.js';
import { createTestBed, type TestBed } from '../testing/test-bed.js';
import { createTestCore, type TestCore } from '../testing/test-core.js';
import { Credits } from './credits.js';
import { WatchLedger } from './watch-ledger.js';

describe('WatchLedger', () => {
  let bed: TestBed;
  let core: TestCore;
  let account: TestAccount;

  beforeEach(async () => {
    bed = await createTestBed();
    core = await createTestCore(bed.config());
    account = await createTestAccount(core, { credits: 10 });
    for (const amount of [5, -3])
      await core
        .get(Postgres)
        .transaction((tx) =>
          core
            .get(Credits)
            .post(tx, [{ accountId: account.id, amount, kind: 'adjustment', sourceId: `${amount} ${account.id}` }]),
        );
  });

  afterEach(async () => {
    await core?.close();
    await bed?.remove();
  });

  const run = () => core.get(WatchLedger).run();
  const gauge = async () => (await core.get(Metrics).ledgerMismatches.get()).values[0]?.value;
  /** The ledger is append-only by habit, not by the table. */
  const spoil = (statement: string) => bed.database.sql(statement, [account.id]);

  it('finds nothing where balance and ledger agree and reports the time of the check', async () => {
    expect(await run()).toBe(0);
    expect(await gauge()).toBe(0);
    const [checked] = (await core.get(Metrics).ledgerCheckedAt.get()).values;
    expect(checked?.value).toBeGreaterThan(Date.now() / 1_000 - 60);
  });

  it.each([
    [
      'a balance that no entry explains',
      'UPDATE credit_accounts SET balance = balance + 1, purchased = purchased + 1 WHERE account_id = $1',
    ],
    [
      'an entry that is not counted',
      'UPDATE credit_accounts SET ledger_count = ledger_count - 1 WHERE account_id = $1',
    ],
    ['an entry that was changed', 'UPDATE ledger_entries SET amount = amount + 1 WHERE account_id = $1 AND number = 2'],
    ['an entry that is gone', 'DELETE FROM ledger_entries WHERE account_id = $1 AND number = 2'],
    ['the newest entry gone', 'DELETE FROM ledger_entries WHERE account_id = $1 AND number = 3'],
  ])('finds %s', async (_title, statement) => {
    await spoil(statement);
    expect(await run()).toBe(1);
    expect(await gauge()).toBe(1);
  });

  it('checks a faulty account again until it is corrected, however long ago it changed', async () => {
    await spoil('UPDATE credit_accounts SET ledger_count = 2 WHERE account_id = $1');
    expect(await run()).toBe(1);
    await spoil(`UPDATE credit_accounts SET updated_at = now() - interval '1 day' WHERE account_id = $1`);
    expect([await run(), await run()]).toEqual([1, 1]);
    await spoil('UPDATE credit_accounts SET ledger_count = 3 WHERE account_id = $1');
    expect([await run(), await gauge()]).toEqual([0, 0]);
  });

  it('checks only accounts that changed since, after its first run', async () => {
    await run();
    await spoil(
      `UPDATE credit_accounts SET ledger_count = 2, updated_at = now() - interval '1 day' WHERE account_id = $1`,
    );
    expect(await run()).toBe(0);
    await spoil('UPDATE credit_accounts SET updated_at = now() WHERE account_id = $1');
    expect(await run()).toBe(1);
  });
});
