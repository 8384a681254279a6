import { randomUUID } from 'node:crypto';
import {
  conversationAnswer,
  conversationsAnswer,
  receivedAnswer,
  type ConversationsAnswer,
  type UnansweredAnswer,
  unansweredAnswer,
} from '#contract/histories.js';
import { limits } from '#contract/limits.js';
import { InboundRepository, type NewReply } from '#core/inbound/inbound.repository.js';
import { Postgres } from '#core/platform/database/postgres.js';

import { publicMessageId, uuidV7Floor } from '#core/rules/ids.js';
import { plantMessages, type PlantedMessage } from '#core/testing/planted-messages.js';
import { createTestAccount, type TestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { TestBrowser } from '../testing/browser.js';
import { createTestServer, OtpCalls, type TestServer } from '../testing/test-server.js';

const PATH = '/api/dashboard/conversations';
const OURS = '+15005550006';

interface Reply {
  readonly from: string;
  readonly body?: string;
  readonly at: Date;
}

describe('GET /api/dashboard/conversations', () => {
  let bed: TestBed;
  let server: TestServer;
  let account: TestAccount;
  let browser: TestBrowser;

  beforeAll(async () => {
    bed = await createTestBed();
    server = await createTestServer(bed.config());
  });

  beforeEach(async () => {
    account = await createTestAccount(server, { credits: 10_000 });
    browser = await TestBrowser.signedIn(server, account.id);
  });

  afterAll(async () => {
    await server?.close();
    await bed?.remove();
  });

  const at = (minute: number) => new Date(Date.UTC(2026, 4, 1, 12, minute));
  const person = (n: number) => `+1415555${String(n).padStart(4, '0')}`;
  const send = (messages: readonly Partial<PlantedMessage>[], accountId = account.id) =>
    plantMessages(bed.database, accountId, messages);
  /** Stores the replies as the account's next ones, in this order. */
  const receive = async (replies: readonly Reply[], accountId = account.id) => {
    const [last] = await bed.database.sql<{ number: number }>(
      'SELECT coalesce(max(number), 0)::int AS number FROM inbound_messages WHERE account_id = $1',
      [accountId],
    );
    const rows = replies.map(({ from, body = 'Yes', at: createdAt }, index): NewReply => {
      const id = `${uuidV7Floor(createdAt).slice(0, 24)}${randomUUID().slice(-12)}`;
      return {
        id,
        accountId,
        number: (last?.number ?? 0) + index + 1,
        carrierId: id,
        sender: from,
        recipient: OURS,
        body,
        segments: 1,
        status: 'received',
        mediaCount: 0,
        createdAt,
      };
    });
    await server.get(Postgres).transaction((tx) => server.get(InboundRepository).insert(tx, rows));
    return rows;
  };
  const page = async (query: object = {}, who = browser): Promise<ConversationsAnswer> => {
    const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
    const answer = await who.get(`${PATH}?${search.toString()}`);
    expect(answer.statusCode).toBe(200);
    return conversationsAnswer.parse(answer.json());
  };
  /** All pages, one after the other; `between` runs after each. */
  const allPages = async (
    query: object = {},
    between = (): Promise<unknown> => Promise.resolve(),
  ): Promise<ConversationsAnswer[]> => {
    const pages = [await page(query)];
    for (let next = pages[0]?.next; next && pages.length < 20; next = pages.at(-1)?.next) {
      await between();
      pages.push(await page({ ...query, ...next }));
    }
    return pages;
  };
  const numbersOf = (pages: readonly ConversationsAnswer[]) =>
    pages.flatMap(({ conversations }) => conversations.map(({ number }) => number));

  it('needs a session', async () => {
    const answer = await new TestBrowser(server).get(PATH);
    expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([401, 'not_signed_in']);
  });

  it('is empty before the first message', async () => {
    expect(await page()).toEqual({ conversations: [], searchedTo: null, next: null });
  });

  it('has each person once with the latest text of either direction, the latest message first', async () => {
    await send([
      { recipient: person(1), body: 'one', at: at(1) },
      { recipient: person(2), body: 'two', at: at(2), status: 'failed' },
      { recipient: '+4915123456789', body: 'three', at: at(3), status: 'sent' },
    ]);
    await receive([
      { from: person(1), body: 'answer one', at: at(5) },
      { from: '54321', body: 'news', at: at(6) },
    ]);
    await send([{ recipient: '54321', body: 'never mind', at: at(6), status: 'delivered' }]);
    const shown = await page();
    expect(shown).toMatchObject({ searchedTo: null, next: null });
    const optedOutAt = null;
    const row = (
      number: string,
      country: string | null,
      direction: string,
      text: string,
      minute: number,
      sentStatus: string,
    ) => ({
      number,
      country,
      direction,
      text,
      isTextRemoved: false,
      mediaTypes: [],
      at: at(minute).toISOString(),
      sentStatus,
      optedOutAt,
      isUnanswered: direction === 'received',
    });
    expect(shown.conversations).toEqual([
      // A sent message counts as later than a received message of the same time.
      row('54321', null, 'sent', 'never mind', 6, 'delivered'),
      row(person(1), 'US', 'received', 'answer one', 5, 'delivered'),
      row('+4915123456789', 'DE', 'sent', 'three', 3, 'sent'),
      row(person(2), 'US', 'sent', 'two', 2, 'failed'),
    ]);
  });

  it('tells an empty reply from one whose text was erased', async () => {
    const [, erased] = await receive([
      { from: person(1), body: '', at: at(1) },
      { from: person(2), body: '', at: at(2) },
    ]);
    await bed.database.sql(`UPDATE inbound_messages SET sender = '' WHERE id = $1`, [erased?.id]);
    expect((await page()).conversations).toMatchObject([{ text: '', isTextRemoved: false }]);
    const shown = conversationAnswer.parse((await browser.get(`${PATH}/${encodeURIComponent(person(1))}`)).json());
    expect(shown.messages).toMatchObject([{ text: '', isTextRemoved: false }]);
    const { rows } = receivedAnswer.parse((await browser.get('/api/dashboard/messages/received')).json());
    expect(rows.map(({ from, isTextRemoved }) => [from, isTextRemoved])).toEqual([
      ['', true],
      [person(1), false],
    ]);
  });

  it('has no status for a person who was never texted', async () => {
    await receive([{ from: person(1), at: at(1) }]);
    expect((await page()).conversations).toMatchObject([{ direction: 'received', sentStatus: null }]);
  });

  it("hides other accounts' people and messages", async () => {
    const other = await createTestAccount(server, { credits: 100 });
    await send([{ recipient: person(1), body: 'mine', at: at(1) }]);
    await send(
      [person(1), person(2)].map((recipient) => ({ recipient, body: 'theirs', at: at(2) })),
      other.id,
    );
    await receive(
      [person(1), person(3)].map((from) => ({ from, body: 'to them', at: at(3) })),
      other.id,
    );
    expect((await page()).conversations).toMatchObject([{ number: person(1), text: 'mine' }]);
    const theirs = await page({}, await TestBrowser.signedIn(server, other.id));
    expect(theirs.conversations.map(({ text }) => text).sort()).toEqual(['theirs', 'to them', 'to them']);
  });

  it('shows who opted out of the sender of the latest messages, or of a shared one', async () => {
    await send([0, 1, 2, 3].map((n) => ({ recipient: person(n + 100), at: at(n) })));
    await receive([{ from: person(104), body: 'STOP', at: at(4) }]);
    await bed.database.sql(
      `INSERT INTO opt_outs (recipient, sender, created_at, shared)
        VALUES ($1, '${OURS}', $5, false), ($2, '+15005550099', $5, false), ($3, '${OURS}', $5, true),
          ($4, '+15005550099', $5, true)`,
      [person(101), person(102), person(104), person(100), at(5)],
    );
    const optedOut = (await page()).conversations.map(({ number, optedOutAt }) => [number, optedOutAt]);
    expect(optedOut).toEqual([
      [person(104), at(5).toISOString()],
      [person(103), null],
      [person(102), null],
      [person(101), at(5).toISOString()],
      [person(100), at(5).toISOString()],
    ]);
  });

  it('leaves out erased and masked numbers', async () => {
    await send(['', '+1415•••••••', person(1)].map((recipient, n) => ({ recipient, at: at(n) })));
    await receive(['', '+1415•••••••'].map((from, n) => ({ from, at: at(n + 5) })));
    expect(numbersOf([await page()])).toEqual([person(1)]);
  });

  it('shows one-time passwords without the code', async () => {
    const otp = await new OtpCalls(server).send({ to: person(1), org: 'Acme', apikey: account.apiKey });
    expect(otp.statusCode).toBe(200);
    const [shown] = (await page()).conversations;
    expect(shown).toMatchObject({ number: person(1), direction: 'sent' });
    expect(shown?.text).toContain('Acme');
    expect(shown?.text).not.toMatch(/\d{4}/);
  });

  it('finds people by a whole number and by some digits', async () => {
    await send([1, 2, 12].map((n) => ({ recipient: person(n), at: at(n) })));
    expect(numbersOf([await page({ number: person(1) })])).toEqual([person(1)]);
    expect(numbersOf([await page({ number: '(415) 555-0002' })])).toEqual([person(2)]);
    expect(numbersOf([await page({ number: '5001' })])).toEqual([person(12)]);
    expect(numbersOf([await page({ number: '+1415' })])).toEqual([person(12), person(2), person(1)]);
    expect(numbersOf([await page({ number: '+415' })])).toEqual([]);
  });

  it.each([
    'sent=0',
    'received=x',
    'below=0',
    'tab=none',
    `text=${'x'.repeat(201)}`,
    'number=abc',
    `number=${'1'.repeat(65)}`,
  ])('rejects ?%s', async (query) => {
    const answer = await browser.get(`${PATH}?${query}`);
    expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([400, 'invalid_request']);
  });

  const unanswered = async (who = browser): Promise<UnansweredAnswer> =>
    unansweredAnswer.parse((await who.get(`${PATH}/unanswered`)).json());

  describe('of people who have replied', () => {
    it('has each with the latest reply, which a bulk of 50 does not bury', async () => {
      await send([1, 2].map((n) => ({ recipient: person(n), at: at(n) })));
      await receive([
        { from: person(1), body: 'first', at: at(3) },
        { from: person(2), body: 'other', at: at(4) },
        { from: person(1), body: 'second', at: at(5) },
      ]);
      await send(Array.from({ length: 50 }, (_, n) => ({ recipient: person(100 + n), at: at(10) })));
      const { conversations, next } = await page({ tab: 'replies' });
      expect(next).toBeNull();
      expect(conversations).toMatchObject([
        { number: person(1), text: 'second', direction: 'received', at: at(5).toISOString(), isUnanswered: true },
        { number: person(2), text: 'other', isUnanswered: true, sentStatus: 'delivered' },
      ]);
    });

    it('pages through everyone once, the latest reply first, also while replies arrive', async () => {
      await receive(Array.from({ length: 60 }, (_, n) => ({ from: person(n), at: at(n) })));
      let minute = 100;
      const pages = await allPages({ tab: 'replies' }, () => receive([{ from: person(59), at: at((minute += 1)) }]));
      expect(numbersOf(pages)).toEqual(Array.from({ length: 60 }, (_, n) => person(59 - n)));
      expect(pages.map(({ conversations }) => conversations.length)).toEqual([25, 25, 10]);
    });

    it('finds them by digits and by a whole number', async () => {
      await send([{ recipient: person(1), at: at(1) }]);
      await receive([2, 12].map((n) => ({ from: person(n), at: at(n) })));
      expect(numbersOf([await page({ tab: 'replies', number: '555-00' })])).toEqual([person(12), person(2)]);
      expect(numbersOf([await page({ tab: 'replies', number: '(415) 555-0002' })])).toEqual([person(2)]);
      expect(numbersOf([await page({ tab: 'unanswered', number: '5001' })])).toEqual([person(12)]);
      expect(numbersOf([await page({ tab: 'replies', number: person(1) })])).toEqual([]);
    });
  });

  describe('of people who wait for an answer', () => {
    it('has those whose reply is the latest message, and counts them', async () => {
      await receive([1, 2, 3].map((n) => ({ from: person(n), at: at(n) })));
      await send([{ recipient: person(2), body: 'answer', at: at(4) }]);
      expect(await unanswered()).toEqual({ count: 2, isMore: false });
      expect(numbersOf([await page({ tab: 'unanswered' })])).toEqual([person(3), person(1)]);
      expect(numbersOf([await page({ tab: 'replies' })])).toEqual([person(3), person(2), person(1)]);
      // The result is cached, and a later reply waits again.
      await receive([{ from: person(2), at: at(5) }]);
      expect(await unanswered()).toEqual({ count: 3, isMore: false });
      expect(numbersOf([await page({ tab: 'unanswered' })])).toEqual([person(2), person(3), person(1)]);
    });

    it('leaves out who has opted out, because no answer can be sent', async () => {
      await receive([1, 2].map((n) => ({ from: person(200 + n), at: at(n) })));
      await bed.database.sql('INSERT INTO opt_outs (recipient, sender) VALUES ($1, $2)', [person(201), OURS]);
      expect(await unanswered()).toEqual({ count: 1, isMore: false });
      expect(numbersOf([await page({ tab: 'unanswered' })])).toEqual([person(202)]);
      const everyone = (await page({ tab: 'replies' })).conversations;
      expect(everyone.map(({ isUnanswered }) => isUnanswered)).toEqual([true, false]);
    });

    it('does not count people whose last word was START or STOP, which need no answer', async () => {
      await receive([
        { from: person(301), body: 'START', at: at(1) },
        { from: person(302), body: 'Where is my parcel?', at: at(2) },
        { from: person(303), body: 'Hello?', at: at(3) },
        { from: person(303), body: 'Stop', at: at(4) },
        { from: person(304), body: 'YES', at: at(5) },
      ]);
      expect(await unanswered()).toEqual({ count: 2, isMore: false });
      expect(numbersOf([await page({ tab: 'unanswered' })])).toEqual([person(304), person(302)]);
      await receive([{ from: person(301), body: 'Are you open?', at: at(6) }]);
      expect(await unanswered()).toEqual({ count: 3, isMore: false });
    });

    it("counts no neighbor's people, and takes no neighbor's message for an answer", async () => {
      const neighbor = await createTestAccount(server, { credits: 10 });
      await receive([{ from: person(1), at: at(1) }]);
      await send([{ recipient: person(1), at: at(2) }], neighbor.id);
      await receive([{ from: person(2), at: at(3) }], neighbor.id);
      expect(await unanswered()).toEqual({ count: 1, isMore: false });
      const theirs = await TestBrowser.signedIn(server, neighbor.id);
      expect(await unanswered(theirs)).toEqual({ count: 1, isMore: false });
      expect(numbersOf([await page({ tab: 'unanswered' }, theirs)])).toEqual([person(2)]);
    });

    it('counts to 99, and finds the few who wait among many who were answered', async () => {
      const replies = Array.from({ length: 450 }, (_, n) => ({ from: person(n), at: at(n) }));
      await receive(replies);
      expect(await unanswered()).toEqual({ count: 99, isMore: true });
      await send(replies.slice(3).map(({ from }) => ({ recipient: from, at: at(1_000) })));
      expect(numbersOf(await allPages({ tab: 'unanswered' }))).toEqual([person(2), person(1), person(0)]);
      expect(await unanswered()).toEqual({ count: 3, isMore: false });
    });

    it('drops a person who is marked as answered, until the next reply', async () => {
      const mark = async (reply: NewReply | undefined, number: string, who = browser) => {
        const body = { messageId: publicMessageId(reply?.id ?? randomUUID()) };
        const answer = await who.call('POST', `${PATH}/${encodeURIComponent(number)}/answered`, body);
        return answer.statusCode === 200
          ? unansweredAnswer.parse(answer.json())
          : [answer.statusCode, answer.json<{ code: string }>().code];
      };
      const notFound = [404, 'message_not_found'];
      const isUnanswered = async () =>
        conversationAnswer.parse((await browser.get(`${PATH}/${encodeURIComponent(person(1))}`)).json()).isUnanswered;
      const [first] = await receive([{ from: person(1), at: at(1) }]);
      const [other] = await receive([{ from: person(2), at: at(2) }]);
      expect(await isUnanswered()).toBe(true);
      const neighbor = await TestBrowser.signedIn(server, (await createTestAccount(server)).id);
      expect(await mark(first, person(1), neighbor)).toEqual(notFound);
      expect(await mark(undefined, person(1))).toEqual(notFound);
      expect(await mark(other, person(1))).toEqual(notFound);
      expect(await mark(first, person(9))).toEqual(notFound);
      expect(await isUnanswered()).toBe(true);
      expect(await mark(first, person(1))).toEqual({ count: 1, isMore: false });
      expect(await isUnanswered()).toBe(false);
      const [second] = await receive([{ from: person(1), at: at(3) }]);
      // The page had not seen the second reply.
      expect(await mark(first, person(1))).toEqual({ count: 2, isMore: false });
      expect(await mark(second, person(1))).toEqual({ count: 1, isMore: false });
      // Another tab has marked the reply.
      expect(await mark(second, person(1))).toEqual({ count: 1, isMore: false });
    });

    it('needs a session to count and to mark, and a message id', async () => {
      const stranger = new TestBrowser(server);
      expect((await stranger.get(`${PATH}/unanswered`)).statusCode).toBe(401);
      expect((await browser.call('POST', `${PATH}/${encodeURIComponent(person(1))}/answered`, {})).statusCode).toBe(
        400,
      );
    });
  });

  describe('with a text', () => {
    beforeEach(async () => {
      await send([
        { recipient: person(1), body: 'Your table for two', at: at(1) },
        { recipient: person(2), body: 'Your TABLE is ready', at: at(2) },
        { recipient: person(3), body: 'Closed today', at: at(3) },
      ]);
      await receive([
        { from: person(1), body: 'thank you', at: at(4) },
        { from: person(3), body: 'no Table then', at: at(5) },
      ]);
      await send([{ recipient: person(3), body: 'Sorry', at: at(6) }]);
    });

    it('finds the messages of either direction, in any letter case, with the message found', async () => {
      const { conversations } = await page({ text: 'table' });
      expect(conversations).toMatchObject([
        { number: person(3), text: 'no Table then', direction: 'received', isUnanswered: false },
        { number: person(2), text: 'Your TABLE is ready', direction: 'sent', isUnanswered: false },
        { number: person(1), text: 'Your table for two', direction: 'sent', isUnanswered: true },
      ]);
      expect(numbersOf([await page({ text: '%' })])).toEqual([]);
    });

    it('keeps to the tab and to the number', async () => {
      expect(numbersOf([await page({ text: 'table', tab: 'replies' })])).toEqual([person(3), person(1)]);
      expect(numbersOf([await page({ text: 'table', tab: 'unanswered' })])).toEqual([person(1)]);
      expect(numbersOf([await page({ text: 'table', number: '0002' })])).toEqual([person(2)]);
    });

    it('pages through everyone once', async () => {
      await send(
        Array.from({ length: 60 }, (_, n) => ({ recipient: person(100 + (n % 40)), body: 'Hello', at: at(10 + n) })),
      );
      const pages = await allPages({ text: 'hello' });
      expect(numbersOf(pages).toSorted()).toEqual(Array.from({ length: 40 }, (_, n) => person(100 + n)));
    });
  });

  describe('with many messages', () => {
    /** Reproducible numbers from 0 to `below` - 1. */
    const randomly = (seed: number) => (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((seed / 2_147_483_648) * below);
    };

    /** Both directions mixed, with equal times; returns everyone, the latest message first. */
    const mix = async (sentCount: number, receivedCount: number, people: number): Promise<string[]> => {
      const random = randomly(sentCount + people);
      const times = (count: number) => Array.from({ length: count }, () => random(200)).sort((a, b) => a - b);
      const sent = times(sentCount).map((minute) => ({ recipient: person(random(people)), at: at(minute) }));
      const replies = times(receivedCount).map((minute) => ({ from: person(random(people)), at: at(minute) }));
      await send(sent);
      await receive(replies);
      const both = [
        ...replies.map(({ from, at: time }, n) => ({ number: from, key: [time.getTime(), 0, n] as const })),
        ...sent.map(({ recipient, at: time }, n) => ({ number: recipient, key: [time.getTime(), 1, n] as const })),
      ];
      both.sort(({ key: [a, b, c] }, { key: [x, y, z] }) => x - a || y - b || z - c);
      return [...new Set(both.map(({ number }) => number))];
    };

    it.each([
      [300, 100, 80],
      [60, 400, 150],
      [500, 0, 60],
      [0, 90, 70],
    ])('pages through everyone once and in order: %d sent, %d received, %d people', async (...counts) => {
      const everyone = await mix(...counts);
      const pages = await allPages();
      expect(numbersOf(pages)).toEqual(everyone);
      expect(pages.every(({ conversations }) => conversations.length <= limits.conversationsPageSize)).toBe(true);
      expect(pages.slice(0, -1).every(({ conversations }) => conversations.length > 0)).toBe(true);
    });

    it('reads a bounded number of messages, reports how far back, and goes on there without repeating anyone', async () => {
      const max = limits.conversationMessagesMax;
      await receive([{ from: person(9), at: at(0) }]);
      await send(Array.from({ length: max + 200 }, (_, n) => ({ recipient: person(n % 2), at: at(n + 1) })));
      await receive([{ from: person(7), at: at(150) }]);
      await send([{ recipient: person(8), at: at(5_000) }]);
      const [first, second, ...others] = await allPages();
      // The reply is older than the oldest sent message that was read.
      expect(numbersOf(first ? [first] : [])).toEqual([person(8), person(1), person(0)]);
      // 12:00 UTC on May 1 and 202 minutes.
      expect(first).toMatchObject({ searchedTo: '5/1/2026, 11:22:00 AM', next: { sent: 202, received: 3 } });
      expect(second).toMatchObject({ searchedTo: null, next: null });
      expect(numbersOf(second ? [second] : [])).toEqual([person(7), person(9)]);
      expect(others).toEqual([]);
    });

    it('knows the status of a message that was sent long before the reply', async () => {
      await send([{ recipient: person(1), at: at(0), status: 'undelivered' }]);
      await send(
        Array.from({ length: limits.conversationMessagesMax + 1 }, () => ({ recipient: person(2), at: at(1) })),
      );
      await receive([{ from: person(1), at: at(2) }]);
      const { conversations } = await page();
      expect(conversations[0]).toMatchObject({ number: person(1), direction: 'received', sentStatus: 'undelivered' });
    });

    it('moves no person to a later page whose messages arrive meanwhile', async () => {
      await send(Array.from({ length: 60 }, (_, n) => ({ recipient: person(n), at: at(n) })));
      let minute = 100;
      const pages = await allPages({}, () => receive([{ from: person(30), at: at((minute += 1)) }]));
      // Person 30 is at the top now.
      expect(numbersOf(pages)).toEqual(Array.from({ length: 60 }, (_, n) => person(59 - n)).filter((_, n) => n !== 29));
      expect(numbersOf([await page()])[0]).toBe(person(30));
    });
  });
});
