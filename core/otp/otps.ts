import { Injectable } from '@nestjs/common';
import { limits } from '#contract/limits.js';
import { ACCOUNT_KEY_NAME, type OtpAnswer, type OtpView } from '#contract/otp.js';
import type { OtpState } from '#contract/otp-statuses.js';
import { NamedKeys } from '../keys/named-keys.js';
import { Postgres } from '../platform/database/postgres.js';
import { DomainError } from '../platform/errors/domain-error.js';
import type { OtpChannel } from '#contract/otp-channels.js';
import { otpIdFromPublic, publicOtpId } from '../rules/ids.js';
import { messagesOfCode } from './messages-of-code.sql.js';
import { OtpRecordsRepository } from './otp-records.repository.js';
import { type LoggedOtp, otpNotFound, otpView } from './otp-state.js';
import { testOtpView, testOtpViews } from './test-otps.js';

/** Filter of listed codes; undefined matches everything. */
export interface OtpFilter {
  /** E.164. */
  readonly recipient?: string | undefined;
  /** Digits that a number contains. */
  readonly digits?: string | undefined;
  readonly status?: OtpState | undefined;
  /** A channel that the code has begun; a code without channels goes by text message. */
  readonly channel?: OtpChannel | undefined;
  readonly country?: string | undefined;
  /** The id of a named key, or `account`. */
  readonly keyId?: string | undefined;
  readonly otpId?: string | undefined;
  readonly reference?: string | undefined;
  /** Sent at this time or later. */
  readonly since?: Date | undefined;
  /** Sent before this time. */
  readonly until?: Date | undefined;
}

export interface FoundOtps {
  readonly ids: readonly string[];
  /** Last id that a search examined, when there may be more. */
  readonly scannedTo: string | null;
}

/** Entries that a search reads at once. */
const SCANNED_MAX = 2_000;

/** An id above every id. */
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

const codes = `
  SELECT c.id, c.recipient, c.reference, c.country, c.key_id, c.created_at, c.steps, c.step,
    CASE WHEN c.code_hash IS NULL THEN 'unmanaged' WHEN c.state = 'used' THEN 'verified'
      WHEN c.state = 'live' AND c.expires_at > now() THEN 'pending'
      WHEN c.wrong_tries >= ${limits.otpTriesMax} THEN 'exhausted' ELSE 'expired' END AS status
  FROM otp_codes c WHERE c.account_id = $1`;
const blocks = `
  SELECT b.id, b.recipient, b.reference, b.country, NULL::uuid AS key_id, b.created_at, NULL::jsonb AS steps,
    NULL::smallint AS step, 'blocked' AS status
  FROM otp_blocks b WHERE b.account_id = $1`;
/**
 * Ids are in order of time but for the clocks of servers, so the range of ids is a minute wider
 * than the range of times.
 */
const rangeOf = (id: string) => `${id} < $2
  AND ${id} >= uuid_v7_floor(coalesce($7::timestamptz, '2000-01-01') - interval '1 minute')
  AND ${id} < uuid_v7_floor(coalesce($8::timestamptz, '2200-01-01') + interval '1 minute')`;
const range = rangeOf('id');
const newest = `ORDER BY id DESC LIMIT ${SCANNED_MAX}`;
/**
 * An index finds the entries with the condition, in order of time. `least` hides the ids' condition
 * from the planner, which would otherwise prefer it.
 */
const few = (condition: string) => {
  const inOrder = `AND ${condition} AND ${rangeOf('least(id)')} ORDER BY created_at DESC LIMIT ${SCANNED_MAX}`;
  return `SELECT * FROM ((${codes} ${inOrder}) UNION ALL (${blocks} ${inOrder})) entries ${newest}`;
};

/** Each part uses its own index; together Postgres would sort them all. */
const both = (order: string) =>
  `SELECT * FROM ((${codes} AND ${range} ${order}) UNION ALL (${blocks} AND ${range} ${order})) entries ${order}`;

/** SQL by which a search reaches its entries. */
const searchedBy = {
  id: `SELECT * FROM (${codes} UNION ALL ${blocks}) entries WHERE id = $12 AND ${range}`,
  recipient: few('recipient = $3'),
  reference: few('reference = $9'),
  exhausted: `${codes} AND c.state = 'over' AND c.wrong_tries >= ${limits.otpTriesMax} AND ${range} ${newest}`,
  blocked: `${blocks} AND ${range} ${newest}`,
  account: both(newest),
  /** Without a condition every entry matches. */
  newest: both(`ORDER BY id DESC LIMIT ${limits.otpsPageSize + 1}`),
} as const;

/**
 * Examines a bounded number of an account's codes and refusals, newest first, and returns the
 * matching ids, and the last examined id when there may be more. Parameters: account, id before
 * which to look, recipient, status, country, key (`account` is the account's own), since, until,
 * reference, digits, maximum, id, channel.
 */
export const findOtpsStatement = (by: keyof typeof searchedBy) => ({
  name: `otps-found-${by}-4`,
  text: `
WITH scanned AS MATERIALIZED (${searchedBy[by]}),
found AS (
  SELECT id FROM scanned
  WHERE ($3::text IS NULL OR recipient = $3) AND ($4::text IS NULL OR status = $4)
    AND ($5::text IS NULL OR country = $5)
    AND ($6::text IS NULL OR status <> 'blocked' AND coalesce(key_id::text, '${ACCOUNT_KEY_NAME}') = $6)
    AND ($7::timestamptz IS NULL OR created_at >= $7) AND ($8::timestamptz IS NULL OR created_at < $8)
    AND ($9::text IS NULL OR reference = $9) AND ($10::text IS NULL OR strpos(recipient, $10) > 0)
    AND ($12::uuid IS NULL OR id = $12)
    AND ($13::text IS NULL OR status <> 'blocked' AND CASE WHEN steps IS NULL THEN $13 = 'sms'
      ELSE EXISTS (
        SELECT FROM jsonb_array_elements(steps -> 'plan') WITH ORDINALITY AS planned (one, n)
        WHERE one ->> 'channel' = $13 AND n <= step
      ) END)
  ORDER BY id DESC LIMIT $11
)
SELECT
  ARRAY(SELECT id FROM found) AS ids,
  CASE WHEN (SELECT count(*) FROM scanned) >= ${SCANNED_MAX} THEN (SELECT id FROM scanned ORDER BY id
    LIMIT 1) END AS "scannedTo"`,
});

/** Parameters: account, ids. */
export const showOtpsStatement = {
  name: 'otps-shown-3',
  text: `
SELECT c.id, c.recipient, c.country, c.reference, c.key_id AS "keyId",
  CASE WHEN c.code_hash IS NULL THEN 'unmanaged' WHEN c.state = 'live' AND c.expires_at <= now() THEN 'over'
    ELSE c.state END AS state,
  c.wrong_tries AS "wrongTries", c.last_attempt_at AS "lastAttemptAt", c.created_at AS "createdAt",
  c.expires_at AS "expiresAt",
  CASE WHEN c.expires_at <= now() THEN least(c.expires_at, c.ended_at) ELSE c.ended_at END AS "endedAt",
  NULL::text AS "blockedBy", c.steps AS plan, c.step::integer AS step, c.step_at AS "stepAt",
  c.entered_step::integer AS "enteredStep", sends.messages
FROM otp_codes c
CROSS JOIN LATERAL (${messagesOfCode}) sends
WHERE c.account_id = $1 AND c.id = ANY ($2::uuid[])
UNION ALL
SELECT b.id, b.recipient, b.country, b.reference, NULL, 'blocked', 0, NULL, b.created_at, NULL, b.created_at,
  b.rule, NULL, NULL, NULL, NULL, '[]'::json
FROM otp_blocks b WHERE b.account_id = $1 AND b.id = ANY ($2::uuid[])
ORDER BY id DESC`,
} as const;

/**
 * An account's one-time passwords, newest first, with the states of their messages, and the fraud
 * guard's refusals. Codes are kept until a day after their end, refusals for 25 hours.
 */
@Injectable()
export class Otps {
  constructor(
    private readonly postgres: Postgres,
    private readonly records: OtpRecordsRepository,
    private readonly namedKeys: NamedKeys,
  ) {}

  /**
   * Returns a page. The cursor is the last code shown, or the last code that a search examined: its
   * pages may have fewer codes, or none. Throws `invalid_request`.
   */
  async list(
    accountId: string,
    cursor: string | undefined,
    filter: OtpFilter,
  ): Promise<{ otps: OtpView[]; nextCursor: string | null }> {
    const beforeId = cursor === undefined ? LAST_ID : otpIdFromPublic(cursor);
    if (!beforeId) throw new DomainError('invalid_request', 'The cursor is not one of ours.');
    const { ids, scannedTo } = await this.search(accountId, beforeId, filter);
    const otps = await this.shown(accountId, ids.slice(0, limits.otpsPageSize));
    const last = ids.length > limits.otpsPageSize ? ids[limits.otpsPageSize - 1] : scannedTo;
    return { otps, nextCursor: last ? publicOtpId(last) : null };
  }

  /**
   * Finds a code of the account, or a refusal of the fraud guard, by its public id. Throws
   * `otp_not_found`, also for another account's code.
   */
  async find(accountId: string, otpId: string): Promise<OtpView> {
    const id = otpIdFromPublic(otpId);
    const [otp] = id ? await this.shown(accountId, [id]) : [];
    if (!otp) throw otpNotFound(otpId);
    return otp;
  }

  /**
   * Returns the public id of the newest code with this reference; undefined without such a code.
   */
  async newestOf(accountId: string, reference: string): Promise<string | undefined> {
    const id = await this.records.newestOf(accountId, reference);
    return id && publicOtpId(id);
  }

  /** Finds a code of test mode. Throws `otp_not_found`. */
  findTest(otpId: string): Omit<OtpAnswer, 'success'> {
    return { ...testOtpView(otpId, new Date()), test: true };
  }

  /** The codes of test mode. */
  listTest(): OtpView[] {
    return testOtpViews(new Date());
  }

  /** An id beyond the page's size shows that there is another page. */
  private async search(accountId: string, beforeId: string, filter: OtpFilter): Promise<FoundOtps> {
    const { otpId, recipient, status, channel, country, keyId, since, until, reference, digits } = filter;
    const id = otpId === undefined ? null : otpIdFromPublic(otpId);
    // An id of another form names no code.
    if (id === undefined) return { ids: [], scannedTo: null };
    const conditions = [recipient, status, country, keyId, since, until, reference, digits];
    const [found] = await this.postgres.query<FoundOtps>(findOtpsStatement(wayOf(filter)), [
      accountId,
      beforeId,
      ...conditions.map((value) => value ?? null),
      limits.otpsPageSize + 1,
      id,
      channel ?? null,
    ]);
    return found ?? { ids: [], scannedTo: null };
  }

  private async shown(accountId: string, ids: readonly string[]): Promise<OtpView[]> {
    if (ids.length === 0) return [];
    const rows = await this.postgres.query<LoggedOtp>(showOtpsStatement, [accountId, ids]);
    const keys = await this.namedKeys.list(accountId);
    const nameOf = new Map(keys.map((key) => [key.id, key.name]));
    return rows.map((row) => otpView(row, (row.keyId !== null && nameOf.get(row.keyId)) || null));
  }
}

function wayOf(filter: OtpFilter): keyof typeof searchedBy {
  const { otpId, status, channel, reference, recipient, country, keyId, digits, since, until } = filter;
  if (otpId !== undefined) return 'id';
  if (status === 'blocked') return 'blocked';
  if (recipient !== undefined) return 'recipient';
  if (reference !== undefined) return 'reference';
  if (status === 'exhausted') return 'exhausted';
  const isFiltered = [status, channel, country, keyId, digits, since, until].some((one) => one !== undefined);
  return isFiltered ? 'account' : 'newest';
}
