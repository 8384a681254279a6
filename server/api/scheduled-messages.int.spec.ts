import { limits } from '#contract/limits.js';
import { messageAnswer, sendSmsAnswer } from '#contract/messages.js';
import { createTestAccount, type TestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { createTestServer, type TestServer } from '../testing/test-server.js';

const TO = '+14155552671';
const secondsFromNow = (seconds: number) => new Date(Date.now() + seconds * 1_000).toISOString();

describe('send_at, validity and POST /api/messages/{message_id}/cancel', () => {
  let bed: TestBed;
  let server: TestServer;
  let account: TestAccount;

  beforeAll(async () => {
    bed = await createTestBed();
    server = await createTestServer(bed.config());
    account = await createTestAccount(server, { credits: 500 });
  });

  afterAll(async () => {
    await server?.close();
    await bed?.remove();
  });

  const send = (fields: object, headers = {}) =>
    server.send({ to: TO, message: 'Hello', apikey: account.apiKey, ...fields }, headers);
  const cancel = (id: string, apiKey = account.apiKey) =>
    server.inject({
      method: 'POST',
      url: `/api/messages/${id}/cancel`,
      headers: { authorization: `Bearer ${apiKey}` },
    });
  const codeOf = (answer: { statusCode: number; body: string }) => [
    answer.statusCode,
    (JSON.parse(answer.body) as { code?: string }).code,
  ];
  const balance = async () =>
    (await server.inject({ url: '/api/balance', headers: { authorization: `Bearer ${account.apiKey}` } })).json<{
      balance: number;
    }>().balance;

  it('schedules a message, shows it, and cancels it with a refund', async () => {
    const before = await balance();
    const sendAt = secondsFromNow(3_600);
    const answer = await send({ send_at: sendAt, validity: 600 });
    expect([answer.statusCode, sendSmsAnswer.parse(answer.json())]).toEqual([
      200,
      {
        success: 'true',
        message_id: expect.any(String),
        segments: 1,
        credits: 1,
        encoding: 'GSM-7',
        balance: before - 1,
        status: 'scheduled',
        send_at: sendAt,
      },
    ]);
    const { message_id: id } = answer.json<{ message_id: string }>();
    const headers = { authorization: `Bearer ${account.apiKey}` };
    const shown = messageAnswer.parse((await server.inject({ url: `/api/messages/${id}`, headers })).json());
    const expiresAt = new Date(Date.parse(sendAt) + 600_000).toISOString();
    expect(shown).toMatchObject({ status: 'scheduled', send_at: sendAt, expires_at: expiresAt, from: null });
    expect(await balance()).toBe(before - 1);
    for (let time = 1; time <= 2; time += 1) {
      const canceled = await cancel(id);
      expect(canceled.statusCode).toBe(200);
      expect(messageAnswer.parse(canceled.json())).toMatchObject({ message_id: id, status: 'canceled', refunded: 1 });
    }
    expect(await balance()).toBe(before);
  });

  it.each([
    ['in the past', () => secondsFromNow(-60)],
    ['now', () => secondsFromNow(0)],
    ['too far ahead', () => secondsFromNow(limits.sendAtDaysMax * 86_400 + 60)],
    ['without an offset', () => secondsFromNow(3_600).replace('Z', '')],
    ['a date', () => '2026-12-01'],
    ['no date', () => 'tomorrow'],
    ['a day that does not exist', () => '2027-02-30T10:00:00Z'],
  ])('refuses a send_at that is %s', async (_name, sendAt) => {
    const before = await balance();
    expect(codeOf(await send({ send_at: sendAt() }))).toEqual([400, 'invalid_send_at']);
    expect(await balance()).toBe(before);
  });

  it.each([59, 14_401, 60.5, -60, 'an hour', '1e9', '1e2', '0x64', ' 100 ', '100.0'])(
    'refuses a validity of %s',
    async (validity) => {
      expect(codeOf(await send({ validity }))).toEqual([400, 'invalid_validity']);
    },
  );

  it.each([
    [{ send_at: 17 }, 'invalid_request'],
    [{ validity: true }, 'invalid_request'],
  ])('refuses %j', async (fields, code) => {
    expect(codeOf(await send(fields))).toEqual([400, code]);
  });

  it('takes both from a form, and nothing for empty ones', async () => {
    const form = (fields: Record<string, string>) =>
      server.inject({
        method: 'POST',
        url: '/api/sendsms',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: new URLSearchParams({ to: TO, message: 'Hello', apikey: account.apiKey, ...fields }).toString(),
      });
    expect((await form({ send_at: secondsFromNow(60), validity: '60' })).json()).toMatchObject({ status: 'scheduled' });
    const plain = (await form({ send_at: '', validity: '' })).json<object>();
    expect(plain).toMatchObject({ success: 'true' });
    expect(plain).not.toHaveProperty('status');
  });

  it('repeats the answer of an Idempotency-Key, also when its time has come meanwhile', async () => {
    const headers = { 'idempotency-key': 'later' };
    const body = { send_at: secondsFromNow(60) };
    const first = await send(body, headers);
    expect(first.statusCode).toBe(200);
    jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 120_000);
    const again = await send(body, headers);
    jest.restoreAllMocks();
    expect([again.json(), again.headers['idempotent-replayed']]).toEqual([first.json(), 'true']);
    expect(codeOf(await send({ send_at: secondsFromNow(90) }, headers))).toEqual([422, 'idempotency_conflict']);
    expect(codeOf(await send({}, headers))).toEqual([422, 'idempotency_conflict']);
  });

  it('checks a scheduled message of a test key, and cancels an example', async () => {
    const apikey = `${account.apiKey}_test`;
    const sendAt = secondsFromNow(60);
    expect((await send({ send_at: sendAt, apikey })).json()).toMatchObject({ status: 'scheduled', test: true });
    expect(codeOf(await send({ send_at: secondsFromNow(-60), apikey }))).toEqual([400, 'invalid_send_at']);
    const { message_id: id } = (await send({ send_at: sendAt })).json<{ message_id: string }>();
    expect((await cancel(id, apikey)).json()).toMatchObject({ status: 'canceled', test: true });
    expect((await cancel(id)).json()).toMatchObject({ message_id: id, status: 'canceled' });
  });

  it('refuses to cancel a sent message, an unknown one, another account’s, and without a key', async () => {
    const { message_id: id } = (await send({ message: 'Gone' })).json<{ message_id: string }>();
    await bed.database.sql(`UPDATE messages SET status = 'sent', sent_at = now() WHERE body = 'Gone'`);
    expect(codeOf(await cancel(id))).toEqual([409, 'not_cancelable']);
    expect(codeOf(await cancel(`SM${'0'.repeat(32)}`))).toEqual([404, 'message_not_found']);
    const other = await createTestAccount(server);
    expect(codeOf(await cancel(id, other.apiKey))).toEqual([404, 'message_not_found']);
    expect(codeOf(await server.inject({ method: 'POST', url: `/api/messages/${id}/cancel` }))).toEqual([
      401,
      'unknown_api_key',
    ]);
  });

  it('takes the key from the body', async () => {
    const { message_id: id } = (await send({})).json<{ message_id: string }>();
    const answer = await server.inject({
      method: 'POST',
      url: `/api/messages/${id}/cancel`,
      headers: { 'content-type': 'application/json' },
      payload: JSON.stringify({ apikey: account.apiKey }),
    });
    expect(answer.json()).toMatchObject({ message_id: id, status: 'canceled', refunded: 1 });
  });
});
