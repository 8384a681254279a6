import { bindNumbers, mayChangeRoute } from '#contract/carrier-codes.js';
import { failureClassOf } from '#contract/delivery-errors.js';
import type { CarrierStatus, HandOverNote, HandOverNotes } from '../../carriers/carrier.js';
import type { RestoredNotes } from '../../messages/recovery/settle-restored.js';
import type { RecordReceipt } from '../../messages/status/record-receipt.js';
import { retryUndone } from '../../platform/errors/database-error.js';
import { GroupCommit, orEach } from '../../platform/database/group-commit.js';
import { Postgres, type Statement } from '../../platform/database/postgres.js';
import { purge, type PurgeRule } from '../../platform/durable-work/retention.js';
import { publicMessageId } from '../../rules/ids.js';
import { type IdBase, plainId, type SegmentReceipt, submittedIdsOf } from './smpp-receipts.js';

/** A message that the peer has taken, or is taking, in one or more segments. */
export interface SubmittedMessage {
  readonly messageId: string;
  readonly accountId: string;
  readonly recipient: string;
  readonly segments: number;
}

/** A segment that the peer has taken. */
export interface TakenSegment {
  readonly message: SubmittedMessage;
  /** Id as the peer wrote it. */
  readonly id: string;
  /** The id of the message's first segment. */
  readonly carrierId: string;
  /** The response came after its time, when the message counted as doubtful already. */
  readonly isLate: boolean;
}

type FinalStatus = 'delivered' | 'undelivered';

/** A segment whose receipt is awaited. */
export interface AwaitedSegment {
  readonly id: string;
  readonly messageId: string;
  readonly accountId: string;
  readonly segments: number;
  readonly carrierId: string;
  readonly phoneEnd: string;
}

/** A segment in memory. */
interface RememberedSegment extends AwaitedSegment {
  /** Time by `performance.now()`. */
  readonly sinceMs: number;
  /** True if the segment has a row of `smpp_segments` in place of its message's note. */
  readonly isStored: boolean;
}

type Outcome = Pick<FinalReceipt, 'status' | 'error'>;

interface FinalReceipt extends SegmentReceipt {
  readonly status: FinalStatus;
}

/** The state of a segment of a long text; null while its receipt is awaited. */
interface SegmentState {
  readonly id: string;
  readonly status: FinalStatus | null;
  readonly error: number | null;
}

/** A receipt whose segment is not known yet. */
interface EarlyReceipt {
  readonly id: string;
  readonly receipt: FinalReceipt;
  /** Time by `performance.now()`. */
  readonly sinceMs: number;
  /** Time at which the database is asked again. */
  nextMs: number;
}

/** A message that may have only a row of `smpp_submits`. */
interface NotedMessage {
  readonly messageId: string;
  readonly isStored: boolean;
}

/** A noted message whose row names the id of its only segment. */
export interface NamedNote {
  readonly messageId: string;
  readonly accountId: string;
  readonly recipient: string;
  readonly carrierId: string;
}

const BATCH_MAX = 200;
const BATCHES_IN_FLIGHT_MAX = 2;
const WAITING_MAX = 10_000;
/** Deletions gather this long: no message waits for them. */
const GATHER_MS = 5;
/** Time for which unneeded notes wait for a batch of new notes that deletes them. */
const ENDED_NOTES_MS = 100;
const ENDED_NOTES_MAX = 1_000;
/** Time for which a segment stays only in memory: longer than most receipts take. */
const REMEMBERED_MS = 30_000;
/** Maximum of segments in memory. */
const SEGMENTS_MAX = 20_000;
/** Maximum of early receipts in memory. */
const EARLY_MAX = 10_000;
/**
 * Maximum of messages without a response, and of segments with a receipt, that a worker remembers.
 */
const KEYS_MAX = 10_000;
/**
 * Trailing digits by which the phone of a receipt is recognized, regardless of how a peer writes
 * numbers.
 */
const COMPARED_DIGITS = 6;
/** Receipts do not come later. */
const SEGMENTS_KEPT_DAYS = 7;
/**
 * Early receipts are kept longer than a response can be late, and shorter than a peer takes to
 * repeat an id.
 */
const EARLY_MINUTES = 10;
/** Time until the database is asked again for the segment of an early receipt; it doubles. */
const ASKED_AGAIN_MS = 5_000;
/** Notes that are settled at once when a worker gets the bind. */
const SETTLED_MAX = 1_000;
/**
 * Batches of notes that are settled before there is a bind: more messages than can wait for a
 * receipt in memory.
 */
const LATEST_BATCHES = 20;
/** An id after every other id. */
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/**
 * Stores segments in place of the notes on their messages. Parameters: carrier, and arrays: id,
 * message, account, segments, carrier's id, end of the phone.
 */
export const storeSegmentsStatement = {
  name: 'smpp-segments-store-1',
  text: `
WITH noted AS (DELETE FROM smpp_submits WHERE carrier = $1 AND message_id = ANY($3::uuid[]))
INSERT INTO smpp_segments AS s (carrier, id, message_id, account_id, segments, carrier_id, phone_end)
SELECT $1::smallint, * FROM unnest($2::text[], $3::uuid[], $4::uuid[], $5::smallint[], $6::text[], $7::text[])
ON CONFLICT (carrier, id) DO UPDATE SET message_id = excluded.message_id, account_id = excluded.account_id,
  segments = excluded.segments, carrier_id = excluded.carrier_id, phone_end = excluded.phone_end, status = NULL,
  error = NULL, taken_at = excluded.taken_at`,
  shared: true,
} as const;

/** Parameters: carrier, ids. */
export const findSegmentsStatement = {
  name: 'smpp-segments-find-1',
  text: `
SELECT id, message_id AS "messageId", account_id AS "accountId", segments::integer AS segments,
  carrier_id AS "carrierId", phone_end AS "phoneEnd"
FROM smpp_segments WHERE carrier = $1 AND id = ANY($2::text[])`,
  shared: true,
} as const;

/** The first final state of a segment stays. Parameters: carrier, id, state, the peer's code. */
export const endSegmentStatement = {
  name: 'smpp-segment-end-2',
  text: `
UPDATE smpp_segments SET status = coalesce(status, $3), error = CASE WHEN status IS NULL THEN $4::integer ELSE error END
WHERE carrier = $1 AND id = $2 RETURNING id`,
  shared: true,
} as const;

/**
 * States of the segments of one hand-over; null for a state that is not final. Parameters: carrier,
 * message, id of the hand-over's first segment.
 */
export const statesStatement = {
  name: 'smpp-segment-states-3',
  text: `SELECT id, status, error FROM smpp_segments
    WHERE carrier = $1 AND message_id = $2 AND carrier_id = $3 AND segments > 1`,
  shared: true,
} as const;

/**
 * Finds the message of one segment that was handed to the peer, without a response, by its
 * reference. Parameters: carrier, recipient, reference as four hexadecimal digits.
 */
export const findByReferenceStatement = {
  name: 'smpp-by-reference-2',
  text: `
SELECT id AS "messageId", account_id AS "accountId" FROM messages
WHERE recipient = $2 AND status = 'sending' AND carrier = $1 AND carrier_id IS NULL AND segments = 1
  AND right(id::text, 4) = $3
UNION
SELECT m.id, m.account_id FROM message_attempts a JOIN messages m ON m.id = a.message_id
WHERE m.recipient = $2 AND m.segments = 1 AND right(m.id::text, 4) = $3
  AND a.carrier = $1 AND NOT a.current AND a.outcome = 'doubtful' AND a.carrier_id IS NULL
LIMIT 2`,
} as const;

/**
 * Notes messages, and deletes unneeded notes. Parameters: carrier, messages of the new notes,
 * messages of the old.
 */
export const noteSubmitsStatement = {
  name: 'smpp-submits-note-1',
  text: `
WITH ended AS (DELETE FROM smpp_submits WHERE carrier = $1 AND message_id = ANY($3::uuid[]))
INSERT INTO smpp_submits (carrier, message_id) SELECT $1::smallint, * FROM unnest($2::uuid[])
ON CONFLICT (message_id) DO UPDATE SET carrier = excluded.carrier, begun_at = excluded.begun_at`,
  shared: true,
} as const;

export const deleteSubmitsStatement = {
  name: 'smpp-submits-delete-1',
  text: 'DELETE FROM smpp_submits WHERE carrier = $1 AND message_id = ANY($2::uuid[])',
  shared: true,
} as const;

/** Known state of a hand-over. Parameters: carrier, message. */
export const noteStatement = {
  name: 'smpp-note-1',
  text: `
SELECT EXISTS (SELECT FROM smpp_submits WHERE message_id = $2) AS begun,
  (SELECT carrier_id FROM smpp_segments WHERE carrier = $1 AND message_id = $2 LIMIT 1) AS "carrierId"`,
  shared: true,
} as const;

/**
 * Notes of a bind, latest messages first. Parameters: carrier, last message of the previous batch.
 */
export const notedStatement = {
  text: `
SELECT message_id AS "messageId",
  EXISTS (SELECT FROM smpp_segments s WHERE s.carrier = n.carrier AND s.message_id = n.message_id) AS "isStored"
FROM smpp_submits n WHERE carrier = $1 AND message_id < $2
ORDER BY message_id DESC LIMIT ${SETTLED_MAX}`,
  shared: true,
} as const;

/**
 * Hand-overs of these messages to the bind that were taken and have no receipt. Parameters:
 * carrier, messages.
 */
export const namedNotesStatement = {
  text: `
SELECT id AS "messageId", account_id AS "accountId", recipient, carrier_id AS "carrierId" FROM messages
WHERE id = ANY($2::uuid[]) AND carrier = $1 AND status = 'sent' AND carrier_id IS NOT NULL
UNION ALL
SELECT m.id, m.account_id, m.recipient, a.carrier_id FROM message_attempts a JOIN messages m ON m.id = a.message_id
WHERE a.message_id = ANY($2::uuid[]) AND a.carrier = $1 AND NOT a.current AND a.receipt IS NULL
  AND a.carrier_id IS NOT NULL`,
} as const;

const deleteSegmentsStatement = {
  name: 'smpp-segments-delete-1',
  text: `
WITH ended AS (DELETE FROM smpp_segments WHERE carrier = $1 AND id = ANY($2::text[]) RETURNING message_id)
DELETE FROM smpp_submits WHERE message_id IN (SELECT message_id FROM ended)`,
  shared: true,
} as const;

const expiredSegments: PurgeRule = {
  table: 'smpp_segments',
  key: ['carrier', 'id'],
  expired: 'taken_at <= now() - make_interval(days => $1)',
};
const expiredSubmits: PurgeRule = {
  table: 'smpp_submits',
  key: ['message_id'],
  expired: 'begun_at <= now() - make_interval(days => $1)',
};
/** Early receipts, which workers of release 0.1.0 store. */
const expiredEarly: PurgeRule = {
  table: 'smpp_early_receipts',
  key: ['carrier', 'id'],
  expired: 'received_at <= now() - make_interval(mins => $1)',
};

/**
 * Deletes a batch of notes and segments whose receipts have not come; returns whether there may be
 * more.
 */
export async function purgeSegments(postgres: Postgres): Promise<boolean> {
  const more = await Promise.all([
    purge(postgres, expiredSegments, [SEGMENTS_KEPT_DAYS]),
    purge(postgres, expiredSubmits, [SEGMENTS_KEPT_DAYS]),
    purge(postgres, expiredEarly, [EARLY_MINUTES]),
  ]);
  return more.includes(true);
}

/**
 * Finds the message of each receipt of one bind. A message is final when all its segments are;
 * receipts may come before the response to their submit_sm, more than once, and with ids in another
 * base.
 *
 * The worker that has the bind remembers segments, so that most receipts cost no statement. After a
 * crash the message's row has the id of its only segment, and the note on the message leads the
 * next worker there. Segments of long texts, which no row of a message has, are stored at once;
 * other segments when their receipt takes long, when memory is full, or when another worker may
 * have the bind.
 */
export class SubmittedSegments implements HandOverNotes {
  private readonly notes = this.group<string | undefined, void>((batch) => this.noteAll(batch));
  private readonly stores = this.group<AwaitedSegment, void>((batch) => this.storeAll(batch));
  private readonly finds = this.group<SegmentReceipt, AwaitedSegment | undefined>((batch) => this.findAll(batch));
  private readonly deletes = this.group<string, void>((batch) => this.deleteAll(batch), GATHER_MS);
  /** Segments by id, oldest first. */
  private readonly segments = new Map<string, RememberedSegment>();
  /** Receipts by id, oldest first. */
  private readonly early = new Map<string, EarlyReceipt>();
  /** Phone and message of each submit without a response. */
  private readonly open = new LatestKeys();
  /** Id and phone of each segment that has had its receipt. */
  private ended = new LatestKeys();
  /** Messages whose notes are no longer needed. */
  private readonly endedNotes = new Set<string>();
  private endedTimer: NodeJS.Timeout | undefined;
  /** True once the notes of an earlier holder of the bind are settled. */
  private isSettled = false;

  constructor(
    private readonly postgres: Postgres,
    private readonly carrier: number,
    private readonly idBase: IdBase,
    /** Records the receipt of a final message; it may be called again for the same message. */
    private readonly recordReceipt: Pick<RecordReceipt, 'record'>,
    /**
     * Returns true while this worker has the bind, so that no other worker can receive a receipt.
     */
    private readonly isAlone: () => boolean = () => false,
  ) {}

  /** Notes that a message is about to be submitted. */
  submitting(message: SubmittedMessage): Promise<void> {
    this.open.add(openKeyOf(message));
    return this.notes.submit(message.messageId);
  }

  /** Deletes the note: the message was certainly not taken. */
  async notTaken(message: SubmittedMessage): Promise<void> {
    const { messageId } = message;
    this.open.delete(openKeyOf(message));
    await this.query(deleteSubmitsStatement, [[messageId]]);
  }

  async of(messageId: string): Promise<HandOverNote> {
    const [row] = await this.query<{ begun: boolean; carrierId: string | null }>(noteStatement, [messageId]);
    if (row?.carrierId) return { kind: 'taken', carrierId: row.carrierId };
    return { kind: row?.begun ? 'doubtful' : 'none' };
  }

  /**
   * Remembers a segment that the peer has taken, and applies its receipt if that came before. The
   * row of a message does not get the id of a late response.
   */
  async taken({ message, id, carrierId, isLate }: TakenSegment): Promise<void> {
    const { messageId, accountId, segments, recipient } = message;
    const segment = { id: plainId(id), messageId, accountId, segments, carrierId, phoneEnd: endOf(recipient) };
    const isStored = segments > 1 || isLate || !this.isAlone() || this.segments.size >= SEGMENTS_MAX;
    if (isStored) await this.stores.submit(segment);
    if (this.segments.size < SEGMENTS_MAX) this.remember(segment, isStored);
    this.ended.delete(endedKeyOf(segment));
    this.open.delete(openKeyOf(message));
    const early = this.earlyOf(segment);
    if (!early) return;
    await this.apply(segment, early.receipt);
    this.early.delete(early.id);
  }

  /**
   * Applies a receipt, and records its message's receipt once that is final. A state that is not
   * final changes nothing, nor does a repeated receipt.
   */
  async receipt(receipt: SegmentReceipt): Promise<void> {
    if (!isFinal(receipt)) return;
    const remembered = this.rememberedOf(receipt);
    if (!remembered && this.isRepeated(receipt, this.submittedIdsOf(receipt).slice(0, 1))) return;
    const found = remembered ?? (await this.finds.submit(receipt));
    if (found) return this.apply(found, receipt);
    const unanswered = await this.findByReference(receipt);
    if (unanswered)
      return this.recordReceipt.record(this.receiptOf({ ...unanswered, carrierId: receipt.ids[0] }, receipt));
    // The response may have come meanwhile; from here on the code does not await.
    const answered = this.chosenOf(receipt, this.answeredBy(receipt));
    if (answered) return this.apply(answered, receipt);
    const [id, sinceMs] = [plainId(receipt.ids[0]), performance.now()];
    const [oldest] = this.early.keys();
    if (this.early.size >= EARLY_MAX && oldest !== undefined) this.early.delete(oldest);
    this.early.set(id, { id, receipt, sinceMs, nextMs: sinceMs + ASKED_AGAIN_MS });
  }

  /**
   * Applies a receipt that is flagged as a person's message, as {@link receipt} does. Returns false
   * when it names no message of ours to that very phone, whose id only the peer knows: then it is a
   * reply.
   */
  async wordedReceipt(receipt: SegmentReceipt): Promise<boolean> {
    const ends = endsOf(receipt);
    const isKnown =
      ends.some((end) => this.open.hasBeginning(end)) ||
      this.isRepeated(receipt, this.submittedIdsOf(receipt)) ||
      ends.includes((this.rememberedOf(receipt) ?? (await this.finds.submit(receipt)))?.phoneEnd ?? 'none');
    if (isKnown) await this.receipt(receipt);
    return isKnown;
  }

  /**
   * Stores segments whose receipts take long, and looks again for the segments of early receipts.
   * Called every few seconds, with the time by `performance.now()`.
   */
  async tend(nowMs: number): Promise<void> {
    const isAlone = this.isAlone();
    if (isAlone && !this.isSettled) await this.settleNotes(Infinity);
    // Another worker may have used the ids again.
    if (!isAlone) this.ended = new LatestKeys();
    this.isSettled = isAlone;
    await this.store(isAlone ? nowMs - REMEMBERED_MS : Infinity);
    await this.askAgain(nowMs);
  }

  /**
   * Settles the notes of the latest messages, whose receipts may come as soon as this worker has
   * the bind.
   */
  async settleLatest(): Promise<void> {
    await this.settleNotes(LATEST_BATCHES);
  }

  /** Stores all segments, before another worker gets the bind. */
  async storeAllSegments(): Promise<void> {
    await this.store(Infinity);
    if (this.endedNotes.size > 0) await this.notes.submit(undefined);
  }

  private async store(untilMs: number): Promise<void> {
    const old = [...this.segments.values()].filter(({ sinceMs }) => sinceMs <= untilMs);
    for (let from = 0; from < old.length; from += SETTLED_MAX)
      await Promise.all(
        old.slice(from, from + SETTLED_MAX).map(async (segment) => {
          if (!this.has(segment)) return;
          if (!segment.isStored) await this.stores.submit(segment);
          if (this.has(segment)) this.segments.delete(segment.id);
          // The receipt has come meanwhile.
          else if (!this.segments.has(segment.id)) await this.deletes.submit(segment.id);
        }),
      );
  }

  /**
   * Stores the segments that a crashed worker remembered: their messages are noted, and their rows
   * have the ids. Notes without an id stay: those messages are in doubt.
   */
  private async settleNotes(batchesMax: number): Promise<void> {
    let last = LAST_ID;
    for (let count = 0; count < batchesMax; count += 1) {
      const batch = await this.query<NotedMessage>(notedStatement, [last]);
      const lastOf = batch.at(-1);
      if (!lastOf) return;
      const idsOf = (isStored: boolean) =>
        batch.filter((one) => one.isStored === isStored).map(({ messageId }) => messageId);
      const values = [this.carrier, idsOf(false)];
      const named = await this.postgres.queryEach<NamedNote>(namedNotesStatement, values);
      const own = new Set([...this.segments.values()].map(({ messageId }) => messageId));
      await Promise.all(
        named.map(async ({ recipient, carrierId, ...message }) => {
          const segment = { ...message, id: plainId(carrierId), segments: 1, carrierId, phoneEnd: endOf(recipient) };
          if (!own.has(message.messageId)) await this.stores.submit(segment);
        }),
      );
      await this.query(deleteSubmitsStatement, [idsOf(true)]);
      last = lastOf.messageId;
    }
  }

  /** A segment may have been stored by the worker that had the bind before. */
  private async askAgain(nowMs: number): Promise<void> {
    const due = [...this.early.values()].filter(({ nextMs }) => nextMs <= nowMs);
    await Promise.all(
      due.map(async (early) => {
        const { id, receipt, sinceMs } = early;
        early.nextMs = nowMs + (nowMs - sinceMs);
        const segment = await this.finds.submit(receipt);
        if (segment) await this.apply(segment, receipt);
        const isOver = nowMs - sinceMs >= EARLY_MINUTES * 60_000;
        if ((segment || isOver) && this.early.get(id) === early) this.early.delete(id);
      }),
    );
  }

  private async apply(segment: AwaitedSegment, { status, error }: Outcome): Promise<void> {
    const { id, messageId, phoneEnd } = segment;
    const states = segment.segments === 1 ? [{ id, status, error }] : await this.endOne(segment, { status, error });
    if (states.length < segment.segments || states.some((state) => state.status === null)) return;
    // A message of which the phone lacks a segment is not delivered.
    const failed = states.find((state) => state.status === 'undelivered' && state.error !== null);
    const isWhole = states.every((state) => state.status === 'delivered');
    const isPart = states.some((state) => state.status === 'delivered');
    await this.recordReceipt.record(
      this.receiptOf(segment, {
        status: isWhole ? 'delivered' : 'undelivered',
        error: isPart ? endingError(failed?.error ?? null) : (failed?.error ?? null),
      }),
    );
    for (const state of states) this.ended.add(endedKeyOf({ id: state.id, phoneEnd }));
    await Promise.all(states.map((state) => this.forget(state.id, messageId)));
  }

  /** Stores the state of a segment of a long text, and returns its hand-over's states. */
  private async endOne(
    { id, messageId, carrierId }: AwaitedSegment,
    { status, error }: Outcome,
  ): Promise<SegmentState[]> {
    await this.query(endSegmentStatement, [id, status, error]);
    return this.query<SegmentState>(statesStatement, [messageId, carrierId]);
  }

  private remember(segment: AwaitedSegment, isStored: boolean): void {
    const { id, messageId } = segment;
    const earlier = this.segments.get(id);
    // An id that the peer has given twice belongs to the later message.
    if (earlier && !earlier.isStored && earlier.messageId !== messageId) this.endNote(earlier.messageId);
    this.segments.delete(id);
    this.segments.set(id, { ...segment, isStored, sinceMs: performance.now() });
  }

  private has(segment: RememberedSegment): boolean {
    return this.segments.get(segment.id) === segment;
  }

  private async forget(id: string, messageId: string): Promise<void> {
    const remembered = this.segments.get(id);
    const isOwn = remembered?.messageId === messageId;
    if (isOwn) this.segments.delete(id);
    if (isOwn && !remembered.isStored) this.endNote(messageId);
    else await this.deletes.submit(id);
  }

  private endNote(messageId: string): void {
    this.endedNotes.add(messageId);
    // A failed deletion is repeated with the next deletion.
    const deleteThem = () => void this.notes.submit(undefined).catch(() => undefined);
    this.endedTimer ??= setTimeout(deleteThem, ENDED_NOTES_MS).unref();
  }

  /**
   * Without a response, the id of a receipt is unknown. A peer that returns user_message_reference
   * names the message by it.
   */
  private async findByReference({ addresses: [phone = ''], reference }: SegmentReceipt) {
    const digits = phone.replace(/^(\+|00)/, '');
    if (reference === null || !/^\d+$/.test(digits)) return undefined;
    const values = [this.carrier, `+${digits}`, reference.toString(16).padStart(4, '0')];
    const [first, ...others] = await this.postgres.queryEach<Named>(findByReferenceStatement, values);
    return others.length === 0 ? first : undefined;
  }

  private receiptOf({ messageId, accountId, carrierId }: Named & { carrierId: string }, { status, error }: Outcome) {
    const about = { messageId: publicMessageId(messageId), accountId, carrierId };
    return { carrier: this.carrier, ...about, status, carrierError: error };
  }

  private submittedIdsOf({ ids }: SegmentReceipt): string[] {
    return ids.flatMap((id) => submittedIdsOf(id, this.idBase));
  }

  /**
   * Returns whether a segment with one of these ids, to the phone of the receipt, has had its
   * receipt.
   */
  private isRepeated(receipt: SegmentReceipt, ids: readonly string[]): boolean {
    return endsOf(receipt).some((end) => ids.some((id) => this.ended.has(`${id} ${end}`)));
  }

  /** Ended notes are deleted only while no other worker can have noted their messages again. */
  private async noteAll(batch: readonly (string | undefined)[]): Promise<void[]> {
    clearTimeout(this.endedTimer);
    this.endedTimer = undefined;
    const noted = [...new Set(batch.flatMap((messageId) => messageId ?? []))];
    for (const messageId of noted) this.endedNotes.delete(messageId);
    if (!this.isAlone()) this.endedNotes.clear();
    const ended = [...this.endedNotes].slice(0, ENDED_NOTES_MAX);
    for (const messageId of ended) this.endedNotes.delete(messageId);
    try {
      if (noted.length + ended.length > 0) await this.query(noteSubmitsStatement, [noted, ended]);
    } catch (error) {
      for (const messageId of ended) this.endedNotes.add(messageId);
      throw error;
    }
    return batch.map(() => undefined);
  }

  private async storeAll(batch: readonly AwaitedSegment[]): Promise<void[]> {
    const rows = [...new Map(batch.map((segment) => [segment.id, segment])).values()];
    await this.query(storeSegmentsStatement, [
      rows.map(({ id }) => id),
      rows.map(({ messageId }) => messageId),
      rows.map(({ accountId }) => accountId),
      rows.map(({ segments }) => segments),
      rows.map(({ carrierId }) => carrierId),
      rows.map(({ phoneEnd }) => phoneEnd),
    ]);
    return batch.map(() => undefined);
  }

  /** Returns the remembered segment of a receipt if no stored segment can be meant instead. */
  private rememberedOf(receipt: SegmentReceipt): AwaitedSegment | undefined {
    const ids = this.submittedIdsOf(receipt);
    const remembered = this.answeredBy(receipt);
    if (remembered.length === ids.length) return this.chosenOf(receipt, remembered);
    const [likeliest] = remembered;
    return likeliest?.id === ids[0] && endsOf(receipt).includes(likeliest?.phoneEnd ?? 'none') ? likeliest : undefined;
  }

  /** Returns the segments in memory to which a receipt may belong. */
  private answeredBy(receipt: SegmentReceipt): RememberedSegment[] {
    return this.submittedIdsOf(receipt).flatMap((id) => this.segments.get(id) ?? []);
  }

  private async findAll(batch: readonly SegmentReceipt[]): Promise<(AwaitedSegment | undefined)[]> {
    const ids = batch.map((receipt) => this.submittedIdsOf(receipt));
    const rows = await this.query<AwaitedSegment>(findSegmentsStatement, [[...new Set(ids.flat())]]);
    const byId = new Map(rows.map((row) => [row.id, row]));
    const found = (id: string) => this.segments.get(id) ?? byId.get(id) ?? [];
    return batch.map((receipt, index) => this.chosenOf(receipt, (ids[index] ?? []).flatMap(found)));
  }

  private chosenOf(receipt: SegmentReceipt, candidates: readonly AwaitedSegment[]): AwaitedSegment | undefined {
    const ends = endsOf(receipt);
    return this.chosen(
      candidates,
      ({ phoneEnd }) => ends.includes(phoneEnd),
      ({ id }) => this.idBase !== 'auto' || receipt.ids.some((one) => plainId(one) === id),
      ends,
    );
  }

  /** Returns the receipt that came before the response of its segment, in whichever base. */
  private earlyOf({ id, phoneEnd }: AwaitedSegment): EarlyReceipt | undefined {
    const candidates = [...new Set([id, ...submittedIdsOf(id, 'auto')])].flatMap((one) => this.early.get(one) ?? []);
    const named = candidates.filter((one) => submittedIdsOf(one.id, this.idBase).includes(id));
    const exact = named.find((one) => one.id === id);
    return this.chosen(
      named,
      ({ receipt }) => endsOf(receipt).includes(phoneEnd),
      (one) => this.idBase !== 'auto' || one === exact,
      exact ? endsOf(exact.receipt) : [],
    );
  }

  /**
   * A converted id may be another message's own, so the phone decides. If the peer hides the phone,
   * the id decides, unless a message to that phone has no response: its receipt may have come
   * first.
   */
  private chosen<T>(
    candidates: readonly T[],
    fits: (one: T) => boolean,
    isNamed: (one: T) => boolean,
    ends: readonly string[],
  ): T | undefined {
    const byPhone = candidates.find(fits);
    if (byPhone || ends.some((end) => this.open.hasBeginning(end))) return byPhone;
    return candidates.find(isNamed);
  }

  private async deleteAll(batch: readonly string[]): Promise<void[]> {
    await this.query(deleteSegmentsStatement, [batch]);
    return batch.map(() => undefined);
  }

  private query<Row extends object>(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
    return retryUndone(() => this.postgres.query<Row>(statement, [this.carrier, ...values]));
  }

  private group<In, Out>(run: (batch: In[]) => Promise<Out[]>, gatherMs = 0): GroupCommit<In, Out> {
    return new GroupCommit({
      batchMax: BATCH_MAX,
      inFlightMax: BATCHES_IN_FLIGHT_MAX,
      waitingMax: WAITING_MAX,
      gatherMs,
      run: (batch) => orEach(batch, run),
      onFull: () => new Error('Too many segments wait for the database'),
    });
  }
}

/** The notes on submits, written without a connection to the peer. */
export class SubmitNotes implements RestoredNotes {
  constructor(private readonly postgres: Postgres) {}

  async add(carrier: number, messageIds: readonly string[]): Promise<void> {
    await this.postgres.query(noteSubmitsStatement, [carrier, messageIds, []]);
  }

  async remove(carrier: number, messageIds: readonly string[]): Promise<void> {
    await this.postgres.query(deleteSubmitsStatement, [carrier, messageIds]);
  }
}

/** Ids by which a message is found. */
export interface Named {
  readonly messageId: string;
  readonly accountId: string;
}

function isFinal(receipt: SegmentReceipt): receipt is FinalReceipt {
  const { status }: { status: CarrierStatus } = receipt;
  return status === 'delivered' || status === 'undelivered';
}

/**
 * Returns the last digits of a number in any spelling; '' for a short code, a name, or a masked
 * number.
 */
function endOf(phone: string): string {
  const digits = phone.replace(/[\s+().-]/g, '');
  return /^\d{6,}$/.test(digits) ? digits.slice(-COMPARED_DIGITS) : '';
}

function endsOf({ addresses }: SegmentReceipt): string[] {
  return addresses.map(endOf).filter((end) => end !== '');
}

function openKeyOf({ recipient, messageId }: SubmittedMessage): string {
  return `${endOf(recipient)} ${messageId}`;
}

function endedKeyOf({ id, phoneEnd }: Pick<AwaitedSegment, 'id' | 'phoneEnd'>): string {
  return `${id} ${phoneEnd}`;
}

/**
 * Returns the code of a segment, unless it would move a message of which the phone has another
 * segment.
 */
function endingError(error: number | null): number | null {
  return mayChangeRoute(failureClassOf(bindNumbers.first, error, 'receipt')) ? null : error;
}

/** Keeps a bounded number of the latest keys. */
class LatestKeys {
  private readonly keys = new Set<string>();

  add(key: string): void {
    this.keys.delete(key);
    const [oldest] = this.keys;
    if (oldest !== undefined && this.keys.size >= KEYS_MAX) this.keys.delete(oldest);
    this.keys.add(key);
  }

  delete(key: string): void {
    this.keys.delete(key);
  }

  has(key: string): boolean {
    return this.keys.has(key);
  }

  /** Returns whether a key begins with this word. */
  hasBeginning(word: string): boolean {
    for (const key of this.keys) if (key.startsWith(`${word} `)) return true;
    return false;
  }
}
