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
        // Each field is a parameter of the command, or one that any command may have.
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

  it('write a response with a status as a header alone', () => {
    expect(encodePdu('submit_sm_resp', 9, {}, 0x58).toString('hex')).toBe('00000010800000040000005800000009');
  });
});
