import type { CarrierStatus } from '../../carriers/carrier.js';
import { storableCode } from '../../rules/carrier-code.js';
import { esmClassOf, numberField, octetsField, type Pdu, textField, UDH_INDICATOR } from './smpp-pdus.js';

/**
 * Number base in which a peer writes ids in receipts, where submit_sm_resp writes the same number
 * otherwise: `same` but for case and leading zeros, `decimal` of a hexadecimal id, `hex` of a
 * decimal id, or `auto` by trying.
 */
export const idBases = ['auto', 'same', 'decimal', 'hex'] as const;
export type IdBase = (typeof idBases)[number];

/** A peer's report about one segment that it took. */
export interface SegmentReceipt {
  /** Ids as the peer wrote them: the TLV's id, then the text's id if it differs. */
  readonly ids: readonly [string, ...string[]];
  /** `sent` for a state that is not final. */
  readonly status: CarrierStatus;
  /** The peer's own code of a failed delivery; null without a code. */
  readonly error: number | null;
  /** The phone and our sender, as the peer writes them: some peers name the phone second. */
  readonly addresses: readonly string[];
  /** Our user_message_reference; null if the peer does not return it. */
  readonly reference: number | null;
}

/** esm_class of a receipt and of an intermediate notification: SMPP 3.4, section 5.2.12. */
const TYPE_MASK = 0x3c;
const RECEIPT = 0x04;
const INTERMEDIATE = 0x20;

/**
 * SMPP 3.4, sections 5.2.23 and 5.2.8; longer ids come from a misbehaving peer and are not kept.
 */
export const MESSAGE_ID_CHARACTERS_MAX = 65;
const ADDRESS_CHARACTERS_MAX = 21;

/** Final states of message_state: SMPP 3.4, section 5.2.28. */
const statusOfState: Readonly<Record<number, CarrierStatus>> = {
  2: 'delivered',
  3: 'undelivered',
  4: 'undelivered',
  5: 'undelivered',
  8: 'undelivered',
};
/**
 * `stat` of a receipt's text: SMPP 3.4, appendix B. Peers shorten these words in other ways too;
 * Yo! in Uganda writes 0 (praekeltfoundation/vumi, `delivery_report_status_mapping`).
 */
const statusOfWord: readonly (readonly [RegExp, CarrierStatus])[] = [
  [/^(DELIV|0+$)/i, 'delivered'],
  [/^(EXPIR|DELETE|UNDELIV|REJECT|FAIL)/i, 'undelivered'],
];
/** The fields stand before the text, which a person may have written. */
const TEXT_OCTETS_MAX = 400;
const ANY_FIELD = '(?:sub|dlvrd|submit date|done date|stat|err|text):';
const idField = new RegExp(`(?:^|[^a-z0-9])id:\\s*(?!${ANY_FIELD})(\\S{1,65}?)(?=\\s|$|[,;]\\s*${ANY_FIELD})`, 'i');
/** At least one peer leaves out the name of the field (kneodev/ksmppd#108). */
const statField = /(?:\bstat:\s*|\bdone date:\s*\S+\s+)([a-z]+|\d+)(?![^\s,;])/i;
const errField = /\berr:\s*((?:0x)?[0-9a-f]{1,8})(?![^\s,;])/i;

/**
 * Tells a receipt from a message of a person, whose text may look like a receipt: only esm_class
 * counts, or the TLV of the id if the message has no text written by a person.
 */
export function isReceipt(pdu: Pdu): boolean {
  const type = esmClassOf(pdu) & TYPE_MASK;
  if (type === RECEIPT || type === INTERMEDIATE) return true;
  if (textField(pdu, 'receipted_message_id') === '') return false;
  return numberField(pdu, 'message_state') !== undefined || isWorded(pdu) || textOf(pdu) === '';
}

/**
 * Returns whether a message reads like a receipt though it is flagged as a person's message. It is
 * a receipt if it names a message of ours to that very phone.
 */
export function isWorded(pdu: Pdu): boolean {
  const { id, stat } = fieldsOf(textOf(pdu));
  return id !== undefined && stat !== undefined;
}

/** Reads a receipt: TLVs first, then its text. Undefined when it names no message. */
export function receiptOf(pdu: Pdu): SegmentReceipt | undefined {
  const fields = fieldsOf(textOf(pdu));
  const named = [textField(pdu, 'receipted_message_id').trim(), fields.id ?? ''];
  const [id, ...others] = new Set(named.filter((one) => one !== '' && one.length <= MESSAGE_ID_CHARACTERS_MAX));
  if (id === undefined) return undefined;
  const isFinal = (esmClassOf(pdu) & TYPE_MASK) !== INTERMEDIATE;
  const status = isFinal ? statusOf(numberField(pdu, 'message_state'), fields.stat) : 'sent';
  const addresses = [textField(pdu, 'source_addr'), textField(pdu, 'destination_addr')];
  return {
    ids: [id, ...others],
    status,
    error: status === 'undelivered' ? errorOf(pdu, fields.err) : null,
    addresses: addresses.map((one) => one.slice(0, ADDRESS_CHARACTERS_MAX)),
    reference: numberField(pdu, 'user_message_reference') ?? null,
  };
}

/**
 * The fields are ASCII, whatever the data_coding: peers flag receipts with the message's
 * data_coding (farhadi/node-smpp#68), and ids have characters that the GSM alphabet has elsewhere
 * (jookies/jasmin#535). Some peers write UCS-2 (praekeltfoundation/vumi#635), whose other octets
 * are 0.
 */
function textOf(pdu: Pdu): string {
  const payload = octetsField(pdu, 'message_payload');
  const octets = payload.length > 0 ? payload : octetsField(pdu, 'short_message');
  const start = (esmClassOf(pdu) & UDH_INDICATOR) === 0 ? 0 : (octets[0] ?? 0) + 1;
  return octets.toString('latin1', start, start + TEXT_OCTETS_MAX).replaceAll('\0', '');
}

function fieldsOf(text: string): { readonly id?: string; readonly stat?: string; readonly err?: string } {
  const head = text.split(/\btext:/i, 1)[0] ?? '';
  const [id, stat, err] = [idField, statField, errField].map((field) => field.exec(head)?.[1]);
  return { ...(id && { id }), ...(stat && { stat }), ...(err && { err }) };
}

/**
 * Returns `err` of the text in either base, otherwise the code of network_error_code: SMPP 3.4,
 * section 5.3.2.31.
 */
function errorOf(pdu: Pdu, err: string | undefined): number | null {
  const network = octetsField(pdu, 'network_error_code');
  const written = err === undefined ? 0 : parseInt(err, /^\d+$/.test(err) ? 10 : 16);
  return storableCode(written || (network.length === 3 ? network.readUInt16BE(1) : 0));
}

function statusOf(state: number | undefined, word: string | undefined): CarrierStatus {
  if (state !== undefined) return statusOfState[state] ?? 'sent';
  return statusOfWord.find(([pattern]) => pattern.test(word ?? ''))?.[1] ?? 'sent';
}

/** Normalizes an id: differences in case and leading zeros do not count. */
export function plainId(id: string): string {
  return id
    .trim()
    .toLowerCase()
    .replace(/^0+(?=.)/, '');
}

const DIGITS_MAX = 32;

/**
 * Returns the ids by which submit_sm_resp may have called the message of a receipt, as
 * {@link plainId}, the likeliest first.
 */
export function submittedIdsOf(id: string, base: IdBase): string[] {
  const plain = plainId(id);
  const asHex = /^\d+$/.test(plain) && plain.length <= DIGITS_MAX ? BigInt(plain).toString(16) : undefined;
  const asDecimal =
    /^[0-9a-f]+$/.test(plain) && plain.length <= DIGITS_MAX ? BigInt(`0x${plain}`).toString() : undefined;
  const ids = { same: [plain], decimal: [asHex], hex: [asDecimal], auto: [plain, asHex, asDecimal] }[base];
  return [...new Set(ids.flatMap((one) => one ?? []))];
}
