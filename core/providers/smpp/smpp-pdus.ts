import smpp from 'smpp';

// The only file of core that knows the package `smpp`: it reads and writes single PDUs. Connections,
// windows and timers are ours.

/** Octets of the largest PDU that is read or written. */
export const PDU_OCTETS_MAX = smpp.PDU.maxLength;
export const PDU_HEADER_OCTETS = 16;

export type PduFields = Readonly<Record<string, string | number | Buffer>>;

/** A PDU; `fields` are its mandatory parameters and TLVs by their names in SMPP 3.4. */
export interface Pdu {
  readonly command: string;
  readonly status: number;
  readonly sequence: number;
  readonly isResponse: boolean;
  readonly fields: Readonly<Record<string, unknown>>;
}

// The package turns texts, times and some TLVs into values of its own, with losses, and throws for
// times that are none. Ours are read and written as they are on the wire.
for (const [name, { id, params }] of Object.entries(smpp.commands))
  smpp.addCommand(name, { ...smpp.commands[name], id, params: withoutFilters(params) });
for (const [name, definition] of Object.entries(smpp.tlvs))
  if (definition.filter !== undefined) smpp.addTLV(name, { ...definition, filter: undefined });

function withoutFilters(params: Readonly<Record<string, object>> = {}): Record<string, object> {
  return Object.fromEntries(Object.entries(params).map(([name, param]) => [name, { ...param, filter: undefined }]));
}

/** Returns the octets of a PDU. A status other than 0 has no fields. */
export function encodePdu(command: string, sequence: number, fields: PduFields = {}, status = 0): Buffer {
  return new smpp.PDU(command, { ...fields, sequence_number: sequence, command_status: status }).toBuffer();
}

/** Reads the octets of one PDU; undefined when its body is not what its header announces. */
export function decodePdu(octets: Buffer): Pdu | undefined {
  try {
    const pdu = new smpp.PDU(octets);
    return {
      command: pdu.command,
      status: pdu.command_status,
      sequence: pdu.sequence_number,
      isResponse: pdu.isResponse(),
      fields: pdu,
    };
  } catch {
    return undefined;
  }
}

/**
 * A text parameter; '' where the PDU has none. The package drops the highest bit of an octet, so
 * that 0x80 becomes NUL, which no database column takes.
 */
export function textField({ fields }: Pdu, name: string): string {
  const value = fields[name];
  return typeof value === 'string' ? value.replaceAll('\0', '\uFFFD') : '';
}

/** A number parameter; undefined where the PDU has none. */
export function numberField({ fields }: Pdu, name: string): number | undefined {
  const value = fields[name];
  return typeof value === 'number' ? value : undefined;
}

/** Octets; none where the PDU has none. */
export function octetsField({ fields }: Pdu, name: string): Buffer {
  const value = fields[name];
  return Buffer.isBuffer(value) ? value : Buffer.alloc(0);
}
