import { AccountErasure } from '#core/accounts/account-erasure.js';
import { AuditLog } from '#core/audit/audit-log.js';
import { renderMail, type MailContent } from '#core/mail/mail-template.js';
import { plantMessages } from '#core/testing/planted-messages.js';
import { createTestAccount, type TestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { createTestCore, type TestCore } from '#core/testing/test-core.js';
import type { AccountAnswer } from '#contract/account.js';
import { limits } from '#contract/limits.js';
import { TestBrowser } from '../testing/browser.js';
import { createTestServer, type TestServer } from '../testing/test-server.js';

const ACCOUNT = '/api/dashboard/account';
const EXPORT = '/api/dashboard/export';
const DAY_MS = 86_400_000;

interface Exported {
  readonly account: { readonly email: string; readonly apiKeys: { readonly masked: string }[] };
  readonly messages: { readonly to: string; readonly message: string }[];
  readonly replies: object[];
  readonly ledger: { readonly number: number; readonly balanceAfter: number }[];
  readonly payments: object[];
  readonly complete: boolean;
}

describe('account data', () => {
  let bed: TestBed;
  let server: TestServer;
  let core: TestCore;
  let account: TestAccount;
  let browser: TestBrowser;

  beforeAll(async () => {
    bed = await createTestBed();
    server = await createTestServer(bed.config());
    core = await createTestCore(bed.config());
  });

  beforeEach(async () => {
    account = await createTestAccount(server, { credits: 3_000 });
    browser = await TestBrowser.signedIn(server, account.id);
  });

  afterAll(async () => {
    await Promise.all([server?.close(), core?.close()]);
    await bed?.remove();
  });

  const codeOf = async (call: Promise<{ statusCode: number; json: <T>() => T }>) => {
    const answer = await call;
    return [answer.statusCode, answer.json<{ code: string }>().code];
  };
  const age = () =>
    bed.database.sql(`UPDATE sessions SET authenticated_at = now() - interval '10 minutes' WHERE account_id = $1`, [
      account.id,
    ]);
  const shown = async () => (await browser.get(ACCOUNT)).json<AccountAnswer>();
  const remove = (email = account.email) => browser.call('POST', `${ACCOUNT}/delete`, { email });

  it('is exported as one JSON file with every history, and without secrets or other accounts', async () => {
    const other = await createTestAccount(server);
    await plantMessages(bed.database, other.id, [{ recipient: '+14155550199', body: 'not mine' }]);
    const texts = Array.from({ length: limits.exportBatchRowsMax + 1 }, (_, index) => ({ body: `Text "${index}"\n` }));
    await plantMessages(bed.database, account.id, texts);
    const answer = await browser.get(EXPORT);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-disposition']).toMatch(
      /^attachment; filename="pennytext-account-\d{4}-\d\d-\d\d\.json"$/,
    );
    expect(answer.headers['cache-control']).toBe('no-store');
    const exported = answer.json<Exported>();
    expect(exported.account).toMatchObject({ email: account.email, signInType: 'google' });
    expect(exported.account.apiKeys).toHaveLength(1);
    expect(exported.messages.map(({ message }) => message)).toEqual(texts.map(({ body }) => body).reverse());
    expect(exported.ledger.map(({ number }) => number)).toEqual(
      Array.from({ length: texts.length + 1 }, (_, index) => texts.length + 1 - index),
    );
    expect([exported.replies, exported.payments, exported.complete]).toEqual([[], [], true]);
    expect(answer.body).not.toContain(account.apiKey);
    expect(answer.body).not.toContain('not mine');
    const [entry] = await server.get(AuditLog).list({ accountId: account.id, beforeId: undefined, entriesMax: 1 });
    expect(entry?.action).toBe('account.exported');
  });

  it('is exported a few times an hour, and only after a fresh sign-in', async () => {
    for (let count = 0; count < limits.exportsPerHourMax; count += 1)
      expect((await browser.get(EXPORT)).statusCode).toBe(200);
    expect(await codeOf(browser.get(EXPORT))).toEqual([429, 'too_many_exports']);
    await age();
    expect(await codeOf(browser.get(EXPORT))).toEqual([403, 'sign_in_again']);
    expect((await new TestBrowser(server).get(EXPORT)).statusCode).toBe(401);
  });

  it('is not exported by a link of another site', async () => {
    for (const site of ['cross-site', 'same-site'])
      expect(await codeOf(browser.call('GET', EXPORT, undefined, { 'sec-fetch-site': site }))).toEqual([
        403,
        'cross_site',
      ]);
    expect((await browser.call('GET', EXPORT, undefined, { 'sec-fetch-site': 'none' })).statusCode).toBe(200);
  });

  it('is deleted only after a fresh sign-in and with the account’s own address', async () => {
    expect(await codeOf(remove('other@example.com'))).toEqual([400, 'email_mismatch']);
    await age();
    expect(await codeOf(remove())).toEqual([403, 'sign_in_again']);
    expect((await shown()).deleteAt).toBeNull();
  });

  it('is kept for the days of grace, in which the account works and its owner can keep it', async () => {
    const { deleteAt } = (await remove(account.email.toUpperCase())).json<AccountAnswer>();
    expect(Date.parse(deleteAt ?? '') - Date.now()).toBeGreaterThan(limits.accountDeletionGraceDays * DAY_MS - 60_000);
    expect((await remove()).json<AccountAnswer>().deleteAt).toBe(deleteAt);
    expect(await core.get(AccountErasure).eraseDue()).toBe(0);
    const sent = await server.send({ to: '+14155552671', message: 'Hello', apikey: account.apiKey });
    expect(sent.statusCode).toBe(200);
    const mails = await bed.database.sql<{ content: MailContent; recipient: string }>(
      `SELECT content, recipient FROM mails WHERE account_id = $1 AND kind = 'account_deletion'`,
      [account.id],
    );
    expect(mails).toEqual([{ content: { kind: 'account_deletion', deleteAt }, recipient: account.email }]);
    expect((await browser.call('POST', `${ACCOUNT}/keep`)).json<AccountAnswer>().deleteAt).toBeNull();
    const entries = await server.get(AuditLog).list({ accountId: account.id, beforeId: undefined, entriesMax: 2 });
    expect(entries.map(({ action }) => action)).toEqual(['account.deletion_canceled', 'account.deletion_requested']);
  });

  it('is erased once the days of grace are over; the ledger stays and a second run finds nothing', async () => {
    await plantMessages(bed.database, account.id, [{ body: 'Secret text' }]);
    await remove();
    await bed.database.sql(`UPDATE accounts SET delete_at = now() WHERE id = $1`, [account.id]);
    expect(await Promise.all([core.get(AccountErasure).eraseDue(), core.get(AccountErasure).eraseDue()])).toContain(1);
    expect(await core.get(AccountErasure).eraseDue()).toBe(0);
    expect((await browser.get('/auth/me')).statusCode).toBe(401);
    expect(
      await bed.database.sql(
        `SELECT a.email, a.delete_at, m.recipient, m.body, c.balance::int AS balance
         FROM accounts a JOIN messages m ON m.account_id = a.id
           JOIN credit_accounts c ON c.account_id = a.id WHERE a.id = $1`,
        [account.id],
      ),
    ).toEqual([
      { email: `deleted-${account.id}@deleted.invalid`, delete_at: null, recipient: '', body: '', balance: 2_999 },
    ]);
    const [entry] = await server.get(AuditLog).list({ accountId: account.id, beforeId: undefined, entriesMax: 1 });
    expect(entry).toMatchObject({ actor: 'account', action: 'account.deleted', details: { creditsLeft: 2_999 } });
  });

  it('closes the account at its end, and erases it when its last message has ended', async () => {
    await plantMessages(bed.database, account.id, [{ body: 'Secret text', status: 'sent' }]);
    await remove();
    const due = () => bed.database.sql(`UPDATE accounts SET delete_at = now() WHERE id = $1`, [account.id]);
    const body = async () =>
      (await bed.database.sql<{ body: string }>('SELECT body FROM messages WHERE account_id = $1', [account.id]))[0]
        ?.body;
    await due();
    await core.get(AccountErasure).eraseDue();
    expect(await body()).toBe('Secret text');
    expect((await browser.call('POST', `${ACCOUNT}/keep`)).statusCode).toBe(401);
    const sent = await server.send({ to: '+14155552671', message: 'Hello', apikey: account.apiKey });
    expect(sent.statusCode).toBe(401);
    await bed.database.sql(`UPDATE messages SET status = 'delivered' WHERE account_id = $1`, [account.id]);
    await due();
    await core.get(AccountErasure).eraseDue();
    expect(await body()).toBe('');
  });

  it('announces the deletion with its date and a way to keep the account', () => {
    const mail = renderMail(
      { kind: 'account_deletion', deleteAt: '2026-11-29T05:00:00.000Z' },
      'https://pennytext.test',
    );
    expect(mail.subject).toBe('Your account will be deleted');
    expect(mail.text).toContain('Deleted on: 11/29/2026, 12:00:00 AM (New York)');
    expect(mail.text).toContain('Keep my account: https://pennytext.test/dashboard/account');
    expect(mail.html).toContain('unused credits are lost');
  });
});
