import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { PackId } from '#contract/packs.js';
import { creditAccounts } from '../credits/credits.sql.js';
import { Postgres } from '../platform/database/postgres.js';
import type { Dispute, Refund } from './card-payments.js';

/** A checkout session as we opened it: who buys which pack at which price. */
export interface Checkout {
  readonly sessionId: string;
  readonly accountId: string;
  readonly pack: PackId;
  readonly credits: number;
  readonly amountCents: number;
  readonly status: 'open' | 'paid' | 'failed';
}

const TOP_UP_PREFIX = 'top_up_';

/** An automatic top-up is a checkout of its own, with this id instead of the provider's session. */
export function checkoutOfTopUp(topUpId: string): string {
  return TOP_UP_PREFIX + topUpId;
}

export function isTopUp(sessionId: string): boolean {
  return sessionId.startsWith(TOP_UP_PREFIX);
}

interface NewPayment {
  readonly accountId: string;
  readonly sessionId: string;
  readonly cardPaymentId: string | null;
  readonly amountCents: number;
  readonly credits: number;
  readonly method: string;
  readonly receiptUrl: string | null;
}

/**
 * A billing record. `creditsReversed`: credits of refunded money that have been dealt with.
 * `creditsDisputed`: those in open disputes, of which `creditsFrozen` were not spent before.
 */
export interface Payment extends NewPayment {
  readonly id: string;
  readonly refundedCents: number;
  readonly creditsReversed: number;
  readonly creditsDisputed: number;
  readonly creditsFrozen: number;
  readonly disputedAt: Date | null;
  readonly createdAt: Date;
}

/**
 * Refunds and disputes of a payment. `refundedCents`: what is refunded now; `failedCents`: what was
 * to be. `dispute`: the current one, lost before open; null without any.
 */
export interface Reversal {
  readonly refundedCents: number;
  readonly failedCents: number;
  /** Total lost to disputes. */
  readonly lostCents: number;
  /** Total of open disputes. */
  readonly openCents: number;
  readonly dispute: { readonly status: 'open' | 'lost'; readonly reason: string } | null;
}

const insertCheckout = {
  name: 'checkout-insert-1',
  text: `
INSERT INTO checkout_sessions (session_id, account_id, pack, credits, amount_cents)
VALUES ($1, $2, $3, $4, $5) ON CONFLICT (session_id) DO NOTHING`,
};

const findCheckout = {
  name: 'checkout-find-1',
  text: `
SELECT session_id AS "sessionId", account_id AS "accountId", pack, credits, amount_cents AS "amountCents", status
FROM checkout_sessions WHERE session_id = $1`,
};

const markFailed = {
  name: 'checkout-failed-1',
  text: `UPDATE checkout_sessions SET status = 'failed' WHERE session_id = $1 AND status = 'open'`,
};

const columns = `id, account_id AS "accountId", session_id AS "sessionId", card_payment_id AS "cardPaymentId",
  amount_cents AS "amountCents", credits, method, receipt_url AS "receiptUrl", refunded_cents AS "refundedCents",
  credits_reversed AS "creditsReversed", credits_disputed AS "creditsDisputed", credits_frozen AS "creditsFrozen",
  disputed_at AS "disputedAt", created_at AS "createdAt"`;

const pageOfPayments = {
  name: 'payments-page-2',
  text: `SELECT ${columns} FROM payments WHERE account_id = $1 ORDER BY id DESC LIMIT $2 OFFSET $3`,
};

const countPayments = {
  name: 'payments-count-1',
  text: 'SELECT count(*)::int AS count FROM payments WHERE account_id = $1',
};

export const frozenMismatches = {
  name: 'payments-frozen-mismatches-1',
  text: `
SELECT count(*)::int AS mismatches
FROM (SELECT account_id, sum(credits_frozen) AS frozen FROM payments GROUP BY account_id) p
FULL JOIN ${creditAccounts} c USING (account_id)
WHERE coalesce(p.frozen, 0) <> coalesce(c.frozen, 0)`,
} as const;

/** Checkout sessions, payments, and the refunds and disputes of payments. */
@Injectable()
export class PurchasesRepository {
  constructor(private readonly postgres: Postgres) {}

  /** A repeated request gets the same session from the provider and is stored once. */
  async insertCheckout(checkout: Omit<Checkout, 'status'>, tx?: EntityManager): Promise<void> {
    const { sessionId, accountId, pack, credits, amountCents } = checkout;
    const values = [sessionId, accountId, pack, credits, amountCents];
    if (tx) await tx.query(insertCheckout.text, values);
    else await this.postgres.query(insertCheckout, values);
  }

  async findCheckout(sessionId: string): Promise<Checkout | undefined> {
    const [checkout] = await this.postgres.query<Checkout>(findCheckout, [sessionId]);
    return checkout;
  }

  /** Returns whether this call marked the checkout as paid: one of any number of calls does. */
  async markPaid(tx: EntityManager, sessionId: string): Promise<boolean> {
    const rows = await tx.query<{ session_id: string }[]>(
      `WITH marked AS (
         UPDATE checkout_sessions SET status = 'paid', paid_at = now()
         WHERE session_id = $1 AND status <> 'paid' RETURNING session_id
       ) SELECT session_id FROM marked`,
      [sessionId],
    );
    return rows.length > 0;
  }

  /** A paid checkout stays paid. */
  async markFailed(sessionId: string): Promise<void> {
    await this.postgres.query(markFailed, [sessionId]);
  }

  async insertPayment(tx: EntityManager, payment: NewPayment): Promise<void> {
    const { accountId, sessionId, cardPaymentId, amountCents, credits, method, receiptUrl } = payment;
    await tx.query(
      `INSERT INTO payments (account_id, session_id, card_payment_id, amount_cents, credits, method, receipt_url)
       VALUES ($1, $2, $3, $4, $5, $6, $7)`,
      [accountId, sessionId, cardPaymentId, amountCents, credits, method, receiptUrl],
    );
  }

  /**
   * Serializes a payment and its refunds and disputes until the transaction ends. Refunds may come
   * before it is known whose payment it is: the lock is a row that all accounts have in common.
   */
  async lockPayment(tx: EntityManager, cardPaymentId: string): Promise<void> {
    const insert = `INSERT INTO payment_reversals (card_payment_id, refunded_cents) VALUES ($1, 0)
      ON CONFLICT DO NOTHING`;
    await tx.query(insert, [cardPaymentId]);
    await tx.query('SELECT 1 FROM payment_reversals WHERE card_payment_id = $1 FOR UPDATE', [cardPaymentId]);
  }

  async findPayment(tx: EntityManager, cardPaymentId: string): Promise<Payment | undefined> {
    const [payment] = await tx.query<Payment[]>(`SELECT ${columns} FROM payments WHERE card_payment_id = $1`, [
      cardPaymentId,
    ]);
    return payment;
  }

  async updateReversed(
    tx: EntityManager,
    payment: Pick<Payment, 'sessionId' | 'refundedCents' | 'creditsReversed' | 'creditsDisputed' | 'creditsFrozen'>,
    isDisputed: boolean,
  ): Promise<void> {
    const { sessionId, refundedCents, creditsReversed, creditsDisputed, creditsFrozen } = payment;
    await tx.query(
      `UPDATE payments SET refunded_cents = $2, credits_reversed = $3, credits_disputed = $4, credits_frozen = $5,
         disputed_at = CASE WHEN $6 THEN coalesce(disputed_at, now()) END
       WHERE session_id = $1`,
      [sessionId, refundedCents, creditsReversed, creditsDisputed, creditsFrozen, isDisputed],
    );
  }

  /** Counts accounts whose frozen credits are not those of their payments. */
  async countFrozenMismatches(): Promise<number> {
    const counts = await this.postgres.onEach(() => this.postgres.query<{ mismatches: number }>(frozenMismatches, []));
    return counts.flat().reduce((total, { mismatches }) => total + mismatches, 0);
  }

  /** Newest first. */
  async payments(accountId: string, size: number, offset: number): Promise<Payment[]> {
    return this.postgres.query<Payment>(pageOfPayments, [accountId, size, offset]);
  }

  async countPayments(accountId: string): Promise<number> {
    const [row] = await this.postgres.query<{ count: number }>(countPayments, [accountId]);
    return row?.count ?? 0;
  }

  /** Removes the links to receipts, which name the buyer. */
  async eraseReceipts(accountId: string): Promise<void> {
    await this.postgres.query({ text: 'UPDATE payments SET receipt_url = NULL WHERE account_id = $1' }, [accountId]);
  }

  /**
   * Keeps the largest total, failed refunds included, so repeated and late events change nothing.
   */
  async recordRefund(tx: EntityManager, cardPaymentId: string, refundedCents: number): Promise<void> {
    await tx.query(
      `INSERT INTO payment_reversals AS r (card_payment_id, refunded_cents) VALUES ($1, $2)
       ON CONFLICT (card_payment_id) DO UPDATE SET
         refunded_cents = greatest(r.refunded_cents, excluded.refunded_cents), updated_at = excluded.updated_at`,
      [cardPaymentId, refundedCents],
    );
  }

  /** A failed refund stays failed, whatever arrives later. */
  async recordRefundState(tx: EntityManager, { refundId, cardPaymentId, amountCents, failed }: Refund): Promise<void> {
    await tx.query(
      `INSERT INTO payment_refunds AS r (refund_id, card_payment_id, amount_cents, failed) VALUES ($1, $2, $3, $4)
       ON CONFLICT (refund_id) DO UPDATE SET
         amount_cents = excluded.amount_cents, failed = excluded.failed, updated_at = excluded.updated_at
       WHERE NOT r.failed`,
      [refundId, cardPaymentId, amountCents, failed],
    );
  }

  /** A closed dispute stays closed, whatever arrives later. */
  async recordDispute(tx: EntityManager, dispute: Dispute): Promise<void> {
    const { disputeId, cardPaymentId, amountCents, reason, status } = dispute;
    await tx.query(
      `INSERT INTO payment_disputes AS d (dispute_id, card_payment_id, amount_cents, reason, status)
       VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (dispute_id) DO UPDATE SET
         amount_cents = excluded.amount_cents, reason = excluded.reason, status = excluded.status,
           updated_at = excluded.updated_at
       WHERE d.status = 'open'`,
      [disputeId, cardPaymentId, amountCents, reason, status],
    );
  }

  /**
   * What is refunded follows from the total that was told and the refunds that are known one by
   * one: a refund may be known in one of the two ways only, and a total may be older or newer than
   * the failure of a refund in it.
   */
  async reversalOf(tx: EntityManager, cardPaymentId: string): Promise<Reversal> {
    const [row] = await tx.query<
      { refunded: string; failed: string; lost: string; open: string; dispute: Reversal['dispute'] }[]
    >(
      `WITH refunds AS (
         SELECT coalesce(sum(amount_cents) FILTER (WHERE NOT failed), 0) AS left_cents,
           coalesce(sum(amount_cents) FILTER (WHERE failed), 0) AS failed_cents
         FROM payment_refunds WHERE card_payment_id = $1
       )
       SELECT
         (SELECT greatest(left_cents, coalesce(
           (SELECT refunded_cents FROM payment_reversals WHERE card_payment_id = $1), 0
         ) - failed_cents) FROM refunds) AS refunded,
         (SELECT failed_cents FROM refunds) AS failed,
         coalesce(sum(amount_cents) FILTER (WHERE status = 'lost'), 0) AS lost,
         coalesce(sum(amount_cents) FILTER (WHERE status = 'open'), 0) AS open,
         (array_agg(json_build_object('status', status, 'reason', reason) ORDER BY status, updated_at)
           FILTER (WHERE status <> 'won'))[1] AS dispute
       FROM payment_disputes WHERE card_payment_id = $1`,
      [cardPaymentId],
    );
    return {
      refundedCents: Number(row?.refunded ?? 0),
      failedCents: Number(row?.failed ?? 0),
      lostCents: Number(row?.lost ?? 0),
      openCents: Number(row?.open ?? 0),
      dispute: row?.dispute ?? null,
    };
  }
}
