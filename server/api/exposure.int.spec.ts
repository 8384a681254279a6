import type { NamedKeyBody } from '#contract/account.js';
import { exposureAnswer, type ExposureAnswer } from '#contract/exposure.js';
import { limits } from '#contract/limits.js';
import { regions } from '#contract/regions.js';
import { ExposureFigures } from '#core/figures/exposure-figures.js';
import { NamedKeys } from '#core/keys/named-keys.js';
import { NumberDirectory } from '#core/numbers/number-directory.js';
import { newYorkDay } from '#core/rules/time.js';
import { createTestAccount, type TestAccount } from '#core/testing/test-accounts.js';
import { hasPaid } from '#core/testing/paid.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { TestBrowser } from '../testing/browser.js';
import { createTestServer, type TestServer } from '../testing/test-server.js';

const PATH = '/api/exposure';
const DASHBOARD = '/api/dashboard/exposure';
const dearest =
  limits.messageSegmentsMax * Math.max(...regions.filter((one) => one.active).map((one) => one.creditsPerSms));

describe('/api/exposure', () => {
  let bed: TestBed;
  let server: TestServer;
  let account: TestAccount;

  beforeAll(async () => {
    bed = await createTestBed();
    server = await createTestServer(bed.config());
  });

  beforeEach(async () => {
    account = await createTestAccount(server, { credits: 400 });
  });

  afterAll(async () => {
    await server?.close();
    await bed?.remove();
  });

  const ask = (apiKey = account.apiKey) => server.inject({ url: PATH, headers: { authorization: `Bearer ${apiKey}` } });
  const show = async (apiKey?: string): Promise<ExposureAnswer> => {
    const answer = await ask(apiKey);
    expect(answer.statusCode).toBe(200);
    return exposureAnswer.parse(answer.json());
  };
  const named = (changes: Partial<NamedKeyBody> = {}, mode: 'live' | 'test' = 'live') =>
    server.get(NamedKeys).create(
      { actor: 'account', accountId: account.id },
      {
        name: 'Shop',
        mode,
        scopes: ['send', 'read'],
        addresses: [],
        countries: [],
        creditsPerDay: null,
        creditsPerMonth: null,
        messagesPerSecond: null,
        expiresAt: null,
        ...changes,
      },
    );
  /** On the last day of a month, tomorrow's budgets and top-ups are those of the next month. */
  const isMonthOver = newYorkDay(new Date()).slice(0, 7) !== newYorkDay(new Date(Date.now() + 86_400_000)).slice(0, 7);
  const topUps = isMonthOver ? 1_500 : 750;
  const set = (text: string) => bed.database.sql(`UPDATE accounts SET ${text} WHERE id = $1`, [account.id]);
  const savedTopUp = (enabled: boolean, perMonthMax = 3) =>
    bed.database.sql(
      `INSERT INTO auto_top_ups (account_id, enabled, threshold, pack, per_month_max, customer_id, payment_method_id,
         card_last4)
       VALUES ($1, $2, 50, 'basic', $3, $4, 'pm_1', '4242')
       ON CONFLICT (account_id) DO UPDATE SET enabled = excluded.enabled, per_month_max = excluded.per_month_max`,
      [account.id, enabled, perMonthMax, `cus_${account.id}`],
    );

  it('counts MMS where they are dearer than the longest text', async () => {
    const dear = await createTestServer(bed.config({ MMS_CREDITS: '75' }));
    try {
      const answer = await dear.inject({ url: PATH, headers: { authorization: `Bearer ${account.apiKey}` } });
      expect(answer.json()).toMatchObject({ credits_per_message: 75 });
      await set(`disabled_countries = '{US,CA}'`);
      const without = await dear.inject({ url: PATH, headers: { authorization: `Bearer ${account.apiKey}` } });
      expect(without.json()).toMatchObject({ credits_per_message: dearest });
    } finally {
      await dear.close();
    }
  });

  it('is the balance, by the account’s own key and by keys without budgets', async () => {
    const shop = await named();
    await named({ name: 'Test' }, 'test');
    await named({ name: 'Reader', scopes: ['read'] });
    const { id } = await named({ name: 'Expired', expiresAt: new Date(Date.now() + 60_000).toISOString() });
    await bed.database.sql(`UPDATE api_keys SET expires_at = now() - interval '1 day' WHERE id = $1`, [id]);
    expect(await show()).toMatchObject({
      credits: 400,
      bound: 'balance',
      available: 400,
      top_up_credits: 0,
      credits_per_message: dearest,
      keys: [
        { key_id: null, name: null, credits: 400 },
        { key_id: shop.id, name: 'Shop', credits: 400 },
        { name: 'Reader', credits: 0 },
      ],
    });
  });

  it('counts what budgets leave of two days, and of the month, and a webhook brings the replies too', async () => {
    const otp = { scopes: ['otp' as const] };
    await named({ name: 'Day', creditsPerDay: 30, ...otp });
    await named({ name: 'Month', creditsPerMonth: 45, ...otp });
    const { secret } = await named({ name: 'Used', creditsPerDay: 10, scopes: ['otp', 'send'] });
    await server.send({ to: '+447400123456', message: 'Hello', apikey: secret });
    await bed.database.sql(`UPDATE api_keys SET scopes = ARRAY['otp'] WHERE name = 'Used' AND account_id = $1`, [
      account.id,
    ]);
    const figures = async () =>
      (await show()).keys.filter(({ key_id: id }) => id !== null).map(({ name, credits }) => [name, credits]);
    expect(await figures()).toEqual([
      ...(isMonthOver ? [['Month', 90]] : []),
      ['Day', 60],
      ...(isMonthOver ? [] : [['Month', 45]]),
      ['Used', 17],
    ]);
    await bed.database.sql(`INSERT INTO webhook_endpoints (account_id, url) VALUES ($1, 'https://example.com/hook')`, [
      account.id,
    ]);
    expect((await figures()).map(([, credits]) => credits)).toEqual([397, 397, 397]);
  });

  it('counts the messages that the limits of two days leave, and the replies to each', async () => {
    account = await createTestAccount(server, { credits: 100_000, dailyLimit: 3 });
    await server.send({ to: '+14155552671', message: 'Hello', apikey: account.apiKey });
    await bed.database.sql('UPDATE daily_counts SET count = 1 WHERE account_id = $1', [account.id]);
    const replies = 24 * limits.chargedRepliesPerHourMax;
    expect(await show()).toMatchObject({ messages: 5, credits: 5 * (dearest + replies), bound: 'daily_limit' });
    const cheap = regions.filter(({ creditsPerSms }) => creditsPerSms > 1).map(({ iso2 }) => `'${iso2}'`);
    await set(`disabled_countries = ARRAY[${cheap.join()}]`);
    expect(await show()).toMatchObject({
      credits_per_message: 10,
      credits: 5 * (10 + replies),
      bound: 'daily_limit',
    });
  });

  it('counts the top-ups that may follow, and what turning them off leaves', async () => {
    await savedTopUp(true);
    const shown = await show();
    expect(shown).toMatchObject({ credits: 400 + topUps, top_up_credits: topUps, bound: 'balance' });
    expect(shown.switches).toEqual([
      { switch: 'top_up_off', key_id: null, text: 'Turn off automatic top-up.', credits: 400 },
    ]);
    await set('flagged_at = now()');
    expect(await show()).toMatchObject({ credits: 400, top_up_credits: 0, switches: [] });
    await set('flagged_at = NULL');
    await savedTopUp(false);
    expect(await show()).toMatchObject({ credits: 400, switches: [] });
  });

  it('leaves out what a dispute has frozen', async () => {
    await bed.database.sql('UPDATE credit_accounts SET frozen = 150 WHERE account_id = $1', [account.id]);
    expect(await show()).toMatchObject({ credits: 250, bound: 'balance', available: 250 });
    await savedTopUp(true);
    expect(await show()).toMatchObject({ credits: 250 + topUps, switches: [{ credits: 250 }] });
  });

  it('counts the numbers that keys can buy in two days, once the account has paid', async () => {
    account = await createTestAccount(server, { credits: 100_000, dailyLimit: 0 });
    expect(await show()).toMatchObject({ number_credits: 0, credits: 0 });
    await hasPaid(bed.database, account.id);
    const twoDays = 2 * limits.numberPurchasesPerDayMax * limits.numberCreditsTollFreeDefault;
    expect(await show()).toMatchObject({ number_credits: twoDays, credits: twoDays, bound: 'daily_limit' });
    const buyer = await named({ scopes: ['numbers'], creditsPerDay: 120 });
    await named({ name: 'Reader', scopes: ['read'] });
    const { keys } = await show();
    expect(keys.map(({ key_id: id, credits }) => [id, credits])).toEqual([
      [null, twoDays],
      [buyer.id, 240],
      [expect.any(String), 0],
    ]);
    await bed.database.sql(
      `INSERT INTO number_orders (id, account_id, number, carrier, credits, setup_credits, status, finished_at)
       SELECT gen_random_uuid(), $1, '+1212555' || n, 1, 50, 0, 'confirmed', now()
       FROM generate_series(1000, 1001) n`,
      [account.id],
    );
    expect(await show()).toMatchObject({ number_credits: twoDays - 2 * limits.numberCreditsTollFreeDefault });
    await set('delivery_suspended_at = now()');
    expect((await show()).credits).toBeGreaterThan(0);
    await set('blocked_at = now()');
    expect(await server.get(ExposureFigures).show(account.id)).toMatchObject({ number_credits: 0, credits: 0 });
  });

  it('counts the replies to codes from a number of the account’s own, without a webhook', async () => {
    account = await createTestAccount(server, { credits: 100_000, dailyLimit: 0 });
    await set('daily_limit = 3');
    const { id } = await named({ scopes: ['otp'] });
    const figure = async () => (await show()).keys.find((key) => key.key_id === id)?.credits;
    const codes = 6 * limits.otpCredits;
    expect(await figure()).toBe(codes);
    const number = { id, number: '+12125550123', accountId: account.id, origin: 'purchase', status: 'active' } as const;
    const known = { ...number, carrier: 1, type: 'local', canMms: true, isFiltered: false } as const;
    jest.spyOn(server.get(NumberDirectory), 'ofAccount').mockResolvedValue({ numbers: [known], pools: [] });
    try {
      expect(await figure()).toBe(codes + 6 * 24 * limits.chargedRepliesPerHourMax);
    } finally {
      jest.restoreAllMocks();
    }
  });

  it('does not depend on alerts, which a bulk can outrun', async () => {
    const browser = await TestBrowser.signedIn(server, account.id);
    const alerts = { lowCreditsMail: true, lowCredits: 390, dailySpend: 10 };
    expect((await browser.call('PUT', '/api/dashboard/alerts', alerts)).statusCode).toBe(200);
    expect(await show()).toMatchObject({ credits: 400, bound: 'balance' });
  });

  it('is 0 while the account may not send', async () => {
    await set('delivery_suspended_at = now()');
    expect(await show()).toMatchObject({ credits: 0, bound: 'sending_off', switches: [] });
  });

  it('needs a key with the scope read, and shows a test key an example', async () => {
    const { secret } = await named({ scopes: ['send'] });
    const refused = await ask(secret);
    expect([refused.statusCode, refused.json<{ code: string }>().code]).toEqual([403, 'key_scope']);
    expect(await show(`${account.apiKey}_test`)).toMatchObject({ test: true, credits: 462 });
  });

  it('is the same in the dashboard, which needs a session', async () => {
    expect((await new TestBrowser(server).get(DASHBOARD)).statusCode).toBe(401);
    const browser = await TestBrowser.signedIn(server, account.id);
    expect((await browser.get(DASHBOARD)).json()).toEqual(await show());
  });
});
