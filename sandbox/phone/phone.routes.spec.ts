import { TestSandbox } from '../testing/test-sandbox.js';
import type { MessageView, ThreadsView, ThreadView } from './phone-view.js';

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

  it('lists threads in pages', async () => {
    await Promise.all(Array.from({ length: 70 }, (_, n) => send(`+14155550${100 + n}`, 'Hello')));
    const first = await sandbox.get<ThreadsView>('/_phone/threads');
    const second = await sandbox.get<ThreadsView>(`/_phone/threads?before=${first.next}`);
    expect(first.threads).toHaveLength(60);
    expect(second).toMatchObject({ next: null });
    expect(new Set([...first.threads, ...second.threads].map(({ phone }) => phone)).size).toBe(70);
  });

  it('returns the newest page of a thread, then earlier pages', async () => {
    for (let n = 1; n <= 45; n++) await send('+14155550001', `number ${n}`);
    const newest = await sandbox.get<ThreadView>('/_phone/threads/+14155550001');
    expect(newest.messages).toHaveLength(40);
    expect(newest.messages[39]).toMatchObject({ text: 'number 45', mine: false, sender, segments: 1 });
    const earlier = await sandbox.get<ThreadView>(`/_phone/threads/+14155550001?before=${newest.earlier}`);
    expect(earlier.messages.map(({ text }) => text)).toEqual([1, 2, 3, 4, 5].map((n) => `number ${n}`));
    expect(earlier.earlier).toBeNull();
  });

  it('sends a message and its status changes to an open page', async () => {
    const events = await fetch(`${sandbox.url}/_phone/events`);
    const { sid } = await send('+14155550001', '<b>Hello</b>');
    const statuses: string[] = [];
    let text = '';
    for await (const chunk of events.body ?? []) {
      text += Buffer.from(chunk).toString('utf8');
      const known = [...text.matchAll(/^event: changes\ndata: (.*)\n\n/gm)]
        .flatMap(([, data]) => JSON.parse(data ?? '[]') as MessageView[])
        .filter((message) => message.sid === sid);
      statuses.splice(0, statuses.length, ...known.map(({ status }) => status));
      if (statuses.includes('delivered')) break;
    }
    expect(text).toMatch(/^retry: 1000\nevent: hello\n/);
    expect(statuses[statuses.length - 1]).toBe('delivered');
  });

  it('explains how to build a missing page', async () => {
    expect(await (await fetch(`${sandbox.url}/phone`)).text()).toContain('npm run build');
  });
});
