import twilio from 'twilio';
import { RegionSettings } from '#core/routes/region-settings.js';
import { moneyFaults, moneyOf } from '#core/testing/money.js';
import { createTestAccount, type TestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { testVariables } from '#core/testing/test-config.js';
import { createTestServer, OtpCalls, type TestServer } from '../testing/test-server.js';

const TO = '+14155552671';
const CALL = `CA${'c'.repeat(32)}`;

interface Answer {
  readonly otp_id: string;
  readonly message_id: string;
  readonly code?: string;
  readonly detail?: string;
}

describe('POST /api/sendotp with channels', () => {
  let bed: TestBed;
  let server: TestServer;
  let calls: OtpCalls;
  let account: TestAccount;

  beforeAll(async () => {
    bed = await createTestBed();
    server = await createTestServer(
      bed.config({
        TWILIO_WHATSAPP_SENDER: '+14155238886',
        TWILIO_WHATSAPP_TEMPLATE: `HX${'0'.repeat(32)}`,
        TWILIO_VOICE_NUMBER: '+15005550006',
        OTP_VOICE_CREDITS: '5',
      }),
    );
    calls = new OtpCalls(server);
    await bed.database.sql(`INSERT INTO region_settings (code, voice) VALUES ('USA', true)`);
  });

  beforeEach(async () => {
    account = await createTestAccount(server, { credits: 100 });
    await bed.database.sql('DELETE FROM otp_sends');
  });

  afterEach(async () => {
    expect(await moneyFaults(bed.database)).toEqual([]);
  });

  afterAll(async () => {
    await server?.close();
    await bed?.remove();
  });

  const send = (body: object, headers: Record<string, string> = {}) =>
    calls.send({ to: TO, apikey: account.apiKey, ...body }, headers);
  const form = (fields: Record<string, string>) =>
    server.inject({
      method: 'POST',
      url: '/api/sendotp',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ to: TO, apikey: account.apiKey, ...fields }).toString(),
    });
  const balance = async () => (await moneyOf(bed.database, account.id)).balance;

  it('answers with the channel, the next one and the price of all', async () => {
    const channels = [{ channel: 'sms', wait_seconds: 30 }, { channel: 'voice' }];
    const answer = (await send({ channels, max_credits: 6 })).json<Answer & Record<string, string>>();
    expect(answer).toMatchObject({ credits: 1, balance: 99, channel: 'sms', next_channel: 'voice', credits_max: 6 });
    const seconds = (Date.parse(answer['next_channel_at'] ?? '') - Date.now()) / 1_000;
    expect(seconds).toBeGreaterThan(20);
    expect(seconds).toBeLessThanOrEqual(30);
    const read = await server.inject({
      url: `/api/otps/${answer.otp_id}`,
      headers: { authorization: `Bearer ${account.apiKey}` },
    });
    expect(read.json()).toMatchObject({ channel: 'sms', next_channel: 'voice', steps: [{ n: 1, channel: 'sms' }] });
  });

  it('has no field of channels without them', async () => {
    const answer = (await send({})).json<object>();
    expect(Object.keys(answer).filter((name) => name.includes('channel') || name === 'credits_max')).toEqual([]);
  });

  it('takes the names of channels from a form', async () => {
    const answer = await form({ channels: 'whatsapp, sms' });
    expect(answer.json()).toMatchObject({ credits: 2, balance: 98, channel: 'whatsapp', next_channel: 'sms' });
  });

  it.each(['channels[]', 'channels[0][channel]'])(
    'refuses the field %s of a form, which it cannot read',
    async (name) => {
      expect((await form({ [name]: 'whatsapp' })).json<Answer>().code).toBe('invalid_request');
      expect(await balance()).toBe(100);
    },
  );

  it.each([
    ['an unknown channel', { channels: [{ channel: 'pigeon' }] }, 400, 'invalid_request'],
    ['no channel', { channels: [] }, 400, 'invalid_request'],
    ['five channels', { channels: Array.from({ length: 5 }, () => ({ channel: 'sms' })) }, 400, 'invalid_request'],
    ['channels that are no list', { channels: { channel: 'sms' } }, 400, 'invalid_request'],
    ['a number in place of a step', { channels: [1] }, 400, 'invalid_request'],
    ['a recipient that is a number', { channels: [{ channel: 'sms', to: 14155552671 }] }, 400, 'invalid_request'],
    ['email without a mail server', { channels: [{ channel: 'email', to: 'a@b.cc' }] }, 400, 'channel_unsupported'],
    ['a country without calls', { channels: 'voice', to: '+16135550123' }, 403, 'channel_disabled'],
    ['a step with an unknown field', { channels: [{ channel: 'sms', wait: 20 }] }, 400, 'invalid_request'],
    ['own code and two channels', { code: '482913', channels: 'sms,voice' }, 400, 'invalid_request'],
    ['a price above the maximum', { channels: 'sms,voice', max_credits: 5 }, 409, 'price_above_max'],
    ['a maximum that is no number', { max_credits: 'much' }, 400, 'invalid_request'],
  ])('refuses %s, and changes nothing', async (_what, body, status, code) => {
    const answer = await send(body);
    expect([answer.statusCode, answer.json<Answer>().code]).toEqual([status, code]);
    expect(await moneyOf(bed.database, account.id)).toMatchObject({ balance: 100, messages: 0 });
    expect(await bed.database.sql('SELECT * FROM otp_codes WHERE account_id = $1', [account.id])).toEqual([]);
  });

  it('sends a code of the caller by one channel', async () => {
    const answer = await send({ code: '4830K2', channels: [{ channel: 'whatsapp' }] });
    expect(answer.json()).toMatchObject({ managed: false, channel: 'whatsapp', next_channel: null, credits: 2 });
  });

  it('repeats the answer of an Idempotency-Key, and refuses it for other channels', async () => {
    const keyed = { 'idempotency-key': 'once' };
    const first = await send({ channels: 'voice,sms' }, keyed);
    const again = await send({ channels: 'voice,sms' }, keyed);
    expect(first.json()).toMatchObject({ credits_max: 6 });
    expect(again.json()).toEqual(first.json());
    expect((await send({ channels: 'sms,voice' }, keyed)).json<Answer>().code).toBe('idempotency_conflict');
    expect(await balance()).toBe(95);
  });

  it('sends nothing for a test key, and shows what it would do', async () => {
    const answer = await send({ apikey: `${account.apiKey}_test`, channels: 'voice,sms' });
    expect(answer.json()).toMatchObject({
      test: true,
      credits: 5,
      channel: 'voice',
      next_channel: 'sms',
      credits_max: 6,
    });
    expect(await balance()).toBe(100);
  });

  it('opens calls to a country in the operator’s settings alone', async () => {
    expect((await send({ channels: 'voice', to: '+16135550123' })).json<Answer>().code).toBe('channel_disabled');
    const [canada] = await server.get(RegionSettings).change('CA', { voice: true });
    expect(canada).toMatchObject({ iso2: 'CA', voice: true, defaults: { voice: false } });
    await server.get(RegionSettings).change('CA', { voice: false });
  });

  describe('POST /webhooks/voice/status', () => {
    const post = async (messageId: string, fields: Record<string, string>, token = testVariables.TWILIO_AUTH_TOKEN) => {
      const url = `/webhooks/voice/status?message_id=${messageId}&account_id=${account.id}`;
      const signed = twilio.getExpectedTwilioSignature(token ?? '', `https://pennytext.test${url}`, fields);
      return server.inject({
        method: 'POST',
        url,
        headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-twilio-signature': signed },
        payload: new URLSearchParams(fields).toString(),
      });
    };
    const called = async () => {
      const { message_id: id } = (await send({ channels: 'voice' })).json<Answer>();
      await bed.database.sql(
        `UPDATE messages SET status = 'sending', claimed_at = now(), carrier = 5 WHERE account_id = $1`,
        [account.id],
      );
      return id;
    };
    const message = async () =>
      (
        await bed.database.sql('SELECT status, refunded, error_code FROM messages WHERE account_id = $1', [account.id])
      )[0];

    it.each([
      ['completed', { AnsweredBy: 'human' }, { status: 'delivered', refunded: 0, error_code: null }],
      [
        'completed',
        { AnsweredBy: 'machine_start' },
        { status: 'undelivered', refunded: 5, error_code: 'call_machine' },
      ],
      ['no-answer', {}, { status: 'undelivered', refunded: 5, error_code: 'call_unanswered' }],
      ['busy', {}, { status: 'undelivered', refunded: 5, error_code: 'call_busy' }],
      ['failed', {}, { status: 'failed', refunded: 5, error_code: 'call_failed' }],
    ])('records a call that is %s, answered by %j', async (CallStatus, more, expected) => {
      const id = await called();
      expect((await post(id, { CallSid: CALL, CallStatus, ...more })).statusCode).toBe(204);
      expect(await message()).toEqual(expected);
      await post(id, { CallSid: CALL, CallStatus, ...more });
      expect(await balance()).toBe(100 - 5 + expected.refunded);
    });

    it('refuses a call with a wrong signature, and changes nothing', async () => {
      const id = await called();
      expect((await post(id, { CallSid: CALL, CallStatus: 'busy' }, 'another token')).statusCode).toBe(403);
      expect(await message()).toMatchObject({ status: 'sending' });
    });

    it('records a receipt of WhatsApp for WhatsApp alone', async () => {
      const id = await called();
      const url = `/webhooks/whatsapp/status?message_id=${id}&account_id=${account.id}`;
      const fields = { MessageSid: `SM${'d'.repeat(32)}`, MessageStatus: 'delivered' };
      const token = testVariables.TWILIO_AUTH_TOKEN ?? '';
      const answer = await server.inject({
        method: 'POST',
        url,
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          'x-twilio-signature': twilio.getExpectedTwilioSignature(token, `https://pennytext.test${url}`, fields),
        },
        payload: new URLSearchParams(fields).toString(),
      });
      expect(answer.statusCode).toBe(204);
      expect(await message()).toMatchObject({ status: 'sending' });
    });
  });
});
