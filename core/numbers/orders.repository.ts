import { Injectable } from '@nestjs/common';
import { MoreThanOrEqual, Not, Raw, type EntityManager } from 'typeorm';
import { limits } from '#contract/limits.js';
import { Postgres } from '../platform/database/postgres.js';
import { isDueAndFree } from '../platform/durable-work/durable-work.js';
import { OrderEntity, type OrderFailure } from './order.entity.js';

/** A purchase of a number. */
export type Order = Readonly<Omit<OrderEntity, 'idempotencyKey' | 'dueAt' | 'finishedAt'>>;

const TAKEN_MAX = 10;
/** Time after which another worker takes an order whose worker died. */
const LEASE_SECONDS = 120;

export const takeDueOrdersStatement = {
  name: 'number-orders-due-2',
  text: `
UPDATE number_orders SET due_at = now() + interval '${LEASE_SECONDS} seconds', attempts = attempts + 1
WHERE ${isDueAndFree('number_orders', TAKEN_MAX)}
RETURNING id, account_id AS "accountId", number, carrier, key_id AS "keyId", status, reason, credits,
  setup_credits AS "setupCredits", body_hash AS "bodyHash", to_char(budget_day, 'YYYY-MM-DD') AS "budgetDay",
  created_at AS "createdAt"`,
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
export interface NewOrder extends Omit<Order, 'status' | 'reason' | 'createdAt'> {
  readonly idempotencyKey: string | null;
  /** Time after which a worker determines the outcome. */
  readonly dueSeconds: number;
}

/** Purchases of numbers. */
@Injectable()
export class OrdersRepository {
  constructor(private readonly postgres: Postgres) {}

  async insert(tx: EntityManager, { dueSeconds, ...order }: NewOrder): Promise<void> {
    await tx.insert(OrderEntity, { ...order, dueAt: () => after(dueSeconds) });
  }

  /** Returns the purchase with the same Idempotency-Key, within its hours. */
  async earlier(tx: EntityManager, accountId: string, idempotencyKey: string): Promise<Order | null> {
    const createdAt = Raw((at) => `${at} > now() - interval '${limits.idempotencyHours} hours'`);
    return tx.findOne(OrderEntity, { where: { accountId, idempotencyKey, createdAt }, order: { createdAt: 'DESC' } });
  }

  /**
   * Counts the account's purchases since an instant, except failures. The purchase of a number
   * without messages counts: the carrier bills a month of it.
   */
  async countSince(tx: EntityManager, accountId: string, since: Date): Promise<number> {
    const made = { accountId, createdAt: MoreThanOrEqual(since) };
    return tx.countBy(OrderEntity, [
      { ...made, status: Not<'failed'>('failed') },
      { ...made, reason: 'not_capable' },
    ]);
  }

  /**
   * Ends a purchase; returns whether this call did. A failed purchase is decided again when its
   * Idempotency-Key comes again.
   */
  async finish(
    tx: EntityManager,
    id: string,
    result: { readonly status: 'confirmed' } | { readonly status: 'failed'; readonly reason: OrderFailure },
  ): Promise<boolean> {
    const forgotten = result.status === 'failed' && { idempotencyKey: null };
    const ended = { ...result, ...forgotten, finishedAt: () => 'now()', dueAt: null };
    return (await tx.update(OrderEntity, { id, status: 'pending' }, ended)).affected === 1;
  }

  /** Takes overdue purchases of unknown outcome. */
  async takeDue(): Promise<Order[]> {
    return this.postgres.query<Order>(takeDueOrdersStatement, []);
  }

  async postpone(id: string, seconds: number): Promise<void> {
    const dueAt = () => after(seconds);
    await this.postgres.call((manager) => manager.update(OrderEntity, { id, status: 'pending' }, { dueAt }));
  }

  async find(accountId: string, id: string): Promise<Order | null> {
    return this.postgres.call((manager) => manager.findOneBy(OrderEntity, { accountId, id }));
  }

  /** Returns the ended purchases among these whose number no account has now. */
  async ended(ids: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await this.postgres.query<{ id: string }>(endedOrdersStatement, [ids]);
    return new Set(rows.map(({ id }) => id));
  }
}

/** SQL of the time in so many seconds. */
function after(seconds: number): string {
  return `now() + make_interval(secs => ${seconds})`;
}
