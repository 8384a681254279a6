import smpp, { type Value, type WireType } from 'smpp';

// The only file of core that knows the package `smpp`: it reads and writes single PDUs.
// Connections, windows and timers are ours.

/** Octets of the largest PDU that is read or written. */
export const PDU_OCTETS_MAX = smpp.PDU.maxLength;
export const PDU_HEADER_OCTETS = 16;
const TLV_HEADER_OCTETS = 4;

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
// invalid times. Here they are read and written as they are on the wire.
for (const [name, { id, params }] of Object.entries(smpp.commands))
  smpp.addCommand(name, { ...smpp.commands[name], id, params: withoutFilters(params) });
for (const [name, definition] of Object.entries(smpp.tlvs))
  if (definition.filter !== undefined) smpp.addTLV(name, { ...definition, filter: undefined });

function withoutFilters(params: Readonly<Record<string, object>> = {}): Record<string, object> {
  return Object.fromEntries(Object.entries(params).map(([name, param]) => [name, { ...param, filter: undefined }]));
}

/** The mandatory parameters of a command, in their order. */
interface Layout {
  readonly id: number;
  readonly params: readonly { readonly name: string; readonly type: WireType; readonly usual: Value }[];
  readonly names: ReadonlySet<string>;
}

const layouts = new Map<string, Layout>();
const commandOf = new Map(Object.entries(smpp.commands).map(([name, { id }]) => [id, name]));
const tlvNameOf = new Map(Object.entries(smpp.tlvs).map(([name, { id }]) => [id, name]));
const RESPONSE_BIT = 0x80000000;
/** Some centers write numbers in more or fewer octets than the specification. */
const NUMBER_OCTETS_MAX = 4;

/** Throws for a command that SMPP does not have. */
function layoutOf(command: string): Layout {
  const known = layouts.get(command);
  if (known) return known;
  const definition = smpp.commands[command];
  if (!definition) throw new Error(`There is no command ${command}`);
  const { id, params = {} } = definition;
  const layout = {
    id,
    params: Object.entries(params).map(([name, { type, default: usual = type.default }]) => ({ name, type, usual })),
    names: new Set(Object.keys(params)),
  };
  layouts.set(command, layout);
  return layout;
}

/**
 * Returns the octets of a PDU. A status other than 0 has no fields. Uses the types of the package,
 * whose own encoder takes five times as long.
 */
export function encodePdu(command: string, sequence: number, fields: PduFields = {}, status = 0): Buffer {
  const { id, params, names } = layoutOf(command);
  const written = status === 0 ? params : [];
  const tlvs = status === 0 ? Object.keys(fields).filter((name) => !names.has(name)) : [];
  let length = PDU_HEADER_OCTETS;
  for (const { name, type, usual } of written) length += type.size(fields[name] ?? usual);
  for (const name of tlvs) length += TLV_HEADER_OCTETS + sizeOf(name, fields);
  const octets = Buffer.alloc(length);
  octets.writeUInt32BE(length, 0);
  octets.writeUInt32BE(id, 4);
  octets.writeUInt32BE(status, 8);
  octets.writeUInt32BE(sequence, 12);
  let at = PDU_HEADER_OCTETS;
  for (const { name, type, usual } of written) {
    const value = fields[name] ?? usual;
    type.write(value, octets, at);
    at += type.size(value);
  }
  for (const name of tlvs) at = writeTlv(name, fields, octets, at);
  return octets;
}

function tlvOf(name: string): { readonly id: number; readonly type: WireType } {
  const tlv = smpp.tlvs[name];
  if (!tlv) throw new Error(`There is no parameter ${name}`);
  return tlv;
}

function sizeOf(name: string, fields: PduFields): number {
  return tlvOf(name).type.size(fields[name] ?? '');
}

/** Returns the position of the next parameter. */
function writeTlv(name: string, fields: PduFields, octets: Buffer, at: number): number {
  const { id, type } = tlvOf(name);
  const size = sizeOf(name, fields);
  octets.writeUInt16BE(id, at);
  octets.writeUInt16BE(size, at + 2);
  type.write(fields[name] ?? '', octets, at + TLV_HEADER_OCTETS);
  return at + TLV_HEADER_OCTETS + size;
}

/**
 * Reads the octets of one PDU; undefined when its mandatory parameters differ from what its header
 * announces. Centers write optional parameters in many ways: a parameter that is cut short at the
 * end does not affect the others, and a response counts by its header, whatever follows it.
 */
export function decodePdu(octets: Buffer): Pdu | undefined {
  if (octets.length < PDU_HEADER_OCTETS) return undefined;
  const id = octets.readUInt32BE(4);
  const command = commandOf.get(id);
  const isResponse = id >= RESPONSE_BIT;
  const pdu = { command: command ?? 'unknown', status: octets.readUInt32BE(8), sequence: octets.readUInt32BE(12) };
  const fields: Record<string, unknown> = {};
  try {
    if (command !== undefined) readTlvs(octets, readParams(command, octets, fields), fields);
  } catch {
    if (!isResponse) return undefined;
  }
  return { ...pdu, isResponse, fields };
}

/** Returns the position of the optional parameters. */
function readParams(command: string, octets: Buffer, fields: Record<string, unknown>): number {
  let at = PDU_HEADER_OCTETS;
  for (const { name, type } of layoutOf(command).params) {
    if (at >= octets.length) break;
    const value = type.read(octets, at);
    fields[name] = value;
    at += type.size(value);
  }
  return at;
}

/** The package reads a text to the next NUL, also into the parameter behind it. */
function readTlvs(octets: Buffer, start: number, fields: Record<string, unknown>): void {
  for (let at = start; at + TLV_HEADER_OCTETS <= octets.length;) {
    const length = octets.readUInt16BE(at + 2);
    const begin = at + TLV_HEADER_OCTETS;
    const name = tlvNameOf.get(octets.readUInt16BE(at));
    at = begin + length;
    if (name === undefined || length === 0) continue;
    const value = tlvValue(tlvOf(name).type.default, octets.subarray(begin, at), length);
    if (value !== undefined) fields[name] = value;
  }
}

/**
 * Reads a parameter that may be cut short: octets are kept, a text may lack its NUL, and a number
 * is dropped.
 */
function tlvValue(usual: unknown, octets: Buffer, length: number): Value | undefined {
  const missing = length - octets.length;
  if (typeof usual === 'number')
    return missing === 0 && length <= NUMBER_OCTETS_MAX ? octets.readUIntBE(0, length) : undefined;
  if (typeof usual !== 'string') return octets;
  const end = octets.indexOf(0);
  return missing <= 1 ? octets.toString('ascii', 0, end < 0 ? octets.length : end) : undefined;
}

/**
 * Returns a text parameter; '' if it is missing. The package drops the highest bit of an octet, so
 * 0x80 becomes NUL, which no database column takes.
 */
export function textField({ fields }: Pdu, name: string): string {
  const value = fields[name];
  return typeof value === 'string' ? value.replaceAll('\0', '\uFFFD') : '';
}

/** Returns a number parameter; undefined if it is missing. */
export function numberField({ fields }: Pdu, name: string): number | undefined {
  const value = fields[name];
  return typeof value === 'number' ? value : undefined;
}

/** Returns octets; empty if the PDU has none. */
export function octetsField({ fields }: Pdu, name: string): Buffer {
  const value = fields[name];
  return Buffer.isBuffer(value) ? value : Buffer.alloc(0);
}

/** Flag of esm_class for a text that begins with a header: SMPP 3.4, section 5.2.12. */
export const UDH_INDICATOR = 0x40;

/** Returns esm_class of a message of the peer; 0 if it is missing. */
export const esmClassOf = (pdu: Pdu): number => numberField(pdu, 'esm_class') ?? 0;

/** Types of numbers: SMPP 3.4, section 5.2.5. */
export const TON = { international: 1, national: 2, network: 3, alphanumeric: 5 } as const;
