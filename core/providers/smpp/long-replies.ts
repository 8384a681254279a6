import { esmClassOf } from './smpp-connection.js';
import { numberField, octetsField, type Pdu, textField } from './smpp-pdus.js';

/** One message of a person, perhaps a segment of a longer one. */
export interface ReplySegment {
  readonly sender: string;
  readonly recipient: string;
  readonly dataCoding: number;
  readonly octets: Buffer;
  /** Undefined for a whole message. */
  readonly part: { readonly reference: number; readonly number: number; readonly total: number } | undefined;
}

/** A message of a person whose segments are together. */
export interface WholeReply {
  readonly sender: string;
  readonly recipient: string;
  readonly dataCoding: number;
  readonly octets: Buffer;
  readonly segments: number;
}

const UDH_INDICATOR = 0x40;
/** A segment fits into a short_message; what does not is a whole message. */
const SHORT_MESSAGE_OCTETS_MAX = 255;
/** Information elements of concatenated messages: 3GPP TS 23.040, section 9.2.3.24. */
const REFERENCE_OF_8_BITS = 0x00;
const REFERENCE_OF_16_BITS = 0x08;

/** Reads a deliver_sm of a person. Header octets that make no sense are left out of the text. */
export function replySegmentOf(pdu: Pdu): ReplySegment {
  const payload = octetsField(pdu, 'message_payload');
  const content = payload.length > 0 ? payload : octetsField(pdu, 'short_message');
  const header = (esmClassOf(pdu) & UDH_INDICATOR) === 0 ? undefined : content.subarray(0, (content[0] ?? 0) + 1);
  const part = header === undefined ? partOfSar(pdu) : partOfHeader(header);
  return {
    sender: textField(pdu, 'source_addr'),
    recipient: textField(pdu, 'destination_addr'),
    dataCoding: numberField(pdu, 'data_coding') ?? 0,
    octets: header === undefined ? content : content.subarray(header.length),
    part:
      part &&
      content.length <= SHORT_MESSAGE_OCTETS_MAX &&
      part.total > 1 &&
      part.number >= 1 &&
      part.number <= part.total
        ? part
        : undefined,
  };
}

function partOfSar(pdu: Pdu): ReplySegment['part'] {
  const reference = numberField(pdu, 'sar_msg_ref_num');
  const total = numberField(pdu, 'sar_total_segments');
  const number = numberField(pdu, 'sar_segment_seqnum');
  if (reference === undefined || total === undefined || number === undefined) return undefined;
  return { reference, total, number };
}

function partOfHeader(header: Buffer): ReplySegment['part'] {
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

interface Incomplete {
  readonly first: ReplySegment;
  readonly total: number;
  readonly parts: Map<number, Buffer>;
  readonly timer: NodeJS.Timeout;
}

interface Bounds {
  /** Long messages whose segments are waited for. */
  readonly messagesMax: number;
  /** For the segments after the first one. */
  readonly withinMs: number;
}

const defaultBounds: Bounds = { messagesMax: 500, withinMs: 5 * 60_000 };

/**
 * Puts the segments of long replies together. What is not complete in time, or is too much to keep,
 * is handed over as it is, because the peer sends no segment again.
 */
export class LongReplies {
  private readonly incomplete = new Map<string, Incomplete>();

  constructor(
    /** Receives the messages of which segments are missing. */
    private readonly give: (reply: WholeReply) => void,
    private readonly bounds: Bounds = defaultBounds,
  ) {}

  /** Returns the whole message; undefined while segments are missing. */
  add(segment: ReplySegment): WholeReply | undefined {
    const { sender, recipient, part } = segment;
    if (part === undefined) return { ...segment, segments: 1 };
    const key = JSON.stringify([sender, recipient, part.reference, part.total]);
    const known = this.incomplete.get(key) ?? this.begin(key, segment, part.total);
    // A copy, so that the buffer of the socket is not kept.
    known.parts.set(part.number, Buffer.from(segment.octets));
    if (known.parts.size < part.total) return undefined;
    this.end(key, known);
    return wholeOf(known);
  }

  /** Hands over what is there. */
  close(): void {
    for (const key of this.incomplete.keys()) this.giveUp(key);
  }

  private begin(key: string, first: ReplySegment, total: number): Incomplete {
    const [oldest] = this.incomplete.keys();
    if (oldest !== undefined && this.incomplete.size >= this.bounds.messagesMax) this.giveUp(oldest);
    const timer = setTimeout(() => this.giveUp(key), this.bounds.withinMs);
    const known = { first, total, parts: new Map<number, Buffer>(), timer };
    this.incomplete.set(key, known);
    return known;
  }

  private giveUp(key: string): void {
    const known = this.incomplete.get(key);
    if (!known) return;
    this.end(key, known);
    this.give(wholeOf(known));
  }

  private end(key: string, { timer }: Incomplete): void {
    clearTimeout(timer);
    this.incomplete.delete(key);
  }
}

/** Joins octets, because a character may lie across two segments. */
function wholeOf({ first, parts }: Incomplete): WholeReply {
  const { sender, recipient, dataCoding } = first;
  const octets = Buffer.concat([...parts].sort(([one], [other]) => one - other).map(([, part]) => part));
  return { sender, recipient, dataCoding, octets, segments: parts.size };
}
