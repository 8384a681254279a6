import { packs } from '#contract/packs.js';
import { Messages } from '../../messages/history/messages.js';
import { moneyFaults, moneyOf } from '../../testing/money.js';
import { createTestAccount, type TestAccount } from '../../testing/test-accounts.js';
import { createTestBed, type TestBed } from '../../testing/test-bed.js';
import { createTestCore, type TestCore } from '../../testing/test-core.js';
import { Accounts } from '../../accounts/accounts.js';
import { Checkouts } from '../checkouts.js';
import { PaymentEvents } from '../payment-events.js';
import type { CardEvent, CardSession } from '../card-payments.js';

/**
 * Sets up tests of buying, within `describe`; each test has a new account with 3 credits. Checks
 * the money after each test.
 */
export function purchaseScene() {
  let bed: TestBed;
  let core: TestCore;
  let account: TestAccount;

  beforeAll(async () => {
    bed = await createTestBed();
    core = await createTestCore(bed.config());
  });

  beforeEach(async () => {
    account = await createTestAccount(core, { credits: 3 });
  });

  afterEach(async () => {
    jest.restoreAllMocks();
    core.cardPayments.deaf = false;
    expect(await moneyFaults(bed.database)).toEqual([]);
    expect(await core.get(Messages).checkCharges()).toMatchObject({ mismatches: 0 });
  });

  afterAll(async () => {
    await core?.close();
    await bed?.remove();
  });

  const open = async (pack: (typeof packs)[number]['id'] = 'basic', of = account) =>
    (await core.get(Checkouts).open({ accountId: of.id, pack })).sessionId;
  const tell = (event: CardEvent) => core.get(PaymentEvents).handle(event);
  const tellPaid = (session: CardSession) => tell({ kind: 'session', session });
  const refund = (sessionId: string, refundedCents: number) =>
    tell({ kind: 'refunded', cardPaymentId: `pi_${sessionId}`, refundedCents });
  const refundState = (sessionId: string, refundId: string, amountCents: number, failed: boolean) =>
    tell({
      kind: 'refund',
      refund: { refundId: `re_${refundId}_${sessionId}`, cardPaymentId: `pi_${sessionId}`, amountCents, failed },
    });
  const settle = (sessionId: string, of = account) => core.get(Checkouts).settle(of.id, sessionId);
  const money = () => moneyOf(bed.database, account.id);
  const entries = (kind: string) =>
    bed.database.sql('SELECT amount::int, source_id FROM ledger_entries WHERE account_id = $1 AND kind = $2', [
      account.id,
      kind,
    ]);
  const payments = () => bed.database.sql('SELECT * FROM payments WHERE account_id = $1 ORDER BY id', [account.id]);
  const flag = async () => (await core.get(Accounts).show(account.email)).flaggedReason;
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
    open,
    tell,
    tellPaid,
    refund,
    refundState,
    settle,
    money,
    entries,
    payments,
    flag,
  };
}
