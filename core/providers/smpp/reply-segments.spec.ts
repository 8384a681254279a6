import { replySegmentOf } from './reply-segments.js';
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
const sar = (number: number, total: number, text = 'x', field = 'short_message') =>
  segment({
    [field]: Buffer.from(text),
    sar_msg_ref_num: 7,
    sar_total_segments: total,
    sar_segment_seqnum: number,
  });

describe('replySegmentOf', () => {
  it('reads a whole message', () => {
    expect(segment({ short_message: Buffer.from('Hi'), data_coding: 8 })).toEqual({
      sender: '14155552671',
      ton: 0,
      recipient: '12345',
      dataCoding: 8,
      octets: Buffer.from('Hi'),
      part: undefined,
    });
  });

  it.each([
    ['an 8-bit reference', udh('0500032a0302', 'b'), { reference: 42, number: 2, total: 3 }],
    ['a 16-bit reference', udh('06080412340303', 'b'), { reference: 0x1234, number: 3, total: 3 }],
    ['ports before the reference', udh('0b0504158200000003050302', 'b'), { reference: 5, number: 2, total: 3 }],
    [
      'a header without its flag',
      segment({ short_message: Buffer.from('0500032a030262', 'hex') }),
      { reference: 42, number: 2, total: 3 },
    ],
    [
      'a 16-bit one without',
      segment({ message_payload: Buffer.from('0608041234020162', 'hex') }),
      { reference: 0x1234, number: 1, total: 2 },
    ],
    ['SAR', sar(2, 3, 'b'), { reference: 7, number: 2, total: 3 }],
    ['the largest total', sar(255, 255, 'b'), { reference: 7, number: 255, total: 255 }],
  ])('reads a segment by %s', (_name, one, part) => {
    expect(one).toMatchObject({ octets: Buffer.from('b'), part });
  });

  it.each([
    ['a number beyond the total', sar(4, 3), 'x'],
    ['number 0', udh('050003010200', 'x'), 'x'],
    ['a total of 1', sar(1, 1), 'x'],
    ['more octets than a segment has', sar(1, 3, 'x'.repeat(256), 'message_payload'), 'x'.repeat(256)],
    ['a header longer than the message', udh('ff', ''), ''],
    ['an element longer than the header', udh('03000901', 'x'), 'x'],
    ['a header of no element', udh('00', 'x'), 'x'],
  ])('takes a segment with %s for a whole message', (_name, one, text) => {
    expect([one.part, one.octets.toString()]).toEqual([undefined, text]);
  });

  it('cuts addresses that are longer than SMPP has', () => {
    const one = segment({ source_addr: '1'.repeat(5_000), destination_addr: '2'.repeat(5_000) });
    expect([one.sender, one.recipient]).toEqual(['1'.repeat(21), '2'.repeat(21)]);
  });
});
