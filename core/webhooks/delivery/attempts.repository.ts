import { Injectable } from '@nestjs/common';
import { limits } from '#contract/limits.js';
import type { WebhookEventType } from '#contract/webhooks.js';
import { GroupCommit } from '../../platform/database/group-commit.js';
import { Postgres } from '../../platform/database/postgres.js';
import { retryUndone } from '../../platform/errors/database-error.js';
import { BatchClaim, type Claimed } from '../../platform/durable-work/durable-work.js';
import { newMessageId } from '../../rules/ids.js';
import type { DeliveryFormat, DeliveryOwner } from '../deliveries/deliveries.repository.js';
import { secretsOf, type EncryptedSecrets, type SecretColumns } from '../endpoints/endpoints.repository.js';

/** Lease: longer than a call may take, with room before and after it. */
const LEASE_SECONDS = 30;
/** A paused delivery is checked this often. */
const PAUSED_SECONDS = 3_600;
/**
 * Recovery enqueues a pending delivery again after this time; its job may still be in the queue.
 */
const LOST_AFTER_SECONDS = 60;
/** A delivery that is paused for this long fails; it can be resent. */
const PAUSED_MAX = '7 days';
/** No retry schedule comes near: only a delivery that crashes its worker is claimed this often. */
const CLAIMS_MAX = 1_000;
const DUE_MAX = 500;
/** An endpoint whose every attempt has failed for this long is turned off. */
const FAILING_MAX = '5 days';
const WARNED_AFTER = `${limits.webhookFailingMailMinutes} minutes`;
const BATCH_MAX = 200;
const BATCHES_IN_FLIGHT_MAX = 2;
const WAITING_MAX = 10_000;
const RESUMED_MAX = 500;

export interface ClaimedRow extends SecretColumns {
  readonly id: string;
  readonly accountId: string;
  readonly type: WebhookEventType;
  readonly sourceId: string;
  readonly body: string;
  readonly format: DeliveryFormat;
  readonly isTest: boolean;
  readonly attempts: number;
  readonly failures: number;
  readonly url: string;
}

/** A delivery claimed by this worker, and its endpoint. */
export interface ClaimedDelivery extends Omit<ClaimedRow, keyof SecretColumns> {
  /** Subject of the event; the message's id for `message.…`. */
  readonly sourceId: string;
  /** The number of this claim. */
  readonly attempts: number;
  /** Failures on the retry schedule so far. */
  readonly failures: number;
  readonly secrets: EncryptedSecrets;
}

export interface DueRow extends DeliveryOwner {
  readonly status: 'pending' | 'paused' | 'failed';
  /** True if the delivery's job may still be in the queue. */
  readonly again: boolean;
}

/**
 * Claims pending deliveries with a lease; a second runner finds nothing. A delivery whose account
 * has no endpoint that is on is paused, except a test event, which goes to an endpoint that is off.
 * A delivery with its own URL is never paused; its secret is the API key of its message.
 */
export const claimDeliveries = {
  name: 'webhook-claim-4',
  text: `
WITH due AS MATERIALIZED (
  SELECT d.id, d.format <> 'standard' OR (e.url IS NOT NULL AND (e.disabled_at IS NULL OR d.is_test)) AS is_on,
    coalesce(d.url, e.url) AS url, coalesce(k.secret, e.secret) AS secret,
    CASE WHEN k.secret IS NULL THEN e.secret_key_id
      ELSE k.secret_key_id END AS secret_key_id, e.previous_secret, e.previous_secret_key_id,
        e.previous_secret_ends_at > now() AS has_previous
  FROM webhook_deliveries d
  LEFT JOIN webhook_endpoints e ON e.account_id = d.account_id AND d.format = 'standard'
  LEFT JOIN callback_keys k ON k.key_hash = d.key_hash
  WHERE d.id = ANY ($1::uuid[]) AND d.status = 'pending'
  ORDER BY d.id
  FOR NO KEY UPDATE OF d
),
claimed AS (
  UPDATE webhook_deliveries d
  SET status = CASE WHEN due.is_on THEN 'sending' ELSE 'paused' END,
    attempts = d.attempts + CASE WHEN due.is_on THEN 1 ELSE 0 END,
    due_at = now() + make_interval(secs => CASE WHEN due.is_on THEN ${LEASE_SECONDS} ELSE ${PAUSED_SECONDS} END)
  FROM due WHERE d.id = due.id
  RETURNING d.id, d.account_id, d.type, d.source_id, d.body, d.format, d.is_test, d.attempts, d.failures
)
SELECT id, account_id AS "accountId", type, source_id AS "sourceId", body, format, is_test AS "isTest",
  attempts, failures, url,
  secret, secret_key_id AS "secretKeyId",
  CASE WHEN has_previous THEN previous_secret END AS "previousSecret", previous_secret_key_id AS "previousSecretKeyId"
FROM due JOIN claimed USING (id)
WHERE due.is_on
`,
} as const;

/**
 * Takes due deliveries and sets when each is due next, so that several workers share them and a
 * crash loses no delivery: retries, pending deliveries the queue may have lost, claims whose lease
 * has expired, and paused deliveries.
 */
export const takeDueDeliveries = {
  name: 'webhook-due-3',
  text: `
WITH due AS MATERIALIZED (
  SELECT d.id, d.format = 'standard' AND (e.url IS NULL OR (e.disabled_at IS NOT NULL AND NOT d.is_test)) AS is_off
  FROM webhook_deliveries d
  LEFT JOIN webhook_endpoints e ON e.account_id = d.account_id
  WHERE d.due_at <= now()
  ORDER BY d.due_at LIMIT ${DUE_MAX}
  FOR NO KEY UPDATE OF d SKIP LOCKED
),
next AS (
  SELECT d.id, d.status = 'pending' AS again, CASE
    WHEN d.attempts >= ${CLAIMS_MAX} OR (due.is_off AND d.created_at <= now() - interval '${PAUSED_MAX}') THEN 'failed'
    WHEN due.is_off THEN 'paused'
    ELSE 'pending'
  END AS status
  FROM due JOIN webhook_deliveries d ON d.id = due.id
)
UPDATE webhook_deliveries d
SET status = next.status,
  due_at = CASE next.status
    WHEN 'pending' THEN now() + interval '${LOST_AFTER_SECONDS} seconds'
    WHEN 'paused' THEN now() + interval '${PAUSED_SECONDS} seconds'
  END,
  finished_at = CASE WHEN next.status = 'failed' THEN now() END
FROM next
WHERE d.id = next.id
RETURNING d.id, d.account_id AS "accountId", d.status, next.again
`,
} as const;

/**
 * Postpones pending deliveries without counting an attempt. Parameters are arrays: delivery,
 * milliseconds.
 */
const postponeDeliveries = {
  name: 'webhook-park-3',
  text: `
UPDATE webhook_deliveries d SET due_at = now() + make_interval(secs => postponed.wait_ms / 1000.0)
FROM unnest($1::uuid[], $2::integer[]) AS postponed (id, wait_ms)
WHERE d.id = postponed.id AND d.status = 'pending'
`,
} as const;

/** Makes postponed deliveries of an account due now. Parameters: account, maximum of deliveries. */
const resumePostponed = {
  name: 'webhook-unpark-3',
  text: `
UPDATE webhook_deliveries SET due_at = now()
WHERE id IN (
  SELECT id FROM webhook_deliveries
  WHERE account_id = $1 AND status = 'pending' AND due_at > now()
  ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED
)
`,
} as const;

/** One attempt and its effect on the delivery. */
export interface AttemptOutcome {
  readonly claim: Pick<ClaimedDelivery, 'id' | 'attempts' | 'accountId' | 'format' | 'isTest'>;
  readonly verdict: 'delivered' | 'waiting' | 'failed';
  /** Seconds until the next attempt; null without a next attempt. */
  readonly waitSeconds: number | null;
  readonly startedAt: Date;
  readonly durationMs: number;
  /** Null without an answer; then `error` is the reason. */
  readonly status: number | null;
  readonly answer: string;
  readonly error: string | null;
}

/** An endpoint that began or ceased to fail with an attempt, or has been failing for some time. */
export interface EndpointHealth {
  readonly accountId: string;
  /** The endpoint began or ceased to fail. */
  readonly changed: boolean;
  /**
   * Start of failures that last long enough to notify the owner; null before, and when it is off.
   */
  readonly failingSince: Date | null;
  /** The endpoint has been failing for so long that it has to be turned off. */
  readonly isOver: boolean;
}

/**
 * Records attempts and their effects. Parameters are arrays: delivery, number of the claim,
 * account, new status of the delivery (`delivered`, `waiting`, `failed`), seconds until the next
 * attempt, id of the attempt, its start, duration, status, answer, error, whether it shows the
 * health of the account's webhook.
 *
 * Records only the attempt when a newer claim has taken the delivery over: its number differs.
 * Updates `failing_since` of an endpoint at the first failure and the first success only, so that
 * the row is rarely written. Returns the endpoints that began or ceased to fail, and endpoints that
 * have been failing for some time.
 */
export const recordAttempts = {
  name: 'webhook-outcome-4',
  text: `
WITH outcome AS MATERIALIZED (
  SELECT * FROM unnest($1::uuid[], $2::integer[], $3::uuid[], $4::text[], $5::float8[], $6::uuid[], $7::timestamptz[],
    $8::integer[], $9::integer[], $10::text[], $11::text[], $12::boolean[])
    AS o (delivery_id, claim, account_id, verdict, wait_seconds, attempt_id, started_at, duration_ms,
      status, answer, error,
      to_endpoint)
),
held AS MATERIALIZED (
  SELECT d.id FROM webhook_deliveries d JOIN outcome o ON o.delivery_id = d.id
  WHERE d.attempts = o.claim AND d.status = 'sending'
  ORDER BY d.id
  FOR NO KEY UPDATE OF d
),
moved AS (
  UPDATE webhook_deliveries d
  SET status = o.verdict,
    failures = d.failures + CASE WHEN o.verdict = 'delivered' THEN 0 ELSE 1 END,
    due_at = now() + make_interval(secs => o.wait_seconds),
    finished_at = CASE WHEN o.verdict <> 'waiting' THEN now() END
  FROM outcome o JOIN held ON held.id = o.delivery_id
  WHERE d.id = held.id
),
health AS MATERIALIZED (
  SELECT account_id, bool_or(verdict = 'delivered') AS is_well, min(started_at) AS since
  FROM outcome WHERE to_endpoint GROUP BY account_id
),
changed AS MATERIALIZED (
  SELECT e.account_id, h.is_well, h.since
  FROM webhook_endpoints e JOIN health h ON h.account_id = e.account_id
  WHERE h.is_well = (e.failing_since IS NOT NULL)
  ORDER BY e.account_id
  FOR NO KEY UPDATE OF e
),
marked AS (
  UPDATE webhook_endpoints e SET failing_since = CASE WHEN NOT c.is_well THEN c.since END
  FROM changed c WHERE e.account_id = c.account_id
),
noted AS (
  INSERT INTO webhook_attempts (id, delivery_id, account_id, started_at, duration_ms, status, answer, error)
  SELECT attempt_id, delivery_id, account_id, started_at, duration_ms, status, answer, error FROM outcome
)
SELECT h.account_id AS "accountId", c.account_id IS NOT NULL AS changed,
  CASE WHEN late.is_late THEN e.failing_since END AS "failingSince",
  late.is_late AND e.failing_since <= now() - interval '${FAILING_MAX}' AS "isOver"
FROM health h
JOIN webhook_endpoints e ON e.account_id = h.account_id
LEFT JOIN changed c ON c.account_id = h.account_id
CROSS JOIN LATERAL (
  SELECT NOT h.is_well AND e.disabled_at IS NULL
    AND coalesce(e.failing_since <= now() - interval '${WARNED_AFTER}', false) AS is_late
) late
WHERE c.account_id IS NOT NULL OR late.is_late
`,
} as const;

/**
 * Returns whether an attempt shows the health of the account's webhook. Attempts to a URL that a
 * message named do not, nor do failed test events: no event waits for them, and their sender sees
 * the answer.
 */
export function tellsHealth({ claim, verdict }: Pick<AttemptOutcome, 'claim' | 'verdict'>): boolean {
  return claim.format === 'standard' && !(claim.isTest && verdict !== 'delivered');
}

/** Claims, postpones and recovers deliveries, and records their attempts. */
@Injectable()
export class AttemptsRepository {
  private readonly claims: BatchClaim<ClaimedDelivery>;
  private readonly postponed: GroupCommit<{ id: string; waitMs: number }, void>;
  private readonly attempts: GroupCommit<AttemptOutcome, EndpointHealth | undefined>;

  constructor(private readonly postgres: Postgres) {
    this.claims = new BatchClaim({
      leaseMs: LEASE_SECONDS * 1_000,
      claim: async (ids) => (await postgres.query<ClaimedRow>(claimDeliveries, [ids])).map(claimedDelivery),
    });
    this.postponed = new GroupCommit<{ id: string; waitMs: number }, void>({
      batchMax: BATCH_MAX,
      inFlightMax: BATCHES_IN_FLIGHT_MAX,
      waitingMax: WAITING_MAX,
      run: async (batch) => {
        await postgres.query(postponeDeliveries, [batch.map(({ id }) => id), batch.map(({ waitMs }) => waitMs)]);
        return batch.map(() => undefined);
      },
      onFull: () => new Error('Too many webhook deliveries to postpone'),
    });
    this.attempts = new GroupCommit({
      batchMax: BATCH_MAX,
      inFlightMax: BATCHES_IN_FLIGHT_MAX,
      waitingMax: WAITING_MAX,
      run: (batch) => this.recordAll(batch),
      onFull: () => new Error('Too many webhook attempts to record'),
    });
  }

  /**
   * Claims a delivery for this worker. Returns undefined when it is not pending, or its endpoint is
   * off.
   */
  claim(id: string): Promise<Claimed<ClaimedDelivery> | undefined> {
    return this.claims.claim(id);
  }

  /** Postpones a delivery without counting an attempt. */
  postpone(id: string, waitMs: number): Promise<void> {
    return this.postponed.submit({ id, waitMs: Math.round(waitMs) });
  }

  /** Makes postponed deliveries of the account due now. */
  async resumePostponed(accountId: string): Promise<void> {
    await this.postgres.query(resumePostponed, [accountId, RESUMED_MAX]);
  }

  /** Takes one batch of due deliveries; the caller enqueues the pending deliveries among them. */
  async takeDue(): Promise<DueRow[]> {
    return this.postgres.query<DueRow>(takeDueDeliveries, []);
  }

  /**
   * Records an attempt. Returns the state of the account's endpoint when it changed, or has been
   * bad for some time.
   */
  record(outcome: AttemptOutcome): Promise<EndpointHealth | undefined> {
    return this.attempts.submit(outcome);
  }

  private async recordAll(batch: AttemptOutcome[]): Promise<(EndpointHealth | undefined)[]> {
    const rows = await retryUndone(() =>
      this.postgres.query<EndpointHealth>(recordAttempts, [
        batch.map(({ claim }) => claim.id),
        batch.map(({ claim }) => claim.attempts),
        batch.map(({ claim }) => claim.accountId),
        batch.map(({ verdict }) => verdict),
        batch.map(({ waitSeconds }) => waitSeconds),
        batch.map(() => newMessageId()),
        batch.map(({ startedAt }) => startedAt),
        batch.map(({ durationMs }) => Math.round(durationMs)),
        batch.map(({ status }) => status),
        batch.map(({ answer }) => answer),
        batch.map(({ error }) => error),
        batch.map(tellsHealth),
      ]),
    );
    const healths = new Map(rows.map((row) => [row.accountId, row]));
    return batch.map(({ claim }) => healths.get(claim.accountId));
  }
}

function claimedDelivery(row: ClaimedRow): ClaimedDelivery {
  const { secret, secretKeyId, previousSecret, previousSecretKeyId, ...delivery } = row;
  return { ...delivery, secrets: secretsOf({ secret, secretKeyId, previousSecret, previousSecretKeyId }) };
}
