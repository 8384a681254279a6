import { DomainError } from '../platform/errors/domain-error.js';
import { moneyFaults, moneyOf } from '../testing/money.js';
import { createTestAccount } from '../testing/test-accounts.js';
import { createTestBed, type TestBed } from '../testing/test-bed.js';
import { createTestCore, type TestCore } from '../testing/test-core.js';
import { AdjustCredits } from './adjust-credits.js';
import { ApiKeys } from './api-keys.js';
import { AuthenticateKey } from './authenticate-key.js';
import { ChangeAccount } from './change-account.js';
import { CreateAccount } from './create-account.js';
import { FindAccount } from './find-account.js';

const newcomer = { displayName: 'Ada', signInType: 'google' } as const;

describe('accounts', () => {
  let bed: TestBed;
  let core: TestCore;

  beforeAll(async () => {
    bed = await createTestBed();
    core = await createTestCore(bed.config());
  });

  afterEach(async () => {
    expect(await moneyFaults(bed.database)).toEqual([]);
  });

  afterAll(async () => {
    await core?.close();
    await bed?.remove();
  });

  const codeOf = async (work: Promise<unknown>) =>
    work.then(
      () => 'none',
      (error: unknown) => (error instanceof DomainError ? error.code : String(error)),
    );

  it('opens with 3 free credits and their signup entry', async () => {
    const { id, email } = await core.get(CreateAccount).run({ ...newcomer, email: 'ada@example.com' });
    expect(email).toBe('ada@example.com');
    expect(await moneyOf(bed.database, id)).toEqual({
      balance: 3,
      purchased: 3,
      used: 0,
      ledger: 3,
      entries: 1,
      messages: 0,
    });
    expect(
      await bed.database.sql(
        'SELECT kind, amount::int, balance_after::int, source_id FROM ledger_entries WHERE account_id = $1',
        [id],
      ),
    ).toEqual([{ kind: 'signup', amount: 3, balance_after: 3, source_id: id }]);
  });

  it('opens one account of an e-mail address, whatever the case of its letters, and nothing else of a second one', async () => {
    await core.get(CreateAccount).run({ ...newcomer, email: 'Bob@Example.com' });
    const count = async () => (await bed.database.sql('SELECT 1 FROM api_keys')).length;
    const before = await count();
    expect(await codeOf(core.get(CreateAccount).run({ ...newcomer, email: 'bob@example.COM' }))).toBe('account_exists');
    expect(await count()).toBe(before);
  });

  it('opens one account when the same person arrives twice at the same moment', async () => {
    const arrivals = await Promise.all(
      Array.from({ length: 5 }, () => codeOf(core.get(CreateAccount).run({ ...newcomer, email: 'twin@example.com' }))),
    );
    expect(arrivals.sort()).toEqual(['account_exists', 'account_exists', 'account_exists', 'account_exists', 'none']);
  });

  it('shows the key from its encrypted copy, and keeps it nowhere readable', async () => {
    const { email, apiKey } = await createTestAccount(core);
    expect(await core.get(FindAccount).run(email)).toMatchObject({ apiKey });
    const [stored] = await bed.database.sql<{ row: string }>(
      `SELECT k::text || encode(k.encrypted_key, 'escape') AS row FROM api_keys k JOIN accounts a ON a.id = k.account_id WHERE a.email = $1`,
      [email],
    );
    expect(stored?.row).not.toContain(apiKey);
  });

  it('changes what it is told to and nothing else', async () => {
    const { email } = await createTestAccount(core, { dailyLimit: 7 });
    expect(await core.get(ChangeAccount).run(email, { urlsActivated: true })).toMatchObject({
      dailyLimit: 7,
      urlsActivated: true,
      blockedAt: null,
    });
    expect(await codeOf(core.get(ChangeAccount).run('nobody@example.com', { dailyLimit: 1 }))).toBe(
      'account_not_found',
    );
  });

  it('adjusts credits both ways, never below 0, with a ledger entry each', async () => {
    const { email, id } = await createTestAccount(core, { credits: 10 });
    await core.get(AdjustCredits).run(email, 5, 'gift');
    await core.get(AdjustCredits).run(email, -15, 'back');
    expect(await codeOf(core.get(AdjustCredits).run(email, -1, 'too much'))).toBe('insufficient_credits');
    expect(await moneyOf(bed.database, id)).toMatchObject({ balance: 0, purchased: 0, used: 0, entries: 3 });
  });

  it('adjusts exactly under concurrency', async () => {
    const { email, id } = await createTestAccount(core, { credits: 10 });
    const outcomes = await Promise.all(
      Array.from({ length: 30 }, () => codeOf(core.get(AdjustCredits).run(email, -1, 'one'))),
    );
    expect(outcomes.filter((code) => code === 'none')).toHaveLength(10);
    expect(new Set(outcomes)).toEqual(new Set(['none', 'insufficient_credits']));
    expect(await moneyOf(bed.database, id)).toMatchObject({ balance: 0, entries: 11 });
  });

  it('knows whose key it is, and who may not use it', async () => {
    const { id, apiKey } = await createTestAccount(core);
    const blocked = await createTestAccount(core, { blockedAt: new Date() });
    const present = (key: string) => core.get(ApiKeys).present(key);
    const authenticate = (key: string, address = '127.0.0.1') => core.get(AuthenticateKey).run(present(key), address);
    expect(await authenticate(apiKey)).toEqual({ accountId: id });
    expect(await authenticate(`${apiKey}_test`)).toEqual({ accountId: id });
    expect(await codeOf(authenticate('nobody'))).toBe('unknown_api_key');
    expect(await codeOf(authenticate(`${apiKey}_test_test`))).toBe('unknown_api_key');
    expect(await codeOf(authenticate(blocked.apiKey))).toBe('account_blocked');
    await bed.database.sql(`INSERT INTO blocked_addresses VALUES ('203.0.113.5')`);
    expect(await codeOf(authenticate(apiKey, '::FFFF:203.0.113.5'))).toBe('address_blocked');
  });
});
