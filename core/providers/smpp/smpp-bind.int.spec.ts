import { setTimeout as pause } from 'node:timers/promises';
import type { CarrierMessage } from '../../carriers/carrier.js';
import { Logger } from '../../platform/telemetry/logger.js';
import { eventually } from '../../testing/eventually.js';
import type { ReplySegment } from './reply-segments.js';
import { referenceOf, SmppBind, type SmppBindSettings, type SmppBindTimings } from './smpp-bind.js';
import { numberField, octetsField, type Pdu, textField } from './smpp-pdus.js';
import type { SegmentReceipt } from './smpp-receipts.js';
import { decodeText } from './smpp-text.js';
import { type PeerRequest, SmppPeer } from './testing/smpp-peer.js';

const message: CarrierMessage = {
  id: '0190f0aa-1234-7abc-8def-0123456789ab',
  accountId: '0190f0aa-0000-7abc-8def-0123456789ab',
  recipient: '+14155552671',
  sender: '+15005550006',
  body: 'Price: 5 €',
};
function pduOf(request: PeerRequest | undefined): Pdu {
  if (!request) throw new Error('The peer has no such request');
  return request.pdu;
}

const PASSWORD = 'pass-4b1d';
/** Id of a message of ours. */
const OURS = '77';
const THROTTLE_MS = 300;

describe('SmppBind', () => {
  let peer: SmppPeer;
  let port: number;
  let bind: SmppBind;
  let lines: string[];
  let taken: string[];
  let receipts: SegmentReceipt[];
  let replies: ReplySegment[];
  let readiness: string[];
  /** Messages that may have been submitted. */
  let notes: Set<string>;
  let note: () => Promise<void>;
  let onReply: () => Promise<void>;

  beforeEach(async () => {
    peer = new SmppPeer();
    port = await peer.listen();
    [lines, taken, receipts, replies, readiness, notes] = [[], [], [], [], [], new Set()];
    onReply = async () => undefined;
    note = async () => undefined;
  });
  afterEach(async () => {
    await Promise.all([bind.close(), peer.close()]);
  });

  async function open(settings: Partial<SmppBindSettings> = {}, timings: Partial<SmppBindTimings> = {}) {
    const logger = new Logger({
      name: 'test',
      level: 'debug',
      destination: { write: (line: string) => void lines.push(line) },
    });
    bind = new SmppBind(
      {
        name: 'peer',
        address: { host: '127.0.0.1', port, isTls: false },
        systemId: 'pennytext',
        password: PASSWORD,
        systemType: '',
        window: 10,
        perSecond: undefined,
        perSenderPerSecond: undefined,
        gsm7Coding: 0,
        ton: 1,
        npi: 1,
        longTexts: 'udh',
        throttleMs: THROTTLE_MS,
        ...settings,
      },
      {
        submitting: async ({ messageId }) => {
          await note();
          notes.add(messageId);
        },
        notTaken: async ({ messageId }) => void notes.delete(messageId),
        taken: async ({ id }) => void taken.push(id),
        receipt: async (receipt) => void receipts.push(receipt),
        wordedReceipt: async (receipt) => receipt.ids.includes(OURS),
      },
      {
        reply: async (reply) => {
          replies.push(reply);
          await onReply();
        },
        changed: () => void readiness.push(bind.readiness.kind),
      },
      logger,
      {
        responseMs: 2_000,
        segmentRetryMs: 20,
        reconnect: { waitMs: () => 30, jitter: [1, 1] },
        ...timings,
      },
    );
    bind.start();
  }
  const firstRequest = () => pduOf(peer.requests[0]);
  const firstSubmit = () => pduOf(peer.submits[0]);
  const bound = () => eventually('the bind', async () => bind.isBound);
  const lost = () => eventually('the loss of the bind', async () => !bind.isBound);

  describe('submit', () => {
    it('submits a GSM-7 text with its addresses, its reference and a wish for receipts', async () => {
      await open();
      await bound();
      expect(await bind.submit({ ...message, validSeconds: 3_725 })).toEqual({ kind: 'accepted', carrierId: '1' });
      const pdu = peer.submits[0]?.pdu;
      expect(pdu?.fields).toMatchObject({
        source_addr: '15005550006',
        source_addr_ton: 1,
        source_addr_npi: 1,
        destination_addr: '14155552671',
        dest_addr_ton: 1,
        dest_addr_npi: 1,
        registered_delivery: 1,
        data_coding: 0,
        esm_class: 0,
        validity_period: '000000010205000R',
        user_message_reference: referenceOf(message.id),
        short_message: Buffer.from('Price: 5 \x1be', 'latin1'),
      });
      expect(taken).toEqual(['1']);
      expect(peer.requests[0]?.pdu.fields).toMatchObject({
        system_id: 'pennytext',
        password: PASSWORD,
        interface_version: 0x34,
      });
    });

    it('submits other alphabets as UCS-2, and a name as what it is', async () => {
      await open();
      await bound();
      await bind.submit({ ...message, sender: 'ACME', body: 'Привет' });
      expect(peer.submits[0]?.pdu.fields).toMatchObject({
        source_addr: 'ACME',
        source_addr_ton: 5,
        source_addr_npi: 0,
        data_coding: 8,
        short_message: Buffer.from('Привет', 'utf16le').swap16(),
      });
    });

    it('writes data_coding, type and plan as configured', async () => {
      await open({ gsm7Coding: 1, ton: 2, npi: 8 });
      await bound();
      await bind.submit(message);
      expect(peer.submits[0]?.pdu.fields).toMatchObject({ data_coding: 1, source_addr_ton: 2, dest_addr_npi: 8 });
      await bind.submit({ ...message, sender: '40404' });
      const short = {
        source_addr: '40404',
        source_addr_ton: 3,
        source_addr_npi: 0,
        dest_addr_ton: 2,
        dest_addr_npi: 8,
      };
      expect(peer.submits[1]?.pdu.fields).toMatchObject(short);
    });

    it.each(['a'.repeat(400), 'я'.repeat(150)])('submits a long text in segments by UDH', async (body) => {
      await open();
      await bound();
      expect(await bind.submit({ ...message, body })).toEqual({ kind: 'accepted', carrierId: '1' });
      const contents = peer.submits.map(({ pdu }) => octetsField(pdu, 'short_message'));
      expect(contents.map((octets) => octets.subarray(0, 6).toString('hex'))).toEqual([
        '050003010301',
        '050003010302',
        '050003010303',
      ]);
      expect(peer.submits.map(({ pdu }) => numberField(pdu, 'esm_class'))).toEqual([0x40, 0x40, 0x40]);
      const text = Buffer.concat(contents.map((octets) => octets.subarray(6)));
      expect(decodeText(text, numberField(firstSubmit(), 'data_coding') ?? 0, 0)).toBe(body);
      expect(taken).toEqual(['1', '2', '3']);
    });

    it('submits a long text as one payload if configured', async () => {
      await open({ longTexts: 'payload' });
      await bound();
      await bind.submit({ ...message, body: 'a'.repeat(400) });
      expect(peer.submits).toHaveLength(1);
      expect(octetsField(firstSubmit(), 'message_payload').toString()).toBe('a'.repeat(400));
      expect(octetsField(firstSubmit(), 'short_message')).toHaveLength(0);
    });

    it.each([
      [0x0b, { kind: 'refused', carrierError: 0x0b }],
      [0x450, { kind: 'refused', carrierError: 0x450 }],
      [0x0f, { kind: 'suspended', httpStatus: null, carrierError: 0x0f }],
    ])('returns the status %i as what its class is about', async (status, outcome) => {
      peer.handlers['submit_sm'] = ({ answer }) => answer({}, status);
      await open();
      await bound();
      expect(await bind.submit(message)).toEqual(outcome);
      expect([taken, notes.size]).toEqual([[], 0]);
    });

    it.each([0x08, 0xff])('is in doubt after the status %i, with which the peer may have taken it', async (status) => {
      peer.handlers['submit_sm'] = ({ answer }) => answer({}, status);
      await open();
      await bound();
      expect(await bind.submit(message)).toMatchObject({ kind: 'unknown' });
    });

    it('takes a generic_nack for a refusal', async () => {
      peer.handlers['submit_sm'] = ({ pdu, session }) =>
        void session.socket.write(Buffer.from(`0000001080000000000000030000000${pdu.sequence.toString(16)}`, 'hex'));
      await open();
      await bound();
      expect(await bind.submit(message)).toEqual({ kind: 'refused', carrierError: 3 });
    });

    it('sends and notes nothing during the wait of ESME_RTHROTTLED', async () => {
      peer.handlers['submit_sm'] = ({ answer }) => answer({}, 0x58);
      let noted = 0;
      note = async () => void (noted += 1);
      await open();
      await bound();
      expect(await bind.submit(message)).toMatchObject({ kind: 'unavailable', retryAfterMs: THROTTLE_MS });
      const second = await bind.submit(message);
      expect(second).toMatchObject({ kind: 'unavailable' });
      expect([peer.submits.length, noted]).toEqual([1, 1]);
      expect([readiness, bind.readiness]).toEqual([['bound', 'paused'], { kind: 'paused', forMs: expect.any(Number) }]);
      delete peer.handlers['submit_sm'];
      await pause(THROTTLE_MS + 20);
      expect(bind.readiness).toEqual({ kind: 'bound' });
      expect(await bind.submit(message)).toMatchObject({ kind: 'accepted' });
    });

    it('leaves a message for later on ESME_RMSGQFUL, and goes on with others', async () => {
      peer.handlers['submit_sm'] = ({ answer }) =>
        peer.submits.length === 1 ? answer({}, 0x14) : answer({ message_id: 'x' });
      await open();
      await bound();
      expect(await bind.submit(message)).toMatchObject({ kind: 'unavailable' });
      expect(await bind.submit(message)).toMatchObject({ kind: 'accepted' });
    });

    it('keeps the window', async () => {
      peer.handlers['submit_sm'] = () => undefined;
      await open({ window: 3 });
      await bound();
      const outcomes = Array.from({ length: 8 }, () => bind.submit(message));
      await eventually('three submits', async () => peer.submits.length === 3);
      await pause(50);
      expect(peer.submits).toHaveLength(3);
      delete peer.handlers['submit_sm'];
      for (const { answer, pdu } of peer.submits) answer({ message_id: `late-${pdu.sequence}` });
      expect((await Promise.all(outcomes)).every(({ kind }) => kind === 'accepted')).toBe(true);
    });

    it('submits nothing that could not be noted, or that would leave too late', async () => {
      await open({ window: 1 }, { startMs: 100 });
      await bound();
      note = () => Promise.reject(new Error('The database cannot be reached'));
      expect(await bind.submit(message)).toMatchObject({ kind: 'unavailable' });
      note = () => pause(150);
      expect(await bind.submit(message)).toMatchObject({ kind: 'unavailable' });
      expect([peer.submits, notes.size]).toEqual([[], 0]);
    });

    it('notes no more than twice the window, so that a crash leaves few messages in doubt', async () => {
      peer.handlers['submit_sm'] = () => undefined;
      await open({ window: 3 });
      await bound();
      const outcomes = Array.from({ length: 20 }, (_, n) => bind.submit({ ...message, id: `m${n}` }));
      await eventually('three submits', async () => peer.submits.length === 3);
      await pause(50);
      expect(notes.size).toBe(6);
      delete peer.handlers['submit_sm'];
      for (const { answer, pdu } of peer.submits) answer({ message_id: `late-${pdu.sequence}` });
      expect((await Promise.all(outcomes)).every(({ kind }) => kind === 'accepted')).toBe(true);
    });

    it('returns unknown when the connection is lost with the submit open, unavailable before', async () => {
      peer.handlers['submit_sm'] = ({ session }) => void session.socket.destroy();
      await open({}, { reconnect: { waitMs: () => 60_000, jitter: [1, 1] } });
      await bound();
      expect(await bind.submit(message)).toMatchObject({ kind: 'unknown' });
      await lost();
      expect(await bind.submit(message)).toMatchObject({ kind: 'unavailable' });
      expect(peer.submits).toHaveLength(1);
    });

    it('returns unknown when no response comes in time, and notes the segment when it comes late', async () => {
      peer.handlers['submit_sm'] = ({ answer }) => void setTimeout(() => answer({ message_id: 'late' }), 200);
      await open({}, { responseMs: 100 });
      await bound();
      expect(await bind.submit(message)).toMatchObject({ kind: 'unknown' });
      await eventually('the late response', async () => taken.includes('late'));
      expect(bind.isBound).toBe(true);
    });

    it.each(['', '7'.repeat(66)])('returns unknown when the response names no message: "%s"', async (message_id) => {
      peer.handlers['submit_sm'] = ({ answer }) => answer({ message_id });
      await open();
      await bound();
      expect(await bind.submit(message)).toMatchObject({ kind: 'unknown' });
    });

    it('submits later segments again that the peer cannot take yet', async () => {
      const refusals = [0x58, 0x14];
      peer.handlers['submit_sm'] = ({ answer }) => {
        const status = peer.submits.length === 1 ? 0 : (refusals.shift() ?? 0);
        answer(status === 0 ? { message_id: `id-${peer.submits.length}` } : {}, status);
      };
      await open({ throttleMs: 50 });
      await bound();
      expect(await bind.submit({ ...message, body: 'a'.repeat(300) })).toEqual({ kind: 'accepted', carrierId: 'id-1' });
      expect(peer.submits).toHaveLength(4);
    });

    it.each([
      ['with its code', 0x0b, 0x0b, 3],
      ['without a code that would send the text again over another carrier', 0x42, null, 3],
      ['after some attempts', 0x14, null, 5],
    ])('ends a message of which a later segment is refused: %s', async (_name, status, carrierError, submits) => {
      peer.handlers['submit_sm'] = ({ answer, pdu }) =>
        octetsField(pdu, 'short_message')[5] === 2 ? answer({}, status) : answer({ message_id: 'x' });
      await open();
      await bound();
      const body = status === 0x14 ? 'a'.repeat(300) : 'a'.repeat(400);
      expect(await bind.submit({ ...message, body })).toEqual({ kind: 'refused', carrierError });
      expect(peer.submits).toHaveLength(submits);
    });

    it('submits no further segment when the first is refused', async () => {
      peer.handlers['submit_sm'] = ({ answer }) => answer({}, 0x42);
      await open();
      await bound();
      expect(await bind.submit({ ...message, body: 'a'.repeat(400) })).toEqual({ kind: 'refused', carrierError: 0x42 });
      expect(peer.submits).toHaveLength(1);
    });
  });

  describe('receipts and replies', () => {
    const usual = Buffer.from('id:42 sub:001 dlvrd:001 stat:DELIVRD err:000 text:');

    it('are answered once they are stored', async () => {
      await open();
      await bound();
      peer.sessions[0]?.send('deliver_sm', 77, { esm_class: 4, source_addr: '14155552671', short_message: usual });
      peer.sessions[0]?.send('deliver_sm', 78, { source_addr: '14155552671', short_message: Buffer.from('STOP') });
      await eventually('both responses', async () => peer.responses.length === 2);
      expect(peer.responses.map(({ command, sequence, status }) => [command, sequence, status])).toEqual([
        ['deliver_sm_resp', 77, 0],
        ['deliver_sm_resp', 78, 0],
      ]);
      expect(receipts).toMatchObject([{ ids: ['42'], status: 'delivered' }]);
      expect(replies).toEqual([
        { sender: '14155552671', ton: 0, recipient: '', dataCoding: 0, octets: Buffer.from('STOP'), part: undefined },
      ]);
    });

    it('are told apart by what they name without a flag', async () => {
      await open();
      await bound();
      const words = (id: string) => Buffer.from(`id:${id} stat:DELIVRD err:000`);
      peer.sessions[0]?.send('deliver_sm', 1, { source_addr: '14155552671', short_message: words(OURS) });
      peer.sessions[0]?.send('deliver_sm', 2, { source_addr: '14155552671', short_message: words('43') });
      await eventually('both responses', async () => peer.responses.length === 2);
      expect(replies.map(({ octets }) => octets)).toEqual([words('43')]);
    });

    it('come again when they could not be stored', async () => {
      onReply = () => Promise.reject(new Error('The database cannot be reached'));
      await open();
      await bound();
      peer.sessions[0]?.send('deliver_sm', 5, { short_message: Buffer.from('Hi') });
      await eventually('the response', async () => peer.responses.length === 1);
      expect(peer.responses[0]?.status).toBe(0x64);
    });

    it('are read no faster than they are stored', async () => {
      let stored = () => {};
      const waits = new Promise<void>((resolve) => (stored = resolve));
      onReply = () => waits;
      await open();
      await bound();
      for (let sequence = 1; sequence <= 200; sequence++)
        peer.sessions[0]?.send('deliver_sm', sequence, { short_message: Buffer.from('Hi') });
      await eventually('the first replies', async () => replies.length === 50);
      await pause(50);
      expect(replies).toHaveLength(50);
      stored();
      await eventually('all replies', async () => peer.responses.length === 200);
    });
  });

  describe('the connection', () => {
    it('is bound again after it was lost', async () => {
      await open();
      await bound();
      peer.sessions[0]?.socket.destroy();
      await lost();
      await bound();
      expect(await bind.submit(message)).toMatchObject({ kind: 'accepted' });
      expect(readiness).toEqual(['bound', 'unbound', 'bound']);
    });

    it('ends when the peer unbinds, and is bound again', async () => {
      await open();
      await bound();
      peer.sessions[0]?.send('unbind', 3);
      await eventually('the response', async () => peer.responses.some(({ command }) => command === 'unbind_resp'));
      await eventually('the second bind', async () => peer.sessions.length === 2 && bind.isBound);
    });

    it('ends when the peer does not answer an enquiry', async () => {
      peer.handlers['enquire_link'] = () => undefined;
      await open({}, { enquireMs: 30, responseMs: 100 });
      await bound();
      await eventually('another bind', async () => peer.sessions.length > 1);
    });

    it('answers the enquiries of the peer, and what it does not know', async () => {
      await open();
      await bound();
      peer.sessions[0]?.send('enquire_link', 3);
      peer.sessions[0]?.send('query_sm', 4);
      await eventually('the responses', async () => peer.responses.length === 2);
      expect(peer.responses).toMatchObject([
        { command: 'enquire_link_resp', sequence: 3 },
        { command: 'generic_nack', sequence: 4, status: 3 },
      ]);
    });

    it('survives a PDU whose body is not what its header announces', async () => {
      await open();
      await bound();
      peer.sessions[0]?.socket.write(Buffer.from('0000001400000005000000000000000903830000', 'hex'));
      await eventually('the response', async () => peer.responses.length === 1);
      expect(peer.responses[0]).toMatchObject({ sequence: 9 });
      expect(bind.isBound).toBe(true);
    });

    it.each([
      ['a PDU of 1 MB', Buffer.concat([Buffer.from('00100000', 'hex'), Buffer.alloc(1_048_572)])],
      ['garbage', Buffer.from('GET / HTTP/1.1\r\nHost: example.com\r\n\r\n')],
      ['a PDU without a header', Buffer.from('0000000400000004', 'hex')],
      ['zeros', Buffer.alloc(100)],
    ])('ends when the peer sends %s, and only it ends', async (_name, octets) => {
      await open();
      await bound();
      peer.handlers['submit_sm'] = ({ session }) => void session.socket.write(octets);
      expect(await bind.submit(message)).toMatchObject({ kind: 'unknown' });
      peer.handlers = {};
      await eventually('another bind', async () => peer.sessions.length > 1 && bind.isBound);
      expect(await bind.submit(message)).toMatchObject({ kind: 'accepted' });
    });

    it('ends when the peer sends nothing', async () => {
      peer.handlers['bind_transceiver'] = () => undefined;
      await open({}, { responseMs: 100 });
      await eventually('another attempt', async () => peer.sessions.length > 1);
      expect(bind.isBound).toBe(false);
      await expect(bind.check()).rejects.toThrow('no response');
    });

    it('is tried again while the peer calls it already bound', async () => {
      let refusals = 2;
      peer.handlers['bind_transceiver'] = ({ answer }) => answer({}, refusals-- > 0 ? 5 : 0);
      await open();
      await bound();
      expect(peer.sessions).toHaveLength(3);
      await expect(bind.check()).resolves.toBeUndefined();
    });

    it('suspends its messages while the peer refuses the account, and logs no password', async () => {
      peer.handlers['bind_transceiver'] = ({ answer }) => answer({}, 0x0e);
      await open();
      await eventually('two attempts', async () => peer.sessions.length > 1);
      expect(await bind.submit(message)).toEqual({ kind: 'suspended', httpStatus: null, carrierError: 0x0e });
      delete peer.handlers['bind_transceiver'];
      await bound();
      expect(await bind.submit(message)).toMatchObject({ kind: 'accepted' });
      expect(lines.length).toBeGreaterThan(1);
      expect(lines.join()).not.toContain(PASSWORD);
    });

    it('unbinds when it is closed', async () => {
      await open();
      await bound();
      await bind.close();
      expect(peer.requests.at(-1)?.pdu.command).toBe('unbind');
      expect(textField(firstRequest(), 'system_id')).toBe('pennytext');
      expect(await bind.submit(message)).toMatchObject({ kind: 'unavailable' });
    });
  });
});
