import type { NamedKeyBody } from '#contract/account.js';
import { spendAnswer, type SpendAnswer } from '#contract/spend.js';
import { AccountErasure } from '#core/accounts/account-erasure.js';
import { Credits } from '#core/credits/credits.js';
import { NamedKeys } from '#core/keys/named-keys.js';
import { ClaimMessages } from '#core/messages/dispatch/claim-messages.js';
import { Spend } from '#core/figures/spend.js';
import { StatusUpdates } from '#core/messages/status/status-updates.js';
import { Postgres } from '#core/platform/database/postgres.js';
import { messageIdFromPublic, newMessageId } from '#core/rules/ids.js';
import { newYorkDay } from '#core/rules/time.js';
import { plantMessages } from '#core/testing/planted-messages.js';
import { spendDayFaults } from '#core/testing/spend-day-faults.js';
import { createTestAccount, type TestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { createTestCore, type TestCore } from '#core/testing/test-core.js';
import { TestBrowser } from '../testing/browser.js';
import { createTestServer, type TestServer } from '../testing/test-server.js';

const PATH = '/api/spend';
const DASHBOARD = '/api/dashboard/spend';
const US = '+14155552671';
const CANADA = '+14165550123';
const UK = '+447400123456';

describe('/api/spend', () => {
  let bed: TestBed;
  let core: TestCore;
  let server: TestServer;
  let account: TestAccount;

  beforeAll(async () => {
    bed = await createTestBed();
    [core, server] = await Promise.all([createTestCore(bed.config()), createTestServer(bed.config())]);
  });

  beforeEach(async () => {
    account = await createTestAccount(server, { credits: 1_000 });
  });

  afterAll(async () => {
    await Promise.all([core?.close(), server?.close()]);
    await bed?.remove();
  });

  const today = () => newYorkDay(new Date());
  const ask = (query: Record<string, string> = {}, apiKey = account.apiKey) =>
    server.inject({
      url: `${PATH}?${new URLSearchParams(query).toString()}`,
      headers: { authorization: `Bearer ${apiKey}` },
    });
  const show = async (query?: Record<string, string>, apiKey?: string): Promise<SpendAnswer> => {
    const answer = await ask(query, apiKey);
    expect(answer.statusCode).toBe(200);
    return spendAnswer.parse(answer.json());
  };
  const named = (changes: Partial<NamedKeyBody> = {}) =>
    server.get(NamedKeys).create(
      { actor: 'account', accountId: account.id },
      {
        name: 'Shop',
        mode: 'live',
        scopes: ['send', 'otp', 'read'],
        addresses: [],
        countries: [],
        creditsPerDay: null,
        creditsPerMonth: null,
        messagesPerSecond: null,
        expiresAt: null,
        ...changes,
      },
    );
  const send = async (to = US, apikey = account.apiKey): Promise<string> => {
    const answer = await server.send({ to, message: 'Hello', apikey });
    expect(answer.statusCode).toBe(200);
    return messageIdFromPublic(answer.json<{ message_id: string }>().message_id) ?? '';
  };
  const fail = async (id: string) => {
    await core.get(ClaimMessages).claim(id);
    await core.get(StatusUpdates).apply({ id, status: 'failed', carrierId: null, errorCode: 'carrier_refused' });
  };
  const receive = () =>
    server
      .get(Postgres)
      .transaction((tx) =>
        server
          .get(Credits)
          .post(tx, [{ accountId: account.id, amount: -1, kind: 'inbound', sourceId: newMessageId() }]),
      );
  /** Counts all that is committed, as the worker does. */
  const count = async () => {
    while (await core.get(Spend).count());
    const [behind] = await bed.database.sql<{ count: number }>(
      `SELECT count(*)::int AS count FROM credit_accounts c LEFT JOIN spend_progress p USING (account_id)
       WHERE c.ledger_count <> coalesce(p.last, 0)`,
    );
    expect(behind?.count).toBe(0);
    expect(await spendDayFaults(bed.database)).toEqual([]);
  };

  it('is all zeros for an account without messages', async () => {
    const { from, to, ...figures } = await show();
    expect(to).toBe(today());
    expect(from.slice(8)).toBe('01');
    const nothing = { messages: 0, charged: 0, refunded: 0, spent: 0 };
    const lists = { months: [], days: [], keys: [], countries: [], kinds: [] };
    expect(figures).toEqual({ success: 'true', ...nothing, ...lists });
  });

  it('adds up charges and refunds by month, day, key, country and kind, counted or not', async () => {
    const shop = await named();
    await send();
    await send(UK);
    await fail(await send(CANADA, shop.secret));
    await send(US, shop.secret);
    const payload = { to: US, apikey: shop.secret };
    expect((await server.inject({ method: 'POST', url: '/api/sendotp', payload })).statusCode).toBe(200);
    await receive();
    const stranger = await createTestAccount(server, { credits: 10 });
    await send(US, stranger.apiKey);

    const figures = { messages: 6, charged: 8, refunded: 1, spent: 7 };
    const own = { key_id: null, name: null, messages: 3, charged: 5, refunded: 0, spent: 5 };
    const ofShop = { key_id: shop.id, name: 'Shop', messages: 3, charged: 3, refunded: 1, spent: 2 };
    const expected = {
      ...figures,
      months: [{ month: today().slice(0, 7), ...figures, keys: [own, ofShop] }],
      days: [{ day: today(), ...figures }],
      keys: [own, ofShop],
      countries: [
        { country: 'US', messages: 3, charged: 3, refunded: 0, spent: 3 },
        { country: 'GB', messages: 1, charged: 3, refunded: 0, spent: 3 },
        { country: null, messages: 1, charged: 1, refunded: 0, spent: 1 },
        { country: 'CA', messages: 1, charged: 1, refunded: 1, spent: 0 },
      ],
      kinds: [
        { kind: 'message', messages: 4, charged: 6, refunded: 1, spent: 5 },
        { kind: 'otp', messages: 1, charged: 1, refunded: 0, spent: 1 },
        { kind: 'reply', messages: 1, charged: 1, refunded: 0, spent: 1 },
      ],
    };
    expect(await show()).toMatchObject(expected);
    await count();
    expect(await show()).toMatchObject(expected);
    await send();
    expect(await show()).toMatchObject({ charged: 9, spent: 8 });
    const { used } = await server.get(Credits).balanceOf(account.id);
    expect(used).toBe(8);
    await count();
    const by = { actor: 'account', accountId: account.id } as const;
    await server.get(Postgres).transaction((tx) => server.get(NamedKeys).revoke(tx, by, shop.id));
    expect((await show()).keys[1]).toEqual({ ...ofShop, name: null });
  });

  it('counts a refund in the month in which the credits came back', async () => {
    const at = new Date('2026-10-31T23:30:00-04:00');
    await plantMessages(bed.database, account.id, [{ at }]);
    const [row] = await bed.database.sql<{ id: string }>('SELECT id FROM messages WHERE account_id = $1', [account.id]);
    await server
      .get(Postgres)
      .transaction((tx) =>
        server.get(Credits).post(tx, [{ accountId: account.id, amount: 1, kind: 'refund', sourceId: row?.id ?? '' }]),
      );
    await bed.database.sql(
      `UPDATE ledger_entries SET created_at = '2026-11-01T00:30:00-04:00' WHERE kind = 'refund' AND account_id = $1`,
      [account.id],
    );
    const query = { from: '2026-10-01', to: '2026-11-30' };
    const expected = {
      spent: 0,
      months: [
        { month: '2026-10', charged: 1, refunded: 0, spent: 1 },
        { month: '2026-11', charged: 0, refunded: 1, spent: -1 },
      ],
    };
    expect(await show(query)).toMatchObject(expected);
    await count();
    expect(await show(query)).toMatchObject(expected);
    expect(await show({ from: '2026-10-31', to: '2026-10-31' })).toMatchObject({ charged: 1, refunded: 0 });
  });

  it('counts each entry once, whichever worker counts it and however many there are', async () => {
    const other = await createTestCore(bed.config());
    await plantMessages(
      bed.database,
      account.id,
      Array.from({ length: 900 }, () => ({})),
    );
    await bed.database.sql(
      `UPDATE credit_accounts SET purchased = purchased + 1000, balance = balance + 1000,
         ledger_count = ledger_count + 1
       WHERE account_id = $1`,
      [account.id],
    );
    await bed.database.sql(
      `INSERT INTO ledger_entries (account_id, number, amount, balance_after, kind, source_id)
       SELECT account_id, ledger_count, 1000, balance, 'adjustment', account_id || ' test' FROM credit_accounts
       WHERE account_id = $1`,
      [account.id],
    );
    await plantMessages(
      bed.database,
      account.id,
      Array.from({ length: 900 }, () => ({})),
    );
    const sendAll = async () => {
      for (const _ of Array.from({ length: 20 })) await send();
    };
    const countAll = async (one: TestCore) => {
      for (const _ of Array.from({ length: 20 })) {
        await one.get(Spend).count();
        expect((await show()).charged).toBeGreaterThanOrEqual(1_800);
      }
    };
    await Promise.all([sendAll(), countAll(core), countAll(other)]);
    await count();
    expect(await show()).toMatchObject({ messages: 1_820, charged: 1_820 });
    await other.close();
  });

  it('stays as it is when the account is erased', async () => {
    await send();
    await count();
    const before = await bed.database.sql('SELECT * FROM spend_days WHERE account_id = $1', [account.id]);
    await fail(
      (await bed.database.sql<{ id: string }>('SELECT id FROM messages WHERE account_id = $1', [account.id]))[0]?.id ??
        '',
    );
    await core.get(AccountErasure).erase(account.email, 'asked for it');
    expect(await bed.database.sql('SELECT * FROM spend_days WHERE account_id = $1', [account.id])).toEqual(before);
  });

  it.each([
    { from: '2025-11-01', to: '2026-11-02' },
    { from: '2026-11-03', to: '2026-11-02' },
    { from: '2026-02-30' },
    { to: 'today' },
    { to: '3000-01-01' },
  ])('refuses %j', async (query) => {
    const answer = await ask(query);
    expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([400, 'invalid_request']);
  });

  it('takes a whole year, and six months by default', async () => {
    expect(await show({ from: '2025-11-02', to: '2026-11-02' })).toMatchObject({ from: '2025-11-02' });
    expect(await show({ to: '2026-03-15' })).toMatchObject({ from: '2025-10-01', to: '2026-03-15' });
  });

  it('needs a key with the scope read, and shows a test key an example', async () => {
    const { secret } = await named({ scopes: ['send'] });
    const refused = await ask({}, secret);
    expect([refused.statusCode, refused.json<{ code: string }>().code]).toEqual([403, 'key_scope']);
    expect(await show({}, `${account.apiKey}_test`)).toMatchObject({ test: true, spent: 41 });
  });

  describe('in the dashboard', () => {
    it('needs a session, and is the same', async () => {
      for (const path of [DASHBOARD, `${DASHBOARD}.csv`])
        expect((await new TestBrowser(server).get(path)).statusCode).toBe(401);
      await send();
      const browser = await TestBrowser.signedIn(server, account.id);
      expect((await browser.get(DASHBOARD)).json()).toEqual(await show());
    });

    it('exports every day, kind, country and key as a CSV file', async () => {
      const shop = await named({ name: '=Shop, "Berlin"' });
      await fail(await send(CANADA, shop.secret));
      await send(UK);
      await count();
      await send(UK);
      await receive();
      const browser = await TestBrowser.signedIn(server, account.id);
      const { headers, body } = await browser.get(`${DASHBOARD}.csv`);
      expect(headers['content-disposition']).toBe(`attachment; filename="pennytext-spend-${today()}.csv"`);
      expect(body).toBe(
        [
          '\ufeff"Day (New York)","For","Country","Key","Key id","Messages","Charged","Refunded","Spent"',
          `"${today()}","Messages","CA","'=Shop, ""Berlin""","${shop.id}",1,1,1,0`,
          `"${today()}","Messages","GB",,,2,6,0,6`,
          `"${today()}","Replies",,,,1,1,0,1`,
          '',
        ].join('\r\n'),
      );
      expect((await browser.get(`${DASHBOARD}.csv?from=2026-11-03&to=2026-11-02`)).statusCode).toBe(400);
    });
  });
});
