import type { CarrierStatus } from '../../messages/routes/carrier.js';
import { decodeText } from './smpp-text.js';
import { esmClassOf } from './smpp-connection.js';
import { numberField, octetsField, type Pdu, textField } from './smpp-pdus.js';

/**
 * How the ids of receipts are written, where submit_sm_resp writes the same number otherwise:
 * `same` but for case and leading zeros, `decimal` of what was hexadecimal, `hex` of what was
 * decimal, or `auto` by trying.
 */
export const idBases = ['auto', 'same', 'decimal', 'hex'] as const;
export type IdBase = (typeof idBases)[number];

/** What a peer reports about one segment that it took. */
export interface SegmentReceipt {
  /** As the peer wrote it. */
  readonly id: string;
  /** `sent` for a state that is not final. */
  readonly status: CarrierStatus;
  /** The peer's own code; null for none. */
  readonly error: string | null;
  /** The phone, as the peer writes numbers. */
  readonly recipient: string;
  /** Our user_message_reference; null where the peer does not return it. */
  readonly reference: number | null;
}

/** esm_class of a receipt and of an intermediate notification: SMPP 3.4, section 5.2.12. */
const TYPE_MASK = 0x3c;
const RECEIPT = 0x04;
const INTERMEDIATE = 0x20;

/** SMPP 3.4, sections 5.2.23 and 5.2.8; longer ones are the work of a peer that we do not keep. */
export const MESSAGE_ID_CHARACTERS_MAX = 65;
const ADDRESS_DIGITS_MAX = 21;

/** message_state: SMPP 3.4, section 5.2.28. Others are not final. */
const statusOfState: Readonly<Record<number, CarrierStatus>> = {
  2: 'delivered',
  3: 'undelivered',
  4: 'undelivered',
  5: 'undelivered',
  8: 'undelivered',
};
/** `stat` of a receipt's text: SMPP 3.4, appendix B. Peers shorten these words in other ways too. */
const statusOfWord: readonly (readonly [RegExp, CarrierStatus])[] = [
  [/^DELIV/i, 'delivered'],
  [/^(EXPIR|DELETE|UNDELIV|REJECT|FAIL)/i, 'undelivered'],
];
/** The fields stand before the text, which a person may have written. */
const TEXT_OCTETS_MAX = 400;

/**
 * Tells a receipt from a message of a person, who may write a text that looks like one: only
 * esm_class or the TLV of the id count.
 */
export function isReceipt(pdu: Pdu): boolean {
  const type = esmClassOf(pdu) & TYPE_MASK;
  return type === RECEIPT || type === INTERMEDIATE || textField(pdu, 'receipted_message_id') !== '';
}

/** Reads a receipt: TLVs first, else its text. Undefined when it names no message. */
export function receiptOf(pdu: Pdu): SegmentReceipt | undefined {
  const payload = octetsField(pdu, 'message_payload');
  const octets = payload.length > 0 ? payload : octetsField(pdu, 'short_message');
  const coding = numberField(pdu, 'data_coding') ?? 0;
  const fields = fieldsOf(decodeText(octets.subarray(0, TEXT_OCTETS_MAX), coding, 0));
  const id = textField(pdu, 'receipted_message_id') || fields.id;
  if (id === undefined || id.length > MESSAGE_ID_CHARACTERS_MAX) return undefined;
  const isFinal = (esmClassOf(pdu) & TYPE_MASK) !== INTERMEDIATE;
  const status = statusOf(numberField(pdu, 'message_state'), fields.stat);
  return {
    id,
    status: isFinal ? status : 'sent',
    error: fields.err === undefined || /^0*$/.test(fields.err) ? null : fields.err,
    recipient: textField(pdu, 'source_addr').slice(-ADDRESS_DIGITS_MAX),
    reference: numberField(pdu, 'user_message_reference') ?? null,
  };
}

function fieldsOf(text: string): { readonly id?: string; readonly stat?: string; readonly err?: string } {
  const head = text.split(/\btext:/i, 1)[0] ?? '';
  const field = (name: string) => new RegExp(`(?:^|\\s)${name}:([^\\s]{1,65})`, 'i').exec(head)?.[1];
  const [id, stat, err] = [field('id'), field('stat'), field('err')];
  return { ...(id && { id }), ...(stat && { stat }), ...(err && { err }) };
}

function statusOf(state: number | undefined, word: string | undefined): CarrierStatus {
  if (state !== undefined) return statusOfState[state] ?? 'sent';
  return statusOfWord.find(([pattern]) => pattern.test(word ?? ''))?.[1] ?? 'sent';
}

/** An id without the differences that are none: case and leading zeros. */
export function plainId(id: string): string {
  return id
    .trim()
    .toLowerCase()
    .replace(/^0+(?=.)/, '');
}

const DIGITS_MAX = 32;

/**
 * Returns what submit_sm_resp may have called the message of a receipt, as {@link plainId}, the
 * likeliest first.
 */
export function submittedIdsOf(id: string, base: IdBase): string[] {
  const plain = plainId(id);
  const asHex = /^\d+$/.test(plain) && plain.length <= DIGITS_MAX ? BigInt(plain).toString(16) : undefined;
  const asDecimal =
    /^[0-9a-f]+$/.test(plain) && plain.length <= DIGITS_MAX ? BigInt(`0x${plain}`).toString() : undefined;
  const ids = { same: [plain], decimal: [asHex], hex: [asDecimal], auto: [plain, asHex, asDecimal] }[base];
  return [...new Set(ids.flatMap((one) => one ?? []))];
}
