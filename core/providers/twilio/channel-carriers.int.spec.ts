import { startSandbox, type RunningSandbox } from '../../../sandbox/sandbox.js';
import type { Carrier, CarrierMessage } from '../../carriers/carrier.js';
import { eventually } from '../../testing/eventually.js';
import { json, startLocalServer } from '../../testing/local-server.js';
import { testConfig } from '../../testing/test-config.js';
import { EmailCarrier } from '../smtp/email-carrier.js';
import { VoiceCarrier } from './voice-carrier.js';
import { WhatsAppCarrier } from './whatsapp-carrier.js';

const NUMBER = '+14155552671';
/** Credentials of the sandbox. */
const ACCOUNT_SID = 'AC5a9db0c55a9db0c55a9db0c55a9db0c5';
const AUTH_TOKEN = 'sandbox-auth-token';
const TEMPLATE = `HX${'1'.repeat(32)}`;
const message = {
  id: '0190f0aa-1234-7abc-8def-0123456789ab',
  accountId: '0190f0aa-0000-7abc-8def-0123456789ab',
} as const;
const byWhatsApp: CarrierMessage = {
  ...message,
  recipient: `whatsapp:${NUMBER}`,
  sender: 'whatsapp:+14155238886',
  body: '048213',
};
const byVoice: CarrierMessage = {
  ...message,
  recipient: `voice:${NUMBER}`,
  sender: 'voice:+15005550006',
  body: 'Acme & Sons: your code is: 0, 4, 8.',
};
const byEmail: CarrierMessage = { ...message, recipient: 'ann@example.com', sender: 'email', body: 'Code <048213>' };

describe('Carriers of channels, at the sandbox', () => {
  let sandbox: RunningSandbox;
  const open: Carrier[] = [];

  beforeEach(async () => {
    sandbox = await startSandbox({
      productUrl: 'http://127.0.0.1:1',
      receiptDelayMs: 50,
      callRingMs: 50,
      callTalkMs: 50,
    });
  });

  afterEach(async () => {
    await Promise.all(open.splice(0).map((carrier) => carrier.close()));
    await sandbox.close();
  });

  const config = (more: Record<string, string> = {}) =>
    testConfig({
      TWILIO_API_URL: sandbox.url,
      TWILIO_ACCOUNT_SID: ACCOUNT_SID,
      TWILIO_AUTH_TOKEN: AUTH_TOKEN,
      TWILIO_WHATSAPP_SENDER: '+14155238886',
      TWILIO_WHATSAPP_TEMPLATE: TEMPLATE,
      TWILIO_VOICE_NUMBER: '+15005550006',
      SMTP_URL: sandbox.smtpUrl,
      CARRIER_TIMEOUT_MS: '5000',
      ...more,
    });
  const kept = <T extends Carrier>(carrier: T): T => {
    open.push(carrier);
    return carrier;
  };
  const control = async <T>(path: string, body?: object): Promise<T> => {
    const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const answer = await fetch(`${sandbox.url}/_control/${path}`, body && post);
    expect(answer.ok).toBe(true);
    return (await answer.json()) as T;
  };
  type Kept = { sid: string; status: string };

  it('sends a code by WhatsApp in the template, and finds it by its code', async () => {
    const carrier = kept(new WhatsAppCarrier(config()));
    const since = new Date(Date.now() - 60_000);
    const outcome = await carrier.send(byWhatsApp);
    const [sent] = await control<(Kept & { statusCallback: string })[]>('whatsapp');
    expect(outcome).toEqual({ kind: 'accepted', carrierId: sent?.sid });
    expect(sent).toMatchObject({ to: byWhatsApp.recipient, from: byWhatsApp.sender, contentSid: TEMPLATE });
    expect(sent?.statusCallback).toContain('/webhooks/whatsapp/status?message_id=SM0190f0aa12347abc8def0123456789ab');
    expect(await carrier.listTo(byWhatsApp.recipient, since)).toMatchObject([
      { carrierId: sent?.sid, sender: byWhatsApp.sender, body: '048213' },
    ]);
    expect(await carrier.find(sent?.sid ?? '')).toMatchObject({ carrierId: sent?.sid });
    expect(await carrier.find(`SM${'0'.repeat(32)}`)).toBeUndefined();
    await expect(carrier.check()).resolves.toBeUndefined();
  });

  it('reports a person who is not on WhatsApp', async () => {
    const carrier = kept(new WhatsAppCarrier(config()));
    await control('faults', { service: 'whatsapp', mode: 'no-whatsapp' });
    const outcome = await carrier.send(byWhatsApp);
    const carrierId = outcome.kind === 'accepted' ? outcome.carrierId : '';
    await eventually('it has ended', async () => (await carrier.find(carrierId))?.status !== 'sent');
    expect(await carrier.find(carrierId)).toMatchObject({ carrierError: 63_024 });
  });

  it('calls a number and speaks, and knows from the call whether a person has heard it', async () => {
    const carrier = kept(new VoiceCarrier(config()));
    const since = new Date(Date.now() - 60_000);
    const outcome = await carrier.send(byVoice);
    const [call] = await control<(Kept & { statusCallback: string; spoken: string })[]>('calls');
    expect(outcome).toEqual({ kind: 'accepted', carrierId: call?.sid });
    expect(call).toMatchObject({ to: NUMBER, from: '+15005550006' });
    expect(call?.statusCallback).toContain('/webhooks/voice/status?message_id=SM0190f0aa12347abc8def0123456789ab');
    expect(await carrier.listTo(byVoice.recipient, since)).toMatchObject([
      { carrierId: call?.sid, sender: byVoice.sender, body: null, isTextless: true },
    ]);
    const ended = async () => (await carrier.find(call?.sid ?? ''))?.status;
    await eventually('the call is over', async () => (await ended()) === 'delivered');
    expect(JSON.stringify(await control(`calls/${call?.sid}`))).toContain(byVoice.body);
  });

  it('speaks the language of the text, whose tag it leaves out', async () => {
    await kept(new VoiceCarrier(config())).send({ ...byVoice, body: 'de-DE Ihr Code lautet: 0, 4, 8.' });
    const find = async () => (await control<Kept[]>('calls'))[0];
    await eventually('the call is over', async () => (await find())?.status === 'completed');
    expect(await control(`calls/${(await find())?.sid}`)).toMatchObject({
      spoken: 'Ihr Code lautet: 0, 4, 8.',
      sentences: [{ language: 'de-DE' }],
    });
  });

  it.each([
    ['busy', 'undelivered'],
    ['machine', 'undelivered'],
    ['failed', 'failed'],
  ])('reports a call that ends as %s', async (mode, status) => {
    const carrier = kept(new VoiceCarrier(config()));
    await control('faults', { service: 'voice', mode });
    const outcome = await carrier.send(byVoice);
    const carrierId = outcome.kind === 'accepted' ? outcome.carrierId : '';
    await eventually('the call is over', async () => (await carrier.find(carrierId))?.status === status, 60_000);
  });

  it.each([
    ['429', 'unavailable'],
    ['500', 'unknown'],
    ['suspended', 'suspended'],
    ['accepted-then-5xx', 'unknown'],
    ['lost-answer', 'unknown'],
  ])('reports the fault %s of a call as %s', async (mode, kind) => {
    await control('faults', { service: 'voice', mode });
    expect(await kept(new VoiceCarrier(config())).send(byVoice)).toMatchObject({ kind });
  });

  it('sends a code by email, with the code escaped in HTML, and again under the same Message-ID', async () => {
    const carrier = kept(new EmailCarrier(config()));
    expect(await carrier.send(byEmail)).toEqual({ kind: 'accepted', carrierId: message.id });
    expect(await carrier.send(byEmail)).toEqual({ kind: 'accepted', carrierId: message.id });
    const [first, second] = await control<{ headers: Record<string, string>; html: string; text: string }[]>('mail');
    expect(first).toMatchObject({ to: 'ann@example.com', subject: 'Your verification code' });
    expect(first?.html).toContain('Code &lt;048213&gt;');
    expect(second?.headers['message-id']).toBe(first?.headers['message-id']);
    await expect(carrier.check()).resolves.toBeUndefined();
  });

  it.each([
    ['refuse', { kind: 'refused', carrierError: 550 }],
    ['reject', { kind: 'refused', carrierError: 554 }],
    ['temporary', { kind: 'unavailable' }],
  ])('reports the fault %s of the mail server', async (mode, outcome) => {
    await control('faults', { service: 'mail', mode });
    expect(await kept(new EmailCarrier(config())).send(byEmail)).toMatchObject(outcome);
  });

  it('does not know whether a call was placed when the answer names none', async () => {
    const server = await startLocalServer();
    server.answer = json(201, {});
    const carrier = kept(new VoiceCarrier(config({ TWILIO_API_URL: server.url })));
    expect(await carrier.send(byVoice)).toMatchObject({ kind: 'unknown' });
    expect(server.requests[0]?.form).toMatchObject({ Timeout: '30', MachineDetection: 'Enable', To: NUMBER });
    expect(server.requests[0]?.form?.['Twiml']).toContain('Acme &amp; Sons');
    await server.close();
  });
});
