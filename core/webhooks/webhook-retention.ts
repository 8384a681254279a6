import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { limits } from '#contract/limits.js';
import { AccountErasure, type FeatureErasure, type RecipientTraces } from '../accounts/account-erasure.js';
import { Config } from '../platform/config/config.js';
import { Postgres } from '../platform/database/postgres.js';
import { ensurePartitions, purge, type PurgeRule } from '../platform/durable-work/retention.js';
import { Every } from '../platform/schedules/every.js';

const PURGED_EVERY_MS = 3_600_000;

/** The attempts' own partitions are dropped by month, too late for a short retention time. */
const attempts: PurgeRule = {
  table: 'webhook_attempts',
  key: ['id'],
  expired: 'id < uuid_v7_floor(now() - make_interval(days => $1))',
};

const deliveries: PurgeRule = {
  table: 'webhook_deliveries',
  key: ['id'],
  expired: 'finished_at <= now() - make_interval(days => $1)',
};

const dropAttemptPartitions = {
  name: 'webhook-partitions-drop-1',
  text: `SELECT drop_webhook_partitions(now() - make_interval(days => $1)) AS dropped`,
  shared: true,
} as const;

/** Events of accounts that listen. */
const storedEvents: PurgeRule = {
  table: 'account_events',
  key: ['account_id', 'number'],
  expired: 'created_at <= now() - make_interval(days => $1)',
};

/** Later replies to a message have no callback. */
const callbacks: PurgeRule = {
  table: 'message_callbacks',
  key: ['message_id'],
  expired: 'leaves_at <= now() - make_interval(days => $1)',
};

/** Keys outlive the callbacks of scheduled messages, and the retries of their deliveries. */
const callbackKeys: PurgeRule = {
  table: 'callback_keys',
  key: ['key_hash'],
  expired: 'used_at <= now() - make_interval(days => $1)',
};

const SCANNED_MAX = 1_000;

/**
 * Deletes the finished deliveries of one batch of an account whose body has the number, with their
 * attempts. Parameters: account, number, last id of the previous batch. `last` is null after the
 * last batch.
 */
const eraseNumber = {
  text: `
WITH scanned AS MATERIALIZED (
  SELECT id, finished_at IS NOT NULL AS finished, strpos(body, $2) > 0 AS has_number
  FROM webhook_deliveries WHERE account_id = $1 AND id < $3 ORDER BY id DESC LIMIT ${SCANNED_MAX}
), erased AS (
  DELETE FROM webhook_deliveries
  WHERE finished_at IS NOT NULL AND id IN (SELECT id FROM scanned WHERE has_number AND finished) RETURNING id
), attempts AS (
  DELETE FROM webhook_attempts WHERE delivery_id IN (SELECT id FROM erased)
)
SELECT (SELECT count(*) FROM erased)::int AS erased,
  (SELECT count(*) FROM scanned WHERE has_number AND NOT finished)::int AS "inProgress",
  (SELECT id FROM scanned ORDER BY id LIMIT 1) AS last`,
} as const;

/**
 * Deletes the account's events, of the last days only, whose body has the number. Parameters:
 * account, number.
 */
const eraseNumberFromEvents = {
  text: `
WITH erased AS (DELETE FROM account_events WHERE account_id = $1 AND strpos(body, $2) > 0 RETURNING 1)
SELECT count(*)::int AS count FROM erased`,
} as const;

/** Parameters: account, number. */
const eraseNumberFromCallbacks = {
  text: `
WITH erased AS (DELETE FROM message_callbacks WHERE account_id = $1 AND recipient = $2 RETURNING 1)
SELECT count(*)::int AS count FROM erased`,
} as const;
const HIGHEST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/**
 * Days for which finished deliveries are kept. They carry texts and numbers, so a shorter retention
 * time of texts or numbers applies to them too.
 */
export function deliveriesKeptDays({ retention }: Pick<Config, 'retention'>): number {
  const { textDays = Infinity, numberDays = Infinity } = retention;
  return Math.min(limits.webhookDeliveriesKeptDays, textDays, numberDays);
}

/**
 * Removes deliveries and attempts after their retention time, and all webhook data of an erased
 * account.
 */
@Injectable()
export class WebhookRetention implements FeatureErasure {
  constructor(
    accountErasure: AccountErasure,
    private readonly postgres: Postgres,
    private readonly config: Config,
  ) {
    accountErasure.register(this);
  }

  /**
   * Creates the partitions of the coming months, drops expired months of attempts and deletes one
   * batch of expired deliveries and events. Returns whether more is left to delete.
   */
  @Every({ name: 'webhook retention', everyMs: PURGED_EVERY_MS, whileMore: true })
  async run(): Promise<boolean> {
    const { numberDays = Infinity } = this.config.retention;
    const days = deliveriesKeptDays(this.config);
    await ensurePartitions(this.postgres, 'ensure_webhook_partitions');
    await this.postgres.query(dropAttemptPartitions, [days]);
    const moreAttempts = days < limits.webhookDeliveriesKeptDays && (await purge(this.postgres, attempts, [days]));
    const moreEvents = await purge(this.postgres, storedEvents, [Math.min(days, limits.eventsKeptDays)]);
    const callbackDays = Math.min(limits.callbacksKeptDays, numberDays);
    const moreCallbacks = await purge(this.postgres, callbacks, [callbackDays]);
    await purge(this.postgres, callbackKeys, [limits.sendAtDaysMax + 2 * limits.callbacksKeptDays]);
    return (await purge(this.postgres, deliveries, [days])) || moreCallbacks || moreAttempts || moreEvents;
  }

  /**
   * Deletes endpoint, deliveries, attempts and events of the account; pending deliveries are not
   * sent.
   */
  async erase(accountId: string): Promise<void> {
    for (const table of [
      'event_listeners',
      'account_events',
      'webhook_endpoints',
      'webhook_deliveries',
      'message_callbacks',
      'callback_keys',
      'webhook_attempts',
    ])
      await this.postgres.query({ text: `DELETE FROM ${table} WHERE account_id = $1` }, [accountId]);
  }

  /**
   * Deletes the endpoint with its URL and secret, and its unsent deliveries; events are no longer
   * stored.
   */
  async cutOff(tx: EntityManager, accountId: string): Promise<void> {
    await tx.query('DELETE FROM webhook_endpoints WHERE account_id = $1', [accountId]);
    const endListening =
      'UPDATE event_listeners SET listening_until = now(), receiving_until = now() WHERE account_id = $1';
    await tx.query(endListening, [accountId]);
    for (const table of ['message_callbacks', 'callback_keys'])
      await tx.query(`DELETE FROM ${table} WHERE account_id = $1`, [accountId]);
    await tx.query('DELETE FROM webhook_deliveries WHERE account_id = $1 AND finished_at IS NULL', [accountId]);
  }

  /** Pending deliveries keep the number until they have ended. */
  async eraseRecipient(accountId: string, number: string): Promise<RecipientTraces> {
    const events = await this.postgres.query<{ count: number }>(eraseNumberFromEvents, [accountId, number]);
    const callbacksErased = await this.postgres.query<{ count: number }>(eraseNumberFromCallbacks, [accountId, number]);
    let [erased, inProgress] = [(events[0]?.count ?? 0) + (callbacksErased[0]?.count ?? 0), 0];
    let last: string | null = HIGHEST_ID;
    while (last !== null) {
      const rows: { erased: number; inProgress: number; last: string | null }[] = await this.postgres.query(
        eraseNumber,
        [accountId, number, last],
      );
      erased += rows[0]?.erased ?? 0;
      inProgress += rows[0]?.inProgress ?? 0;
      last = rows[0]?.last ?? null;
    }
    return { name: 'webhooks', erased, inProgress };
  }
}
