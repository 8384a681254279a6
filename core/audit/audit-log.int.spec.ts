import { randomUUID } from 'node:crypto';
import { createTestBed, type TestBed } from '../testing/test-bed.js';
import { createTestCore, type TestCore } from '../testing/test-core.js';
import { Postgres } from '../platform/database/postgres.js';
import { AccountEvents } from '../platform/events/account-events.js';
import { AuditLog, type AuditEntry } from './audit-log.js';
import { Operator } from './operator.js';

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

  it('records an operator by name, and one without a name as an operator', async () => {
    const entry = { actor: 'operator', accountId: randomUUID(), action: 'operator.command' } as const;
    for (const name of ['ada', undefined])
      await new AuditLog(core.get(Postgres), core.get(AccountEvents), new Operator(name)).recordAlone(entry);
    await core.get(AuditLog).recordAlone({ ...entry, actor: 'provider' });
    const entries = await core.get(AuditLog).list({ ...entry, beforeId: undefined, entriesMax: 5 });
    expect(entries.map(({ actor }) => actor)).toEqual(['provider', 'operator', 'operator:ada']);
  });

  it.each(['operator:', 'operator:Ada', 'operator:a b', 'account:ada', 'nothing', ''])(
    'rejects the actor %j',
    async (actor) => {
      const insert = bed.database.sql(`INSERT INTO audit_entries (actor, action) VALUES ($1, 'x')`, [actor]);
      await expect(insert).rejects.toThrow('audit_entries_actor_check');
    },
  );

  it.each([`UPDATE audit_entries SET action = 'x'`, 'DELETE FROM audit_entries', 'TRUNCATE audit_entries'])(
    'rejects %s',
    async (statement) => {
      await expect(bed.database.sql(statement)).rejects.toThrow('audit_entries is append-only');
    },
  );
});
