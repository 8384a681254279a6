import { bindNumbers, mayChangeRoute } from '#contract/carrier-codes.js';
import { failureClassOf } from '#contract/delivery-errors.js';
import type { CarrierReceipt, CarrierStatus, HandOff, HandOffs } from '../../messages/routes/carrier.js';
import { GroupCommit, orEach } from '../../platform/database/group-commit.js';
import { Postgres } from '../../platform/database/postgres.js';
import { retryUndone } from '../../platform/database/database-error.js';
import { publicMessageId } from '../../rules/ids.js';
import { purge, type PurgeRule } from '../../platform/durable-work/retention.js';
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
  /** As the peer wrote it. */
  readonly id: string;
  /** The id of the message's first segment. */
  readonly carrierId: string;
}

type FinalStatus = 'delivered' | 'undelivered';

/** A stored segment. */
export interface StoredSegment {
  readonly id: string;
  readonly messageId: string;
  readonly accountId: string;
  readonly segments: number;
  readonly carrierId: string;
  readonly phoneEnd: string;
}

type Outcome = Pick<FinalReceipt, 'status' | 'error'>;

interface FinalReceipt extends SegmentReceipt {
  readonly status: FinalStatus;
}

interface StoredReceipt {
  readonly id: string;
  /** The last digits of each number that it names. */
  readonly phoneEnd: string;
  readonly status: FinalStatus;
  readonly error: number | null;
}

const BATCH_MAX = 200;
const BATCHES_IN_FLIGHT_MAX = 2;
const WAITING_MAX = 10_000;
/** No message waits for what is stored after its response. */
const GATHER_MS = 5;
/** No other worker has had the bind, and given it back, within this time. */
const LEASED_AGAIN_MS = 500;
/** Ids of early receipts that a worker knows. */
const EARLY_IDS_MAX = 10_000;
/** Messages without a response, and segments with a receipt, that a worker remembers. */
const REMEMBERED_MAX = 10_000;
/** Digits at the end by which the phone of a receipt is recognized, however a peer writes numbers. */
const COMPARED_DIGITS = 6;
/** Longer than receipts come. */
const SEGMENTS_KEPT_DAYS = 7;
/** Longer than a response can be late, and shorter than a peer gives the same id again. */
const EARLY_MINUTES = 10;

/** Parameters: carrier, and arrays: id, message, account, segments, carrier's id, end of the phone. */
export const insertSegmentsStatement = {
  name: 'smpp-segments-insert-3',
  text: `
INSERT INTO smpp_segments AS s (carrier, id, message_id, account_id, segments, carrier_id, phone_end)
SELECT $1::smallint, * FROM unnest($2::text[], $3::uuid[], $4::uuid[], $5::smallint[], $6::text[], $7::text[])
ON CONFLICT (carrier, id) DO UPDATE SET message_id = excluded.message_id, account_id = excluded.account_id,
  segments = excluded.segments, carrier_id = excluded.carrier_id, phone_end = excluded.phone_end, status = NULL,
  error = NULL, taken_at = excluded.taken_at`,
} as const;

/** Parameters: carrier, ids. */
export const findSegmentsStatement = {
  name: 'smpp-segments-find-1',
  text: `
SELECT id, message_id AS "messageId", account_id AS "accountId", segments::integer AS segments,
  carrier_id AS "carrierId", phone_end AS "phoneEnd"
FROM smpp_segments WHERE carrier = $1 AND id = ANY($2::text[])`,
} as const;

/** Parameters: carrier, ids. */
export const findEarlyStatement = {
  name: 'smpp-early-find-2',
  text: `
SELECT id, phone_end AS "phoneEnd", status, error FROM smpp_early_receipts
WHERE carrier = $1 AND id = ANY($2::text[]) AND received_at > now() - interval '${EARLY_MINUTES} minutes'`,
} as const;

/** The first final state of a segment stays. Parameters: carrier, id, state, the peer's code. */
export const endSegmentStatement = {
  name: 'smpp-segment-end-2',
  text: `
UPDATE smpp_segments SET status = coalesce(status, $3), error = CASE WHEN status IS NULL THEN $4::integer ELSE error END
WHERE carrier = $1 AND id = $2 RETURNING id`,
} as const;

/**
 * The states of the segments of one hand-over; null for one that is not final. Parameters: carrier,
 * message, id of the hand-over's first segment.
 */
export const statesStatement = {
  name: 'smpp-segment-states-3',
  text: `SELECT id, status, error FROM smpp_segments
    WHERE carrier = $1 AND message_id = $2 AND carrier_id = $3 AND segments > 1`,
} as const;

/**
 * The message of one segment that was handed to the peer, without a response, with this reference.
 * Parameters: carrier, recipient, reference as four hexadecimal digits.
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

/** Parameters: carrier, messages. */
export const insertSubmitsStatement = {
  name: 'smpp-submits-insert-2',
  text: `
INSERT INTO smpp_submits (carrier, message_id) SELECT $1::smallint, * FROM unnest($2::uuid[])
ON CONFLICT (message_id) DO UPDATE SET carrier = excluded.carrier, begun_at = excluded.begun_at`,
} as const;

export const deleteSubmitsStatement = {
  name: 'smpp-submits-delete-1',
  text: 'DELETE FROM smpp_submits WHERE carrier = $1 AND message_id = ANY($2::uuid[])',
} as const;

/** What is known of a hand-off. Parameters: carrier, message. */
export const handOffStatement = {
  name: 'smpp-hand-off-1',
  text: `
SELECT EXISTS (SELECT FROM smpp_submits WHERE message_id = $2) AS begun,
  (SELECT carrier_id FROM smpp_segments WHERE carrier = $1 AND message_id = $2 LIMIT 1) AS "carrierId"`,
} as const;

const insertEarlyStatement = {
  name: 'smpp-early-insert-3',
  text: `
INSERT INTO smpp_early_receipts (carrier, id, phone_end, status, error) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (carrier, id) DO UPDATE SET phone_end = excluded.phone_end, status = excluded.status,
  error = excluded.error, received_at = excluded.received_at`,
} as const;

const deleteSegmentsStatement = {
  name: 'smpp-segments-delete-1',
  text: `
WITH ended AS (DELETE FROM smpp_segments WHERE carrier = $1 AND id = ANY($2::text[]) RETURNING message_id)
DELETE FROM smpp_submits WHERE message_id IN (SELECT message_id FROM ended)`,
} as const;

const deleteEarlyStatement = {
  name: 'smpp-early-delete-1',
  text: 'DELETE FROM smpp_early_receipts WHERE carrier = $1 AND id = $2',
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
const expiredEarly: PurgeRule = {
  table: 'smpp_early_receipts',
  key: ['carrier', 'id'],
  expired: 'received_at <= now() - make_interval(mins => $1)',
};

/**
 * Deletes a batch of segments whose receipts have not come, and of receipts whose segments have not;
 * returns whether there may be more.
 */
export async function purgeSegments(postgres: Postgres): Promise<boolean> {
  const more = await postgres.ofAll(() =>
    Promise.all([
      purge(postgres, expiredSegments, [SEGMENTS_KEPT_DAYS]),
      purge(postgres, expiredSubmits, [SEGMENTS_KEPT_DAYS]),
      purge(postgres, expiredEarly, [EARLY_MINUTES]),
    ]),
  );
  return more.includes(true);
}

/**
 * Finds the message of each receipt of one bind, in whichever worker it arrives. A message is final
 * when all its segments are; receipts may come before the response to their submit_sm, more than
 * once, and with ids in another base. What takes a segment and what takes a receipt each write
 * first and then look for the other, so that none of a pair is missed.
 */
export class SubmittedSegments implements HandOffs {
  private readonly submits = this.group<string, void>((batch) => this.noteAll(batch));
  private readonly inserts = this.group<TakenSegment, void>((batch) => this.insertAll(batch), GATHER_MS);
  private readonly finds = this.group<SegmentReceipt, StoredSegment | undefined>((batch) => this.findAll(batch));
  private readonly earlies = this.group<TakenSegment, StoredReceipt | undefined>((batch) => this.findEarly(batch));
  private readonly deletes = this.group<string, void>((batch) => this.deleteAll(batch), GATHER_MS);
  private readonly earlyIds = new EarlyIds();
  /** Phone and message of each submit without a response. */
  private readonly open = new Remembered();
  /** Id and phone of each segment that has had its receipt. */
  private readonly ended = new Remembered();

  constructor(
    private readonly postgres: Postgres,
    private readonly carrier: number,
    private readonly idBase: IdBase,
    /** Records the receipt of a message that is final; it may be called again for the same one. */
    private readonly record: (receipt: CarrierReceipt) => Promise<void>,
    /** Whether this worker has the bind, so that no other one can receive a receipt. */
    private readonly isAlone: () => boolean = () => false,
  ) {}

  /** Notes that a message is about to be submitted. */
  submitting(message: SubmittedMessage): Promise<void> {
    this.open.add(openKeyOf(message));
    return this.submits.submit(message.messageId);
  }

  /** Takes the note back: the message was certainly not taken. */
  async notTaken(message: SubmittedMessage): Promise<void> {
    const { messageId } = message;
    this.open.delete(openKeyOf(message));
    await this.query(deleteSubmitsStatement, [[messageId]]);
  }

  async of(messageId: string): Promise<HandOff> {
    const [row] = await this.query<{ begun: boolean; carrierId: string | null }>(handOffStatement, [messageId]);
    if (row?.carrierId) return { kind: 'taken', carrierId: row.carrierId };
    return { kind: row?.begun ? 'doubtful' : 'none' };
  }

  /**
   * Stores a segment that the peer has taken, and applies its receipt if that came before: to this
   * worker, which knows, unless the segment was stored so late that another one may have the bind.
   */
  async taken(segment: TakenSegment): Promise<void> {
    const answeredAtMs = performance.now();
    await this.inserts.submit(segment);
    this.open.delete(openKeyOf(segment.message));
    const wasAlone = this.isAlone() && performance.now() - answeredAtMs < LEASED_AGAIN_MS;
    if (wasAlone && !this.earlyIds.mayHave(receiptIdsOf(segment.id))) return;
    const early = await this.earlies.submit(segment);
    if (!early) return;
    await this.apply(storedOf(segment), early);
    await this.query(deleteEarlyStatement, [early.id]);
  }

  /**
   * Stores a receipt, and records that of its message once it is final. A state that is not final
   * changes nothing.
   */
  async receipt(receipt: SegmentReceipt): Promise<void> {
    if (!isFinal(receipt)) return;
    const found = await this.finds.submit(receipt);
    if (found) return this.apply(found, receipt);
    const unanswered = await this.findByReference(receipt);
    if (unanswered) return this.record(this.receiptOf({ ...unanswered, carrierId: receipt.ids[0] }, receipt));
    const id = plainId(receipt.ids[0]);
    // Before it is stored, so that none of a pair is missed.
    this.earlyIds.add(id);
    const phoneEnd = endsOf(receipt).join(' ');
    await this.query(insertEarlyStatement, [id, phoneEnd, receipt.status, receipt.error]);
    const stored = await this.finds.submit(receipt);
    if (!stored) return;
    await this.apply(stored, receipt);
    await this.query(deleteEarlyStatement, [id]);
  }

  /**
   * Stores a receipt that is flagged as a message of a person, as {@link receipt} does. False when it
   * names no message of ours to that very phone, whose id only the peer knows: then it is a reply.
   */
  async wordedReceipt(receipt: SegmentReceipt): Promise<boolean> {
    const ends = endsOf(receipt);
    const ids = this.submittedIdsOf(receipt);
    const isKnown =
      ends.some((end) => this.open.hasBeginning(end) || ids.some((id) => this.ended.has(`${id} ${end}`))) ||
      ends.includes((await this.finds.submit(receipt))?.phoneEnd ?? 'none');
    if (isKnown) await this.receipt(receipt);
    return isKnown;
  }

  private async apply(segment: StoredSegment, { status, error }: Outcome): Promise<void> {
    this.ended.add(`${segment.id} ${segment.phoneEnd}`);
    if (segment.segments === 1) {
      await this.record(this.receiptOf(segment, { status, error }));
      return this.deletes.submit(segment.id);
    }
    await this.query(endSegmentStatement, [segment.id, status, error]);
    const states = await this.query<{ id: string; status: FinalStatus | null; error: number | null }>(statesStatement, [
      segment.messageId,
      segment.carrierId,
    ]);
    if (states.length < segment.segments || states.some((state) => state.status === null)) return;
    // A message of which the phone lacks a segment is not delivered.
    const failed = states.find((state) => state.status === 'undelivered' && state.error !== null);
    const isWhole = states.every((state) => state.status === 'delivered');
    const isPart = states.some((state) => state.status === 'delivered');
    await this.record(
      this.receiptOf(segment, {
        status: isWhole ? 'delivered' : 'undelivered',
        error: isPart ? endingError(failed?.error ?? null) : (failed?.error ?? null),
      }),
    );
    await Promise.all(states.map(({ id }) => this.deletes.submit(id)));
  }

  /**
   * Without a response, the id of a receipt is not known. A peer that returns user_message_reference
   * names the message by it.
   */
  private async findByReference({ addresses: [phone = ''], reference }: SegmentReceipt) {
    const digits = phone.replace(/^(\+|00)/, '');
    if (reference === null || !/^\d+$/.test(digits)) return undefined;
    const values = [this.carrier, `+${digits}`, reference.toString(16).padStart(4, '0')];
    const find = () => this.postgres.query<Named>(findByReferenceStatement, values);
    const [first, ...others] = (await this.postgres.onEach(find)).flat();
    return others.length === 0 ? first : undefined;
  }

  private receiptOf({ messageId, accountId, carrierId }: Named & { carrierId: string }, { status, error }: Outcome) {
    const about = { messageId: publicMessageId(messageId), accountId, carrierId };
    return { carrier: this.carrier, ...about, status, carrierError: error };
  }

  private submittedIdsOf({ ids }: SegmentReceipt): string[] {
    return ids.flatMap((id) => submittedIdsOf(id, this.idBase));
  }

  private async noteAll(batch: readonly string[]): Promise<void[]> {
    await this.query(insertSubmitsStatement, [[...new Set(batch)]]);
    return batch.map(() => undefined);
  }

  /** An id that the peer has given twice is that of the later message. */
  private async insertAll(batch: readonly TakenSegment[]): Promise<void[]> {
    const rows = [...new Map(batch.map((segment) => [plainId(segment.id), storedOf(segment)])).values()];
    await this.query(insertSegmentsStatement, [
      rows.map(({ id }) => id),
      rows.map(({ messageId }) => messageId),
      rows.map(({ accountId }) => accountId),
      rows.map(({ segments }) => segments),
      rows.map(({ carrierId }) => carrierId),
      rows.map(({ phoneEnd }) => phoneEnd),
    ]);
    return batch.map(() => undefined);
  }

  private async findAll(batch: readonly SegmentReceipt[]): Promise<(StoredSegment | undefined)[]> {
    const ids = batch.map((receipt) => this.submittedIdsOf(receipt));
    const rows = await this.query<StoredSegment>(findSegmentsStatement, [[...new Set(ids.flat())]]);
    const byId = new Map(rows.map((row) => [row.id, row]));
    return batch.map((receipt, index) => {
      const ends = endsOf(receipt);
      const candidates = (ids[index] ?? []).flatMap((one) => byId.get(one) ?? []);
      return this.chosen(
        candidates,
        ({ phoneEnd }) => ends.includes(phoneEnd),
        ({ id }) => this.idBase !== 'auto' || receipt.ids.some((one) => plainId(one) === id),
        ends,
      );
    });
  }

  /** The receipt of a segment in whichever base. */
  private async findEarly(batch: readonly TakenSegment[]): Promise<(StoredReceipt | undefined)[]> {
    const ids = batch.map(({ id }) => receiptIdsOf(id));
    const rows = await this.query<StoredReceipt>(findEarlyStatement, [[...new Set(ids.flat())]]);
    const byId = new Map(rows.map((row) => [row.id, row]));
    return batch.map(({ id, message }, index) => {
      const candidates = (ids[index] ?? []).flatMap((one) => byId.get(one) ?? []);
      const end = endOf(message.recipient);
      const named = candidates.filter((one) => submittedIdsOf(one.id, this.idBase).includes(plainId(id)));
      const [exact] = named.filter((one) => one.id === plainId(id));
      return this.chosen(
        named,
        ({ phoneEnd }) => phoneEnd.split(' ').includes(end),
        (one) => this.idBase !== 'auto' || one === exact,
        exact?.phoneEnd.split(' ') ?? [],
      );
    });
  }

  /**
   * A converted id may be another message's own, so the phone decides. Where it fits none, because the
   * peer hides it, the id does; but not while a message to that phone has no response: its receipt may
   * have come before it.
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

  private query<Row extends object>(
    statement: { readonly name: string; readonly text: string },
    values: readonly unknown[],
  ): Promise<Row[]> {
    const run = () => this.postgres.query<Row>(statement, [this.carrier, ...values]);
    return this.postgres.ofAll(() => retryUndone(run));
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

/** What a message is found by. */
export interface Named {
  readonly messageId: string;
  readonly accountId: string;
}

/** What a receipt for a segment may call it. */
function receiptIdsOf(id: string): string[] {
  return [plainId(id), ...submittedIdsOf(id, 'auto')];
}

/** Ids of the receipts that this worker has stored because their segments were not there. */
class EarlyIds {
  private readonly ids = new Map<string, number>();
  /** Until then there may be others. */
  private fullUntilMs = -Infinity;

  add(id: string): void {
    const now = performance.now();
    this.forget(now);
    this.ids.delete(id);
    if (this.ids.size >= EARLY_IDS_MAX) this.fullUntilMs = now + EARLY_MINUTES * 60_000;
    else this.ids.set(id, now);
  }

  mayHave(ids: readonly string[]): boolean {
    return performance.now() < this.fullUntilMs || ids.some((id) => this.ids.has(id));
  }

  /** The oldest come first. */
  private forget(now: number): void {
    for (const [id, sinceMs] of this.ids) {
      if (now - sinceMs < EARLY_MINUTES * 60_000) return;
      this.ids.delete(id);
    }
  }
}

function storedOf({ message, id, carrierId }: TakenSegment): StoredSegment {
  const { messageId, accountId, segments, recipient } = message;
  return { id: plainId(id), messageId, accountId, segments, carrierId, phoneEnd: endOf(recipient) };
}

function isFinal(receipt: SegmentReceipt): receipt is FinalReceipt {
  const { status }: { status: CarrierStatus } = receipt;
  return status === 'delivered' || status === 'undelivered';
}

/** Digits at the end of a number, however it is written; '' for a short code, a name, or a masked number. */
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

/** The code of a segment, unless it would move a message of which the phone has another segment. */
function endingError(error: number | null): number | null {
  return mayChangeRoute(failureClassOf(bindNumbers.first, error, 'receipt')) ? null : error;
}

/** The latest keys of a bounded number. */
class Remembered {
  private readonly keys = new Set<string>();

  add(key: string): void {
    this.keys.delete(key);
    const [oldest] = this.keys;
    if (oldest !== undefined && this.keys.size >= REMEMBERED_MAX) this.keys.delete(oldest);
    this.keys.add(key);
  }

  delete(key: string): void {
    this.keys.delete(key);
  }

  has(key: string): boolean {
    return this.keys.has(key);
  }

  /** Whether the first word of a key is this one. */
  hasBeginning(word: string): boolean {
    for (const key of this.keys) if (key.startsWith(`${word} `)) return true;
    return false;
  }
}
