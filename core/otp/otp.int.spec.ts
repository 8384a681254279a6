import { ApiKeys } from '../keys/api-keys.js';
import { DispatchMessage } from '../messages/dispatch/dispatch-message.js';
import { RecoverMessages } from '../messages/recovery/recover-messages.js';
import { messageIdFromPublic, publicOtpId } from '../rules/ids.js';
import { eventually } from '../testing/eventually.js';
import { moneyFaults, moneyOf } from '../testing/money.js';
import { sentOtp } from '../testing/sent-otp.js';
import { createTestAccount, type TestAccount } from '../testing/test-accounts.js';
import { createTestBed, type TestBed } from '../testing/test-bed.js';
import { createTestCore, type TestCore } from '../testing/test-core.js';
import { WebhookEndpoints } from '../webhooks/endpoints/webhook-endpoints.js';
import { WebhookEvents } from '../webhooks/webhook-events.js';
import { OtpEvents } from './otp-events.js';
import { OtpRetention } from './otp-retention.js';
import { OtpSecrets } from './otp-secrets.js';
import { SendOtp } from './send-otp.js';
import { VerifyOtp } from './verify-otp.js';

const TO = '+14155552671';
const TEXT = /^Your one-time verification code is \d{6}\.$/;

describe('a one-time password', () => {
  let bed: TestBed;
  let core: TestCore;
  let account: TestAccount;

  beforeAll(async () => {
    bed = await createTestBed();
    core = await createTestCore(bed.config());
  });

  beforeEach(async () => {
    core.carrier.forget();
    account = await createTestAccount(core);
    await bed.database.sql('DELETE FROM otp_sends');
  });

  afterAll(async () => {
    await core?.close();
    await bed?.remove();
  });

  /** Sends an OTP and returns the message's id, as a UUID. */
  const send = async (reference?: string, to = TO): Promise<string> => {
    const { messageId } = await core.get(SendOtp).send({
      key: core.get(ApiKeys).parse(account.apiKey),
      to,
      org: undefined,
      domain: undefined,
      digits: 6,
      minutes: 5,
      ip: undefined,
      device: undefined,
      reference,
      idempotencyKey: undefined,
      address: '127.0.0.1',
    });
    return messageIdFromPublic(messageId) ?? '';
  };
  const publicIdOf = (id: string) => `SM${id.replaceAll('-', '')}`;
  const codeOf = (id: string) => sentOtp(core, publicIdOf(id));
  const verify = (otp: string, to: string | undefined = TO) =>
    core
      .get(VerifyOtp)
      .verify({ key: core.get(ApiKeys).parse(account.apiKey), otp, to, otpId: undefined, address: '127.0.0.1' });
  const message = async (id: string) => (await bed.database.sql('SELECT * FROM messages WHERE id = $1', [id]))[0];
  const sealed = (id: string) => bed.database.sql('SELECT * FROM sealed_texts WHERE message_id = $1', [id]);
  const dispatch = (id: string) => core.get(DispatchMessage).dispatch(id);

  it('reaches the carrier with its code, of which only the hash is kept afterwards', async () => {
    const id = await send();
    const code = await codeOf(id);
    expect(JSON.stringify(await sealed(id))).not.toContain(code);
    await dispatch(id);
    expect(core.carrier.calls).toMatchObject([{ id, body: `Your one-time verification code is ${code}.` }]);
    expect(await sealed(id)).toEqual([]);
    expect(await message(id)).toMatchObject({ status: 'sent', body: 'Your one-time verification code is ******.' });
    expect(await verify(code)).toMatchObject({ kind: 'verified' });
  });

  it('is sent again with the same code when the carrier was unavailable', async () => {
    const id = await send();
    core.carrier.next('unavailable');
    expect((await dispatch(id)).kind).toBe('retry');
    await dispatch(id);
    const [first, second] = core.carrier.calls.map(({ body }) => body);
    expect(first).toMatch(TEXT);
    expect(second).toBe(first);
  });

  it('is found at the carrier by its real text after a lost answer, and not sent twice', async () => {
    const id = await send();
    core.carrier.next('lost');
    await dispatch(id);
    await bed.database.sql(`UPDATE message_checks SET due_at = now() WHERE $1 = ANY (message_ids)`, [id]);
    await core.get(RecoverMessages).run();
    expect(await message(id)).toMatchObject({ status: 'sent' });
    expect(core.carrier.calls).toHaveLength(1);
    expect(await sealed(id)).toEqual([]);
  });

  it('fails and is refunded when it could not be sent before its expiry', async () => {
    const id = await send();
    await bed.database.sql(`UPDATE sealed_texts SET useful_until = now() WHERE message_id = $1`, [id]);
    expect(await dispatch(id)).toEqual({ kind: 'done' });
    expect(core.carrier.calls).toEqual([]);
    expect(await message(id)).toMatchObject({ status: 'failed', error_code: 'expired', refunded: 1 });
    expect(await moneyOf(bed.database, account.id)).toMatchObject({ balance: 100 });
    expect(await sealed(id)).toEqual([]);
  });

  it('is refunded when the carrier refuses it', async () => {
    const id = await send();
    core.carrier.next({ refuse: 21211 });
    await dispatch(id);
    expect(await message(id)).toMatchObject({ status: 'failed', error_code: 'carrier_refused', refunded: 1 });
    expect(await sealed(id)).toEqual([]);
  });

  it('frees its code when it has expired', async () => {
    jest.spyOn(core.get(OtpSecrets), 'generate').mockReturnValue('424242');
    await send();
    await bed.database.sql(`UPDATE otp_codes SET expires_at = now() WHERE account_id = $1`, [account.id]);
    await send();
    const states = await bed.database.sql('SELECT state FROM otp_codes WHERE account_id = $1 ORDER BY id', [
      account.id,
    ]);
    expect(states).toEqual([{ state: 'over' }, { state: 'live' }]);
    expect(await verify('424242')).toMatchObject({ kind: 'verified' });
  });

  it('tries other codes while one is live, up to a bound', async () => {
    const generate = jest.spyOn(core.get(OtpSecrets), 'generate');
    generate.mockReturnValue('515151');
    await send();
    generate.mockReturnValueOnce('515151').mockReturnValueOnce('515151').mockReturnValueOnce('616161');
    expect(await codeOf(await send())).toBe('616161');
    await expect(send()).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 60 });
    expect(await moneyOf(bed.database, account.id)).toMatchObject({ balance: 98 });
  });

  it('hashes equal codes of two accounts differently', async () => {
    jest.spyOn(core.get(OtpSecrets), 'generate').mockReturnValue('717171');
    await send();
    account = await createTestAccount(core);
    await send();
    expect(await verify('717171')).toMatchObject({ kind: 'verified' });
    const hash = core.get(OtpSecrets);
    expect(hash.hash('a', '717171')).not.toEqual(hash.hash('b', '717171'));
  });

  it('begins with every digit equally often', () => {
    const secrets = core.get(OtpSecrets);
    const codes = Array.from({ length: 5_000 }, () => secrets.generate(4));
    expect(codes.every((code) => /^\d{4}$/.test(code))).toBe(true);
    const zeros = codes.filter((code) => code.startsWith('0')).length;
    // Ten standard deviations around 500.
    expect(Math.abs(zeros - 500)).toBeLessThan(212);
  });

  it('is kept for 24 hours after its end, then deleted with payloads that were never sent', async () => {
    const [old, recent] = [await send(), await send()];
    const code = await codeOf(recent);
    // A code lives for five minutes.
    const endedAgo = (id: string, age: string) =>
      bed.database.sql(
        `UPDATE otp_codes
         SET expires_at = expires_at - $2::interval - interval '5 minutes',
           forget_at = forget_at - $2::interval - interval '5 minutes'
         WHERE id = $1`,
        [id, age],
      );
    await endedAgo(old, '24 hours 1 minute');
    await endedAgo(recent, '23 hours 59 minutes');
    await bed.database.sql(`UPDATE sealed_texts SET useful_until = now() - interval '25 hours' WHERE message_id = $1`, [
      old,
    ]);
    expect(await core.get(OtpRetention).run()).toBe(false);
    const left = await bed.database.sql('SELECT id FROM otp_codes WHERE account_id = $1', [account.id]);
    expect(left).toEqual([{ id: recent }]);
    expect([await sealed(old), (await sealed(recent)).length]).toEqual([[], 1]);
    expect(await verify(code)).toMatchObject({ kind: 'expired' });
  });

  describe('sends each of its events once:', () => {
    const types = async () => {
      const rows = await bed.database.sql<{ type: string }>(
        `SELECT type FROM webhook_deliveries WHERE account_id = $1 ORDER BY type`,
        [account.id],
      );
      return rows.map(({ type }) => type);
    };
    const subscribe = async () => {
      await core.get(WebhookEndpoints).setUrl(account.id, 'https://example.com/hook');
      await bed.database.sql(
        `UPDATE webhook_endpoints SET events = '{otp.sent,otp.verified,otp.failed,otp.expired}' WHERE account_id = $1`,
        [account.id],
      );
      await eventually('the subscription takes effect', async () => {
        const mayWant = await core.get(WebhookEvents).messageSubscribers();
        return mayWant?.(account.id) ?? false;
      });
    };
    const resend = async (id: string) => {
      await bed.database.sql(`UPDATE otp_codes SET created_at = created_at - interval '31 seconds' WHERE id = $1`, [
        id,
      ]);
      const key = core.get(ApiKeys).parse(account.apiKey);
      const request = { key, address: '127.0.0.1', idempotencyKey: undefined, otpId: publicOtpId(id) };
      return messageIdFromPublic((await core.get(SendOtp).resend(request)).messageId) ?? '';
    };
    const lapse = (id: string) =>
      bed.database.sql(
        `UPDATE otp_codes SET expires_at = now(), forget_at = now() + interval '24 hours' WHERE id = $1`,
        [id],
      );
    const expire = () => Promise.all([1, 2, 3].map(() => core.get(OtpEvents).expire()));

    it('otp.sent when the carrier accepts its first message, not when it accepts another', async () => {
      await subscribe();
      const id = await send('login 7');
      expect(await types()).toEqual([]);
      await dispatch(id);
      await dispatch(await resend(id));
      const [event, ...more] = await bed.database.sql<{ body: string }>(
        'SELECT body FROM webhook_deliveries WHERE account_id = $1',
        [account.id],
      );
      expect(more).toEqual([]);
      expect(JSON.parse(event?.body ?? '')).toMatchObject({
        type: 'otp.sent',
        data: { otp_id: publicOtpId(id), message_id: publicIdOf(id), to: TO, reference: 'login 7' },
      });
    });

    it('otp.sent of a resend when the carrier refused the first message', async () => {
      await subscribe();
      const id = await send();
      core.carrier.next({ refuse: 21211 });
      await dispatch(id);
      expect(await types()).toEqual([]);
      const again = await resend(id);
      await dispatch(again);
      const [event] = await bed.database.sql<{ body: string }>(
        'SELECT body FROM webhook_deliveries WHERE account_id = $1',
        [account.id],
      );
      expect(JSON.parse(event?.body ?? '')).toMatchObject({
        data: { otp_id: publicOtpId(id), message_id: publicIdOf(again) },
      });
    });

    it('otp.failed at the last wrong attempt, and no otp.expired later', async () => {
      await subscribe();
      const id = await send();
      const wrong = (await codeOf(id)) === '000000' ? '000001' : '000000';
      await Promise.all(Array.from({ length: 12 }, () => verify(wrong)));
      await lapse(id);
      await expire();
      expect(await types()).toEqual(['otp.failed']);
    });

    it('otp.expired after its lifetime, unless it was verified', async () => {
      await subscribe();
      const [verified, expired] = [await send(), await send()];
      await verify(await codeOf(verified));
      await lapse(verified);
      await lapse(expired);
      await expire();
      expect(await types()).toEqual(['otp.expired', 'otp.verified']);
    });

    it('otp.expired when its digits are used again before the search for expired codes', async () => {
      await subscribe();
      jest.spyOn(core.get(OtpSecrets), 'generate').mockReturnValue('818181');
      await lapse(await send());
      await send();
      await expire();
      expect(await types()).toEqual(['otp.expired']);
    });

    it('otp.verified or otp.expired, never both, when it expires while it is verified', async () => {
      await subscribe();
      const ids = await Promise.all(Array.from({ length: 4 }, () => send()));
      const codes = await Promise.all(ids.map(codeOf));
      await Promise.all([...ids.map(lapse), ...codes.map((code) => verify(code)), expire(), expire()]);
      await expire();
      expect(await types()).toHaveLength(4);
    });
  });

  describe('sends otp.verified', () => {
    const events = () =>
      bed.database.sql<{ id: string; body: string }>(
        `SELECT id, body FROM webhook_deliveries WHERE account_id = $1 AND type = 'otp.verified'`,
        [account.id],
      );
    const subscribe = async () => {
      await core.get(WebhookEndpoints).setUrl(account.id, 'https://example.com/hook');
      await bed.database.sql(`UPDATE webhook_endpoints SET events = '{otp.verified}' WHERE account_id = $1`, [
        account.id,
      ]);
    };

    it('once, with the message and the reference, without the code', async () => {
      await subscribe();
      const id = await send('login 7');
      const code = await codeOf(id);
      await Promise.all(Array.from({ length: 10 }, () => verify(code, undefined)));
      const [event, ...more] = await events();
      expect(more).toEqual([]);
      expect(JSON.parse(event?.body ?? '')).toEqual({
        type: 'otp.verified',
        timestamp: expect.any(String),
        data: {
          otp_id: publicOtpId(id),
          message_id: publicIdOf(id),
          to: TO,
          reference: 'login 7',
          verified_at: expect.any(String),
        },
      });
      expect(event?.body).not.toContain(code);
    });

    it('and enqueues it at once', async () => {
      await subscribe();
      await verify(await codeOf(await send()));
      const [event] = await events();
      await eventually('the webhook is enqueued', async () =>
        (await bed.redis.keys(`*${bed.config().queue.prefix}*`)).some((key) => key.includes(event?.id ?? 'none')),
      );
    });

    it('only to a subscriber, and only for a correct code', async () => {
      await verify(await codeOf(await send()));
      expect(await events()).toEqual([]);
      await subscribe();
      await verify('000000');
      expect(await events()).toEqual([]);
    });
  });

  afterEach(async () => {
    jest.restoreAllMocks();
    expect(await moneyFaults(bed.database)).toEqual([]);
  });
});
