import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline';
import { Logger } from '../../platform/telemetry/logger.js';
import type { IncomingReply } from '../../inbound/opt-outs.js';
import { Postgres } from '../../platform/database/postgres.js';
import { messageIdFromPublic } from '../../rules/ids.js';
import { createTestBed, type TestBed } from '../../testing/test-bed.js';
import { createTestCore, type TestCore } from '../../testing/test-core.js';
import { eventually } from '../../testing/eventually.js';
import { SmppBind } from './smpp-bind.js';
import { SmppReplies } from './smpp-replies.js';
import { SubmittedSegments } from './submitted-segments.js';

const script = `${__dirname}/testing/net-smpp-peer.pl`;
const hasNetSmpp = spawnSync('perl', ['-MNet::SMPP', '-MJSON::PP', '-e', '1']).status === 0;
const describeWithPeer = hasNetSmpp ? describe : describe.skip;
const title = hasNetSmpp ? 'SmppBind at Net::SMPP' : 'SmppBind at Net::SMPP (needs Debian’s libnet-smpp-perl)';

const message = {
  id: '0190f0aa-1234-7abc-8def-0123456789ab',
  accountId: '0190f0aa-0000-7abc-8def-0123456789ab',
  recipient: '+14155552671',
  sender: '+15005550006',
};

describeWithPeer(title, () => {
  let bed: TestBed;
  let core: TestCore;
  let peer: ChildProcess;
  let pdus: Record<string, unknown>[];
  let bind: SmppBind;
  let replies: IncomingReply[];
  let delivered: string[];

  beforeAll(async () => {
    [pdus, replies, delivered] = [[], [], []];
    const child = spawn('perl', [script], { stdio: ['ignore', 'pipe', 'inherit'] });
    peer = child;
    let port = 0;
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (port === 0) port = Number(line);
      else pdus.push(JSON.parse(line) as Record<string, unknown>);
    });
    await eventually('the peer', async () => port > 0);
    bed = await createTestBed();
    core = await createTestCore(bed.config());
    const segments = new SubmittedSegments(core.get(Postgres), 10, 'auto', {
      record: async ({ messageId, status }) => {
        delivered.push(`${messageIdFromPublic(messageId)} ${status}`);
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
        name: 'net-smpp',
        address: { host: '127.0.0.1', port, isTls: false },
        systemId: 'pennytext',
        password: 'secret',
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
    );
    bind.start();
    await eventually('the bind', async () => bind.isBound);
  });
  afterAll(async () => {
    await bind.close();
    peer.kill();
    await core?.close();
    await bed?.remove();
  });

  it('binds as a transceiver of version 3.4', async () => {
    expect(pdus[0]).toMatchObject({
      command: 'bind_transceiver',
      system_id: 'pennytext',
      password: 'secret',
      interface_version: 0x34,
    });
    await expect(bind.check()).resolves.toBeUndefined();
  });

  it.each([
    ['GSM-7', '0190f0aa-0001-7abc-8def-0123456789ab', 'Price: 5 € [now] ~ Ü'],
    ['UCS-2', '0190f0aa-0002-7abc-8def-0123456789ab', 'Привет 😀'],
    [
      'a long text in GSM-7',
      '0190f0aa-0003-7abc-8def-0123456789ab',
      `${'The parcel 40817 is on its way. '.repeat(11)}€`,
    ],
    ['a long text in UCS-2', '0190f0aa-0004-7abc-8def-0123456789ab', 'Посылка 40817 в пути 📦 '.repeat(8)],
    [
      'every character of the alphabet',
      '0190f0aa-0005-7abc-8def-0123456789ab',
      '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ ¡ÄÖÑÜ§¿äöñüà\f^{}\\[~]|€',
    ],
  ])('exchanges %s, whose receipts come in hexadecimal', async (_name, id, body) => {
    expect(await bind.submit({ ...message, id, body, validSeconds: 600 })).toMatchObject({ kind: 'accepted' });
    await eventually('the receipt', async () => delivered.includes(`${id} delivered`));
    await eventually('the reply', async () => replies.some(({ text }) => text === body));
    expect(replies.at(-1)).toMatchObject({ sender: '+14155552671', recipient: '+15005550006' });
  });

  it('writes addresses, the wish for a receipt, validity and reference as Net::SMPP reads them', async () => {
    await bind.submit({ ...message, body: 'Hi', validSeconds: 3_725 });
    expect(pdus.findLast(({ command }) => command === 'submit_sm')).toMatchObject({
      source_addr: '15005550006',
      source_addr_ton: 1,
      destination_addr: '14155552671',
      dest_addr_npi: 1,
      registered_delivery: 1,
      validity_period: '000000010205000R',
      reference: 0x89ab,
      hex: '4869',
    });
  });

  it('answers every message of the peer', async () => {
    const count = (command: string) => pdus.filter((pdu) => pdu['command'] === command && pdu['status'] === 0).length;
    await eventually('all responses', async () => count('deliver_sm_resp') === 2 * count('submit_sm'));
  });
});
