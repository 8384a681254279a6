import { randomUUID } from 'node:crypto';
import { ReceivedHistory } from '#core/inbound/received-history.js';
import { Config } from '#core/platform/config/config.js';
import { moneyFaults, moneyOf } from '#core/testing/money.js';
import { telnyxHeaders, telnyxVariables } from '#core/testing/telnyx-account.js';
import { createTestAccount, type TestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { texted } from '#core/testing/texted.js';
import { WebhookEndpoints } from '#core/webhooks/endpoints/webhook-endpoints.js';
import { createTestServer, type TestServer } from '../testing/test-server.js';

const PATH = '/webhooks/telnyx/inbound';
const OURS = telnyxVariables.TELNYX_SENDERS;

describe('POST /webhooks/telnyx/inbound', () => {
  let bed: TestBed;
  let server: TestServer;
  let account: TestAccount;
  let person: string;
  let persons = 0;

  beforeAll(async () => {
    bed = await createTestBed();
    server = await createTestServer(bed.config(telnyxVariables));
  });

  beforeEach(async () => {
    account = await createTestAccount(server, { credits: 10 });
    await server.get(WebhookEndpoints).setUrl(account.id, 'https://example.com/sms');
    persons += 1;
    person = `+1415556${String(1_000 + persons)}`;
    await texted(server, bed.database, account, { recipient: person, sender: OURS });
  });

  afterEach(async () => {
    expect(await moneyFaults(bed.database)).toEqual([]);
    expect(await server.get(ReceivedHistory).countMismatches()).toBe(0);
  });

  afterAll(async () => {
    await server?.close();
    await bed?.remove();
  });

  /** An event as Telnyx's documentation shows it. */
  const reply = (text: unknown, changes: object = {}) =>
    JSON.stringify({
      data: {
        event_type: 'message.received',
        id: randomUUID(),
        occurred_at: '2026-11-26T12:00:00.000Z',
        payload: {
          cc: [],
          completed_at: null,
          cost: { amount: '0.0040', currency: 'USD' },
          direction: 'inbound',
          encoding: 'GSM-7',
          errors: [],
          from: { carrier: 'T-Mobile USA', line_type: 'Wireless', phone_number: person },
          id: randomUUID(),
          media: [],
          messaging_profile_id: '83d2343b-553f-4c5b-b8c8-fd27004f94bf',
          parts: 1,
          received_at: '2026-11-26T12:00:00.000Z',
          record_type: 'message',
          tags: [],
          text,
          to: [{ carrier: 'Telnyx', line_type: 'Wireless', phone_number: OURS, status: 'webhook_delivered' }],
          type: 'SMS',
          ...changes,
        },
        record_type: 'event',
      },
      meta: { attempt: 1, delivered_to: `https://pennytext.test${PATH}` },
    });
  const post = (body: string | Buffer, headers: Record<string, string> = telnyxHeaders(body)) =>
    server.inject({ method: 'POST', url: PATH, headers, payload: body });
  const stored = () =>
    bed.database.sql('SELECT * FROM inbound_messages WHERE account_id = $1 ORDER BY number', [account.id]);
  const optOuts = () => bed.database.sql('SELECT recipient, sender FROM opt_outs WHERE recipient = $1', [person]);

  it('stores and charges the reply once, however often it is posted', async () => {
    const id = randomUUID();
    const body = reply('Hello back', { id, parts: 2 });
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(body)));
    expect(new Set(answers.map(({ statusCode, body: text }) => `${statusCode} ${text}`))).toEqual(new Set(['204 ']));
    expect(await stored()).toMatchObject([
      {
        number: '1',
        carrier_id: id,
        sender: person,
        recipient: OURS,
        body: 'Hello back',
        segments: 2,
        credits: 1,
        status: 'received',
      },
    ]);
    expect(await moneyOf(bed.database, account.id)).toMatchObject({ balance: 8, used: 2 });
  });

  it('records the files of a reply as pending', async () => {
    const media = [
      {
        url: 'https://us-east-1.telnyxcloudstorage.com/mms/1.jpg',
        content_type: 'image/jpeg',
        hash_sha256: null,
        size: 9,
      },
      { url: 7, content_type: 'a b' },
    ];
    expect((await post(reply(null, { media, type: 'MMS' }))).statusCode).toBe(204);
    expect(await stored()).toMatchObject([{ body: '', media_count: 2, status: 'received' }]);
    const rows = await bed.database.sql(
      'SELECT state, type, carrier, source_url FROM media WHERE account_id = $1 ORDER BY position',
      [account.id],
    );
    expect(rows).toEqual([
      { state: 'pending', type: 'image/jpeg', carrier: 2, source_url: media[0]?.url },
      { state: 'pending', type: null, carrier: 2, source_url: '' },
    ]);
    expect(await moneyOf(bed.database, account.id)).toMatchObject({ used: 2 });
  });

  it.each([
    ['emoji and their joins', '👍 👩‍👩‍👧‍👦 🇨🇦'],
    ['right-to-left text', 'שלום مرحبا \u202eabc'],
    ['1,600 characters of emoji', '😀'.repeat(800)],
    ['what JSON escapes', '"q" \\ / \n\t <b>'],
    ['nothing at all, as an MMS without text has', ''],
  ])('keeps %s exactly', async (_title, text) => {
    expect((await post(reply(text))).statusCode).toBe(204);
    expect((await stored())[0]).toMatchObject({ body: text });
  });

  it.each([
    ['a NUL', () => reply('a\0b'), 'a\ufffdb'],
    ['half a surrogate pair', () => reply('a\ud83db'), 'a\ufffdb'],
    ['no text', () => reply(null), ''],
  ])('stores a reply with %s, which Postgres cannot hold, rather than lose it', async (_title, make, body) => {
    expect((await post(make())).statusCode).toBe(204);
    expect((await stored())[0]).toMatchObject({ body });
  });

  it('stores bytes that are no UTF-8 as U+FFFD', async () => {
    const [before = '', after = ''] = reply('a@b').split('@');
    expect((await post(Buffer.concat([Buffer.from(before), Buffer.from([0xff]), Buffer.from(after)]))).statusCode).toBe(
      204,
    );
    expect((await stored())[0]).toMatchObject({ body: 'a\ufffdb' });
  });

  it('ignores invalid optional fields', async () => {
    await post(reply('x'.repeat(161), { parts: 'many', autoresponse_type: 'MAYBE', shoe: 44 }));
    expect((await stored())[0]).toMatchObject({ segments: 2 });
  });

  it.each(['Hello', 'STOP'])('answers and drops %p to a number of another carrier', async (text) => {
    const [theirs = ''] = server.get(Config).carriers[0].senders;
    await texted(server, bed.database, account, { recipient: person, sender: theirs });
    expect((await post(reply(text, { to: [{ phone_number: theirs }] }))).statusCode).toBe(204);
    expect([await stored(), await optOuts()]).toEqual([[], []]);
  });

  it('opts a person out by STOP, and in again by START', async () => {
    await post(reply(' Stop! '));
    expect(await optOuts()).toEqual([{ recipient: person, sender: OURS }]);
    await post(reply('Yes'));
    expect(await optOuts()).toEqual([]);
  });

  it('opts out and in by the keywords that are configured at Telnyx', async () => {
    await post(reply('Basta', { autoresponse_type: 'STOP' }));
    expect(await optOuts()).toEqual([{ recipient: person, sender: OURS }]);
    await post(reply('Sì', { autoresponse_type: 'START' }));
    expect(await optOuts()).toEqual([]);
  });

  it('ignores a late repeat of a STOP before a START', async () => {
    const stop = reply('STOP');
    await post(stop);
    await post(reply('START'));
    await post(stop);
    expect(await optOuts()).toEqual([]);
  });

  it.each([
    ['of another body', () => telnyxHeaders(reply('Hi'))],
    ['six minutes old', (body: string) => telnyxHeaders(body, { secondsAgo: 360 })],
  ])('answers 403 and stores nothing when the signature is %s', async (_title, forge) => {
    const body = reply('STOP');
    const answer = await post(body, forge(body));
    expect([answer.statusCode, answer.json()]).toMatchObject([403, { code: 'invalid_signature' }]);
    expect(await stored()).toEqual([]);
    expect(await optOuts()).toEqual([]);
    expect(await moneyOf(bed.database, account.id)).toMatchObject({ balance: 9 });
  });

  it.each([
    ['without the carrier’s id', { id: undefined }],
    ['without a sender', { from: {} }],
    ['without a recipient', { to: [] }],
    ['from an endless number', { from: { phone_number: '+'.padEnd(300, '1') } }],
  ])('answers 400 to a signed message %s, and stores nothing', async (_title, changes) => {
    const answer = await post(reply('Hi', changes));
    expect([answer.statusCode, answer.json()]).toMatchObject([400, { code: 'invalid_request' }]);
    expect(await stored()).toEqual([]);
  });
});
