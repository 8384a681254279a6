import { createHash, randomUUID } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import { retryUndone } from '../../platform/errors/database-error.js';
import { GroupCommit, orEach } from '../../platform/database/group-commit.js';
import { Postgres, type Statement } from '../../platform/database/postgres.js';
import { purge, type PurgeRule } from '../../platform/durable-work/retention.js';
import type { Logger } from '../../platform/telemetry/logger.js';
import type { ReplyPart, ReplySegment } from './reply-segments.js';

export type LongReplySegment = ReplySegment & { readonly part: ReplyPart };

/**
 * A person's message with its received segments, in their order. Each segment may have its own
 * coding.
 */
export interface JoinedReply {
  readonly sender: string;
  readonly recipient: string;
  readonly parts: readonly { readonly dataCoding: number; readonly octets: Buffer }[];
}

export interface LongRepliesBounds {
  /**
   * Maximum of a bind's incomplete long replies; beyond it the oldest are handed over as they are.
   */
  readonly openMax: number;
  /** Time for the segments after the first segment. */
  readonly withinSeconds: number;
  /** Time after a reply in which segments with the same octets count as its repetition. */
  readonly repeatedSeconds: number;
  /** Maximum of replies that are kept after their hand-over to recognize repetitions. */
  readonly givenMax: number;
}

const usualBounds: LongRepliesBounds = {
  openMax: 500,
  withinSeconds: 300,
  repeatedSeconds: 600,
  givenMax: 10_000,
};

const BATCH_MAX = 100;
/** One batch at a time, because they would wait for each other. */
const BATCHES_IN_FLIGHT_MAX = 1;
const WAITING_MAX = 1_000;
/** Replies that are handed over, or deleted, at a time. */
const STEP = 100;
/** Days for which replies are kept whose bind was removed, or that cannot be handed over. */
const KEPT_DAYS = 7;
/** An id before every other id. */
const NO_ID = '00000000-0000-0000-0000-000000000000';

/**
 * Keeps other workers from adding segments to the bind's replies or closing them until the
 * transaction ends, so a closed reply never changes. Parameter: carrier.
 */
export const lockStatement = {
  text: `SELECT pg_advisory_xact_lock(hashtext('smpp long replies'), $1::integer)`,
} as const;

/**
 * Segments of open replies that may lack the given segments, oldest reply first. Parameters:
 * carrier, and arrays: sender, recipient, reference, total.
 */
export const openRepliesStatement = {
  text: `
SELECT r.id, r.sender, r.recipient, r.reference, r.total::integer AS total, s.number::integer AS number,
  encode(s.digest, 'hex') AS digest
FROM smpp_long_replies r JOIN smpp_reply_segments s ON s.reply_id = r.id
WHERE r.carrier = $1 AND r.closed_at IS NULL AND (r.sender, r.recipient, r.reference, r.total)
  IN (SELECT * FROM unnest($2::text[], $3::text[], $4::integer[], $5::smallint[]))
ORDER BY r.begun_at, r.id`,
} as const;

/** Parameters: carrier, and arrays: id, sender, recipient, reference, total, coding. */
export const insertRepliesStatement = {
  text: `
INSERT INTO smpp_long_replies (begun_at, carrier, id, sender, recipient, reference, total, data_coding)
SELECT statement_timestamp(), $1::smallint, *
FROM unnest($2::uuid[], $3::text[], $4::text[], $5::integer[], $6::smallint[], $7::smallint[])`,
} as const;

/** Parameters are arrays: reply, number, digest, octets, coding. */
export const insertReplySegmentsStatement = {
  text: `
INSERT INTO smpp_reply_segments (reply_id, number, digest, octets, data_coding)
SELECT * FROM unnest($1::uuid[], $2::smallint[], $3::bytea[], $4::bytea[], $5::smallint[])`,
} as const;

/**
 * Closes the given replies, and the oldest replies beyond the maximum. Uses the time of the
 * statement, because a transaction that began earlier may get the lock later. Parameters: carrier,
 * ids, maximum.
 */
export const closeStatement = {
  text: `
UPDATE smpp_long_replies SET closed_at = statement_timestamp()
WHERE carrier = $1 AND closed_at IS NULL AND (id = ANY($2::uuid[]) OR id IN (
  SELECT id FROM smpp_long_replies WHERE carrier = $1 AND closed_at IS NULL AND id <> ALL($2::uuid[])
  ORDER BY begun_at DESC, id DESC OFFSET $3
))
RETURNING id`,
} as const;

const isLate = `carrier = $1 AND closed_at IS NULL AND begun_at <= now() - make_interval(secs => $2)`;
/** Parameters: carrier, seconds. */
export const lateStatement = {
  name: 'smpp-replies-late-1',
  text: `SELECT EXISTS (SELECT FROM smpp_long_replies WHERE ${isLate}) AS "areLate"`,
  shared: true,
} as const;
const closeLateStatement = {
  text: `UPDATE smpp_long_replies SET closed_at = statement_timestamp() WHERE ${isLate}`,
} as const;

/** Closed replies that are not handed over yet. Parameters: carrier, id after which they come. */
export const dueRepliesStatement = {
  name: 'smpp-replies-due-1',
  text: `
SELECT id FROM smpp_long_replies
WHERE carrier = $1 AND closed_at IS NOT NULL AND given_at IS NULL AND id > $2 ORDER BY id LIMIT ${STEP}`,
  shared: true,
} as const;

/**
 * A closed reply. It is a repetition when an earlier reply has all its segments: the earlier reply
 * has been handed over, or will be. Parameters: carrier, id, seconds in which repetitions come.
 */
export const closedReplyStatement = {
  name: 'smpp-replies-closed-2',
  text: `
SELECT r.sender, r.recipient, r.total::integer AS total, array_agg(s.octets ORDER BY s.number) AS octets,
  array_agg(coalesce(s.data_coding, r.data_coding)::integer ORDER BY s.number) AS codings,
  EXISTS (
    SELECT FROM smpp_long_replies e
    WHERE (e.carrier, e.sender, e.recipient, e.reference, e.total)
        = (r.carrier, r.sender, r.recipient, r.reference, r.total)
      AND (e.closed_at, e.id) < (r.closed_at, r.id) AND e.closed_at > r.begun_at - make_interval(secs => $3)
      AND NOT EXISTS (
        SELECT number, digest FROM smpp_reply_segments WHERE reply_id = r.id
        EXCEPT SELECT number, digest FROM smpp_reply_segments WHERE reply_id = e.id
      )
  ) AS "isRepeated"
FROM smpp_long_replies r JOIN smpp_reply_segments s ON s.reply_id = r.id
WHERE r.carrier = $1 AND r.id = $2 AND r.closed_at IS NOT NULL AND r.given_at IS NULL
GROUP BY r.id`,
  shared: true,
} as const;

/** Deletes the text. Parameters: carrier, id. */
const giveStatement = {
  name: 'smpp-replies-give-1',
  text: `
WITH given AS (
  UPDATE smpp_long_replies SET given_at = now() WHERE carrier = $1 AND id = $2 AND given_at IS NULL RETURNING id
)
UPDATE smpp_reply_segments SET octets = NULL WHERE reply_id IN (SELECT id FROM given)`,
  shared: true,
} as const;

/**
 * Deletes a batch of replies that are too old to be compared with repetitions. Parameters: carrier,
 * seconds, maximum.
 */
export const forgetStatement = {
  name: 'smpp-replies-forget-1',
  text: `
WITH old AS (
  (SELECT id FROM smpp_long_replies
    WHERE carrier = $1 AND given_at <= now() - make_interval(secs => $2) ORDER BY given_at LIMIT ${STEP})
  UNION (SELECT id FROM smpp_long_replies
    WHERE carrier = $1 AND given_at IS NOT NULL ORDER BY given_at DESC OFFSET $3 LIMIT ${STEP})
),
forgotten AS (DELETE FROM smpp_long_replies WHERE id IN (SELECT id FROM old) RETURNING 1)
SELECT count(*)::int AS count FROM forgotten`,
  shared: true,
} as const;

const expired: PurgeRule = {
  table: 'smpp_long_replies',
  key: ['id'],
  expired: 'begun_at <= now() - make_interval(days => $1)',
};

/** Deletes a batch of replies that no bind hands over; returns whether there may be more. */
export function purgeLongReplies(postgres: Postgres): Promise<boolean> {
  return purge(postgres, expired, [KEPT_DAYS]);
}

/** A segment of a reply that is not closed. */
export interface OpenSegment {
  readonly id: string;
  readonly sender: string;
  readonly recipient: string;
  readonly reference: number;
  readonly total: number;
  readonly number: number;
  /** Digest in hexadecimal. */
  readonly digest: string;
}

export interface ClosedReply extends Omit<JoinedReply, 'parts'> {
  readonly total: number;
  /** Octets of each received segment, in order. */
  readonly octets: readonly Buffer[];
  readonly codings: readonly number[];
  readonly isRepeated: boolean;
}

/** A reply that is not closed. */
interface OpenReply {
  readonly id: string;
  /** Key of the fields that the reply's segments share. */
  readonly key: string;
  /** Digests by the number of the segment. */
  readonly digests: Map<number, string>;
}

/**
 * Joins the segments of one bind's long replies, in whichever workers they arrive. A segment is
 * stored before it is acknowledged. A reply is handed over when it is whole, or incomplete when its
 * time is over; later segments form a reply of their own.
 *
 * The header of a segment has a small reference, which phones use again. So a segment joins a reply
 * that lacks it; a segment with the octets of a stored segment is a repetition; any other segment
 * begins a reply. A reply that consists only of segments of an earlier reply was repeated by the
 * peer, and is dropped when it is closed: until then it may turn out to be another reply with the
 * same end.
 *
 * The segments and the id of a closed reply never change. So two workers that hand it over, or one
 * worker before and after a crash, hand over the same reply, which is received once.
 */
export class LongReplies {
  private readonly segments = new GroupCommit<LongReplySegment, readonly string[]>({
    batchMax: BATCH_MAX,
    inFlightMax: BATCHES_IN_FLIGHT_MAX,
    waitingMax: WAITING_MAX,
    run: (batch) => orEach(batch, (some) => retryUndone(() => this.storeAll(some))),
    onFull: () => new Error('Too many segments of replies wait for the database'),
  });
  private readonly bounds: LongRepliesBounds;

  constructor(
    private readonly postgres: Postgres,
    private readonly carrier: number,
    /** Receives a reply once for each id; repeated calls have the same reply. */
    private readonly give: (reply: JoinedReply, carrierId: string) => Promise<void>,
    private readonly logger: Logger,
    bounds: Partial<LongRepliesBounds> = {},
  ) {
    this.bounds = { ...usualBounds, ...bounds };
  }

  /**
   * Stores a segment, and hands over the reply that it completes. Rejects when it is not stored.
   * {@link handOver} retries a reply that could not be handed over.
   */
  async add(segment: LongReplySegment): Promise<void> {
    for (const id of await this.segments.submit(segment)) await this.handOverLogged(id);
  }

  /** Hands over overdue replies and replies that a worker left, and forgets old replies. */
  async handOver(): Promise<void> {
    await this.closeLate();
    let after = NO_ID;
    for (;;) {
      const due = await this.query<{ id: string }>(dueRepliesStatement, [after]);
      for (const { id } of due) await this.handOverLogged(id);
      after = due.at(-1)?.id ?? after;
      if (due.length < STEP) break;
    }
    const { repeatedSeconds, withinSeconds, givenMax } = this.bounds;
    // A repetition may wait for its other segments.
    const values = [repeatedSeconds + 2 * withinSeconds, givenMax];
    for (;;) {
      const [forgotten] = await this.query<{ count: number }>(forgetStatement, values);
      if (!forgotten?.count) return;
    }
  }

  /** Returns for each segment the replies to be handed over now. */
  private storeAll(batch: readonly LongReplySegment[]): Promise<(readonly string[])[]> {
    return this.exclusively(async (tx) => {
      const { begun, joined, completed } = placeSegments(batch, await this.openFor(tx, batch));
      if (begun.length > 0)
        await tx.query(insertRepliesStatement.text, [
          this.carrier,
          begun.map(({ replyId }) => replyId),
          begun.map(({ segment }) => segment.sender),
          begun.map(({ segment }) => segment.recipient),
          begun.map(({ segment }) => segment.part.reference),
          begun.map(({ segment }) => segment.part.total),
          begun.map(({ segment }) => segment.dataCoding),
        ]);
      if (joined.length > 0)
        await tx.query(insertReplySegmentsStatement.text, [
          joined.map(({ replyId }) => replyId),
          joined.map(({ segment }) => segment.part.number),
          joined.map(({ digest }) => Buffer.from(digest, 'hex')),
          joined.map(({ segment }) => segment.octets),
          joined.map(({ segment }) => segment.dataCoding),
        ]);
      const closed = begun.length + completed.length > 0 ? await this.close(tx, completed) : [];
      // The first caller of the batch hands over all replies in turn.
      return batch.map((_segment, index) => (index === 0 ? closed : []));
    });
  }

  private async close(tx: EntityManager, completed: readonly string[]): Promise<string[]> {
    const values = [this.carrier, completed, this.bounds.openMax];
    const [rows] = await tx.query<[{ id: string }[], number]>(closeStatement.text, values);
    return rows.map(({ id }) => id);
  }

  private async openFor(tx: EntityManager, batch: readonly LongReplySegment[]): Promise<OpenReply[]> {
    const rows = await tx.query<OpenSegment[]>(openRepliesStatement.text, [
      this.carrier,
      batch.map(({ sender }) => sender),
      batch.map(({ recipient }) => recipient),
      batch.map(({ part }) => part.reference),
      batch.map(({ part }) => part.total),
    ]);
    const replies = new Map<string, OpenReply>();
    for (const { id, sender, recipient, reference, total, number, digest } of rows) {
      const key = keyOf({ sender, recipient, part: { reference, total } });
      const reply = replies.get(id) ?? { id, key, digests: new Map<number, string>() };
      reply.digests.set(number, digest);
      replies.set(id, reply);
    }
    return [...replies.values()];
  }

  private async closeLate(): Promise<void> {
    const values = [this.bounds.withinSeconds];
    const [row] = await this.query<{ areLate: boolean }>(lateStatement, values);
    if (row?.areLate) await this.exclusively((tx) => tx.query(closeLateStatement.text, [this.carrier, ...values]));
  }

  private async handOverLogged(id: string): Promise<void> {
    try {
      await this.handOverClosed(id);
    } catch (err) {
      this.logger.warn({ carrier: this.carrier, reply: id, err }, 'long reply not handed over yet');
    }
  }

  private async handOverClosed(id: string): Promise<void> {
    const [reply] = await this.query<ClosedReply>(closedReplyStatement, [id, this.bounds.repeatedSeconds]);
    if (!reply) return;
    const { isRepeated, total, octets, codings, ...about } = reply;
    const joined = { ...about, parts: octets.map((one, n) => ({ octets: one, dataCoding: codings[n] ?? 0 })) };
    if (isRepeated) this.logger.debug({ carrier: this.carrier, reply: id }, 'repeated long reply dropped');
    // Later segments of an incomplete reply form a reply with its own id.
    else await this.give(joined, octets.length === total ? `smpp-${id}` : `smpp-${id}-part`);
    await this.query(giveStatement, [id]);
  }

  private exclusively<T>(work: (tx: EntityManager) => Promise<T>): Promise<T> {
    return this.postgres.ofAll(() =>
      this.postgres.transaction(async (tx) => {
        await tx.query(lockStatement.text, [this.carrier]);
        return work(tx);
      }),
    );
  }

  private query<Row extends object>(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
    return retryUndone(() => this.postgres.query<Row>(statement, [this.carrier, ...values]));
  }
}

interface PlacedSegment {
  readonly replyId: string;
  readonly segment: LongReplySegment;
  /** Digest in hexadecimal. */
  readonly digest: string;
}

/**
 * Gives each segment a place: in the oldest open reply that lacks it, or in a new reply that begins
 * with it. A segment that an open reply has with the same octets gets no place. `open` has the
 * oldest reply first.
 */
export function placeSegments(
  segments: readonly LongReplySegment[],
  open: readonly OpenReply[],
): {
  readonly begun: readonly PlacedSegment[];
  readonly joined: readonly PlacedSegment[];
  /** Ids of the replies that are whole now. */
  readonly completed: readonly string[];
} {
  const replies = open.map((reply) => ({ ...reply, digests: new Map(reply.digests) }));
  const begun: PlacedSegment[] = [];
  const joined: PlacedSegment[] = [];
  const completed = new Set<string>();
  for (const segment of segments) {
    const { number, total } = segment.part;
    const [key, digest] = [keyOf(segment), digestOf(segment.octets)];
    const candidates = replies.filter((reply) => reply.key === key && !completed.has(reply.id));
    if (candidates.some(({ digests }) => digests.get(number) === digest)) continue;
    const lacking = candidates.find(({ digests }) => !digests.has(number));
    const reply = lacking ?? { id: randomUUID(), key, digests: new Map<number, string>() };
    const placed = { replyId: reply.id, segment, digest };
    if (!lacking) {
      replies.push(reply);
      begun.push(placed);
    }
    joined.push(placed);
    reply.digests.set(number, digest);
    if (reply.digests.size === total) completed.add(reply.id);
  }
  return { begun, joined, completed: [...completed] };
}

function digestOf(octets: Buffer): string {
  return createHash('sha256').update(octets).digest('hex');
}

/** Key of the fields that the segments of a reply share. */
function keyOf({
  sender,
  recipient,
  part: { reference, total },
}: Pick<ReplySegment, 'sender' | 'recipient'> & { readonly part: Omit<ReplyPart, 'number'> }): string {
  return JSON.stringify([sender, recipient, reference, total]);
}
