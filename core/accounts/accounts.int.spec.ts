import { EndKeys } from '../messages/status/end-keys.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { moneyFaults, moneyOf } from '../testing/money.js';
import { createTestAccount } from '../testing/test-accounts.js';
import { createTestBed, type TestBed } from '../testing/test-bed.js';
import { createTestCore, type TestCore } from '../testing/test-core.js';
import { Accounts } from './accounts.js';
import { ApiKeys } from '../keys/api-keys.js';
import { adjustCredits } from '../testing/operator-credits.js';

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

  it('creates an account with 3 free credits and their signup entry', async () => {
    const { id, email } = await core.get(Accounts).create({ ...newcomer, email: 'ada@example.com' });
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

  it('creates one account per email address in any letter case, and no API key for a second attempt', async () => {
    await core.get(Accounts).create({ ...newcomer, email: 'Bob@Example.com' });
    const count = async () => (await bed.database.sql('SELECT 1 FROM api_keys')).length;
    const before = await count();
    expect(await codeOf(core.get(Accounts).create({ ...newcomer, email: 'bob@example.COM' }))).toBe('account_exists');
    expect(await count()).toBe(before);
  });

  it('creates one account when the same person signs up several times concurrently', async () => {
    const arrivals = await Promise.all(
      Array.from({ length: 5 }, () => codeOf(core.get(Accounts).create({ ...newcomer, email: 'twin@example.com' }))),
    );
    expect(arrivals.sort()).toEqual(['account_exists', 'account_exists', 'account_exists', 'account_exists', 'none']);
  });

  it('shows the API key from its encrypted copy and stores it nowhere in clear text', async () => {
    const { email, apiKey } = await createTestAccount(core);
    expect(await core.get(Accounts).show(email)).toMatchObject({ apiKey });
    const [stored] = await bed.database.sql<{ row: string }>(
      `SELECT k::text || encode(k.encrypted, 'escape') AS row FROM key_secrets k
        JOIN accounts a ON a.id = k.account_id WHERE a.email = $1`,
      [email],
    );
    expect(stored?.row).not.toContain(apiKey);
  });

  it('creates API keys as random UUIDs of version 4', async () => {
    const { id } = await createTestAccount(core);
    for (let n = 0; n < 20; n += 1) await core.get(EndKeys).rotateDefault(id, 0, false);
    const keys = [(await core.get(ApiKeys).list(id)).apiKey];
    for (let n = 0; n < 20; n += 1) keys.push((await createTestAccount(core)).apiKey);
    expect(new Set(keys).size).toBe(21);
    for (const key of keys)
      expect(key).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it('changes the named settings only', async () => {
    const { email } = await createTestAccount(core, { dailyLimit: 7 });
    expect(await core.get(Accounts).change(email, { urlsActivated: true })).toMatchObject({
      dailyLimit: 7,
      urlsActivated: true,
      blockedAt: null,
    });
    expect(await codeOf(core.get(Accounts).change('nobody@example.com', { dailyLimit: 1 }))).toBe('account_not_found');
  });

  it('adjusts credits up and down, never below 0, with one ledger entry per adjustment', async () => {
    const { email, id } = await createTestAccount(core, { credits: 10 });
    await adjustCredits(core, email, 5, 'gift');
    await adjustCredits(core, email, -15, 'back');
    expect(await codeOf(adjustCredits(core, email, -1, 'too much'))).toBe('insufficient_credits');
    expect(await moneyOf(bed.database, id)).toMatchObject({ balance: 0, purchased: 0, used: 0, entries: 3 });
  });

  it('adjusts credits exactly under concurrency', async () => {
    const { email, id } = await createTestAccount(core, { credits: 10 });
    const outcomes = await Promise.all(Array.from({ length: 30 }, () => codeOf(adjustCredits(core, email, -1, 'one'))));
    expect(outcomes.filter((code) => code === 'none')).toHaveLength(10);
    expect(new Set(outcomes)).toEqual(new Set(['none', 'insufficient_credits']));
    expect(await moneyOf(bed.database, id)).toMatchObject({ balance: 0, entries: 11 });
  });

  it('authenticates API keys and rejects unknown keys, blocked accounts and blocked addresses', async () => {
    const { id, apiKey } = await createTestAccount(core);
    const blocked = await createTestAccount(core, { blockedAt: new Date() });
    const parse = (key: string) => core.get(ApiKeys).parse(key);
    const authenticate = (key: string, address = '127.0.0.1') =>
      core.get(ApiKeys).authenticate(parse(key), address, 'read');
    expect(await authenticate(apiKey)).toEqual({ accountId: id, keyId: null, scopes: null });
    expect(await authenticate(`${apiKey}_test`)).toEqual({ accountId: id, keyId: null, scopes: null });
    expect(await codeOf(authenticate('nobody'))).toBe('unknown_api_key');
    expect(await codeOf(authenticate(`${apiKey}_test_test`))).toBe('unknown_api_key');
    expect(await codeOf(authenticate(blocked.apiKey))).toBe('account_blocked');
    await bed.database.sql(`INSERT INTO blocked_addresses VALUES ('203.0.113.5')`);
    expect(await codeOf(authenticate(apiKey, '::FFFF:203.0.113.5'))).toBe('address_blocked');
  });
});
