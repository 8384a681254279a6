import { DomainError } from '../platform/errors/domain-error.js';
import { moneyFaults, moneyOf } from '../testing/money.js';
import { plantMessages } from '../testing/planted-messages.js';
import { createTestBed, type TestBed } from '../testing/test-bed.js';
import { createTestCore, type TestCore } from '../testing/test-core.js';
import { AuditLog } from '../audit/audit-log.js';
import { Messages } from '../messages/history/messages.js';
import { Accounts } from './accounts.js';
import { WelcomeMails } from './sign-in/welcome-mails.js';
import { Sessions } from './sessions/sessions.js';
import { AccountErasure } from './account-erasure.js';
import { SavedFilters } from './saved-filters.js';

/** Personal data of the account and its recipients, each value unmistakable. */
const traces = {
  email: 'Grace.Unmistakable@example.com',
  name: 'Grace Unmistakable',
  subject: '117700000000000000042',
  webhook: 'https://unmistakable.example.com/sms',
  sentTo: '+14155552699',
  sentText: 'Unmistakably sent',
  repliedFrom: '+14155552688',
  reply: 'Unmistakably answered',
  reference: 'unmistakable-order',
  carrierId: 'SM00000000000000000000000000unmist',
  receipt: 'https://receipts.example.com/unmistakable',
  idempotencyKey: 'unmistakable-key',
  filter: 'unmistakable filter',
};

describe('AccountErasure', () => {
  let bed: TestBed;
  let core: TestCore;
  let id: string;

  beforeAll(async () => {
    bed = await createTestBed();
    core = await createTestCore(bed.config());
  });

  beforeEach(async () => {
    ({ id } = await core.get(Accounts).create({
      email: traces.email,
      displayName: traces.name,
      signInType: 'google',
      googleSubject: traces.subject,
      credits: 10,
    }));
    await core.get(Sessions).start(id, { method: 'google', earlierToken: undefined });
    await core.get(WelcomeMails).send({ id, email: traces.email, displayName: traces.name });
    await leaveTraces();
  });

  afterEach(async () => {
    expect(await moneyFaults(bed.database)).toEqual([]);
    await core.get(AccountErasure).erase(traces.email, 'cleaning up').catch(ignoreAbsent);
  });

  afterAll(async () => {
    await core?.close();
    await bed?.remove();
  });

  function ignoreAbsent(error: unknown): void {
    if (!(error instanceof DomainError && error.code === 'account_not_found')) throw error;
  }

  /** Inserts a row into every table that can hold personal data. */
  async function leaveTraces(): Promise<void> {
    const sql = (text: string, values: unknown[]) => bed.database.sql(text, values);
    await plantMessages(bed.database, id, [{ recipient: traces.sentTo, body: traces.sentText }]);
    await sql(`UPDATE messages SET reference = $2, carrier_id = $3 WHERE account_id = $1`, [
      id,
      traces.reference,
      traces.carrierId,
    ]);
    await core.get(SavedFilters).save(id, { view: 'sent', name: traces.filter, query: `search=${traces.filter}` });
    await sql(`INSERT INTO sealed_texts SELECT id, $2, 'k', now() FROM messages WHERE account_id = $1`, [
      id,
      Buffer.from(traces.sentText),
    ]);
    await sql(
      `WITH counted AS (UPDATE credit_accounts SET received_count = 1 WHERE account_id = $1)
       INSERT INTO inbound_messages (id, account_id, number, carrier_id, sender, recipient, body, segments,
         credits, status)
       VALUES (gen_random_uuid(), $1, 1, $2, $3, '+15005550006', $4, 1, 0, 'held')`,
      [id, traces.carrierId, traces.repliedFrom, traces.reply],
    );
    await sql(`INSERT INTO conversations (account_id, recipient, sender) VALUES ($1, $2, '+15005550006')`, [
      id,
      traces.sentTo,
    ]);
    await sql(`INSERT INTO idempotency_keys VALUES ($1, $2, 'x', gen_random_uuid())`, [id, traces.idempotencyKey]);
    await sql(
      `INSERT INTO otp_codes (id, account_id, recipient, code_hash, digits, reference, expires_at, forget_at)
       VALUES (gen_random_uuid(), $1, $2, sha256('x'), 6, $3, now(), now())`,
      [id, traces.sentTo, traces.reference],
    );
    await sql(
      `INSERT INTO batches VALUES ($1, 1, 1, gen_random_uuid(), 1,
        jsonb_build_array(jsonb_build_object('detail', $2::text)), now())`,
      [id, traces.sentText],
    );
    await sql(`INSERT INTO otp_guards (account_id) VALUES ($1)`, [id]);
    await sql(`INSERT INTO webhook_endpoints (account_id, url) VALUES ($1, $2)`, [id, traces.webhook]);
    await sql(
      `INSERT INTO webhook_deliveries (id, account_id, type, source_id, body)
        VALUES ($1::uuid, $1::uuid, 'message.received', $1::uuid::text, $2)`,
      [id, traces.reply],
    );
    await sql(
      `INSERT INTO webhook_attempts (id, delivery_id, account_id, started_at, duration_ms, answer)
        VALUES ($1::uuid, $1::uuid, $1::uuid, now(), 1, $2)`,
      [id, traces.webhook],
    );
    await sql(
      `INSERT INTO checkout_sessions (session_id, account_id, pack, credits, amount_cents)
        VALUES ('cs_' || $1::uuid, $1::uuid, 'starter', 50, 300)`,
      [id],
    );
    await sql(
      `INSERT INTO payments (account_id, session_id, amount_cents, credits, method, receipt_url)
       VALUES ($1::uuid, 'cs_' || $1::uuid, 300, 50, 'Stripe Payment', $2)`,
      [id, traces.receipt],
    );
  }

  /** Tables that contain a value in any column. */
  async function tablesWith(word: string): Promise<string[]> {
    const tables = await bed.database.sql<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.tables
        WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`,
    );
    const found = await Promise.all(
      tables.map(async ({ name }) => {
        const rows = await bed.database.sql(`SELECT 1 FROM "${name}" t WHERE t::text ILIKE '%' || $1 || '%' LIMIT 1`, [
          word,
        ]);
        return rows.length > 0 ? [name] : [];
      }),
    );
    return found.flat();
  }

  const codeOf = (work: Promise<unknown>) =>
    work.then(
      () => 'none',
      (error: unknown) => (error instanceof DomainError ? error.code : String(error)),
    );

  it.each(Object.entries(traces))('leaves no trace of the %s in any table', async (_what, word) => {
    expect(await tablesWith(word)).not.toEqual([]);
    await core.get(AccountErasure).erase(traces.email, 'asked for it');
    expect(await tablesWith(word)).toEqual([]);
  });

  it('deletes every row of the account except ledger, counts and audit log', async () => {
    await core.get(AccountErasure).erase(traces.email, 'asked for it');
    const columns = await bed.database.sql<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.columns c
        JOIN information_schema.tables t USING (table_schema, table_name)
       WHERE table_schema = 'public' AND column_name = 'account_id' AND table_type = 'BASE TABLE'
         AND table_name !~ '_(default|[0-9]{4}_[0-9]{2})$'`,
    );
    const left: string[] = [];
    for (const { name } of columns)
      if ((await bed.database.sql(`SELECT 1 FROM ${name} WHERE account_id = $1 LIMIT 1`, [id])).length > 0)
        left.push(name);
    expect(left.toSorted()).toEqual([
      'audit_entries',
      'batches',
      'checkout_sessions',
      'credit_accounts',
      'daily_counts',
      'delivery_days',
      'inbound_messages',
      'ledger_entries',
      'messages',
      'payments',
    ]);
  });

  it('keeps amounts, the ledger and the balance under the account’s id', async () => {
    const before = await moneyOf(bed.database, id);
    expect(await core.get(AccountErasure).erase(traces.email, 'asked for it')).toEqual({
      id,
      deleted: true,
      creditsLeft: before.balance,
    });
    expect(await moneyOf(bed.database, id)).toEqual(before);
    expect((await core.get(Messages).checkCharges()).mismatches).toBe(0);
  });

  it('records the reason, and lets the address create a new account', async () => {
    await core.get(AccountErasure).erase(traces.email, 'asked for it');
    const [entry] = await core.get(AuditLog).list({ accountId: id, beforeId: undefined, entriesMax: 1 });
    expect(entry).toMatchObject({ actor: 'operator', action: 'account.deleted', details: { why: 'asked for it' } });
    expect(await codeOf(core.get(Accounts).show(traces.email))).toBe('account_not_found');
    const again = await core.get(Accounts).create({ email: traces.email, displayName: '', signInType: 'google' });
    expect(again.id).not.toBe(id);
  });

  it('rejects the erasure while a message is in progress, and changes nothing', async () => {
    await bed.database.sql(`UPDATE messages SET status = 'sent' WHERE account_id = $1`, [id]);
    expect(await codeOf(core.get(AccountErasure).erase(traces.email, 'asked for it'))).toBe('account_busy');
    expect((await core.get(Accounts).show(traces.email)).blockedAt).toBeNull();
    expect(await tablesWith(traces.sentText)).toContain('messages');
    await bed.database.sql(`UPDATE messages SET status = 'delivered' WHERE account_id = $1`, [id]);
  });

  it('can be repeated after an interruption', async () => {
    await bed.database.sql(`UPDATE accounts SET blocked_at = now() WHERE id = $1`, [id]);
    await bed.database.sql(`DELETE FROM api_keys WHERE account_id = $1`, [id]);
    expect(await core.get(AccountErasure).erase(traces.email, 'asked for it')).toMatchObject({ deleted: true });
  });
});
