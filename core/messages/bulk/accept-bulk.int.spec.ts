import { Postgres } from '../../platform/database/postgres.js';
import { newMessageId } from '../../rules/ids.js';
import { acceptanceRow } from '../../testing/acceptance-rows.js';
import { moneyFaults, moneyOf } from '../../testing/money.js';
import { createTestAccount, type TestAccount } from '../../testing/test-accounts.js';
import { createTestBed, type TestBed } from '../../testing/test-bed.js';
import { createTestCore, type TestCore } from '../../testing/test-core.js';
import { AcceptBulk } from './accept-bulk.js';

describe('A bulk whose connection to the database breaks', () => {
  let bed: TestBed;
  let core: TestCore;
  let account: TestAccount;

  beforeAll(async () => {
    bed = await createTestBed();
    core = await createTestCore(bed.config());
  });

  beforeEach(async () => {
    account = await createTestAccount(core, { credits: 10 });
  });

  afterEach(async () => {
    jest.restoreAllMocks();
    expect(await moneyFaults(bed.database)).toEqual([]);
  });

  afterAll(async () => {
    await core?.close();
    await bed?.remove();
  });

  const accept = () =>
    core.get(AcceptBulk).accept({
      id: newMessageId(),
      accountId: account.id,
      rows: [1, 2, 3].map((n) => acceptanceRow(core, account.apiKey, { recipient: `+1415555200${n}` })),
      idempotency: undefined,
      partial: false,
      isSent: true,
      rejectedOf: () => [],
    });
  const broken = () => Object.assign(new Error('Connection terminated unexpectedly'), { code: 'ECONNRESET' });
  const money = () => moneyOf(bed.database, account.id);

  it('after the commit is accepted, and charged once', async () => {
    const postgres = core.get(Postgres);
    const transaction = postgres.transaction.bind(postgres);
    jest.spyOn(postgres, 'transaction').mockImplementationOnce(async (run) => {
      await transaction(run);
      throw broken();
    });
    expect(await accept()).toEqual({ kind: 'accepted', refusals: new Map(), balance: 7 });
    expect(await money()).toMatchObject({ balance: 7, messages: 3 });
  });

  it('before the commit is refused, and charges nothing', async () => {
    const postgres = core.get(Postgres);
    const transaction = postgres.transaction.bind(postgres);
    jest.spyOn(postgres, 'transaction').mockImplementationOnce((run) =>
      transaction(async (tx) => {
        await run(tx);
        throw broken();
      }),
    );
    expect(await accept()).toMatchObject({ kind: 'refused', code: 'lost' });
    expect(await money()).toMatchObject({ balance: 10, messages: 0 });
  });
});
