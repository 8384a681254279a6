import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { MessageKind } from '#contract/messages.js';
import { retryUndone } from '../../platform/errors/database-error.js';
import { Postgres } from '../../platform/database/postgres.js';
import { carrierOf } from '../../carriers/carrier-senders.js';
import { hedgeSecondsOf } from '../../rules/delivery.js';
import { type CheckKind, hasClaimCheck, inSeconds, insertQueuedChecks, POLLED_FOR } from '../store/checks.sql.js';
import type { UnsettledMessage } from './match-records.js';

/** Maximum of checks of a kind, and of messages, per statement. */
const CHECKS_MAX = 50;
const CHECKED_MAX = 1_000;
const UNSETTLED_MAX = 1_000;

const queuedWait = `least(interval '10 minutes',
  greatest(interval '15 seconds', now() - coalesce(m.send_at, m.created_at)))`;
/** A message that expires is checked when it does. */
const queuedNext = `CASE WHEN m.expires_at > now() THEN least(now() + ${queuedWait}, m.expires_at)
  ELSE now() + ${queuedWait} END`;
const sendingWait = `greatest(make_interval(secs => $1), least(interval '10 minutes', (now() - m.claimed_at) / 2))`;
const sentWait = `greatest(make_interval(secs => $2), now() - m.sent_at)`;

/** Kinds that recovery takes: a scheduled message is released instead. */
const taken: readonly CheckKind[] = ['retry', 'settle', 'hedge', 'claimed', 'queued'];

/**
 * Takes due checks and writes new checks for their messages that are not final, in the same
 * transaction, so that several workers share the work and a crash loses none. No message is
 * updated. Locked checks belong to another worker. The wait grows with the message's age up to a
 * bound, so that a long backlog costs little.
 *
 * Returns the number of messages examined, and the messages that need action; at least one row.
 * Parameters: seconds of a lease, seconds until a sent message is polled.
 *
 * A check leaves messages to a newer check: see checks.sql.ts. A check of kind `settle` or `hedge`
 * is used once, and the check of the claim goes on. A returned message may still be `sent` when a
 * late receipt names it: then its check awaits the receipt.
 */
export const takeChecksStatement = {
  name: 'checks-take-7',
  text: `
WITH found AS MATERIALIZED (
  SELECT c.* FROM unnest(ARRAY['${taken.join(`', '`)}']) AS k (kind)
  CROSS JOIN LATERAL (
    SELECT kind, due_at, id, message_ids FROM message_checks WHERE kind = k.kind AND due_at <= now()
    ORDER BY due_at, id LIMIT ${CHECKS_MAX} FOR UPDATE SKIP LOCKED
  ) c
),
bounded AS (
  SELECT kind, due_at, id, sum(cardinality(message_ids)) OVER earlier AS messages, row_number() OVER earlier AS nth
  FROM found
  WINDOW earlier AS (ORDER BY due_at, kind, id)
),
taken AS MATERIALIZED (
  DELETE FROM message_checks c USING bounded b
  WHERE c.kind = b.kind AND c.due_at = b.due_at AND c.id = b.id AND (b.messages <= ${CHECKED_MAX} OR b.nth = 1)
  RETURNING c.kind, c.claim, c.message_ids
),
looked AS MATERIALIZED (
  SELECT m.*, c.kind AS check_kind,
    CASE m.status
      WHEN 'queued' THEN true
      WHEN 'sending' THEN c.kind IN ('settle', 'hedge') OR now() - m.claimed_at > make_interval(secs => $1)
      WHEN 'sent' THEN c.kind = 'hedge' OR now() - m.sent_at > make_interval(secs => $2)
    END AS acts
  FROM (SELECT * FROM messages WHERE id = ANY(ARRAY(SELECT unnest(message_ids) FROM taken))) m
  JOIN (SELECT unnest(message_ids) AS id, kind, claim FROM taken) c ON c.id = m.id
  WHERE CASE c.kind
    WHEN 'queued' THEN
      m.status = 'queued' AND m.attempts = 0 OR m.status IN ('sending', 'sent') AND NOT ${hasClaimCheck}
    WHEN 'claimed' THEN m.status IN ('sending', 'sent') AND c.claim = m.attempts
    WHEN 'retry' THEN m.status IN ('queued', 'sent') AND c.claim = m.attempts
    WHEN 'settle' THEN m.status = 'sending' AND c.claim = m.attempts
    WHEN 'hedge' THEN m.status IN ('sending', 'sent') AND c.claim = m.attempts
  END
),
next AS (
  SELECT id, attempts AS claim, CASE status WHEN 'queued' THEN check_kind ELSE 'claimed' END AS kind,
    CASE status
      WHEN 'queued' THEN ${queuedNext}
      WHEN 'sending' THEN CASE WHEN acts THEN now() + ${sendingWait} ELSE m.claimed_at + make_interval(secs => $1) END
      ELSE CASE WHEN acts THEN now() + ${sentWait} ELSE m.sent_at + make_interval(secs => $2) END
    END AS due_at
  FROM looked m
  WHERE CASE status
    WHEN 'sending' THEN check_kind NOT IN ('settle', 'hedge')
    WHEN 'sent' THEN check_kind <> 'hedge' AND now() - sent_at < ${POLLED_FOR}
    ELSE true
  END
),
written AS (
  INSERT INTO message_checks (kind, due_at, claim, message_ids)
  SELECT kind, ${inSeconds('due_at')} AS due_at, claim, array_agg(id ORDER BY id) FROM next GROUP BY 1, 2, 3
)
SELECT total.looked, m.id, m.account_id AS "accountId", m.kind, m.status, m.recipient, m.sender, m.body,
  ${carrierOf('m')} AS carrier, m.carrier_id AS "carrierId", m.attempts,
  coalesce(m.send_at, m.created_at) AS "waitsSince",
  m.claimed_at AS "claimedAt",
  now() - m.claimed_at > make_interval(secs => $1) AS "leaseOver",
  coalesce(m.expires_at <= now(), false) AS expired,
  m.check_kind = 'hedge' AS "isSlow",
  ${hedgeSecondsOf('m')} > 0 AS "isFast"
FROM (SELECT coalesce(sum(cardinality(message_ids)), 0)::int AS looked FROM taken) total
LEFT JOIN (SELECT DISTINCT ON (id) * FROM looked WHERE acts ORDER BY id, check_kind = 'hedge' DESC) m ON true
`,
} as const;

/**
 * Makes scheduled messages whose time has come queued, and writes their check. Returns the messages
 * and the number of schedules in at least one row. Locked schedules belong to another worker. A
 * canceled message does not change.
 */
export const releaseScheduledStatement = {
  name: 'schedules-release-3',
  text: `
WITH found AS MATERIALIZED (
  SELECT due_at, id, message_ids FROM message_checks WHERE kind = 'scheduled' AND due_at <= now() AND NOT canceled
  ORDER BY due_at, id LIMIT ${CHECKED_MAX} FOR UPDATE SKIP LOCKED
),
bounded AS (
  SELECT due_at, id, sum(cardinality(message_ids)) OVER earlier AS messages,
    row_number() OVER earlier AS nth FROM found
  WINDOW earlier AS (ORDER BY due_at, id)
),
taken AS MATERIALIZED (
  DELETE FROM message_checks s USING bounded b
  WHERE s.kind = 'scheduled' AND s.due_at = b.due_at AND s.id = b.id
    AND (b.messages <= ${CHECKED_MAX} OR b.nth = 1)
  RETURNING s.message_ids
),
released AS (
  UPDATE messages m SET status = 'queued'
  FROM (SELECT unnest(message_ids) AS id FROM taken ORDER BY 1) due
  WHERE m.id = due.id AND m.status = 'scheduled'
  RETURNING m.id, m.account_id, m.kind
),
checked AS (${insertQueuedChecks('released')})
SELECT total.schedules, released.id, released.account_id AS "accountId", released.kind
FROM (SELECT count(*)::int AS schedules FROM taken) total LEFT JOIN released ON true
`,
} as const;

/**
 * Makes queued messages due now; returns an upper bound of their number. The database counts: a
 * million ids would be a quarter of a gigabyte in the worker.
 */
const expediteStatement = {
  name: 'due-expedite-4',
  text: `
WITH checked AS (
  UPDATE message_checks SET due_at = now() WHERE kind IN ('queued', 'retry') AND due_at > now()
    RETURNING cardinality(message_ids) AS messages
)
SELECT coalesce(sum(messages), 0)::int AS count FROM checked
`,
} as const;

/** Parameters: recipient, id of the message that is left out, lease in seconds, number of the carrier. */
export const unsettledStatement = {
  name: 'messages-unsettled-1',
  text: `
SELECT id, sender, body AS text,
  CASE kind WHEN 'mms' THEN (SELECT cardinality(sent_ids) FROM message_media f WHERE f.message_id = m.id) ELSE 0 END
    AS files,
  attempts, coalesce(send_at, created_at) AS "waitsSince", claimed_at AS "claimedAt",
  now() - claimed_at > make_interval(secs => $3) AS "leaseOver"
FROM messages m
WHERE recipient = $1 AND id <> $2 AND ${carrierOf('m')} = $4 AND status = 'sending' AND kind <> 'otp'
  AND carrier_id IS NULL
ORDER BY id DESC LIMIT ${UNSETTLED_MAX}`,
  shared: true,
} as const;

/** Parameters: recipient, ids of a carrier, the carrier's number. */
const knownCarrierIdsStatement = {
  name: 'messages-known-carrier-ids-1',
  text: `
SELECT carrier_id FROM messages m
WHERE recipient = $1 AND carrier_id = ANY($2::text[]) AND ${carrierOf('m')} = $3`,
  shared: true,
} as const;

/** Parameter: recipient. */
const lockRecipientStatement = {
  name: 'messages-settle-lock-1',
  text: `SELECT pg_advisory_xact_lock(hashtext('settle'), hashtext($1))`,
} as const;

interface DueMessageFields {
  readonly id: string;
  readonly accountId: string;
  readonly kind: MessageKind;
  readonly recipient: string;
  readonly sender: string;
  readonly body: string;
  /** Number of the carrier that last got the message. */
  readonly carrier: number;
  /** The number of its last claim. */
  readonly attempts: number;
  /** Whether the message must not be handed to the carrier any more. */
  readonly expired: boolean;
  /** Whether to try another route because the present one takes too long. */
  readonly isSlow: boolean;
  /** Whether the message is delivered `fast`. */
  readonly isFast: boolean;
}

/** A message whose claim has no outcome yet. */
export interface ClaimedDueMessage extends DueMessageFields {
  readonly status: 'sending';
  /** Time of acceptance, or the time for which it was scheduled. */
  readonly waitsSince: Date;
  readonly claimedAt: Date;
  /** Whether its claim is older than the lease. */
  readonly leaseOver: boolean;
}

export type DueMessage =
  | (DueMessageFields & { readonly status: 'queued' })
  | ClaimedDueMessage
  | (DueMessageFields & { readonly status: 'sent'; readonly carrierId: string });

/** A row of the statement that takes checks: only the count if no message needs action. */
type CheckedRow = { readonly looked: number } & (DueMessage | { readonly id: null });

/** A scheduled message that is queued now. */
type ReleasedMessage = Pick<DueMessageFields, 'id' | 'accountId' | 'kind'>;

/**
 * A row of the statement that releases messages: only the count if no message is to be released.
 */
export type ReleasedRow = { readonly schedules: number } & (ReleasedMessage | { readonly id: null });

/** Takes the rows that recovery handles. */
@Injectable()
export class DueMessagesRepository {
  constructor(private readonly postgres: Postgres) {}

  /**
   * Takes at most a batch of due messages; may return fewer than are due, but none only if none is
   * due.
   */
  async take(leaseSeconds: number, lookupSeconds: number): Promise<DueMessage[]> {
    for (;;) {
      const rows = await this.postgres.query<CheckedRow>(takeChecksStatement, [leaseSeconds, lookupSeconds]);
      const due = rows.filter((row) => row.id !== null);
      if (due.length > 0 || !rows[0]?.looked) return due.map(({ looked: _looked, ...message }) => message);
    }
  }

  /**
   * Makes a batch of scheduled messages whose time has come queued; returns them and whether there
   * may be more.
   */
  async releaseScheduled(): Promise<{ messages: ReleasedMessage[]; more: boolean }> {
    const rows = await retryUndone(() => this.postgres.query<ReleasedRow>(releaseScheduledStatement, []));
    return { messages: rows.filter((row) => row.id !== null), more: (rows[0]?.schedules ?? 0) > 0 };
  }

  /** Makes every queued message due now, because the queue lost its data; returns their number. */
  async expedite(): Promise<number> {
    const counts = await this.postgres.queryEachInReach<{ count: number }>(expediteStatement, []);
    return counts.reduce((sum, { count }) => sum + count, 0);
  }

  /** Returns which of a carrier's ids belong to messages to this recipient. */
  async knownCarrierIds(
    tx: EntityManager,
    { recipient, carrier }: ClaimedDueMessage,
    carrierIds: string[],
  ): Promise<Set<string>> {
    const values = [recipient, carrierIds, carrier];
    const rows = await this.postgres.run<{ carrier_id: string }>(tx, knownCarrierIdsStatement, values);
    return new Set(rows.map(({ carrier_id }) => carrier_id));
  }

  /**
   * Returns other messages to the recipient by the same carrier without an outcome, and whether
   * their lease is over. The text of a one-time password is not included, and no message equals it.
   */
  async unsettledTo(
    tx: EntityManager,
    { id, kind, recipient, carrier }: ClaimedDueMessage,
    leaseSeconds: number,
  ): Promise<(UnsettledMessage & { readonly leaseOver: boolean })[]> {
    if (kind === 'otp') return [];
    return this.postgres.run(tx, unsettledStatement, [recipient, id, leaseSeconds, carrier]);
  }

  /**
   * Lets one worker at a time match the carrier's records of a recipient, until the transaction
   * ends.
   */
  async lockRecipient(tx: EntityManager, recipient: string): Promise<void> {
    await this.postgres.run(tx, lockRecipientStatement, [recipient]);
  }
}
