import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ReceivedStatus } from '#contract/histories.js';
import { isBoughtBy } from '../numbers/numbers.sql.js';
import { hasReplyCallback } from '../webhooks/callbacks/callbacks.sql.js';
import { Postgres } from '../platform/database/postgres.js';
import { ReplyMedia } from '../media/reply-media.js';
import { needsAnswer } from './opt-out-words.js';
import type { IncomingReply } from './opt-outs.js';
import { upsertThreads } from './reply-threads.sql.js';

/**
 * Outcome of a reply on arrival. `limited`: its sender wrote too many within an hour. `unrouted`:
 * no account has messaged its sender from this number. `off`: the account does not receive. `full`:
 * the account holds as many replies as it may. `resting`: the number was released.
 */
export type InboundOutcome = ReceivedStatus | 'unrouted' | 'off' | 'full' | 'resting';

/** A reply to store: charged and forwarded at once, held until credits arrive, or only stored. */
export interface NewReply {
  readonly id: string;
  readonly accountId: string;
  /** 1, 2, 3 … within the account. */
  readonly number: number;
  readonly carrierId: string;
  /** The number that wrote the reply. */
  readonly sender: string;
  /** The product's number. */
  readonly recipient: string;
  readonly body: string;
  readonly segments: number;
  readonly status: ReceivedStatus;
  readonly media?: IncomingReply['media'];
  readonly mediaCount: number;
  readonly createdAt: Date;
}

export interface ReleasedReply {
  readonly id: string;
  readonly number: number;
  readonly sender: string;
  readonly recipient: string;
  readonly body: string;
  readonly mediaCount: number;
  readonly createdAt: Date;
}

/**
 * Inserts new carrier ids; waits for another transaction that inserts the same id. Parameter:
 * carrier ids.
 */
export const takeReceipts = {
  name: 'inbound-take-1',
  text: `
INSERT INTO inbound_receipts (carrier_id) SELECT id FROM unnest($1::text[]) AS n (id) ORDER BY id
ON CONFLICT DO NOTHING RETURNING carrier_id AS "carrierId"`,
} as const;

/** Parameters: carrier ids, their outcomes. */
const settleReceipts = {
  name: 'inbound-settle-1',
  text: `
UPDATE inbound_receipts r SET outcome = n.outcome
FROM unnest($1::text[], $2::text[]) AS n (carrier_id, outcome) WHERE r.carrier_id = n.carrier_id`,
} as const;

const knownReceipts = {
  name: 'inbound-known-1',
  text: 'SELECT carrier_id AS "carrierId" FROM inbound_receipts WHERE carrier_id = ANY ($1::text[])',
  shared: true,
} as const;

export const countOutcomes = {
  name: 'inbound-counts-1',
  text: `
SELECT outcome, count(*)::int AS count FROM inbound_receipts
WHERE created_at > now() - make_interval(hours => $1) GROUP BY outcome`,
  shared: true,
} as const;

/** Reads the partial index of held replies. */
export const countHeldNow = {
  name: 'inbound-held-now-1',
  text: `SELECT count(*)::int AS held FROM inbound_messages WHERE status = 'held'`,
} as const;

/**
 * Parameters are arrays: id, account, number, carrier id, sender, recipient, text, segments,
 * status, time, number of files.
 */
const insertReplies = {
  name: 'inbound-insert-1',
  text: `
INSERT INTO inbound_messages
  (id, account_id, number, carrier_id, sender, recipient, body, segments, credits, status, created_at, received_at,
  media_count)
SELECT id, account_id, number, carrier_id, sender, recipient, body, segments,
  CASE status WHEN 'received' THEN 1 ELSE 0 END, status, at, CASE status WHEN 'received' THEN now() END,
  media_count
FROM unnest(
  $1::uuid[], $2::uuid[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::text[], $8::smallint[], $9::text[],
  $10::timestamptz[], $11::smallint[]
) AS m (id, account_id, number, carrier_id, sender, recipient, body, segments, status, at, media_count)`,
} as const;

/**
 * A reply `r` that is received without a webhook: to a message with a callback, or to a bought
 * number.
 */
const isKept = `(${hasReplyCallback('r')} OR ${isBoughtBy('r.account_id', 'r.recipient')})`;

/** Parameters: account, maximum, true for only the replies that are received without a webhook. */
export const releaseHeld = {
  name: 'inbound-release-1',
  text: `
UPDATE inbound_messages SET status = 'received', credits = 1, received_at = now()
WHERE id IN (
  SELECT id FROM inbound_messages r
  WHERE account_id = $1 AND status = 'held' AND (NOT $3::boolean OR ${isKept})
  ORDER BY number LIMIT $2 FOR NO KEY UPDATE OF r
) AND status = 'held'
RETURNING id, number::float8 AS number, sender, recipient, body, media_count AS "mediaCount",
  created_at AS "createdAt"`,
} as const;

/** The accounts among these that hold replies received without a webhook. Parameter: accounts. */
export const accountsKeeping = {
  name: 'inbound-keeping-1',
  text: `
SELECT a.account_id AS "accountId" FROM unnest($1::uuid[]) AS a (account_id)
WHERE EXISTS (
  SELECT FROM inbound_messages r WHERE r.account_id = a.account_id AND r.status = 'held' AND ${isKept}
)`,
} as const;

/** Counts the held replies of each account, up to a bound. Parameters: accounts, the bound. */
export const countHeld = {
  name: 'inbound-held-1',
  text: `
SELECT account_id AS "accountId", (
  SELECT count(*)::int FROM (
    SELECT 1 FROM inbound_messages WHERE account_id = a.account_id AND status = 'held' LIMIT $2
  ) held
) AS count
FROM unnest($1::uuid[]) AS a (account_id)`,
} as const;

/**
 * Counts the replies of the last hour that each person wrote to each account and that are charged,
 * now or when credits arrive. The condition on ids excludes earlier months: an id is made a moment
 * before the reply is stored. Parameters: accounts, people.
 */
export const countCharged = {
  name: 'inbound-charged-1',
  text: `
SELECT (
  SELECT count(*)::int FROM inbound_messages
  WHERE account_id = q.account_id AND sender = q.person AND status <> 'limited'
    AND created_at > now() - interval '1 hour'
    AND id >= uuid_v7_floor(now() - interval '2 hours')
) AS count
FROM unnest($1::uuid[], $2::text[]) WITH ORDINALITY AS q (account_id, person, n)
ORDER BY q.n`,
} as const;

/** Jumps from account to account along the index of held replies. */
export const accountsHolding = {
  name: 'inbound-holding-1',
  text: `
WITH RECURSIVE holding (account_id, nth) AS (
  (SELECT account_id, 1 FROM inbound_messages WHERE status = 'held' AND account_id > $1 ORDER BY account_id LIMIT 1)
  UNION ALL
  SELECT (SELECT account_id FROM inbound_messages WHERE status = 'held' AND account_id > h.account_id
    ORDER BY account_id LIMIT 1),
    nth + 1
  FROM holding h WHERE h.account_id IS NOT NULL AND nth < $2
)
SELECT account_id AS "accountId" FROM holding WHERE account_id IS NOT NULL`,
} as const;

/**
 * Reads and writes replies, and the receipts by which a reply that the carrier repeats is
 * recognized.
 */
@Injectable()
export class InboundRepository {
  constructor(
    private readonly postgres: Postgres,
    private readonly replyMedia: ReplyMedia,
  ) {}

  /** Records the carrier ids and returns the new ids. */
  async takeReceipts(tx: EntityManager, carrierIds: readonly string[]): Promise<Set<string>> {
    const rows = await this.postgres.run<{ carrierId: string }>(tx, takeReceipts, [carrierIds]);
    return new Set(rows.map(({ carrierId }) => carrierId));
  }

  /** Returns the carrier ids among these that were received before. */
  async known(carrierIds: readonly string[]): Promise<Set<string>> {
    const rows = await this.postgres.query<{ carrierId: string }>(knownReceipts, [carrierIds]);
    return new Set(rows.map(({ carrierId }) => carrierId));
  }

  /** Records the outcomes of receipts; a receipt starts as `received`. */
  async settleReceipts(tx: EntityManager, outcomes: ReadonlyMap<string, InboundOutcome>): Promise<void> {
    if (outcomes.size === 0) return;
    await this.postgres.run(tx, settleReceipts, [[...outcomes.keys()], [...outcomes.values()]]);
  }

  /** Counts the replies of the last hours by outcome. */
  async countOutcomes(hours: number): Promise<Map<InboundOutcome, number>> {
    const rows = await this.postgres.query<{ outcome: InboundOutcome; count: number }>(countOutcomes, [hours]);
    return new Map(rows.map(({ outcome, count }) => [outcome, count]));
  }

  /** Counts the replies of all accounts that are held now, whenever they arrived. */
  async countHeldNow(): Promise<number> {
    const [row] = await this.postgres.query<{ held: number }>(countHeldNow, []);
    return row?.held ?? 0;
  }

  /** Inserts replies, each as the latest of its sender's thread, and their files as pending. */
  async insert(tx: EntityManager, replies: readonly NewReply[]): Promise<void> {
    await this.postgres.run(tx, insertReplies, [
      replies.map(({ id }) => id),
      replies.map(({ accountId }) => accountId),
      replies.map(({ number }) => number),
      replies.map(({ carrierId }) => carrierId),
      replies.map(({ sender }) => sender),
      replies.map(({ recipient }) => recipient),
      replies.map(({ body }) => body),
      replies.map(({ segments }) => segments),
      replies.map(({ status }) => status),
      replies.map(({ createdAt }) => createdAt),
      replies.map(({ mediaCount }) => mediaCount),
    ]);
    const withFiles = replies.flatMap(({ id, accountId, media }) => (media ? [{ id, accountId, ...media }] : []));
    if (withFiles.length > 0) await this.replyMedia.expect(tx, withFiles);
    await this.postgres.run(tx, upsertThreads, [
      replies.map(({ accountId }) => accountId),
      replies.map(({ sender }) => sender),
      replies.map(({ number }) => number),
      replies.map(({ createdAt }) => createdAt),
      replies.map(({ body }) => needsAnswer(body)),
    ]);
  }

  /** Counts the charged or held replies of the last hour of each pair, in their order. */
  async countCharged(
    tx: EntityManager,
    pairs: readonly { readonly accountId: string; readonly person: string }[],
  ): Promise<number[]> {
    const rows = await this.postgres.run<{ count: number }>(tx, countCharged, [
      pairs.map(({ accountId }) => accountId),
      pairs.map(({ person }) => person),
    ]);
    return rows.map(({ count }) => count);
  }

  /** Counts the held replies of each account, up to `countMax`. */
  async countHeld(tx: EntityManager, accountIds: readonly string[], countMax: number): Promise<Map<string, number>> {
    const rows = await this.postgres.run<{ accountId: string; count: number }>(tx, countHeld, [accountIds, countMax]);
    return new Map(rows.map(({ accountId, count }) => [accountId, count]));
  }

  /**
   * Marks up to `repliesMax` held replies of the account as received, all or only replies that need
   * no webhook, and returns them oldest first.
   */
  async release(tx: EntityManager, accountId: string, repliesMax: number, onlyKept: boolean): Promise<ReleasedReply[]> {
    const rows = await this.postgres.run<ReleasedReply>(tx, releaseHeld, [accountId, repliesMax, onlyKept]);
    return rows.sort((a, b) => a.number - b.number);
  }

  /** Returns the accounts among these that hold replies which need no webhook. */
  async accountsKeeping(tx: EntityManager, accountIds: readonly string[]): Promise<Set<string>> {
    const rows = await this.postgres.run<{ accountId: string }>(tx, accountsKeeping, [accountIds]);
    return new Set(rows.map(({ accountId }) => accountId));
  }

  /** Returns accounts with held replies, in the order of their ids, after `afterId`. */
  async accountsHolding(afterId: string, accountsMax: number): Promise<string[]> {
    const rows = await this.postgres.query<{ accountId: string }>(accountsHolding, [afterId, accountsMax]);
    return rows.map(({ accountId }) => accountId);
  }
}
