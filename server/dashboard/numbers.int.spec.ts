import type { AvailableNumbersAnswer, NumberAnswer, NumberBoughtAnswer, NumbersAnswer } from '#contract/numbers.js';
import { type FakeNumberCarrier, useFakeNumbers } from '#core/testing/fake-number-carrier.js';
import { moneyFaults } from '#core/testing/money.js';
import { hasPaid } from '#core/testing/paid.js';
import { createTestAccount, type TestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { TestBrowser } from '../testing/browser.js';
import { createTestServer, type TestServer } from '../testing/test-server.js';

const NUMBERS = '/api/dashboard/numbers';
const POOLS = '/api/dashboard/pools';

describe('the numbers of the dashboard', () => {
  let bed: TestBed;
  let server: TestServer;
  let carrier: FakeNumberCarrier;
  let account: TestAccount;
  let browser: TestBrowser;
  let made = 0;

  beforeAll(async () => {
    bed = await createTestBed();
    server = await createTestServer(bed.config());
    carrier = useFakeNumbers(server);
  });

  beforeEach(async () => {
    account = await createTestAccount(server, { credits: 200 });
    await hasPaid(bed.database, account.id);
    browser = await TestBrowser.signedIn(server, account.id);
  });

  afterEach(async () => {
    expect(await moneyFaults(bed.database)).toEqual([]);
  });

  afterAll(async () => {
    await server?.close();
    await bed?.remove();
  });

  const newNumber = () => `+1212434${1_000 + (made += 1)}`;
  const buy = async (body: object = {}) =>
    (await browser.call('POST', NUMBERS, { number: newNumber(), ...body })).json<NumberBoughtAnswer>();
  const list = async (query = '') => (await browser.get(`${NUMBERS}${query}`)).json<NumbersAnswer>();

  it('are searched, bought, shown, changed and released', async () => {
    const number = newNumber();
    const capabilities = { sms: true, mms: false };
    carrier.available = [{ number, country: 'US', locality: 'New York, NY', capabilities }];
    const found = (await browser.get(`${NUMBERS}/available?area_code=212`)).json<AvailableNumbersAnswer>();
    expect(found.numbers).toMatchObject([{ number, credits_per_month: 50 }]);
    const answer = await browser.call('POST', NUMBERS, { number, label: 'Shop' });
    expect([answer.statusCode, answer.json()]).toMatchObject([201, { number, status: 'active', balance: 150 }]);
    const { number_id: id } = answer.json<NumberBoughtAnswer>();
    expect(await list()).toMatchObject({ numbers: [{ number_id: id, label: 'Shop' }], numbers_max: 10 });
    const shown = (await browser.get(`${NUMBERS}/${id}`)).json<NumberAnswer>();
    expect(shown).toMatchObject({ number, traffic: { sent: 0 } });
    const changed = await browser.call('PUT', `${NUMBERS}/${id}`, { label: null, auto_renew: false });
    expect(changed.json()).toMatchObject({ label: null, auto_renew: false });
    const kept = await browser.call('DELETE', `${NUMBERS}/${id}?at=renews_at`);
    expect(kept.json()).toMatchObject({ status: 'active', auto_renew: false });
    expect((await browser.call('DELETE', `${NUMBERS}/${id}`)).json()).toMatchObject({ status: 'released' });
    expect([await list(), await list('?status=released')]).toMatchObject([
      { numbers: [] },
      { numbers: [{ number_id: id }] },
    ]);
    expect(carrier.sold.size).toBe(0);
  });

  it('are put into pools', async () => {
    const { number_id: id } = await buy();
    const put = await browser.call('PUT', POOLS, { name: 'Shop', numbers: [id] });
    expect(put.json()).toMatchObject({ name: 'Shop', default: true, numbers: [{ number_id: id, active: true }] });
    const { pool_id: poolId } = put.json<{ pool_id: string }>();
    expect((await browser.get(POOLS)).json()).toMatchObject({ pools: [{ pool_id: poolId }] });
    expect((await browser.call('DELETE', `${POOLS}/${poolId}`)).json()).toMatchObject({ deleted: true });
    expect((await browser.get(POOLS)).json()).toMatchObject({ pools: [] });
  });

  it('are bought once when an answer is lost', async () => {
    const body = { number: newNumber() };
    const send = () => browser.call('POST', NUMBERS, body, { 'sec-fetch-site': 'same-origin', 'idempotency-key': 'a' });
    const [first, again] = [await send(), await send()];
    expect([first.statusCode, again.statusCode]).toEqual([201, 201]);
    expect(again.json()).toEqual(first.json());
    expect((await list()).numbers).toHaveLength(1);
  });

  it('are another account’s business', async () => {
    const { number_id: id } = await buy();
    const pool = (await browser.call('PUT', POOLS, { name: 'Shop', numbers: [] })).json<{ pool_id: string }>();
    const other = await TestBrowser.signedIn(server, (await createTestAccount(server)).id);
    const calls = [
      other.get(`${NUMBERS}/${id}`),
      other.call('PUT', `${NUMBERS}/${id}`, { label: 'Mine' }),
      other.call('DELETE', `${NUMBERS}/${id}`),
      other.call('DELETE', `${POOLS}/${pool.pool_id}`),
      other.call('PUT', POOLS, { name: 'Mine', numbers: [id] }),
    ];
    expect((await Promise.all(calls)).map(({ statusCode }) => statusCode)).toEqual([404, 404, 404, 404, 400]);
    expect((await list()).numbers).toMatchObject([{ number_id: id, label: null, status: 'active' }]);
  });

  it('need a sign-in', async () => {
    const stranger = new TestBrowser(server);
    for (const path of [NUMBERS, `${NUMBERS}/available`, POOLS])
      expect((await stranger.get(path)).statusCode).toBe(401);
    expect((await stranger.call('POST', NUMBERS, { number: newNumber() })).statusCode).toBe(401);
  });
});
