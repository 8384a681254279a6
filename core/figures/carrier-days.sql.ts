import { limits } from '#contract/limits.js';
import { messageDay, newYorkDayOf } from '../messages/store/day-reservations.sql.js';
import { carrierOf } from '../carriers/carrier-senders.js';

/** SQL: start of a New York day. */
export const startOf = (day: string) => `((${day})::timestamp AT TIME ZONE 'America/New_York')`;

/**
 * SQL condition: the carrier of a message took it. The last carrier refused a message that failed
 * without an id.
 */
export const wasTaken = `m.sent_at IS NOT NULL AND NOT (m.status = 'failed' AND m.carrier_id IS NULL)`;

/** SQL condition: the hand-overs `a` of messages `m` of some days. */
export const daysOfAttempts = (first: string, last: string) => `
  a.message_id >= uuid_v7_floor(${startOf(first)} - interval '${limits.sendAtDaysMax + 1} days')
  AND a.message_id < uuid_v7_floor(${startOf(`${last} + 1`)}) AND ${messageDay('m')} BETWEEN ${first} AND ${last}`;

const sums = `messages, credits, real_messages, real_microusd, segments`;

/**
 * SQL: figures of the New York days from `first` to `last`, by account, day, country and carrier:
 * messages handed over, credits kept, messages with a reported cost and this cost, and segments of
 * the others. A day's ids are consecutive, so days need no index; a scheduled message belongs to
 * the day on which it left. A message that several routes took counts once, for the last route, but
 * with the costs of all.
 */
export const carrierFigures = (first: string, last: string) => `
  SELECT account_id, day, country, carrier, sum(messages) AS messages, sum(credits) AS credits,
    sum(real_messages) AS real_messages, sum(real_microusd) AS real_microusd, sum(segments) AS segments
  FROM (
    SELECT m.account_id, m.day, m.country, m.carrier, count(*) FILTER (WHERE m.is_handed) AS messages,
      sum(m.kept) AS credits, 0 AS real_messages, 0 AS real_microusd,
      coalesce(sum(m.segments) FILTER (WHERE m.is_handed AND c.message_id IS NULL), 0) AS segments
    FROM (
      SELECT d.day, m.account_id, m.id, m.country, ${carrierOf('m')} AS carrier, m.segments,
        m.credits - m.refunded AS kept, ${wasTaken} AS is_handed
      FROM (
        SELECT day, uuid_v7_floor(${startOf('day')}) AS first_id, uuid_v7_floor(${startOf('day + 1')}) AS next_id
        FROM (SELECT ${first} + n AS day FROM generate_series(0, ${last} - ${first}) AS n) AS n
      ) d
      JOIN messages m ON m.id >= d.first_id AND m.id < d.next_id
      WHERE m.send_at IS NULL
      UNION ALL
      SELECT ${newYorkDayOf('m.send_at')}, m.account_id, m.id, m.country, ${carrierOf('m')}, m.segments,
        m.credits - m.refunded, ${wasTaken}
      FROM messages m
      WHERE m.send_at >= ${startOf(first)} AND m.send_at < ${startOf(`${last} + 1`)}
        AND m.id >= uuid_v7_floor(${startOf(first)} - interval '${limits.sendAtDaysMax + 1} days')
    ) m
    LEFT JOIN message_costs c ON c.account_id = m.account_id AND c.message_id = m.id AND c.carrier = m.carrier
    GROUP BY m.account_id, m.day, m.country, m.carrier
    UNION ALL
    SELECT m.account_id, ${messageDay('m')}, m.country, a.carrier, 0, 0, 0, 0, sum(m.segments)
    FROM message_attempts a
    JOIN messages m ON m.id = a.message_id
    LEFT JOIN message_costs c ON c.account_id = m.account_id AND c.message_id = m.id AND c.carrier = a.carrier
    WHERE NOT a.current AND (a.outcome = 'accepted' OR a.receipt IS NOT NULL) AND c.message_id IS NULL
      AND ${daysOfAttempts(first, last)}
    GROUP BY m.account_id, ${messageDay('m')}, m.country, a.carrier
    UNION ALL
    SELECT account_id, day, country, carrier, 0, 0, count(*), sum(cost_microusd), 0
    FROM message_costs WHERE day BETWEEN ${first} AND ${last} GROUP BY account_id, day, country, carrier
  ) AS parts (account_id, day, country, carrier, ${sums})
  GROUP BY account_id, day, country, carrier`;
