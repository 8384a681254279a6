import { deliverabilityAnswer, type DeliverabilityAnswer } from '#contract/deliverability.js';
import type { NamedKeyBody } from '#contract/account.js';
import { AccountErasure } from '#core/accounts/account-erasure.js';
import { NamedKeys } from '#core/keys/named-keys.js';
import { MessageRetention } from '#core/messages/message-retention.js';
import { StatusUpdates, type StatusUpdate } from '#core/messages/status/status-updates.js';
import { ClaimMessages } from '#core/messages/dispatch/claim-messages.js';
import { Postgres } from '#core/platform/database/postgres.js';
import { messageIdFromPublic } from '#core/rules/ids.js';
import { newYorkDay } from '#core/rules/time.js';
import { deliveryDayFaults } from '#core/testing/delivery-day-faults.js';
import { plantMessages } from '#core/testing/planted-messages.js';
import { createTestAccount, type TestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { createTestCore, type TestCore } from '#core/testing/test-core.js';
import { TestBrowser } from '../testing/browser.js';
import { createTestServer, type TestServer } from '../testing/test-server.js';

const PATH = '/api/deliverability';
const DASHBOARD = '/api/dashboard/deliverability';
const US = '+14155552671';
const CANADA = '+14165550123';

describe('/api/deliverability', () => {
  let bed: TestBed;
  let core: TestCore;
  let server: TestServer;
  let account: TestAccount;

  beforeAll(async () => {
    bed = await createTestBed();
    const config = bed.config({ MESSAGE_TEXT_DAYS: '7', MESSAGE_DAYS: '30' });
    [core, server] = await Promise.all([createTestCore(config), createTestServer(config)]);
  });

  beforeEach(async () => {
    account = await createTestAccount(server, { credits: 1_000 });
  });

  afterEach(async () => {
    expect(await deliveryDayFaults(bed.database)).toEqual([]);
  });

  afterAll(async () => {
    await Promise.all([core?.close(), server?.close()]);
    await bed?.remove();
  });

  const ask = (query: Record<string, string> = {}, apiKey = account.apiKey) =>
    server.inject({
      url: `${PATH}?${new URLSearchParams(query).toString()}`,
      headers: { authorization: `Bearer ${apiKey}` },
    });
  const show = async (query?: Record<string, string>, apiKey?: string): Promise<DeliverabilityAnswer> => {
    const answer = await ask(query, apiKey);
    expect(answer.statusCode).toBe(200);
    return deliverabilityAnswer.parse(answer.json());
  };
  const named = (changes: Partial<NamedKeyBody> = {}) =>
    server.get(NamedKeys).create(
      { actor: 'account', accountId: account.id },
      {
        name: 'Shop',
        mode: 'live',
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
  const send = async (to = US, apikey = account.apiKey, fields: object = {}): Promise<string> => {
    const answer = await server.send({ to, message: 'Hello', apikey, ...fields });
    expect(answer.statusCode).toBe(200);
    return messageIdFromPublic(answer.json<{ message_id: string }>().message_id) ?? '';
  };
  const end = async (id: string, update: Pick<StatusUpdate, 'status' | 'errorCode' | 'carrierError'>) => {
    await core.get(ClaimMessages).claim(id);
    await core.get(StatusUpdates).apply({ id, carrierId: `SM${id.replaceAll('-', '')}`, ...update });
  };
  const undelivered = (carrierError: number | null) =>
    ({ status: 'undelivered', errorCode: 'not_delivered', carrierError }) as const;

  it('is all zeros for an account without messages', async () => {
    const { from, to, ...figures } = await show();
    expect(to).toBe(newYorkDay(new Date()));
    expect((Date.parse(to) - Date.parse(from)) / 86_400_000).toBe(29);
    expect(figures).toEqual({
      success: 'true',
      messages: 0,
      delivered: 0,
      reasons: [],
      countries: [],
      days: [],
      keys: [],
    });
  });

  it('counts messages that have ended by reason, country, day and key, each once', async () => {
    const shop = await named();
    for (const _ of [1, 2]) await end(await send(), { status: 'delivered' });
    await end(await send(CANADA), undelivered(30_003));
    await end(await send(US, shop.secret), undelivered(30_003));
    await end(await send(US, shop.secret, { validity: 60 }), undelivered(null));
    await end(await send(US, shop.secret), { status: 'delivered' });
    // Messages on their way, canceled, or of another account.
    await send();
    const idle = await named({ name: 'Idle' });
    await end(await send(US, idle.secret), { status: 'sent' });
    const waiting = await send(US, account.apiKey, { send_at: new Date(Date.now() + 3_600_000).toISOString() });
    await core.get(StatusUpdates).apply({ id: waiting, status: 'canceled', carrierId: null, onlyWaiting: true });
    const stranger = await createTestAccount(server);
    await end(await send(US, stranger.apiKey), { status: 'delivered' });
    expect(await show()).toMatchObject({
      messages: 6,
      delivered: 3,
      reasons: [
        { code: '30003', text: 'Phone off or out of reach', permanent: false, messages: 2 },
        { code: 'not_delivered', messages: 1 },
      ],
      countries: [
        { country: 'US', messages: 5, delivered: 3 },
        { country: 'CA', messages: 1, delivered: 0 },
      ],
      days: [{ day: newYorkDay(new Date()), messages: 6, delivered: 3 }],
      keys: [
        { key_id: null, name: null, messages: 3, delivered: 2 },
        { key_id: shop.id, name: 'Shop', messages: 3, delivered: 1 },
      ],
    });
    const other = { actor: 'account', accountId: account.id } as const;
    await server.get(Postgres).transaction((tx) => server.get(NamedKeys).revoke(tx, other, shop.id));
    expect((await show()).keys[1]).toMatchObject({ key_id: shop.id, name: null, messages: 3 });
  });

  it('does not count a message twice, whatever receipts come late', async () => {
    const id = await send();
    await end(id, undelivered(30_003));
    const late = ['delivered', 'failed', 'undelivered', 'sent'] as const;
    for (const status of late)
      await core.get(StatusUpdates).apply({ id, status, carrierId: null, errorCode: 'not_delivered' });
    expect(await show()).toMatchObject({ messages: 1, delivered: 0, reasons: [{ code: '30003', messages: 1 }] });
  });

  it('counts the messages of a bulk by its key', async () => {
    const shop = await named();
    const recipients = [{ to: US }, { to: CANADA }];
    const payload = { apikey: shop.secret, message: 'Hi', recipients };
    expect((await server.inject({ method: 'POST', url: '/api/sendbulk', payload })).statusCode).toBe(200);
    const rows = await bed.database.sql<{ id: string }>('SELECT id FROM messages WHERE account_id = $1', [account.id]);
    for (const { id } of rows) await end(id, { status: 'delivered' });
    expect((await show()).keys).toEqual([{ key_id: shop.id, name: 'Shop', messages: 2, delivered: 2 }]);
  });

  it('stays as it is when texts, numbers and accounts are erased', async () => {
    const at = new Date(Date.now() - 31 * 86_400_000);
    await plantMessages(bed.database, account.id, [
      { at },
      { at, status: 'failed', carrierError: 30_007 },
      { recipient: CANADA, status: 'undelivered' },
    ]);
    await bed.database.sql('UPDATE messages SET finished_at = created_at WHERE account_id = $1', [account.id]);
    const before = await show({ from: newYorkDay(at) });
    expect(before).toMatchObject({ messages: 3, delivered: 1 });
    while (await core.get(MessageRetention).run());
    await core.get(AccountErasure).eraseRecipient(account.email, CANADA);
    expect(await show({ from: newYorkDay(at) })).toEqual(before);
    await core.get(AccountErasure).erase(account.email, 'asked for it');
  });

  it('has the days that are asked for, in New York time', async () => {
    await plantMessages(
      bed.database,
      account.id,
      ['2026-11-01T03:59:59Z', '2026-11-01T04:00:00Z', '2026-11-02T04:59:59Z', '2026-11-02T05:00:00Z'].map((at) => ({
        at: new Date(at),
      })),
    );
    const days = async (query: Record<string, string>) => (await show(query)).days.map(({ day }) => day);
    expect(await days({ from: '2026-11-01', to: '2026-11-01' })).toEqual(['2026-11-01']);
    expect(await show({ from: '2026-11-01', to: '2026-11-01' })).toMatchObject({ messages: 2, delivered: 2 });
    expect(await days({ from: '2026-10-31', to: '2026-11-02' })).toEqual(['2026-10-31', '2026-11-01', '2026-11-02']);
    expect(await show({ to: '2026-11-02' })).toMatchObject({ from: '2026-10-04', to: '2026-11-02', messages: 4 });
    expect(await show({ from: '2026-08-03', to: '2026-11-02' })).toMatchObject({ messages: 4 });
  });

  it.each([
    { from: '2026-08-02', to: '2026-11-02' },
    { from: '2026-11-03', to: '2026-11-02' },
    { from: '2026-02-30' },
    { to: 'today' },
    { to: '3000-01-01' },
  ])('refuses %j', async (query) => {
    const answer = await ask(query);
    expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([400, 'invalid_request']);
  });

  it('needs a key with the scope read, and shows a test key an example', async () => {
    const { secret } = await named({ scopes: ['send'] });
    const refused = await ask({}, secret);
    expect([refused.statusCode, refused.json<{ code: string }>().code]).toEqual([403, 'key_scope']);
    expect(await show({}, `${account.apiKey}_test`)).toMatchObject({ test: true, messages: 400 });
  });

  describe('in the dashboard', () => {
    it('needs a session, and is the same', async () => {
      for (const path of [DASHBOARD, `${DASHBOARD}.csv`])
        expect((await new TestBrowser(server).get(path)).statusCode).toBe(401);
      await plantMessages(bed.database, account.id, [{}, { status: 'failed' }]);
      const browser = await TestBrowser.signedIn(server, account.id);
      expect((await browser.get(DASHBOARD)).json()).toEqual(await show());
    });

    it('exports every count as a CSV file', async () => {
      const shop = await named({ name: '=Shop, "Berlin"' });
      await end(await send(CANADA, shop.secret), undelivered(30_003));
      await end(await send(), { status: 'delivered' });
      await end(await send(US, shop.secret), { status: 'sent' });
      const browser = await TestBrowser.signedIn(server, account.id);
      const { headers, body } = await browser.get(`${DASHBOARD}.csv`);
      const day = newYorkDay(new Date());
      expect(headers['content-disposition']).toBe(`attachment; filename="pennytext-deliverability-${day}.csv"`);
      expect(body).toBe(
        [
          '\ufeff"Day (New York)","Country","Key","Key id","Delivered","Reason","Code","Messages"',
          `"${day}","CA","'=Shop, ""Berlin""","${shop.id}","no","Phone off or out of reach","30003",1`,
          `"${day}","US",,,"yes",,,1`,
          '',
        ].join('\r\n'),
      );
      expect((await browser.get(`${DASHBOARD}.csv?from=2026-11-03&to=2026-11-02`)).statusCode).toBe(400);
    });
  });
});
