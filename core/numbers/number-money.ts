import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Payments } from '../billing/payments.js';
import { Credits, type LedgerPosting } from '../credits/credits.js';
import { entriesOf } from '../credits/credits.sql.js';
import { NamedKeys } from '../keys/named-keys.js';
import { Postgres } from '../platform/database/postgres.js';
import { newYorkDay } from '../rules/time.js';
import type { Order } from './orders.repository.js';

/** Numbers whose paid months differ from the ledger's, in this part of the database. */
export const rentMismatchesStatement = {
  name: 'numbers-rent-mismatches-1',
  text: `
SELECT count(*)::int AS mismatches
FROM (
  SELECT id::text AS id, months_paid, credits_per_month FROM numbers
  WHERE months_paid > 0 AND credits_per_month > 0 AND account_id IN (SELECT account_id FROM number_orders)
) n
FULL JOIN (
  SELECT split_part(source_id, ':', 1) AS id, count(*) AS months, -sum(amount) AS credits
  FROM ${entriesOf('number_rent')} l GROUP BY 1
) r ON r.id = n.id
WHERE r.months IS DISTINCT FROM n.months_paid OR r.credits IS DISTINCT FROM n.months_paid * n.credits_per_month`,
} as const;

/** An account's spendable credits, and the state of its payments. */
interface Standing {
  readonly available: number;
  /** The account has paid for credits, and kept them. */
  readonly hasPaid: boolean;
  /** Credits that an open dispute has frozen. */
  readonly frozen: number;
}

/** A month of a number, or its setup charge. */
interface Month {
  readonly numberId: string;
  readonly accountId: string;
  readonly number: string;
  /** 1 for the first month. */
  readonly month: number;
  readonly from: Date;
  readonly credits: number;
}

/** The credits of numbers: held while a purchase is not decided, taken month by month, returned. */
@Injectable()
export class NumberMoney {
  constructor(
    private readonly credits: Credits,
    private readonly payments: Payments,
    private readonly namedKeys: NamedKeys,
    private readonly postgres: Postgres,
  ) {}

  /**
   * Locks the account's balance until the transaction ends, before any other lock of the account.
   */
  async lock(tx: EntityManager, accountId: string): Promise<Standing> {
    const available = (await this.credits.lock(tx, [accountId])).get(accountId) ?? 0;
    return { available, ...(await this.payments.standingOf(tx, accountId)) };
  }

  /**
   * Holds the price of a purchase, and charges its key's budget. Returns the charged day of the
   * budget. Throws `insufficient_credits`, `key_budget`.
   */
  async hold(
    tx: EntityManager,
    order: Omit<Order, 'budgetDay' | 'status' | 'reason' | 'createdAt'>,
  ): Promise<string | null> {
    const { id, accountId, keyId } = order;
    const credits = priceOf(order);
    await this.credits.hold(tx, { accountId, credits, sourceId: id });
    return keyId === null ? null : this.namedKeys.charge(tx, keyId, credits);
  }

  /** Takes the held credits of a purchase: the first month, and the setup charge. */
  async take(tx: EntityManager, { id, accountId, number, credits, setupCredits }: Order): Promise<void> {
    await this.credits.endHold(tx, accountId, id);
    const first = { numberId: id, accountId, number, month: 1, from: new Date(), credits };
    const setup = { accountId, amount: -setupCredits, kind: 'number_setup', sourceId: id, note: number } as const;
    await this.post(tx, [rentOf(first), setup]);
  }

  /**
   * Returns the held credits of a purchase; credits that a meanwhile opened dispute lacks are
   * frozen.
   */
  async giveBack(tx: EntityManager, order: Order): Promise<void> {
    const { id, accountId, keyId, budgetDay } = order;
    await this.payments.freezeReturned(tx, accountId, await this.credits.endHold(tx, accountId, id));
    if (keyId !== null && budgetDay !== null) await this.namedKeys.uncharge(tx, keyId, priceOf(order), budgetDay);
  }

  /** Takes a month of rent. Throws for a month that was taken before. */
  async takeMonth(tx: EntityManager, month: Month): Promise<void> {
    await this.post(tx, [rentOf(month)]);
  }

  /** Counts numbers whose rents differ from the ledger's. */
  async countMismatches(): Promise<number> {
    const counts = await this.postgres.queryEach<{ mismatches: number }>(rentMismatchesStatement, []);
    return counts.reduce((total, { mismatches }) => total + mismatches, 0);
  }

  /** Posts nothing for 0 credits. */
  private async post(tx: EntityManager, postings: readonly LedgerPosting[]): Promise<void> {
    await this.credits.post(
      tx,
      postings.filter(({ amount }) => amount < 0),
    );
  }
}

function priceOf({ credits, setupCredits }: Pick<Order, 'credits' | 'setupCredits'>): number {
  return credits + setupCredits;
}

function rentOf({ numberId, accountId, number, month, from, credits }: Month): LedgerPosting {
  const note = `${number}, month from ${newYorkDay(from)}`;
  return { accountId, amount: -credits, kind: 'number_rent', sourceId: `${numberId}:${month}`, note };
}
