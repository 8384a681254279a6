import type { OtpStepBody } from '#contract/otp-channels.js';
import { ApiKeys } from '../../keys/api-keys.js';
import { AccountErasure } from '../../accounts/account-erasure.js';
import { DispatchGate } from '../../messages/dispatch/dispatch-gate.js';
import { DispatchMessage } from '../../messages/dispatch/dispatch-message.js';
import { AcceptMessage } from '../../messages/send/accept-message.js';
import { RecordReceipt } from '../../messages/status/record-receipt.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { CarrierQueues } from '../../platform/queue/carrier-queues.js';
import { CurrentRegions } from '../../routes/current-regions.js';
import { messageIdFromPublic, otpIdFromPublic, publicMessageId } from '../../rules/ids.js';
import { eventually } from '../../testing/eventually.js';
import { FakeCarrier } from '../../testing/fake-carrier.js';
import { moneyFaults, moneyOf } from '../../testing/money.js';
import { createTestAccount, type TestAccount } from '../../testing/test-accounts.js';
import { createTestBed, type TestBed } from '../../testing/test-bed.js';
import { createTestCore, type TestCore } from '../../testing/test-core.js';
import { OtpConversion } from '../otp-conversion.js';
import { OtpSettings } from '../otp-settings.js';
import { Otps } from '../otps.js';
import { SendOtp } from '../send-otp.js';
import { VerifyOtp } from '../verify-otp.js';
import { StartDueSteps } from './start-due-steps.js';

const TO = '+14155552671';
const channelVariables = {
  TWILIO_WHATSAPP_SENDER: '+14155238886',
  TWILIO_WHATSAPP_TEMPLATE: `HX${'0'.repeat(32)}`,
  TWILIO_VOICE_NUMBER: '+15005550006',
  SMTP_URL: 'smtp://127.0.0.1:1',
};
const ways = {
  sms: { channel: 'sms' },
  whatsapp: { channel: 'whatsapp' },
  voice: { channel: 'voice' },
  email: { channel: 'email', to: 'ann@Example.com' },
} as const satisfies Record<string, OtpStepBody>;

describe('A one-time password with channels', () => {
  let bed: TestBed;
  let core: TestCore;
  let other: TestCore;
  let account: TestAccount;
  const whatsApp = new FakeCarrier('whatsapp', 4);
  const voice = new FakeCarrier('voice', 5);
  const email = new FakeCarrier('email', 6);
  const carriers = [whatsApp, voice, email];

  beforeAll(async () => {
    bed = await createTestBed();
    const config = bed.config({ ...channelVariables, FREE_CREDITS_OWN_NUMBER: 'true' });
    core = await createTestCore(config, carriers);
    other = await createTestCore(config, carriers);
    await bed.database.sql(`INSERT INTO region_settings (code, voice) VALUES ('USA', true)`);
    await eventually('calls are open', async () => (await core.get(CurrentRegions).table()).get('US')?.voice === true);
  });

  beforeEach(async () => {
    for (const carrier of [core.carrier, ...carriers]) carrier.forget();
    await bed.database.sql('DELETE FROM otp_sends');
    await bed.database.sql('UPDATE otp_codes SET step_at = NULL');
    account = await createTestAccount(core, { credits: 100 });
  });

  afterEach(async () => {
    expect(await moneyFaults(bed.database)).toEqual([]);
  });

  afterAll(async () => {
    await Promise.all([core?.close(), other?.close()]);
    await bed?.remove();
  });

  const send = (channels: readonly OtpStepBody[] | undefined, more: object = {}) =>
    core.get(SendOtp).send({
      key: core.get(ApiKeys).parse(account.apiKey),
      to: TO,
      org: undefined,
      domain: undefined,
      digits: 6,
      minutes: 5,
      ip: undefined,
      device: undefined,
      reference: undefined,
      idempotencyKey: undefined,
      address: '127.0.0.1',
      channels,
      ...more,
    });
  const resend = (otpId: string, channel?: 'sms' | 'whatsapp' | 'voice' | 'email') =>
    core.get(SendOtp).resend({
      key: core.get(ApiKeys).parse(account.apiKey),
      otpId,
      channel,
      idempotencyKey: undefined,
      address: '127.0.0.1',
    });
  const refusal = (sending: Promise<unknown>) =>
    sending.then(
      () => 'sent',
      (error: unknown) => (error instanceof DomainError ? error.code : String(error)),
    );
  const verify = (otp: string, of = core) =>
    of.get(VerifyOtp).verify({
      key: of.get(ApiKeys).parse(account.apiKey),
      otp,
      to: TO,
      otpId: undefined,
      address: '127.0.0.1',
    });
  const find = (otpId: string) => core.get(Otps).find(account.id, otpId);
  const messages = () =>
    bed.database.sql<{ id: string; recipient: string; status: string; step: number | null; refunded: number }>(
      'SELECT id, recipient, status, step, refunded FROM messages WHERE account_id = $1 ORDER BY id',
      [account.id],
    );
  const dispatchAll = async () => {
    for (const { id, status } of await messages())
      if (status === 'queued') await core.get(DispatchMessage).dispatch(id);
  };
  const receive = (id: string, carrier: FakeCarrier, status: 'delivered' | 'undelivered') =>
    core.get(RecordReceipt).record({
      carrier: carrier.number,
      messageId: publicMessageId(id),
      carrierId: carrier.records.find(({ messageId }) => messageId === id)?.carrierId ?? '',
      status,
      carrierError: null,
      ...(status === 'undelivered' && carrier === voice && { errorCode: 'call_busy' as const }),
    });
  /** Lets the wait of the code's step end, and begins what is due. */
  const pass = async (otpId: string, seconds = 300, of = core) => {
    const id = otpIdFromPublic(otpId);
    await bed.database.sql(
      `UPDATE messages SET created_at = created_at - make_interval(secs => $2) WHERE id = $1
         OR id IN (SELECT message_id FROM otp_resends WHERE code_id = $1)`,
      [id, seconds],
    );
    await bed.database.sql('UPDATE otp_codes SET step_at = now() WHERE id = $1 AND step_at IS NOT NULL', [id]);
    await of.get(StartDueSteps).run();
  };
  const outcomes = async (otpId: string) =>
    (await find(otpId)).steps.map(({ channel, outcome, credits }) => [channel, outcome, credits]);
  const codeIn = (carrier: FakeCarrier) =>
    /[\d, ]{6,}/.exec(carrier.calls.at(-1)?.body ?? '')?.[0].replace(/\D/g, '') ?? '';
  const balance = async () => (await moneyOf(bed.database, account.id)).balance;

  it('goes by the next channel when its wait ends, each charged as it begins, with one code', async () => {
    const sent = await send([{ ...ways.sms, wait_seconds: 15 }, ways.whatsapp, ways.voice, ways.email]);
    expect(sent.progress).toMatchObject({ channel: 'sms', creditsMax: 7, next: { channel: 'whatsapp' } });
    expect(await balance()).toBe(99);
    await dispatchAll();
    await pass(sent.otpId);
    expect(await balance()).toBe(97);
    await dispatchAll();
    await pass(sent.otpId);
    await dispatchAll();
    expect(await find(sent.otpId)).toMatchObject({ channel: 'voice', next_channel: 'email' });
    await pass(sent.otpId);
    await dispatchAll();
    expect(await balance()).toBe(93);
    const code = codeIn(core.carrier);
    expect(whatsApp.calls).toMatchObject([
      { recipient: `whatsapp:${TO}`, sender: 'whatsapp:+14155238886', body: code },
    ]);
    expect(voice.calls).toMatchObject([{ recipient: `voice:${TO}`, sender: 'voice:+15005550006' }]);
    expect(voice.calls[0]?.body).toContain(`code is: ${[...code].join(', ')}.`);
    expect(email.calls).toMatchObject([{ recipient: 'ann@example.com', body: expect.stringContaining(code) }]);
    await pass(sent.otpId);
    expect(await verify(code)).toMatchObject({ kind: 'verified', verified: { recipient: TO } });
    expect(await find(sent.otpId)).toMatchObject({
      status: 'verified',
      entered_step: 4,
      next_channel: null,
      steps: [
        { n: 1, channel: 'sms', to: TO, outcome: 'sent', credits: 1 },
        { n: 2, channel: 'whatsapp', to: TO, outcome: 'sent', credits: 2 },
        { n: 3, channel: 'voice', to: TO, outcome: 'sent', credits: 3 },
        { n: 4, channel: 'email', to: 'ann@example.com', outcome: 'sent', credits: 1 },
      ],
    });
    expect(await verify(code)).toMatchObject({ kind: 'already_used' });
    expect(await messages()).toHaveLength(4);
  });

  it('counts the code once in the daily limit', async () => {
    await bed.database.sql('UPDATE accounts SET daily_limit = 1 WHERE id = $1', [account.id]);
    const { otpId } = await send([ways.sms, ways.voice]);
    await dispatchAll();
    await pass(otpId);
    await dispatchAll();
    expect(voice.calls).toHaveLength(1);
    expect(await bed.database.sql('SELECT count FROM daily_counts WHERE account_id = $1', [account.id])).toEqual([
      { count: 1 },
    ]);
    expect(await refusal(send(undefined))).toBe('daily_limit');
  });

  it.each([
    ['a refusal of the carrier', undefined],
    ['a receipt of a failure', 'undelivered'],
  ] as const)('begins the next step at once after %s, and refunds the first', async (_what, receipt) => {
    const { otpId } = await send([{ ...ways.sms, wait_seconds: 300 }, ways.email]);
    if (!receipt) core.carrier.next({ refuse: 21_211 });
    await dispatchAll();
    const [first] = await messages();
    if (receipt && first) await receive(first.id, core.carrier, receipt);
    await eventually('the next step is due', async () => {
      await core.get(StartDueSteps).run();
      return (await messages()).length === 2;
    });
    await dispatchAll();
    expect(await outcomes(otpId)).toEqual([
      ['sms', receipt ?? 'failed', 0],
      ['email', 'sent', 1],
    ]);
    expect(await balance()).toBe(99);
  });

  it('begins no step after the code was delivered, unless the caller asks', async () => {
    const { otpId } = await send([ways.sms, ways.voice]);
    await dispatchAll();
    const [first] = await messages();
    await receive(first?.id ?? '', core.carrier, 'delivered');
    await pass(otpId);
    expect(await messages()).toHaveLength(1);
    expect(await find(otpId)).toMatchObject({ status: 'pending', next_channel: null });
    const resent = await resend(otpId);
    expect(resent.progress).toMatchObject({ channel: 'voice', next: undefined });
    await dispatchAll();
    expect(voice.calls).toHaveLength(1);
  });

  it('begins no step after an earlier one has arrived, while the next was under way', async () => {
    const { otpId } = await send([ways.sms, ways.whatsapp, ways.voice]);
    await dispatchAll();
    await pass(otpId);
    await dispatchAll();
    const [first] = await messages();
    await receive(first?.id ?? '', core.carrier, 'delivered');
    expect(await find(otpId)).toMatchObject({ next_channel: null });
    await pass(otpId);
    expect((await messages()).map(({ step }) => step)).toEqual([1, 2]);
  });

  it('names no next step that would begin after the code has expired', async () => {
    const sent = await send([{ ...ways.sms, wait_seconds: 300 }, ways.voice], { minutes: 2 });
    expect(sent.progress).toMatchObject({ channel: 'sms', next: undefined });
    expect(await find(sent.otpId)).toMatchObject({ next_channel: null, next_channel_at: null });
  });

  it('begins none early, and again waits as long as the message is young', async () => {
    const { otpId } = await send([{ ...ways.sms, wait_seconds: 100 }, ways.voice]);
    await dispatchAll();
    await pass(otpId, 20);
    expect(await messages()).toHaveLength(1);
    const [code] = await bed.database.sql<{ seconds: number }>(
      'SELECT extract(epoch FROM step_at - now())::int AS seconds FROM otp_codes WHERE id = $1',
      [otpIdFromPublic(otpId)],
    );
    expect(code?.seconds).toBeGreaterThan(60);
  });

  it('sends again by a channel that the caller names, and begins the next one that it names', async () => {
    const { otpId } = await send([ways.sms, ways.whatsapp, ways.voice]);
    expect(await refusal(resend(otpId, 'sms'))).toBe('otp_resend_too_early');
    expect(await refusal(resend(otpId, 'email'))).toBe('invalid_request');
    // The channel that was passed over follows.
    expect((await resend(otpId, 'voice')).progress).toMatchObject({ channel: 'voice', next: { channel: 'whatsapp' } });
    expect(await outcomes(otpId)).toEqual([
      ['sms', 'started', 1],
      ['voice', 'started', 3],
    ]);
    expect((await core.get(Otps).list(account.id, undefined, { channel: 'whatsapp' })).otps).toEqual([]);
    expect((await resend(otpId)).progress).toMatchObject({ channel: 'whatsapp', next: undefined });
    expect(await refusal(resend(otpId, 'voice'))).toBe('otp_resend_too_early');
    const plain = await send(undefined, { to: '+14155552672' });
    expect(plain.progress).toBeUndefined();
    expect(await refusal(resend(plain.otpId, 'voice'))).toBe('invalid_request');
  });

  it('ends a step that is being started when the code is verified: it is not sent, and is refunded', async () => {
    const { otpId } = await send([ways.sms, ways.voice]);
    await dispatchAll();
    await pass(otpId);
    expect(await outcomes(otpId)).toEqual([
      ['sms', 'sent', 1],
      ['voice', 'started', 3],
    ]);
    expect(await verify(codeIn(core.carrier))).toMatchObject({ kind: 'verified' });
    await dispatchAll();
    expect(voice.calls).toEqual([]);
    expect(await outcomes(otpId)).toEqual([
      ['sms', 'sent', 1],
      ['voice', 'failed', 0],
    ]);
    expect(await find(otpId)).toMatchObject({ entered_step: 1 });
    await pass(otpId);
    expect(await messages()).toHaveLength(2);
    expect(await balance()).toBe(99);
  });

  it('ends a step that is being started when the code has had too many wrong tries', async () => {
    const { otpId } = await send([ways.sms, ways.voice]);
    await dispatchAll();
    await pass(otpId);
    const code = codeIn(core.carrier);
    const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0');
    for (let n = 0; n < 5; n += 1) await verify(wrong);
    await dispatchAll();
    expect(voice.calls).toEqual([]);
    expect(await find(otpId)).toMatchObject({ status: 'exhausted', entered_step: null });
    expect(await balance()).toBe(99);
  });

  it('leaves at most one step when it is verified in the same instant, and refunds it', async () => {
    for (let round = 0; round < 10; round += 1) {
      const to = `+1415555${String(3_000 + round)}`;
      const sent = await send([ways.sms, ways.voice, ways.email], { to });
      await dispatchAll();
      const code = codeIn(core.carrier);
      const { apiKey } = account;
      const input = { key: core.get(ApiKeys).parse(apiKey), otp: code, to, otpId: undefined, address: '127.0.0.1' };
      await Promise.all([pass(sent.otpId), pass(sent.otpId, 300, other), core.get(VerifyOtp).verify(input)]);
      await pass(sent.otpId);
      await dispatchAll();
      const steps = await outcomes(sent.otpId);
      expect(steps.length).toBeLessThanOrEqual(2);
      expect(steps[0]).toEqual(['sms', 'sent', 1]);
      if (steps[1]) expect(steps[1]).toEqual(['voice', 'failed', 0]);
    }
    // No worker looks at them again.
    expect(await bed.database.sql('SELECT id FROM otp_codes WHERE step_at IS NOT NULL')).toEqual([]);
    expect(voice.calls).toEqual([]);
  });

  it('begins each step once, however many workers look', async () => {
    const { otpId } = await send([ways.sms, ways.whatsapp, ways.voice]);
    for (let round = 0; round < 3; round += 1)
      await Promise.all([pass(otpId), pass(otpId, 300, other), pass(otpId), pass(otpId, 300, other)]);
    expect((await messages()).map(({ step }) => step)).toEqual([1, 2, 3]);
  });

  it('accepts the message of a step whose worker died before it was charged, once', async () => {
    const { otpId } = await send([ways.sms, ways.voice]);
    await dispatchAll();
    const died = jest.spyOn(core.get(AcceptMessage), 'accept');
    died.mockRejectedValue(new Error('killed'));
    await pass(otpId);
    died.mockRestore();
    expect(await messages()).toHaveLength(1);
    expect(await balance()).toBe(99);
    await pass(otpId);
    expect((await messages()).map(({ step }) => step)).toEqual([1, 2]);
    expect(await balance()).toBe(96);
    await pass(otpId);
    await dispatchAll();
    expect(voice.calls).toHaveLength(1);
    expect(await balance()).toBe(96);
  });

  it('passes over a step that the balance does not cover, and shows why', async () => {
    account = await createTestAccount(core, { credits: 2 });
    const { otpId } = await send([ways.sms, ways.voice, ways.email]);
    await dispatchAll();
    await pass(otpId);
    await core.get(StartDueSteps).run();
    expect(await find(otpId)).toMatchObject({
      channel: 'email',
      steps: [
        { channel: 'sms', credits: 1 },
        { channel: 'voice', outcome: 'refused', reason: 'insufficient_credits', credits: 0 },
        { channel: 'email', outcome: 'started', credits: 1 },
      ],
    });
    expect(await balance()).toBe(0);
  });

  it('takes a step back that was refused to the caller, and begins it later by itself', async () => {
    account = await createTestAccount(core, { credits: 2 });
    const { otpId } = await send([{ ...ways.sms, wait_seconds: 15 }, ways.voice, ways.email]);
    await dispatchAll();
    expect(await refusal(resend(otpId))).toBe('insufficient_credits');
    expect(await find(otpId)).toMatchObject({ channel: 'sms', steps: [{ channel: 'sms' }] });
    await pass(otpId, 1);
    expect(await find(otpId)).toMatchObject({ channel: 'sms', next_channel: 'voice' });
    await pass(otpId);
    await core.get(StartDueSteps).run();
    expect((await find(otpId)).steps.map(({ channel, outcome }) => [channel, outcome])).toEqual([
      ['sms', 'sent'],
      ['voice', 'refused'],
      ['email', 'started'],
    ]);
  });

  it('goes no further after a STOP between two steps', async () => {
    const { otpId } = await send([ways.sms, ways.voice, ways.email]);
    await dispatchAll();
    await bed.database.sql('INSERT INTO opt_outs (recipient, sender, shared) VALUES ($1, $2, true)', [
      TO,
      '+15005550006',
    ]);
    try {
      expect(await refusal(resend(otpId, 'email'))).toBe('recipient_opted_out');
      await pass(otpId);
      await core.get(StartDueSteps).run();
      expect((await find(otpId)).steps.map(({ channel, reason }) => [channel, reason])).toEqual([
        ['sms', null],
        ['voice', 'recipient_opted_out'],
        ['email', 'recipient_opted_out'],
      ]);
      expect(await balance()).toBe(99);
    } finally {
      await bed.database.sql('DELETE FROM opt_outs');
    }
  });

  it('is erased with its person: messages by every channel to the number, and to an address', async () => {
    const { otpId } = await send([ways.sms, ways.voice, ways.email]);
    await dispatchAll();
    await pass(otpId);
    await dispatchAll();
    await pass(otpId);
    await dispatchAll();
    await bed.database.sql(`UPDATE messages SET status = 'delivered' WHERE account_id = $1`, [account.id]);
    await verify(codeIn(core.carrier));
    const erase = (person: string) => core.get(AccountErasure).eraseRecipient(account.email, person);
    expect(await erase('ann@Example.com')).toMatchObject({ erased: { messages: 1, codes: 1 } });
    expect(await erase(TO)).toMatchObject({ erased: { messages: 2 } });
    expect((await messages()).map(({ recipient }) => recipient)).toEqual(['', '', '']);
  });

  it('ends with the key that asked for it', async () => {
    const { otpId } = await send([ways.sms, ways.voice]);
    await dispatchAll();
    await bed.database.sql('UPDATE accounts SET blocked_at = now() WHERE id = $1', [account.id]);
    await pass(otpId);
    expect(await messages()).toHaveLength(1);
    expect((await find(otpId)).steps[1]).toMatchObject({ outcome: 'refused', reason: 'account_blocked' });
    await bed.database.sql('UPDATE accounts SET blocked_at = NULL WHERE id = $1', [account.id]);
  });

  it('begins no step after the code has expired', async () => {
    const { otpId } = await send([ways.sms, ways.voice]);
    await bed.database.sql('UPDATE otp_codes SET expires_at = now() WHERE id = $1', [otpIdFromPublic(otpId)]);
    await pass(otpId);
    await pass(otpId);
    expect(await messages()).toHaveLength(1);
  });

  it('calls a number twice an hour at most, over all accounts, and goes on by another channel', async () => {
    await send([ways.voice]);
    const second = await createTestAccount(core, { credits: 100 });
    const first = account;
    account = second;
    await send([ways.voice]);
    expect(await refusal(send([ways.voice]))).toBe('rate_limited');
    expect(await balance()).toBe(97);
    account = first;
    const { otpId } = await send([ways.sms, ways.voice, ways.email]);
    await dispatchAll();
    await pass(otpId);
    await core.get(StartDueSteps).run();
    expect((await find(otpId)).steps).toMatchObject([
      { channel: 'sms' },
      { channel: 'voice', outcome: 'refused', reason: 'rate_limited' },
      { channel: 'email', outcome: 'started' },
    ]);
  });

  it('counts calls to a block of numbers for that block, also if the code is for another number', async () => {
    await bed.database.sql(`UPDATE otp_rules SET sends_max = 2 WHERE rule = 'conversion_hour'`);
    try {
      const persons = ['+14155552671', '+14155562671', '+14155572671'];
      const call = (to: string, n: number) => send([{ ...ways.voice, to: `+1628555${4_000 + n}` }, ways.email], { to });
      for (const [n, to] of persons.slice(0, 2).entries()) {
        const { otpId } = await call(to, n);
        await pass(otpId);
        await dispatchAll();
        // A code from an email proves nothing about the number that was called.
        const otp = codeIn(email);
        const key = core.get(ApiKeys).parse(account.apiKey);
        await core.get(VerifyOtp).verify({ key, otp, to, otpId: undefined, address: '127.0.0.1' });
      }
      expect(await refusal(call(persons[2] ?? '', 2))).toBe('otp_suspicious');
    } finally {
      await bed.database.sql(`UPDATE otp_rules SET sends_max = 30 WHERE rule = 'conversion_hour'`);
    }
  });

  it('needs a purchase for other channels while free credits only reach own numbers', async () => {
    await bed.database.sql('UPDATE accounts SET own_numbers_only = true WHERE id = $1', [account.id]);
    expect(await refusal(send([ways.voice]))).toBe('channel_disabled');
    expect(await refusal(send([ways.sms, ways.email]))).toBe('number_not_verified');
    expect(await refusal(send([ways.sms]))).toBe('sent');
    expect(await balance()).toBe(99);
  });

  it('bounds the codes to an address as those to a number', async () => {
    for (let n = 0; n < 5; n += 1) await send([ways.email], { to: `+1415555${4_000 + n}` });
    const again = { ...ways.email, to: 'ANN+shop@example.com' };
    expect(await refusal(send([again], { to: '+14155554009' }))).toBe('rate_limited');
  });

  it('is refused to a person who said STOP, also by other channels, unless the account wants that', async () => {
    await bed.database.sql('INSERT INTO opt_outs (recipient, sender, shared) VALUES ($1, $2, true)', [
      TO,
      '+15005550006',
    ]);
    try {
      expect(await refusal(send([ways.voice]))).toBe('recipient_opted_out');
      await core.get(OtpSettings).change(account.id, { channelsAfterStop: true }, 'account', '127.0.0.1');
      expect(await refusal(send([ways.sms]))).toBe('recipient_opted_out');
      expect(await refusal(send([ways.voice]))).toBe('sent');
      expect(await balance()).toBe(97);
    } finally {
      await bed.database.sql('DELETE FROM opt_outs');
    }
  });

  it("speaks the account's language of the time of the request, also in a call that begins later", async () => {
    await core.get(OtpSettings).change(account.id, { callLanguage: 'fr-CA' }, 'account', '127.0.0.1');
    const { otpId } = await send([ways.sms, ways.voice]);
    await dispatchAll();
    await core.get(OtpSettings).change(account.id, { callLanguage: 'it-IT' }, 'account', '127.0.0.1');
    await pass(otpId);
    await dispatchAll();
    expect(core.carrier.calls.at(-1)?.body).toContain('Your one-time verification code');
    expect(voice.calls.at(-1)?.body).toMatch(/^fr-CA Votre code de vérification est : \d(, \d){5}\./);
    const named = await send([ways.sms, ways.whatsapp, ways.voice], { to: '+14155557788' });
    await resend(named.otpId, 'voice');
    await dispatchAll();
    expect(voice.calls.at(-1)?.body).toMatch(/^it-IT /);
  });

  it('counts steps and entered codes by channel and country', async () => {
    const { otpId } = await send([ways.sms, ways.voice]);
    await dispatchAll();
    await pass(otpId);
    await dispatchAll();
    await verify(codeIn(core.carrier));
    const { channels } = await core.get(OtpConversion).show(account.id, { from: undefined, to: undefined });
    expect(channels).toEqual([
      { channel: 'sms', country: 'US', sent: 1, verified: 0, verified_percent: 0 },
      { channel: 'voice', country: 'US', sent: 1, verified: 1, verified_percent: 100 },
    ]);
    expect((await core.get(Otps).list(account.id, undefined, { channel: 'voice' })).otps).toHaveLength(1);
    expect((await core.get(Otps).list(account.id, undefined, { channel: 'email' })).otps).toEqual([]);
  });

  it('proves nothing about its number when it went to another', async () => {
    await send([ways.email]);
    await dispatchAll();
    await bed.database.sql('UPDATE accounts SET own_numbers_only = true WHERE id = $1', [account.id]);
    expect(await verify(codeIn(email))).toMatchObject({ kind: 'verified' });
    expect(await bed.database.sql('SELECT * FROM verified_numbers WHERE account_id = $1', [account.id])).toEqual([]);
  });

  it.each([
    ['a channel twice', [ways.sms, ways.sms], 'invalid_request'],
    ['a wait that is too short', [{ ...ways.sms, wait_seconds: 14 }, ways.voice], 'invalid_request'],
    ['a wait that is too long', [{ ...ways.sms, wait_seconds: 301 }, ways.voice], 'invalid_request'],
    ['a wait that is no number', [{ ...ways.sms, wait_seconds: 'soon' }, ways.voice], 'invalid_request'],
    ['an email without an address', [{ channel: 'email' }], 'invalid_request'],
    ['an email to a number', [{ channel: 'email', to: TO }], 'invalid_request'],
    ['a call to an address', [{ channel: 'voice', to: 'ann@example.com' }], 'invalid_number'],
    ['a call to a premium number', [{ channel: 'voice', to: '+19005550100' }], 'number_type_unsupported'],
    ['a call to a directory', [{ channel: 'voice', to: '+12025551212' }], 'number_type_unsupported'],
    ['an email whose organization is an address', [ways.email], 'url_not_activated', { org: 'pay@example.net' }],
    ['a call to a satellite', [{ channel: 'voice', to: '+8816123456789' }], 'invalid_number'],
    ['a last channel that is closed', [ways.sms, { channel: 'voice', to: '+33612345678' }], 'channel_disabled'],
  ] as const)('is refused for %s, and nothing is sent or charged', async (_what, channels, code, more: object = {}) => {
    expect(await refusal(send(channels, more))).toBe(code);
    expect(await balance()).toBe(100);
    expect(await messages()).toEqual([]);
    expect(await bed.database.sql('SELECT * FROM otp_codes WHERE account_id = $1', [account.id])).toEqual([]);
  });

  it('is refused when all steps together cost more than the caller accepts', async () => {
    expect(await refusal(send([ways.sms, ways.voice], { maxCredits: 3 }))).toBe('price_above_max');
    expect(await refusal(send([ways.sms, ways.voice], { maxCredits: 4 }))).toBe('sent');
    expect(await refusal(send(undefined, { maxCredits: 1, to: '+14155552673' }))).toBe('sent');
  });

  it('goes by the next channel while the carrier of text messages is paused', async () => {
    const { otpId } = await send([ways.sms, ways.voice]);
    core.carrier.next('suspended');
    await dispatchAll();
    const before = await core.get(CarrierQueues).of(voice.number).size();
    await pass(otpId);
    const [text, call] = await messages();
    expect(text).toMatchObject({ status: 'queued', step: 1 });
    expect(await core.get(CarrierQueues).of(voice.number).size()).toBe(before + 1);
    expect(await core.get(DispatchMessage).dispatch(call?.id ?? '', {}, voice.number)).toEqual({ kind: 'done' });
    expect(await outcomes(otpId)).toEqual([
      ['sms', 'started', 1],
      ['voice', 'sent', 3],
    ]);
    await core.get(DispatchGate).resume(core.carrier.number);
  });

  it('waits while its own channel is paused, and holds nothing else up', async () => {
    voice.next('suspended');
    await send([ways.voice]);
    const [first] = await messages();
    const dispatch = (of = core) => of.get(DispatchMessage).dispatch(first?.id ?? '', {}, voice.number);
    expect(await dispatch()).toEqual({ kind: 'retry', delayMs: 0 });
    core.carrier.next('suspended');
    await send(undefined, { to: '+14155552673' });
    const second = (await messages()).find(({ status, id }) => status === 'queued' && id !== first?.id);
    await core.get(DispatchMessage).dispatch(second?.id ?? '');
    expect(core.get(DispatchGate).isClosed).toBe(true);
    expect(await dispatch()).toMatchObject({ kind: 'retry', delayMs: core.get(DispatchGate).probeMs });
    for (const { number } of [core.carrier, voice]) await core.get(DispatchGate).resume(number);
  });

  it('never changes to another route, and is not called again after a lost answer', async () => {
    const sent = await send([ways.voice]);
    voice.next('lost');
    await dispatchAll();
    const id = messageIdFromPublic(sent.messageId) ?? '';
    expect(await messages()).toMatchObject([{ id, status: 'sending' }]);
    await core.get(DispatchMessage).dispatch(id);
    expect(voice.calls).toHaveLength(1);
    expect(core.carrier.calls).toEqual([]);
  });
});
