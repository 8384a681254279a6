import {
  conversationAnswer,
  type ConversationAnswer,
  receivedAnswer,
  type ReceivedAnswer,
} from '#contract/histories.js';
import { uuidV7Floor } from '#core/rules/ids.js';
import { plantMessages } from '#core/testing/planted-messages.js';
import { createTestAccount, type TestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { TestBrowser } from '../testing/browser.js';
import { createTestServer, type TestServer } from '../testing/test-server.js';

const PATH = '/api/dashboard/messages/received';

interface Reply {
  readonly body?: string;
  readonly sender?: string;
  readonly held?: boolean;
  readonly at?: Date;
}

describe('/api/dashboard/messages/received', () => {
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

  let planted = 0;
  const plant = async (replies: readonly Reply[], accountId = account.id) => {
    for (const [
      index,
      { body = 'Hello', sender = '+14155552671', held = false, at = new Date() },
    ] of replies.entries()) {
      planted += 1;
      const id = `${uuidV7Floor(at).slice(0, 24)}${planted.toString(16).padStart(12, '0')}`;
      await bed.database.sql(
        `INSERT INTO inbound_messages
           (id, account_id, number, carrier_id, sender, recipient, body, segments, credits, status,
             created_at, received_at)
         VALUES ($1, $2, $3, $1::uuid::text, $4, '+15005550006', $5, 1, $6, $7, $8, $9)`,
        [id, accountId, index + 1, sender, body, held ? 0 : 1, held ? 'held' : 'received', at, held ? null : at],
      );
    }
  };
  const page = async (query = ''): Promise<ReceivedAnswer> => {
    const answer = await browser.get(`${PATH}${query}`);
    expect(answer.statusCode).toBe(200);
    return receivedAnswer.parse(answer.json());
  };
  const bodies = async (query = '') => (await page(query)).rows.map(({ message }) => message);

  it.each([PATH, `${PATH}.csv`])('needs a session for %s', async (path) => {
    const answer = await new TestBrowser(server).get(path);
    expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([401, 'not_signed_in']);
  });

  it('is one empty page without messages', async () => {
    expect(await page('?page=3')).toMatchObject({ rows: [], page: 1, pages: 1, total: 0 });
  });

  it('returns the columns of the table in New York time', async () => {
    await plant([{ at: new Date('2026-01-01T05:00:00Z'), body: 'نعم 🎉' }]);
    expect((await page()).rows).toEqual([
      {
        messageId: expect.stringMatching(/^SM[0-9a-f]{32}$/),
        date: '1/1/2026, 12:00:00 AM',
        at: '2026-01-01T05:00:00.000Z',
        from: '+14155552671',
        to: '+15005550006',
        message: 'نعم 🎉',
        segments: 1,
        status: 'received',
        credits: 1,
        media: [],
        isTextRemoved: false,
      },
    ]);
  });

  it('pages by number, newest first, and returns the last page for a later one', async () => {
    await plant(Array.from({ length: 12 }, (_, n) => ({ body: `message ${n + 1}` })));
    expect((await bodies())[0]).toBe('message 12');
    expect(await page('?page=7')).toMatchObject({ page: 2, pages: 2, total: 12 });
    expect(await bodies('?page=7')).toEqual(['message 2', 'message 1']);
  });

  it('filters by state, number, text and days, alone and together', async () => {
    const at = new Date('2026-03-08T05:00:00Z');
    await plant([
      { at: new Date(at.getTime() - 1), body: 'the day before', sender: '+442079460123' },
      { at, body: 'first', held: true },
      { at, body: 'SECOND' },
      { at: new Date('2026-03-09T04:00:00Z'), body: 'the day after', held: true },
    ]);
    expect(await bodies('?status=held')).toEqual(['the day after', 'first']);
    expect(await bodies('?status=received')).toEqual(['SECOND', 'the day before']);
    expect(await bodies('?number=%2B442079460123')).toEqual(['the day before']);
    expect(await bodies('?number=5552671')).toEqual(['the day after', 'SECOND', 'first']);
    expect(await bodies('?text=second')).toEqual(['SECOND']);
    expect(await bodies('?from=2026-03-08&to=2026-03-08')).toEqual(['SECOND', 'first']);
    expect(await bodies('?from=2026-03-08&to=2026-03-08&status=held&number=4155552671&text=F')).toEqual(['first']);
  });

  it("hides other accounts' messages", async () => {
    await plant([{ body: 'theirs' }], (await createTestAccount(server)).id);
    expect(await bodies()).toEqual([]);
  });

  it('is searched by one text: an id, a whole number, digits of numbers, or a text', async () => {
    await plant([
      { body: 'first of May', sender: '+442079460123' },
      { body: 'Yes, and ring 2079', sender: '+14155552671' },
    ]);
    const [newest] = (await page()).rows;
    const searched = (search: string) => bodies(`?${new URLSearchParams({ search }).toString()}`);
    expect(await searched(newest?.messageId ?? '')).toEqual(['Yes, and ring 2079']);
    expect(await searched('+44 20 7946 0123')).toEqual(['first of May']);
    expect(await searched('2079')).toEqual(['Yes, and ring 2079', 'first of May']);
    expect(await searched('MAY')).toEqual(['first of May']);
    expect(await searched('vip-49')).toEqual([]);
    expect(await searched(' ')).toHaveLength(2);
  });

  it.each(['status=sent', 'page=0', 'number=abc', 'from=nonsense', 'text=%00'])('rejects ?%s', async (query) => {
    const answer = await browser.get(`${PATH}?${query}`);
    expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([400, 'invalid_request']);
  });

  it('comes as a CSV file', async () => {
    await plant([{ at: new Date('2026-05-01T16:00:00Z'), body: '=1+1' }, { held: true }]);
    const { body, headers } = await browser.get(`${PATH}.csv?status=received`);
    expect(headers['content-disposition']).toMatch(/^attachment; filename="pennytext-received-\d{4}-\d\d-\d\d\.csv"$/);
    const [heading = '', row = ''] = body.split('\r\n');
    expect(heading).toBe(
      '\ufeff"Date (New York)","Time (UTC)","Received From","Received By","Message","Segments ' +
        'Used","MessageId","Status","Credits","Files"',
    );
    expect(row.replace(/"SM[0-9a-f]{32}"/, '"ID"')).toBe(
      `"5/1/2026, 12:00:00 PM","2026-05-01T16:00:00.000Z","+14155552671","+15005550006","'=1+1",1,"ID","received",1,0`,
    );
  });

  describe('/api/dashboard/conversations/{number}', () => {
    const PERSON = '+14155552671';
    const conversation = async (query = '', who = browser) => {
      const answer = await who.get(`/api/dashboard/conversations/${encodeURIComponent(PERSON)}${query}`);
      expect(answer.statusCode).toBe(200);
      return conversationAnswer.parse(answer.json());
    };
    const at = (minute: number) => new Date(Date.UTC(2026, 4, 1, 12, minute));
    const textsOf = ({ messages }: ConversationAnswer) => messages.map(({ text }) => text);

    it('needs a session', async () => {
      expect((await new TestBrowser(server).get(`/api/dashboard/conversations/${PERSON}`)).statusCode).toBe(401);
    });

    it('has the messages of both directions, newest first, of this account and person only', async () => {
      const other = await createTestAccount(server, { credits: 10 });
      await plantMessages(bed.database, account.id, [
        { recipient: PERSON, body: 'one', at: at(1) },
        { recipient: '+14155552672', body: 'to another', at: at(2) },
        { recipient: PERSON, body: 'three', at: at(3) },
      ]);
      await plantMessages(bed.database, other.id, [{ recipient: PERSON, body: 'theirs', at: at(4) }]);
      await plant([
        { body: 'two', at: at(2) },
        { body: 'of another', sender: '+14155552672', at: at(3) },
      ]);
      await plant([{ body: 'to them', at: at(5) }], other.id);
      const shown = await conversation();
      expect(textsOf(shown)).toEqual(['three', 'two', 'one']);
      expect(shown.messages.map(({ direction }) => direction)).toEqual(['sent', 'received', 'sent']);
      expect(shown).toMatchObject({ number: PERSON, next: null, optedOutAt: null });
      const theirs = await conversation('', await TestBrowser.signedIn(server, other.id));
      expect(textsOf(theirs)).toEqual(['to them', 'theirs']);
    });

    it('pages through every message once and in order', async () => {
      const rich = await createTestAccount(server, { credits: 500 });
      const signedIn = await TestBrowser.signedIn(server, rich.id);
      const sent = Array.from({ length: 120 }, (_, n) => ({ recipient: PERSON, body: `s${n}`, at: at(n * 3) }));
      const replies = Array.from({ length: 70 }, (_, n) => ({ body: `r${n}`, at: at(n * 7 + 1) }));
      await plantMessages(bed.database, rich.id, sent);
      await plant(replies, rich.id);
      const seen: string[] = [];
      let next: ConversationAnswer['next'] = { before: null, below: null };
      for (let turn = 0; next !== null && turn < 10; turn += 1) {
        const given = Object.entries(next).flatMap(([name, value]) => (value === null ? [] : [`${name}=${value}`]));
        const answer: ConversationAnswer = await conversation(`?${given.join('&')}`, signedIn);
        expect(answer.messages.length).toBeLessThanOrEqual(50);
        seen.push(...textsOf(answer));
        next = answer.next;
      }
      const all = [...sent, ...replies].sort((one, other) => other.at.getTime() - one.at.getTime());
      expect(seen).toEqual(all.map(({ body }) => body));
    });

    it('shows the opt-out of the sender they wrote to, but to no account without messages', async () => {
      await plant([{ body: 'STOP', at: at(1) }]);
      await bed.database.sql(`INSERT INTO opt_outs (recipient, sender, created_at) VALUES ($1, '+15005550006', $2)`, [
        PERSON,
        at(1),
      ]);
      expect((await conversation()).optedOutAt).toBe(at(1).toISOString());
      const other = await TestBrowser.signedIn(server, (await createTestAccount(server)).id);
      expect(await conversation('', other)).toMatchObject({ messages: [], optedOutAt: null });
    });

    it.each(['before=SM1', `before=${'x'.repeat(34)}`, 'below=0', 'below=x'])('refuses %s', async (query) => {
      const answer = await browser.get(`/api/dashboard/conversations/${encodeURIComponent(PERSON)}?${query}`);
      expect(answer.statusCode).toBe(400);
    });
  });
});
