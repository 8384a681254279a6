import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { creditsAnswer, ledgerAnswer, ledgerKinds, type LedgerAnswer, type LedgerKind } from '#contract/histories.js';
import { Credits, type LedgerPosting } from '#core/credits/credits.js';
import { ledgerKeySet } from '#contract/ledger-proof.js';
import { LedgerSeals } from '#core/credits/ledger-seals.js';
import { Postgres } from '#core/platform/database/postgres.js';
import { newMessageId, publicMessageId } from '#core/rules/ids.js';
import { newYorkTimestamp } from '#core/rules/time.js';
import { createTestAccount, type TestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { TestBrowser } from '../testing/browser.js';
import { createTestServer, type TestServer } from '../testing/test-server.js';

const spending = new Set<LedgerKind>(['message', 'otp', 'inbound', 'chargeback']);

describe('credits and ledger of the dashboard', () => {
  let bed: TestBed;
  let server: TestServer;
  let account: TestAccount;
  let browser: TestBrowser;

  beforeAll(async () => {
    bed = await createTestBed();
    server = await createTestServer(bed.config());
  });

  beforeEach(async () => {
    account = await createTestAccount(server, { credits: 100 });
    browser = await TestBrowser.signedIn(server, account.id);
  });

  afterAll(async () => {
    await server?.close();
    await bed?.remove();
  });

  const post = (...postings: Omit<LedgerPosting, 'accountId'>[]) =>
    server.get(Postgres).transaction((tx) =>
      server.get(Credits).post(
        tx,
        postings.map((posting) => ({ ...posting, accountId: account.id })),
      ),
    );
  const ledger = async (query = ''): Promise<LedgerAnswer> => {
    const answer = await browser.get(`/api/dashboard/ledger${query}`);
    expect(answer.statusCode).toBe(200);
    return ledgerAnswer.parse(answer.json());
  };

  it.each(['credits', 'ledger', 'ledger.csv', 'ledger.jsonl'])('need a session for %s', async (path) => {
    const answer = await new TestBrowser(server).get(`/api/dashboard/${path}`);
    expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([401, 'not_signed_in']);
  });

  it('show the totals and their last change in New York time', async () => {
    await post({ amount: -30, kind: 'inbound', sourceId: newMessageId() });
    const [row] = await bed.database.sql<{ updated_at: Date }>(
      'SELECT updated_at FROM credit_accounts WHERE account_id = $1',
      [account.id],
    );
    expect(creditsAnswer.parse((await browser.get('/api/dashboard/credits')).json())).toEqual({
      purchased: 100,
      used: 30,
      frozen: 0,
      balance: 70,
      updatedAt: newYorkTimestamp(row?.updated_at ?? new Date(0)),
      // The account is younger than what a forecast needs.
      recentUse: null,
    });
  });

  it('create a credits record that the first sign-in could not write', async () => {
    await bed.database.sql('DELETE FROM ledger_entries WHERE account_id = $1', [account.id]);
    await bed.database.sql('DELETE FROM credit_accounts WHERE account_id = $1', [account.id]);
    expect((await browser.get('/api/dashboard/credits')).json()).toMatchObject({ purchased: 3, used: 0, balance: 3 });
  });

  it('are exported with seals, which the documented script verifies by the published keys', async () => {
    await post(
      { amount: 5, kind: 'redeem', sourceId: newMessageId() },
      { amount: -2, kind: 'message', sourceId: newMessageId() },
    );
    while (await server.get(LedgerSeals).run());
    await post({ amount: 1, kind: 'adjustment', sourceId: 'late', note: 'Thanks, "Ada"' });
    const answer = await browser.get('/api/dashboard/ledger.jsonl');
    expect(answer.headers['content-type']).toBe('application/jsonl; charset=utf-8');
    expect(answer.headers['content-disposition']).toMatch(/filename="pennytext-ledger-\d{4}-\d\d-\d\d\.jsonl"/);
    const keys = await new TestBrowser(server).get('/.well-known/pennytext-ledger.json');
    expect(ledgerKeySet.parse(keys.json()).keys).toHaveLength(1);
    expect(keys.headers).toMatchObject({ 'cache-control': 'public, max-age=300', 'access-control-allow-origin': '*' });
    const folder = mkdtempSync(join(tmpdir(), 'pennytext-ledger-'));
    try {
      const [file, keyFile] = [join(folder, 'ledger.jsonl'), join(folder, 'keys.json')];
      writeFileSync(keyFile, keys.body);
      const verify = (text: string) => {
        writeFileSync(file, text);
        return spawnSync(process.execPath, ['docs/samples/verify-ledger.mjs', file, keyFile], { encoding: 'utf8' });
      };
      const { stdout, status } = verify(answer.body);
      expect([stdout.split('\n')[0], status]).toEqual([
        'Unchanged: 4 entries under 1 seals, 1 not sealed yet, balance 104.',
        0,
      ]);
      expect(verify(answer.body.replace('"amount":5', '"amount":6'))).toMatchObject({
        stderr: 'entry 2: not the one that seal 1 covers\n',
        status: 1,
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('show each entry with its source and the balance after it, newest first', async () => {
    const messageId = newMessageId();
    await post(
      { amount: 250, kind: 'purchase', sourceId: `cs_${messageId}` },
      { amount: -4, kind: 'message', sourceId: messageId },
      { amount: 4, kind: 'refund', sourceId: messageId },
      { amount: -5, kind: 'adjustment', sourceId: `adjustment ${messageId}`, note: '=why' },
    );
    const { rows, total } = await ledger();
    expect(total).toBe(5);
    expect(
      rows.map(({ kind, amount, balanceAfter, source, note }) => [kind, amount, balanceAfter, source, note]),
    ).toEqual([
      ['adjustment', -5, 345, `adjustment ${messageId}`, '=why'],
      ['refund', 4, 350, publicMessageId(messageId), null],
      ['message', -4, 346, publicMessageId(messageId), null],
      ['purchase', 250, 350, `cs_${messageId}`, null],
      ['signup', 100, 100, account.id, null],
    ]);
    expect(rows.every(({ date }) => /^\d+\/\d+\/\d{4}, \d+:\d\d:\d\d [AP]M$/.test(date))).toBe(true);
  });

  it.each(ledgerKinds)('filter by %s', async (kind) => {
    const sourceId = newMessageId();
    const postings = ledgerKinds.map((one) => ({
      amount: spending.has(one) ? -1 : 1,
      kind: one,
      sourceId: `${sourceId} ${one}`,
    }));
    await post(...postings, ...postings.map((posting) => ({ ...posting, sourceId: `${posting.sourceId} again` })));
    const found = await ledger(`?kind=${kind}`);
    expect(found.total).toBe(kind === 'signup' ? 3 : 2);
    expect(new Set(found.rows.map((row) => row.kind))).toEqual(new Set([kind]));
  });

  it('page by number, and show the last page for a later one', async () => {
    await post(...Array.from({ length: 24 }, () => ({ amount: 1, kind: 'redeem' as const, sourceId: newMessageId() })));
    expect(await ledger('?page=2')).toMatchObject({ page: 2, pages: 3, total: 25, rows: { length: 10 } });
    expect(await ledger('?page=99')).toMatchObject({ page: 3, rows: { length: 5 } });
    expect(await ledger('?kind=redeem&page=99')).toMatchObject({ page: 3, pages: 3, total: 24, rows: { length: 4 } });
  });

  it('filter by days in New York', async () => {
    await bed.database.sql(`UPDATE ledger_entries SET created_at = '2026-03-08T04:59:59Z' WHERE account_id = $1`, [
      account.id,
    ]);
    expect(await ledger('?from=2026-03-07&to=2026-03-07')).toMatchObject({ total: 1 });
    expect(await ledger('?from=2026-03-08')).toMatchObject({ total: 0 });
  });

  it('hide other accounts’ entries', async () => {
    const other = await createTestAccount(server);
    const { rows } = await ledger();
    expect(rows.map(({ source }) => source)).not.toContain(other.id);
  });

  it.each(['kind=gift', 'page=0', 'from=nonsense'])('refuse ?%s', async (query) => {
    const answer = await browser.get(`/api/dashboard/ledger?${query}`);
    expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([400, 'invalid_request']);
  });
});
