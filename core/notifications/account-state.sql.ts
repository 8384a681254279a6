/**
 * The state of an account that may need its owner's attention, in one statement: single rows by
 * their keys, and few rows of an index. This folder only reads the tables; their features write
 * them.
 */

/** Maximum to which waiting webhooks are counted. */
export const WAITING_MAX = 10_000;
/** Number of newest webhooks among which the last failure is looked for. */
const FAILURES_SEARCHED_MAX = 20;
/** The carrier's code of a message that was filtered: see contract/delivery-errors. */
export const FILTERED = '30007';
const KEYS_MAX = 20;
const NUMBERS_MAX = 20;

export interface BudgetedKey {
  readonly id: string;
  readonly name: string;
  readonly perDay: number | null;
  readonly perMonth: number | null;
  readonly today: number;
  readonly thisMonth: number;
}

/**
 * A number whose rent is due, or whose messages carriers filter. Times are in Postgres's JSON
 * format.
 */
export interface TroubledNumber {
  readonly id: string;
  readonly number: string;
  readonly rent: number;
  readonly pastDueAt: string | null;
  readonly filteredAt: string | null;
}

export interface AccountState {
  /** New York day, 'YYYY-MM-DD'. */
  readonly day: string;
  readonly deleteAt: Date | null;
  readonly flaggedAt: Date | null;
  readonly welcomeFailed: boolean;
  readonly hasUrl: boolean;
  readonly failingSince: Date | null;
  readonly disabledAt: Date | null;
  readonly disabledReason: 'gone' | 'failing' | 'operator' | null;
  /** Webhooks that are retried, or wait for the webhook to be turned on. */
  readonly waiting: number;
  readonly lastStatus: number | null;
  readonly lastError: string | null;
  /** The threshold of an alert that is on. */
  readonly lowCredits: number | null;
  readonly suspendedAt: Date | null;
  readonly recipients: number | null;
  readonly undelivered: number | null;
  /** Among messages accepted today and yesterday. */
  readonly filtered: number;
  readonly ended: number;
  /**
   * The fraud guard refused a code within the last hour because earlier codes were not verified.
   */
  readonly guardRefused: boolean;
  readonly topUpOn: boolean;
  readonly topUpThreshold: number | null;
  readonly topUpsMax: number | null;
  readonly topUpsThisMonth: number;
  readonly topUpOffReason: 'declined' | 'not_confirmed' | null;
  readonly topUpRetryAt: Date | null;
  /** The latest attempt to charge the card. */
  readonly chargeId: string | null;
  readonly chargeStatus: string | null;
  readonly chargeReason: string | null;
  readonly chargeCredits: number | null;
  readonly cardLast4: string | null;
  readonly chargedAt: Date | null;
  readonly chargeEndedAt: Date | null;
  /** Payments in an open dispute. */
  readonly disputes: number;
  readonly disputedAt: Date | null;
  readonly creditsDisputed: number;
  readonly keys: readonly BudgetedKey[];
  readonly numbers: readonly TroubledNumber[];
}

const today = `(now() AT TIME ZONE 'America/New_York')::date`;

/** Parameters: account, start of the month in New York. */
export const accountStateStatement = {
  name: 'notifications-state-2',
  text: `
SELECT ${today}::text AS day, a.delete_at AS "deleteAt", a.flagged_at AS "flaggedAt",
  coalesce(
    (SELECT m.status = 'failed' FROM mails m
     WHERE m.account_id = $1 AND m.kind = 'welcome' AND m.source_id = $1::uuid::text),
    a.welcome_mail_due_at IS NOT NULL
  ) AS "welcomeFailed",
  coalesce(e.url IS NOT NULL, false) AS "hasUrl", e.failing_since AS "failingSince", e.disabled_at AS "disabledAt",
  e.disabled_reason AS "disabledReason", waiting.count AS waiting,
  last.status AS "lastStatus", last.error AS "lastError",
  CASE WHEN e.low_credits_mail OR ('credits.low' = ANY (e.events) AND e.url IS NOT NULL)
    THEN e.low_credits::float8 END AS "lowCredits",
  s.suspended_at AS "suspendedAt", s.recipients, s.undelivered,
  ends.filtered, ends.ended,
  EXISTS (
    SELECT FROM otp_blocks b
    WHERE b.account_id = $1 AND b.last_at > now() - interval '1 hour' AND b.verified IS NOT NULL
  ) AS "guardRefused",
  coalesce(t.enabled, false) AS "topUpOn", t.threshold::float8 AS "topUpThreshold", t.per_month_max AS "topUpsMax",
  paid.count AS "topUpsThisMonth", t.off_reason AS "topUpOffReason", t.retry_at AS "topUpRetryAt",
  charge.id AS "chargeId", charge.status AS "chargeStatus", charge.reason AS "chargeReason",
  charge.credits AS "chargeCredits", charge.card_last4 AS "cardLast4", charge.created_at AS "chargedAt",
  charge.finished_at AS "chargeEndedAt",
  disputed.count AS disputes, disputed.since AS "disputedAt", disputed.credits AS "creditsDisputed",
  budgeted.keys, troubled.numbers
FROM accounts a
LEFT JOIN webhook_endpoints e ON e.account_id = $1
LEFT JOIN auto_top_ups t ON t.account_id = $1
LEFT JOIN delivery_suspensions s ON s.account_id = $1 AND s.lifted_at IS NULL
LEFT JOIN LATERAL (
  SELECT id, status, reason, credits, card_last4, created_at, finished_at FROM top_ups
  WHERE account_id = $1 AND t.account_id IS NOT NULL ORDER BY id DESC LIMIT 1
) charge ON true
CROSS JOIN LATERAL (
  SELECT count(*)::int AS count FROM top_ups
  WHERE account_id = $1 AND t.enabled AND created_at >= $2 AND status IN ('pending', 'action_required', 'paid')
) paid
CROSS JOIN LATERAL (
  SELECT count(*)::int AS count FROM (
    SELECT FROM webhook_deliveries d
    WHERE d.account_id = $1 AND d.due_at IS NOT NULL AND d.format = 'standard'
      AND (e.failing_since IS NOT NULL OR e.disabled_at IS NOT NULL)
    LIMIT ${WAITING_MAX}
  ) open
) waiting
LEFT JOIN LATERAL (
  SELECT w.status, w.error FROM (
    SELECT id FROM webhook_deliveries
    WHERE account_id = $1 AND format = 'standard' AND attempts > 0 AND e.failing_since IS NOT NULL
    ORDER BY id DESC LIMIT ${FAILURES_SEARCHED_MAX}
  ) d
  CROSS JOIN LATERAL (
    SELECT w.status, w.error, w.started_at FROM webhook_attempts w
    WHERE w.account_id = $1 AND w.delivery_id = d.id AND w.started_at >= e.failing_since ORDER BY w.id DESC LIMIT 1
  ) w
  WHERE w.status IS NULL OR w.status NOT BETWEEN 200 AND 299
  ORDER BY w.started_at DESC LIMIT 1
) last ON true
CROSS JOIN LATERAL (
  SELECT coalesce(sum(messages) FILTER (WHERE reason = '${FILTERED}'), 0)::float8 AS filtered,
    coalesce(sum(messages), 0)::float8 AS ended
  FROM delivery_days WHERE account_id = $1 AND day >= ${today} - 1
) ends
CROSS JOIN LATERAL (
  SELECT count(*)::int AS count, min(disputed_at) AS since, coalesce(sum(credits_disputed), 0)::float8 AS credits
  FROM payments WHERE account_id = $1 AND credits_disputed > 0
) disputed
CROSS JOIN LATERAL (
  SELECT coalesce(json_agg(k ORDER BY k.name, k.id), '[]') AS keys FROM (
    SELECT id, name, credits_per_day AS "perDay", credits_per_month AS "perMonth",
      CASE WHEN spent_on = ${today} THEN spent_that_day ELSE 0 END AS today,
      CASE WHEN date_trunc('month', spent_on) = date_trunc('month', ${today}) THEN spent_that_month ELSE 0 END
        AS "thisMonth"
    FROM api_keys
    WHERE account_id = $1 AND mode = 'live' AND (credits_per_day IS NOT NULL OR credits_per_month IS NOT NULL)
      AND (expires_at IS NULL OR expires_at > now())
    LIMIT ${KEYS_MAX}
  ) k
) budgeted
CROSS JOIN LATERAL (
  SELECT coalesce(json_agg(n ORDER BY n.number), '[]') AS numbers FROM (
    SELECT id, number, credits_per_month AS rent, past_due_at AS "pastDueAt", filtered_at AS "filteredAt"
    FROM numbers
    WHERE account_id = $1 AND origin = 'purchase' AND status IN ('active', 'past_due')
      AND (status = 'past_due' OR filtered_at IS NOT NULL)
    LIMIT ${NUMBERS_MAX}
  ) n
) troubled
WHERE a.id = $1`,
} as const;
