import fc from 'fast-check';
import { decodePdu, encodePdu, type Pdu, type PduFields } from './smpp-pdus.js';
import { isReceipt, isWorded, plainId, receiptOf, submittedIdsOf } from './smpp-receipts.js';

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
    const addresses = { source_addr: '14155552671', destination_addr: '15005550006' };
    const pdu = deliver({ esm_class: 4, ...addresses, short_message: text(usual) });
    expect(isReceipt(pdu)).toBe(true);
    expect(receiptOf(pdu)).toEqual({
      ids: ['0123456789'],
      status: 'delivered',
      error: null,
      addresses: ['14155552671', '15005550006'],
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
    expect(receiptOf(deliver(fields))).toMatchObject({ ids: ['abc', '0123456789'], status });
  });

  it('returns the peer’s own code and our reference', () => {
    const short_message = text(usual.replace('DELIVRD err:000', 'UNDELIV err:042'));
    const receipt = receiptOf(deliver({ esm_class: 4, short_message, user_message_reference: 513 }));
    expect(receipt).toMatchObject({ error: 42, reference: 513 });
  });

  const be = (words: string) => Buffer.from(words, 'utf16le').swap16();
  const fields = 'submit date:2611261200 done date:2611261201';
  it.each<[string, PduFields, string, string, number | null]>([
    [
      'without sub and dlvrd (jsmpp#62)',
      { short_message: text(`id:15 ${fields} stat:DELIVRD err:000 text:x`) },
      '15',
      'delivered',
      null,
    ],
    [
      'with blanks after colons (php-smpp#29)',
      { short_message: text(`id: 15 sub: 001 ${fields} stat: UNDELIV err: 11`) },
      '15',
      'undelivered',
      11,
    ],
    [
      'with a word of six letters (vumi#897, jasmin#447)',
      { short_message: text(`id:15 ${fields} stat:FAILED err:002 Text:`) },
      '15',
      'undelivered',
      2,
    ],
    [
      'without the name of its state (ksmppd#108)',
      { short_message: text(`id:15 sub:000 dlvrd:000 ${fields} DELIVRD err:000 Text:`) },
      '15',
      'delivered',
      null,
    ],
    [
      'with times of 14 digits and a plus sign (smppex#46)',
      {
        short_message: text(
          'id:rdwj sub:000 dlvrd:000 submit date:180711070003912+ done date:180711070000012+ stat:UNDELIV err:000',
        ),
      },
      'rdwj',
      'undelivered',
      null,
    ],
    [
      'with err beside DELIVRD (jasmin#760)',
      { short_message: text(`id:15 ${fields} stat:DELIVRD err:002`) },
      '15',
      'delivered',
      null,
    ],
    [
      'with err of four digits (php-smpp#70)',
      { short_message: text(`id:15 ${fields} stat:EXPIRED err:0027 text:`) },
      '15',
      'undelivered',
      27,
    ],
    [
      'with err in hexadecimal',
      { short_message: text(`id:15 ${fields} stat:REJECTD err:0x45`) },
      '15',
      'undelivered',
      0x45,
    ],
    [
      'with a state as a number (Yo!, vumi#216)',
      { short_message: text('id:15 sub:1 dlvrd:1 stat:0 err:0 text:') },
      '15',
      'delivered',
      null,
    ],
    ['in lines', { short_message: text(`id:15\nsub:001\n${fields}\nstat:DELIVRD\nerr:000`) }, '15', 'delivered', null],
    [
      'in capitals, with commas',
      { short_message: text('ID:15,SUB:001,STAT:UNDELIV,ERR:006,TEXT:x') },
      '15',
      'undelivered',
      6,
    ],
    [
      'in UCS-2 (vumi#635)',
      { data_coding: 8, short_message: be(`id:15 ${fields} stat:UNDELIV err:001 text:Да`) },
      '15',
      'undelivered',
      1,
    ],
    [
      'in ASCII flagged as UCS-2 (node-smpp#68)',
      { data_coding: 8, short_message: text(`id:15 ${fields} stat:DELIVRD err:000`) },
      '15',
      'delivered',
      null,
    ],
    [
      'behind a header',
      {
        esm_class: 0x44,
        short_message: Buffer.concat([Buffer.from('0500032a0201', 'hex'), text('id:15 stat:DELIVRD')]),
      },
      '15',
      'delivered',
      null,
    ],
    ['in message_payload (JamaaSMPP#27)', { message_payload: text('id:15 stat:DELIVRD') }, '15', 'delivered', null],
    [
      'in TLVs alone, with the network’s code (cloudhopper-smpp#10)',
      { receipted_message_id: '15', message_state: 5, network_error_code: Buffer.from('030802', 'hex') },
      '15',
      'undelivered',
      2050,
    ],
    [
      'with an id of only a TLV',
      { receipted_message_id: '15', short_message: text(`id: sub:001 ${fields} stat:DELIVRD`) },
      '15',
      'delivered',
      null,
    ],
    ...['a1b2_c3d4', 'sms-2@gw', 'ID$77', '{9f1e-22}', 'AB[3]', 'gw1:77', 'SAR-23470-1eedf843-2-1'].map(
      (id): [string, PduFields, string, string, null] => [
        `with the id ${id} (jasmin#535, #916, #418)`,
        { short_message: text(`id:${id} sub:001 dlvrd:001 ${fields} stat:DELIVRD err:000 text:x`) },
        id,
        'delivered',
        null,
      ],
    ),
  ])('reads a receipt %s', (_name, given, id, status, error) => {
    const pdu = deliver({ esm_class: 4, ...given });
    expect(receiptOf(pdu)).toMatchObject({ ids: [id], status, error });
  });

  it.each<[string, PduFields, boolean, boolean]>([
    ['a text of a person', { short_message: text('id:7 is my id') }, false, false],
    ['a text that quotes a receipt', { short_message: text(usual) }, false, true],
    ['a receipt by its TLVs, without a flag', { receipted_message_id: '7', message_state: 2 }, true, false],
    ['a receipt by one TLV and its text', { receipted_message_id: '7', short_message: text(usual) }, true, true],
    [
      'an answer that names the message (section 5.2.12)',
      { esm_class: 0x10, receipted_message_id: '7', short_message: text('STOP') },
      false,
      false,
    ],
  ])('tells by its fields: %s', (_name, given, isFlagged, isLike) => {
    const pdu = deliver(given);
    expect([isReceipt(pdu), isWorded(pdu)]).toEqual([isFlagged, isLike]);
  });

  it('takes an intermediate notification for what it is', () => {
    expect(receiptOf(deliver({ esm_class: 0x20, short_message: text(usual) }))?.status).toBe('sent');
  });

  it('believes no fields that stand in the text of the message', () => {
    const short_message = text('id:7 stat:UNDELIV err:001 text:x stat:DELIVRD id:8');
    expect(receiptOf(deliver({ esm_class: 4, short_message }))).toMatchObject({ ids: ['7'], status: 'undelivered' });
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
        expect(receipt?.ids ?? ['x']).not.toContain('');
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
