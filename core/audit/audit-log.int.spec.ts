import { randomUUID } from 'node:crypto';
import { createTestBed, type TestBed } from '../testing/test-bed.js';
import { createTestCore, type TestCore } from '../testing/test-core.js';
import { AuditLog, type AuditEntry } from './audit-log.js';

describe('AuditLog', () => {
  let bed: TestBed;
  let core: TestCore;

  beforeAll(async () => {
    bed = await createTestBed();
    core = await createTestCore(bed.config());
  });

  afterAll(async () => {
    await core?.close();
    await bed?.remove();
  });

  it('lists entries newest first, of one account or of all, and continues where a list ended', async () => {
    const log = core.get(AuditLog);
    const [ada, bob] = [randomUUID(), randomUUID()];
    for (const accountId of [ada, bob, ada])
      await log.recordAlone({
        actor: 'account',
        accountId,
        action: 'session.started',
        address: '2001:db8::7',
        details: { of: accountId },
      });
    const list = (accountId?: string, beforeId?: number) => log.list({ accountId, beforeId, entriesMax: 2 });
    const all = await list();
    expect(all.map(({ accountId }) => accountId)).toEqual([ada, bob]);
    expect((await list(undefined, all[1]?.id)).map(({ accountId }) => accountId)).toEqual([ada]);
    expect(await list(bob)).toEqual([
      {
        id: expect.any(Number),
        actor: 'account',
        accountId: bob,
        action: 'session.started',
        address: '2001:db8::7',
        details: { of: bob },
        createdAt: expect.any(Date),
      } satisfies AuditEntry,
    ]);
  });

  it.each([`UPDATE audit_entries SET action = 'x'`, 'DELETE FROM audit_entries', 'TRUNCATE audit_entries'])(
    'rejects %s',
    async (statement) => {
      await expect(bed.database.sql(statement)).rejects.toThrow('audit_entries is append-only');
    },
  );
});
