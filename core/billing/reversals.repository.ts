import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Dispute } from './card-payments.js';

/** What has become of a payment's money. `dispute`: the one that stands, lost before open; null when there is none. */
export interface Reversal {
  readonly refundedCents: number;
  /** All that was lost to disputes. */
  readonly lostCents: number;
  readonly dispute: { readonly status: 'open' | 'lost'; readonly reason: string } | null;
}

/** News that a payment's money went back or may do so, by the payment's id, whether the payment is known or not. */
@Injectable()
export class ReversalsRepository {
  /** Repeated and late news change nothing: refunds only grow. */
  async rememberRefund(tx: EntityManager, cardPaymentId: string, refundedCents: number): Promise<void> {
    await tx.query(
      `INSERT INTO payment_reversals AS r (card_payment_id, refunded_cents) VALUES ($1, $2)
       ON CONFLICT (card_payment_id) DO UPDATE SET
         refunded_cents = greatest(r.refunded_cents, excluded.refunded_cents), updated_at = now()`,
      [cardPaymentId, refundedCents],
    );
  }

  /** A dispute that has ended stays so, whatever is told afterwards. */
  async rememberDispute(tx: EntityManager, dispute: Dispute): Promise<void> {
    const { disputeId, cardPaymentId, amountCents, reason, status } = dispute;
    await tx.query(
      `INSERT INTO payment_disputes AS d (dispute_id, card_payment_id, amount_cents, reason, status)
       VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (dispute_id) DO UPDATE SET
         amount_cents = excluded.amount_cents, reason = excluded.reason, status = excluded.status, updated_at = now()
       WHERE d.status = 'open'`,
      [disputeId, cardPaymentId, amountCents, reason, status],
    );
  }

  async of(tx: EntityManager, cardPaymentId: string): Promise<Reversal> {
    const [row] = await tx.query<{ refunded: string; lost: string; dispute: Reversal['dispute'] }[]>(
      `SELECT
         coalesce((SELECT refunded_cents FROM payment_reversals WHERE card_payment_id = $1), 0) AS refunded,
         coalesce(sum(amount_cents) FILTER (WHERE status = 'lost'), 0) AS lost,
         (array_agg(json_build_object('status', status, 'reason', reason) ORDER BY status, updated_at)
           FILTER (WHERE status <> 'won'))[1] AS dispute
       FROM payment_disputes WHERE card_payment_id = $1`,
      [cardPaymentId],
    );
    if (!row) throw new Error('A sum answers one row');
    return { refundedCents: Number(row.refunded), lostCents: Number(row.lost), dispute: row.dispute };
  }
}
