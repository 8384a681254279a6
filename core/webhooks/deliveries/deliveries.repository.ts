import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import {
  webhookEventTypes,
  type CallbackFormat,
  type WebhookDelivery,
  type WebhookEventType,
} from '#contract/webhooks.js';
import { Postgres } from '../../platform/database/postgres.js';
import { eventSourcesOf } from '../../rules/delivery.js';
import { instantOfUuidV7, uuidV7Floor } from '../../rules/ids.js';

interface NewDelivery {
  readonly id: string;
  readonly accountId: string;
  readonly type: WebhookEventType;
  readonly sourceId: string;
  readonly body: string;
  /** A test event: sent in one attempt, even if the account is not subscribed to its type. */
  readonly isTest?: boolean;
}

/**
 * `pending` is enqueued, `sending` claimed by a worker, `waiting` due for a retry later, `paused`
 * while the endpoint is off.
 */
export type DeliveryState = 'pending' | 'sending' | 'waiting' | 'paused' | 'delivered' | 'failed';

export interface DeliveryRow {
  readonly id: string;
  readonly accountId: string;
  readonly type: WebhookEventType;
  /** Subject of the event; for `message.…` the message's id, see `eventSourcesOf`. */
  readonly sourceId: string;
  readonly isTest: boolean;
  readonly status: DeliveryState;
  readonly attempts: number;
  /** Failures on the retry schedule. */
  readonly failures: number;
  readonly dueAt: Date | null;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
  readonly format: DeliveryFormat;
  /** Null for the account's webhook. */
  readonly url: string | null;
  readonly body: string;
}

/**
 * `standard`: to the account's webhook, as Standard Webhooks; otherwise to one message's URL, in
 * the format of the API that named it.
 */
export type DeliveryFormat = 'standard' | CallbackFormat;

/** A page of deliveries, newest first; an undefined filter matches every delivery. */
export interface DeliveryPage {
  readonly beforeId: string | undefined;
  readonly states: readonly DeliveryState[] | undefined;
  /** True for failures on the retry schedule. */
  readonly hasFailed: boolean | undefined;
  readonly type: WebhookEventType | undefined;
  /** Digits of a phone number. */
  readonly digits: string | undefined;
  /** Message or one-time password that is the event's subject; found by an index. */
  readonly sourceId: string | undefined;
  readonly size: number;
}

export interface AttemptRow {
  readonly deliveryId: string;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly status: number | null;
  readonly answer: string;
  readonly error: string | null;
}

/** A delivery and its account, as the queue needs them. */
export interface DeliveryOwner {
  readonly id: string;
  readonly accountId: string;
}

/** Recovery enqueues a new delivery again after this time, in case the queue lost its job. */
export const LOST_AFTER_SECONDS = 15;
const RESUMED_MAX = 10_000;
const CLOCK_SKEW_MS = 3_600_000;

interface ReplayRange {
  /** Ids are ordered by time; `fromId` is inclusive, `beforeId` exclusive. */
  readonly fromId: string;
  readonly beforeId: string;
  readonly states: readonly DeliveryState[];
  readonly deliveriesMax: number;
}

/**
 * Parameters are arrays: id, account, type, source, body, is test. Inserts new deliveries that have
 * a receiver. Events of accounts that listen to them are stored too, numbered under the listener's
 * lock, which a transaction takes last.
 */
export const insertDeliveries = {
  name: 'webhook-insert-1',
  text: `
WITH n AS MATERIALIZED (
  SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::boolean[]) WITH ORDINALITY
    AS n (id, account_id, type, source_id, body, is_test, position)
),
listener AS MATERIALIZED (
  SELECT account_id, last_number FROM event_listeners
  WHERE account_id = ANY ($2::uuid[]) AND listening_until > now()
  ORDER BY account_id FOR NO KEY UPDATE
),
numbered AS MATERIALIZED (
  SELECT n.*, l.last_number + row_number() OVER (PARTITION BY n.account_id ORDER BY n.position) AS number
  FROM n JOIN listener l ON l.account_id = n.account_id
  WHERE NOT EXISTS (
    SELECT FROM account_events s WHERE s.account_id = n.account_id AND s.type = n.type AND s.source_id = n.source_id
  )
),
counted AS (
  UPDATE event_listeners l SET last_number = c.last_number
  FROM (SELECT account_id, max(number) AS last_number FROM numbered GROUP BY account_id) c
  WHERE l.account_id = c.account_id
),
stored AS (
  INSERT INTO account_events (account_id, number, id, type, source_id, body)
  SELECT account_id, number, id, type, source_id, body FROM numbered ON CONFLICT DO NOTHING
)
INSERT INTO webhook_deliveries (id, account_id, type, source_id, body, is_test, due_at)
SELECT n.id, n.account_id, n.type, n.source_id, n.body, n.is_test, now() + interval '${LOST_AFTER_SECONDS} seconds'
FROM n
CROSS JOIN LATERAL (SELECT url, events FROM webhook_endpoints WHERE account_id = n.account_id OFFSET 0) AS e
WHERE e.url IS NOT NULL AND (n.is_test OR n.type = 'message.received' OR n.type = ANY (e.events))
ORDER BY n.type, n.source_id
ON CONFLICT (type, source_id, format) DO NOTHING
RETURNING id`,
} as const;

export const ownersOf = {
  name: 'webhook-owners-3',
  text: `SELECT id, account_id AS "accountId" FROM webhook_deliveries
    WHERE id = ANY ($1::uuid[]) AND status = 'pending'`,
};

const columns = `id, account_id AS "accountId", type, source_id AS "sourceId", is_test AS "isTest", status, attempts,
  failures,
  due_at AS "dueAt", created_at AS "createdAt", finished_at AS "finishedAt", format, url, body`;

/**
 * Parameters $3 to $6: states, whether the delivery has failed, type, digits of a phone number;
 * null for all.
 */
const filters = `($3::text[] IS NULL OR status = ANY ($3)) AND ($4::boolean IS NULL OR (failures > 0) = $4)
  AND ($5::text IS NULL OR type = $5)
  AND ($6::text IS NULL OR body ~ ('"(to|Sender|sender|fromNumber)":"\\+?[0-9]*' || $6))`;

/** Filters the newest deliveries before an id, of which it reads at most $8. */
export const pageOfAccount = {
  name: 'webhook-deliveries-5',
  text: `
SELECT ${columns} FROM (
  SELECT * FROM webhook_deliveries WHERE account_id = $1 AND ($2::uuid IS NULL OR id < $2) ORDER BY id DESC LIMIT $8
) newest
WHERE ${filters}
ORDER BY id DESC LIMIT $7`,
};

/** Last delivery that a filtered page read; no row when it read to the end. */
export const lastSearched = {
  name: 'webhook-deliveries-searched-1',
  text: `
SELECT id FROM webhook_deliveries WHERE account_id = $1 AND ($2::uuid IS NULL OR id < $2)
ORDER BY id DESC LIMIT 1 OFFSET $3`,
};

// A source has at most one event of each type, and one callback beside it: the unique index finds
// them.
export const pageOfSource = {
  name: 'webhook-deliveries-of-source-5',
  text: `
SELECT ${columns} FROM webhook_deliveries
WHERE type = ANY ($8::text[]) AND source_id = ANY ($9::text[])
  AND account_id = $1 AND ($2::uuid IS NULL OR id < $2) AND ${filters}
ORDER BY id DESC LIMIT $7`,
};

export const findDelivery = {
  name: 'webhook-delivery-4',
  text: `SELECT ${columns} FROM webhook_deliveries WHERE id = $1 AND ($2::uuid IS NULL OR account_id = $2)`,
};

export const attemptsOf = {
  name: 'webhook-attempts-2',
  text: `
SELECT a.* FROM unnest($1::uuid[]) AS d (id)
CROSS JOIN LATERAL (
  SELECT delivery_id AS "deliveryId", started_at AS "startedAt", duration_ms AS "durationMs", status, answer, error
  FROM webhook_attempts WHERE delivery_id = d.id AND id >= $3 ORDER BY id DESC LIMIT $2
) a`,
};

/** A source has at most one delivery of each type and format. */
export const bodiesOfSource = {
  name: 'webhook-bodies-of-source-4',
  text: `
SELECT ${columns} FROM webhook_deliveries
  WHERE type = ANY ($2::text[]) AND source_id = ANY ($3::text[]) AND account_id = $1 ORDER BY id`,
};

const callbackOfMessage = {
  name: 'message-callback-1',
  text: 'SELECT format, url FROM message_callbacks WHERE message_id = $1 AND account_id = $2',
};

/** Parameters: account, event. */
const findStreamed = {
  name: 'webhook-streamed-1',
  text: 'SELECT 1 FROM account_events WHERE account_id = $1 AND id = $2 ORDER BY number DESC LIMIT 1',
} as const;

/** Parameter: account. */
const resumePaused = {
  name: 'webhook-resume-1',
  text: `
UPDATE webhook_deliveries SET due_at = now() WHERE id IN (
  SELECT id FROM webhook_deliveries WHERE account_id = $1 AND status = 'paused' AND due_at > now()
  ORDER BY id LIMIT ${RESUMED_MAX} FOR UPDATE SKIP LOCKED
)`,
} as const;

/** Parameter: delivery. */
const resendDelivery = {
  name: 'webhook-resend-1',
  text: `
UPDATE webhook_deliveries
SET status = 'pending', failures = 0, finished_at = NULL, due_at = now() + interval '${LOST_AFTER_SECONDS} seconds'
WHERE id = $1 AND status <> 'sending'`,
} as const;

/** Reads and writes deliveries of webhook events. */
@Injectable()
export class DeliveriesRepository {
  constructor(private readonly postgres: Postgres) {}

  /**
   * Inserts deliveries and returns the ids of the inserted deliveries: without those that have no
   * receiver or were inserted before.
   */
  async insert(tx: EntityManager, deliveries: readonly NewDelivery[]): Promise<Set<string>> {
    const rows = await this.postgres.run<{ id: string }>(tx, insertDeliveries, [
      deliveries.map(({ id }) => id),
      deliveries.map(({ accountId }) => accountId),
      deliveries.map(({ type }) => type),
      deliveries.map(({ sourceId }) => sourceId),
      deliveries.map(({ body }) => body),
      deliveries.map(({ isTest }) => isTest ?? false),
    ]);
    return new Set(rows.map(({ id }) => id));
  }

  /** Returns whether an event was stored for the streams of its account. */
  async isStreamed(tx: EntityManager, accountId: string, id: string): Promise<boolean> {
    return (await this.postgres.run(tx, findStreamed, [accountId, id])).length > 0;
  }

  /** Returns the pending deliveries among these, with their accounts. */
  async owners(ids: readonly string[]): Promise<DeliveryOwner[]> {
    return this.postgres.query<DeliveryOwner>(ownersOf, [ids]);
  }

  /** Makes paused deliveries due now; deliveries beyond the bound follow within the hour. */
  async resume(tx: EntityManager, accountId: string): Promise<void> {
    await this.postgres.run(tx, resumePaused, [accountId]);
  }

  /** Without a source, `searchedMax` deliveries are read; see {@link lastSearched}. */
  async page(accountId: string, page: DeliveryPage, searchedMax: number): Promise<DeliveryRow[]> {
    const { beforeId = null, states = null, hasFailed = null, type = null, digits = null, sourceId, size } = page;
    const values = [accountId, beforeId, states, hasFailed, type, digits, size];
    if (sourceId === undefined) return this.postgres.query<DeliveryRow>(pageOfAccount, [...values, searchedMax]);
    return this.postgres.query<DeliveryRow>(pageOfSource, [...values, webhookEventTypes, eventSourcesOf(sourceId)]);
  }

  /**
   * Returns the last id that {@link page} reads; undefined when that is the account's last
   * delivery.
   */
  async lastSearched(
    accountId: string,
    beforeId: string | undefined,
    searchedMax: number,
  ): Promise<string | undefined> {
    const values = [accountId, beforeId ?? null, searchedMax - 1];
    const [row] = await this.postgres.query<{ id: string }>(lastSearched, values);
    return row?.id;
  }

  /** Finds a delivery of the account; a null `accountId` means any account. */
  async find(id: string, accountId: string | null): Promise<DeliveryRow | undefined> {
    const [row] = await this.postgres.query<DeliveryRow>(findDelivery, [id, accountId]);
    return row;
  }

  /** Returns the attempts of each delivery, newest first. */
  async attemptsOf(ids: readonly string[], attemptsMax: number): Promise<AttemptRow[]> {
    if (ids.length === 0) return [];
    // Attempts are younger than their delivery, give or take the clocks' difference: this bound
    // skips earlier partitions.
    const oldestMs = Math.min(...ids.map((id) => instantOfUuidV7(id).getTime()));
    const from = uuidV7Floor(new Date(Math.max(0, oldestMs - CLOCK_SKEW_MS)));
    return this.postgres.query<AttemptRow>(attemptsOf, [ids, attemptsMax, from]);
  }

  /** Returns the deliveries about a source with their bodies, oldest first. */
  async about(accountId: string, sourceId: string): Promise<DeliveryRow[]> {
    return this.postgres.query<DeliveryRow>(bodiesOfSource, [accountId, webhookEventTypes, eventSourcesOf(sourceId)]);
  }

  /** Returns the URL that a message named for itself. */
  async callbackOf(accountId: string, messageId: string): Promise<WebhookDelivery['callback']> {
    const values = [messageId, accountId];
    const [row] = await this.postgres.query<{ format: CallbackFormat; url: string }>(callbackOfMessage, values);
    return row ?? null;
  }

  /** Restarts the retry schedule of a delivery; a running attempt continues. */
  async resend(tx: EntityManager, id: string): Promise<void> {
    await this.postgres.run(tx, resendDelivery, [id]);
  }

  /**
   * Restarts the deliveries of a time range to the account's webhook and returns how many. Recovery
   * enqueues them in batches.
   */
  async replay(
    tx: EntityManager,
    accountId: string,
    { fromId, beforeId, states, deliveriesMax }: ReplayRange,
  ): Promise<number> {
    const [, count] = await tx.query<[object[], number]>(
      `UPDATE webhook_deliveries SET status = 'waiting', failures = 0, finished_at = NULL, due_at = now() WHERE id IN (
         SELECT id FROM webhook_deliveries
         WHERE account_id = $1 AND id >= $2 AND id < $3 AND status = ANY ($4) AND NOT is_test AND format = 'standard'
         ORDER BY id LIMIT $5 FOR UPDATE
       )`,
      [accountId, fromId, beforeId, states, deliveriesMax],
    );
    return count;
  }
}
