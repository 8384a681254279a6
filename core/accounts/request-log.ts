import { Injectable } from '@nestjs/common';
import { AccountErasure, type FeatureErasure } from './account-erasure.js';
import type {
  ApiRequest,
  ApiRequestChoices,
  ApiRequestsAnswer,
  ApiRequestsQuery,
  CutDay,
} from '#contract/dashboard.js';
import { limits } from '#contract/limits.js';
import { Config } from '../platform/config/config.js';
import { isDatabaseUnavailable } from '../platform/errors/database-error.js';
import { hasPaidSql } from '../credits/paid-accounts.js';
import { Postgres } from '../platform/database/postgres.js';
import { Logger } from '../platform/telemetry/logger.js';
import { Metrics } from '../platform/telemetry/metrics.js';
import { newMessageId } from '../rules/ids.js';
import { dayAfter, startOfNewYorkDay } from '../rules/time.js';
import type { ApiKey } from '../keys/api-key.js';

const WRITE_AFTER_MS = 1_000;
const BATCH_MAX = 500;
/** Maximum of calls that wait for their batch; further calls are dropped and counted. */
const WAITING_MAX = 10_000;
const DAYS_AHEAD = 15;
const ENDING_CHARACTERS = 4;
/** Length of an ending and the suffix of a test key. */
export const KEY_TAIL_CHARACTERS = ENDING_CHARACTERS + '_test'.length;
const SCANNED_MAX = 5_000;
/** Hours after a call's end; longer than a database is unavailable without being noticed. */
const WRITTEN_WITHIN_HOURS = 6;
const HIGHEST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/**
 * A finished call of the API. `fields` are masked already; nothing here may hold a key, a code, a
 * text or a whole number.
 */
export interface LoggedCall {
  readonly key: ApiKey;
  /** The key's last characters, as sent. */
  readonly keyTail: string;
  readonly atMs: number;
  readonly durationMs: number;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly code: string | null;
  readonly requestId: string;
  /** Public id of the message or batch. */
  readonly subject: string | null;
  readonly fields: string;
}

/** Calls per day that a paid account lists fully, and the sampling rate beyond. */
const { apiRequestsListedMax: LISTED_MAX, apiRequestsSampleEvery: SAMPLE_EVERY } = limits;
const UNPAID_LISTED_MAX = LISTED_MAX / limits.unpaidQuotaDivisor;
/** Current UTC day; calls are counted, bounded and partitioned by UTC day. */
const TODAY = `(now() AT TIME ZONE 'UTC')::date`;

/**
 * Counts calls by account and day, and stores the listed calls. Parameters are arrays. Keys: hash,
 * last characters, is a test key. Calls: id, position of the key from 1, time, method, path,
 * status, code, request id, duration, subject, fields, and number of equal calls that the row
 * stands for. Calls with a key of no account are left out; expired and replaced keys are still
 * known.
 */
export const insertCallsStatement = {
  name: 'api-requests-insert-3',
  text: `
WITH k AS MATERIALIZED (
  SELECT k.position, s.account_id, a.name, k.ending, k.is_test
  FROM unnest($1::bytea[], $2::text[], $3::boolean[]) WITH ORDINALITY AS k (hash, ending, is_test, position)
  JOIN key_secrets s ON s.hash = k.hash
  JOIN api_keys a ON a.id = s.key_id
), r AS MATERIALIZED (
  SELECT k.account_id, k.name, k.ending, k.is_test, c.*,
    sum(c.times) OVER (PARTITION BY k.account_id ORDER BY c.position) AS nth
  FROM unnest($4::uuid[], $5::integer[], $6::float8[], $7::text[], $8::text[], $9::smallint[], $10::text[], $11::text[],
    $12::integer[], $13::text[], $14::text[], $15::integer[]) WITH ORDINALITY
    AS c (id, key, at_ms, method, path, status, code, request_id, duration_ms, subject, fields, times, position)
  JOIN k ON k.position = c.key
), more AS MATERIALIZED (
  SELECT account_id, sum(times) AS calls FROM r GROUP BY account_id
), counted AS (
  INSERT INTO api_request_days AS d (account_id, day, calls, listed_max)
  SELECT account_id, ${TODAY}, calls, ${UNPAID_LISTED_MAX} FROM more ORDER BY account_id
  ON CONFLICT (account_id, day) DO UPDATE SET calls = d.calls + excluded.calls,
    listed_max = CASE WHEN d.listed_max = ${UNPAID_LISTED_MAX} AND d.calls + excluded.calls > ${UNPAID_LISTED_MAX}
      AND ${hasPaidSql('d.account_id')} THEN ${LISTED_MAX} ELSE d.listed_max END
  RETURNING d.account_id, d.calls, d.listed_max
), before AS (
  SELECT c.account_id, c.calls - m.calls AS calls, c.listed_max FROM counted c JOIN more m USING (account_id)
)
INSERT INTO api_requests (account_id, id, at, method, path, status, code, request_id, duration_ms, key_name,
  key_ending, is_test, subject, fields, times)
SELECT r.account_id, r.id, to_timestamp(r.at_ms / 1000), r.method, r.path, r.status, r.code, r.request_id,
  r.duration_ms, r.name, r.ending, r.is_test, r.subject, r.fields, r.times
FROM r JOIN before b USING (account_id)
WHERE b.calls + r.nth - r.times < b.listed_max
  OR div(b.calls + r.nth, ${SAMPLE_EVERY}) > div(b.calls + r.nth - r.times, ${SAMPLE_EVERY})`,
} as const;

export interface RequestRow extends Omit<ApiRequest, 'at' | 'messageId' | 'batchId'> {
  readonly at: Date;
  readonly subject: string | null;
}

const columns = `id, at, method, path, status, code, request_id AS "requestId", duration_ms AS "durationMs",
  key_name AS "keyName",
  key_ending AS "keyEnding", is_test AS "isTest", subject, fields, times`;

const scanned = {
  account: '',
  requestId:
    'AND request_id = $7 AND hashtextextended(request_id, uuid_hash_extended(account_id, 0)) = ' +
    'hashtextextended($7, uuid_hash_extended($1, 0))',
} as const;

/**
 * Examines a bounded number of an account's calls, newest first; the last row found is otherwise
 * empty. Parameters: account, id before which to look, days, lowest and highest status, code,
 * request id, path, maximum, start and end of the time, end of the key, search text.
 *
 * A call gets its id when it is written, which is soon after it ended.
 */
export const findCallsStatement = (by: keyof typeof scanned) => ({
  name: `api-requests-${by}-3`,
  text: `
WITH scanned AS MATERIALIZED (
  SELECT * FROM api_requests
  WHERE account_id = $1 AND id < $2 AND id >= uuid_v7_floor(greatest(now() - make_interval(days => $3), $10))
    AND ($11::timestamptz IS NULL OR id < uuid_v7_floor($11 + interval '${WRITTEN_WITHIN_HOURS} hours')) ${scanned[by]}
  ORDER BY id DESC LIMIT ${SCANNED_MAX}
), ending AS (
  SELECT CASE WHEN count(*) = ${SCANNED_MAX} THEN (SELECT id FROM scanned ORDER BY id
    LIMIT 1) END AS "scannedTo" FROM scanned
)
SELECT ${columns}, "scannedTo" FROM ending LEFT JOIN LATERAL (
  SELECT * FROM scanned
  WHERE status >= $4 AND status <= $5 AND ($6::text IS NULL OR code = $6) AND ($7::text IS NULL OR request_id = $7)
    AND ($8::text IS NULL OR strpos(path, $8) > 0) AND ($10::timestamptz IS NULL OR at >= $10)
    AND ($11::timestamptz IS NULL OR at < $11) AND ($12::text IS NULL OR key_ending = $12)
    AND ($13::text IS NULL OR strpos(path, $13) > 0 OR request_id = $13 OR subject = $13)
  ORDER BY id DESC LIMIT $9
) found ON true
ORDER BY id DESC`,
});

/** Parameters: account, days, how many calls to look through, how many to return. */
export const callChoicesStatement = {
  name: 'api-request-choices-1',
  text: `
WITH newest AS MATERIALIZED (
  SELECT code, key_name, key_ending, is_test FROM api_requests
  WHERE account_id = $1 AND id >= uuid_v7_floor(now() - make_interval(days => $2)) ORDER BY id DESC LIMIT $3
)
SELECT
  ARRAY(SELECT code FROM newest WHERE code IS NOT NULL GROUP BY code ORDER BY count(*) DESC, code LIMIT $4) AS codes,
  coalesce((
    SELECT jsonb_agg(jsonb_build_object('keyName', key_name, 'keyEnding', key_ending, 'isTest', is_test)
      ORDER BY calls DESC, key_ending, is_test)
    FROM (
      SELECT key_name, key_ending, is_test, count(*) AS calls FROM newest
      GROUP BY key_name, key_ending, is_test ORDER BY calls DESC LIMIT $4
    ) k
  ), '[]') AS keys`,
} as const;

/** Days on which not every call is listed. Parameters: account, days. */
export const cutDaysStatement = {
  name: 'api-requests-cut-days-1',
  text: `
SELECT day::text AS day, calls::float8 AS calls, listed_max AS "listedMax" FROM api_request_days
WHERE account_id = $1 AND calls > listed_max AND day >= ${TODAY} - $2::integer ORDER BY day DESC`,
} as const;

/** A call, and the number of equal calls that it stands for. */
type WaitingCall = LoggedCall & { times: number };

type FoundRow = (RequestRow | { readonly id: null }) & { readonly scannedTo: string | null };

/**
 * The calls of the last days, for the account's dashboard. They are gathered in memory and written
 * in batches, outside of the calls: when the database does not keep up, calls are dropped from the
 * log and counted.
 */
@Injectable()
export class RequestLog implements FeatureErasure {
  private waiting: WaitingCall[] = [];
  /** Waiting refused calls by the fields in which equal refusals agree. */
  private readonly refused = new Map<string, WaitingCall>();
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> | undefined;
  readonly keptDays: number;

  constructor(
    accountErasure: AccountErasure,
    config: Config,
    private readonly postgres: Postgres,
    private readonly metrics: Metrics,
    private readonly logger: Logger,
  ) {
    this.keptDays = config.retention.requestDays;
    accountErasure.register(this);
  }

  get isOn(): boolean {
    return this.keptDays > 0;
  }

  /**
   * Takes a finished call; never fails. A refusal equal to a waiting call is counted there and
   * loses its request id.
   */
  note(call: LoggedCall): void {
    const equal = equalityOf(call);
    const first = equal === undefined ? undefined : this.refused.get(equal);
    if (first) {
      first.times += 1;
      return;
    }
    if (this.waiting.length >= WAITING_MAX) return this.metrics.requestLogDropped.inc();
    const waiting = { ...call, times: 1 };
    this.waiting.push(waiting);
    if (equal !== undefined) this.refused.set(equal, waiting);
    if (this.waiting.length >= BATCH_MAX) void this.flush();
    else this.timer ??= setTimeout(() => void this.flush(), WRITE_AFTER_MS).unref();
  }

  /** Writes the waiting calls. While the database is unavailable they stay for the next time. */
  flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.writing ??= this.writeAll().finally(() => {
      this.writing = undefined;
      if (this.waiting.length > 0) this.timer ??= setTimeout(() => void this.flush(), WRITE_AFTER_MS).unref();
    });
    return this.writing;
  }

  /**
   * A page, newest first. A filter looks through a bounded number of calls: then the page may be
   * empty although there are more.
   */
  async page(accountId: string, query: ApiRequestsQuery): Promise<ApiRequestsAnswer> {
    const { search } = query;
    // A request id has an index, which finds calls of any age.
    if (search !== undefined && query.requestId === undefined) {
      const byId = await this.read(accountId, { ...query, search: undefined, requestId: search });
      if (byId.requests.length > 0) return byId;
    }
    return this.read(accountId, query);
  }

  private async read(accountId: string, query: ApiRequestsQuery): Promise<ApiRequestsAnswer> {
    const { cursor = HIGHEST_ID, status, code, requestId, path, key, from, to, search } = query;
    const size = limits.apiRequestsPageSize;
    const lowest = status === undefined ? 0 : Number(status[0]) * 100;
    const found = await this.postgres.query<FoundRow>(findCallsStatement(requestId ? 'requestId' : 'account'), [
      accountId,
      cursor,
      this.keptDays,
      lowest,
      status === undefined ? 999 : lowest + 99,
      code ?? null,
      requestId ?? null,
      path ?? null,
      size + 1,
      from === undefined ? null : startOfNewYorkDay(from),
      to === undefined ? null : startOfNewYorkDay(dayAfter(to)),
      key ?? null,
      search ?? null,
    ]);
    const rows = found.flatMap((row) => (row.id === null ? [] : [row]));
    const shown = rows.slice(0, size);
    const isFull = rows.length > size;
    return {
      keptDays: this.keptDays,
      cutDays: await this.postgres.query<CutDay>(cutDaysStatement, [accountId, this.keptDays]),
      requests: shown.map(viewOf),
      nextCursor: isFull ? (shown.at(-1)?.id ?? null) : (found[0]?.scannedTo ?? null),
    };
  }

  /** The error codes and keys among an account's newest calls, to choose from. */
  async choices(accountId: string): Promise<ApiRequestChoices> {
    const values = [accountId, this.keptDays, limits.apiRequestsSearchedMax, limits.apiRequestChoicesMax];
    const [choices] = await this.postgres.query<ApiRequestChoices>(callChoicesStatement, values);
    return choices ?? { codes: [], keys: [] };
  }

  /** Creates the partitions of the coming days and drops expired partitions. */
  async retain(): Promise<void> {
    const ensure = `SELECT ensure_request_partitions((now() AT TIME ZONE 'UTC')::date, $1)`;
    await this.postgres.query({ text: ensure, shared: true }, [DAYS_AHEAD]);
    const drop = 'SELECT drop_request_partitions(now() - make_interval(days => $1))';
    await this.postgres.query({ text: drop, shared: true }, [this.keptDays]);
    const dropDays = `DELETE FROM api_request_days WHERE day < ${TODAY} - $1::integer`;
    await this.postgres.query({ text: dropDays }, [this.keptDays]);
  }

  async erase(accountId: string): Promise<void> {
    await this.postgres.query({ text: 'DELETE FROM api_requests WHERE account_id = $1' }, [accountId]);
    await this.postgres.query({ text: 'DELETE FROM api_request_days WHERE account_id = $1' }, [accountId]);
  }

  private async writeAll(): Promise<void> {
    while (this.waiting.length > 0) {
      // Waiting calls no longer count further refusals.
      this.refused.clear();
      const batch = this.waiting.slice(0, BATCH_MAX);
      try {
        await this.postgres.byKey(
          batch,
          ({ key }) => key.hash,
          async (calls) => {
            await this.postgres.query(insertCallsStatement, valuesOf(calls));
          },
        );
      } catch (err) {
        if (isDatabaseUnavailable(err)) return;
        this.metrics.requestLogDropped.inc(batch.length);
        this.logger.warn({ err, calls: batch.length }, 'API calls not logged');
      }
      this.waiting = this.waiting.slice(batch.length);
    }
  }
}

/** Key that is equal for refusals that differ only in time and request id; undefined for others. */
function equalityOf({ key, keyTail, method, path, status, code, fields }: LoggedCall): string | undefined {
  if (status < 400 || status >= 500) return undefined;
  return JSON.stringify([key.hash.toString('base64'), keyTail, method, path, status, code, fields]);
}

function valuesOf(batch: readonly WaitingCall[]): unknown[] {
  const positions = new Map<ApiKey, number>();
  const endings: string[] = [];
  const places = batch.map(({ key, keyTail }) => {
    const known = positions.get(key);
    if (known !== undefined) return known;
    positions.set(key, endings.push(endingOf(keyTail)));
    return endings.length;
  });
  const keys = [...positions.keys()];
  return [
    keys.map(({ hash }) => hash),
    endings,
    keys.map(({ test }) => test),
    batch.map(() => newMessageId()),
    places,
    batch.map(({ atMs }) => atMs),
    batch.map(({ method }) => method),
    batch.map(({ path }) => path),
    batch.map(({ status }) => status),
    batch.map(({ code }) => code),
    batch.map(({ requestId }) => requestId),
    batch.map(({ durationMs }) => durationMs),
    batch.map(({ subject }) => subject),
    batch.map(({ fields }) => fields),
    batch.map(({ times }) => times),
  ];
}

/** The last characters, by which the owner recognizes the key. */
function endingOf(keyTail: string): string {
  return keyTail
    .replace(/_test$/, '')
    .slice(-ENDING_CHARACTERS)
    .replaceAll(/[^\w-]/g, '?');
}

function viewOf({
  id,
  at,
  method,
  path,
  status,
  code,
  requestId,
  durationMs,
  keyName,
  keyEnding,
  isTest,
  subject,
  fields,
  times,
}: RequestRow): ApiRequest {
  return {
    id,
    at: at.toISOString(),
    method,
    path,
    status,
    code,
    requestId,
    durationMs,
    keyName,
    keyEnding,
    isTest,
    messageId: subject?.startsWith('SM') ? subject : null,
    batchId: subject?.startsWith('BA') ? subject : null,
    fields,
    times,
  };
}
