import { DomainError } from '../platform/errors/domain-error.js';
import { moneyFaults, moneyOf } from '../testing/money.js';
import { plantMessages } from '../testing/planted-messages.js';
import { createTestAccount, type TestAccount } from '../testing/test-accounts.js';
import { createTestBed, type TestBed } from '../testing/test-bed.js';
import { createTestCore, type TestCore } from '../testing/test-core.js';
import { Messages } from '../messages/history/messages.js';
import { AccountErasure } from './account-erasure.js';

const PERSON = '+14155552699';
const OTHER = '+14155552600';

describe('AccountErasure.eraseRecipient', () => {
  let bed: TestBed;
  let core: TestCore;
  let account: TestAccount;

  beforeAll(async () => {
    bed = await createTestBed();
    core = await createTestCore(bed.config());
  });

  beforeEach(async () => {
    account = await createTestAccount(core);
  });

  afterEach(async () => {
    expect(await moneyFaults(bed.database)).toEqual([]);
  });

  afterAll(async () => {
    await core?.close();
    await bed?.remove();
  });

  const erase = (number = PERSON) => core.get(AccountErasure).eraseRecipient(account.email, number);
  const sql = (text: string, values: unknown[]) => bed.database.sql(text, values);
  const messages = () =>
    sql('SELECT recipient, body FROM messages WHERE account_id = $1 ORDER BY number', [account.id]);

  /** Rows about the person in every table that can hold the number. */
  async function leaveTraces(): Promise<void> {
    await sql(
      `WITH counted AS (UPDATE credit_accounts SET received_count = 1 WHERE account_id = $1)
       INSERT INTO inbound_messages (id, account_id, number, carrier_id, sender, recipient, body, segments,
         credits, status)
       VALUES (gen_random_uuid(), $1, 1, 'SM1', $2, '+15005550006', 'Hi', 1, 0, 'held')`,
      [account.id, PERSON],
    );
    await sql(`INSERT INTO conversations (account_id, recipient, sender) VALUES ($1, $2, '+15005550006')`, [
      account.id,
      PERSON,
    ]);
    await sql(
      `INSERT INTO otp_codes (id, account_id, recipient, code_hash, digits, state, expires_at, ended_at, forget_at)
       VALUES (gen_random_uuid(), $1, $2, sha256('x'), 6, 'used', now(), now(), now() + interval '1 day')`,
      [account.id, PERSON],
    );
    await sql(
      `WITH delivery AS (
         INSERT INTO webhook_deliveries (id, account_id, type, source_id, body, status, finished_at)
         VALUES ($1::uuid, $1::uuid, 'message.received', $1::uuid::text, $2, 'delivered', now())
       )
       INSERT INTO webhook_attempts (id, delivery_id, account_id, started_at, duration_ms, answer)
       VALUES ($1::uuid, $1::uuid, $1::uuid, now(), 1, 'ok')`,
      [account.id, `{"Sender":"${PERSON}"}`],
    );
  }

  async function tablesWith(word: string): Promise<string[]> {
    const tables = ['messages', 'inbound_messages', 'conversations', 'otp_codes', 'webhook_deliveries'];
    const found = await Promise.all(
      tables.map(async (name) => {
        const where = `account_id = $1 AND strpos(t::text, $2) > 0`;
        return (await sql(`SELECT 1 FROM ${name} t WHERE ${where}`, [account.id, word])).length > 0 ? [name] : [];
      }),
    );
    return found.flat();
  }

  it('erases the person’s number and texts, and no other person’s; the ledger stays', async () => {
    await leaveTraces();
    await sql(
      `UPDATE inbound_messages SET status = 'received', credits = 1, received_at = now() WHERE account_id = $1`,
      [account.id],
    );
    await plantMessages(bed.database, account.id, [
      { recipient: PERSON, body: 'Private' },
      { recipient: OTHER, body: 'Other' },
    ]);
    const stranger = await createTestAccount(core);
    await plantMessages(bed.database, stranger.id, [{ recipient: PERSON, body: 'Of another account' }]);
    const before = await moneyOf(bed.database, account.id);
    expect(await tablesWith(PERSON)).toHaveLength(5);
    expect(await erase('(415) 555-2699')).toEqual({
      id: account.id,
      erased: { messages: 1, replies: 1, codes: 1, webhooks: 1 },
      inProgress: { messages: 0, replies: 0, codes: 0, webhooks: 0 },
    });
    expect(await tablesWith(PERSON)).toEqual([]);
    expect(await messages()).toEqual([
      { recipient: '', body: '' },
      { recipient: OTHER, body: 'Other' },
    ]);
    expect(await sql('SELECT body FROM messages WHERE account_id = $1', [stranger.id])).toEqual([
      { body: 'Of another account' },
    ]);
    expect(await sql('SELECT 1 FROM webhook_attempts WHERE account_id = $1', [account.id])).toEqual([]);
    expect(await moneyOf(bed.database, account.id)).toEqual(before);
    expect((await core.get(Messages).checkCharges()).mismatches).toBe(0);
    await sql('DELETE FROM inbound_messages WHERE account_id = $1', [account.id]);
    await sql('UPDATE credit_accounts SET received_count = 0 WHERE account_id = $1', [account.id]);
  });

  it('leaves what is in progress and counts it, until it has ended', async () => {
    await leaveTraces();
    await sql(`UPDATE webhook_deliveries SET status = 'pending', finished_at = NULL WHERE account_id = $1`, [
      account.id,
    ]);
    await sql(
      `UPDATE otp_codes SET state = 'live', ended_at = NULL, expires_at = now() + interval '1 minute'
        WHERE account_id = $1`,
      [account.id],
    );
    await plantMessages(bed.database, account.id, [{ recipient: PERSON, body: 'Under way', status: 'sent' }]);
    expect(await erase()).toMatchObject({
      erased: { messages: 0, replies: 0, codes: 0, webhooks: 0 },
      inProgress: { messages: 1, replies: 1, codes: 1, webhooks: 1 },
    });
    expect(await messages()).toEqual([{ recipient: PERSON, body: 'Under way' }]);
    await sql(`UPDATE messages SET status = 'delivered' WHERE account_id = $1`, [account.id]);
    expect(await erase()).toMatchObject({ erased: { messages: 1 }, inProgress: { messages: 0 } });
    expect(await erase()).toMatchObject({ erased: { messages: 0 } });
  });

  it('finds a number in any of many webhooks', async () => {
    await sql(
      `INSERT INTO webhook_deliveries (id, account_id, type, source_id, body, status, finished_at)
       SELECT gen_random_uuid(), $1, 'message.sent', gen_random_uuid()::text,
         CASE WHEN n IN (1, 2500) THEN $2 ELSE '{}' END, 'delivered', now()
       FROM generate_series(1, 2500) AS n`,
      [account.id, `{"to":"${PERSON}"}`],
    );
    expect(await erase()).toMatchObject({ erased: { webhooks: 2 } });
    expect(await sql('SELECT 1 FROM webhook_deliveries WHERE account_id = $1', [account.id])).toHaveLength(2_498);
  });

  it.each([
    ['', 'invalid_request'],
    ['anybody', 'invalid_request'],
  ])('rejects %j, which is no number', async (number, code) => {
    const failure = await erase(number).catch((error: unknown) => error);
    expect(failure instanceof DomainError && failure.code).toBe(code);
  });
});
