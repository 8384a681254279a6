import { limits } from '#contract/limits.js';
import { moneyFaults, moneyOf } from '../testing/money.js';
import { createTestAccount, type TestAccount } from '../testing/test-accounts.js';
import { createTestBed, type TestBed } from '../testing/test-bed.js';
import { createTestCore, type TestCore } from '../testing/test-core.js';
import { RedeemCodes } from './redeem-codes.js';
import { createRedeemCode } from '../testing/operator-credits.js';

describe('RedeemCodes', () => {
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
    expect(await moneyFaults(bed.database)).toEqual([]);
  });

  afterAll(async () => {
    await core?.close();
    await bed?.remove();
  });

  const code = (credits = 5, uses = 1, expiresAt: Date | null = null) =>
    createRedeemCode(core, { credits, uses, expiresAt });
  const redeem = (text: string, by = account) => core.get(RedeemCodes).redeem(by.id, text);
  const balance = async (of = account) => (await moneyOf(bed.database, of.id)).balance;

  it('adds the credits, however the code is typed', async () => {
    const shown = await code(5);
    expect(shown).toMatch(/^[2-9A-Z]{4}-[2-9A-Z]{4}-[2-9A-Z]{4}$/);
    expect(await redeem(` ${shown.toLowerCase().replaceAll('-', ' ')} `)).toEqual({ kind: 'redeemed', credits: 5 });
    expect(await moneyOf(bed.database, account.id)).toMatchObject({ balance: 8, purchased: 8, entries: 2 });
  });

  it('lets exactly 10 of 50 concurrent accounts redeem a code with 10 uses', async () => {
    const shown = await code(5, 10);
    const accounts = await Promise.all(Array.from({ length: 50 }, () => createTestAccount(core, { credits: 3 })));
    const outcomes = await Promise.all(accounts.map((one) => redeem(shown, one)));
    expect(outcomes.filter(({ kind }) => kind === 'redeemed')).toHaveLength(10);
    expect(outcomes.filter(({ kind }) => kind === 'used')).toHaveLength(40);
    const balances = await Promise.all(accounts.map(balance));
    expect(balances.filter((credits) => credits === 8)).toHaveLength(10);
    expect(balances.filter((credits) => credits === 3)).toHaveLength(40);
  });

  it('adds the credits to an account once, even under concurrency', async () => {
    const shown = await code(5, 10);
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => redeem(shown)));
    expect(outcomes.filter(({ kind }) => kind === 'redeemed')).toHaveLength(1);
    expect(outcomes.filter(({ kind }) => kind === 'redeemed_before')).toHaveLength(7);
    expect(await balance()).toBe(8);
    expect(
      await bed.database.sql(`SELECT uses FROM redeem_codes WHERE code = $1`, [shown.replaceAll('-', '')]),
    ).toEqual([{ uses: 1 }]);
  });

  it('reports an earlier redemption to the account, even when the code is used up', async () => {
    const shown = await code();
    await redeem(shown);
    expect(await redeem(shown)).toEqual({ kind: 'redeemed_before' });
    expect(await redeem(shown, await createTestAccount(core))).toEqual({ kind: 'used' });
  });

  it.each([
    ['unknown', 'ABCD-EFGH-JKMN'],
    ['unknown', 'a\0b'],
    ['unknown', "'; DROP TABLE redeem_codes; --"],
    ['empty', ''],
    ['empty', ' - '],
  ])('returns %s for %j', async (kind, text) => {
    expect(await redeem(text)).toEqual({ kind });
  });

  it('rejects a code from the moment it expires', async () => {
    expect(await redeem(await code(5, 1, new Date(Date.now() - 1)))).toEqual({ kind: 'expired' });
    expect(await redeem(await code(5, 1, new Date(Date.now() + 60_000)))).toMatchObject({ kind: 'redeemed' });
    expect(await balance()).toBe(8);
  });

  it('limits how many codes an account may try and ignores further ones', async () => {
    for (let n = 0; n < limits.redeemAttemptsMax; n += 1)
      expect(await redeem(`GUESS${n}`)).toEqual({ kind: 'unknown' });
    const shown = await code();
    const outcome = await redeem(shown);
    expect(outcome).toMatchObject({ kind: 'too_many', retryAfterSeconds: expect.any(Number) });
    expect(await redeem('')).toEqual({ kind: 'empty' });
    expect(await redeem(shown, await createTestAccount(core))).toMatchObject({ kind: 'redeemed' });
  });
});
