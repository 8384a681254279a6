import { z } from 'zod';
import { AuditLog } from '../../audit/audit-log.js';
import type { MailContent } from '../../mail/mail-template.js';
import { Postgres } from '../../platform/database/postgres.js';
import { publicMessageId } from '../../rules/ids.js';
import { acceptanceRow } from '../../testing/acceptance-rows.js';
import { moneyFaults, moneyOf } from '../../testing/money.js';
import { plantMessages } from '../../testing/planted-messages.js';
import { createTestAccount, type TestAccount } from '../../testing/test-accounts.js';
import { createTestBed, type TestBed } from '../../testing/test-bed.js';
import { createTestCore, type TestCore } from '../../testing/test-core.js';
import { DispatchMessage } from '../dispatch/dispatch-message.js';
import { Acceptance } from '../send/acceptance.js';
import { DeliverySuspensions } from './delivery-suspensions.js';
import {
  openStatement,
  reachStatement,
  suspectsStatement,
  type Reach,
  type Suspect,
  type Suspension,
} from './delivery-suspensions.repository.js';
import { RecordReceipt } from './record-receipt.js';

const HOUR_MS = 3_600_000;

const suspectRow: z.ZodType<Suspect> = z.strictObject({ accountId: z.uuid(), undelivered: z.int() });
const reachRow: z.ZodType<Reach> = z.strictObject({ recipients: z.int(), undelivered: z.int() });
const suspensionRow: z.ZodType<Suspension> = z.strictObject({
  recipients: z.int(),
  undelivered: z.int(),
  suspendedAt: z.date(),
  isLiftUsed: z.boolean(),
});

describe('DeliverySuspensions', () => {
  let bed: TestBed;
  let core: TestCore;
  let account: TestAccount;

  beforeAll(async () => {
    bed = await createTestBed();
    core = await createTestCore(bed.config());
  });

  beforeEach(async () => {
    account = await createTestAccount(core, { credits: 1_000 });
  });

  afterAll(async () => {
    await core?.close();
    await bed?.remove();
  });

  type Status = 'sent' | 'delivered' | 'undelivered' | 'failed';
  const recipientOf = (n: number) => `+1415548${1_000 + n}`;
  /** Stores messages that the carrier took; `counts` are numbers of recipients. */
  const plant = async (counts: Partial<Record<Status, number>>, { hoursAgo = 0.01, firstRecipient = 0 } = {}) => {
    let n = firstRecipient;
    const at = new Date(Date.now() - hoursAgo * HOUR_MS);
    const messages = (Object.keys(counts) as Status[]).flatMap((status) =>
      Array.from({ length: counts[status] ?? 0 }, () => ({ status, at, recipient: recipientOf(n++) })),
    );
    await plantMessages(bed.database, account.id, messages);
    await bed.database.sql('UPDATE messages SET sent_at = created_at WHERE account_id = $1', [account.id]);
  };
  const check = () => core.get(DeliverySuspensions).check();
  const suspension = () => core.get(DeliverySuspensions).find(account.id);
  const send = async (apiKey = account.apiKey) => {
    const row = acceptanceRow(core, apiKey);
    const decision = await core.get(Acceptance).decide(row);
    return { id: row.id, outcome: decision.kind === 'refused' ? decision.code : decision.kind };
  };

  it.each<[Partial<Record<Status, number>>, boolean]>([
    [{ undelivered: 26, delivered: 24 }, true],
    [{ undelivered: 25, delivered: 25 }, false],
    [{ undelivered: 49 }, false],
    [{ undelivered: 20, failed: 6, sent: 24 }, true],
    [{ undelivered: 26, sent: 26 }, false],
  ])('suspends an account with recipients %j: %s', async (counts, isSuspended) => {
    await plant(counts);
    await check();
    expect((await suspension()) !== undefined).toBe(isSuspended);
    expect((await send()).outcome).toBe(isSuspended ? 'delivery_suspended' : 'accepted');
  });

  it('emails the customer once, also one who wants no notices', async () => {
    await bed.database.sql(`UPDATE accounts SET muted_notices = '{new_device}' WHERE id = $1`, [account.id]);
    await plant({ undelivered: 26, delivered: 24 });
    await check();
    await check();
    const mails = await bed.database.sql<{ recipient: string; content: MailContent }>(
      'SELECT recipient, content FROM mails WHERE account_id = $1',
      [account.id],
    );
    expect(mails).toEqual([
      { recipient: account.email, content: { kind: 'delivery_suspended', recipients: 50, undelivered: 26 } },
    ]);
  });

  it('counts recipients, not messages, and one who got any message as reached', async () => {
    await plant({ undelivered: 30, delivered: 20 });
    await plant({ delivered: 5 });
    await check();
    expect(await suspension()).toBeUndefined();
    await plant({ undelivered: 100 }, { firstRecipient: 29 });
    await check();
    expect(await suspension()).toMatchObject({ recipients: 129, undelivered: 104 });
  });

  it('ignores messages that are older than a day, and those that the carrier never took', async () => {
    await plant({ undelivered: 60 }, { hoursAgo: 24.5 });
    await check();
    expect(await suspension()).toBeUndefined();
    await plant({ failed: 60 });
    await bed.database.sql('UPDATE messages SET sent_at = NULL WHERE account_id = $1', [account.id]);
    await check();
    expect(await suspension()).toBeUndefined();
  });

  it('keeps test keys working and other accounts sending', async () => {
    await plant({ undelivered: 50 });
    await check();
    expect((await send(`${account.apiKey}_test`)).outcome).toBe('approved');
    expect((await send((await createTestAccount(core)).apiKey)).outcome).toBe('accepted');
  });

  it('refunds what is queued, and what is reported undelivered later', async () => {
    const [queued, left] = [await send(), await send()];
    await core.get(DispatchMessage).dispatch(left.id);
    await plant({ undelivered: 50 }, { firstRecipient: 1 });
    await check();
    await core.get(DispatchMessage).dispatch(queued.id);
    await core.get(RecordReceipt).record({
      carrier: 1,
      messageId: publicMessageId(left.id),
      carrierId: `SM${'7'.repeat(32)}`,
      status: 'undelivered',
      carrierError: 30_003,
    });
    const rows = await bed.database.sql(
      'SELECT status, error_code, refunded FROM messages WHERE id = ANY ($1::uuid[]) ORDER BY id',
      [[queued.id, left.id]],
    );
    expect(rows).toEqual([
      { status: 'failed', error_code: 'delivery_suspended', refunded: 1 },
      { status: 'undelivered', error_code: 'not_delivered', refunded: 1 },
    ]);
    expect(await moneyOf(bed.database, account.id)).toMatchObject({ balance: 950 });
    expect(await moneyFaults(bed.database)).toEqual([]);
  });

  it('is lifted by the customer once, and starts to count again from there', async () => {
    await plant({ undelivered: 50 });
    await Promise.all([check(), check()]);
    expect(await suspension()).toMatchObject({ recipients: 50, undelivered: 50, isLiftUsed: false });
    await Promise.all([1, 2].map(() => core.get(DeliverySuspensions).liftByCustomer(account.id)));
    await check();
    expect([await suspension(), (await send()).outcome]).toEqual([undefined, 'accepted']);
    await plant({ undelivered: 51 }, { hoursAgo: 0 });
    await bed.database.sql(
      `UPDATE delivery_suspensions SET lifted_at = lifted_at - interval '1 minute' WHERE account_id = $1`,
      [account.id],
    );
    await check();
    expect(await suspension()).toMatchObject({ isLiftUsed: true });
    await expect(core.get(DeliverySuspensions).liftByCustomer(account.id)).rejects.toMatchObject({ code: 'lift_used' });
    expect((await send()).outcome).toBe('delivery_suspended');
  });

  it('is lifted by the operator as often as needed, and each change is in the audit log', async () => {
    await plant({ undelivered: 50 });
    await check();
    const { email } = account;
    expect(await core.get(DeliverySuspensions).liftByOperator(email)).toEqual({ email, lifted: true });
    expect(await core.get(DeliverySuspensions).liftByOperator(email)).toEqual({ email, lifted: false });
    expect((await send()).outcome).toBe('accepted');
    const log = await core.get(AuditLog).list({ accountId: account.id, beforeId: undefined, entriesMax: 9 });
    expect(log.map(({ actor, action }) => `${actor} ${action}`)).toEqual([
      'operator delivery.resumed',
      'provider delivery.suspended',
    ]);
  });

  it('reads by statements that return rows of their types', async () => {
    await plant({ undelivered: 50 });
    const { id } = account;
    const rowsOf = (statement: { text: string }, values: unknown[]) => core.get(Postgres).query(statement, values);
    for (const row of await rowsOf(suspectsStatement, [])) suspectRow.parse(row);
    expect((await rowsOf(reachStatement, [id])).map((row) => reachRow.parse(row))).toEqual([
      { recipients: 50, undelivered: 50 },
    ]);
    await check();
    expect((await rowsOf(openStatement, [id])).map((row) => suspensionRow.parse(row))).toHaveLength(1);
  });
});
