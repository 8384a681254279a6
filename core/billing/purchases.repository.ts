import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Not, Repository, type EntityManager } from 'typeorm';
import { creditAccounts, heldCredits } from '../credits/credits.sql.js';
import { Postgres } from '../platform/database/postgres.js';
import type { Dispute, Refund } from './card-payments.js';
import { CheckoutEntity } from './checkout.entity.js';
import { PaymentEntity } from './payment.entity.js';

export type Checkout = Readonly<CheckoutEntity>;
export type Payment = Readonly<PaymentEntity>;

const TOP_UP_PREFIX = 'top_up_';

/** An automatic top-up is a checkout of its own, with this id instead of the provider's session. */
export function checkoutOfTopUp(topUpId: string): string {
  return TOP_UP_PREFIX + topUpId;
}

export function isTopUp(sessionId: string): boolean {
  return sessionId.startsWith(TOP_UP_PREFIX);
}

type NewPayment = Pick<
  Payment,
  'accountId' | 'sessionId' | 'cardPaymentId' | 'amountCents' | 'credits' | 'method' | 'receiptUrl'
>;

/**
 * Refunds and disputes of a payment. `refundedCents`: refunded now; `failedCents`: refunds that
 * failed. `dispute`: the current dispute, lost before open; null without any.
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

export const frozenMismatches = {
  name: 'payments-frozen-mismatches-2',
  text: `
SELECT count(*)::int AS mismatches
FROM (SELECT account_id, sum(credits_frozen) AS frozen FROM payments GROUP BY account_id) p
FULL JOIN ${heldCredits} h USING (account_id)
FULL JOIN ${creditAccounts} c USING (account_id)
WHERE coalesce(p.frozen, 0) + coalesce(h.held, 0) <> coalesce(c.frozen, 0)`,
} as const;

/** In cents; text, because the sum has any size. */
export interface PaidCents {
  readonly accountId: string;
  readonly cents: string;
}

/** Payments of accounts, less refunds and lost disputes. Parameter: accounts. */
export const paidCentsStatement = {
  name: 'payments-paid-1',
  text: `
SELECT account_id AS "accountId", sum(amount_cents - refunded_cents)::text AS cents
FROM payments WHERE account_id = ANY($1::uuid[]) GROUP BY account_id`,
} as const;

/** Parameter: account. */
export const standingStatement = {
  name: 'payments-standing-1',
  text: `
SELECT coalesce(bool_or(refunded_cents < amount_cents), false) AS "hasPaid",
  coalesce(sum(credits_frozen), 0)::float8 AS frozen
FROM payments WHERE account_id = $1`,
} as const;

/** Parameter: account. */
export const lackingFrozenStatement = {
  name: 'payments-lacking-frozen-1',
  text: `
SELECT session_id AS "sessionId", credits_disputed - credits_frozen AS lacking FROM payments
WHERE account_id = $1 AND credits_disputed > credits_frozen ORDER BY id`,
} as const;

export interface LackingFrozen {
  readonly sessionId: string;
  /** In credits. */
  readonly lacking: number;
}

/**
 * An account's record of paying for credits and keeping them, and its credits that disputes have
 * frozen.
 */
export interface Standing {
  readonly hasPaid: boolean;
  readonly frozen: number;
}

/** Checkout sessions, payments, and the refunds and disputes of payments. */
@Injectable()
export class PurchasesRepository {
  constructor(
    @InjectRepository(CheckoutEntity) private readonly checkouts: Repository<CheckoutEntity>,
    @InjectRepository(PaymentEntity) private readonly paid: Repository<PaymentEntity>,
    private readonly postgres: Postgres,
  ) {}

  /** A repeated request gets the same session from the provider and is stored once. */
  async insertCheckout(checkout: Omit<Checkout, 'status' | 'paidAt'>, tx?: EntityManager): Promise<void> {
    const insert = (manager: EntityManager) =>
      manager.createQueryBuilder().insert().into(CheckoutEntity).values(checkout).orIgnore().execute();
    await (tx ? insert(tx) : this.postgres.call(insert));
  }

  async findCheckout(sessionId: string): Promise<Checkout | null> {
    return this.postgres.call(() => this.checkouts.findOneBy({ sessionId }));
  }

  /** Returns whether this call marked the checkout as paid; exactly one call does. */
  async markPaid(tx: EntityManager, sessionId: string): Promise<boolean> {
    const unpaid = { sessionId, status: Not<'paid'>('paid') };
    return (await tx.update(CheckoutEntity, unpaid, { status: 'paid', paidAt: () => 'now()' })).affected === 1;
  }

  /** A paid checkout stays paid. */
  async markFailed(sessionId: string): Promise<void> {
    await this.postgres.call(() => this.checkouts.update({ sessionId, status: 'open' }, { status: 'failed' }));
  }

  async insertPayment(tx: EntityManager, payment: NewPayment): Promise<void> {
    await tx.insert(PaymentEntity, payment);
  }

  /**
   * Serializes a payment and its refunds and disputes until the transaction ends. A refund may
   * arrive before its account is known, so the lock is a row that all accounts share.
   */
  async lockPayment(tx: EntityManager, cardPaymentId: string): Promise<void> {
    const insert = `INSERT INTO payment_reversals (card_payment_id, refunded_cents) VALUES ($1, 0)
      ON CONFLICT DO NOTHING`;
    await tx.query(insert, [cardPaymentId]);
    await tx.query('SELECT 1 FROM payment_reversals WHERE card_payment_id = $1 FOR UPDATE', [cardPaymentId]);
  }

  async findPayment(tx: EntityManager, cardPaymentId: string): Promise<Payment | null> {
    return tx.findOneBy(PaymentEntity, { cardPaymentId });
  }

  async updateReversed(
    tx: EntityManager,
    payment: Pick<Payment, 'sessionId' | 'refundedCents' | 'creditsReversed' | 'creditsDisputed' | 'creditsFrozen'>,
    isDisputed: boolean,
  ): Promise<void> {
    const { sessionId, ...sums } = payment;
    const disputedAt = isDisputed ? () => 'coalesce(disputed_at, now())' : null;
    await tx.update(PaymentEntity, { sessionId }, { ...sums, disputedAt });
  }

  /** Counts accounts whose frozen credits differ from the sum of their payments and holds. */
  async countFrozenMismatches(): Promise<number> {
    const counts = await this.postgres.queryEach<{ mismatches: number }>(frozenMismatches, []);
    return counts.reduce((total, { mismatches }) => total + mismatches, 0);
  }

  /** Returns payments, newest first. */
  async payments(accountId: string, size: number, offset: number): Promise<Payment[]> {
    return this.postgres.call(() =>
      this.paid.find({ where: { accountId }, order: { id: 'DESC' }, take: size, skip: offset }),
    );
  }

  async countPayments(accountId: string): Promise<number> {
    return this.postgres.call(() => this.paid.countBy({ accountId }));
  }

  async paidCents(accountIds: readonly string[]): Promise<Map<string, bigint>> {
    const rows = await this.postgres.query<PaidCents>(paidCentsStatement, [accountIds]);
    return new Map(rows.map(({ accountId, cents }) => [accountId, BigInt(cents)]));
  }

  async standing(tx: EntityManager, accountId: string): Promise<Standing> {
    const [row] = await this.postgres.run<Standing>(tx, standingStatement, [accountId]);
    return row ?? { hasPaid: false, frozen: 0 };
  }

  /** Disputed payments with fewer frozen than disputed credits, oldest first. */
  async lackingFrozen(tx: EntityManager, accountId: string): Promise<LackingFrozen[]> {
    return this.postgres.run<LackingFrozen>(tx, lackingFrozenStatement, [accountId]);
  }

  /** Notes that more credits of a payment are frozen. */
  async addFrozen(tx: EntityManager, sessionId: string, credits: number): Promise<void> {
    await tx.increment(PaymentEntity, { sessionId }, 'creditsFrozen', credits);
  }

  /** Removes the links to receipts, which name the buyer. */
  async eraseReceipts(accountId: string): Promise<void> {
    await this.postgres.call(() => this.paid.update({ accountId }, { receiptUrl: null }));
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

  /** A failed refund stays failed, regardless of later events. */
  async recordRefundState(tx: EntityManager, { refundId, cardPaymentId, amountCents, failed }: Refund): Promise<void> {
    await tx.query(
      `INSERT INTO payment_refunds AS r (refund_id, card_payment_id, amount_cents, failed) VALUES ($1, $2, $3, $4)
       ON CONFLICT (refund_id) DO UPDATE SET
         amount_cents = excluded.amount_cents, failed = excluded.failed, updated_at = excluded.updated_at
       WHERE NOT r.failed`,
      [refundId, cardPaymentId, amountCents, failed],
    );
  }

  /** A closed dispute stays closed, regardless of later events. */
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
   * Derives the refunded amount from the reported total and the individually known refunds: a
   * refund may be known in only one of the two ways, and a total may be older or newer than the
   * failure of a refund in it.
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
