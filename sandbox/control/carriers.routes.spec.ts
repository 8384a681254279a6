import { setTimeout as pause } from 'node:timers/promises';
import fastify from 'fastify';
import { MessageStore } from '../carriers/message-store.js';
import { EventStream } from '../pages/event-stream.js';
import { TestSandbox, until } from '../testing/test-sandbox.js';
import { CallBook } from '../twilio/calls/call-book.js';
import { carriersRoutes, type CarriersView, type CarrierView } from './carriers.routes.js';
import { Faults } from './faults.js';

const sandbox = new TestSandbox();

beforeAll(() => sandbox.start({ SANDBOX_SMPP_PORT: '0' }));
beforeEach(() => sandbox.post('/_control/reset', {}));
afterAll(() => sandbox.stop());

const send = (to: string, body = 'Hello') => sandbox.sdk().messages.create({ to, from: '+15005550006', body });
const state = () => sandbox.get<CarriersView>('/_carriers/state');
const fault = (settings: object) => sandbox.post('/_control/faults', settings);
const carrier = async (name: string): Promise<CarrierView | undefined> =>
  (await state()).carriers.find((one) => one.carrier === name);

/** Opens the page's event stream; returns the number of announcements up to now. */
async function watch(): Promise<{ readonly count: () => number; readonly close: () => void }> {
  const ending = new AbortController();
  const events = await fetch(`${sandbox.url}/_carriers/events`, { signal: ending.signal });
  let text = '';
  const reading = async () => {
    for await (const chunk of events.body ?? []) text += Buffer.from(chunk).toString('utf8');
  };
  reading().catch((error: unknown) => {
    if (!ending.signal.aborted) throw error;
  });
  await until('the stream is open', () => text.includes('event: hello'));
  return { count: () => text.split('event: changed').length - 1, close: () => ending.abort() };
}

describe('the carriers', () => {
  it('work, and have taken nothing, at first', async () => {
    const working = { mode: 'none', count: null, remainingMs: null, met: 0, tookInMinute: 0 };
    expect(await state()).toEqual({
      carriers: ['twilio', 'telnyx', 'smsc'].map((name) => ({ carrier: name, ...working })),
      channels: ['whatsapp', 'voice'].map((name) => ({ carrier: name, ...working })),
      messages: [],
    });
  });

  it('show what each took in the last minute, and how it goes on, newest first', async () => {
    await send('+14155550001');
    await sandbox.telnyx().messages.send({ from: '+15005550100', to: '+14155550002', text: 'By Telnyx' });
    await send('+14155550003');
    await sandbox.post('/_control/inbound', { from: '+14155550001', to: '+15005550006', body: 'A reply' });
    const { carriers, messages } = await state();
    expect(carriers.map(({ tookInMinute }) => tookInMinute)).toEqual([2, 1, 0]);
    expect(messages.map(({ carrier: name, phone }) => [name, phone])).toEqual([
      ['twilio', '+14155550003'],
      ['telnyx', '+14155550002'],
      ['twilio', '+14155550001'],
    ]);
    await until('all are delivered', async () =>
      (await state()).messages.every(({ status }) => status === 'delivered'),
    );
  });

  it('show the channels of Twilio apart, with faults and figures of their own', async () => {
    await sandbox.sdk().messages.create({
      to: 'whatsapp:+14155550001',
      from: 'whatsapp:+14155238886',
      contentSid: `HX${'1a'.repeat(16)}`,
      contentVariables: JSON.stringify({ 1: '123456' }),
    });
    const twiml = '<Response><Say>Hello</Say></Response>';
    for (let n = 0; n < 2; n++) await sandbox.sdk().calls.create({ to: '+14155550001', from: '+15005550006', twiml });
    await fault({ service: 'voice', mode: 'busy', to: '+14155550001' });
    const { carriers, channels, messages } = await state();
    expect(channels.map(({ carrier: name, mode, tookInMinute }) => [name, mode, tookInMinute])).toEqual([
      ['whatsapp', 'none', 1],
      ['voice', 'busy', 2],
    ]);
    expect([carriers[0]?.mode, carriers[0]?.tookInMinute, messages]).toEqual(['none', 0, []]);
  });

  it('count what they took within a minute, and no longer', async () => {
    const store = new MessageStore();
    const app = fastify();
    await app.register(carriersRoutes(store, new CallBook(), new Faults(), new EventStream(), ['twilio']));
    for (const [sid, ageMs] of [
      ['SM1', 61_000],
      ['SM2', 55_000],
      ['SM3', 0],
    ] as const)
      store.add({
        carrier: 'twilio',
        sid,
        direction: 'outbound-api',
        from: '+15005550006',
        to: '+14155550001',
        body: 'Hello',
        segments: 1,
        messagingServiceSid: null,
        statusCallback: null,
        callbackPlan: 'once',
        fate: 'delivered',
        createdAtMs: Date.now() - ageMs,
        status: 'delivered',
      });
    const { carriers, messages } = (await app.inject('/state')).json<CarriersView>();
    expect([carriers[0]?.tookInMinute, messages.length]).toEqual([2, 3]);
    await app.close();
  });

  it('show the forty latest messages', async () => {
    await Promise.all(Array.from({ length: 45 }, (_, n) => send(`+14155550${100 + n}`)));
    const { carriers, messages } = await state();
    expect([carriers[0]?.tookInMinute, messages.length]).toEqual([45, 40]);
  });

  it('show a fault with its remaining time, and the requests that met it', async () => {
    await fault({ service: 'twilio', mode: 'suspended', forSeconds: 60 });
    await fault({ service: 'telnyx', mode: '429', count: 3 });
    for (const to of ['+14155550001', '+14155550002']) await expect(send(to)).rejects.toMatchObject({ status: 401 });
    expect(await carrier('twilio')).toMatchObject({ mode: 'suspended', count: null, met: 2, tookInMinute: 0 });
    const first = (await carrier('twilio'))?.remainingMs ?? 0;
    expect(first).toBeLessThanOrEqual(60_000);
    await pause(20);
    expect((await carrier('twilio'))?.remainingMs).toBeLessThan(first);
    expect(await carrier('telnyx')).toMatchObject({ mode: '429', count: 3, remainingMs: null, met: 0 });
    await fault({ service: 'twilio', mode: 'none' });
    expect(await carrier('twilio')).toMatchObject({ mode: 'none', remainingMs: null, met: 0 });
  });

  it('are announced to an open page when a fault begins, is met and ends, and when a message moves', async () => {
    const page = await watch();
    const next = async (what: string, work: () => Promise<unknown>) => {
      const before = page.count();
      await work();
      await until(what, () => page.count() > before);
      // Announcements come at most ten times a second.
      await until('it is quiet', async () => {
        const seen = page.count();
        await pause(150);
        return page.count() === seen;
      });
    };
    await next('the fault is announced', () => fault({ service: 'twilio', mode: '500', forSeconds: 2 }));
    await next('the request that met it', () => send('+14155550001').catch(() => undefined));
    await next('the end of its time', () => pause(0));
    expect(await carrier('twilio')).toMatchObject({ mode: 'none' });
    await next('the message', () => send('+14155550001'));
    page.close();
  });

  it('are without an SMSC where none runs', async () => {
    const other = new TestSandbox();
    await other.start();
    try {
      const { carriers } = await other.get<CarriersView>('/_carriers/state');
      expect(carriers.map(({ carrier: name }) => name)).toEqual(['twilio', 'telnyx']);
    } finally {
      await other.stop();
    }
  });
});
