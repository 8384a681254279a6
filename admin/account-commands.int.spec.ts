import { z } from 'zod';
import { LedgerSeals } from '#core/credits/ledger-seals.js';
import { createTestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { createTestCore, type TestCore } from '#core/testing/test-core.js';
import { refusalOf, runAdmin } from './testing/run-admin.js';

const waitingOf = z.looseObject({ waiting: z.looseObject({ id: z.uuid() }), next: z.string() });
const keysOf = z.object({ key: z.string(), retired: z.string() });

describe('admin commands for sending and the ledger', () => {
  let bed: TestBed;
  let core: TestCore;

  beforeAll(async () => {
    bed = await createTestBed();
    core = await createTestCore(bed.config());
  });

  afterEach(() => {
    process.exitCode = 0;
  });

  afterAll(async () => {
    await core?.close();
    await bed?.remove();
  });

  const admin = (...words: string[]) => runAdmin(bed.config(), words);
  const refusal = (...words: string[]) => refusalOf(admin(...words));

  it('account senders gives an account senders of its own, or returns it to the shared ones', async () => {
    const [{ email }, { email: other }] = [await createTestAccount(core), await createTestAccount(core)];
    const senders = ['+15005550008', `MG${'1'.repeat(32)}`];
    expect(await admin('account', 'senders', email, ...senders, '+15005550008')).toEqual({ email, senders });
    expect(await refusal('account', 'senders', other, '+15005550008')).toBe('invalid_request');
    expect(await refusal('account', 'senders', email, '5008')).toBe('invalid_request');
    expect(await refusal('account', 'senders', 'none@example.com', '+15005550008')).toBe('account_not_found');
    expect(await admin('account', 'senders', email)).toEqual({ email, senders: [] });
    expect(await admin('account', 'senders', other, '+15005550008')).toMatchObject({ senders: ['+15005550008'] });
    await admin('account', 'senders', other);
  });

  it('account resume lifts a suspension from sending', async () => {
    const { id, email } = await createTestAccount(core);
    expect(await admin('account', 'resume', email)).toEqual({ email, lifted: false });
    await bed.database.sql('UPDATE accounts SET delivery_suspended_at = now() WHERE id = $1', [id]);
    await bed.database.sql(
      'INSERT INTO delivery_suspensions (account_id, recipients, undelivered) VALUES ($1, 60, 40)',
      [id],
    );
    expect(await admin('account', 'show', email)).toMatchObject({ deliverySuspendedAt: expect.stringMatching(/Z$/) });
    expect(await admin('account', 'resume', email)).toEqual({ email, lifted: true });
    expect(await admin('account', 'show', email)).toMatchObject({ deliverySuspendedAt: null });
  });

  it('credits adjust and code create wait above the limit, until another operator approves them', async () => {
    const { id, email } = await createTestAccount(core, { credits: 3 });
    const config = bed.config({ ADJUSTMENT_APPROVAL_CREDITS: '100' });
    const as = (operator: string, ...words: string[]) => runAdmin(config, words, operator);
    const asked = waitingOf.parse(await as('grace', 'credits', 'adjust', email, '101', '--why', 'goodwill'));
    expect(asked).toMatchObject({
      waiting: { credits: 101, why: 'goodwill', requestedBy: 'grace', status: 'waiting' },
      next: `Another operator approves it: approvals approve ${asked.waiting.id}`,
    });
    const code = waitingOf.parse(await as('grace', 'code', 'create', '--credits', '11', '--uses', '10'));
    expect(await as('bob', 'approvals')).toMatchObject({ waiting: [{ id: asked.waiting.id, email }, { credits: 11 }] });
    expect(await refusalOf(as('Grace', 'approvals', 'approve', asked.waiting.id))).toBe('invalid_request');
    expect(await as('bob', 'approvals', 'approve', asked.waiting.id)).toMatchObject({
      request: { status: 'approved', decidedBy: 'bob' },
    });
    expect(await as('bob', 'approvals', 'approve', code.waiting.id)).toMatchObject({
      code: expect.stringMatching(/^\w{4}-\w{4}-\w{4}$/),
    });
    expect(await admin('account', 'show', email)).toMatchObject({ credits: { balance: 104 } });
    expect(await refusalOf(as('bob', 'approvals', 'vanish'))).toBe('commander.excessArguments');
    const log = await bed.database.sql(
      `SELECT actor, action FROM audit_entries WHERE account_id = $1 AND action LIKE 'credits.%' ORDER BY id`,
      [id],
    );
    expect(log).toEqual([
      { actor: 'operator:grace', action: 'credits.requested' },
      { actor: 'operator:bob', action: 'credits.approved' },
    ]);
  });

  it('approvals reject ends a request, and account create gives only what its operator may give alone', async () => {
    const { email } = await createTestAccount(core);
    const config = bed.config({ ADJUSTMENT_APPROVAL_CREDITS: '100' });
    const as = (operator: string, ...words: string[]) => runAdmin(config, words, operator);
    const { waiting } = waitingOf.parse(await as('linus', 'credits', 'adjust', email, '-101', '--why', 'a mistake'));
    expect(await as('linus', 'approvals', 'reject', waiting.id)).toMatchObject({ status: 'rejected' });
    expect(await as('linus', 'approvals', 'list')).toEqual({ waiting: [] });
    const create = (credits: string) =>
      as('linus', 'account', 'create', '--email', `new-${credits}@example.com`, '--credits', credits);
    expect(await refusalOf(create('101'))).toBe('invalid_request');
    expect(await refusalOf(create('100'))).toBe('none');
    expect(await refusalOf(create('1'))).toBe('invalid_request');
    expect(await refusalOf(as('linus', 'account', 'create', '--email', 'new@example.com'))).toBe('none');
  });

  it('records the login of an operator who gives another name', async () => {
    const { email, id } = await createTestAccount(core);
    const { SUDO_USER } = process.env;
    process.env['SUDO_USER'] = 'mallory';
    try {
      await runAdmin(bed.config(), ['account', 'block', email], 'bob');
    } finally {
      delete process.env['SUDO_USER'];
      if (SUDO_USER !== undefined) process.env['SUDO_USER'] = SUDO_USER;
    }
    expect(
      await bed.database.sql(
        `SELECT actor, details->>'login' AS login FROM audit_entries
         WHERE account_id = $1 AND action = 'operator.command'`,
        [id],
      ),
    ).toEqual([{ actor: 'operator:bob', login: 'mallory' }]);
  });

  it('ledger verify exits with 0 while all seals hold, and with 1 and the entry when one was changed', async () => {
    const { id, email } = await createTestAccount(core);
    while (await core.get(LedgerSeals).run());
    expect(await admin('ledger', 'verify', email)).toEqual({
      accounts: 1,
      entries: 1,
      seals: 1,
      unsealed: 0,
      faults: [],
    });
    expect(process.exitCode ?? 0).toBe(0);
    const { key, retired } = keysOf.parse(await admin('ledger', 'rotate-key'));
    expect([key.length, retired.length, key === retired]).toEqual([43, 43, false]);
    await bed.database.sql(`UPDATE ledger_entries SET note = 'x' WHERE account_id = $1`, [id]);
    expect(await admin('ledger', 'verify')).toMatchObject({
      faults: [{ accountId: id, entry: 1, problem: 'entry 1: it is not the one that seal 1 covers' }],
    });
    expect(process.exitCode).toBe(1);
    await bed.database.sql(`UPDATE ledger_entries SET note = NULL WHERE account_id = $1`, [id]);
  });
});
