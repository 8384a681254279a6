import { z } from 'zod';
import { LedgerSeals } from '#core/credits/ledger-seals.js';
import { createTestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { createTestCore, type TestCore } from '#core/testing/test-core.js';
import { refusalOf, runAdmin } from './testing/run-admin.js';

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
