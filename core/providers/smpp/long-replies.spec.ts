import { LongReplies, replySegmentOf, type WholeReply } from './long-replies.js';
import { decodePdu, encodePdu, type PduFields } from './smpp-pdus.js';

function segment(fields: PduFields) {
  const pdu = decodePdu(
    encodePdu('deliver_sm', 1, { source_addr: '14155552671', destination_addr: '12345', ...fields }),
  );
  if (!pdu) throw new Error('Not a PDU');
  return replySegmentOf(pdu);
}
const udh = (header: string, text: string) =>
  segment({ esm_class: 0x40, short_message: Buffer.concat([Buffer.from(header, 'hex'), Buffer.from(text, 'latin1')]) });
const sar = (number: number, total: number, text: string, reference = 7) =>
  segment({
    short_message: Buffer.from(text),
    sar_msg_ref_num: reference,
    sar_total_segments: total,
    sar_segment_seqnum: number,
  });

describe('LongReplies', () => {
  let incomplete: WholeReply[];
  let replies: LongReplies;
  beforeEach(() => {
    jest.useFakeTimers();
    incomplete = [];
    replies = new LongReplies((reply) => incomplete.push(reply), { messagesMax: 2, withinMs: 60_000 });
  });
  afterEach(() => {
    replies.close();
    jest.useRealTimers();
  });
  const textOf = (reply: WholeReply | undefined) => reply?.octets.toString('latin1');

  it('returns a whole message at once', () => {
    expect(replies.add(segment({ short_message: Buffer.from('Hi') }))).toMatchObject({
      sender: '14155552671',
      recipient: '12345',
      segments: 1,
      octets: Buffer.from('Hi'),
    });
  });

  it.each([
    ['8-bit references', udh('0500032a0302', 'b'), udh('0500032a0301', 'a'), udh('0500032a0303', 'c')],
    ['16-bit references', udh('06080412340303', 'c'), udh('06080412340301', 'a'), udh('06080412340302', 'b')],
    [
      'ports before the reference',
      udh('0b0504158200000003050302', 'b'),
      udh('0b0504158200000003050301', 'a'),
      udh('0b0504158200000003050303', 'c'),
    ],
    ['SAR', sar(3, 3, 'c'), sar(2, 3, 'b'), sar(1, 3, 'a')],
  ])('joins segments in their order: %s', (_name, ...segments) => {
    const results = segments.map((one) => textOf(replies.add(one)));
    expect(results).toEqual([undefined, undefined, 'abc']);
  });

  it('counts a segment that comes twice once', () => {
    replies.add(sar(1, 2, 'a'));
    expect(replies.add(sar(1, 2, 'a'))).toBeUndefined();
    expect(textOf(replies.add(sar(2, 2, 'b')))).toBe('ab');
  });

  it('keeps messages with other references apart', () => {
    replies.add(sar(1, 2, 'a', 1));
    expect(replies.add(sar(2, 2, 'b', 2))).toBeUndefined();
  });

  it('hands over what is there when segments stay away', () => {
    replies.add(sar(3, 3, 'c'));
    replies.add(sar(1, 3, 'a'));
    jest.advanceTimersByTime(59_999);
    expect(incomplete).toEqual([]);
    jest.advanceTimersByTime(1);
    expect(incomplete.map(textOf)).toEqual(['ac']);
  });

  it('waits for a bounded number of messages and hands over the oldest', () => {
    for (const reference of [1, 2, 3]) replies.add(sar(1, 2, `first of ${reference}`, reference));
    expect(incomplete.map(textOf)).toEqual(['first of 1']);
    replies.close();
    expect(incomplete.map(textOf)).toEqual(['first of 1', 'first of 2', 'first of 3']);
  });

  it.each([
    ['a number beyond the total', sar(4, 3, 'x'), 'x'],
    ['number 0', udh('050003010200', 'x'), 'x'],
    ['a total of 1', sar(1, 1, 'x'), 'x'],
    ['a header longer than the message', udh('ff', ''), ''],
    ['an element longer than the header', udh('03000901', 'x'), 'x'],
    ['a header of no element', udh('00', 'x'), 'x'],
  ])('takes a segment with %s for a whole message', (_name, one, text) => {
    expect(textOf(replies.add(one))).toBe(text);
  });
});
