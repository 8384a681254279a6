import { TestSandbox, until } from '../testing/test-sandbox.js';
import type { CallsView, ThreadsView, ThreadView } from './phone.routes.js';

const sandbox = new TestSandbox();
const sender = '+15005550006';

beforeAll(() => sandbox.start());
beforeEach(() => sandbox.post('/_control/reset', {}));
afterAll(() => sandbox.stop());

const send = (to: string, body: string) => sandbox.sdk().messages.create({ to, from: sender, body });
const chat = (to: string, code: string) =>
  sandbox.sdk().messages.create({
    to: `whatsapp:${to}`,
    from: 'whatsapp:+14155238886',
    contentSid: `HX${'1a'.repeat(16)}`,
    contentVariables: JSON.stringify({ 1: code }),
  });
const twiml = '<Response><Say>Hello.</Say><Say>Bye.</Say></Response>';
const call = (to: string) => sandbox.sdk().calls.create({ to, from: sender, twiml });
const phones = async (query = '') =>
  (await sandbox.get<ThreadsView>(`/_phone/threads${query}`)).threads.map(({ phone }) => phone);

describe('the phone', () => {
  it('lists each number once, newest message first', async () => {
    await send('+14155550001', 'one');
    await send('+442071838750', 'two');
    await send('+14155550001', 'three');
    expect(await phones()).toEqual(['+14155550001', '+442071838750']);
    expect(await phones('?digits=2071')).toEqual(['+442071838750']);
  });

  it('lists the newest threads, and more on request', async () => {
    await Promise.all(Array.from({ length: 70 }, (_, n) => send(`+14155550${100 + n}`, 'Hello')));
    const first = await sandbox.get<ThreadsView>('/_phone/threads');
    expect([first.threads.length, first.hasMore]).toEqual([60, true]);
    const all = await sandbox.get<ThreadsView>('/_phone/threads?limit=120');
    expect([new Set(all.threads.map(({ phone }) => phone)).size, all.hasMore]).toEqual([70, false]);
  });

  it('returns the newest messages of a thread, and earlier ones on request', async () => {
    for (let n = 1; n <= 45; n++) await send('+14155550001', `number ${n}`);
    const newest = await sandbox.get<ThreadView>('/_phone/threads/+14155550001');
    expect([newest.messages.length, newest.hasMore]).toEqual([40, true]);
    expect(newest.messages[39]).toMatchObject({ text: 'number 45', isMine: false, sender, segments: 1 });
    const all = await sandbox.get<ThreadView>('/_phone/threads/+14155550001?limit=80');
    expect([all.messages[0]?.text, all.messages.length, all.hasMore]).toEqual(['number 1', 45, false]);
  });

  it('has a line for the last event of a number, by SMS, WhatsApp or call', async () => {
    await send('+14155550001', 'one');
    await call('+14155550002');
    await send('+14155550002', 'two');
    await chat('+14155550001', '123456');
    await send('+14155550003', 'three');
    await call('+14155550003');
    await chat('+442071838750', '654321');
    const lines = async () => (await sandbox.get<ThreadsView>('/_phone/threads')).threads;
    expect((await lines()).map(({ phone, channel }) => [phone, channel])).toEqual([
      ['+442071838750', 'whatsapp'],
      ['+14155550003', 'calls'],
      ['+14155550001', 'whatsapp'],
      ['+14155550002', 'sms'],
    ]);
    await until('the call was spoken', async () => (await lines())[1]?.text === 'Hello. Bye.');
    // The sender of SMS is no WhatsApp sender.
    expect((await sandbox.get<ThreadsView>('/_phone/threads')).sender).toBe(sender);
    expect((await sandbox.get<ThreadsView>('/_phone/threads?limit=3')).hasMore).toBe(true);
  });

  it('keeps the channels of a number apart', async () => {
    const phone = '+14155550001';
    await send(phone, 'By SMS');
    await chat(phone, '123456');
    const texts = async (query: string) =>
      (await sandbox.get<ThreadView>(`/_phone/threads/${phone}${query}`)).messages.map(({ text }) => text);
    expect(await texts('')).toEqual(['By SMS']);
    expect(await texts('?channel=whatsapp')).toEqual([expect.stringContaining('*123456*')]);
  });

  it('shows a call with what was spoken, and how the number answers', async () => {
    const phone = '+14155550001';
    await sandbox.post('/_control/faults', { service: 'voice', mode: 'machine' });
    await call(phone);
    await sandbox.post(`/_control/phones/${phone}`, { answers: 'by-hand' });
    const view = () => sandbox.get<CallsView>(`/_phone/calls/${phone}`);
    await until('the call has ended', async () => (await view()).calls[0]?.status === 'completed');
    expect(await view()).toEqual({
      phone,
      isAnsweredByHand: true,
      hasMore: false,
      calls: [
        {
          sid: expect.stringMatching(/^CA/),
          caller: sender,
          at: expect.stringMatching(/^\d{4}-.*Z$/),
          status: 'completed',
          sentences: ['Hello.', 'Bye.'].map((text) => ({ text, language: 'en-US', voice: 'man' })),
          durationSeconds: 1,
          isMachine: true,
          problem: null,
        },
      ],
    });
    await call(phone);
    expect((await sandbox.get<CallsView>(`/_phone/calls/${phone}?limit=1`)).hasMore).toBe(true);
  });

  it('announces a message and its status changes to an open page', async () => {
    const events = await fetch(`${sandbox.url}/_phone/events`);
    await send('+14155550001', '<b>Hello</b>');
    let text = '';
    for await (const chunk of events.body ?? []) {
      text += Buffer.from(chunk).toString('utf8');
      if (text.includes('event: changed')) break;
    }
    expect(text).toMatch(/^retry: 1000\nevent: hello\n/);
  });

  it('explains how to build a missing page', async () => {
    expect(await (await fetch(`${sandbox.url}/phone`)).text()).toContain('npm run build');
  });
});
