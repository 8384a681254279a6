import { Injectable } from '@nestjs/common';
import { Postgres } from '../platform/database/postgres.js';
import { Every } from '../platform/schedules/every.js';
import { daysUntil, newYorkDay } from '../rules/time.js';
import { instantOf, messageDay, newYorkDayOf } from '../messages/store/day-reservations.sql.js';
import { carrierFigures, daysOfAttempts, startOf, wasTaken } from './carrier-days.sql.js';

const ADDED_UP_EVERY_MS = 3_600_000;
/**
 * After this many days no message is in flight: carriers are asked for missing receipts for four
 * days.
 */
const FINAL_AFTER_DAYS = 6;

/** Lower than every id. */
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/**
 * Selects the first day that is not added up and the next day with messages, or null. Scheduled
 * messages are skipped, since they belong to other days than their ids.
 */
export const nextDayStatement = {
  text: `
SELECT to_char(coalesce(done.last + 1, oldest.day), 'YYYY-MM-DD') AS first, to_char(next.day, 'YYYY-MM-DD') AS last
FROM (SELECT max(day) AS last FROM carrier_days) done
LEFT JOIN LATERAL (
  SELECT ${messageDay('m')} AS day FROM messages m
  WHERE m.send_at IS NULL AND m.id >= coalesce(uuid_v7_floor(${startOf('done.last + 1')}), '${FIRST_ID}')
  ORDER BY m.id LIMIT 1
) next ON true
LEFT JOIN LATERAL (
  SELECT ${newYorkDayOf(instantOf('m.id'))} AS day FROM messages m WHERE done.last IS NULL ORDER BY m.id LIMIT 1
) oldest ON true`,
} as const;

/**
 * Adds up days and deletes the costs of single messages that are in the sums. Parameters: first and
 * last day. Returns the number of rows.
 */
export const addUpStatement = {
  text: `
WITH added AS (
  INSERT INTO carrier_days (account_id, day, country, carrier, messages, credits, real_messages, real_microusd,
    estimated_segments, estimated_microusd)
  SELECT f.account_id, f.day, f.country, f.carrier, f.messages, f.credits, f.real_messages, f.real_microusd,
    f.segments, CASE WHEN f.segments = 0 THEN 0 ELSE f.segments * r.cost_microusd END
  FROM (${carrierFigures('$1::date', '$2::date')}) f
  LEFT JOIN routes r ON r.country = f.country AND r.carrier = f.carrier
  RETURNING day
),
deleted AS (
  DELETE FROM message_costs WHERE day <= $2::date
)
SELECT count(*)::int AS rows FROM added`,
} as const;

/** Figures of one account, country and carrier since a day. */
export interface CarrierSum {
  readonly accountId: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  /** Number of the carrier. */
  readonly carrier: number;
  /** Messages handed over. */
  readonly messages: bigint;
  /** Credits charged and not refunded. */
  readonly credits: bigint;
  /** Cost that the carrier reported. */
  readonly realMicrousd: bigint;
  /** Cost by the price of the route when the day was added up. */
  readonly estimatedMicrousd: bigint;
  /** Segments of the other messages, whose day is not added up yet or had no price. */
  readonly unpricedSegments: bigint;
}

/** A sum as the database returns it: bigint as text. */
export type CarrierSumRow = {
  readonly [Field in keyof CarrierSum]: CarrierSum[Field] extends bigint ? string : CarrierSum[Field];
};

/** Parameters: first and last day. One snapshot: each message is in its day's sums, or not yet. */
export const carrierSumsStatement = {
  name: 'carrier-sums-1',
  text: `
WITH open AS MATERIALIZED (
  SELECT greatest($1::date, (SELECT max(day) + 1 FROM carrier_days)) AS first
)
SELECT account_id AS "accountId", country, carrier::integer AS carrier, sum(messages)::text AS messages,
  sum(credits)::text AS credits, sum(real_microusd)::text AS "realMicrousd",
  sum(coalesce(estimated_microusd, 0))::text AS "estimatedMicrousd",
  coalesce(sum(segments) FILTER (WHERE estimated_microusd IS NULL), 0)::text AS "unpricedSegments"
FROM (
  SELECT account_id, country, carrier, messages, credits, real_microusd, estimated_segments AS segments,
    estimated_microusd
  FROM carrier_days WHERE day BETWEEN $1::date AND $2::date
  UNION ALL
  SELECT account_id, country, carrier, messages, credits, real_microusd, segments, NULL
  FROM (${carrierFigures('(SELECT first FROM open)', '$2::date')}) latest
) either
GROUP BY account_id, country, carrier`,
} as const;

/** Second hand-overs of slow messages to a country and carrier, since a day. */
export interface SlowHandOvers extends Pick<CarrierSum, 'country' | 'carrier' | 'realMicrousd'> {
  readonly handOvers: bigint;
  /** Segments whose cost the carrier did not report. */
  readonly unpricedSegments: bigint;
}

/** Parameters: first and last day. */
export const slowHandOversStatement = {
  text: `
SELECT m.country, a.carrier::integer AS carrier, count(*)::text AS "handOvers",
  coalesce(sum(c.cost_microusd), 0)::text AS "realMicrousd",
  coalesce(sum(m.segments) FILTER (WHERE c.message_id IS NULL), 0)::text AS "unpricedSegments"
FROM message_attempts a
JOIN messages m ON m.account_id = a.account_id AND m.id = a.message_id
LEFT JOIN message_costs c ON c.account_id = m.account_id AND c.message_id = m.id AND c.carrier = a.carrier
WHERE a.reason = 'slow' AND ${daysOfAttempts('$1::date', '$2::date')}
  AND CASE WHEN a.current THEN ${wasTaken} ELSE a.outcome <> 'not_taken' OR a.receipt IS NOT NULL END
GROUP BY m.country, a.carrier`,
} as const;

/**
 * Messages and costs by account and carrier. A worker adds up each day once its messages are final;
 * a read adds the latest days, so that accepting, sending and receipts cost nothing extra.
 */
@Injectable()
export class CarrierDays {
  constructor(private readonly postgres: Postgres) {}

  /** Adds up the next day; returns whether there may be another. */
  @Every({ name: 'carrier days', everyMs: ADDED_UP_EVERY_MS, whileMore: true })
  async addUp(now = new Date()): Promise<boolean> {
    const [final = ''] = daysUntil(newYorkDay(now), FINAL_AFTER_DAYS + 1);
    const added = await this.postgres.asLeader('carrier days', async (tx) => {
      const [next] = await tx.query<{ first: string | null; last: string | null }[]>(nextDayStatement.text);
      if (!next?.first || !next.last || next.last > final) return false;
      await tx.query(addUpStatement.text, [next.first, next.last]);
      return true;
    });
    return added ?? false;
  }

  /** Returns second hand-overs because no receipt came in time, since a New York day. */
  async slowHandOvers(day: string, now = new Date()): Promise<SlowHandOvers[]> {
    const values = [day, newYorkDay(now)];
    const rows = await this.postgres.queryEach<{ readonly [Field in keyof SlowHandOvers]: string }>(
      slowHandOversStatement,
      values,
    );
    return rows.map(({ country, carrier, handOvers, realMicrousd, unpricedSegments }) => ({
      country,
      carrier: Number(carrier),
      handOvers: BigInt(handOvers),
      realMicrousd: BigInt(realMicrousd),
      unpricedSegments: BigInt(unpricedSegments),
    }));
  }

  /** Returns the figures of all accounts since a New York day. */
  async since(day: string, now = new Date()): Promise<CarrierSum[]> {
    const rows = await this.postgres.queryEach<CarrierSumRow>(carrierSumsStatement, [day, newYorkDay(now)]);
    return rows.map((row) => ({
      ...row,
      messages: BigInt(row.messages),
      credits: BigInt(row.credits),
      realMicrousd: BigInt(row.realMicrousd),
      estimatedMicrousd: BigInt(row.estimatedMicrousd),
      unpricedSegments: BigInt(row.unpricedSegments),
    }));
  }
}
