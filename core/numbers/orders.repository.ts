import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { limits } from '#contract/limits.js';
import { Postgres } from '../platform/database/postgres.js';
import { isDueAndFree } from '../platform/durable-work/durable-work.js';

/** Reason of a failed purchase: the carrier's answer, or that it has not sold the number. */
export type OrderFailure = 'taken' | 'refused' | 'not_capable' | 'unavailable' | 'not_sold';

/** A purchase of a number; its id is the number's. */
export interface Order {
  readonly id: string;
  readonly accountId: string;
  readonly number: string;
  /** Carrier, as in `messages.carrier`. */
  readonly carrier: number;
  readonly keyId: string | null;
  readonly status: 'pending' | 'confirmed' | 'failed';
  readonly reason: OrderFailure | null;
  /** Rent of the first month. */
  readonly credits: number;
  readonly setupCredits: number;
  readonly bodyHash: Buffer | null;
  /** New York day, 'YYYY-MM-DD', on which the budget of its key was charged. */
  readonly budgetDay: string | null;
  readonly createdAt: Date;
}

const columns = `id, account_id AS "accountId", number, carrier, key_id AS "keyId", status, reason, credits,
  setup_credits AS "setupCredits", body_hash AS "bodyHash", to_char(budget_day, 'YYYY-MM-DD') AS "budgetDay",
  created_at AS "createdAt"`;

const TAKEN_MAX = 10;
/** Time after which another worker takes an order whose worker died. */
const LEASE_SECONDS = 120;

/**
 * Parameters: id, account, number, carrier, key, rent, setup credits, Idempotency-Key, hash of the
 * body, day of the budget, seconds until a worker looks at it.
 */
const insertStatement = {
  name: 'number-orders-insert-1',
  text: `
INSERT INTO number_orders (
  id, account_id, number, carrier, key_id, credits, setup_credits, idempotency_key, body_hash, budget_day, due_at
)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, now() + make_interval(secs => $11))`,
} as const;

export const earlierOrderStatement = {
  name: 'number-orders-earlier-1',
  text: `
SELECT ${columns} FROM number_orders
WHERE account_id = $1 AND idempotency_key = $2 AND created_at > now() - interval '${limits.idempotencyHours} hours'
ORDER BY created_at DESC LIMIT 1`,
} as const;

/**
 * Counts the account's purchases since an instant, except failures. The purchase of a number
 * without messages counts: the carrier bills a month of it.
 */
export const countOrdersStatement = {
  name: 'number-orders-count-1',
  text: `
SELECT count(*)::int AS count FROM number_orders
WHERE account_id = $1 AND created_at >= $2 AND (status <> 'failed' OR reason = 'not_capable')`,
} as const;

/**
 * A failed purchase is decided again when its Idempotency-Key comes again. Parameters: id, status,
 * reason.
 */
export const finishStatement = {
  name: 'number-orders-finish-1',
  text: `
UPDATE number_orders SET status = $2, reason = $3, finished_at = now(), due_at = NULL,
  idempotency_key = CASE WHEN $2 = 'failed' THEN NULL ELSE idempotency_key END
WHERE id = $1 AND status = 'pending' RETURNING ${columns}`,
} as const;

export const takeDueOrdersStatement = {
  name: 'number-orders-due-2',
  text: `
UPDATE number_orders SET due_at = now() + interval '${LEASE_SECONDS} seconds', attempts = attempts + 1
WHERE ${isDueAndFree('number_orders', TAKEN_MAX)}
RETURNING ${columns}`,
} as const;

const postponeStatement = {
  name: 'number-orders-postpone-1',
  text: `UPDATE number_orders SET due_at = now() + make_interval(secs => $2) WHERE id = $1 AND status = 'pending'`,
} as const;

export const findOrderStatement = {
  name: 'number-orders-find-2',
  text: `SELECT ${columns} FROM number_orders WHERE account_id = $1 AND id = $2`,
} as const;

/** Ended purchases among these whose number no account has now. Parameter: ids. */
export const endedOrdersStatement = {
  name: 'number-orders-ended-1',
  text: `
SELECT o.id FROM number_orders o
WHERE o.id = ANY ($1::uuid[]) AND o.status <> 'pending'
  AND NOT EXISTS (SELECT FROM numbers n WHERE n.id = o.id AND n.status <> 'released')`,
} as const;

/** A purchase that is about to be made. */
export interface NewOrder extends Pick<
  Order,
  'id' | 'accountId' | 'number' | 'carrier' | 'keyId' | 'credits' | 'setupCredits' | 'bodyHash' | 'budgetDay'
> {
  readonly idempotencyKey: string | null;
  /** Time after which a worker determines the outcome. */
  readonly dueSeconds: number;
}

/** Purchases of numbers. */
@Injectable()
export class OrdersRepository {
  constructor(private readonly postgres: Postgres) {}

  async insert(tx: EntityManager, order: NewOrder): Promise<void> {
    const { id, accountId, number, carrier, keyId, credits, setupCredits } = order;
    const { idempotencyKey, bodyHash, budgetDay, dueSeconds } = order;
    const money = [credits, setupCredits, idempotencyKey, bodyHash, budgetDay];
    await this.postgres.run(tx, insertStatement, [id, accountId, number, carrier, keyId, ...money, dueSeconds]);
  }

  /** Returns the purchase with the same Idempotency-Key, within its hours. */
  async earlier(tx: EntityManager, accountId: string, idempotencyKey: string): Promise<Order | undefined> {
    return (await this.postgres.run<Order>(tx, earlierOrderStatement, [accountId, idempotencyKey]))[0];
  }

  async countSince(tx: EntityManager, accountId: string, since: Date): Promise<number> {
    const [row] = await this.postgres.run<{ count: number }>(tx, countOrdersStatement, [accountId, since]);
    return row?.count ?? 0;
  }

  /** Ends a purchase; undefined when it has ended before. */
  async finish(
    tx: EntityManager,
    id: string,
    result: { readonly status: 'confirmed' } | { readonly status: 'failed'; readonly reason: OrderFailure },
  ): Promise<Order | undefined> {
    const reason = result.status === 'failed' ? result.reason : null;
    return (await this.postgres.run<Order>(tx, finishStatement, [id, result.status, reason]))[0];
  }

  /** Takes overdue purchases of unknown outcome. */
  async takeDue(): Promise<Order[]> {
    return this.postgres.query<Order>(takeDueOrdersStatement, []);
  }

  async postpone(id: string, seconds: number): Promise<void> {
    await this.postgres.query(postponeStatement, [id, seconds]);
  }

  async find(accountId: string, id: string): Promise<Order | undefined> {
    return (await this.postgres.query<Order>(findOrderStatement, [accountId, id]))[0];
  }

  /** Returns the ended purchases among these whose number no account has now. */
  async ended(ids: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await this.postgres.ofAll(() => this.postgres.query<{ id: string }>(endedOrdersStatement, [ids]));
    return new Set(rows.map(({ id }) => id));
  }
}
