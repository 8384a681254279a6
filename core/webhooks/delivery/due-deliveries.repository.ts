import { Injectable } from '@nestjs/common';
import { Postgres } from '../../platform/database/postgres.js';
import type { DeliveryOwner } from '../deliveries/deliveries.repository.js';
import { PAUSED_SECONDS } from './claims.sql.js';

const BATCH_MAX = 500;
/** The queue has had it long enough: it is put in line again. A job that is there already stays. */
const LOST_AFTER_SECONDS = 60;
/** What has waited for so long for a webhook that is turned off is given up; it can be sent again by hand. */
const PAUSED_MAX = '7 days';
/** No schedule comes near: a delivery that is claimed and lost so often is the cause of it. */
const CLAIMS_MAX = 1_000;

/**
 * Takes deliveries whose time has come, and says when each is due again, so several workers share the work and a crash loses
 * none: the next attempt of what failed, what the queue lost, claims whose lease is over, what was put aside.
 */
const takeDue = {
  name: 'webhook-due-1',
  text: `
WITH due AS MATERIALIZED (
  SELECT d.id, e.url IS NULL OR (e.disabled_at IS NOT NULL AND NOT d.is_test) AS is_off
  FROM webhook_deliveries d
  LEFT JOIN webhook_endpoints e ON e.account_id = d.account_id
  WHERE d.due_at <= now()
  ORDER BY d.due_at LIMIT ${BATCH_MAX}
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

/** `again`: its job may be in line already. */
export interface DueDelivery extends DeliveryOwner {
  readonly again: boolean;
}

/** Deliveries that recovery looks after. */
@Injectable()
export class DueDeliveriesRepository {
  constructor(private readonly postgres: Postgres) {}

  /** At most a batch: how many were due, and those of them to be put in line. */
  async take(): Promise<{ taken: number; pending: DueDelivery[] }> {
    const rows = await this.postgres.query<DueDelivery & { status: string }>(takeDue, []);
    return { taken: rows.length, pending: rows.filter(({ status }) => status === 'pending') };
  }
}
