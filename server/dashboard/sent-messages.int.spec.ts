import {
  type ReasonsAnswer,
  sentAnswer,
  sentDetailsAnswer,
  type SentAnswer,
  type SentDetailsAnswer,
} from '#contract/histories.js';
import { limits } from '#contract/limits.js';
import { Acceptance } from '#core/messages/send/acceptance.js';
import { StatusUpdates } from '#core/messages/status/status-updates.js';
import { newMessageId, publicBatchId, publicMessageId } from '#core/rules/ids.js';
import { acceptanceRow } from '#core/testing/acceptance-rows.js';
import { moneyFaults } from '#core/testing/money.js';
import { plantMessages, type PlantedMessage } from '#core/testing/planted-messages.js';
import { createTestAccount, type TestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { TestBrowser } from '../testing/browser.js';
import { createTestServer, type TestServer } from '../testing/test-server.js';

const PATH = '/api/dashboard/messages/sent';

describe('/api/dashboard/messages/sent', () => {
  let bed: TestBed;
  let server: TestServer;
  let account: TestAccount;
  let browser: TestBrowser;

  beforeAll(async () => {
    bed = await createTestBed();
    server = await createTestServer(bed.config());
  });

  beforeEach(async () => {
    account = await createTestAccount(server, { credits: 100_000 });
    browser = await TestBrowser.signedIn(server, account.id);
  });

  afterAll(async () => {
    await server?.close();
    await bed?.remove();
  });

  const plant = (messages: readonly Partial<PlantedMessage>[], accountId = account.id) =>
    plantMessages(bed.database, accountId, messages);
  const numbered = (count: number) => Array.from({ length: count }, (_, n) => ({ body: `message ${n + 1}` }));
  const page = async (query: Record<string, string | number> = {}): Promise<SentAnswer> => {
    const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
    const answer = await browser.get(`${PATH}?${search.toString()}`);
    expect(answer.statusCode).toBe(200);
    return sentAnswer.parse(answer.json());
  };
  const bodies = async (query: Record<string, string | number> = {}) =>
    (await page(query)).rows.map(({ message }) => message);

  it.each([PATH, `${PATH}.csv`, `${PATH}/SM00000000000070008000000000000000`])(
    'needs a session for %s',
    async (path) => {
      const answer = await new TestBrowser(server).get(path);
      expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([401, 'not_signed_in']);
    },
  );

  it('is one empty page without messages', async () => {
    expect(await page({ page: 5 })).toEqual({
      rows: [],
      page: 1,
      pages: 1,
      total: 0,
      more: false,
      among: 0,
      searchedTo: null,
      continue: null,
      anchor: 1,
    });
  });

  it('returns the columns of the table in New York time', async () => {
    await plant([
      { at: new Date('2026-07-04T03:59:59Z'), recipient: '+14155552671', body: 'مرحبا 🎉', status: 'failed' },
    ]);
    const answer = await browser.get(PATH);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(sentAnswer.parse(answer.json()).rows).toEqual([
      {
        messageId: expect.stringMatching(/^SM[0-9a-f]{32}$/),
        date: '7/3/2026, 11:59:59 PM',
        at: '2026-07-04T03:59:59.000Z',
        to: '+14155552671',
        message: 'مرحبا 🎉',
        segments: 1,
        status: 'failed',
        credits: 1,
        refunded: 0,
        error: 'not_delivered',
        reason: { code: 'not_delivered', text: 'Not delivered, no reason given', permanent: false },
        reference: null,
        sendAt: null,
        media: [],
      },
    ]);
  });

  it('pages by number, newest first, and returns the last page for a later one', async () => {
    await plant(numbered(23));
    expect(await page()).toMatchObject({ page: 1, pages: 3, total: 23, more: false });
    expect(await bodies()).toEqual(Array.from({ length: 10 }, (_, n) => `message ${23 - n}`));
    expect(await bodies({ page: 2 })).toEqual(Array.from({ length: 10 }, (_, n) => `message ${13 - n}`));
    expect(await bodies({ page: 3 })).toEqual(['message 3', 'message 2', 'message 1']);
    expect(await page({ page: 1_000_000 })).toMatchObject({ page: 3, pages: 3 });
  });

  it('has pages of the chosen size, from the oldest on if that is asked for', async () => {
    await plant(numbered(27));
    expect(await page({ size: 25 })).toMatchObject({ page: 1, pages: 2, total: 27 });
    expect(await bodies({ size: 25, page: 2 })).toEqual(['message 2', 'message 1']);
    expect((await bodies({ order: 'oldest' })).slice(0, 2)).toEqual(['message 1', 'message 2']);
    expect(await bodies({ order: 'oldest', page: 3 })).toEqual(
      Array.from({ length: 7 }, (_, n) => `message ${n + 21}`),
    );
    for (const refused of ['size=11', 'size=1000', 'order=random'])
      expect((await browser.get(`${PATH}?${refused}`)).statusCode).toBe(400);
  });

  it('finds a message by its id, but no message of another account', async () => {
    await plant([...numbered(3), { body: 'the one' }, { body: 'the last' }]);
    const id = (await page()).rows[1]?.messageId ?? '';
    expect(await bodies({ text: ` ${id} ` })).toEqual(['the one']);
    expect(await bodies({ text: id, status: 'failed' })).toEqual([]);
    const other = await createTestAccount(server);
    const theirs = await TestBrowser.signedIn(server, other.id);
    const answer = await theirs.get(`${PATH}?text=${id}`);
    expect(sentAnswer.parse(answer.json())).toMatchObject({ rows: [], total: 0 });
  });

  it('keeps its pages stable while messages arrive, for a client that sends the anchor', async () => {
    await plant(numbered(20));
    const first = await page();
    await plant([{ body: 'newer' }]);
    expect(await bodies({ page: 2, continue: first.anchor })).toEqual(
      Array.from({ length: 10 }, (_, n) => `message ${10 - n}`),
    );
    expect((await bodies())[0]).toBe('newer');
  });

  it("hides other accounts' messages", async () => {
    const other = await createTestAccount(server);
    await plant([{ body: 'theirs' }], other.id);
    await plant([{ body: 'mine' }]);
    expect(await bodies()).toEqual(['mine']);
    expect(await bodies({ text: 'theirs' })).toEqual([]);
  });

  describe('filtered', () => {
    it.each([
      ['a day in winter', '2026-01-15', '2026-01-15T05:00:00Z', '2026-01-16T04:59:59.999Z'],
      ['a day in summer', '2026-07-04', '2026-07-04T04:00:00Z', '2026-07-05T03:59:59.999Z'],
      ['the day of 23 hours', '2026-03-08', '2026-03-08T05:00:00Z', '2026-03-09T03:59:59.999Z'],
      ['the day of 25 hours', '2026-11-01', '2026-11-01T04:00:00Z', '2026-11-02T04:59:59.999Z'],
    ])('by %s in New York: from its first instant to its last', async (_title, day, first, last) => {
      await plant([
        { at: new Date(Date.parse(first) - 1), body: 'before' },
        { at: new Date(first), body: 'first' },
        { at: new Date(last), body: 'last' },
        { at: new Date(Date.parse(last) + 1), body: 'after' },
      ]);
      expect(await bodies({ from: day, to: day })).toEqual(['last', 'first']);
      expect(await bodies({ from: day })).toEqual(['after', 'last', 'first']);
      expect(await bodies({ to: day })).toEqual(['last', 'first', 'before']);
      expect(await page({ from: day, to: day })).toMatchObject({ total: 2, pages: 1 });
    });

    it('by days without messages or in reverse order: nothing', async () => {
      await plant([{ at: new Date('2026-05-01T12:00:00Z') }]);
      expect(await page({ from: '2026-05-02' })).toMatchObject({ rows: [], total: 0, page: 1, pages: 1 });
      expect(await page({ to: '2026-04-30' })).toMatchObject({ rows: [], total: 0 });
      expect(await page({ from: '2026-05-03', to: '2026-04-01' })).toMatchObject({ rows: [], total: 0 });
    });

    it.each(['queued', 'sending', 'sent', 'delivered', 'undelivered', 'failed'] as const)('by %s', async (status) => {
      const statuses = ['queued', 'sending', 'sent', 'delivered', 'undelivered', 'failed'] as const;
      await plant(statuses.flatMap((one) => [{ status: one }, { status: one }]));
      const found = await page({ status });
      expect(found).toMatchObject({ total: 2, more: false });
      expect(found.rows.map((row) => row.status)).toEqual([status, status]);
    });

    it('by reason: the carrier’s code, or ours for a message without one', async () => {
      const failed = { status: 'undelivered' } as const;
      await plant([
        { ...failed, body: 'off', carrierError: 30_003 },
        { ...failed, body: 'no reason' },
        { status: 'delivered' },
        { ...failed, body: 'spam', carrierError: 30_007 },
        { status: 'failed', body: 'refused', carrierError: 30_003 },
      ]);
      expect(await bodies({ reason: 30_003 })).toEqual(['refused', 'off']);
      expect(await bodies({ reason: 30_003, status: 'failed' })).toEqual(['refused']);
      expect(await bodies({ reason: 30_003, text: 'off' })).toEqual(['off']);
      expect(await bodies({ reason: 'not_delivered' })).toEqual(['no reason']);
      expect(await bodies({ reason: 30_005 })).toEqual([]);
      expect((await page({ reason: 30_007 })).rows).toMatchObject([
        { status: 'undelivered', error: 'not_delivered', reason: { code: '30007', permanent: true } },
      ]);
    });

    it.each([
      ['in E.164 form', '+14155552671', ['a']],
      ['as people write it', '(415) 555-2671', ['a']],
      ['by its end', '552671', ['a']],
      ['by its start', '+44', ['b']],
      ['by digits that several have', '20 7946', ['c', 'b']],
      ['that nothing went to', '+14155552672', []],
    ])('by a number %s', async (_title, number, expected) => {
      await plant([
        { recipient: '+14155552671', body: 'a' },
        { recipient: '+442079460123', body: 'b' },
        { recipient: '+12079460123', body: 'c' },
      ]);
      expect((await bodies({ number })).sort()).toEqual([...expected].sort());
    });

    it.each([
      ['hello', ['Say HELLO there']],
      ['ÉLAN', ['Un élan', 'L’ÉLAN']],
      ['100%', ['100% off']],
      ['%', ['100% off']],
      ['_', ['snake_case']],
      ['\\', ['back\\slash']],
      ["'", ["o'clock"]],
      ['🎉', ['party 🎉']],
      ['شكرا', ['شكرا لك']],
      ['nothing like it', []],
    ])('by the text %j, whatever its case and without wildcards', async (text, expected) => {
      const all = [
        'Say HELLO there',
        'Un élan',
        'L’ÉLAN',
        '100% off',
        'snake_case',
        'back\\slash',
        "o'clock",
        'party 🎉',
        'شكرا لك',
      ];
      await plant(all.map((body) => ({ body })));
      expect((await bodies({ text })).sort()).toEqual([...expected].sort());
    });

    describe('by one text', () => {
      const refer = (body: string, reference: string) =>
        bed.database.sql('UPDATE messages SET reference = $3 WHERE account_id = $1 AND body = $2', [
          account.id,
          body,
          reference,
        ]);

      it.each([
        ['a reference', 'vip-49', ['a']],
        ['a reference with space around it', ' vip-49 ', ['a']],
        ['a part of references', 'VIP', ['b vip-50', 'a']],
        ['a reference made of digits', '4155550000', ['c']],
        ['a whole number', '+14155552671', ['b vip-50']],
        ['a whole number as people write it', '(415) 555-2671', ['b vip-50']],
        ['digits of a number', '20 7946', ['c']],
        ['a text', 'VIP-50', ['b vip-50']],
        ['a number that only a text has', '202-555-0142', ['call 202-555-0142']],
        ['what nothing has', 'vip-51', []],
        ['white space', '  ', ['call 202-555-0142', 'c', 'b vip-50', 'a']],
      ])('that is %s', async (_title, search, expected) => {
        await plant([
          { recipient: '+14155552672', body: 'a' },
          { recipient: '+14155552671', body: 'b vip-50' },
          { recipient: '+442079460123', body: 'c' },
          { recipient: '+14155552672', body: 'call 202-555-0142' },
        ]);
        await refer('a', 'vip-49');
        await refer('b vip-50', 'vipers');
        await refer('c', '4155550000');
        expect(await bodies({ search })).toEqual(expected);
      });

      it('finds an old message by reference, number and id although many newer ones would be searched', async () => {
        const at = new Date('2026-02-02T17:00:00Z');
        const newer = Array.from({ length: limits.searchedRowsMax + 10 }, () => ({ at }));
        await plant([{ recipient: '+14155552672', body: 'old', at }, ...newer]);
        await refer('old', 'order-1');
        const { rows } = await page({ search: 'order-1' });
        expect(rows).toMatchObject([{ message: 'old', reference: 'order-1' }]);
        expect(await bodies({ search: '+1 415 555 2672' })).toEqual(['old']);
        expect(await bodies({ search: rows[0]?.messageId ?? '' })).toEqual(['old']);
        expect(await bodies({ search: rows[0]?.messageId.replace('SM', 'OT') ?? '' })).toEqual(['old']);
        expect(await page({ search: 'order-1' })).toMatchObject({ total: 1, among: newer.length + 1, more: false });
      });

      it('that is the id of a bulk finds its messages, and of a bulk of another account none', async () => {
        await plant(numbered(5));
        const id = newMessageId();
        const insert = `INSERT INTO batches (account_id, first_number, messages, id, credits, created_at)
          VALUES ($1, 2, 3, $2, 3, now())`;
        await bed.database.sql(insert, [account.id, id]);
        const search = publicBatchId(id);
        expect(await bodies({ search })).toEqual(['message 4', 'message 3', 'message 2']);
        expect(await bodies({ search, text: '3' })).toEqual(['message 3']);
        const other = await createTestAccount(server, { credits: 10 });
        await plant(numbered(5), other.id);
        const theirs = await TestBrowser.signedIn(server, other.id);
        expect((await theirs.get(`${PATH}?search=${search}`)).json()).toMatchObject({ rows: [], total: 0 });
      });

      it('is exported as it was found', async () => {
        await plant(numbered(2));
        await refer('message 1', 'vip-49');
        const file = (await browser.get(`${PATH}.csv?search=vip-49`)).body;
        expect(file).toContain('message 1');
        expect(file).not.toContain('message 2');
      });
    });

    it('by all at once', async () => {
      const at = new Date('2026-06-10T12:00:00Z');
      const right = { at, recipient: '+14155552671', body: 'the Right one', status: 'failed' } as const;
      await plant([
        { ...right, at: new Date('2026-06-09T12:00:00Z') },
        right,
        { ...right, status: 'delivered' },
        { ...right, recipient: '+14155552672' },
        { ...right, body: 'wrong' },
        { ...right, at: new Date('2026-06-11T12:00:00Z') },
      ]);
      const day = { from: '2026-06-10', to: '2026-06-10' };
      const found = await page({ ...day, status: 'failed', number: '+14155552671', text: 'right' });
      expect(found).toMatchObject({ total: 1, more: false, rows: [{ message: 'the Right one', status: 'failed' }] });
    });

    it('pages by number too, with the last page for a later one', async () => {
      await plant(numbered(50).map((message, n) => ({ ...message, status: n % 2 ? 'failed' : 'delivered' })));
      expect(await page({ status: 'delivered', page: 9 })).toMatchObject({ page: 3, pages: 3, total: 25 });
      expect(await bodies({ status: 'delivered', page: 3 })).toEqual([9, 7, 5, 3, 1].map((n) => `message ${n}`));
      expect(await bodies({ status: 'failed', page: 3 })).toEqual([10, 8, 6, 4, 2].map((n) => `message ${n}`));
    });

    it('searches a bounded number of rows, returns its position, and continues from there', async () => {
      const old = { at: new Date('2026-02-01T17:00:00Z'), body: 'needle' };
      const at = new Date('2026-02-02T17:00:00Z');
      await plant([old, ...Array.from({ length: limits.searchedRowsMax }, () => ({ at }))]);
      const first = await page({ text: 'needle' });
      expect(first).toMatchObject({ rows: [], total: 0, more: true, searchedTo: '2/2/2026, 12:00:00 PM' });
      const second = await page({ text: 'needle', continue: first.continue ?? 0 });
      expect(second).toMatchObject({ rows: [{ message: 'needle' }], total: 1, more: false, continue: null });
      // With an index on the number, the bound counts rows with that number.
      const many = await page({ number: '+14155552671' });
      const max = limits.searchedScatteredRowsMax;
      expect(many).toMatchObject({
        total: max,
        more: true,
        pages: max / 10,
        continue: limits.searchedRowsMax + 2 - max,
      });
      expect(await page({ number: '+14155552671', continue: 2 })).toMatchObject({ total: 1, more: false });
      expect(await page({ status: 'failed' })).toMatchObject({ total: 0, more: false });
    });
  });

  it.each([
    ['page=0'],
    ['page=x'],
    ['page=1.5'],
    ['status=lost'],
    ['status=sent&status=failed'],
    ['reason=30003;'],
    ['reason=Not%20delivered'],
    ['number=abc'],
    [`number=${'1'.repeat(65)}`],
    ['from=2026-02-30'],
    ['from=1999-12-31'],
    ['to=yesterday'],
    ['to=3000-01-01'],
    ['text=%00'],
    ['search=%00'],
    [`search=${'x'.repeat(201)}`],
    [`text=${'x'.repeat(201)}`],
    ['continue=0'],
    ['continue=x'],
    ['continue=1e400'],
  ])('rejects ?%s', async (query) => {
    const answer = await browser.get(`${PATH}?${query}`);
    expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([400, 'invalid_request']);
  });

  it('ignores empty filters', async () => {
    await plant(numbered(1));
    expect(await page({ status: '', number: '', from: '', to: '', text: '', continue: '' })).toMatchObject({
      total: 1,
    });
  });

  it('offers the reasons that occurred in the last 92 days, the most frequent first', async () => {
    const reasons = async () => (await browser.get('/api/dashboard/messages/reasons')).json<ReasonsAnswer>().reasons;
    expect(await reasons()).toEqual([]);
    const failed = { status: 'failed', carrierError: 30_006 } as const;
    const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);
    await plant([
      { status: 'undelivered', carrierError: 30_003 },
      failed,
      { ...failed, at: daysAgo(60) },
      { status: 'failed', carrierError: 21_610, at: daysAgo(95) },
      { status: 'failed', carrierError: 99_999 },
      { status: 'delivered' },
    ]);
    expect(await reasons()).toEqual([
      { code: '30006', text: expect.any(String) },
      { code: '30003', text: 'Phone off or out of reach' },
      { code: '99999', text: 'Error of the carrier' },
    ]);
    expect((await new TestBrowser(server).get('/api/dashboard/messages/reasons')).statusCode).toBe(401);
  });

  describe('/{message_id}', () => {
    const show = async (id: string): Promise<SentDetailsAnswer> =>
      sentDetailsAnswer.parse((await browser.get(`${PATH}/${publicMessageId(id)}`)).json());

    it('shows the history of a message, its price and its ledger entries', async () => {
      const row = acceptanceRow(server, account.apiKey, { price: 2, segments: 2, reference: 'order 7' });
      await server.get(Acceptance).decide(row);
      expect(await show(row.id)).toMatchObject({
        messageId: publicMessageId(row.id),
        from: null,
        reference: 'order 7',
        encoding: 'GSM-7',
        status: 'queued',
        credits: 2,
        timeline: [{ status: 'queued' }],
        ledger: [{ kind: 'message', amount: -2, source: publicMessageId(row.id), balanceAfter: 99_998 }],
      });
      await bed.database.sql(`UPDATE messages SET status = 'sending', claimed_at = now() WHERE id = $1`, [row.id]);
      const news = { id: row.id, carrierId: 'SM1', errorCode: 'not_delivered', carrierError: 30_003 } as const;
      await server.get(StatusUpdates).apply({ ...news, status: 'sent' });
      await server.get(StatusUpdates).apply({ ...news, status: 'undelivered' });
      const ended = await show(row.id);
      expect(ended).toMatchObject({
        from: '+15005550006',
        status: 'undelivered',
        refunded: 2,
        error: 'not_delivered',
        carrierError: 30_003,
        reason: { code: '30003', text: 'Phone off or out of reach', permanent: false },
        ledger: [
          { kind: 'message', amount: -2 },
          { kind: 'refund', amount: 2, balanceAfter: 100_000 },
        ],
      });
      expect(ended.timeline.map(({ status }) => status)).toEqual(['queued', 'sending', 'sent', 'undelivered']);
      const times = ended.timeline.map(({ at }) => at);
      expect([...times].sort()).toEqual(times);
      expect(await moneyFaults(bed.database)).toEqual([]);
    });

    it.each([
      ['of another account', async () => publicMessageId(await foreignId())],
      ['that is unknown', async () => publicMessageId(newMessageId())],
      ['of another form', async () => 'SM123'],
    ])('answers 404 to an id %s', async (_title, id) => {
      const answer = await browser.get(`${PATH}/${await id()}`);
      expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([404, 'message_not_found']);
    });

    const foreignId = async () => {
      const row = acceptanceRow(server, (await createTestAccount(server)).apiKey);
      await server.get(Acceptance).decide(row);
      return row.id;
    };
  });
});
