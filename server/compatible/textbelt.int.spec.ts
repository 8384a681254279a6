import { DispatchMessage } from '#core/messages/dispatch/dispatch-message.js';
import { RecordReceipt } from '#core/messages/status/record-receipt.js';
import { messageIdFromPublic } from '#core/rules/ids.js';
import { parseRecipient } from '#core/rules/phone-numbers.js';
import { moneyFaults } from '#core/testing/money.js';
import { sentOtp } from '#core/testing/sent-otp.js';
import { createTestAccount, type TestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { createTestCore, type TestCore } from '#core/testing/test-core.js';
import { createTestServer, type TestServer } from '../testing/test-server.js';

const PHONE = '4155552671';

interface Sent {
  readonly success: boolean;
  readonly textId: string;
  readonly quotaRemaining: number;
}

describe('the Textbelt-compatible API', () => {
  let bed: TestBed;
  let server: TestServer;
  let worker: TestCore;
  let account: TestAccount;

  beforeAll(async () => {
    bed = await createTestBed();
    server = await createTestServer(bed.config());
    worker = await createTestCore(bed.config());
  });

  beforeEach(async () => {
    account = await createTestAccount(server);
    await bed.database.sql('DELETE FROM otp_sends');
  });

  afterEach(async () => {
    expect(await moneyFaults(bed.database)).toEqual([]);
  });

  afterAll(async () => {
    await Promise.all([server?.close(), worker?.close()]);
    await bed?.remove();
  });

  const post = async (url: string, fields: Record<string, unknown>) => {
    const answer = await server.inject({ method: 'POST', url, payload: { key: account.apiKey, ...fields } });
    return [answer.statusCode, answer.json<unknown>()];
  };
  const form = (url: string, fields: Record<string, string>) =>
    server.inject({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ key: account.apiKey, ...fields }).toString(),
    });
  const get = async (url: string) => (await server.inject({ url })).json<unknown>();
  const verify = (otp: string, userid: string, key = account.apiKey) =>
    get(`/otp/verify?${new URLSearchParams({ otp, userid, key }).toString()}`);

  it('sends a text from a form and from JSON, and counts the quota', async () => {
    const sent = (await form('/text', { phone: PHONE, message: 'Hello', sender: 'Example' })).json<Sent>();
    expect(sent).toEqual({ success: true, textId: expect.stringMatching(/^SM/), quotaRemaining: 99 });
    expect(await post('/text', { phone: PHONE, message: 'Hello again' })).toEqual([
      200,
      { success: true, textId: expect.stringMatching(/^SM/), quotaRemaining: 98 },
    ]);
    expect(await get(`/quota/${account.apiKey}`)).toEqual({ success: true, quotaRemaining: 98 });
  });

  it('restores the + of a hand-written form, and leaves a space in JSON', async () => {
    const sent = await server.inject({
      method: 'POST',
      url: '/text',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: `phone=+4589231234&message=Hello&key=${account.apiKey}%0A`,
    });
    const json = await post('/text', { phone: ` ${PHONE}`, message: 'Hello' });
    expect(json).toMatchObject([200, { success: true }]);
    const ids = [sent.json<Sent>(), json[1] as Sent].map(({ textId }) => messageIdFromPublic(textId));
    const rows = await bed.database.sql('SELECT recipient FROM messages WHERE id = ANY ($1) ORDER BY id', [ids]);
    expect(rows).toEqual([{ recipient: '+4589231234' }, { recipient: parseRecipient(PHONE)?.e164 }]);
  });

  it('shows the status of a text from acceptance to delivery', async () => {
    const { textId } = (await form('/text', { phone: PHONE, message: 'Hello' })).json<Sent>();
    const status = () => get(`/status/${textId}`);
    expect(await status()).toEqual({ success: true, status: 'SENDING' });
    const id = messageIdFromPublic(textId) ?? '';
    await worker.get(DispatchMessage).dispatch(id);
    expect(await status()).toEqual({ success: true, status: 'SENT' });
    const { carrierId = '' } = worker.carrier.records.find(({ messageId }) => messageId === id) ?? {};
    await worker
      .get(RecordReceipt)
      .record({ carrier: 1, messageId: textId, carrierId, status: 'delivered', carrierError: null });
    expect(await status()).toEqual({ success: true, status: 'DELIVERED' });
    expect(await get('/status/12345')).toEqual({ success: true, status: 'UNKNOWN' });
  });

  it('checks with a test key, and sends nothing', async () => {
    const key = `${account.apiKey}_test`;
    expect(await post('/text', { phone: PHONE, message: 'Hello', key })).toEqual([
      200,
      expect.objectContaining({ success: true }),
    ]);
    expect(await get(`/quota/${key}`)).toMatchObject({ success: true });
    expect(await get(`/quota/${account.apiKey}`)).toEqual({ success: true, quotaRemaining: 100 });
  });

  it.each<[string, object, string]>([
    ['no phone', { phone: '' }, 'Incomplete request'],
    ['no message', { message: undefined }, 'Incomplete request'],
    ['no key', { key: '' }, 'Incomplete request'],
    [
      'an invalid phone',
      { phone: '+1' },
      'Invalid phone number or bad request. If your phone number contains a + sign, be sure to URL encode it.',
    ],
    [
      'a reply webhook on a private address',
      { replyWebhookUrl: 'http://127.0.0.1/reply' },
      'replyWebhookUrl: A webhook must be reachable from the internet: this address is private. Nothing was sent.',
    ],
    ['a value of another type', { message: ['x'] }, 'message: must be text, not a list: send it once.'],
  ])('refuses %s with a sentence', async (_title, change, error) => {
    const fields = { phone: PHONE, message: 'Hello', ...change };
    expect(await post('/text', fields)).toEqual([200, { success: false, error }]);
    expect(await get(`/quota/${account.apiKey}`)).toEqual({ success: true, quotaRemaining: 100 });
  });

  it('answers a key without credits and an unknown key with "Out of quota"', async () => {
    account = await createTestAccount(server, { credits: 0 });
    const refused = [200, { success: false, quotaRemaining: 0, error: 'Out of quota' }];
    expect(await post('/text', { phone: PHONE, message: 'Hello' })).toEqual(refused);
    expect(await post('/text', { phone: PHONE, message: 'Hello', key: 'unknown' })).toEqual(refused);
    expect(await get('/quota/unknown')).toEqual({ success: false, quotaRemaining: 0 });
  });

  it('answers bodies that cannot be read with a sentence too', async () => {
    const headers = { 'content-type': 'application/json' };
    const broken = await server.inject({ method: 'POST', url: '/text', headers, payload: '{' });
    const error = 'The body is not valid JSON.';
    expect([broken.statusCode, broken.json<unknown>()]).toEqual([200, { success: false, error }]);
    for (const payload of ['[]', '"text"', '7', 'null']) {
      const answer = await server.inject({ method: 'POST', url: '/otp/generate', headers, payload });
      expect([answer.statusCode, answer.json<unknown>()]).toEqual([200, { success: false, error: expect.any(String) }]);
    }
    const plain = { 'content-type': 'text/plain' };
    const other = await server.inject({ method: 'POST', url: '/text', headers: plain, payload: 'phone=1' });
    expect(other.json<unknown>()).toEqual({
      success: false,
      error: expect.stringContaining('Content-Type is text/plain, which is not read.'),
    });
    const large = await server.inject({ method: 'POST', url: '/text', headers, payload: `"${'x'.repeat(70_000)}"` });
    expect(large.json<unknown>()).toEqual({ success: false, error: 'The body is too large.' });
  });

  it('sends a code to a user and verifies it once, for this user alone', async () => {
    const fields = { phone: PHONE, userid: 'ada@example.com', lifetime: '120', length: '4' };
    const sent = (await form('/otp/generate', fields)).json<Sent>();
    expect(sent).toEqual({ success: true, textId: expect.stringMatching(/^SM/), quotaRemaining: 99 });
    const otp = await sentOtp(server, sent.textId);
    expect(otp).toHaveLength(4);
    const wrong = otp === '0000' ? '1111' : '0000';
    for (const text of ['code', '123456789'])
      expect(await verify(text, 'ada@example.com')).toEqual({ success: true, isValidOtp: false });
    expect(await verify(otp, 'bob@example.com')).toEqual({ success: true, isValidOtp: false });
    expect(await verify(wrong, 'ada@example.com')).toEqual({ success: true, isValidOtp: false });
    const typed = Array.from(otp, (digit) => String.fromCodePoint(0x660 + Number(digit))).join(' ');
    expect(await verify(typed, 'ada@example.com')).toEqual({ success: true, isValidOtp: true });
    expect(await verify(otp, 'ada@example.com')).toEqual({ success: true, isValidOtp: false });
  });

  it('verifies the newest code of a user', async () => {
    const codes: string[] = [];
    for (const phone of [PHONE, '4155552672']) {
      const { textId } = (await form('/otp/generate', { phone, userid: 'ada' })).json<Sent>();
      codes.push(await sentOtp(server, textId));
    }
    expect(await verify(codes[0] ?? '', 'ada')).toEqual({ success: true, isValidOtp: false });
    expect(await verify(codes[1] ?? '', 'ada')).toEqual({ success: true, isValidOtp: true });
  });

  it.each<[object, string]>([
    [{ userid: '' }, 'Incomplete request'],
    [{ message: 'Code: $OTP' }, 'Not supported: message. Nothing was sent.'],
    [{ lifetime: 60 }, 'lifetime: a whole number from 120 to 600.'],
    [{ length: 9 }, 'length: a whole number from 4 to 8.'],
    [{ userid: 'x'.repeat(65) }, 'userid: at most 64 characters.'],
  ])('refuses a code with %j', async (change, error) => {
    const fields = { phone: PHONE, userid: 'ada', ...change };
    expect(await post('/otp/generate', fields)).toEqual([200, { success: false, error }]);
  });

  it('verifies the code of a test key, and refuses an incomplete request and an unknown key', async () => {
    const key = `${account.apiKey}_test`;
    expect(await post('/otp/generate', { phone: PHONE, userid: 'ada', key })).toMatchObject([200, { success: true }]);
    expect(await verify('123456', 'ada', key)).toEqual({ success: true, isValidOtp: true });
    expect(await verify('999999', 'ada', key)).toEqual({ success: true, isValidOtp: false });
    expect(await verify('', 'ada')).toEqual({ success: false, error: 'Incomplete request' });
    expect(await verify('1234', 'ada', 'unknown')).toMatchObject({ success: false, error: 'Out of quota' });
  });
});
