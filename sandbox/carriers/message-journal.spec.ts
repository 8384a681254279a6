import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TestSandbox, until } from '../testing/test-sandbox.js';
import { MessageJournal } from './message-journal.js';
import { MessageStore } from './message-store.js';
import { OptOuts } from './opt-outs.js';

const phone = '+14155552671';
const sender = '+15005550006';
let dir = '';

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'sandbox-journal-'));
});
afterEach(() => rm(dir, { recursive: true }));

async function openJournal(linesMax?: number) {
  const store = new MessageStore();
  const optOuts = new OptOuts();
  const errors: unknown[] = [];
  const journal = new MessageJournal(dir, store, optOuts, (error) => errors.push(error), linesMax);
  await journal.open();
  return { store, optOuts, journal, errors };
}

function addMany(store: MessageStore, count: number, from = 1): void {
  for (let n = from; n < from + count; n++) {
    store.add({
      carrier: 'twilio',
      sid: `SM${n}`,
      direction: 'outbound-api',
      from: sender,
      to: phone,
      body: `number ${n}`,
      segments: 1,
      messagingServiceSid: null,
      statusCallback: null,
      callbackPlan: 'once',
      fate: 'delivered',
      createdAtMs: n,
      status: 'queued',
    });
  }
}

describe('MessageJournal', () => {
  it('restores messages, statuses and opt-outs after a restart and delivers pending messages', async () => {
    const sandbox = new TestSandbox();
    await sandbox.start({ SANDBOX_DATA_DIR: dir, SANDBOX_RECEIPT_DELAY_MS: '3000' });
    const { sid } = await sandbox.sdk().messages.create({ to: phone, from: sender, body: 'under way' });
    await sandbox.post('/_control/inbound', { from: '+442071838750', to: sender, body: 'STOP' });
    await sandbox.stopSandbox();

    await sandbox.start({ SANDBOX_DATA_DIR: dir, SANDBOX_RECEIPT_DELAY_MS: '40' });
    const status = async () => (await sandbox.sdk().messages(sid).fetch()).status;
    await until('it is delivered', async () => (await status()) === 'delivered');
    await expect(sandbox.sdk().messages.create({ to: '+442071838750', from: sender, body: 'x' })).rejects.toMatchObject(
      { code: 21610 },
    );
    await sandbox.stop();
    expect(sandbox.errors).toEqual([]);
  });

  it('restores the messages of Telnyx, and those from before it as Twilio’s', async () => {
    const sandbox = new TestSandbox();
    await sandbox.start({ SANDBOX_DATA_DIR: dir });
    const { data } = await sandbox.telnyx().messages.send({ to: phone, from: '+15005550100', text: 'Hello' });
    await sandbox.stopSandbox();
    const ended = { statusCallback: null, fate: 'delivered', status: 'delivered', createdAtMs: 1, updatedAtMs: 1 };
    const old = { ...ended, sid: 'SMold', direction: 'outbound-api', from: sender, to: phone, body: 'Old' };
    await appendFile(join(dir, 'twilio-messages.jsonl'), `${JSON.stringify({ message: old })}\n`);
    await sandbox.start({ SANDBOX_DATA_DIR: dir });
    expect((await sandbox.telnyx().messages.retrieve(data?.id ?? '')).data).toMatchObject({ id: data?.id });
    expect((await sandbox.sdk().messages('SMold').fetch()).body).toBe('Old');
    await sandbox.stop();
  });

  it('skips a truncated last line and appends after it', async () => {
    const first = await openJournal();
    addMany(first.store, 2);
    await first.journal.close();
    await appendFile(join(dir, 'twilio-messages.jsonl'), '{"message":{"sid":"SM3","dir');

    const second = await openJournal();
    expect(second.store.all.length).toBe(2);
    addMany(second.store, 1, 4);
    await second.journal.close();

    const third = await openJournal();
    expect(third.store.all.at(-1)?.sid).toBe('SM4');
    expect(third.store.all.length).toBe(3);
    await third.journal.close();
  });

  it('rewrites a long file from memory, including earlier opt-outs', async () => {
    const first = await openJournal(10);
    first.optOuts.apply(phone, sender, 'STOP');
    addMany(first.store, 15);
    for (let n = 0; n < 20; n++) {
      const message = first.store.get('SM1');
      if (message !== undefined) first.store.change(message, { updatedAtMs: n });
    }
    await first.journal.close();
    expect(first.errors).toEqual([]);
    expect((await readFile(join(dir, 'twilio-messages.jsonl'), 'utf8')).trim().split('\n')).toHaveLength(16);

    const second = await openJournal();
    expect(second.store.all.map(({ sid }) => sid)).toEqual(Array.from({ length: 15 }, (_, n) => `SM${n + 1}`));
    expect(second.store.get('SM1')?.updatedAtMs).toBe(19);
    expect(second.optOuts.has(phone, sender)).toBe(true);
    await second.journal.close();
  });

  it('is emptied by a reset', async () => {
    const { store, journal } = await openJournal();
    addMany(store, 3);
    store.clear();
    await journal.close();
    const restored = await openJournal();
    expect(restored.store.all).toEqual([]);
    await restored.journal.close();
  });
});
