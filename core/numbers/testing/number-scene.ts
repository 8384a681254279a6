import type { TestAccount } from '../../testing/test-accounts.js';
import { createTestAccount } from '../../testing/test-accounts.js';
import { moneyFaults } from '../../testing/money.js';
import { paid } from '../../testing/paid.js';
import { createTestBed, type TestBed } from '../../testing/test-bed.js';
import { createTestCore, type TestCore } from '../../testing/test-core.js';
import type { Carrier } from '../../carriers/carrier.js';
import { type BoughtNumber, BuyNumber } from '../buy-number.js';
import type { NumberChanger } from '../numbers.js';
import type { PurchaseRequest } from '../reserve-number.js';

interface Purchase extends Partial<PurchaseRequest> {
  readonly number?: string;
  readonly process?: TestCore;
}

/** Changes a number as its owner who has just signed in. */
export const byOwner: NumberChanger = { address: '127.0.0.1', isFresh: true };
/** A change by an API key of the account. */
export const byKey: NumberChanger = { address: '127.0.0.1', isFresh: false };

let numbersMade = 0;

/** A local number of New York that no test has used. */
export function newNumber(): string {
  numbersMade += 1;
  return `+1212${2_000_000 + numbersMade * 13}`;
}

/**
 * Sets up tests of numbers, within `describe`. `others` are further carriers of messages. Each test
 * has a new account that has bought 250 credits. Checks after each test that the money holds, and
 * that our numbers equal the carrier's.
 */
export function numberScene(variables: Record<string, string> = {}, others: readonly Carrier[] = []) {
  let bed: TestBed;
  let core: TestCore;
  let account: TestAccount;

  beforeAll(async () => {
    bed = await createTestBed();
    core = await createTestCore(bed.config(variables), others);
  });

  beforeEach(async () => {
    account = await newAccount();
  });

  afterEach(async () => {
    jest.restoreAllMocks();
    for (const carrier of core.numberCarriers)
      Object.assign(carrier, { faults: [], isDown: false, isSilent: false, bought: 0, asked: [], orders: undefined });
    expect(await moneyFaults(bed.database)).toEqual([]);
  });

  afterAll(async () => {
    await core?.close();
    await bed?.remove();
  });

  /** Creates an account with 3 free and 250 paid credits. */
  const newAccount = async () => {
    const created = await createTestAccount(core, { credits: 3 });
    await paid(core, created.id);
    return created;
  };
  const buy = ({ number = newNumber(), process = core, ...request }: Purchase = {}): Promise<BoughtNumber> =>
    process.get(BuyNumber).buy({
      accountId: account.id,
      keyId: null,
      label: null,
      autoRenew: true,
      idempotencyKey: undefined,
      address: '127.0.0.1',
      ...request,
      number,
    });
  const balance = async (accountId = account.id) => {
    const [row] = await bed.database.sql<{ balance: number; frozen: number }>(
      'SELECT balance::int, frozen::int FROM credit_accounts WHERE account_id = $1',
      [accountId],
    );
    return row;
  };
  const rents = (accountId = account.id) =>
    bed.database.sql<{ amount: number; source_id: string }>(
      `SELECT amount::int, source_id, kind FROM ledger_entries
       WHERE account_id = $1 AND kind LIKE 'number%' ORDER BY number`,
      [accountId],
    );
  const rows = (accountId = account.id) =>
    bed.database.sql<{ id: string; number: string; status: string; carrier_id: string | null }>(
      'SELECT * FROM numbers WHERE account_id = $1 ORDER BY created_at, id',
      [accountId],
    );
  const orders = (accountId = account.id) =>
    bed.database.sql<{ id: string; status: string; reason: string | null; carrier: number }>(
      'SELECT id, status, reason, carrier FROM number_orders WHERE account_id = $1 ORDER BY created_at, id',
      [accountId],
    );
  /** The numbers that the carrier has sold to us. */
  const sold = () => [...core.numberCarrier.sold.values()].map(({ number }) => number);
  return {
    get bed() {
      return bed;
    },
    get core() {
      return core;
    },
    get account() {
      return account;
    },
    newAccount,
    buy,
    balance,
    rents,
    rows,
    orders,
    sold,
  };
}
