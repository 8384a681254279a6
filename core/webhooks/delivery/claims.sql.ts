import type { WebhookEventType } from '#contract/webhooks.js';
import type { EncryptedSecrets } from '../endpoints/webhook-secrets.js';

/** Longer than a call may take, with room for what comes before and after it. */
export const LEASE_SECONDS = 30;
/** What waits for a webhook that is turned off is looked at so often. */
export const PAUSED_SECONDS = 3_600;

/**
 * Claims waiting deliveries for this worker; a second runner finds nothing. Where the account has no webhook, or it is turned
 * off, the delivery is put aside; only a test goes to one that is off.
 */
export const claimStatement = {
  name: 'webhook-claim-2',
  text: `
WITH due AS MATERIALIZED (
  SELECT d.id, e.url IS NOT NULL AND (e.disabled_at IS NULL OR d.is_test) AS is_on, e.url,
    e.secret, e.secret_key_id, e.previous_secret, e.previous_secret_key_id, e.previous_secret_ends_at > now() AS has_previous
  FROM webhook_deliveries d
  LEFT JOIN webhook_endpoints e ON e.account_id = d.account_id
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
  RETURNING d.id, d.account_id, d.type, d.source_id, d.body, d.is_test, d.attempts, d.failures
)
SELECT id, account_id AS "accountId", type, source_id AS "sourceId", body, is_test AS "isTest", attempts, failures, url,
  secret, secret_key_id AS "secretKeyId",
  CASE WHEN has_previous THEN previous_secret END AS "previousSecret", previous_secret_key_id AS "previousSecretKeyId"
FROM due JOIN claimed USING (id)
WHERE due.is_on
`,
} as const;

/** A delivery in this worker's hands, and where it goes. */
export interface ClaimedDelivery extends EncryptedSecrets {
  readonly id: string;
  readonly accountId: string;
  readonly type: WebhookEventType;
  /** What the event is about: of `message.…` the message's id. */
  readonly sourceId: string;
  readonly body: string;
  readonly isTest: boolean;
  /** The number of this claim. */
  readonly attempts: number;
  /** Failures on the retry schedule so far. */
  readonly failures: number;
  readonly url: string;
}
