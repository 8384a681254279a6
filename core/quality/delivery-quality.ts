import { Injectable } from '@nestjs/common';
import { limits } from '#contract/limits.js';
import type { QualityAnswer, QualityCell } from '#contract/public-figures.js';
import { Postgres } from '../platform/database/postgres.js';
import { Snapshot } from '../platform/database/snapshot.js';
import { purge, type PurgeRule } from '../platform/durable-work/retention.js';
import { Every } from '../platform/schedules/every.js';

/** Interval of the search for days to compute; most runs find none. */
const COMPUTED_EVERY_MS = 60_000;

/** Days before today whose late receipts still count. */
const OPEN_DAYS = 3;
/**
 * Today's figures change all the time, earlier days only with late receipts. The cost of reading a
 * day grows with its messages.
 */
const REFRESH_MINUTES = { today: 15, before: 360 };
const ANSWER_KEPT_MS = 60_000;

const today = `(now() AT TIME ZONE 'UTC')::date`;
const firstDay = `(${today} - ${limits.qualityDays - 1})`;
/** SQL condition: a row was computed long enough ago, or before its day closed. */
const isDue = (row: string) => `(${row}.computed_at <= now() - make_interval(mins => CASE
  WHEN ${row}.day = ${today} THEN ${REFRESH_MINUTES.today} ELSE ${REFRESH_MINUTES.before} END)
  AND ${row}.computed_at < (${row}.day + ${OPEN_DAYS + 1})::timestamp AT TIME ZONE 'UTC')`;

/**
 * Days to compute, newest first. A day without messages never has a row and is read again: an empty
 * range of the index.
 */
const dueDaysStatement = {
  text: `
SELECT to_char(d.day, 'YYYY-MM-DD') AS day
FROM (SELECT ${today} - n AS day FROM generate_series(0, ${limits.qualityDays - 1}) n) d
WHERE NOT EXISTS (SELECT 1 FROM delivery_quality q WHERE q.day = d.day AND NOT ${isDue('q')})
ORDER BY d.day DESC`,
  shared: true,
} as const;

/** Tells whether another worker has just computed a day. Parameter: the day. */
const isDoneStatement = `SELECT 1 FROM delivery_quality q WHERE q.day = $1::date AND NOT ${isDue('q')} LIMIT 1`;

/**
 * Parameters: first instant of the day and of the next. The ids' range selects the partition.
 * Messages count on the day of their id, whenever they are due; canceled messages do not count.
 * One-time passwords belong to the day of that date in New York.
 */
export const computeStatement = {
  text: `
WITH codes AS MATERIALIZED (
  SELECT country, count(DISTINCT account_id)::int AS accounts, sum(sent)::bigint AS sent,
    sum(verified)::bigint AS verified
  FROM otp_days WHERE day = ($1::timestamptz AT TIME ZONE 'UTC')::date AND sent > 0 GROUP BY country
),
final AS MATERIALIZED (
SELECT country,
  count(DISTINCT account_id) FILTER (WHERE status IN ('delivered', 'undelivered', 'failed')) AS accounts,
  count(*) FILTER (WHERE status IN ('delivered', 'undelivered', 'failed')) AS messages,
  count(*) FILTER (WHERE status = 'delivered') AS delivered,
  percentile_disc(0.5) WITHIN GROUP (ORDER BY ms) FILTER (WHERE status = 'delivered') AS median_ms,
  percentile_disc(0.95) WITHIN GROUP (ORDER BY ms) FILTER (WHERE status = 'delivered') AS p95_ms
FROM (
  SELECT country, account_id, status,
    greatest(round(extract(epoch FROM coalesce(finished_at, created_at) - coalesce(send_at,
      created_at)) * 1000), 0)::bigint AS ms
  FROM messages WHERE id >= uuid_v7_floor($1::timestamptz) AND id < uuid_v7_floor($2::timestamptz)
) m
GROUP BY country
)
INSERT INTO delivery_quality AS q (day, country, accounts, messages, delivered, median_ms, p95_ms, computed_at,
  otp_accounts, otps, verified)
SELECT ($1::timestamptz AT TIME ZONE 'UTC')::date, f.country, f.accounts, f.messages, f.delivered, f.median_ms,
  f.p95_ms, now(), coalesce(c.accounts, 0), coalesce(c.sent, 0), coalesce(c.verified, 0)
FROM final f LEFT JOIN codes c ON c.country = f.country
ON CONFLICT (day, country) DO UPDATE SET accounts = excluded.accounts, messages = excluded.messages,
  delivered = excluded.delivered, median_ms = excluded.median_ms, p95_ms = excluded.p95_ms,
    computed_at = excluded.computed_at, otp_accounts = excluded.otp_accounts, otps = excluded.otps,
    verified = excluded.verified`,
} as const;

const qualityStatement = {
  name: 'delivery-quality-2',
  text: `
SELECT to_char(day, 'YYYY-MM-DD') AS day, country, accounts, messages::float8 AS messages,
  delivered::float8 AS delivered,
  median_ms::float8 AS "medianMs", p95_ms::float8 AS "p95Ms", computed_at AS "computedAt",
  otp_accounts AS "otpAccounts", otps::float8 AS otps, verified::float8 AS verified
FROM delivery_quality WHERE day >= ${firstDay} ORDER BY day DESC, country`,
  shared: true,
} as const;

const expired: PurgeRule = {
  table: 'delivery_quality',
  key: ['day', 'country'],
  expired: `day < ${today} - ($1::int - 1)`,
};

/** A day and country as stored. */
export interface QualityRow {
  readonly day: string;
  readonly country: string;
  readonly accounts: number;
  readonly messages: number;
  readonly delivered: number;
  readonly medianMs: number | null;
  readonly p95Ms: number | null;
  readonly computedAt: Date;
  /** Accounts that sent one-time passwords; null in a row of a release that did not count them. */
  readonly otpAccounts: number | null;
  readonly otps: number | null;
  readonly verified: number | null;
}

const DAY_MS = 86_400_000;

/** Delivery by day and country over all accounts: computed by the worker, shown by the server. */
@Injectable()
export class DeliveryQuality {
  private readonly kept = new Snapshot({ read: () => this.read(), freshMs: ANSWER_KEPT_MS });

  constructor(private readonly postgres: Postgres) {}

  /** Computes due days, each in its own transaction, and deletes old days. */
  @Every({ name: 'delivery quality', everyMs: COMPUTED_EVERY_MS, whileMore: true, wholeDatabase: true })
  async run(): Promise<boolean> {
    for (const { day } of await this.postgres.query<{ day: string }>(dueDaysStatement, []))
      if (!(await this.compute(day))) return false;
    return purge(this.postgres, expired, [limits.qualityDays]);
  }

  /** Returns the figures that may be shown, at most a minute old. */
  shown(): Promise<QualityAnswer> {
    return this.kept.get();
  }

  /** Whether there is anything to show, read now. */
  async hasFigures(): Promise<boolean> {
    return (await this.read()).quality.length > 0;
  }

  private async read(): Promise<QualityAnswer> {
    return shownOf(await this.postgres.query<QualityRow>(qualityStatement, []));
  }

  /** Returns false when another worker computes. */
  private async compute(day: string): Promise<boolean> {
    const isComputed = await this.postgres.asLeader('delivery quality', async (tx) => {
      const done = await tx.query<object[]>(isDoneStatement, [day]);
      const start = Date.parse(day);
      if (done.length === 0) await tx.query(computeStatement.text, [new Date(start), new Date(start + DAY_MS)]);
      return true;
    });
    return isComputed ?? false;
  }
}

/** Omits every day and country that would reveal one account's traffic. No sum includes them. */
export function shownOf(rows: readonly QualityRow[]): QualityAnswer {
  const shown = rows.filter(({ accounts, messages }) => isAnonymous(accounts, messages));
  const latest = Math.max(...shown.map(({ computedAt }) => computedAt.getTime()));
  return {
    success: 'true',
    computed_at: shown.length > 0 ? new Date(latest).toISOString() : null,
    quality: shown.map(cellOf),
  };
}

/** Whether figures over this many accounts and messages reveal no account's traffic. */
function isAnonymous(accounts: number, messages: number): boolean {
  return accounts >= limits.qualityAccountsMin || messages >= limits.qualityMessagesMin;
}

function cellOf(row: QualityRow): QualityCell {
  const { day, country, messages, delivered, medianMs, p95Ms, otpAccounts, otps, verified } = row;
  const areCodesShown = isAnonymous(otpAccounts ?? 0, otps ?? 0);
  return {
    day,
    country,
    delivered_percent: percentOf(delivered, messages),
    median_seconds: secondsOf(medianMs),
    p95_seconds: secondsOf(p95Ms),
    verified_percent: areCodesShown ? percentOf(verified ?? 0, otps ?? 0) : null,
  };
}

function percentOf(part: number, whole: number): number {
  return Math.round((part / whole) * 1_000) / 10;
}

function secondsOf(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms / 100) / 10;
}
