import type { CarrierReceipt, CarrierStatus } from '../../messages/routes/carrier.js';
import { type IdBase, plainId, type SegmentReceipt, submittedIdsOf } from './smpp-receipts.js';

/** A message that the peer has taken, or is taking, in one or more segments. */
export interface SubmittedMessage {
  readonly messageId: string;
  readonly accountId: string;
  readonly recipient: string;
  readonly segments: number;
}

/** What is known of a message: its segments that are taken, by id. */
interface Known {
  readonly message: SubmittedMessage;
  readonly carrierId: string;
  readonly states: Map<string, SegmentReceipt | undefined>;
}

interface Bounds {
  /** Segments whose receipts are waited for; the oldest are forgotten first. */
  readonly segmentsMax: number;
  /** Receipts that came before the response to their submit_sm. */
  readonly earlyMax: number;
}

const defaultBounds: Bounds = { segmentsMax: 200_000, earlyMax: 2_000 };
/** Digits at the end by which the phone of a receipt is recognized, however a peer writes numbers. */
const COMPARED_DIGITS = 6;

/**
 * Finds the message of each receipt. A message is final when all its segments are; receipts may come
 * before the response to their submit_sm, more than once, and with ids in another base.
 */
export class SubmittedSegments {
  private readonly bySegment = new Map<string, Known>();
  private readonly byMessage = new Map<string, Known>();
  private readonly early = new Map<string, SegmentReceipt>();

  constructor(
    private readonly carrier: number,
    private readonly idBase: IdBase,
    private readonly bounds: Bounds = defaultBounds,
  ) {}

  /**
   * Notes a segment that the peer has taken. Returns the message's receipt when its segments'
   * receipts, of which some were early, are complete.
   */
  taken(message: SubmittedMessage, segmentId: string): CarrierReceipt | undefined {
    const id = plainId(segmentId);
    const known = this.byMessage.get(message.messageId) ?? { message, carrierId: segmentId, states: new Map() };
    known.states.set(id, known.states.get(id));
    this.byMessage.set(message.messageId, known);
    this.bySegment.set(id, known);
    this.forgetOldest();
    const early = this.takeEarly(id, message);
    return early ? this.apply(known, id, early) : undefined;
  }

  /**
   * Applies a receipt. Returns that of the whole message once it is final; undefined for one that
   * waits for other segments, that repeats what is known, or whose message is not known (yet).
   */
  receipt(receipt: SegmentReceipt): CarrierReceipt | undefined {
    const [plain, ...converted] = submittedIdsOf(receipt.id, this.idBase);
    const isFound = (id: string) => this.bySegment.has(id);
    // An id that was converted may be another message's own, so the phone has to be the same too.
    const isSame = (id: string) =>
      this.bySegment.get(id)?.message.recipient.slice(-COMPARED_DIGITS) === receipt.recipient.slice(-COMPARED_DIGITS);
    const id = plain !== undefined && isFound(plain) ? plain : converted.find(isSame);
    const known = id === undefined ? undefined : this.bySegment.get(id);
    if (known && id !== undefined) return this.apply(known, id, receipt);
    this.keepEarly(receipt);
    return undefined;
  }

  private apply(known: Known, id: string, receipt: SegmentReceipt): CarrierReceipt | undefined {
    if (isFinal(known.states.get(id))) return undefined;
    known.states.set(id, receipt);
    const states = [...known.states.values()];
    if (states.length < known.message.segments || !states.every(isFinal)) return undefined;
    for (const segment of known.states.keys()) this.bySegment.delete(segment);
    this.byMessage.delete(known.message.messageId);
    return {
      carrier: this.carrier,
      messageId: known.message.messageId,
      accountId: known.message.accountId,
      carrierId: known.carrierId,
      status: statusOfAll(states.flatMap((state) => state?.status ?? [])),
      carrierError: null,
    };
  }

  private keepEarly(receipt: SegmentReceipt): void {
    const [oldest] = this.early.keys();
    if (oldest !== undefined && this.early.size >= this.bounds.earlyMax) this.early.delete(oldest);
    const key = plainId(receipt.id);
    if (!isFinal(this.early.get(key))) this.early.set(key, receipt);
  }

  private takeEarly(id: string, { recipient }: SubmittedMessage): SegmentReceipt | undefined {
    const keys = new Set([id, ...inOtherBases(id)]);
    for (const key of keys) {
      const receipt = this.early.get(key);
      if (!receipt || !submittedIdsOf(receipt.id, this.idBase).includes(id)) continue;
      if (key !== id && receipt.recipient.slice(-COMPARED_DIGITS) !== recipient.slice(-COMPARED_DIGITS)) continue;
      this.early.delete(key);
      return receipt;
    }
    return undefined;
  }

  private forgetOldest(): void {
    while (this.bySegment.size > this.bounds.segmentsMax) {
      const [oldest] = this.bySegment;
      if (oldest === undefined) return;
      this.bySegment.delete(oldest[0]);
      this.byMessage.delete(oldest[1].message.messageId);
    }
  }
}

/** What a receipt may call a message whose submit_sm_resp has this id. */
function inOtherBases(id: string): string[] {
  return submittedIdsOf(id, 'auto').map(plainId);
}

function isFinal(receipt: SegmentReceipt | undefined): boolean {
  return receipt !== undefined && receipt.status !== 'sent';
}

/** A message of which the phone lacks a segment is not delivered. */
function statusOfAll(states: readonly CarrierStatus[]): CarrierStatus {
  return states.find((status) => status !== 'delivered') ?? 'delivered';
}
