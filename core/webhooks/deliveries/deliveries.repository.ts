import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { webhookEventTypes, type WebhookEventType } from '#contract/webhooks.js';
import { Postgres } from '../../platform/database/postgres.js';
import { instantOfUuidV7, uuidV7Floor } from '../../rules/ids.js';

export interface NewDelivery {
  readonly id: string;
  readonly accountId: string;
  readonly type: WebhookEventType;
  readonly sourceId: string;
  readonly body: string;
  /** Sent whether the account subscribed to its type or not, and once. */
  readonly isTest?: boolean;
}

/** `pending` in line, `sending` in a worker's hands, `waiting` for its next attempt, `paused` as the webhook is off. */
export type DeliveryState = 'pending' | 'sending' | 'waiting' | 'paused' | 'delivered' | 'failed';

export interface DeliveryRow {
  readonly id: string;
  readonly accountId: string;
  readonly type: WebhookEventType;
  readonly isTest: boolean;
  readonly status: DeliveryState;
  readonly attempts: number;
  readonly dueAt: Date | null;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
}

/** Which deliveries, newest first: those before `beforeId`, of these states, about this source, where they are given. */
export interface DeliveryPage {
  readonly beforeId: string | undefined;
  readonly states: readonly DeliveryState[] | undefined;
  readonly sourceId: string | undefined;
  readonly size: number;
}

export interface AttemptRow {
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly status: number | null;
  readonly answer: string;
  readonly error: string | null;
}

/** Which account a delivery belongs to: what the queue needs to know. */
export interface DeliveryOwner {
  readonly id: string;
  readonly accountId: string;
}

/** The queue has had a waiting delivery long enough: recovery puts it in line again. */
export const LOST_AFTER_SECONDS = 15;
const RESUMED_MAX = 10_000;
const CLOCK_SKEW_MS = 3_600_000;

export interface ReplayRange {
  /** Inclusive and exclusive: bounds of ids, which are in order of time. */
  readonly fromId: string;
  readonly beforeId: string;
  readonly states: readonly DeliveryState[];
  readonly deliveriesMax: number;
}

const insert = `
INSERT INTO webhook_deliveries (id, account_id, type, source_id, body, is_test, due_at)
SELECT n.id, n.account_id, n.type, n.source_id, n.body, n.is_test, now() + interval '${LOST_AFTER_SECONDS} seconds'
FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::boolean[])
  AS n (id, account_id, type, source_id, body, is_test)
JOIN webhook_endpoints e ON e.account_id = n.account_id
WHERE e.url IS NOT NULL AND (n.is_test OR n.type = 'message.received' OR n.type = ANY (e.events))
ORDER BY n.type, n.source_id
ON CONFLICT (type, source_id) DO NOTHING
RETURNING id`;

const owners = {
  name: 'webhook-owners-1',
  text: `SELECT id, account_id AS "accountId" FROM webhook_deliveries WHERE id = ANY ($1::uuid[]) AND status = 'pending'`,
};

const columns = `id, account_id AS "accountId", type, is_test AS "isTest", status, attempts, due_at AS "dueAt",
  created_at AS "createdAt", finished_at AS "finishedAt"`;

const page = {
  name: 'webhook-deliveries-1',
  text: `
SELECT ${columns} FROM webhook_deliveries
WHERE account_id = $1 AND ($2::uuid IS NULL OR id < $2) AND ($3::text[] IS NULL OR status = ANY ($3))
ORDER BY id DESC LIMIT $4`,
};

// A source has one event of each type at most: the unique index of both finds them.
const pageOfSource = {
  name: 'webhook-deliveries-of-source-1',
  text: `
SELECT ${columns} FROM webhook_deliveries
WHERE type = ANY ($5::text[]) AND source_id = $6
  AND account_id = $1 AND ($2::uuid IS NULL OR id < $2) AND ($3::text[] IS NULL OR status = ANY ($3))
ORDER BY id DESC LIMIT $4`,
};

const findOf = {
  name: 'webhook-delivery-1',
  text: `SELECT ${columns}, body FROM webhook_deliveries WHERE id = $1 AND ($2::uuid IS NULL OR account_id = $2)`,
};

const attemptsOf = {
  name: 'webhook-attempts-1',
  text: `
SELECT started_at AS "startedAt", duration_ms AS "durationMs", status, answer, error
FROM webhook_attempts WHERE delivery_id = $1 AND id >= $3 ORDER BY id DESC LIMIT $2`,
};

const resend = `
UPDATE webhook_deliveries
SET status = 'pending', failures = 0, finished_at = NULL, due_at = now() + interval '${LOST_AFTER_SECONDS} seconds'
WHERE id = $1 AND status <> 'sending'`;

const purge = {
  name: 'webhook-purge-1',
  text: `
DELETE FROM webhook_deliveries WHERE id IN (
  SELECT id FROM webhook_deliveries WHERE finished_at <= now() - make_interval(days => $1) ORDER BY finished_at LIMIT $2
) RETURNING 1`,
};

/** Webhooks that have to arrive, and those that did. */
@Injectable()
export class DeliveriesRepository {
  constructor(private readonly postgres: Postgres) {}

  /** Answers the ids of those written: not what nobody wants, nor what is there already. */
  async insert(tx: EntityManager, deliveries: readonly NewDelivery[]): Promise<Set<string>> {
    const rows = await tx.query<{ id: string }[]>(insert, [
      deliveries.map(({ id }) => id),
      deliveries.map(({ accountId }) => accountId),
      deliveries.map(({ type }) => type),
      deliveries.map(({ sourceId }) => sourceId),
      deliveries.map(({ body }) => body),
      deliveries.map(({ isTest }) => isTest ?? false),
    ]);
    return new Set(rows.map(({ id }) => id));
  }

  /** Of those that wait to be sent. */
  async owners(ids: readonly string[]): Promise<DeliveryOwner[]> {
    return this.postgres.query<DeliveryOwner>(owners, [ids]);
  }

  /** What was put aside while the webhook was off is due now; what is beyond the bound comes within the hour. */
  async resume(tx: EntityManager, accountId: string): Promise<void> {
    await tx.query(
      `UPDATE webhook_deliveries SET due_at = now() WHERE id IN (
         SELECT id FROM webhook_deliveries WHERE account_id = $1 AND status = 'paused' AND due_at > now()
         ORDER BY id LIMIT ${RESUMED_MAX} FOR UPDATE SKIP LOCKED
       )`,
      [accountId],
    );
  }

  async page(accountId: string, { beforeId, states, sourceId, size }: DeliveryPage): Promise<DeliveryRow[]> {
    const values = [accountId, beforeId ?? null, states ?? null, size];
    if (sourceId === undefined) return this.postgres.query<DeliveryRow>(page, values);
    return this.postgres.query<DeliveryRow>(pageOfSource, [...values, webhookEventTypes, sourceId]);
  }

  /** Of this account; null: of any. */
  async find(id: string, accountId: string | null): Promise<(DeliveryRow & { body: string }) | undefined> {
    const [row] = await this.postgres.query<DeliveryRow & { body: string }>(findOf, [id, accountId]);
    return row;
  }

  /** Newest first. */
  async attemptsOf(id: string, attemptsMax: number): Promise<AttemptRow[]> {
    // Attempts come after the delivery was written, by clocks that may differ: a bound that leaves out earlier months.
    const from = uuidV7Floor(new Date(instantOfUuidV7(id).getTime() - CLOCK_SKEW_MS));
    return this.postgres.query<AttemptRow>(attemptsOf, [id, attemptsMax, from]);
  }

  /** From the start of the schedule again; one that is being sent now goes on. */
  async resend(tx: EntityManager, id: string): Promise<void> {
    await tx.query(resend, [id]);
  }

  /** The same for those of a time range; answers how many. They come as recovery takes them, not all at once. */
  async replay(
    tx: EntityManager,
    accountId: string,
    { fromId, beforeId, states, deliveriesMax }: ReplayRange,
  ): Promise<number> {
    const [, count] = await tx.query<[object[], number]>(
      `UPDATE webhook_deliveries SET status = 'waiting', failures = 0, finished_at = NULL, due_at = now() WHERE id IN (
         SELECT id FROM webhook_deliveries
         WHERE account_id = $1 AND id >= $2 AND id < $3 AND status = ANY ($4) AND NOT is_test
         ORDER BY id LIMIT $5 FOR UPDATE
       )`,
      [accountId, fromId, beforeId, states, deliveriesMax],
    );
    return count;
  }

  /** Forgets what ended so many days ago, a batch at most; answers how many. */
  async purge(days: number, deliveriesMax: number): Promise<number> {
    return (await this.postgres.query(purge, [days, deliveriesMax])).length;
  }
}
