import { randomUUID } from 'node:crypto';
import { conversationsAnswer, type ConversationsAnswer } from '#contract/histories.js';
import { limits } from '#contract/limits.js';
import { uuidV7Floor } from '#core/rules/ids.js';
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
  const receive = (replies: readonly Reply[], accountId = account.id) =>
    bed.database.sql(
      `INSERT INTO inbound_messages
         (id, account_id, number, carrier_id, sender, recipient, body, segments, credits, status,
           created_at, received_at)
       SELECT id, $1, (SELECT coalesce(max(number), 0) FROM inbound_messages
         WHERE account_id = $1) + n, id::text, sender, '${OURS}',
         body, 1, 1, 'received', at, at
       FROM unnest($2::uuid[], $3::text[], $4::text[], $5::timestamptz[]) WITH ORDINALITY AS r (id, sender,
         body, at, n)`,
      [
        accountId,
        replies.map((reply) => `${uuidV7Floor(reply.at).slice(0, 24)}${randomUUID().slice(-12)}`),
        replies.map(({ from }) => from),
        replies.map(({ body = 'Yes' }) => body),
        replies.map((reply) => reply.at),
      ],
    );
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
      at: at(minute).toISOString(),
      sentStatus,
      optedOutAt,
      isUnanswered: direction === 'received',
    });
    expect(shown.conversations).toEqual([
      // Of messages with the same time, ours counts as the later one.
      row('54321', null, 'sent', 'never mind', 6, 'delivered'),
      row(person(1), 'US', 'received', 'answer one', 5, 'delivered'),
      row('+4915123456789', 'DE', 'sent', 'three', 3, 'sent'),
      row(person(2), 'US', 'sent', 'two', 2, 'failed'),
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

  it('shows who opted out of the sender of the latest messages', async () => {
    await send([1, 2, 3].map((n) => ({ recipient: person(n + 100), at: at(n) })));
    await receive([{ from: person(104), body: 'STOP', at: at(4) }]);
    await bed.database.sql(
      `INSERT INTO opt_outs (recipient, sender, created_at)
        VALUES ($1, '${OURS}', $4), ($2, '+15005550099', $4), ($3, '${OURS}', $4)`,
      [person(101), person(102), person(104), at(5)],
    );
    const optedOut = (await page()).conversations.map(({ number, optedOutAt }) => [number, optedOutAt]);
    expect(optedOut).toEqual([
      [person(104), at(5).toISOString()],
      [person(103), null],
      [person(102), null],
      [person(101), at(5).toISOString()],
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

  it.each(['sent=0', 'received=x', 'number=abc', `number=${'1'.repeat(65)}`])('rejects ?%s', async (query) => {
    const answer = await browser.get(`${PATH}?${query}`);
    expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([400, 'invalid_request']);
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
