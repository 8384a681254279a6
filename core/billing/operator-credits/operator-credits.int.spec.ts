import { AuditLog } from '../../audit/audit-log.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { adjustCredits } from '../../testing/operator-credits.js';
import { moneyFaults, moneyOf } from '../../testing/money.js';
import { createTestAccount, type TestAccount } from '../../testing/test-accounts.js';
import { createTestBed, type TestBed } from '../../testing/test-bed.js';
import { createTestCore, type TestCore } from '../../testing/test-core.js';
import { RedeemCodes } from '../redeem-codes.js';
import { OperatorCredits, type CreditOutcome } from './operator-credits.js';

const LIMIT = 1_000;

describe('OperatorCredits', () => {
  let bed: TestBed;
  let core: TestCore;
  let account: TestAccount;

  beforeAll(async () => {
    bed = await createTestBed();
    core = await createTestCore(bed.config({ ADJUSTMENT_APPROVAL_CREDITS: String(LIMIT) }));
  });

  beforeEach(async () => {
    await bed.database.sql('DELETE FROM credit_requests');
    account = await createTestAccount(core, { credits: 10 });
  });

  afterEach(async () => {
    expect(await moneyFaults(bed.database)).toEqual([]);
  });

  afterAll(async () => {
    await core?.close();
    await bed?.remove();
  });

  const service = () => core.get(OperatorCredits);
  const adjust = (credits: number, by = 'ada') => service().adjust(by, account.email, credits, 'goodwill');
  const code = (credits: number, uses = 1, by = 'ada') =>
    service().createCode(by, { credits, uses, expiresAt: null, why: 'campaign' });
  const balance = async () => (await moneyOf(bed.database, account.id)).balance;
  const requestOf = (outcome: CreditOutcome) => {
    if (outcome.kind === 'applied') throw new Error('It was applied');
    return outcome.request;
  };
  const refusal = (work: Promise<unknown>) =>
    work.then(
      () => 'none',
      (error: unknown) => (error instanceof DomainError ? `${error.code}: ${error.detail}` : String(error)),
    );
  const audited = async () => {
    const entries = await core.get(AuditLog).list({ accountId: account.id, beforeId: undefined, entriesMax: 10 });
    return entries.map(({ action }) => action).toReversed();
  };
  const waits = { kind: 'waiting', request: expect.objectContaining({ status: 'waiting', requestedBy: 'ada' }) };

  it('moves up to the limit alone, in one operation or in several, given and taken', async () => {
    expect(await adjust(600)).toEqual({ kind: 'applied', code: null });
    expect(await adjust(-300)).toEqual({ kind: 'applied', code: null });
    expect(await adjust(101)).toEqual(waits);
    expect(await adjust(-101)).toEqual(waits);
    expect(await adjust(100)).toEqual({ kind: 'applied', code: null });
    expect(await adjust(1)).toEqual(waits);
    expect(await balance()).toBe(410);
    expect(await adjust(LIMIT, 'bob')).toEqual({ kind: 'applied', code: null });
  });

  it('counts what was moved within 24 hours', async () => {
    await adjust(LIMIT);
    await bed.database.sql(`UPDATE credit_requests SET requested_at = now() - interval '23 hours 59 minutes'`);
    expect(await adjust(1)).toEqual(waits);
    await bed.database.sql(`UPDATE credit_requests SET requested_at = now() - interval '24 hours 1 second'`);
    expect(await adjust(LIMIT)).toEqual({ kind: 'applied', code: null });
  });

  it('counts the credits of all uses of a code, and those of new accounts', async () => {
    expect(await code(100, 11)).toEqual(waits);
    expect(await code(100, 10)).toEqual({ kind: 'applied', code: expect.any(String) });
    expect(await code(1)).toEqual(waits);
    const create = (credits: number, by: string) =>
      service().createAccount(by, { email: `${by}-${credits}@example.com`, displayName: '', credits });
    expect(await refusal(create(1, 'ada'))).toContain('invalid_request: Within 24 hours you may give 1000 credits');
    expect(await bed.database.sql(`SELECT FROM accounts WHERE email = 'ada-1@example.com'`)).toEqual([]);
    const { id } = await create(600, 'bob');
    expect(await moneyOf(bed.database, id)).toMatchObject({ balance: 600, purchased: 600 });
    expect((await adjust(401, 'bob')).kind).toBe('waiting');
    expect(await create(0, 'ada')).toMatchObject({ email: 'ada-0@example.com' });
  });

  it('moves exactly the limit under concurrency', async () => {
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => adjust(LIMIT / 10)));
    expect(outcomes.filter(({ kind }) => kind === 'applied')).toHaveLength(10);
    expect(await balance()).toBe(10 + LIMIT);
  });

  it('moves nothing that an account does not have, and does not count it', async () => {
    expect(await refusal(adjust(-11))).toContain('insufficient_credits');
    expect(await adjust(LIMIT)).toEqual({ kind: 'applied', code: null });
  });

  it('lets another operator approve, once, with an audit entry for each step', async () => {
    const { id } = requestOf(await adjust(LIMIT + 1));
    expect(await balance()).toBe(10);
    expect(await service().waiting()).toMatchObject([
      { id, email: account.email, credits: LIMIT + 1, why: 'goodwill' },
    ]);
    expect(await service().approve('bob', id)).toEqual({
      request: expect.objectContaining({ status: 'approved', decidedBy: 'bob' }),
      code: null,
    });
    expect(await balance()).toBe(1_011);
    expect(await service().waiting()).toEqual([]);
    expect(await refusal(service().approve('carol', id))).toMatch(/^invalid_request: bob approved it at /);
    expect(await refusal(service().reject('carol', id))).toMatch(/^invalid_request: bob approved it at /);
    expect(await balance()).toBe(1_011);
    expect(await audited()).toEqual(['credits.requested', 'credits.approved']);
    // Credits that a second operator approved do not count as moved by the first operator alone.
    expect((await adjust(LIMIT)).kind).toBe('applied');
  });

  it('is approved once by many operators at the same time', async () => {
    const { id } = requestOf(await adjust(LIMIT + 1));
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, (_, n) => refusal(service().approve(`operator${n}`, id))),
    );
    expect(outcomes.filter((outcome) => outcome === 'none')).toHaveLength(1);
    expect(outcomes.filter((outcome) => /^invalid_request: operator\d approved it/.test(outcome))).toHaveLength(9);
    expect(await moneyOf(bed.database, account.id)).toMatchObject({ balance: 1_011, entries: 2 });
  });

  it('is either approved or rejected when both come at once', async () => {
    const { id } = requestOf(await adjust(LIMIT + 1));
    const outcomes = await Promise.all([refusal(service().approve('bob', id)), refusal(service().reject('carol', id))]);
    expect(outcomes.filter((outcome) => outcome === 'none')).toHaveLength(1);
    expect(await balance()).toBe(outcomes[0] === 'none' ? 1_011 : 10);
  });

  it('is never approved by the operator who asked, also not by the database', async () => {
    const { id } = requestOf(await adjust(LIMIT + 1));
    expect(await refusal(service().approve('ada', id))).toBe(
      "invalid_request: This is ada's own request: another operator approves it.",
    );
    const forced = `UPDATE credit_requests SET status = 'approved', decided_by = 'ada', decided_at = now()
      WHERE id = $1`;
    await expect(bed.database.sql(forced, [id])).rejects.toThrow('credit_requests_two_people');
    expect(await balance()).toBe(10);
  });

  it('is rejected by another operator, or taken back by the one who asked', async () => {
    for (const by of ['bob', 'ada']) {
      const { id } = requestOf(await adjust(LIMIT + 1));
      expect(await service().reject(by, id)).toMatchObject({ status: 'rejected', decidedBy: by });
      expect(await refusal(service().approve('carol', id))).toContain(`${by} rejected it`);
    }
    expect(await balance()).toBe(10);
    expect(await audited()).toEqual(['credits.requested', 'credits.rejected', 'credits.requested', 'credits.rejected']);
  });

  it('expires after seven days', async () => {
    const { id, requestedAt, expiresAt } = requestOf(await adjust(LIMIT + 1));
    expect((expiresAt?.getTime() ?? 0) - requestedAt.getTime()).toBe(7 * 86_400_000);
    await bed.database.sql(`UPDATE credit_requests SET expires_at = now() - interval '1 second' WHERE id = $1`, [id]);
    expect(await service().waiting()).toEqual([]);
    expect(await refusal(service().approve('bob', id))).toContain('invalid_request: It has expired: ');
    expect(await balance()).toBe(10);
  });

  it('still waits when the account does not have what is to be taken', async () => {
    const { id } = requestOf(await adjust(-(LIMIT + 1)));
    expect(await refusal(service().approve('bob', id))).toContain('insufficient_credits');
    expect(await service().waiting()).toMatchObject([{ id, status: 'waiting', decidedBy: null }]);
    await adjustCredits(core, account.email, LIMIT);
    await service().approve('bob', id);
    expect(await balance()).toBe(9);
  });

  it('creates a code when it is approved, with its uses and its end', async () => {
    const expiresAt = new Date('2099-12-31T00:00:00Z');
    const terms = { credits: LIMIT, uses: 2, expiresAt, why: null };
    const { id } = requestOf(await service().createCode('ada', terms));
    const before = await bed.database.sql('SELECT FROM redeem_codes');
    const { code: made } = await service().approve('bob', id);
    expect(await bed.database.sql('SELECT FROM redeem_codes')).toHaveLength(before.length + 1);
    const stored = made?.replaceAll('-', '');
    expect(
      await bed.database.sql('SELECT credits, uses_max, expires_at FROM redeem_codes WHERE code = $1', [stored]),
    ).toEqual([{ credits: LIMIT, uses_max: 2, expires_at: expiresAt }]);
    expect(await core.get(RedeemCodes).redeem(account.id, made ?? '')).toEqual({ kind: 'redeemed', credits: LIMIT });
  });

  it.each(['', 'x', '0199d0d0-7c5a-7b1f-8e0a-4f6f2f9c1b3d'])('knows no request %j', async (id) => {
    expect(await refusal(service().approve('bob', id))).toContain('not_found');
    expect(await refusal(service().reject('bob', id))).toContain('not_found');
  });
});
