import { limits } from '#contract/limits.js';
import { optOutsAnswer, type OptOutsAnswer } from '#contract/opt-outs.js';
import { AccountErasure } from '#core/accounts/account-erasure.js';
import { CatchUp } from '#core/inbound/catch-up.js';
import { InboundRetention } from '#core/inbound/inbound-retention.js';
import { optOutsOfPersonStatement, optOutsStatement } from '#core/inbound/opt-out-list.js';
import { OperatorNumbers } from '#core/numbers/operator-numbers.js';
import { OptOuts, type IncomingReply } from '#core/inbound/opt-outs.js';
import { ReceiveReplies } from '#core/inbound/receive-replies.js';
import { StatusUpdates } from '#core/messages/status/status-updates.js';
import { newMessageId } from '#core/rules/ids.js';
import { newYorkDay } from '#core/rules/time.js';
import { createTestAccount, type TestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { texted, type Texted } from '#core/testing/texted.js';
import { TestBrowser } from '../testing/browser.js';
import { createTestServer, type TestServer } from '../testing/test-server.js';

const PATH = '/api/optouts';
const DASHBOARD = '/api/dashboard/optouts';
const OURS = '+15005550006';
const OTHER = '+15005550007';
const SERVICE = `MG${'5'.repeat(32)}`;

describe('/api/optouts', () => {
  let bed: TestBed;
  let server: TestServer;
  let account: TestAccount;
  let person: string;
  let people = 0;

  beforeAll(async () => {
    bed = await createTestBed();
    server = await createTestServer(bed.config({ MESSAGE_DAYS: '30' }));
  });

  beforeEach(async () => {
    account = await createTestAccount(server, { credits: 1_000 });
    person = anotherPerson();
  });

  afterAll(async () => {
    await server?.close();
    await bed?.remove();
  });

  const anotherPerson = () => `+1628555${String((people += 1)).padStart(4, '0')}`;
  const text = (who = account, changes: Partial<Texted> = {}) =>
    texted(server, bed.database, who, { recipient: person, ...changes });
  const reply = (body: string, changes: Partial<IncomingReply> = {}) =>
    server.get(ReceiveReplies).receive({
      carrier: 1,
      carrierId: `SM${newMessageId().replaceAll('-', '')}`,
      sender: person,
      recipient: OURS,
      service: undefined,
      text: body,
      segments: 1,
      wish: undefined,
      ...changes,
    });
  const ask = (query: Record<string, string> = {}, { apiKey } = account) =>
    server.inject({
      url: `${PATH}?${new URLSearchParams(query).toString()}`,
      headers: { authorization: `Bearer ${apiKey}` },
    });
  const list = async (query?: Record<string, string>, who?: TestAccount): Promise<OptOutsAnswer> => {
    const answer = await ask(query, who);
    expect([answer.statusCode, answer.body]).toEqual([200, answer.body]);
    return optOutsAnswer.parse(answer.json());
  };
  const numbersOf = ({ optouts }: OptOutsAnswer) => optouts.map(({ number }) => number);
  /** Stores so many opt-outs of the account's messages, a minute apart, the latest first. */
  const plant = (count: number, { id } = account) =>
    bed.database.sql(
      `WITH given AS (
         SELECT '+1415' || lpad(n::text, 7, '0') AS recipient,
           timestamptz '2026-05-01 12:00Z' + n * interval '1 minute' AS at
         FROM generate_series(1, $2::integer) n
       ), stored AS (
         INSERT INTO opt_outs (recipient, sender, created_at) SELECT recipient, '${OURS}', at FROM given
         ON CONFLICT DO NOTHING
       )
       INSERT INTO account_opt_outs (account_id, recipient, sender, word, source, opted_out_at)
       SELECT $1, recipient, '${OURS}', 'STOP', 'reply', at FROM given ORDER BY at`,
      [id, count],
    );

  it('lists who replied STOP: from which sender, when and by which word, the latest first', async () => {
    const first = person;
    await text();
    await reply('Stop!');
    person = anotherPerson();
    await text(account, { sender: OTHER });
    await reply('unsubscribe', { recipient: OTHER });
    const { optouts, next_cursor: next } = await list();
    const row = { status: 'opted_out', opted_in_at: null, source: 'reply', opted_out_at: expect.any(String) as string };
    expect(next).toBeNull();
    expect(optouts).toEqual([
      { ...row, number: person, sender: OTHER, word: 'UNSUBSCRIBE' },
      { ...row, number: first, sender: OURS, word: 'STOP' },
    ]);
    expect(Date.now() - Date.parse(optouts[0]?.opted_out_at ?? '')).toBeLessThan(60_000);
  });

  it('lists nothing for another reply, and a repeated STOP once, with its first time', async () => {
    await text();
    await reply('Please stop by at noon');
    expect((await list()).optouts).toEqual([]);
    await reply('STOP');
    const [before] = (await list()).optouts;
    await reply('END');
    expect((await list()).optouts).toEqual([before]);
  });

  describe('shows an account only the people that it has texted', () => {
    it('and no person of a neighbor that shares the sender', async () => {
      const neighbor = await createTestAccount(server, { credits: 10 });
      await text();
      const mine = person;
      person = anotherPerson();
      await text(neighbor);
      for (const sender of [mine, person]) await reply('STOP', { sender });
      expect(numbersOf(await list())).toEqual([mine]);
      expect(numbersOf(await list({}, neighbor))).toEqual([person]);
      for (const query of [{ number: mine }, { sender: OURS }, { status: 'all' }])
        expect(numbersOf(await list(query, neighbor))).not.toContain(mine);
      const browser = await TestBrowser.signedIn(server, neighbor.id);
      expect((await browser.get(`${DASHBOARD}?number=${mine.slice(-6)}`)).json()).toMatchObject({ optouts: [] });
      expect((await browser.get(`${DASHBOARD}.csv?status=all`)).body).not.toContain(mine);
    });

    it('also from another shared sender, but not by a message that was refused', async () => {
      const [refused, elsewhere] = [await createTestAccount(server), await createTestAccount(server)];
      await text();
      await text(elsewhere, { sender: OTHER });
      await reply('STOP');
      await expect(text(refused)).rejects.toThrow('refused');
      expect([numbersOf(await list()), numbersOf(await list({}, elsewhere))]).toEqual([[person], [person]]);
      expect(await list({}, refused)).toMatchObject({ optouts: [] });
    });

    it('not from a sender that belongs to the account alone', async () => {
      const apart = await createTestAccount(server);
      await server.get(OperatorNumbers).set(apart.email, [OTHER]);
      await text();
      await text(apart, { sender: OTHER });
      await reply('STOP');
      expect([numbersOf(await list()), numbersOf(await list({}, apart))]).toEqual([[person], []]);
      await server.get(OperatorNumbers).set(apart.email, []);
    });

    it('and the word of a reply only to the account that it went to', async () => {
      const owner = await createTestAccount(server, { credits: 10 });
      await text(owner);
      await text();
      await reply('CANCEL');
      expect((await list({}, owner)).optouts).toMatchObject([{ number: person, word: 'CANCEL' }]);
      expect((await list()).optouts).toMatchObject([{ number: person, source: 'reply', word: null }]);
    });
  });

  it('takes a person off the list by START, and shows both times with status=all', async () => {
    await text();
    await reply('STOP');
    await reply('Start');
    expect((await list()).optouts).toEqual([]);
    await reply('QUIT');
    expect((await list()).optouts).toMatchObject([{ word: 'QUIT', opted_in_at: null }]);
    const { optouts } = await list({ status: 'all' });
    expect(optouts).toMatchObject([
      { word: 'QUIT', status: 'opted_out', opted_in_at: null },
      { word: 'STOP', status: 'opted_in', opted_in_at: expect.any(String) as string },
    ]);
  });

  it('takes a person off the list whose opt-out the operator has lifted', async () => {
    await text();
    await reply('STOP');
    await server.get(OptOuts).lift(person, OURS);
    expect((await list()).optouts).toEqual([]);
    expect((await list({ status: 'all' })).optouts).toMatchObject([{ status: 'opted_in' }]);
  });

  it('lists whom the carrier refused as opted out', async () => {
    const id = await text(account, { status: 'sending' });
    const update = { id, status: 'failed', carrier: 1, carrierId: null, errorCode: 'carrier_refused' } as const;
    await server.get(StatusUpdates).apply({ ...update, carrierError: 21_610 });
    expect((await list()).optouts).toMatchObject([{ number: person, sender: OURS, source: 'carrier', word: null }]);
  });

  describe('through a messaging service', () => {
    beforeEach(async () => {
      await text(account, { sender: SERVICE });
      await reply('STOP', { service: SERVICE });
    });

    it('lists an opt-out once, with the number that the person replied to', async () => {
      expect((await list()).optouts).toMatchObject([{ number: person, sender: OURS }]);
    });

    it('ends it by START to another number of the service', async () => {
      await reply('START', { service: SERVICE, recipient: OTHER });
      expect((await list()).optouts).toEqual([]);
    });

    it('hides the service where the number is not known', async () => {
      await bed.database.sql('DELETE FROM opt_outs WHERE recipient = $1', [person]);
      await bed.database.sql('DELETE FROM account_opt_outs WHERE recipient = $1', [person]);
      await bed.database.sql('INSERT INTO opt_outs (recipient, sender) VALUES ($1, $2)', [person, SERVICE]);
      await server.get(CatchUp).run();
      expect((await list()).optouts).toMatchObject([{ number: person, sender: null }]);
    });
  });

  it('is caught up with what another process has stored, and twice the same', async () => {
    await text();
    await bed.database.sql(
      `INSERT INTO opt_outs (recipient, sender, created_at) VALUES ($1, $2, now()), ($1, $3, now())`,
      [person, OURS, SERVICE],
    );
    expect((await list()).optouts).toEqual([]);
    await server.get(CatchUp).run();
    await server.get(CatchUp).run();
    expect((await list()).optouts).toMatchObject([{ number: person, sender: OURS, word: null }]);
    // The previous release lifts an opt-out like this, and stores the next opt-out.
    await bed.database.sql('DELETE FROM opt_outs WHERE recipient = $1', [person]);
    expect((await list()).optouts).toEqual([]);
    await reply('STOP');
    const { optouts } = await list({ status: 'all' });
    expect(optouts).toMatchObject([{ number: person, status: 'opted_out', word: 'STOP' }]);
  });

  describe('finds', () => {
    beforeEach(() => plant(120));

    it('everyone, page after page, the latest first and each once', async () => {
      const pages = [await list()];
      for (let next = pages[0]?.next_cursor; next && pages.length < 9; next = pages.at(-1)?.next_cursor)
        pages.push(await list({ cursor: next }));
      const expected = Array.from({ length: 120 }, (_, n) => `+1415${String(120 - n).padStart(7, '0')}`);
      expect(pages.map(({ optouts }) => optouts.length)).toEqual([50, 50, 20]);
      expect(pages.flatMap(numbersOf)).toEqual(expected);
    });

    it('a person, a sender and a span of time', async () => {
      await text();
      await reply('STOP');
      const typed = `(${person.slice(2, 5)}) ${person.slice(5, 8)}-${person.slice(8)}`;
      expect(numbersOf(await list({ number: typed }))).toEqual([person]);
      expect(numbersOf(await list({ number: person, sender: OTHER }))).toEqual([]);
      expect(numbersOf(await list({ sender: OTHER }))).toEqual([]);
      expect(numbersOf(await list({ sender: OURS }))).toHaveLength(limits.optOutsPageSize);
      const minute = { since: '2026-05-01T12:03:00Z', until: '2026-05-01T12:05:00Z' };
      expect(numbersOf(await list(minute))).toEqual(['+14150000004', '+14150000003']);
      expect(numbersOf(await list({ ...minute, number: person }))).toEqual([]);
    });

    it('the same for the dashboard, by digits and New York days, as a page and as a file', async () => {
      const browser = await TestBrowser.signedIn(server, account.id);
      const get = async (query: string) => optOutsAnswer.parse((await browser.get(`${DASHBOARD}?${query}`)).json());
      expect(numbersOf(await get('number=000011'))).toEqual([
        '+14150000119',
        '+14150000118',
        '+14150000117',
        '+14150000116',
        '+14150000115',
        '+14150000114',
        '+14150000113',
        '+14150000112',
        '+14150000111',
        '+14150000110',
        '+14150000011',
      ]);
      expect(numbersOf(await get(`from=${newYorkDay(new Date())}`))).toEqual([]);
      expect(numbersOf(await get('from=2026-05-01&to=2026-05-01'))).toHaveLength(50);
      expect(numbersOf(await get('to=2026-04-30'))).toEqual([]);
      const file = await browser.get(`${DASHBOARD}.csv?number=0000120`);
      expect(file.headers['content-disposition']).toMatch(/filename="pennytext-optouts-.*\.csv"/);
      expect(file.body.split('\r\n')).toEqual([
        '\ufeff"Date (New York)","Time (UTC)","Number","Opted out of","By","Word","State","Opted in (UTC)"',
        `"5/1/2026, 10:00:00 AM","2026-05-01T14:00:00.000Z","+14150000120","${OURS}","Reply","STOP","Opted out",`,
        '',
      ]);
    });
  });

  it.each([
    ['cursor=x', 'cursor'],
    ['number=abc', 'number'],
    ['since=yesterday', 'since'],
    ['until=2026-05-01', 'until'],
    ['status=lifted', 'status'],
  ])('rejects ?%s', async (query, name) => {
    const answer = await ask(Object.fromEntries(new URLSearchParams(query)));
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ code: 'invalid_request', detail: expect.stringContaining(name) as string });
  });

  it('answers a test key with an example', async () => {
    await text();
    await reply('STOP');
    const answer = await list({}, { ...account, apiKey: `${account.apiKey}_test` });
    expect(answer.test).toBe(true);
    expect(numbersOf(answer)).not.toContain(person);
  });

  it('is erased with the person, and with the account; the opt-out itself stays', async () => {
    await text();
    await reply('STOP');
    await server.get(AccountErasure).eraseRecipient(account.email, person);
    expect((await list({ status: 'all' })).optouts).toEqual([]);
    await expect(text()).rejects.toThrow('refused');
    await plant(3);
    await server.get(InboundRetention).erase(account.id);
    expect((await list({ status: 'all' })).optouts).toEqual([]);
  });

  it('forgets who opted in again after as many days as numbers are kept, and no one else', async () => {
    await plant(2);
    await bed.database.sql(
      `UPDATE account_opt_outs SET opted_in_at = now() - interval '31 days' WHERE account_id = $1 AND recipient = $2`,
      [account.id, '+14150000001'],
    );
    await server.get(InboundRetention).run();
    expect(numbersOf(await list({ status: 'all' }))).toEqual(['+14150000002']);
  });

  describe('with 100,000 opt-outs', () => {
    let busy: TestAccount;

    beforeAll(async () => {
      busy = await createTestAccount(server);
      await plant(100_000, busy);
      await bed.database.sql('ANALYZE account_opt_outs, opt_outs');
    });

    beforeEach(() => {
      account = busy;
    });

    it('reads as many rows as it shows, by an index', async () => {
      const values = [account.id, '9999-01-01', 0, '1970-01-01', null, false, 51, null];
      const [page, found] = await Promise.all([
        rowsRead(optOutsStatement.text, values),
        rowsRead(optOutsOfPersonStatement.text, [...values.slice(0, -1), '+14150050000']),
      ]);
      expect(Math.max(page, found)).toBeLessThan(60);
    });

    it('looks at a bounded number of rows for some digits, and goes on where it stopped', async () => {
      const browser = await TestBrowser.signedIn(server, account.id);
      const first = optOutsAnswer.parse((await browser.get(`${DASHBOARD}?number=0000001`)).json());
      expect(first.optouts).toEqual([]);
      let cursor = first.next_cursor;
      let found: string[] = [];
      let pages = 1;
      for (; cursor !== null; pages += 1) {
        const page = optOutsAnswer.parse((await browser.get(`${DASHBOARD}?number=0000001&cursor=${cursor}`)).json());
        found = [...found, ...numbersOf(page)];
        cursor = page.next_cursor;
      }
      expect(found).toEqual(['+14150000001']);
      expect(pages).toBeGreaterThan(100_000 / limits.searchedRowsMax - 1);
    });

    it('exports them all', async () => {
      const browser = await TestBrowser.signedIn(server, account.id);
      const lines = (await browser.get(`${DASHBOARD}.csv`)).body.split('\r\n');
      expect(lines).toHaveLength(100_002);
      expect(new Set(lines).size).toBe(100_002);
    });
  });

  interface Plan {
    readonly 'Node Type': string;
    readonly 'Relation Name'?: string;
    readonly 'Actual Rows': number;
    readonly 'Rows Removed by Filter'?: number;
    readonly Plans?: readonly Plan[];
  }

  /**
   * Returns the number of the list's rows that a statement reads. Throws when it reads the table
   * without an index.
   */
  async function rowsRead(statement: string, values: unknown[]): Promise<number> {
    const [row] = await bed.database.sql<{ 'QUERY PLAN': readonly [{ Plan: Plan }] }>(
      `EXPLAIN (ANALYZE, FORMAT JSON) ${statement}`,
      values,
    );
    const plans = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(plans)];
    const scans = row
      ? plans(row['QUERY PLAN'][0].Plan).filter((one) => one['Relation Name'] === 'account_opt_outs')
      : [];
    expect(scans.map((scan) => scan['Node Type'])).toEqual([expect.stringContaining('Index')]);
    return scans.reduce((sum, scan) => sum + scan['Actual Rows'] + (scan['Rows Removed by Filter'] ?? 0), 0);
  }
});
