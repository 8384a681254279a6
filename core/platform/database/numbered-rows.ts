import type { Postgres } from './postgres.js';

/** Rows of one account with numbers from `first` on, below `below`. */
export interface Span {
  readonly first: number;
  readonly below: number;
}

/**
 * A filter of rows. `index`: the index covers their numbers (`numbers`), finds rows that must be
 * read singly (`rows`), or is missing (`none`).
 */
export interface Condition {
  readonly sql: (value: string) => string;
  readonly value: unknown;
  readonly index: 'numbers' | 'rows' | 'none';
}

/**
 * Result of a bounded search: rows scanned, matching rows among them, and the row at which it
 * ended.
 */
export interface Search {
  readonly looked: number;
  readonly total: number;
  readonly lowest: number | null;
  readonly lowestAt: Date | null;
  /** Row numbers of the requested page, or of the last page. */
  readonly numbers: number[];
}

export interface Numbered {
  readonly number: number;
  readonly createdAt: Date;
}

/** A span of time that begins at `since`, and the minimum number of rows in it. */
interface SpanBack {
  readonly since: Date;
  readonly rowsMin: number;
}

interface Source {
  readonly table: string;
  /** Select list of the row, in addition to `number` and `createdAt`. */
  readonly columns: string;
}

/**
 * A table whose rows have a `number` (1, 2, 3 … within an account, without gaps), a `created_at` in
 * the same order, and an index on (account_id, number). Any page is then a range of that index, and
 * an instant is found by binary search.
 */
export class NumberedRows<Row extends Numbered> {
  private readonly select: string;

  constructor(
    private readonly postgres: Postgres,
    private readonly source: Source,
  ) {
    this.select = `SELECT number::float8 AS number, created_at AS "createdAt", ${source.columns} FROM ${source.table}`;
  }

  /** Returns the number of the newest row, which is also the number of rows; 0 without rows. */
  async newest(accountId: string): Promise<number> {
    const rows = await this.query<{ newest: number }>(
      'newest',
      `SELECT coalesce(max(number), 0)::float8 AS newest FROM ${this.source.table} WHERE account_id = $1`,
      [accountId],
    );
    return rows[0]?.newest ?? 0;
  }

  /**
   * Returns the number of the first row at or after the instant; `newest` + 1 without such a row.
   */
  async firstSince(accountId: string, newest: number, at: Date): Promise<number> {
    const [first] = await this.firstsBack(accountId, newest, [{ since: at, rowsMin: 0 }]);
    if (first === undefined) throw new Error('A binary search ends with one row');
    return first;
  }

  /**
   * Returns the number of the first row for several instants, newest first. `rowsMin` is a known
   * minimum of rows between an instant and the previous instant (for the first: now). If there are
   * exactly that many rows, one probe replaces the binary search.
   */
  async firstsBack(accountId: string, newest: number, spans: readonly SpanBack[]): Promise<number[]> {
    const rows = await this.query<{ first: number }>('firsts-back', firstsBack(this.source.table), [
      accountId,
      newest,
      spans.map(({ since }) => since),
      spans.map(({ rowsMin }) => rowsMin),
    ]);
    return rows.map(({ first }) => first);
  }

  async read(accountId: string, numbers: readonly number[]): Promise<Row[]> {
    if (numbers.length === 0) return [];
    const where = 'WHERE account_id = $1 AND number = ANY($2::bigint[]) ORDER BY number DESC';
    return this.query<Row>('read', `${this.select} ${where}`, [accountId, numbers]);
  }

  /** Returns the newest rows of the span that meet the conditions, newest first. */
  async newestOf(accountId: string, span: Span, conditions: readonly Condition[], rowsMax: number): Promise<Row[]> {
    const where = ['account_id = $1 AND number >= $2 AND number < $3', ...conditionsFrom(5, conditions)].join(' AND ');
    return this.query<Row>(
      conditions.length === 0 ? 'newest-of' : undefined,
      `${this.select} WHERE ${where} ORDER BY number DESC LIMIT $4`,
      [accountId, span.first, span.below, rowsMax, ...conditions.map(({ value }) => value)],
    );
  }

  /**
   * Scans the newest `rowsMax` rows of the span that meet `lead` for rows that also meet `others`.
   */
  async search(
    accountId: string,
    span: Span,
    { lead, others }: { lead: Condition | undefined; others: readonly Condition[] },
    { rowsMax, page, pageSize }: { rowsMax: number; page: number; pageSize: number },
  ): Promise<Search> {
    const leads = lead ? [lead] : [];
    const conditions = [...leads, ...others];
    const inIndex = ['account_id = $1 AND number >= $2 AND number < $3', ...conditionsFrom(7, leads)].join(' AND ');
    const matching = conditionsFrom(7 + leads.length, others).join(' AND ') || 'true';
    const rows = await this.query<Search>(
      undefined,
      `
WITH candidate AS MATERIALIZED (
  SELECT number, (${matching}) AS matches FROM ${this.source.table}
  WHERE ${inIndex} ORDER BY number DESC LIMIT $4
),
found AS (
  SELECT count(*)::int AS looked, count(*) FILTER (WHERE matches)::int AS total, min(number) AS lowest FROM candidate
)
SELECT looked, total, lowest::float8 AS lowest,
  (SELECT created_at FROM ${this.source.table} WHERE account_id = $1 AND number = lowest) AS "lowestAt",
  ARRAY(
  SELECT number::float8 FROM candidate WHERE matches
  ORDER BY number DESC
  LIMIT $6 OFFSET (greatest(1, least($5, ceil(total / $6::float8))) - 1) * $6
) AS numbers
FROM found`,
      [accountId, span.first, span.below, rowsMax, page, pageSize, ...conditions.map(({ value }) => value)],
    );
    if (!rows[0]) throw new Error('A search returns one row');
    return rows[0];
  }

  /**
   * Statements whose best plan depends on their values have no name: one number may have most of
   * the messages.
   */
  private query<Answer extends object>(name: string | undefined, text: string, values: unknown[]): Promise<Answer[]> {
    return this.postgres.query<Answer>({ ...(name && { name: `${this.source.table}-${name}-2` }), text }, values);
  }
}

function conditionsFrom(first: number, conditions: readonly Condition[]): string[] {
  return conditions.map(({ sql }, index) => sql(`$${first + index}`));
}

/**
 * Walks through the spans, newest first. The first row of a span is at or below `high`, because at
 * least `rowsMin` rows of the span lie above. So the row before `high` is probed first; binary
 * search begins only if it also belongs to the span. A deleted row counts as too early.
 */
const firstsBack = (table: string) => `
WITH RECURSIVE walk (nth, low, high, begins) AS (
  SELECT 1, 1::bigint, greatest(1, $2::bigint + 1 - ($4::bigint[])[1]), true WHERE cardinality($3::timestamptz[]) > 0
  UNION ALL
  SELECT
    CASE WHEN low = high THEN nth + 1 ELSE nth END,
    CASE WHEN low = high THEN 1 WHEN at >= ($3::timestamptz[])[nth] THEN low ELSE probe + 1 END,
    CASE
      WHEN low = high THEN greatest(1, high - ($4::bigint[])[nth + 1])
      WHEN at >= ($3::timestamptz[])[nth] THEN probe
      ELSE high
    END,
    low = high
  FROM (
    SELECT nth, low, high, probe,
      (SELECT created_at FROM ${table} t WHERE low < high AND t.account_id = $1 AND t.number = probe) AS at
    FROM (SELECT nth, low, high, CASE WHEN begins THEN high - 1 ELSE (low + high) / 2 END AS probe FROM walk) looked
  ) seen
  WHERE low < high OR nth < cardinality($3::timestamptz[])
)
SELECT low::float8 AS first FROM walk WHERE low = high ORDER BY nth`;
