import { esmClassOf, numberField, octetsField, type Pdu, textField, UDH_INDICATOR } from './smpp-pdus.js';

/** A person's message, or a segment of a longer message. Addresses are as the peer writes them. */
export interface ReplySegment {
  readonly sender: string;
  /** Type of number of the sender: SMPP 3.4, section 5.2.5. */
  readonly ton: number;
  readonly recipient: string;
  readonly dataCoding: number;
  readonly octets: Buffer;
  /** Undefined for a whole message. */
  readonly part: ReplyPart | undefined;
}

/** A segment of a long reply; numbers count from 1. */
export interface ReplyPart {
  readonly reference: number;
  readonly number: number;
  readonly total: number;
}

/** Maximum of a short_message, into which a segment fits; longer content is a whole message. */
const SHORT_MESSAGE_OCTETS_MAX = 255;
/** SMPP 3.4, section 5.2.8. */
const ADDRESS_CHARACTERS_MAX = 21;
/** The header has one octet for the total. */
const SEGMENTS_MAX = 255;
/** Information elements of concatenated messages: 3GPP TS 23.040, section 9.2.3.24. */
const REFERENCE_OF_8_BITS = 0x00;
const REFERENCE_OF_16_BITS = 0x08;

/** Reads a deliver_sm of a person. Malformed header octets are left out of the text. */
export function replySegmentOf(pdu: Pdu): ReplySegment {
  const payload = octetsField(pdu, 'message_payload');
  const content = payload.length > 0 ? payload : octetsField(pdu, 'short_message');
  const isFlagged = (esmClassOf(pdu) & UDH_INDICATOR) !== 0 || beginsWithPart(content);
  const header = isFlagged ? content.subarray(0, (content[0] ?? 0) + 1) : undefined;
  const part = header === undefined ? partOfSar(pdu) : partOfHeader(header);
  return {
    sender: textField(pdu, 'source_addr').slice(0, ADDRESS_CHARACTERS_MAX),
    ton: numberField(pdu, 'source_addr_ton') ?? 0,
    recipient: textField(pdu, 'destination_addr').slice(0, ADDRESS_CHARACTERS_MAX),
    dataCoding: numberField(pdu, 'data_coding') ?? 0,
    octets: header === undefined ? content : content.subarray(header.length),
    part: part && content.length <= SHORT_MESSAGE_OCTETS_MAX && isPossible(part) ? part : undefined,
  };
}

/**
 * Returns whether a segment begins with a header without the flag for it; no text begins with these
 * octets.
 */
function beginsWithPart(content: Buffer): boolean {
  const [length, element, size] = content;
  const isKnown =
    (length === 5 && element === REFERENCE_OF_8_BITS && size === 3) ||
    (length === 6 && element === REFERENCE_OF_16_BITS && size === 4);
  const part = isKnown ? partOfHeader(content.subarray(0, length + 1)) : undefined;
  return part !== undefined && isPossible(part);
}

function isPossible({ number, total }: ReplyPart): boolean {
  return total > 1 && total <= SEGMENTS_MAX && number >= 1 && number <= total;
}

function partOfSar(pdu: Pdu): ReplyPart | undefined {
  const reference = numberField(pdu, 'sar_msg_ref_num');
  const total = numberField(pdu, 'sar_total_segments');
  const number = numberField(pdu, 'sar_segment_seqnum');
  if (reference === undefined || total === undefined || number === undefined) return undefined;
  return { reference, total, number };
}

function partOfHeader(header: Buffer): ReplyPart | undefined {
  let at = 1;
  while (at + 2 <= header.length) {
    const [element = 0, length = 0] = [header[at], header[at + 1]];
    const value = header.subarray(at + 2, at + 2 + length);
    const [first = 0, second = 0, third = 0, fourth = 0] = value;
    if (element === REFERENCE_OF_8_BITS && value.length === 3)
      return { reference: first, total: second, number: third };
    if (element === REFERENCE_OF_16_BITS && value.length === 4)
      return { reference: first * 256 + second, total: third, number: fourth };
    at += 2 + length;
  }
  return undefined;
}
