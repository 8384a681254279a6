import { Injectable } from '@nestjs/common';
import { limits } from '#contract/limits.js';
import { type SpendAnswer, type SpendDays, type SpendKind } from '#contract/spend.js';
import { ledgerCounts, numberedEntries, spendingKinds } from '../credits/credits.sql.js';
import { NamedKeys } from '../keys/named-keys.js';
import { type CsvCell, csvFile } from '../platform/database/history.js';
import { PerGroup } from '../platform/database/per-group.js';
import { Postgres } from '../platform/database/postgres.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { Every } from '../platform/schedules/every.js';
import { daysUntil, newYorkDay } from '../rules/time.js';
import { newYorkDayOf } from '../messages/store/day-reservations.sql.js';
import { ACCOUNT_KEY } from '../keys/callers.sql.js';

const COUNTED_EVERY_MS = 10_000;
/** Maximum of accounts per run, and of entries per account. */
const ACCOUNTS_MAX = 20;
const ENTRIES_MAX = 1_000;
/** A transaction's rows have the time of its start; it may end this much later. */
const OVERLAP_MS = 5 * 60_000;

/**
 * Sums ledger entries `e` by day, kind, country and key; each entry belongs to the message or
 * number of its source, and the first month of a number to the key that bought it.
 */
const summed = (entries: string) => `
  SELECT e.account_id, ${newYorkDayOf('e.created_at')} AS day,
    CASE WHEN e.kind = 'inbound' THEN 'reply' WHEN e.kind LIKE 'number%' THEN 'number'
      WHEN e.kind = 'otp' OR m.kind = 'otp' THEN 'otp' ELSE 'message' END AS kind,
    coalesce(m.country, n.country, '') AS country, coalesce(m.key_id, o.key_id, '${ACCOUNT_KEY}') AS key_id,
    count(*) FILTER (WHERE e.amount < 0 AND e.kind NOT LIKE 'number%') AS messages,
    coalesce(-sum(e.amount) FILTER (WHERE e.amount < 0), 0)::bigint AS charged,
    coalesce(sum(e.amount) FILTER (WHERE e.amount > 0), 0)::bigint AS refunded
  FROM ${entries} e
  LEFT JOIN messages m
    ON m.id = CASE WHEN e.kind IN ('message', 'otp', 'refund') THEN e.source_id::uuid END
      AND m.account_id = e.account_id
  LEFT JOIN numbers n ON n.id = CASE WHEN e.kind LIKE 'number%' THEN split_part(e.source_id, ':', 1)::uuid END
  LEFT JOIN number_orders o ON o.account_id = e.account_id
    AND o.id = n.id AND (e.kind = 'number_setup' OR split_part(e.source_id, ':', 2) = '1')
  WHERE e.kind IN (${spendingKinds})
  GROUP BY 1, 2, 3, 4, 5`;

/** Accounts with uncounted entries, and their last counted entry. Parameter: changed since. */
export const uncountedStatement = {
  text: `
SELECT c.account_id AS "accountId", coalesce(p.last, 0)::float8 AS last
FROM ${ledgerCounts} c LEFT JOIN spend_progress p ON p.account_id = c.account_id
WHERE c.updated_at >= $1 AND c.ledger_count > coalesce(p.last, 0)
LIMIT ${ACCOUNTS_MAX}`,
} as const;

/**
 * Counts the next entries of accounts; returns the accounts that filled the run's limit. Numbers
 * rise in the order of commits, so no entry appears later below a counted entry. Parameters are
 * arrays: account, last counted entry.
 */
export const countStatement = {
  text: `
WITH next AS MATERIALIZED (
  SELECT e.* FROM unnest($1::uuid[], $2::bigint[]) AS a (account_id, last)
  CROSS JOIN LATERAL (
    SELECT * FROM ${numberedEntries} l WHERE l.account_id = a.account_id AND l.number > a.last
    ORDER BY l.number LIMIT ${ENTRIES_MAX}
  ) e
),
counted AS (
  INSERT INTO spend_days AS d (account_id, day, kind, country, key_id, messages, charged, refunded)
  ${summed('next')} ORDER BY 1, 2, 3, 4, 5
  ON CONFLICT (account_id, day, kind, country, key_id) DO UPDATE SET messages = d.messages + excluded.messages,
    charged = d.charged + excluded.charged, refunded = d.refunded + excluded.refunded
),
moved AS (
  INSERT INTO spend_progress (account_id, last) SELECT account_id, max(number) FROM next GROUP BY account_id ORDER BY 1
  ON CONFLICT (account_id) DO UPDATE SET last = excluded.last
)
SELECT account_id AS "accountId" FROM next GROUP BY account_id HAVING count(*) = ${ENTRIES_MAX}`,
} as const;

/** Counted days and the entries after them, in one snapshot, so that each entry counts once. */
const ofDays = `
  SELECT day, kind, country, key_id, messages, charged, refunded
  FROM spend_days WHERE account_id = $1 AND day BETWEEN $2 AND $3
  UNION ALL
  SELECT day, kind, country, key_id, messages, charged, refunded FROM (${summed(`(
    SELECT * FROM ${numberedEntries} l
    WHERE l.account_id = $1 AND l.number > coalesce((SELECT last FROM spend_progress WHERE account_id = $1), 0)
  )`)}) latest
  WHERE day BETWEEN $2 AND $3`;

const sums = `sum(messages)::float8 AS messages, sum(charged)::float8 AS charged, sum(refunded)::float8 AS refunded`;

/** Spend of one day, one country, one kind, one key, or one key in one month. */
export interface SpendSum {
  readonly day: string | null;
  readonly month: string | null;
  readonly country: string | null;
  readonly kind: SpendKind | null;
  readonly keyId: string | null;
  readonly messages: number;
  readonly charged: number;
  readonly refunded: number;
}

/** Parameters: account, first and last day. */
export const spendSumsStatement = {
  name: 'spend-sums-3',
  text: `
SELECT to_char(day, 'YYYY-MM-DD') AS day, month, country, kind, key_id AS "keyId", ${sums}
FROM (SELECT *, to_char(day, 'YYYY-MM') AS month FROM (${ofDays}) either) dated
GROUP BY GROUPING SETS ((day), (country), (kind), (key_id), (month, key_id))
ORDER BY sum(charged) - sum(refunded) DESC, sum(messages) DESC, day, country, kind, month, key_id`,
} as const;

/** Spend as it is stored. */
export interface SpendCount {
  readonly day: string;
  readonly kind: SpendKind;
  readonly country: string;
  readonly keyId: string;
  readonly messages: number;
  readonly charged: number;
  readonly refunded: number;
}

/** Parameters: account, first and last day. */
export const spendCountsStatement = {
  name: 'spend-counts-2',
  text: `
SELECT to_char(day, 'YYYY-MM-DD') AS day, kind, country, key_id AS "keyId", ${sums}
FROM (${ofDays}) either GROUP BY either.day, kind, country, key_id
ORDER BY either.day DESC, kind, country, key_id`,
} as const;

const csvHead = ['Day (New York)', 'For', 'Country', 'Key', 'Key id', 'Messages', 'Charged', 'Refunded', 'Spent'];

type Figures = Pick<SpendSum, 'messages' | 'charged' | 'refunded'>;

/**
 * Spend of an account by day, month, key, country and kind: exact at any time. A worker counts the
 * ledger in the background, so accepting and refunding messages cost nothing extra, and a read adds
 * the entries that are not counted yet.
 */
@Injectable()
export class Spend {
  private readonly since = new PerGroup(() => new Date(0));

  constructor(
    private readonly postgres: Postgres,
    private readonly namedKeys: NamedKeys,
  ) {}

  /** Counts uncounted entries; returns whether there are more. */
  @Every({ name: 'spend', everyMs: COUNTED_EVERY_MS, whileMore: true })
  async count(): Promise<boolean> {
    const hasMore = await this.postgres.asLeader('spend', async (tx, now) => {
      const behind = await tx.query<{ accountId: string; last: number }[]>(uncountedStatement.text, [this.since.get()]);
      const full =
        behind.length === 0
          ? []
          : await tx.query<object[]>(countStatement.text, [
              behind.map(({ accountId }) => accountId),
              behind.map(({ last }) => last),
            ]);
      const more = behind.length === ACCOUNTS_MAX || full.length > 0;
      if (!more) this.since.set(new Date(now.getTime() - OVERLAP_MS));
      return more;
    });
    return hasMore ?? false;
  }

  /** Throws `invalid_request` when the days are too many or in the wrong order. */
  async show(accountId: string, asked: SpendDays, now = new Date()): Promise<SpendAnswer> {
    const { from, to } = rangeOf(asked, now);
    const rows = await this.postgres.query<SpendSum>(spendSumsStatement, [accountId, from, to]);
    const nameOf = await this.keyNames(accountId);
    const inTime = rows.flatMap(({ day, ...sum }) => (day === null ? [] : [{ day, ...figuresOf(sum) }]));
    const days = inTime.sort((one, other) => (one.day < other.day ? -1 : 1));
    const most = limits.spendRowsMax;
    return {
      success: 'true',
      from,
      to,
      ...totalOf(days),
      months: monthsOf(rows).map((month) => {
        const ofMonth = rows.filter((sum) => sum.month === month);
        return { month, ...totalOf(ofMonth), keys: ofMonth.flatMap((sum) => keyRow(sum, nameOf)).slice(0, most) };
      }),
      days,
      keys: rows.flatMap((sum) => (sum.month === null ? keyRow(sum, nameOf) : [])).slice(0, most),
      countries: rows
        .flatMap(({ country, ...sum }) => (country === null ? [] : [{ country: country || null, ...figuresOf(sum) }]))
        .slice(0, most),
      kinds: rows.flatMap(({ kind, ...sum }) => (kind === null ? [] : [{ kind, ...figuresOf(sum) }])),
    };
  }

  /**
   * Returns every day, country, key and kind as a CSV file, the newest day first. Throws as {@link
   * show}.
   */
  async csv(accountId: string, asked: SpendDays, now = new Date()): Promise<AsyncGenerator<string>> {
    const { from, to } = rangeOf(asked, now);
    const counts = await this.postgres.query<SpendCount>(spendCountsStatement, [accountId, from, to]);
    const nameOf = await this.keyNames(accountId);
    return csvFile(csvHead, [counts], (count) => cellsOf(count, nameOf));
  }

  private async keyNames(accountId: string): Promise<ReadonlyMap<string, string>> {
    return new Map((await this.namedKeys.list(accountId)).map(({ id, name }) => [id, name]));
  }
}

function rangeOf({ from, to }: SpendDays, now: Date): { from: string; to: string } {
  const last = to ?? newYorkDay(now);
  const first = from ?? firstOfMonths(last, limits.spendMonthsDefault);
  if (first > last) throw new DomainError('invalid_request', 'from: must not be after to.');
  if (first < (daysUntil(last, limits.spendDaysMax)[0] ?? last))
    throw new DomainError('invalid_request', `from: there are at most ${limits.spendDaysMax} days from it to "to".`);
  return { from: first, to: last };
}

/** Returns the first day of a number of months that end with the month of `day`. */
function firstOfMonths(day: string, months: number): string {
  const [year = 0, month = 1] = day.split('-').map(Number);
  return new Date(Date.UTC(year, month - months, 1)).toISOString().slice(0, 10);
}

/** Returns the months with movements, in order of time. */
function monthsOf(rows: readonly SpendSum[]): string[] {
  return [...new Set(rows.flatMap(({ month }) => (month === null ? [] : [month])))].sort();
}

function figuresOf({ messages, charged, refunded }: Figures) {
  return { messages, charged, refunded, spent: charged - refunded };
}

function totalOf(rows: readonly Figures[]) {
  const total = (figure: keyof Figures) => rows.reduce((sum, row) => sum + row[figure], 0);
  return figuresOf({ messages: total('messages'), charged: total('charged'), refunded: total('refunded') });
}

function keyRow({ keyId, ...sum }: SpendSum, nameOf: ReadonlyMap<string, string>) {
  return keyId === null ? [] : [{ ...keyOf(keyId, nameOf), ...figuresOf(sum) }];
}

function keyOf(keyId: string, nameOf: ReadonlyMap<string, string>) {
  return keyId === ACCOUNT_KEY ? { key_id: null, name: null } : { key_id: keyId, name: nameOf.get(keyId) ?? null };
}

const kindTitles: Readonly<Record<SpendKind, string>> = {
  message: 'Messages',
  otp: 'One-time passwords',
  reply: 'Replies',
  number: 'Numbers',
};

function cellsOf(count: SpendCount, nameOf: ReadonlyMap<string, string>): CsvCell[] {
  const { name, key_id: id } = keyOf(count.keyId, nameOf);
  const { messages, charged, refunded, spent } = figuresOf(count);
  return [count.day, kindTitles[count.kind], count.country || null, name, id, messages, charged, refunded, spent];
}
