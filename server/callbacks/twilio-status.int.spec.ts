import twilio from 'twilio';
import { eventually } from '#core/testing/eventually.js';
import { moneyFaults, moneyOf } from '#core/testing/money.js';
import { createTestAccount, type TestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { testVariables } from '#core/testing/test-config.js';
import { createTestServer, type TestServer } from '../testing/test-server.js';

const CARRIER_ID = `SM${'c'.repeat(32)}`;

describe('POST /webhooks/twilio/status', () => {
  let bed: TestBed;
  let server: TestServer;
  let account: TestAccount;
  let messageId: string;

  beforeAll(async () => {
    bed = await createTestBed();
    server = await createTestServer(bed.config());
  });

  beforeEach(async () => {
    account = await createTestAccount(server, { credits: 10 });
    const sent = await server.send({ to: '+447400123456', message: 'Hello', apikey: account.apiKey });
    messageId = sent.json<{ message_id: string }>().message_id;
    await bed.database.sql(`UPDATE messages SET status = 'sending', claimed_at = now() WHERE account_id = $1`, [
      account.id,
    ]);
  });

  afterEach(async () => {
    expect(await moneyFaults(bed.database)).toEqual([]);
  });

  afterAll(async () => {
    await server?.close();
    await bed?.remove();
  });

  const pathOf = (id: string) => `/webhooks/twilio/status?message_id=${id}`;
  const sign = (path: string, fields: Record<string, string>, token = testVariables.TWILIO_AUTH_TOKEN ?? '') =>
    twilio.getExpectedTwilioSignature(token, `https://pennytext.test${path}`, fields);
  const post = (path: string, fields: Record<string, string>, signature: string | undefined = sign(path, fields)) =>
    server.inject({
      method: 'POST',
      url: path,
      headers: {
        'content-type': 'application/x-www-form-urlencoded; charset=UTF-8',
        ...(signature !== undefined && { 'x-twilio-signature': signature }),
      },
      payload: new URLSearchParams(fields).toString(),
    });
  const news = (status: string, more: Record<string, string> = {}) => ({
    MessageSid: CARRIER_ID,
    MessageStatus: status,
    To: '+447400123456',
    From: '+15005550006',
    AccountSid: `AC${'0'.repeat(32)}`,
    ...more,
  });
  const row = async () => (await bed.database.sql('SELECT * FROM messages WHERE account_id = $1', [account.id]))[0];

  it.each([
    ['queued', 'sent'],
    ['accepted', 'sent'],
    ['sending', 'sent'],
    ['sent', 'sent'],
    ['delivered', 'delivered'],
    ['read', 'delivered'],
    ['undelivered', 'undelivered'],
    ['failed', 'failed'],
    ['canceled', 'failed'],
  ])('moves a message on "%s" to %s', async (told, status) => {
    const answer = await post(pathOf(messageId), news(told));
    expect([answer.statusCode, answer.body]).toEqual([204, '']);
    // A receipt of `sent` waits for the next receipt of its message.
    await eventually('the state is stored', async () => (await row())?.['carrier_id'] === CARRIER_ID);
    expect(await row()).toMatchObject({ status });
  });

  it('refunds once and stores the carrier’s code', async () => {
    for (const status of ['undelivered', 'undelivered', 'failed', 'delivered'])
      await post(pathOf(messageId), news(status, { ErrorCode: '30003' }));
    expect(await row()).toMatchObject({
      status: 'undelivered',
      carrier_error: 30003,
      error_code: 'not_delivered',
      refunded: 3,
    });
    expect(await moneyOf(bed.database, account.id)).toMatchObject({ balance: 10, used: 0, entries: 3 });
  });

  it('never moves a message back', async () => {
    await post(pathOf(messageId), news('delivered'));
    await post(pathOf(messageId), news('sent'));
    await post(pathOf(messageId), news('undelivered'));
    expect(await row()).toMatchObject({ status: 'delivered', refunded: 0 });
  });

  it.each([
    ['missing', () => undefined],
    ['empty', () => ''],
    ['made with another token', (path: string, fields: Record<string, string>) => sign(path, fields, 'another token')],
    ['of another message', (_path: string, fields: Record<string, string>) => sign(pathOf('SM0'), fields)],
    [
      'of other fields',
      (path: string, fields: Record<string, string>) => sign(path, { ...fields, MessageStatus: 'sent' }),
    ],
  ])('answers 403 and stores nothing when the signature is %s', async (_title, forge) => {
    const fields = news('failed');
    const answer = await server.inject({
      method: 'POST',
      url: pathOf(messageId),
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        ...(forge(pathOf(messageId), fields) !== undefined && {
          'x-twilio-signature': forge(pathOf(messageId), fields),
        }),
      },
      payload: new URLSearchParams(fields).toString(),
    });
    expect(answer.statusCode).toBe(403);
    expect(answer.json()).toMatchObject({ success: 'false', error: 'Forbidden', code: 'invalid_signature' });
    expect(await row()).toMatchObject({ status: 'sending', carrier_id: null, refunded: 0 });
    expect(await moneyOf(bed.database, account.id)).toMatchObject({ balance: 7 });
  });

  it.each(['', 'SM0', 'x', `SM0190${'0'.repeat(8)}7${'0'.repeat(3)}8${'0'.repeat(15)}`])(
    'accepts a receipt for the unknown message "%s"',
    async (id) => {
      expect((await post(pathOf(id), news('delivered'))).statusCode).toBe(204);
      expect(await row()).toMatchObject({ status: 'sending' });
    },
  );

  it.each([
    ['without a status', { MessageSid: CARRIER_ID }],
    ['without the carrier’s id', { MessageStatus: 'delivered' }],
    ['with NUL in the carrier’s id', { MessageSid: 'a\0', MessageStatus: 'delivered' }],
  ])('answers 400 to a signed receipt %s, and stores nothing', async (_title, fields) => {
    const answer = await post(pathOf(messageId), fields);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ code: 'invalid_request' });
    expect(await row()).toMatchObject({ status: 'sending' });
  });

  it.each(['abc', '99999999999', '-1', '2147483648', '1.5'])('stores a receipt without its code %p', async (code) => {
    expect((await post(pathOf(messageId), news('undelivered', { ErrorCode: code }))).statusCode).toBe(204);
    expect(await row()).toMatchObject({ status: 'undelivered', carrier_error: null, refunded: 3 });
  });

  it('treats an empty error code as none', async () => {
    expect((await post(pathOf(messageId), news('delivered', { ErrorCode: '' }))).statusCode).toBe(204);
    expect(await row()).toMatchObject({ status: 'delivered', carrier_error: null });
  });

  it('stores the sender only if a messaging service chose it', async () => {
    const service = `MG${'5'.repeat(32)}`;
    await post(pathOf(messageId), news('sent', { From: '+15005550009' }));
    expect(await row()).toMatchObject({ sender: '+15005550006' });
    await bed.database.sql('UPDATE messages SET sender = $2 WHERE account_id = $1', [account.id, service]);
    await post(pathOf(messageId), news('sent', { From: '', MessagingServiceSid: service }));
    expect(await row()).toMatchObject({ sender: service });
    await post(pathOf(messageId), news('delivered', { From: '+15005550009', MessagingServiceSid: service }));
    await post(pathOf(messageId), news('sent', { From: '+15005550008', MessagingServiceSid: service }));
    expect(await row()).toMatchObject({ sender: '+15005550009', status: 'delivered' });
  });

  it.each([
    ['a number', {}, ['+15005550006']],
    [
      'a number of a messaging service',
      { MessagingServiceSid: `MG${'5'.repeat(32)}` },
      ['+15005550006', `MG${'5'.repeat(32)}`],
    ],
  ])('stores an opt-out for %s when the carrier refused the recipient for one', async (_of, more, senders) => {
    const receipt = news('undelivered', { ErrorCode: '21610', ...more });
    await post(pathOf(messageId), receipt);
    await post(pathOf(messageId), receipt);
    const stored = await bed.database.sql<{ sender: string }>(
      `DELETE FROM opt_outs WHERE recipient = '+447400123456' RETURNING sender`,
    );
    expect(stored.map(({ sender }) => sender).sort()).toEqual(senders);
    expect(await row()).toMatchObject({ status: 'undelivered', carrier_error: 21_610, refunded: 3 });
  });

  it('stores no opt-out when a message was not delivered for another reason', async () => {
    await post(pathOf(messageId), news('undelivered', { ErrorCode: '30003' }));
    expect(await bed.database.sql('SELECT FROM opt_outs')).toEqual([]);
  });
});
