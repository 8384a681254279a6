import twilio from 'twilio';
import { ReceivedHistory } from '#core/inbound/received-history.js';
import { newYorkTimestamp } from '#core/rules/time.js';
import { publicMessageId } from '#core/rules/ids.js';
import { moneyFaults, moneyOf } from '#core/testing/money.js';
import { startTcpProxy } from '#core/testing/tcp-proxy.js';
import { createTestAccount, type TestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { testVariables } from '#core/testing/test-config.js';
import { texted } from '#core/testing/texted.js';
import { WebhookEndpoints } from '#core/webhooks/endpoints/webhook-endpoints.js';
import { createTestServer, type TestServer } from '../testing/test-server.js';

const PATH = '/webhooks/twilio/inbound';
const OURS = '+15005550006';
const SERVICE = `MG${'5'.repeat(32)}`;

describe('POST /webhooks/twilio/inbound', () => {
  let bed: TestBed;
  let server: TestServer;
  let account: TestAccount;
  let person: string;
  let persons = 0;
  let messages = 0;

  beforeAll(async () => {
    bed = await createTestBed();
    server = await createTestServer(bed.config());
  });

  beforeEach(async () => {
    account = await createTestAccount(server, { credits: 10 });
    await server.get(WebhookEndpoints).setUrl(account.id, 'https://example.com/sms');
    persons += 1;
    person = `+1415555${String(1_000 + persons)}`;
    await texted(server, bed.database, account, { recipient: person });
  });

  afterEach(async () => {
    expect(await moneyFaults(bed.database)).toEqual([]);
    expect(await server.get(ReceivedHistory).countMismatches()).toBe(0);
  });

  afterAll(async () => {
    await server?.close();
    await bed?.remove();
  });

  const sign = (path: string, fields: Record<string, string>, token = testVariables.TWILIO_AUTH_TOKEN ?? '') =>
    twilio.getExpectedTwilioSignature(token, `https://pennytext.test${path}`, fields);
  const post = (
    fields: Record<string, string>,
    {
      path = PATH,
      signature = sign(path, fields),
      headers = {},
    }: { path?: string; signature?: string; headers?: Record<string, string> } = {},
  ) =>
    server.inject({
      method: 'POST',
      url: path,
      headers: {
        'content-type': 'application/x-www-form-urlencoded; charset=UTF-8',
        'x-twilio-signature': signature,
        ...headers,
      },
      payload: new URLSearchParams(fields).toString(),
    });
  const reply = (Body: string, more: Record<string, string> = {}) => {
    messages += 1;
    return {
      MessageSid: `SM${String(messages).padStart(32, '0')}`,
      From: person,
      To: OURS,
      Body,
      NumSegments: '1',
      NumMedia: '0',
      ...more,
    };
  };
  const stored = () =>
    bed.database.sql('SELECT * FROM inbound_messages WHERE account_id = $1 ORDER BY number', [account.id]);
  const events = () =>
    bed.database.sql<{ body: string }>('SELECT body FROM webhook_deliveries WHERE account_id = $1 ORDER BY id', [
      account.id,
    ]);
  const outcome = async (carrierId: string) =>
    (await bed.database.sql('SELECT outcome FROM inbound_receipts WHERE carrier_id = $1', [carrierId]))[0]?.outcome;
  const optOuts = () => bed.database.sql('SELECT recipient, sender FROM opt_outs WHERE recipient = $1', [person]);
  const media = () =>
    bed.database.sql(
      'SELECT state, reason, type, carrier, source_url FROM media WHERE account_id = $1 ORDER BY position',
      [account.id],
    );
  const send = () => server.send({ to: person, message: 'Hello', apikey: account.apiKey });

  it('records the files of a reply as pending, once, and charges one credit whatever it holds', async () => {
    const url = (n: number) => `https://api.twilio.com/2010-04-01/Accounts/AC0/Messages/MM0/Media/ME${n}`;
    const fields = reply('', {
      NumMedia: '2',
      MediaUrl0: url(0),
      MediaContentType0: 'image/jpeg',
      MediaUrl1: url(1),
      MediaContentType1: 'text/html; charset="x"',
    });
    for (let times = 0; times < 2; times += 1) expect((await post(fields)).statusCode).toBe(200);
    expect(await stored()).toMatchObject([{ body: '', media_count: 2, credits: 1, status: 'received' }]);
    expect(await media()).toEqual([
      { state: 'pending', reason: null, type: 'image/jpeg', carrier: 1, source_url: url(0) },
      { state: 'pending', reason: null, type: null, carrier: 1, source_url: url(1) },
    ]);
    expect(await moneyOf(bed.database, account.id)).toMatchObject({ used: 2 });
    // The reply is forwarded with its files, or in a minute.
    expect(await events()).toEqual([]);
  });

  it.each([
    ['a number that is none', { NumMedia: 'many', MediaUrl0: 'https://api.twilio.com/x' }, 0],
    ['a negative number', { NumMedia: '-1' }, 0],
    ['more files than it names', { NumMedia: '3', MediaUrl0: 'https://api.twilio.com/x' }, 3],
    ['thousands of files', { NumMedia: '100000' }, 20],
  ])('keeps a reply that announces %s', async (_what, more, count) => {
    expect((await post(reply('Look', more))).statusCode).toBe(200);
    expect(await stored()).toMatchObject([{ body: 'Look', media_count: count }]);
    expect(await media()).toHaveLength(count);
  });

  it('answers empty TwiML, stores and charges the reply, and enqueues the specified webhook', async () => {
    const fields = reply('Hello back', { NumSegments: '2' });
    const answer = await post(fields);
    expect([answer.statusCode, answer.headers['content-type'], answer.body]).toEqual([
      200,
      'text/xml; charset=utf-8',
      '<Response/>',
    ]);
    const [row] = await stored();
    expect(row).toMatchObject({
      number: '1',
      carrier_id: fields.MessageSid,
      sender: person,
      recipient: OURS,
      body: 'Hello back',
      segments: 2,
      credits: 1,
      status: 'received',
    });
    expect((await events()).map(({ body }) => JSON.parse(body) as object)).toEqual([
      {
        MessageId: publicMessageId(String(row?.id)),
        Sender: person,
        Message: 'Hello back',
        Status: 'Received',
        DateTime: newYorkTimestamp(row?.created_at as Date),
      },
    ]);
    expect(await moneyOf(bed.database, account.id)).toMatchObject({ balance: 8, used: 2 });
  });

  it('stores, charges and forwards one message for 50 concurrent posts of it', async () => {
    const fields = reply('Once');
    const answers = await Promise.all(Array.from({ length: 50 }, () => post(fields)));
    expect(new Set(answers.map(({ statusCode, body }) => `${statusCode} ${body}`))).toEqual(
      new Set(['200 <Response/>']),
    );
    expect(await stored()).toHaveLength(1);
    expect(await events()).toHaveLength(1);
    expect(await moneyOf(bed.database, account.id)).toMatchObject({ balance: 8 });
  });

  it('recognizes a repeat while another process handles the first', async () => {
    const other = await createTestServer(bed.config());
    try {
      const fields = reply('Once');
      const request = {
        method: 'POST' as const,
        url: PATH,
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          'x-twilio-signature': sign(PATH, fields),
        },
        payload: new URLSearchParams(fields).toString(),
      };
      await Promise.all(Array.from({ length: 20 }, (_, n) => (n % 2 ? other : server).inject(request)));
      expect(await stored()).toHaveLength(1);
      expect(await moneyOf(bed.database, account.id)).toMatchObject({ balance: 8 });
    } finally {
      await other.close();
    }
  });

  it.each([
    ['emoji and their joins', '👍 👩‍👩‍👧‍👦 🇨🇦'],
    ['right-to-left text', 'שלום مرحبا \u202eabc'],
    ['1,600 characters', 'x'.repeat(1_600)],
    ['1,600 characters of emoji', '😀'.repeat(800)],
    ['what a form escapes', 'a+b & c=d %20 ; "q" <b>'],
    ['lines and tabs', ' a\r\n\tb\n '],
    ['nothing at all', ''],
  ])('keeps %s exactly', async (_title, text) => {
    expect((await post(reply(text))).statusCode).toBe(200);
    expect((await stored())[0]).toMatchObject({ body: text });
    expect(JSON.parse((await events())[0]?.body ?? '')).toMatchObject({ Message: text });
  });

  it('stores a NUL, which Postgres cannot hold, as U+FFFD', async () => {
    expect((await post(reply('a\0b'))).statusCode).toBe(200);
    expect((await stored())[0]).toMatchObject({ body: 'a\ufffdb' });
  });

  it.each([
    ['12345', 'a short code'],
    ['ACME Inc', 'a name'],
    ['whatsapp:+14155550000', 'an address of another channel'],
  ])('accepts a reply from %s, %s', async (from) => {
    await bed.database.sql('UPDATE messages SET recipient = $2 WHERE account_id = $1', [account.id, from]);
    expect((await post(reply('Hi', { From: from }))).statusCode).toBe(200);
    expect((await stored())[0]).toMatchObject({ sender: from });
  });

  it('ignores unknown fields and invalid optional fields', async () => {
    const odd = { NumSegments: 'many', MessagingServiceSid: 'x', OptOutType: 'MAYBE', Shoe: '44' };
    expect((await post(reply('x'.repeat(161), odd))).statusCode).toBe(200);
    expect((await stored())[0]).toMatchObject({ segments: 2 });
  });

  it.each([
    ['missing', (): string | undefined => undefined],
    ['empty', () => ''],
    ['made with another token', (fields: Record<string, string>) => sign(PATH, fields, 'another token')],
    ['of another path', (fields: Record<string, string>) => sign('/webhooks/twilio/status', fields)],
    ['of another text', (fields: Record<string, string>) => sign(PATH, { ...fields, Body: 'Hi' })],
    ['of more fields', (fields: Record<string, string>) => sign(PATH, { ...fields, More: 'x' })],
  ])('answers 403 and stores nothing when the signature is %s', async (_title, forge) => {
    const fields = reply('STOP');
    const signature = forge(fields);
    const answer = await server.inject({
      method: 'POST',
      url: PATH,
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        ...(signature !== undefined && { 'x-twilio-signature': signature }),
      },
      payload: new URLSearchParams(fields).toString(),
    });
    expect([answer.statusCode, answer.json()]).toMatchObject([403, { code: 'invalid_signature' }]);
    expect(await stored()).toEqual([]);
    expect(await optOuts()).toEqual([]);
    expect(await outcome(fields.MessageSid)).toBeUndefined();
    expect(await moneyOf(bed.database, account.id)).toMatchObject({ balance: 9 });
  });

  it('checks the signature against the public URL, whatever host and scheme a proxy sends', async () => {
    const path = `${PATH}?from=fallback&x=%C3%A9`;
    const headers = {
      host: '10.0.0.7:3000',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'http',
      'x-forwarded-for': '203.0.113.7',
    };
    expect((await post(reply('Hi'), { path, headers })).statusCode).toBe(200);
    expect(await stored()).toHaveLength(1);
    const forged = reply('Hi');
    const url = `http://evil.example${PATH}`;
    const signature = twilio.getExpectedTwilioSignature(testVariables.TWILIO_AUTH_TOKEN ?? '', url, forged);
    expect((await post(forged, { headers, signature })).statusCode).toBe(403);
  });

  it.each([
    ['without the carrier’s id', { MessageSid: '' }],
    ['with an id that is none', { MessageSid: 'a b' }],
    ['without a sender', { From: '' }],
    ['without a recipient', { To: '' }],
    ['from an endless number', { From: '+'.padEnd(300, '1') }],
  ])('answers 400 to a signed message %s, and stores nothing', async (_title, more) => {
    const answer = await post(reply('Hi', more));
    expect([answer.statusCode, answer.json()]).toMatchObject([400, { code: 'invalid_request' }]);
    expect(await stored()).toEqual([]);
  });

  it('answers 413 to a body over the limit', async () => {
    expect((await post(reply('x'.repeat(70_000)))).statusCode).toBe(413);
  });

  it('answers 503 while the database is unavailable and accepts the message when it is sent again', async () => {
    const url = new URL(bed.database.url);
    const proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port || 5432) });
    url.host = `127.0.0.1:${proxy.port}`;
    const other = await createTestServer(bed.config({ DATABASE_URL: url.href }));
    try {
      const fields = reply('Later');
      const request = {
        method: 'POST' as const,
        url: PATH,
        headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-twilio-signature': sign(PATH, fields) },
        payload: new URLSearchParams(fields).toString(),
      };
      proxy.set('gone');
      const refused = await other.inject(request);
      expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '1']);
      proxy.set('through');
      expect((await other.inject(request)).statusCode).toBe(200);
      expect(await stored()).toHaveLength(1);
    } finally {
      await other.close();
      await proxy.close();
    }
  });

  it('drops and counts a message that belongs to no conversation', async () => {
    const fields = reply('Who is this?', { From: '+14155559999' });
    expect((await post(fields)).statusCode).toBe(200);
    expect(await outcome(fields.MessageSid)).toBe('unrouted');
    expect(await server.get(ReceivedHistory).countOutcomes(24)).toMatchObject({ unrouted: expect.any(Number) });
  });

  it.each(['', 'https://pennytext.test/'])(
    'stores and charges nothing for an account whose webhook is "%s", but applies STOP and START',
    async (webhookUrl) => {
      await server.get(WebhookEndpoints).setUrl(account.id, webhookUrl);
      const fields = reply('STOP');
      expect((await post(fields)).statusCode).toBe(200);
      expect(await outcome(fields.MessageSid)).toBe('off');
      expect(await stored()).toEqual([]);
      expect(await events()).toEqual([]);
      expect(await moneyOf(bed.database, account.id)).toMatchObject({ balance: 9 });
      expect((await send()).json()).toMatchObject({ code: 'recipient_opted_out' });
      await post(reply('start'));
      expect((await send()).json()).toMatchObject({ success: 'true' });
    },
  );

  it('opts a person out by STOP for every account with that sender and forwards the message', async () => {
    expect((await post(reply(' Stop! '))).statusCode).toBe(200);
    expect(await optOuts()).toEqual([{ recipient: person, sender: OURS }]);
    expect(await stored()).toHaveLength(1);
    const answer = await send();
    expect([answer.statusCode, answer.json()]).toMatchObject([403, { code: 'recipient_opted_out' }]);
    const neighbor = await createTestAccount(server, { credits: 5 });
    const theirs = await server.send({ to: person, message: 'Hello', apikey: neighbor.apiKey });
    expect(theirs.json()).toMatchObject({ code: 'recipient_opted_out' });
    await post(reply('Yes'));
    expect(await optOuts()).toEqual([]);
  });

  it('changes nothing by HELP or by a word inside a text', async () => {
    for (const text of ['HELP', 'please stop texting']) await post(reply(text));
    expect(await optOuts()).toEqual([]);
    expect(await stored()).toHaveLength(2);
  });

  it('applies a STOP from a person without a conversation', async () => {
    await bed.database.sql(`UPDATE messages SET recipient = '+14155550001' WHERE account_id = $1`, [account.id]);
    const fields = reply('STOP');
    await post(fields);
    expect(await outcome(fields.MessageSid)).toBe('unrouted');
    expect(await optOuts()).toHaveLength(1);
  });

  it('opts out of a whole messaging service, and by the keywords configured at Twilio', async () => {
    await post(reply('Basta', { MessagingServiceSid: SERVICE, OptOutType: 'STOP' }));
    expect(new Set((await optOuts()).map(({ sender }) => String(sender)))).toEqual(new Set([OURS, SERVICE]));
    await post(reply('Sì', { MessagingServiceSid: SERVICE, OptOutType: 'START' }));
    expect(await optOuts()).toEqual([]);
  });

  it('ignores a late repeat of a STOP before a START', async () => {
    const stop = reply('STOP');
    await post(stop);
    await post(reply('START'));
    await post(stop);
    expect(await optOuts()).toEqual([]);
  });
});
