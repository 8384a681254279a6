import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Postgres } from '../platform/database/postgres.js';

export interface NewPayment {
  readonly accountId: string;
  readonly sessionId: string;
  readonly cardPaymentId: string | null;
  readonly amountCents: number;
  readonly credits: number;
  readonly method: string;
  readonly receiptUrl: string | null;
}

/** A billing record. `creditsReversed`: the credits whose money went back and that have been dealt with. */
export interface Payment extends NewPayment {
  readonly id: string;
  readonly refundedCents: number;
  readonly creditsReversed: number;
  readonly disputedAt: Date | null;
  readonly createdAt: Date;
}

const columns = `id, account_id AS "accountId", session_id AS "sessionId", card_payment_id AS "cardPaymentId",
  amount_cents AS "amountCents", credits, method, receipt_url AS "receiptUrl", refunded_cents AS "refundedCents",
  credits_reversed AS "creditsReversed", disputed_at AS "disputedAt", created_at AS "createdAt"`;

const page = {
  name: 'payments-page-1',
  text: `SELECT ${columns} FROM payments WHERE account_id = $1 ORDER BY id DESC LIMIT $2 OFFSET $3`,
};

/** Billing records. */
@Injectable()
export class PaymentsRepository {
  constructor(private readonly postgres: Postgres) {}

  async insert(tx: EntityManager, payment: NewPayment): Promise<void> {
    const { accountId, sessionId, cardPaymentId, amountCents, credits, method, receiptUrl } = payment;
    await tx.query(
      `INSERT INTO payments (account_id, session_id, card_payment_id, amount_cents, credits, method, receipt_url)
       VALUES ($1, $2, $3, $4, $5, $6, $7)`,
      [accountId, sessionId, cardPaymentId, amountCents, credits, method, receiptUrl],
    );
  }

  /** Until the transaction ends, a payment and the news about it are in one hand, also while there is no row of either. */
  async lock(tx: EntityManager, cardPaymentId: string): Promise<void> {
    await tx.query(`SELECT pg_advisory_xact_lock(hashtext('card payment'), hashtext($1))`, [cardPaymentId]);
  }

  async findByCardPayment(tx: EntityManager, cardPaymentId: string): Promise<Payment | undefined> {
    const [payment] = await tx.query<Payment[]>(`SELECT ${columns} FROM payments WHERE card_payment_id = $1`, [
      cardPaymentId,
    ]);
    return payment;
  }

  async recordReversal(
    tx: EntityManager,
    { sessionId, refundedCents, creditsReversed }: Pick<Payment, 'sessionId' | 'refundedCents' | 'creditsReversed'>,
    disputed: boolean,
  ): Promise<void> {
    await tx.query(
      `UPDATE payments SET refunded_cents = $2, credits_reversed = $3,
         disputed_at = CASE WHEN $4 THEN coalesce(disputed_at, now()) END
       WHERE session_id = $1`,
      [sessionId, refundedCents, creditsReversed, disputed],
    );
  }

  /** Newest first. */
  async page(accountId: string, size: number, offset: number): Promise<Payment[]> {
    return this.postgres.query<Payment>(page, [accountId, size, offset]);
  }

  async count(accountId: string): Promise<number> {
    const [row] = await this.postgres.query<{ count: number }>(
      { name: 'payments-count-1', text: 'SELECT count(*)::int AS count FROM payments WHERE account_id = $1' },
      [accountId],
    );
    if (!row) throw new Error('A count answers one row');
    return row.count;
  }
}
