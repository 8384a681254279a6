import { TestSandbox } from '../testing/test-sandbox.js';
import type { ThreadsView, ThreadView } from './phone.routes.js';

const sandbox = new TestSandbox();
const sender = '+15005550006';

beforeAll(() => sandbox.start());
beforeEach(() => sandbox.post('/_control/reset', {}));
afterAll(() => sandbox.stop());

const send = (to: string, body: string) => sandbox.sdk().messages.create({ to, from: sender, body });
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
