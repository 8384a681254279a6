import { startSandbox, type RunningSandbox } from '../../../sandbox/sandbox.js';
import type { IncomingReply } from '../../inbound/opt-outs.js';
import { Logger } from '../../platform/telemetry/logger.js';
import { Postgres } from '../../platform/database/postgres.js';
import { messageIdFromPublic } from '../../rules/ids.js';
import { createTestBed, type TestBed } from '../../testing/test-bed.js';
import { createTestCore, type TestCore } from '../../testing/test-core.js';
import { eventually } from '../../testing/eventually.js';
import { SmppBind } from './smpp-bind.js';
import { SmppReplies } from './smpp-replies.js';
import { SubmittedSegments } from './submitted-segments.js';

const [M1, M2] = ['0190f0aa-1111-7abc-8def-0123456789ab', '0190f0aa-2222-7abc-8def-0123456789cd'];
const message = {
  accountId: '0190f0aa-0000-7abc-8def-0123456789ab',
  recipient: '+14155552671',
  sender: '+15005550006',
  body: 'Hello €',
};

describe('SmppBind at the SMSC of the sandbox', () => {
  let bed: TestBed;
  let core: TestCore;
  let sandbox: RunningSandbox;
  let bind: SmppBind;
  let replies: IncomingReply[];
  /** States only: a repeated receipt may be recorded again, which changes nothing. */
  let receipts: Set<string>;

  beforeAll(async () => {
    bed = await createTestBed();
    core = await createTestCore(bed.config());
  });
  afterAll(async () => {
    await core?.close();
    await bed?.remove();
  });
  beforeEach(async () => {
    sandbox = await startSandbox({ port: 0, smtpPort: 0, smppPort: 0, receiptDelayMs: 40 });
    [replies, receipts] = [[], new Set()];
    await bed.database.sql('DELETE FROM smpp_segments');
    await bed.database.sql('DELETE FROM smpp_early_receipts');
    const segments = new SubmittedSegments(core.get(Postgres), 10, 'auto', {
      record: async ({ messageId, status }) => {
        receipts.add(`${messageIdFromPublic(messageId)} ${status}`);
      },
    });
    const received = new SmppReplies(
      { number: 10, senders: [{ sender: message.sender, country: undefined }], gsm7Coding: 0 },
      async (reply) => void replies.push(reply),
      async () => undefined,
      core.get(Postgres),
      Logger.silent(),
    );
    bind = new SmppBind(
      {
        name: 'sandbox',
        address: { host: '127.0.0.1', port: sandbox.smppPort ?? 0, isTls: false },
        systemId: 'sandbox',
        password: 'sandbox',
        systemType: '',
        window: 10,
        perSecond: undefined,
        perSenderPerSecond: undefined,
        gsm7Coding: 0,
        ton: 1,
        npi: 1,
        longTexts: 'udh',
        throttleMs: 60_000,
      },
      segments,
      { reply: (segment) => received.receive(segment), changed: () => undefined },
      new Logger({ name: 'test', level: 'silent' }),
      { responseMs: 300, reconnect: { waitMs: () => 30, jitter: [1, 1] } },
    );
    bind.start();
    await eventually('the bind', async () => bind.isBound);
  });
  afterEach(async () => {
    await bind.close();
    await sandbox.close();
  });

  const post = (path: string, body: object) =>
    fetch(sandbox.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const fault = (mode: string, more: object = {}) =>
    post('/_control/faults', { service: 'smsc', mode, count: 1, ...more });
  const stored = async () => (await (await fetch(`${sandbox.url}/_control/messages`)).json()) as { body: string }[];

  it.each([
    'Hello € [now]',
    'Привет 😀',
    'The parcel 40817 is on its way. '.repeat(12),
    'Посылка в пути 📦 '.repeat(12),
  ])('exchanges a text both ways, with one receipt: %s', async (body) => {
    expect(await bind.submit({ ...message, id: M1, body })).toMatchObject({ kind: 'accepted' });
    expect((await stored()).map((one) => one.body)).toEqual([body]);
    await eventually('the receipt', async () => receipts.has(`${M1} delivered`));
    const reply = { carrier: 'smsc', from: message.recipient, to: message.sender, body };
    expect(await (await post('/_control/inbound', reply)).json()).toMatchObject({ status: 200 });
    expect(replies.map(({ text }) => text)).toEqual([body]);
    expect(receipts.size).toBe(1);
  });

  it.each([
    ['accepted-then-5xx', 'unknown'],
    ['lost-answer', 'unknown'],
    ['timeout', 'unknown'],
    ['unbind', 'unknown'],
    ['429', 'unavailable'],
    ['queue-full', 'unavailable'],
    ['500', 'unknown'],
    ['suspended', 'suspended'],
  ])('returns for the fault %s the outcome %s', async (mode, kind) => {
    await fault(mode);
    expect(await bind.submit({ ...message, id: M1 })).toMatchObject({ kind });
  });

  it.each([
    ['hex-ids', {}],
    ['duplicate-callback', {}],
    ['fake-callback', {}],
    ['late-callback', { delayMs: 200 }],
    ['delay', { delayMs: 150 }],
    ['delay', { delayMs: 500 }],
  ])('finds the message of a receipt once under the fault %s %j', async (mode, more) => {
    await fault(mode, more);
    await bind.submit({ ...message, id: M1 });
    await bind.submit({ ...message, id: M2 });
    await eventually('the receipts', async () => receipts.size === 2);
    expect([...receipts].toSorted()).toEqual([`${M1} delivered`, `${M2} delivered`]);
  });
});
