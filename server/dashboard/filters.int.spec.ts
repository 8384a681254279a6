import { limits } from '#contract/limits.js';
import { savedFiltersAnswer, type SavedFilter } from '#contract/dashboard.js';
import { AccountErasure } from '#core/accounts/account-erasure.js';
import { createTestAccount, type TestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { TestBrowser } from '../testing/browser.js';
import { createTestServer, type TestServer } from '../testing/test-server.js';

const PATH = '/api/dashboard/filters';
const NO_ID = '00000000-0000-4000-8000-000000000000';

describe('/api/dashboard/filters', () => {
  let bed: TestBed;
  let server: TestServer;
  let account: TestAccount;
  let browser: TestBrowser;

  beforeAll(async () => {
    bed = await createTestBed();
    server = await createTestServer(bed.config());
  });

  beforeEach(async () => {
    account = await createTestAccount(server);
    browser = await TestBrowser.signedIn(server, account.id);
  });

  afterAll(async () => {
    await server?.close();
    await bed?.remove();
  });

  const filtersOf = (answer: { statusCode: number; json: () => unknown }): SavedFilter[] => {
    expect(answer.statusCode).toBe(200);
    return savedFiltersAnswer.strict().parse(answer.json()).filters;
  };
  const list = async (view = 'sent', of = browser) => filtersOf(await of.get(`${PATH}?view=${view}`));
  const save = (fields: object = {}, of = browser) =>
    of.call('POST', PATH, { view: 'sent', name: 'Failures', query: 'status=failed', ...fields });
  const codeOf = async (call: Promise<{ statusCode: number; json: <T>() => T }>) => {
    const answer = await call;
    return [answer.statusCode, answer.json<{ code: string }>().code];
  };

  it('saves filters by name for one view, renames them, gives them other filters, and deletes them', async () => {
    expect(await list()).toEqual([]);
    const [saved] = filtersOf(await save());
    expect(saved).toEqual({ id: expect.any(String), name: 'Failures', query: 'status=failed' });
    expect([await list('sent'), await list('received')]).toEqual([[saved], []]);
    const path = `${PATH}/${saved?.id}`;
    expect(filtersOf(await browser.call('PUT', path, { name: 'Lost' }))).toEqual([{ ...saved, name: 'Lost' }]);
    const other = { ...saved, name: 'Lost', query: 'status=undelivered&days=7' };
    expect(filtersOf(await browser.call('PUT', path, { query: other.query }))).toEqual([other]);
    expect(filtersOf(await browser.call('DELETE', path))).toEqual([]);
  });

  it.each([
    ['80 characters', 'n'.repeat(limits.savedFilterNameCharactersMax)],
    ['a text from right to left', 'הודעות שנכשלו'],
    ['emoji', '👨‍👩‍👧 failures 🎉'],
  ])('takes a name of %s as it is', async (_title, name) => {
    expect(filtersOf(await save({ name }))).toMatchObject([{ name }]);
  });

  it('takes a name whose letters are composed in another way for the same name', async () => {
    expect(filtersOf(await save({ name: 'Cafe\u0301' }))).toMatchObject([{ name: 'Caf\u00e9' }]);
    expect(await codeOf(save({ name: 'Caf\u00e9' }))).toEqual([409, 'filter_name_taken']);
  });

  it.each([
    ['without a name', { name: ' ' }],
    ['with a name of 81 characters', { name: 'n'.repeat(limits.savedFilterNameCharactersMax + 1) }],
    ['with a name of two lines', { name: 'a\nb' }],
    ['of no view', { view: 'home' }],
    ['without filters', { query: '' }],
    ['that are too long', { query: 'q'.repeat(limits.savedFilterQueryCharactersMax + 1) }],
  ])('refuses filters %s', async (_title, fields) => {
    expect(await codeOf(save(fields))).toEqual([400, 'invalid_request']);
    expect(await list()).toEqual([]);
  });

  it('keeps names unique within a view, also when two tabs save at once', async () => {
    const answers = await Promise.all([save(), save({ query: 'status=sent' })]);
    expect(answers.map(({ statusCode }) => String(statusCode)).sort()).toEqual(['200', '409']);
    expect(await list()).toHaveLength(1);
    expect(await codeOf(save())).toEqual([409, 'filter_name_taken']);
    filtersOf(await save({ view: 'received' }));
    const second = filtersOf(await save({ name: 'Other' })).find(({ name }) => name === 'Other');
    const path = `${PATH}/${second?.id}`;
    expect(await codeOf(browser.call('PUT', path, { name: 'Failures' }))).toEqual([409, 'filter_name_taken']);
    expect(filtersOf(await browser.call('PUT', path, { name: 'Other' }))).toHaveLength(2);
  });

  it('has a limit for each view, also for many at once', async () => {
    for (let n = 1; n < limits.savedFiltersMax; n += 1) filtersOf(await save({ name: `Filter ${n}` }));
    const answers = await Promise.all(['a', 'b', 'c'].map((name) => codeOf(save({ name }))));
    expect(answers.filter(([status]) => status === 200)).toHaveLength(1);
    expect(answers.filter(([, code]) => code === 'filter_limit')).toHaveLength(2);
    filtersOf(await save({ view: 'ledger' }));
  });

  it('belongs to one account, and to its sessions', async () => {
    const [saved] = filtersOf(await save());
    const other = await TestBrowser.signedIn(server, (await createTestAccount(server)).id);
    expect(await list('sent', other)).toEqual([]);
    for (const id of [saved?.id, NO_ID, 'x'])
      for (const method of ['PUT', 'DELETE'] as const)
        expect(await codeOf(other.call(method, `${PATH}/${id}`, { name: 'Mine' }))).toEqual([404, 'filter_not_found']);
    expect(await list()).toEqual([saved]);
    expect((await new TestBrowser(server).get(`${PATH}?view=sent`)).statusCode).toBe(401);
  });

  it('is not found once another tab has deleted it', async () => {
    const [saved] = filtersOf(await save());
    filtersOf(await browser.call('DELETE', `${PATH}/${saved?.id}`));
    expect(await codeOf(browser.call('DELETE', `${PATH}/${saved?.id}`))).toEqual([404, 'filter_not_found']);
    expect(await codeOf(browser.call('PUT', `${PATH}/${saved?.id}`, { name: 'New' }))).toEqual([
      404,
      'filter_not_found',
    ]);
  });

  it('is exported and erased with the account', async () => {
    filtersOf(await save());
    const exported = (await browser.get('/api/dashboard/export')).json<{ savedFilters: object[] }>();
    expect(exported.savedFilters).toEqual([
      { view: 'sent', name: 'Failures', query: 'status=failed', createdAt: expect.any(String) },
    ]);
    await server.get(AccountErasure).erase(account.email, 'test');
    expect(await bed.database.sql('SELECT 1 FROM saved_filters WHERE account_id = $1', [account.id])).toEqual([]);
  });
});
