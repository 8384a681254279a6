import { randomUUID } from 'node:crypto';
import type { Notification } from '#contract/notifications.js';
import { notificationsAnswer } from '#contract/notifications.js';
import { AccountDeletion } from '#core/accounts/account-deletion.js';
import { Accounts } from '#core/accounts/accounts.js';
import { Credits } from '#core/credits/credits.js';
import { NamedKeys } from '#core/keys/named-keys.js';
import { newMessageId } from '#core/rules/ids.js';
import { createTestAccount, type TestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { WebhookEndpoints } from '#core/webhooks/endpoints/webhook-endpoints.js';
import { Postgres } from '#core/platform/database/postgres.js';
import { TestBrowser } from '../testing/browser.js';
import { createTestServer, type TestServer } from '../testing/test-server.js';

const PATH = '/api/notifications';

describe('/api/notifications', () => {
  let bed: TestBed;
  let server: TestServer;
  let account: TestAccount;
  let neighbor: TestAccount;

  beforeAll(async () => {
    bed = await createTestBed();
    server = await createTestServer(bed.config());
  });

  beforeEach(async () => {
    [account, neighbor] = await Promise.all([createTestAccount(server), createTestAccount(server)]);
  });

  afterEach(async () => {
    expect(await list(neighbor.apiKey)).toEqual([]);
  });

  afterAll(async () => {
    await server?.close();
    await bed?.remove();
  });

  const sql = (text: string, ...values: unknown[]) => bed.database.sql(text, [account.id, ...values]);
  const ask = (apiKey: string) => server.inject({ url: PATH, headers: { authorization: `Bearer ${apiKey}` } });
  const list = async (apiKey = account.apiKey): Promise<readonly Notification[]> => {
    const answer = await ask(apiKey);
    expect(answer.statusCode).toBe(200);
    return notificationsAnswer.parse(answer.json()).notifications;
  };
  const codes = async () => (await list()).map(({ code }) => code);
  const only = async (): Promise<Notification> => {
    const [one, ...others] = await list();
    expect(others).toEqual([]);
    if (!one) throw new Error('Nothing needs attention');
    return one;
  };
  const setUrl = (url: string) => server.get(WebhookEndpoints).setUrl(account.id, url);
  /** A delivery whose last call had this outcome. */
  const failedDelivery = async (status: number | null, error: string | null) => {
    const id = newMessageId();
    await sql(
      `INSERT INTO webhook_deliveries (id, account_id, type, source_id, body, status, attempts, failures, due_at)
       VALUES ($2, $1, 'message.received', $3, '{}', 'waiting', 1, 1, now() + interval '1 hour')`,
      id,
      randomUUID(),
    );
    await sql(
      `INSERT INTO webhook_attempts (id, delivery_id, account_id, started_at, duration_ms, status, answer, error)
       VALUES ($2, $3, $1, now(), 5, $4, '', $5)`,
      newMessageId(),
      id,
      status,
      error,
    );
  };
  const topUpSettings = (settings: string) =>
    sql(
      `INSERT INTO auto_top_ups (account_id, customer_id, payment_method_id, card_last4, enabled)
       VALUES ($1, $1::uuid::text, 'pm', '4242', true)`,
    ).then(() => sql(`UPDATE auto_top_ups SET ${settings} WHERE account_id = $1`));
  const charge = (status: string, reason: string | null = null) =>
    sql(
      `INSERT INTO top_ups (id, account_id, pack, credits, amount_cents, status, customer_id, payment_method_id,
         card_last4, reason, finished_at)
       VALUES ($2, $1, 'basic', 250, 1000, $3, 'cus', 'pm', '4242', $4,
         CASE WHEN $3 NOT IN ('pending', 'action_required') THEN now() END)`,
      newMessageId(),
      status,
      reason,
    );

  it('is empty for an account in which everything works', async () => {
    expect(await list()).toEqual([]);
  });

  it('names a webhook that fails, with its last failure and what waits, until it works again', async () => {
    await setUrl('https://example.com/sms');
    await sql(`UPDATE webhook_endpoints SET failing_since = now() - interval '5 minutes' WHERE account_id = $1`);
    await failedDelivery(500, null);
    expect(await only()).toMatchObject({
      code: 'webhook_failing',
      severity: 'critical',
      message: 'Your webhook is failing: HTTP 500. 1 webhook waits.',
      url: 'https://pennytext.test/dashboard/webhook',
      figures: { http_status: 500, waiting: 1 },
    });
    await failedDelivery(null, 'The connection was refused.');
    expect((await only()).message).toBe('Your webhook is failing: connection refused. 2 webhooks wait.');
    await sql('UPDATE webhook_endpoints SET failing_since = NULL WHERE account_id = $1');
    expect(await list()).toEqual([]);
  });

  it('names a webhook that is turned off, and the same one no longer as failing', async () => {
    await setUrl('https://example.com/sms');
    await sql(
      `UPDATE webhook_endpoints SET failing_since = now() - interval '5 days', disabled_at = now(),
         disabled_reason = 'failing' WHERE account_id = $1`,
    );
    expect(await only()).toMatchObject({ code: 'webhook_off', figures: { reason: 'failing' } });
    await server.get(WebhookEndpoints).enable(account.id, 'account');
    expect(await list()).toEqual([]);
  });

  it('has another id when the webhook fails for another time', async () => {
    await setUrl('https://example.com/sms');
    const fail = (minutes: number) =>
      sql(
        'UPDATE webhook_endpoints SET failing_since = now() - make_interval(mins => $2) WHERE account_id = $1',
        minutes,
      );
    await fail(5);
    const { id } = await only();
    expect((await only()).id).toBe(id);
    await fail(1);
    expect((await only()).id).not.toBe(id);
  });

  it('names 0 credits, and credits that are frozen, until there are some to spend', async () => {
    const { id } = await createTestAccount(server, { credits: 0 });
    const empty = (await TestBrowser.signedIn(server, id)).get;
    const inDashboard = async () =>
      notificationsAnswer.parse((await empty('/api/dashboard/notifications')).json()).notifications;
    expect(await inDashboard()).toMatchObject([
      { code: 'credits_empty', message: expect.stringContaining('You have 0 credits') },
    ]);
    await server
      .get(Postgres)
      .transaction((tx) =>
        server.get(Credits).post(tx, [{ accountId: id, amount: 5, kind: 'redeem', sourceId: randomUUID() }]),
      );
    expect(await inDashboard()).toEqual([]);
    await bed.database.sql('UPDATE credit_accounts SET frozen = balance WHERE account_id = $1', [id]);
    expect(await inDashboard()).toMatchObject([
      { code: 'credits_empty', message: expect.stringContaining('5 credits are frozen') },
    ]);
  });

  it('names a balance below the threshold of an alert that is on', async () => {
    await sql('INSERT INTO webhook_endpoints (account_id, low_credits, low_credits_mail) VALUES ($1, 101, false)');
    expect(await list()).toEqual([]);
    await sql('UPDATE webhook_endpoints SET low_credits_mail = true WHERE account_id = $1');
    expect(await only()).toMatchObject({
      code: 'credits_low',
      message: '100 credits left, fewer than your threshold of 101.',
      figures: { available: 100, threshold: 101, days_left: null },
    });
    await sql('UPDATE webhook_endpoints SET low_credits = 100 WHERE account_id = $1');
    expect(await list()).toEqual([]);
  });

  it('names a balance that lasts for fewer than three days at the rate of the last week', async () => {
    const spend = (credits: number, days: number) =>
      sql(
        `WITH spent AS (
           UPDATE credit_accounts SET balance = balance - $2, used = used + $2, ledger_count = ledger_count + 1
           WHERE account_id = $1 RETURNING balance, ledger_count
         )
         INSERT INTO ledger_entries (account_id, number, amount, balance_after, kind, source_id, created_at)
         SELECT $1, ledger_count, -$2::bigint, balance, 'message', gen_random_uuid()::text,
           now() - make_interval(days => $3) FROM spent`,
        credits,
        days,
      );
    await sql(`UPDATE ledger_entries SET created_at = now() - interval '40 days' WHERE account_id = $1`);
    await spend(35, 35);
    await spend(9, 20);
    expect(await list()).toEqual([]);
    // 42 credits in 7 days are 6 a day; 14 are left.
    await spend(42, 3);
    expect(await only()).toMatchObject({ code: 'credits_low', figures: { available: 14, days_left: 2 } });
    await sql('UPDATE credit_accounts SET balance = balance + 4, purchased = purchased + 4 WHERE account_id = $1');
    await sql(
      `INSERT INTO ledger_entries (account_id, number, amount, balance_after, kind, source_id)
       VALUES ($1, 5, 4, 18, 'redeem', gen_random_uuid()::text)`,
    );
    await sql('UPDATE credit_accounts SET ledger_count = 5 WHERE account_id = $1');
    expect(await list()).toEqual([]);
  });

  it('names a suspension from sending until it is lifted', async () => {
    await sql('INSERT INTO delivery_suspensions (account_id, recipients, undelivered) VALUES ($1, 60, 40)');
    expect(await only()).toMatchObject({
      code: 'sending_suspended',
      message: 'Sending is suspended: of 60 recipients within 24 hours, 40 were not reached.',
    });
    await sql(`UPDATE delivery_suspensions SET lifted_at = now(), lifted_by = 'account' WHERE account_id = $1`);
    expect(await list()).toEqual([]);
  });

  it('names messages that are filtered, if they are many', async () => {
    const ended = (reason: string, messages: number, daysAgo: number) =>
      sql(
        `INSERT INTO delivery_days (account_id, day, country, key_id, reason, messages)
         VALUES ($1, (now() AT TIME ZONE 'America/New_York')::date - $4::int, 'US',
           '00000000-0000-0000-0000-000000000000', $2, $3)
         ON CONFLICT (account_id, day, country, key_id, reason) DO UPDATE SET messages = excluded.messages`,
        reason,
        messages,
        daysAgo,
      );
    await ended('', 50, 0);
    await ended('30007', 40, 2);
    await ended('30007', 9, 0);
    expect(await list()).toEqual([]);
    await ended('30007', 10, 0);
    expect(await only()).toMatchObject({ code: 'messages_filtered', figures: { filtered: 10, messages: 60 } });
    await ended('', 91, 0);
    expect(await list()).toEqual([]);
  });

  it('names a key from four fifths of its budget on, as critical once it is used up', async () => {
    const { id } = await server.get(NamedKeys).create(
      { actor: 'account', accountId: account.id },
      {
        name: 'Shop',
        mode: 'live',
        scopes: ['send'],
        addresses: [],
        countries: [],
        creditsPerDay: 10,
        creditsPerMonth: 1_000,
        messagesPerSecond: null,
        expiresAt: null,
      },
    );
    const spend = (credits: number, on = 'now()') =>
      sql(
        `UPDATE api_keys SET spent_on = (${on} AT TIME ZONE 'America/New_York')::date, spent_that_day = $2,
           spent_that_month = $2 WHERE account_id = $1 AND name = 'Shop'`,
        credits,
      );
    await spend(7);
    expect(await list()).toEqual([]);
    await spend(8);
    const close = await only();
    expect(close).toMatchObject({
      code: 'key_budget',
      severity: 'warning',
      message: 'The key “Shop” has used 8 of its 10 credits for this day.',
      figures: { key_id: id, period: 'day', budget: 10, spent: 8 },
    });
    await spend(10);
    expect(await only()).toMatchObject({
      severity: 'critical',
      message: expect.stringMatching(/messages are refused\.$/),
    });
    expect((await only()).id).not.toBe(close.id);
    await spend(10, `(now() - interval '40 days')`);
    expect(await list()).toEqual([]);
  });

  it('names a payment in dispute, and the pause of automatic top-up that it causes', async () => {
    await sql(
      `INSERT INTO checkout_sessions (session_id, account_id, pack, credits, amount_cents)
       VALUES ('cs' || $1::uuid::text, $1, 'basic', 50, 300)`,
    );
    await sql(
      `INSERT INTO payments (account_id, session_id, amount_cents, credits, method, disputed_at, credits_disputed)
       VALUES ($1, 'cs' || $1::uuid::text, 300, 50, 'x', now(), 50)`,
    );
    await topUpSettings('threshold = 1');
    await server.get(Postgres).transaction((tx) => server.get(Accounts).flag(tx, account.id, 'Payment is disputed'));
    expect(await codes()).toEqual(['payment_disputed', 'top_up_paused']);
    await sql('UPDATE payments SET credits_disputed = 0, disputed_at = NULL WHERE account_id = $1');
    await server.get(Postgres).transaction((tx) => server.get(Accounts).clearFlag(tx, account.id, 'Payment'));
    expect(await list()).toEqual([]);
  });

  it.each([
    ['top_up_declined', 'failures = 1, retry_at = now()', 'declined', /^Your card ending in 4242 was declined: /],
    [
      'top_up_off',
      `enabled = false, off_reason = 'declined'`,
      'declined',
      /^Your card ending in 4242 was declined several/,
    ],
    ['top_up_confirm', 'threshold = 1', 'action_required', /^Your bank asks you to confirm/],
    ['top_up_limit', 'threshold = 101, per_month_max = 1', 'paid', /^This month’s automatic top-up is used up/],
  ])('names %s until the customer changes the settings', async (code, settings, status, message) => {
    await topUpSettings(settings);
    await charge(status, 'insufficient_funds');
    expect(await only()).toMatchObject({ code, message: expect.stringMatching(message) });
    await sql(`UPDATE top_ups SET status = 'paid', finished_at = now() WHERE account_id = $1`);
    await sql(
      `UPDATE auto_top_ups SET enabled = true, failures = 0, retry_at = NULL, off_reason = NULL, threshold = 1
       WHERE account_id = $1`,
    );
    expect(await list()).toEqual([]);
  });

  it('names the deletion of the account until it is canceled', async () => {
    const deletion = server.get(AccountDeletion);
    await deletion.request({ accountId: account.id, email: account.email });
    const { code, since, figures } = await only();
    expect(code).toBe('account_deletion');
    expect(Date.parse(String(figures['delete_at'])) - Date.parse(since ?? '')).toBe(7 * 86_400_000);
    await deletion.cancel(account.id);
    expect(await list()).toEqual([]);
  });

  it('names a welcome email that could not be sent', async () => {
    await sql(
      `INSERT INTO mails (account_id, kind, source_id, recipient, content, status)
       VALUES ($1, 'welcome', $1::uuid::text, 'a@example.com', '{}', 'failed')`,
    );
    expect(await codes()).toEqual(['welcome_email_failed']);
    await sql(`UPDATE mails SET status = 'sent' WHERE account_id = $1`);
    expect(await list()).toEqual([]);
  });

  it('puts the critical ones first', async () => {
    await setUrl('https://example.com/sms');
    await server.get(AccountDeletion).request({ accountId: account.id, email: account.email });
    await sql('UPDATE webhook_endpoints SET failing_since = now() WHERE account_id = $1');
    expect(await codes()).toEqual(['webhook_failing', 'account_deletion']);
  });

  it('shows the same in the dashboard, to a signed-in person alone', async () => {
    await server.get(AccountDeletion).request({ accountId: account.id, email: account.email });
    const browser = await TestBrowser.signedIn(server, account.id);
    const shown = notificationsAnswer.parse((await browser.get('/api/dashboard/notifications')).json());
    expect(shown.notifications).toEqual(await list());
    expect((await new TestBrowser(server).get('/api/dashboard/notifications')).statusCode).toBe(401);
  });

  it('shows a test key an example, whatever the account needs', async () => {
    await server.get(AccountDeletion).request({ accountId: account.id, email: account.email });
    const answer = notificationsAnswer.parse((await ask(`${account.apiKey}_test`)).json());
    expect(answer).toMatchObject({ test: true, notifications: [{ code: 'webhook_failing' }] });
  });
});
