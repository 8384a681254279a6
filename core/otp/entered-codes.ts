import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { limits } from '#contract/limits.js';
import { hasOperatorNumbers, isOwnNumber } from '../numbers/numbers.sql.js';
import { carrierOf } from '../carriers/carrier-senders.js';
import { Routes } from '../routes/routes.js';
import { Postgres } from '../platform/database/postgres.js';
import { Every } from '../platform/schedules/every.js';
import { doubtsOf, takesRandomRouteSql, type EnteredCodes } from '../rules/entered-codes.js';

const COUNTED_EVERY_MS = 300_000;
const HOUR_MS = 3_600_000;
/** Hours after which codes are over and their receipts have come. */
const SETTLED_HOURS = 3;
/** Hours after which codes may have been deleted. */
const REMEMBERED_HOURS = limits.otpRememberedHours - 2;
const JUDGED_DAYS = 7;

/** One worker counts at a time. The next hour begins at `from`; null while it is not over. */
export const nextHourStatement = {
  name: 'entered-codes-next-hour-1',
  text: `
SELECT CASE WHEN next.hour + interval '${1 + SETTLED_HOURS} hours' <= now() THEN next.hour END AS "from"
FROM (
  SELECT greatest(
    (SELECT until FROM route_codes_counted),
    date_trunc('hour', now()) - interval '${REMEMBERED_HOURS} hours'
  ) AS hour
) next`,
} as const;

/**
 * Codes that took a random route, were sent in a time span and reported as delivered. Parameters:
 * start and exclusive end of the span. A resent code counts as not entered: its message may never
 * have arrived. Accounts with their own senders choose no route.
 */
export const countCodesStatement = {
  name: 'entered-codes-3',
  text: `
SELECT m.country, ${carrierOf('m')}::integer AS carrier, to_char(c.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day,
  count(*)::int AS delivered,
  (count(*) FILTER (WHERE c.state = 'used' AND NOT EXISTS (
    SELECT FROM otp_resends r WHERE r.code_id = c.id
  )))::int AS entered
FROM otp_codes c
JOIN messages m ON m.id = c.id
JOIN routes r ON r.country = m.country AND r.carrier = ${carrierOf('m')}
WHERE c.id >= uuid_v7_floor($1::timestamptz) AND c.id < uuid_v7_floor($2::timestamptz)
  AND m.id >= uuid_v7_floor($1::timestamptz) AND m.id < uuid_v7_floor($2::timestamptz)
  AND ${takesRandomRouteSql('c.id')} AND m.status = 'delivered'
  AND NOT ${hasOperatorNumbers('c.account_id')} AND NOT ${isOwnNumber('m.sender')}
  AND NOT EXISTS (SELECT FROM message_attempts a WHERE a.message_id = m.id)
GROUP BY 1, 2, 3`,
} as const;

/** Adds counts. Parameters are arrays: country, carrier, day, delivered, entered. */
export const addCodesStatement = {
  name: 'entered-codes-add-1',
  text: `
INSERT INTO route_code_days AS d (country, carrier, day, delivered, verified)
SELECT country, carrier, day, sum(delivered), sum(entered)
FROM unnest($1::text[], $2::smallint[], $3::date[], $4::integer[], $5::integer[])
  AS n (country, carrier, day, delivered, entered)
GROUP BY country, carrier, day
ON CONFLICT (country, carrier, day) DO UPDATE SET
  delivered = d.delivered + excluded.delivered, verified = d.verified + excluded.verified`,
} as const;

/** Parameter: the end of the hour that was counted. */
const moveStatement = {
  name: 'entered-codes-move-1',
  text: `
INSERT INTO route_codes_counted (until) VALUES ($1) ON CONFLICT (id) DO UPDATE SET until = excluded.until`,
} as const;

/** Counts of a week, from the day after the operator set or released the country's weights. */
export const weekOfCodesStatement = {
  name: 'entered-codes-week-2',
  text: `
SELECT d.country, d.carrier::integer AS carrier, sum(d.delivered)::int AS delivered, sum(d.verified)::int AS entered
FROM route_code_days d
WHERE d.day > (now() AT TIME ZONE 'UTC')::date - ${JUDGED_DAYS} AND NOT EXISTS (
  SELECT FROM route_changes c
  WHERE c.country = d.country AND (c.at AT TIME ZONE 'UTC')::date >= d.day AND (c.cause = 'weight'
    OR c.cause = 'apply'
      AND c.figures @? '$.changes[*] ? (@.field == "weight" || @.field == "held" && @.to == null)')
)
GROUP BY d.country, d.carrier ORDER BY d.country, d.carrier`,
} as const;

export interface CountedCodes extends EnteredCodes {
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  readonly day: string;
}

/**
 * Counts by route how many codes reported as delivered are entered, each hour once, and doubts the
 * receipts of routes with too few.
 */
@Injectable()
export class EnteredCodesByRoute {
  constructor(
    private readonly postgres: Postgres,
    private readonly routes: Routes,
  ) {}

  /** Counts the next hour if it is over; returns whether there may be another hour. */
  @Every({
    name: 'entered codes',
    everyMs: ({ carriers }) => (carriers.length > 1 ? COUNTED_EVERY_MS : null),
    whileMore: true,
    wholeDatabase: true,
  })
  async run(): Promise<boolean> {
    const from = await this.nextHour();
    if (!from) return false;
    const to = new Date(from.getTime() + HOUR_MS);
    const counted = await this.postgres.queryEachInReach<CountedCodes>(countCodesStatement, [from, to]);
    await this.postgres.asLeader('entered codes', (tx) => this.store(tx, counted, from, to));
    await this.judge();
    return true;
  }

  private async nextHour(tx?: EntityManager): Promise<Date | undefined> {
    const rows = tx
      ? await this.postgres.run<{ from: Date | null }>(tx, nextHourStatement, [])
      : await this.postgres.query<{ from: Date | null }>(nextHourStatement, []);
    return rows[0]?.from ?? undefined;
  }

  /** Another worker may have counted the hour meanwhile. */
  private async store(tx: EntityManager, counted: readonly CountedCodes[], from: Date, to: Date): Promise<void> {
    if ((await this.nextHour(tx))?.getTime() !== from.getTime()) return;
    await this.postgres.run(tx, addCodesStatement, [
      counted.map(({ country }) => country),
      counted.map(({ carrier }) => carrier),
      counted.map(({ day }) => day),
      counted.map(({ delivered }) => delivered),
      counted.map(({ entered }) => entered),
    ]);
    await this.postgres.run(tx, moveStatement, [to]);
  }

  private async judge(): Promise<void> {
    const week = await this.postgres.query<Omit<CountedCodes, 'day'>>(weekOfCodesStatement, []);
    for (const country of new Set(week.map((one) => one.country))) {
      const routes = week.filter((one) => one.country === country);
      await this.routes.judgeReceipts(country, doubtsOf(routes), routes);
    }
  }
}
