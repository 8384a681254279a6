import { activityAnswer, type ActivityDay, summaryAnswer } from '#contract/dashboard.js';
import { limits } from '#contract/limits.js';
import { Acceptance } from '#core/messages/send/acceptance.js';
import { ClaimMessages } from '#core/messages/dispatch/claim-messages.js';
import { CancelMessage } from '#core/messages/status/cancel-message.js';
import { StatusUpdates, type StatusUpdate } from '#core/messages/status/status-updates.js';
import { publicMessageId } from '#core/rules/ids.js';
import { dayAfter, newYorkDay } from '#core/rules/time.js';
import { acceptanceRow } from '#core/testing/acceptance-rows.js';
import { deliveryDayFaults } from '#core/testing/delivery-day-faults.js';
import { plantMessages } from '#core/testing/planted-messages.js';
import { createTestAccount, type TestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { createTestCore, type TestCore } from '#core/testing/test-core.js';
import { TestBrowser } from '../testing/browser.js';
import { createTestServer, type TestServer } from '../testing/test-server.js';
import { MessageActivity } from '#core/messages/history/message-activity.js';

const PATH = '/api/dashboard/activity';
const nothing = { scheduled: 0, queued: 0, sent: 0, delivered: 0, undelivered: 0, failed: 0, canceled: 0 };

describe('/api/dashboard/activity', () => {
  let bed: TestBed;
  let core: TestCore;
  let server: TestServer;
  let account: TestAccount;
  let browser: TestBrowser;

  beforeAll(async () => {
    bed = await createTestBed();
    [core, server] = await Promise.all([createTestCore(bed.config()), createTestServer(bed.config())]);
  });

  beforeEach(async () => {
    account = await createTestAccount(server, { credits: 1_000 });
    browser = await TestBrowser.signedIn(server, account.id);
  });

  afterEach(async () => {
    expect(await deliveryDayFaults(bed.database)).toEqual([]);
  });

  afterAll(async () => {
    await Promise.all([core?.close(), server?.close()]);
    await bed?.remove();
  });

  const show = async (query = ''): Promise<ActivityDay[]> => {
    const answer = await browser.get(`${PATH}${query}`);
    expect(answer.statusCode).toBe(200);
    return activityAnswer.parse(answer.json()).days;
  };
  const until = async (last: string, days: number) =>
    (await server.get(MessageActivity).show(account.id, days, new Date(`${last}T17:00:00Z`))).days;

  it('needs a session', async () => {
    const answer = await new TestBrowser(server).get(PATH);
    expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([401, 'not_signed_in']);
  });

  it.each(['0', '91', '1.5', 'all', '-7'])('rejects %s days', async (days) => {
    const answer = await browser.get(`${PATH}?days=${days}`);
    expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([400, 'invalid_request']);
  });

  it('sums the newest messages up by country, after refunds', async () => {
    const summary = async () => summaryAnswer.parse((await browser.get('/api/dashboard/summary')).json());
    expect(await summary()).toEqual({ messages: 0, delivered: 0, countries: [] });
    account = await createTestAccount(server, { credits: 2_000 });
    browser = await TestBrowser.signedIn(server, account.id);
    const delivered = Array.from({ length: limits.summaryMessagesMax }, (_, n) => (n === 1 ? { country: 'DE' } : {}));
    await plantMessages(bed.database, account.id, [...delivered, { status: 'undelivered' }]);
    const change = (changes: string, number: number) =>
      bed.database.sql(`UPDATE messages SET ${changes} WHERE account_id = $1 AND number = $2`, [account.id, number]);
    await change('credits = 5', 2);
    await change('refunded = credits', limits.summaryMessagesMax + 1);
    expect(await summary()).toEqual({
      messages: 1_000,
      delivered: 999,
      countries: [
        { country: 'US', messages: 999, credits: 998 },
        { country: 'DE', messages: 1, credits: 5 },
      ],
    });
  });

  it('returns 30 days of zeros up to today for an account without messages', async () => {
    const days = await show();
    expect(days).toHaveLength(30);
    expect(days.at(-1)).toEqual({ day: newYorkDay(new Date()), ...nothing });
    for (const [index, { day }] of days.slice(1).entries()) expect(day).toBe(dayAfter(days[index]?.day ?? ''));
    expect(await show('?days=90')).toHaveLength(90);
  });

  it('counts New York days from first to last instant, also when the clocks change', async () => {
    await plantMessages(
      bed.database,
      account.id,
      [
        '2026-10-31T03:59:59.999Z',
        '2026-10-31T04:00:00Z',
        '2026-11-01T03:59:59.999Z',
        '2026-11-01T04:00:00Z',
        '2026-11-02T04:59:59.999Z',
        '2026-11-02T05:00:00Z',
        '2026-11-03T05:00:00Z',
      ].map((at) => ({ at: new Date(at) })),
    );
    expect(await until('2026-11-02', 3)).toEqual([
      { day: '2026-10-31', ...nothing, delivered: 2 },
      { day: '2026-11-01', ...nothing, delivered: 2 },
      { day: '2026-11-02', ...nothing, delivered: 1 },
    ]);
  });

  it('counts by state, with messages on their way to the carrier as queued', async () => {
    const at = new Date('2026-06-10T12:00:00Z');
    const statuses = ['queued', 'sending', 'sent', 'delivered', 'undelivered', 'failed'] as const;
    await plantMessages(
      bed.database,
      account.id,
      statuses.flatMap((status, more) => Array.from({ length: more + 1 }, () => ({ at, status }))),
    );
    expect(await until('2026-06-10', 1)).toEqual([
      { ...nothing, day: '2026-06-10', queued: 3, sent: 3, delivered: 4, undelivered: 5, failed: 6 },
    ]);
  });

  it('adds the counts of the release before, which runs beside this one for a while', async () => {
    const at = new Date('2026-06-11T12:00:00Z');
    const statuses = ['sent', 'delivered', 'undelivered', 'failed'] as const;
    await plantMessages(
      bed.database,
      account.id,
      statuses.flatMap((status, more) => Array.from({ length: more + 1 }, () => ({ at, status }))),
    );
    const sql = (text: string) => bed.database.sql(text, [account.id]);
    await sql('UPDATE delivery_days SET sent = 0, failed = failed / 4 WHERE account_id = $1');
    await sql(`INSERT INTO message_days (account_id, day, sent, delivered, undelivered, failed, canceled)
      VALUES ($1, '2026-06-11', 1, 2, 2, 3, 5)`);
    expect(await until('2026-06-11', 1)).toEqual([
      { ...nothing, day: '2026-06-11', sent: 1, delivered: 2, undelivered: 3, failed: 4, canceled: 5 },
    ]);
    for (const table of ['message_days', 'delivery_days', 'messages'])
      await sql(`DELETE FROM ${table} WHERE account_id = $1`);
  });

  it('counts a scheduled message as scheduled until it is queued or canceled, never as queued', async () => {
    const today = async () => (await show('?days=1')).at(-1);
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);
    const rows = [35, 1, 1].map((days) =>
      acceptanceRow(core, account.apiKey, { timing: { sendAt: inDays(days), validitySeconds: null } }),
    );
    for (const row of rows) await core.get(Acceptance).decide(row);
    expect(await today()).toMatchObject({ ...nothing, scheduled: 3 });
    await core.get(CancelMessage).cancel(account.id, publicMessageId(rows[0]?.id ?? ''));
    expect(await today()).toMatchObject({ ...nothing, scheduled: 2, canceled: 1 });
    const change = (changes: string) => bed.database.sql(`UPDATE messages SET ${changes} WHERE id = $1`, [rows[1]?.id]);
    await change(`status = 'queued'`);
    expect(await today()).toMatchObject({ ...nothing, scheduled: 1, queued: 1, canceled: 1 });
    await change(`status = 'scheduled', send_at = now() - interval '2 hours'`);
    expect(await today()).toMatchObject({ ...nothing, scheduled: 2, canceled: 1 });
  });

  it("ignores other accounts' messages", async () => {
    const other = await createTestAccount(server);
    await plantMessages(bed.database, other.id, [{}]);
    expect((await show('?days=1'))[0]).toMatchObject(nothing);
  });

  it('follows a message through its states', async () => {
    const today = async () => (await show('?days=1')).at(-1);
    const row = acceptanceRow(core, account.apiKey);
    await core.get(Acceptance).decide(row);
    expect(await today()).toMatchObject({ ...nothing, queued: 1 });
    await core.get(ClaimMessages).claim(row.id);
    expect(await today()).toMatchObject({ ...nothing, queued: 1 });
    const news = (status: StatusUpdate['status']): StatusUpdate => ({
      id: row.id,
      status,
      carrierId: `SM${'2'.repeat(32)}`,
    });
    await core.get(StatusUpdates).apply(news('sent'));
    expect(await today()).toMatchObject({ ...nothing, sent: 1 });
    await core.get(StatusUpdates).apply(news('delivered'));
    await core.get(StatusUpdates).apply(news('failed'));
    expect(await today()).toMatchObject({ ...nothing, delivered: 1 });
  });
});
