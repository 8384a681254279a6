import type { CarrierRecord } from '../../carriers/carrier.js';
import { compareCarriedText } from './carried-text.js';

/** The clocks of carrier and Postgres may differ by this much. */
const CLOCK_SKEW_MS = 60_000;

/** A message that the carrier may have taken. */
export interface UnsettledMessage {
  readonly id: string;
  readonly sender: string;
  /** The text as it was sent. */
  readonly text: string;
  /** Number of its files. */
  readonly files: number;
  readonly waitsSince: Date;
  readonly claimedAt: Date;
  /** The number of its last claim. */
  readonly attempts: number;
}

/** Returns the earliest time of a record of this message, which an earlier claim may have left. */
export function recordsSince({
  attempts,
  claimedAt,
  waitsSince,
}: Omit<UnsettledMessage, 'id' | 'sender' | 'text' | 'files'>): Date {
  return new Date((attempts > 1 ? waitsSince : claimedAt).getTime() - CLOCK_SKEW_MS);
}

/**
 * Whether a record may belong to a message: it names the message, or it names none and has the same
 * sender, a time after the hand-over, a text equal up to the carrier's changes unless it is a call, and as
 * many files, or none until the carrier has fetched them.
 */
export function canMatch(message: UnsettledMessage, record: CarrierRecord): boolean {
  return rankOf(message, record) !== undefined;
}

/**
 * Assigns records to messages, at most one to each: equal texts and files before altered texts and
 * unfetched files, then the pairs closest in time. The result does not depend on the order of the
 * arguments.
 */
export function matchRecords(
  messages: readonly UnsettledMessage[],
  records: readonly CarrierRecord[],
): Map<string, CarrierRecord> {
  const pairs = messages.flatMap((message) =>
    records.flatMap((record) => {
      const rank = rankOf(message, record);
      if (rank === undefined) return [];
      return [{ message, record, rank, apartMs: Math.abs(record.createdAt.getTime() - message.claimedAt.getTime()) }];
    }),
  );
  pairs.sort(
    (a, b) =>
      a.rank - b.rank ||
      a.apartMs - b.apartMs ||
      compare(a.message.id, b.message.id) ||
      compare(a.record.carrierId, b.record.carrierId),
  );
  const assigned = new Map<string, CarrierRecord>();
  const taken = new Set<string>();
  for (const { message, record } of pairs) {
    if (assigned.has(message.id) || taken.has(record.carrierId)) continue;
    assigned.set(message.id, record);
    taken.add(record.carrierId);
  }
  return assigned;
}

/**
 * Returns a rank, smaller is more certain; undefined when the record is another message's. The
 * number that a messaging service chose may be known already.
 */
function rankOf(message: UnsettledMessage, record: CarrierRecord): number | undefined {
  const { messageId, sender, chosenNumber, createdAt, body, isTextless = false, files = message.files } = record;
  if (messageId !== undefined) return messageId === message.id ? 0 : undefined;
  if (body === null && !isTextless) return undefined;
  if (message.sender !== sender && message.sender !== chosenNumber) return undefined;
  if (createdAt < recordsSince(message)) return undefined;
  if (files !== message.files && files !== 0) return undefined;
  if (body === null) return 1;
  switch (compareCarriedText(message.text, body)) {
    case 'equal':
      return files === message.files ? 0 : 1;
    case 'altered':
      return 1;
    case 'different':
      return undefined;
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
