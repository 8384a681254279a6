import { randomUUID } from 'node:crypto';
import { AccountDeletion } from '../accounts/account-deletion.js';
import { Accounts } from '../accounts/accounts.js';
import { Invoices } from '../billing/invoices/invoices.js';
import { AutoTopUps } from '../billing/top-ups/auto-top-ups.js';
import { NamedKeys } from '../keys/named-keys.js';
import { Notices } from '../mail/notices.js';
import { OtpSettings } from '../otp/otp-settings.js';
import { createTestAccount } from '../testing/test-accounts.js';
import { CreditAlerts } from '../webhooks/credit-alerts.js';
import { WebhookEndpoints } from '../webhooks/endpoints/webhook-endpoints.js';
import { createTestBed, type TestBed } from '../testing/test-bed.js';
import { createTestCore, type TestCore } from '../testing/test-core.js';
import { Postgres } from '../platform/database/postgres.js';
import { AccountEvents } from '../platform/events/account-events.js';
import { AuditLog, type AuditAction, type AuditEntry } from './audit-log.js';
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

  it('has entries of changes only, whatever is chosen again', async () => {
    const { id } = await createTestAccount(core);
    const details = { company: 'Ada Ltd', address: '1 Main Street', vatId: '' };
    const topUp = { enabled: false, threshold: 20, pack: 'starter', perMonthMax: 2 } as const;
    const alerts = { lowCreditsMail: true, lowCredits: 5, dailySpend: null };
    const key = { name: 'Shop', scopes: ['send' as const], addresses: ['192.0.2.0/24'], countries: ['US'] };
    const keyBody = { ...key, creditsPerDay: null, creditsPerMonth: null, messagesPerSecond: 3, expiresAt: null };
    const by = { actor: 'account', accountId: id } as const;
    const named = await core.get(NamedKeys).create(by, { mode: 'live', ...keyBody });
    const changes: Record<string, () => Promise<unknown>> = {
      'account.countries_changed': () => core.get(Accounts).disableCountries(id, ['FR', 'GB'], '::1'),
      'account.notices_changed': () => core.get(Notices).choose(id, [], '::1'),
      'alerts.changed': () => core.get(CreditAlerts).change(id, alerts, '::1'),
      'invoice_details.changed': () => core.get(Invoices).changeDetails(id, details, '::1'),
      'key.changed': () => core.get(NamedKeys).change(by, named.id, { ...keyBody, creditsPerDay: 7 }),
      'otp.settings_changed': () => core.get(OtpSettings).change(id, { recipientRequired: true }, 'account', '::1'),
      'top_up.changed': () => core.get(AutoTopUps).change(id, topUp, '::1'),
      'webhook.changed': () => core.get(WebhookEndpoints).setUrl(id, 'https://example.com/hook'),
      'webhook.events_changed': () => core.get(WebhookEndpoints).setEvents(id, ['message.failed'], 8),
    };
    for (const change of Object.values(changes)) {
      await change();
      await change();
    }
    await core.get(AccountDeletion).cancel(id);
    await core.get(NamedKeys).endOldSecrets(by, named.id);
    const entries = await core.get(AuditLog).list({ accountId: id, beforeId: undefined, entriesMax: 99 });
    const actions = entries.map(({ action }) => action).filter((action) => action !== 'key.created');
    expect(actions.toSorted()).toEqual(Object.keys(changes));
  });

  it('takes 1,000 changes of an account within 24 hours, those of numbers apart, and all endings of sessions', async () => {
    const { id } = await createTestAccount(core);
    await bed.database.sql(
      `INSERT INTO audit_entries (actor, account_id, action)
       SELECT 'account', $1, CASE n % 2 WHEN 0 THEN 'pool.changed' ELSE 'pool.deleted' END
       FROM generate_series(1, 999) n`,
      [id],
    );
    const record = (action: AuditAction, actor: 'account' | 'operator' = 'account') =>
      core.get(Postgres).transaction((tx) => core.get(AuditLog).record(tx, { actor, accountId: id, action }));
    await record('pool.changed');
    await expect(record('number.changed')).rejects.toMatchObject({ code: 'rate_limited' });
    await record('number.changed', 'operator');
    await record('key.revoked');
    await record('session.others_ended');
    const count = `SELECT count(*)::int AS entries FROM audit_entries WHERE account_id = $1`;
    expect(await bed.database.sql(count, [id])).toEqual([{ entries: 1_003 }]);
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
