import { limits } from '#contract/limits.js';
import { moneyFaults, moneyOf } from '../testing/money.js';
import { createTestAccount, type TestAccount } from '../testing/test-accounts.js';
import { createTestBed, type TestBed } from '../testing/test-bed.js';
import { createTestCore, type TestCore } from '../testing/test-core.js';
import { CreateRedeemCode } from './create-redeem-code.js';
import { RedeemCode } from './redeem-code.js';

describe('RedeemCode', () => {
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

  const code = async (credits = 5, usesMax = 1, expiresAt: Date | null = null) =>
    (await core.get(CreateRedeemCode).run(credits, usesMax, expiresAt)).code;
  const redeem = (text: string, by = account) => core.get(RedeemCode).run(by.id, text);
  const balance = async (of = account) => (await moneyOf(bed.database, of.id)).balance;

  it('gives the credits, however the code is typed', async () => {
    const shown = await code(5);
    expect(shown).toMatch(/^[2-9A-Z]{4}-[2-9A-Z]{4}-[2-9A-Z]{4}$/);
    expect(await redeem(` ${shown.toLowerCase().replaceAll('-', ' ')} `)).toEqual({ kind: 'redeemed', credits: 5 });
    expect(await moneyOf(bed.database, account.id)).toMatchObject({ balance: 8, purchased: 8, entries: 2 });
  });

  it('lets exactly 10 of 50 accounts redeem a code of 10 uses at the same moment', async () => {
    const shown = await code(5, 10);
    const accounts = await Promise.all(Array.from({ length: 50 }, () => createTestAccount(core, { credits: 3 })));
    const outcomes = await Promise.all(accounts.map((one) => redeem(shown, one)));
    expect(outcomes.filter(({ kind }) => kind === 'redeemed')).toHaveLength(10);
    expect(outcomes.filter(({ kind }) => kind === 'used')).toHaveLength(40);
    const balances = await Promise.all(accounts.map(balance));
    expect(balances.filter((credits) => credits === 8)).toHaveLength(10);
    expect(balances.filter((credits) => credits === 3)).toHaveLength(40);
  });

  it('gives one account the credits once, also when it asks at the same moment', async () => {
    const shown = await code(5, 10);
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => redeem(shown)));
    expect(outcomes.filter(({ kind }) => kind === 'redeemed')).toHaveLength(1);
    expect(outcomes.filter(({ kind }) => kind === 'redeemed_before')).toHaveLength(7);
    expect(await balance()).toBe(8);
    expect(
      await bed.database.sql(`SELECT uses FROM redeem_codes WHERE code = $1`, [shown.replaceAll('-', '')]),
    ).toEqual([{ uses: 1 }]);
  });

  it('tells an account that it was the one, also when the code is used up', async () => {
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
  ])('answers %s to %j', async (kind, text) => {
    expect(await redeem(text)).toEqual({ kind });
  });

  it('refuses a code from its last moment on', async () => {
    expect(await redeem(await code(5, 1, new Date(Date.now() - 1)))).toEqual({ kind: 'expired' });
    expect(await redeem(await code(5, 1, new Date(Date.now() + 60_000)))).toMatchObject({ kind: 'redeemed' });
    expect(await balance()).toBe(8);
  });

  it('bounds how many codes an account may try, and does not look at more', async () => {
    for (let n = 0; n < limits.redeemAttemptsMax; n += 1)
      expect(await redeem(`GUESS${n}`)).toEqual({ kind: 'unknown' });
    const shown = await code();
    const outcome = await redeem(shown);
    expect(outcome).toMatchObject({ kind: 'too_many', retryAfterSeconds: expect.any(Number) });
    expect(await redeem('')).toEqual({ kind: 'empty' });
    expect(await redeem(shown, await createTestAccount(core))).toMatchObject({ kind: 'redeemed' });
  });
});
