import { carrierCodes } from '#contract/delivery-errors.js';
import { smppNetworkCodes } from '#contract/smpp-codes.js';
import { limits } from '#contract/limits.js';
import { bindNumbers, carrierNumbers, mayChangeRoute } from '#contract/carrier-codes.js';
import { JUDGED_MIN } from '../rules/route-health.js';
import { hasOperatorNumbers, isOwnNumber } from '../numbers/numbers.sql.js';
import { hedgeSecondsOf } from '../rules/delivery.js';
import { carrierOf } from '../carriers/carrier-senders.js';

/** Messages that were accepted earlier, such as scheduled messages, are ignored. */
const ACCEPTED_SECONDS = 65 * 60;
/**
 * At most this many messages of each slice of time are examined, however many the service sends.
 */
const SLICE_SECONDS = 30;
const SLICE_MESSAGES = 100;
const SLICES = ACCEPTED_SECONDS / SLICE_SECONDS;
/** Maximum of earlier hand-overs that are examined. */
const ATTEMPTS_MAX = 10_000;
/** Minimum wait, so that no caller makes a route look slow with a shorter time. */
const FAST_SECONDS_MIN = limits.hedgeSecondsDefault;
/** A message that is delivered `once` should have a receipt within this time. */
const ONCE_SECONDS = 240;

/** SQL: seconds within which a message should be delivered. */
const waitSecondsOf = (message: string) =>
  `greatest(${FAST_SECONDS_MIN}, coalesce(nullif(${hedgeSecondsOf(message)}, 0), ${ONCE_SECONDS}))`;
/** SQL condition: a message has no choice of routes, because a single account has its sender. */
const isFromOwnSender = (message: string) =>
  `(${isOwnNumber(`${message}.sender`)} OR ${hasOperatorNumbers(`${message}.account_id`)})`;

/** Stands for the codes of receipts of all SMPP binds among the carriers. */
const NETWORK_TABLE = 0;
/** SQL: the carrier whose table has the code of a message: binds share two tables. */
const tableOf = (message: string) =>
  `CASE WHEN ${message}.carrier < ${bindNumbers.first} THEN ${message}.carrier
    WHEN ${message}.error_code = 'not_delivered' THEN ${NETWORK_TABLE} ELSE ${carrierNumbers.smpp} END`;

/**
 * Figures of each route's messages. Of the last ten minutes: messages that can be judged, bad
 * messages, and bad messages among the newest. Of the last hour: messages that have an outcome or
 * had time for it, delivered messages, and the times from the hand-over to the receipt. Parameters:
 * carriers and codes for which the route is to blame. A message that is back in the queue was not
 * taken. If receipts prove nothing, only messages that were not taken are bad. A message that was
 * handed to several routes counts for each. A sender that one account has to itself has no choice
 * of routes, so its messages do not count. The figures of the account with the most bad messages
 * are separate, so that it alone cannot make a route look bad to the others.
 */
export const routeFiguresStatement = {
  name: 'route-figures-6',
  text: `
WITH looked AS MATERIALIZED (
  SELECT m.account_id, m.country, ${carrierOf('m')} AS carrier, m.status, m.error_code, m.carrier_error, m.claimed_at,
    coalesce(m.finished_at, now()) - m.claimed_at AS took, make_interval(secs => ${waitSecondsOf('m')}) AS wait
  FROM generate_series(-1, ${SLICES - 1}) AS slice
  CROSS JOIN LATERAL (
    SELECT * FROM messages
    WHERE id >= uuid_v7_floor(now() - make_interval(secs => (slice + 1) * ${SLICE_SECONDS}))
      AND id < uuid_v7_floor(now() - make_interval(secs => slice * ${SLICE_SECONDS}))
      AND claimed_at > now() - interval '1 hour' AND status <> 'canceled' AND NOT ${isFromOwnSender('messages')}
    ORDER BY id LIMIT ${SLICE_MESSAGES}
  ) m
  UNION ALL
  SELECT m.account_id, m.country, a.carrier,
    CASE
      WHEN a.outcome = 'not_taken' AND a.carrier_error IS NULL THEN 'queued'
      WHEN a.outcome = 'not_taken' THEN 'failed'
      ELSE coalesce(a.receipt, 'sent')
    END,
    CASE a.outcome WHEN 'not_taken' THEN 'carrier_refused' ELSE 'not_delivered' END, a.carrier_error, a.handed_at,
    coalesce(a.receipt_at, now()) - a.handed_at, make_interval(secs => ${waitSecondsOf('m')})
  FROM (
    SELECT * FROM message_attempts
    WHERE created_at > now() - make_interval(secs => ${ACCEPTED_SECONDS}) AND NOT current
    ORDER BY created_at DESC LIMIT ${ATTEMPTS_MAX}
  ) a
  JOIN messages m ON m.id = a.message_id
  WHERE a.handed_at > now() - interval '1 hour' AND NOT ${isFromOwnSender('a')}
),
judged AS (
  SELECT l.*, r.receipt_level <> 'none' AS has_receipts,
    CASE
      WHEN l.status = 'queued' OR l.error_code = 'carrier_unavailable' THEN true
      WHEN l.status IN ('undelivered', 'failed') AND l.carrier_error IS NOT NULL THEN EXISTS (
        SELECT FROM unnest($1::smallint[], $2::integer[]) AS n (carrier, code)
        WHERE n.carrier = ${tableOf('l')} AND n.code = l.carrier_error
      )
      WHEN l.status IN ('undelivered', 'failed') THEN
        CASE WHEN l.error_code IN ('carrier_refused', 'not_delivered') THEN false END
      WHEN r.receipt_level = 'none' AND l.status <> 'sending' THEN false
      WHEN l.took > l.wait THEN true
      WHEN l.status = 'delivered' THEN false
    END AS bad,
    l.claimed_at > now() - interval '10 minutes' AS is_recent
  FROM looked l JOIN routes r ON r.country = l.country AND r.carrier = l.carrier
),
placed AS (
  SELECT *, row_number() OVER (
    PARTITION BY country, carrier, is_recent AND bad IS NOT NULL ORDER BY claimed_at DESC
  ) AS place
  FROM judged
),
worst AS (
  SELECT DISTINCT ON (country, carrier) * FROM (
    SELECT country, carrier, count(*)::int AS messages, count(*) FILTER (WHERE bad)::int AS bad
    FROM judged WHERE is_recent AND bad IS NOT NULL GROUP BY country, carrier, account_id
  ) accounts
  ORDER BY country, carrier, bad DESC, messages DESC
)
SELECT country, carrier::integer AS carrier,
  count(*) FILTER (WHERE is_recent AND placed.bad IS NOT NULL)::int AS messages,
  count(*) FILTER (WHERE is_recent AND placed.bad)::int AS bad,
  count(*) FILTER (WHERE is_recent AND placed.bad AND place <= ${JUDGED_MIN})::int AS "newestBad",
  coalesce(max(worst.messages), 0) AS "worstMessages", coalesce(max(worst.bad), 0) AS "worstBad",
  count(*) FILTER (WHERE has_receipts AND (status IN ('delivered', 'undelivered', 'failed')
    OR took > interval '${ONCE_SECONDS} seconds'))::int AS "hourMessages",
  count(*) FILTER (WHERE has_receipts AND status = 'delivered')::int AS "hourDelivered",
  (1000 * extract(epoch FROM percentile_disc(0.5) WITHIN GROUP (ORDER BY took)
    FILTER (WHERE has_receipts AND status = 'delivered')))::float8 AS "p50Ms",
  (1000 * extract(epoch FROM percentile_disc(0.95) WITHIN GROUP (ORDER BY took)
    FILTER (WHERE has_receipts AND status = 'delivered')))::float8 AS "p95Ms"
FROM placed LEFT JOIN worst USING (country, carrier) GROUP BY country, carrier`,
} as const;

/** Figures of a route; times in milliseconds, null without a delivered message. */
export interface RouteFigures {
  readonly country: string;
  readonly carrier: number;
  readonly messages: number;
  readonly bad: number;
  readonly newestBad: number;
  /** Figures of the account with the most bad messages. */
  readonly worstMessages: number;
  readonly worstBad: number;
  readonly hourMessages: number;
  readonly hourDelivered: number;
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
}

const codesOfRoutes = Object.entries({ ...carrierCodes, [NETWORK_TABLE]: smppNetworkCodes }).flatMap(
  ([carrier, codes]) =>
    Object.entries(codes)
      .filter(([, { class: failure }]) => mayChangeRoute(failure))
      .map(([code]) => ({ carrier: Number(carrier), code: Number(code) })),
);

/** The parameters of {@link routeFiguresStatement}. */
export const routeFiguresValues = [
  codesOfRoutes.map(({ carrier }) => carrier),
  codesOfRoutes.map(({ code }) => code),
] as const;

/** Selects whether no worker has measured within this time. */
export const isDueStatement = {
  name: 'route-health-due-1',
  text: `SELECT NOT EXISTS (SELECT FROM route_health WHERE measured_at > now() - interval '50 seconds')
    AND EXISTS (SELECT FROM routes) AS due`,
} as const;

export const openPausesStatement = {
  text: `SELECT carrier::integer AS carrier FROM carrier_pauses WHERE resumed_at IS NULL`,
} as const;

/** Minutes since the latest change of each country's weights by its cause, within two days. */
export const latestChangesStatement = {
  text: `
SELECT country, cause, extract(epoch FROM now() - max(at))::float8 / 60 AS minutes
FROM route_changes WHERE at > now() - interval '2 days' AND "from" <> "to" GROUP BY country, cause`,
} as const;

/**
 * Replaces the stored figures. Parameters are arrays: country, carrier, messages, bad messages,
 * messages of the hour, delivered messages, and the two times.
 */
export const storeHealthStatements = [
  `DELETE FROM route_health`,
  `INSERT INTO route_health
     (country, carrier, messages, bad, hour_messages, hour_delivered, p50_ms, p95_ms, measured_at)
   SELECT *, now() FROM unnest($1::text[], $2::smallint[], $3::integer[], $4::integer[], $5::integer[], $6::integer[],
     $7::bigint[], $8::bigint[])`,
] as const;

/**
 * Beginnings and ends of carriers' pauses within a day that no change records yet, oldest first, with
 * the other carriers that were paused then.
 */
export const unrecordedPausesStatement = {
  text: `
SELECT p.id::float8 AS id, p.carrier::integer AS carrier, e.cause, e.at, p.http_status AS "httpStatus",
  p.carrier_error AS "carrierError", p.probes, ARRAY(
    SELECT o.carrier::integer FROM carrier_pauses o
    WHERE o.carrier <> p.carrier AND o.paused_at <= e.at AND (o.resumed_at IS NULL OR o.resumed_at > e.at)
  ) AS "othersPaused"
FROM carrier_pauses p
CROSS JOIN LATERAL (VALUES ('carrier_paused', p.paused_at), ('carrier_resumed', p.resumed_at)) AS e (cause, at)
WHERE e.at > now() - interval '1 day' AND NOT EXISTS (
  SELECT FROM route_changes c
  WHERE c.at > now() - interval '1 day' AND c.cause = e.cause AND c.figures ->> 'pause' = p.id::text
)
ORDER BY e.at`,
} as const;

/** The beginning or the end of a pause. */
export interface PauseEvent {
  readonly id: number;
  readonly carrier: number;
  readonly cause: 'carrier_paused' | 'carrier_resumed';
  readonly at: Date;
  readonly httpStatus: number | null;
  readonly carrierError: number | null;
  readonly probes: number;
  /** Carriers that were paused at that time, besides this one. */
  readonly othersPaused: readonly number[];
}

/**
 * The changes of weights after an instant, newest first: `from` has the weights before each change.
 */
export const weightsSinceStatement = {
  text: `
SELECT country, at, "from" FROM route_changes
WHERE at > $1 AND cause NOT IN ('carrier_paused', 'carrier_resumed') ORDER BY at DESC, id DESC`,
} as const;
