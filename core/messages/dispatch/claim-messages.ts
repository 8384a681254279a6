import { Injectable } from '@nestjs/common';
import type { MessageKind } from '#contract/messages.js';
import { carrierNumbers } from '#contract/carrier-codes.js';
import { Config } from '../../platform/config/config.js';
import { Postgres } from '../../platform/database/postgres.js';
import { BatchClaim, type Claimed } from '../../platform/durable-work/durable-work.js';
import { AccountEvents } from '../../platform/events/account-events.js';
import { hedgeSecondsOf } from '../../rules/delivery.js';
import { DispatchQueue } from '../../platform/queue/queues.js';
import { newYorkDayOf } from '../store/day-reservations.sql.js';
import { insertChecks, insertClaimChecks } from '../store/checks.sql.js';
import { joinBought } from '../../numbers/numbers.sql.js';
import { holdsFor } from '../store/opt-outs.sql.js';
import { carrierOfSender, CarrierSenders, joinSenders } from '../../carriers/carrier-senders.js';
import { Carriers } from '../../carriers/carrier.js';

const WAITING_MAX = 2_000;

/**
 * SQL: number of messages of an upsert that still fit the day's limit. Scheduled messages have
 * reserved places; others may not take these.
 */
const granted = `(
      least(excluded.scheduled, greatest(0, a.daily_limit - d.count))
      + least(
        greatest(0, excluded.last_granted - excluded.scheduled), greatest(0, a.daily_limit - d.count - d.scheduled)
      )
    )`;

/**
 * Claims queued messages for this worker and counts each once against its account's New York day;
 * parameters: ids, lease in seconds, whether they are probes, {@link CarrierSenders.values}, for
 * each id whether its job is from a carrier's own queue, the carriers whose messages the shared
 * queue and such a queue leave to others, and whether there are several carriers. A message that
 * has expired, or whose recipient has opted out or whose number was released since it was accepted,
 * is refused: it may have waited for its time, in a backlog, for a retry or in a pause. While its
 * carrier is paused only probes are claimed, and nothing is counted. A second runner finds nothing
 * to claim. `last_granted` tells the statement how many of its messages the day still had room for:
 * an upsert cannot return the count it found.
 *
 * Messages are locked one by one in the order of their ids, each found by its key: a join with a
 * plan from before a month's first message reads the whole month for each batch.
 *
 * A message goes to the carrier of its sender; the statement itself reads at which carrier a number
 * was bought, so that no process hands its message to another carrier from outdated data. With
 * several carriers it also plans when to try another route for a message that is delivered `fast`.
 */
export const claimStatement = {
  name: 'claim-17',
  text: `
WITH pause AS (
  SELECT array_agg(carrier) AS paused FROM carrier_pauses WHERE resumed_at IS NULL AND NOT $3::boolean
),
due AS MATERIALIZED (
  SELECT m.id, m.account_id, m.kind, m.counted_on, m.send_at, a.daily_limit, ${carrierOfSender(4)} AS carrier,
    CASE
      WHEN m.expires_at <= now() THEN 'expired'
      WHEN a.blocked_at IS NOT NULL THEN 'account_blocked'
      WHEN a.delivery_suspended_at IS NOT NULL THEN 'delivery_suspended'
      WHEN bought.has_left THEN 'sender_released'
      WHEN ${carrierOfSender(4)} = ANY (
        pause.paused || CASE WHEN job.is_own THEN $9::smallint[] ELSE $8::smallint[] END
      ) THEN 'paused'
      WHEN EXISTS (SELECT FROM opt_outs o WHERE o.recipient = m.recipient
        AND ${holdsFor('o', { account: 'm.account_id', sender: 'm.sender' })}) THEN 'recipient_opted_out'
    END AS refusal
  FROM (
    SELECT id, bool_or(is_own) AS is_own FROM unnest($1::uuid[], $7::boolean[]) AS given (id, is_own)
    GROUP BY id ORDER BY id
  ) AS job
  CROSS JOIN LATERAL (
    SELECT * FROM messages WHERE messages.id = job.id AND status = 'queued' FOR NO KEY UPDATE
  ) AS m
  CROSS JOIN LATERAL (SELECT * FROM accounts WHERE id = m.account_id OFFSET 0) AS a
  ${joinSenders('m', 4)}
  ${joinBought('m', 'senders.sender IS NULL')}
  CROSS JOIN pause
),
today AS (SELECT (now() AT TIME ZONE 'America/New_York')::date AS day),
counted AS (
  INSERT INTO daily_counts AS d (account_id, day, count, last_granted, scheduled)
  SELECT account_id, day, least(wanted, daily_limit), least(wanted, daily_limit), reserved
  FROM (
    SELECT account_id, daily_limit, day, count(*)::int AS wanted,
      count(*) FILTER (WHERE ${newYorkDayOf('send_at')} = day)::int AS reserved
    FROM due, today WHERE counted_on IS NULL AND refusal IS NULL
    GROUP BY account_id, daily_limit, day
    ORDER BY account_id
  ) w
  ON CONFLICT (account_id, day) DO UPDATE SET (last_granted, count, scheduled) = (
    SELECT ${granted}, d.count + ${granted}, greatest(0, d.scheduled - excluded.scheduled)
    FROM accounts a WHERE a.id = d.account_id
  )
  RETURNING account_id, last_granted
),
ranked AS (
  SELECT
    *,
    row_number() OVER (
      PARTITION BY account_id, counted_on IS NULL
      ORDER BY ${newYorkDayOf('send_at')} = ${newYorkDayOf('now()')} DESC NULLS LAST, id
    ) AS rank
  FROM due
  WHERE refusal IS NULL
),
claimed AS (
  UPDATE messages m
  SET status = 'sending', attempts = m.attempts + 1, counted_on = coalesce(m.counted_on, today.day),
    claimed_at = now(), carrier = nullif(ranked.carrier, ${carrierNumbers.twilio})
  FROM ranked LEFT JOIN counted ON counted.account_id = ranked.account_id, today
  WHERE m.id = ranked.id AND (ranked.counted_on IS NOT NULL OR ranked.rank <= counted.last_granted)
  RETURNING m.id, m.recipient, m.sender, m.body, m.attempts, m.created_at, m.claimed_at,
    m.send_at, m.expires_at, CASE WHEN $10::boolean THEN ${hedgeSecondsOf('m')} ELSE 0 END AS hedge_seconds
),
hedged AS (${insertChecks(
    'hedge',
    `(
  SELECT id, attempts, now() + make_interval(secs => hedge_seconds) AS due_at FROM claimed WHERE hedge_seconds > 0
) h`,
  )}),
checked AS (${insertClaimChecks('claimed', 'now() + make_interval(secs => $2)')})
SELECT
  due.id,
  due.account_id AS "accountId",
  due.kind,
  due.carrier,
  CASE WHEN claimed.id IS NOT NULL THEN 'claimed' ELSE coalesce(due.refusal, 'daily_limit') END AS verdict,
  claimed.recipient,
  claimed.sender,
  claimed.body,
  claimed.attempts,
  coalesce(claimed.send_at, claimed.created_at) AS "waitsSince",
  extract(epoch FROM claimed.expires_at - now())::float8 AS "validSeconds"
FROM due LEFT JOIN claimed ON claimed.id = due.id
`,
} as const;

interface DueClaim {
  readonly id: string;
  readonly accountId: string;
  readonly kind: MessageKind;
  /** Number of the carrier that gets the message. */
  readonly carrier: number;
}

export interface ClaimedMessage extends DueClaim {
  readonly verdict: 'claimed';
  readonly recipient: string;
  readonly sender: string;
  readonly body: string;
  /** The number of this claim. */
  readonly attempts: number;
  /** Time of acceptance, or the time for which it was scheduled. */
  readonly waitsSince: Date;
  /** The carrier must have it within this time, by the database's clock. */
  readonly validSeconds: number | null;
}

/** A message that the claim refused; it fails with this code. */
export interface RefusedClaim extends DueClaim {
  readonly verdict:
    | 'daily_limit'
    | 'account_blocked'
    | 'delivery_suspended'
    | 'recipient_opted_out'
    | 'sender_released'
    | 'expired';
}

/** A message that stays queued because its carrier is paused or has another queue. */
export interface PausedClaim extends DueClaim {
  readonly verdict: 'paused';
}

/** A row of the claim statement. */
export type ClaimRow = ClaimedMessage | RefusedClaim | PausedClaim;

/** Claims messages for this worker: queued → sending, with a lease. */
@Injectable()
export class ClaimMessages {
  /** Hint: whether the job is from a carrier's own queue. */
  private readonly claims: BatchClaim<ClaimRow, boolean>;
  private readonly probes: BatchClaim<ClaimRow, boolean>;

  constructor(
    private readonly postgres: Postgres,
    private readonly accountEvents: AccountEvents,
    private readonly queue: DispatchQueue,
    private readonly carrierSenders: CarrierSenders,
    private readonly carriers: Carriers,
    private readonly config: Config,
  ) {
    const lease = { leaseMs: config.dispatch.leaseSeconds * 1_000, waitingMax: WAITING_MAX };
    this.claims = new BatchClaim({ ...lease, claim: (ids, areOwn) => this.claimBatch(ids, areOwn, false) });
    this.probes = new BatchClaim({ ...lease, claim: (ids, areOwn) => this.claimBatch(ids, areOwn, true) });
  }

  /**
   * Returns undefined when the message is no longer queued. `isOwnQueue`: the job is from a
   * carrier's own queue.
   */
  claim(id: string, isOwnQueue = false): Promise<Claimed<ClaimRow> | undefined> {
    return this.claims.claim(id, isOwnQueue);
  }

  /** As {@link claim}, even while the message's carrier is paused. */
  claimProbe(id: string): Promise<Claimed<ClaimRow> | undefined> {
    return this.probes.claim(id, true);
  }

  private async claimBatch(ids: string[], areOwnQueue: boolean[], areProbes: boolean): Promise<ClaimRow[]> {
    const rows = await this.postgres.query<ClaimRow>(claimStatement, [
      ids,
      this.config.dispatch.leaseSeconds,
      areProbes,
      ...this.carrierSenders.values,
      areOwnQueue,
      this.carriers.elsewhere(false),
      this.carriers.elsewhere(true),
      this.config.carriers.length > 1,
    ]);
    for (const { id, accountId, verdict } of rows) {
      if (verdict !== 'paused') this.queue.started(accountId);
      if (verdict === 'claimed') this.accountEvents.changed(accountId, id);
    }
    return rows;
  }
}
