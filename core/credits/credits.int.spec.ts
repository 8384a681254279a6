import { Postgres } from '../platform/database/postgres.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { Messages } from '../messages/history/messages.js';
import { Acceptance } from '../messages/send/acceptance.js';
import { acceptanceRow } from '../testing/acceptance-rows.js';
import { moneyFaults, moneyOf } from '../testing/money.js';
import { createTestAccount, type TestAccount } from '../testing/test-accounts.js';
import { createTestBed, type TestBed } from '../testing/test-bed.js';
import { createTestCore, type TestCore } from '../testing/test-core.js';
import { Credits } from './credits.js';
import type { LedgerPosting } from './credits.js';

describe('Credits', () => {
  let bed: TestBed;
  let core: TestCore;
  let account: TestAccount;
  let source = 0;

  beforeAll(async () => {
    bed = await createTestBed();
    core = await createTestCore(bed.config());
  });

  beforeEach(async () => {
    account = await createTestAccount(core, { credits: 10 });
  });

  afterAll(async () => {
    await core?.close();
    await bed?.remove();
  });

  const post = (...postings: LedgerPosting[]) =>
    core.get(Postgres).transaction((tx) => core.get(Credits).post(tx, postings));
  const posting = (amount: number, kind: LedgerPosting['kind'] = 'purchase', accountId = account.id): LedgerPosting => {
    source += 1;
    return { accountId, amount, kind, sourceId: `source ${source}` };
  };

  it.each([
    ['purchase', 5, { balance: 15, purchased: 15, used: 0, frozen: 0 }],
    ['redeem', 5, { balance: 15, purchased: 15, used: 0, frozen: 0 }],
    ['adjustment', -5, { balance: 5, purchased: 5, used: 0, frozen: 0 }],
    ['inbound', -1, { balance: 9, purchased: 10, used: 1, frozen: 0 }],
  ] as const)('moves purchased or used, as a %s asks', async (kind, amount, expected) => {
    await post(posting(amount, kind));
    expect(await core.get(Credits).balanceOf(account.id)).toEqual(expected);
    expect(await moneyFaults(bed.database)).toEqual([]);
  });

  it('writes all postings or none', async () => {
    const other = await createTestAccount(core, { credits: 1 });
    await expect(post(posting(5), posting(-2, 'inbound', other.id))).rejects.toMatchObject({
      code: 'insufficient_credits',
    });
    expect(await moneyOf(bed.database, account.id)).toMatchObject({ balance: 10, entries: 1 });
  });

  it('keeps the balance after each of several postings', async () => {
    await post(posting(5), posting(-3, 'inbound'), posting(1));
    const entries = await bed.database.sql<{ balance_after: number }>(
      'SELECT balance_after::int FROM ledger_entries WHERE account_id = $1 ORDER BY number',
      [account.id],
    );
    expect(entries.map(({ balance_after }) => balance_after)).toEqual([10, 15, 12, 13]);
  });

  /** State after a first sign-in whose credits write failed. */
  const forget = async () => {
    await bed.database.sql('DELETE FROM ledger_entries WHERE account_id = $1', [account.id]);
    await bed.database.sql('DELETE FROM credit_accounts WHERE account_id = $1', [account.id]);
  };

  it('moves the credits of one source once', async () => {
    const once = posting(5);
    await post(once);
    await expect(post(once)).rejects.toThrow('These credits have moved already');
    const both = await Promise.allSettled([post({ ...once, sourceId: 'race' }), post({ ...once, sourceId: 'race' })]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await moneyOf(bed.database, account.id)).toMatchObject({ balance: 20, entries: 3 });
  });

  it('rejects a posting to an unknown account and one that overflows', async () => {
    await expect(post(posting(5, 'purchase', '01900000-0000-7000-8000-000000000000'))).rejects.toThrow(
      /violates foreign key constraint/,
    );
    await expect(post(posting(Number.MAX_SAFE_INTEGER), posting(2 ** 62), posting(2 ** 62))).rejects.toThrow(
      /out of range/,
    );
    await expect(post(posting(2 ** 70))).rejects.not.toBeInstanceOf(DomainError);
    expect(await moneyOf(bed.database, account.id)).toMatchObject({ balance: 10, entries: 1 });
  });

  it('does not deadlock when two postings name the same accounts in another order', async () => {
    const other = await createTestAccount(core, { credits: 10 });
    const pairs = Array.from({ length: 20 }, (_, n) => {
      const two = [posting(1, 'purchase', account.id), posting(1, 'purchase', other.id)];
      return n % 2 ? two : two.reverse();
    });
    await Promise.all(pairs.map((pair) => post(...pair)));
    expect(await moneyOf(bed.database, other.id)).toMatchObject({ balance: 30 });
    expect(await moneyFaults(bed.database)).toEqual([]);
  });

  it('makes a credits record that is missing when the balance is asked for, once however many ask', async () => {
    await forget();
    const asked = await Promise.all(Array.from({ length: 10 }, () => core.get(Credits).balanceOf(account.id)));
    expect(new Set(asked.map((balance) => JSON.stringify(balance)))).toEqual(
      new Set(['{"balance":3,"purchased":3,"used":0,"frozen":0}']),
    );
    expect(await moneyOf(bed.database, account.id)).toMatchObject({ entries: 1, ledger: 3 });
  });

  it('makes a credits record that is missing when credits arrive, beside accounts that have theirs', async () => {
    await forget();
    const other = await createTestAccount(core, { credits: 10 });
    await post(posting(50), posting(5, 'purchase', other.id), posting(-1, 'message'));
    expect(await moneyOf(bed.database, account.id)).toMatchObject({ balance: 52, purchased: 53, used: 1, entries: 3 });
    expect(await moneyOf(bed.database, other.id)).toMatchObject({ balance: 15, entries: 2 });
  });

  it('creates no credits record for an unknown account', async () => {
    await expect(core.get(Credits).balanceOf('01900000-0000-7000-8000-000000000000')).rejects.toThrow(
      /violates foreign key constraint/,
    );
  });
});

describe('Messages.checkCharges', () => {
  let bed: TestBed;
  let core: TestCore;
  let account: TestAccount;

  beforeEach(async () => {
    bed = await createTestBed();
    core = await createTestCore(bed.config());
    account = await createTestAccount(core, { credits: 10 });
    const row = acceptanceRow(core, account.apiKey, { price: 2 });
    await core.get(Acceptance).decide(row);
  });

  afterEach(async () => {
    await core?.close();
    await bed?.remove();
  });

  it('finds nothing where everything is explained', async () => {
    expect(await core.get(Messages).checkCharges()).toEqual({ accounts: 1, entries: 2, mismatches: 0 });
  });

  it.each([
    [
      'a balance that its ledger does not explain',
      'UPDATE credit_accounts SET balance = balance + 1, purchased = purchased + 1',
    ],
    [
      'an entry too many',
      `INSERT INTO ledger_entries (account_id, number, amount, balance_after, kind,
        source_id) SELECT account_id, 3, 5, 13, 'purchase', 'x' FROM credit_accounts`,
    ],
    ['a missing entry', `DELETE FROM ledger_entries WHERE kind = 'signup'`],
    [
      'a message without a charge',
      `WITH gone AS (DELETE FROM ledger_entries WHERE kind = 'message') UPDATE credit_accounts
        SET balance = 10, used = 0`,
    ],
    ['a charge without a message', 'DELETE FROM messages'],
    ['a message of another price than its charge', 'UPDATE messages SET credits = 3'],
    ['a message marked as refunded without a refund', 'UPDATE messages SET refunded = credits'],
    [
      'a refund that its message does not know',
      `WITH back AS (INSERT INTO ledger_entries (account_id, number, amount, balance_after, kind,
        source_id) SELECT account_id, 3, 2, 10, 'refund', id::text FROM messages)
       UPDATE credit_accounts SET balance = 10, used = 0`,
    ],
    ['a ledger of an account without a balance', 'DELETE FROM credit_accounts'],
    ['a gap in the numbers of the entries', 'UPDATE ledger_entries SET number = 3 WHERE number = 2'],
    ['entries that are not counted', 'UPDATE credit_accounts SET ledger_count = 1'],
    ['a gap in the numbers of the messages', 'UPDATE messages SET number = 2'],
    ['messages that are not counted', 'UPDATE credit_accounts SET sent_count = 2'],
  ])('finds %s', async (_title, plant) => {
    await bed.database.sql(plant);
    expect((await core.get(Messages).checkCharges()).mismatches).toBeGreaterThanOrEqual(1);
  });
});
