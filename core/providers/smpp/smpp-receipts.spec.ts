import fc from 'fast-check';
import { decodePdu, encodePdu, type Pdu, type PduFields } from './smpp-pdus.js';
import { isReceipt, plainId, receiptOf, submittedIdsOf } from './smpp-receipts.js';

function deliver(fields: PduFields): Pdu {
  const pdu = decodePdu(encodePdu('deliver_sm', 1, fields));
  if (!pdu) throw new Error('Not a PDU');
  return pdu;
}
const text = (words: string) => Buffer.from(words, 'latin1');
const usual =
  'id:0123456789 sub:001 dlvrd:001 submit date:2611261200 done date:2611261201 stat:DELIVRD err:000 text:Hello';

describe('receiptOf', () => {
  it('reads the text form of appendix B', () => {
    const pdu = deliver({ esm_class: 4, source_addr: '14155552671', short_message: text(usual) });
    expect(isReceipt(pdu)).toBe(true);
    expect(receiptOf(pdu)).toEqual({
      id: '0123456789',
      status: 'delivered',
      error: null,
      recipient: '14155552671',
      reference: null,
    });
  });

  it.each([
    ['DELIVRD', 'delivered'],
    ['EXPIRED', 'undelivered'],
    ['DELETED', 'undelivered'],
    ['UNDELIV', 'undelivered'],
    ['REJECTD', 'undelivered'],
    ['ACCEPTD', 'sent'],
    ['ENROUTE', 'sent'],
    ['UNKNOWN', 'sent'],
    ['BOGUS', 'sent'],
  ])('reads the state %s as %s', (word, status) => {
    const short_message = text(usual.replace('DELIVRD', word));
    expect(receiptOf(deliver({ esm_class: 4, short_message }))?.status).toBe(status);
  });

  it.each([
    [2, 'delivered'],
    [3, 'undelivered'],
    [5, 'undelivered'],
    [8, 'undelivered'],
    [1, 'sent'],
    [6, 'sent'],
    [7, 'sent'],
    [99, 'sent'],
  ])('takes the TLVs before the text: state %i is %s', (message_state, status) => {
    const fields = { esm_class: 4, short_message: text(usual), receipted_message_id: 'abc', message_state };
    expect(receiptOf(deliver(fields))).toMatchObject({ id: 'abc', status });
  });

  it('returns the peer’s own code and our reference', () => {
    const short_message = text(usual.replace('err:000', 'err:042'));
    const receipt = receiptOf(deliver({ esm_class: 4, short_message, user_message_reference: 513 }));
    expect(receipt).toMatchObject({ error: '042', reference: 513 });
  });

  it('takes an intermediate notification for what it is', () => {
    expect(receiptOf(deliver({ esm_class: 0x20, short_message: text(usual) }))?.status).toBe('sent');
  });

  it('believes no fields that stand in the text of the message', () => {
    const short_message = text('id:7 stat:UNDELIV err:001 text:x stat:DELIVRD id:8');
    expect(receiptOf(deliver({ esm_class: 4, short_message }))).toMatchObject({ id: '7', status: 'undelivered' });
    expect(isReceipt(deliver({ esm_class: 0, short_message }))).toBe(false);
  });

  it('returns undefined for a receipt that names no message', () => {
    expect(receiptOf(deliver({ esm_class: 4, short_message: text('stat:DELIVRD') }))).toBeUndefined();
    expect(receiptOf(deliver({ esm_class: 4, receipted_message_id: '1'.repeat(66) }))).toBeUndefined();
  });

  it('reads any text of any coding', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 254 }), fc.nat(255), (octets, data_coding) => {
        const receipt = receiptOf(deliver({ esm_class: 4, data_coding, short_message: Buffer.from(octets) }));
        expect(receipt?.id ?? 'x').not.toBe('');
      }),
    );
  });
});

describe('submittedIdsOf', () => {
  const ids = fc.bigInt({ min: 1n, max: 2n ** 63n });
  const padded = (id: string, zeros: number) => '0'.repeat(zeros) + id;

  it('finds the id of submit_sm_resp in every base, with zeros in front or without', () => {
    fc.assert(
      fc.property(ids, fc.nat(5), fc.nat(5), fc.boolean(), (id, before, after, isUpper) => {
        const hex = isUpper ? id.toString(16).toUpperCase() : id.toString(16);
        const forms = [
          ['same', hex, hex],
          ['decimal', hex, id.toString()],
          ['hex', id.toString(), hex],
        ] as const;
        for (const [base, submitted, receipted] of forms)
          for (const by of [base, 'auto'] as const)
            expect(submittedIdsOf(padded(receipted, after), by)).toContain(plainId(padded(submitted, before)));
      }),
    );
  });

  it.each([
    ['10', 'same', ['10']],
    ['10', 'decimal', ['a']],
    ['10', 'hex', ['16']],
    ['10', 'auto', ['10', 'a', '16']],
    ['ff', 'decimal', []],
    ['0190f0aa-1234', 'auto', ['190f0aa-1234']],
    ['9'.repeat(65), 'auto', ['9'.repeat(65)]],
    ['0', 'auto', ['0']],
  ] as const)('tries for %s under %s %j', (id, base, expected) => {
    expect(submittedIdsOf(id, base)).toEqual(expected);
  });
});
