import fc from 'fast-check';
import smpp from 'smpp';
import { decodePdu, encodePdu, numberField, octetsField, textField } from './smpp-pdus.js';

const SUBMIT_SM = 0x00000004;

describe('encodePdu and decodePdu', () => {
  it('keep texts, numbers and octets as they are on the wire', () => {
    const octets = fc.uint8Array({ maxLength: 254 }).map((bytes) => Buffer.from(bytes));
    const ascii = fc.string({ unit: fc.integer({ min: 33, max: 126 }).map((code) => String.fromCharCode(code)) });
    fc.assert(
      fc.property(
        octets,
        octets,
        ascii,
        fc.nat(255),
        fc.integer({ min: 1, max: 0x7fffffff }),
        (text, payload, address, coding, sequence) => {
          const pdu = decodePdu(
            encodePdu('deliver_sm', sequence, {
              source_addr: address,
              data_coding: coding,
              esm_class: 0x40,
              short_message: text,
              message_payload: payload,
              validity_period: address,
              sar_msg_ref_num: coding,
            }),
          );
          expect(pdu).toMatchObject({ command: 'deliver_sm', sequence, status: 0, isResponse: false });
          if (!pdu) return;
          expect([textField(pdu, 'source_addr'), textField(pdu, 'validity_period')]).toEqual([address, address]);
          expect([numberField(pdu, 'data_coding'), numberField(pdu, 'sar_msg_ref_num')]).toEqual([coding, coding]);
          expect(octetsField(pdu, 'short_message')).toEqual(text);
          expect(octetsField(pdu, 'message_payload')).toEqual(payload);
        },
      ),
    );
  });

  it('write what the package writes', () => {
    const octets = fc.uint8Array({ maxLength: 254 }).map((bytes) => Buffer.from(bytes));
    const ascii = fc.string({ unit: fc.integer({ min: 33, max: 126 }).map((code) => String.fromCharCode(code)) });
    const fields = fc.record(
      {
        source_addr: ascii,
        destination_addr: ascii,
        source_addr_ton: fc.nat(255),
        data_coding: fc.nat(255),
        esm_class: fc.nat(255),
        short_message: octets,
        validity_period: ascii,
        message_payload: octets,
        user_message_reference: fc.nat(65_535),
        receipted_message_id: ascii,
        message_state: fc.nat(255),
      },
      { requiredKeys: [] },
    );
    const commands = fc.constantFrom('submit_sm', 'deliver_sm', 'submit_sm_resp', 'enquire_link', 'bind_transceiver');
    fc.assert(
      fc.property(commands, fields, fc.integer({ min: 1, max: 0x7fffffff }), (command, given, sequence) => {
        // Each field is a parameter of the command, or a parameter that any command may have.
        const names = Object.keys(smpp.commands[command]?.params ?? {});
        const own = Object.fromEntries(
          Object.entries(given).filter(([name]) => names.includes(name) || name in smpp.tlvs),
        );
        const theirs = new smpp.PDU(command, { ...own, sequence_number: sequence }).toBuffer();
        expect(encodePdu(command, sequence, own).toString('hex')).toBe(theirs.toString('hex'));
      }),
    );
  });

  it('refuse a command and a parameter that SMPP does not have', () => {
    expect(() => encodePdu('submit_mms', 1)).toThrow('no command submit_mms');
    expect(() => encodePdu('submit_sm', 1, { colour: 1 })).toThrow('no parameter colour');
  });

  it('read any octets as a PDU or as none', () => {
    const commands = fc.constantFrom(SUBMIT_SM, 5, 0x80000004, 0x103, 0x15, 0x21, 0x80000000, 0x7777);
    fc.assert(
      fc.property(commands, fc.uint8Array({ maxLength: 200 }), (command, body) => {
        const octets = Buffer.concat([Buffer.alloc(16), Buffer.from(body)]);
        octets.writeUInt32BE(octets.length, 0);
        octets.writeUInt32BE(command, 4);
        octets.writeUInt32BE(7, 12);
        expect(decodePdu(octets)?.sequence ?? 7).toBe(7);
      }),
      { numRuns: 1_000 },
    );
  });

  it('have no NUL in a text, whatever octets it has', () => {
    const octets = encodePdu('deliver_sm', 3, { source_addr: '1x4', receipted_message_id: 'ax' });
    for (const at of octets.keys()) if (octets[at] === 'x'.charCodeAt(0)) octets[at] = 0x80;
    const pdu = decodePdu(octets);
    expect(pdu && [textField(pdu, 'source_addr'), textField(pdu, 'receipted_message_id')]).toEqual([
      '1\uFFFD4',
      'a\uFFFD',
    ]);
  });

  const deliver = (...tlvs: string[]) => {
    const whole = encodePdu('deliver_sm', 3, { source_addr: '14155552671', short_message: Buffer.from('STOP') });
    const octets = Buffer.concat([whole, ...tlvs.map((hex) => Buffer.from(hex, 'hex'))]);
    octets.writeUInt32BE(octets.length, 0);
    return decodePdu(octets);
  };

  it.each([
    // The issue trackers have the octets; the octets of opentelecoms-org/jsmpp#214 are cut short.
    ['a number that is cut short (jsmpp#214)', ['0204000201'], { user_message_reference: undefined }],
    ['a parameter without its value', ['0427000102', '1501'], { message_state: 2 }],
    ['a single NUL at the end (praekelt/python-smpp#7)', ['00'], {}],
    ['a number in one octet of two (praekelt/python-smpp#5)', ['0204000107'], { user_message_reference: 7 }],
    ['a state in four octets of one', ['0427000400000002'], { message_state: 2 }],
    [
      'an id without its NUL, before another parameter',
      ['001e0003616231', '0427000102'],
      { receipted_message_id: 'ab1', message_state: 2 },
    ],
    ['an id whose NUL is counted and missing', ['001e0004616231'], { receipted_message_id: 'ab1' }],
    ['an id that is cut short', ['001e0006616231'], { receipted_message_id: undefined }],
    ['octets that are cut short', ['04240005414243'], { message_payload: Buffer.from('ABC') }],
    ['an unknown parameter before (jsmpp#16)', ['150100027676', '0427000105'], { message_state: 5 }],
  ])('read a message with %s', (_name, tlvs, fields) => {
    const pdu = deliver(...tlvs);
    expect(pdu && octetsField(pdu, 'short_message').toString()).toBe('STOP');
    for (const [name, value] of Object.entries(fields)) expect(pdu?.fields[name]).toEqual(value);
  });

  it.each([
    ['no body (praekeltfoundation/vumi#804)', ''],
    ['an id (funbox/smppex#6)', '3041303000'],
    ['half an id', '3041'],
    ['an id and a parameter (node-smpp#65)', '00001d000362616400'],
    ['a parameter that is cut short', '001d00ff6261'],
  ])('read a refusal with %s by its header', (_name, hex) => {
    const octets = Buffer.concat([Buffer.alloc(16), Buffer.from(hex, 'hex')]);
    [octets.length, 0x80000004, 0x0b, 9].forEach((value, at) => octets.writeUInt32BE(value, 4 * at));
    expect(decodePdu(octets)).toMatchObject({ command: 'submit_sm_resp', status: 0x0b, sequence: 9, isResponse: true });
  });

  it('write a response with a status as a header alone', () => {
    expect(encodePdu('submit_sm_resp', 9, {}, 0x58).toString('hex')).toBe('00000010800000040000005800000009');
  });
});
