import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { Postgres } from '#core/platform/database/postgres.js';
import { SentHistory } from '#core/messages/history/sent-history.js';
import { newYorkDay } from '#core/rules/time.js';
import { eventually } from '#core/testing/eventually.js';
import { plantMessages } from '#core/testing/planted-messages.js';
import { createTestAccount, type TestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { TestBrowser, signIn } from '../testing/browser.js';
import { createTestServer, type TestServer } from '../testing/test-server.js';

const SENT = '/api/dashboard/messages/sent.csv';

describe('CSV files of the dashboard', () => {
  let bed: TestBed;
  let server: TestServer;
  let account: TestAccount;
  let browser: TestBrowser;

  beforeAll(async () => {
    bed = await createTestBed();
    server = await createTestServer(bed.config());
    await server.app.listen(0, '127.0.0.1');
  });

  beforeEach(async () => {
    account = await createTestAccount(server, { credits: 100_000 });
    browser = await TestBrowser.signedIn(server, account.id);
  });

  afterEach(() => jest.restoreAllMocks());

  afterAll(async () => {
    await server?.close();
    await bed?.remove();
  });

  it('are downloads named by content and day', async () => {
    const { statusCode, headers, body } = await browser.get(SENT);
    expect(statusCode).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': `attachment; filename="pennytext-sent-${newYorkDay(new Date())}.csv"`,
      'cache-control': 'no-store',
    });
    expect(body).toBe(
      '\ufeff"Date (New York)","Time (UTC)","Sent To","Message","Segments ' +
        'Used","MessageId","Status","Credits","Refunded","Error","Carrier Error","Reason","Reference","Scheduled ' +
        '(UTC)","Files"\r\n',
    );
  });

  it('contain sent messages, newest first, with any text', async () => {
    const at = new Date('2026-11-01T06:30:00Z');
    const texts = ['=HYPERLINK("http://evil.example")', 'two\nlines, "quoted"', 'مرحبا 🎉'];
    await plantMessages(
      bed.database,
      account.id,
      texts.map((body) => ({ at, body })),
    );
    const { body } = await browser.get(SENT);
    const start = '"11/1/2026, 1:30:00 AM","2026-11-01T06:30:00.000Z","+14155552671",';
    const end = /^,1,"SM[0-9a-f]{32}","delivered",1,0,,,,,,0$/;
    const records = body.split('\r\n').slice(1, -1);
    expect(records.map((record) => record.slice(0, start.length))).toEqual([start, start, start]);
    const fields = ['"مرحبا 🎉"', '"two\nlines, ""quoted"""', `"'=HYPERLINK(""http://evil.example"")"`];
    records.forEach((record, index) => {
      const field = fields[index] ?? '';
      expect(record.slice(start.length, start.length + field.length)).toBe(field);
      expect(record.slice(start.length + field.length)).toMatch(end);
    });
  });

  it('apply the same filters as the pages', async () => {
    const messages = Array.from({ length: 2_500 }, (_, n) => ({
      body: `message ${n}`,
      status: n % 100 === 0 ? ('failed' as const) : ('delivered' as const),
      recipient: n % 2 ? '+14155552671' : '+14155552672',
      at: new Date(Date.parse('2026-05-01T04:00:00Z') + n * 60_000),
    }));
    await plantMessages(bed.database, account.id, messages);
    const count = async (query: string) => (await browser.get(`${SENT}?${query}`)).body.split('\r\n').length - 2;
    expect(await count('')).toBe(2_500);
    expect(await count('status=failed')).toBe(25);
    expect(await count('status=delivered')).toBe(2_475);
    expect(await count('number=%2B14155552671')).toBe(1_250);
    expect(await count('text=MESSAGE+24')).toBe(111);
    expect(await count('from=2026-05-01&to=2026-05-01')).toBe(1_440);
    expect(await count('status=failed&to=2026-05-01')).toBe(15);
    expect((await browser.get(`${SENT}?status=lost`)).statusCode).toBe(400);
  });

  it('contain the ledger', async () => {
    await plantMessages(bed.database, account.id, [{ at: new Date('2026-05-01T16:00:00Z') }]);
    const { body } = await browser.get('/api/dashboard/ledger.csv?kind=message');
    expect(body).toMatch(
      /^\ufeff"Date \(New York\)","Time \(UTC\)","Kind","Amount","Balance After","Source","Note"\r\n"5\/1\/2026, 12:00:00 PM","2026-05-01T16:00:00.000Z","message",-1,99999,"SM[0-9a-f]{32}",(?:"")?\r\n$/,
    );
    expect((await browser.get('/api/dashboard/ledger.csv')).body.split('\r\n')).toHaveLength(4);
  });

  describe('of 50,000 rows', () => {
    const rows = 50_000;

    beforeEach(async () => {
      await plantMessages(
        bed.database,
        account.id,
        Array.from({ length: rows }, () => ({})),
      );
      await bed.database.sql(`UPDATE messages SET body = repeat('lorem ', 250) WHERE account_id = $1`, [account.id]);
    });

    const download = async (): Promise<IncomingMessage> => {
      const headers = await signIn(server, account);
      const [response] = await once(get(`${await server.app.getUrl()}${SENT}`, { headers }), 'response');
      if (!isResponse(response)) throw new Error('A request ends with a response');
      return response;
    };

    it('are read as fast as the client reads and stop when it disconnects', async () => {
      const queries = jest.spyOn(server.get(Postgres), 'query');
      const batches = () => queries.mock.calls.filter(([{ name }]) => name?.startsWith('messages-newest-of')).length;
      const files = jest.spyOn(server.get(SentHistory), 'csv');
      const response = await download();
      // Without a reader, reads from the database stop when the buffers are full.
      let seen = -1;
      await eventually('a pause in the reading', async () => {
        const before = seen;
        seen = batches();
        return seen > 0 && seen === before;
      });
      expect(seen).toBeLessThan(rows / 1_000 / 2);
      const [chunk] = await once(response, 'data');
      expect(String(chunk).slice(0, 6)).toBe('\ufeff"Date');
      response.destroy();
      const file = await files.mock.results[0]?.value;
      await eventually('the end of the reading', async () => (await file.next()).done);
      expect(batches()).toBeLessThan(rows / 1_000 / 2);
    });

    it('are complete for a client that reads to the end', async () => {
      // A chunk may end between the two characters of a line break, so single characters are
      // counted.
      let records = 0;
      for await (const chunk of await download()) records += String(chunk).split('\n').length - 1;
      expect(records).toBe(rows + 1);
    });
  });
});

function isResponse(value: unknown): value is IncomingMessage {
  return typeof value === 'object' && value !== null && 'statusCode' in value;
}
