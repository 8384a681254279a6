import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

/**
 * A billing record. Written once when its checkout is paid; refunds, disputes and invoices move its
 * sums.
 */
@Entity('payments')
export class PaymentEntity {
  @PrimaryColumn('uuid', { name: 'account_id' })
  accountId!: string;

  /** A `bigint`, given by the database in order of writing. */
  @PrimaryColumn('bigint')
  id!: string;

  @Column('text', { name: 'session_id' })
  sessionId!: string;

  /** The provider's id of the payment. */
  @Column('text', { name: 'card_payment_id', nullable: true })
  cardPaymentId!: string | null;

  @Column('integer', { name: 'amount_cents' })
  amountCents!: number;

  @Column('integer')
  credits!: number;

  /** Method as the billing history shows it. */
  @Column('text')
  method!: string;

  @Column('text', { name: 'receipt_url', nullable: true })
  receiptUrl!: string | null;

  @Column('integer', { name: 'refunded_cents', default: 0 })
  refundedCents!: number;

  /** Credits of refunded money that have been handled. */
  @Column('integer', { name: 'credits_reversed', default: 0 })
  creditsReversed!: number;

  /** Credits in open disputes. */
  @Column('integer', { name: 'credits_disputed', default: 0 })
  creditsDisputed!: number;

  /** Disputed credits that were unspent when the dispute opened. */
  @Column('integer', { name: 'credits_frozen', default: 0 })
  creditsFrozen!: number;

  @Column('timestamptz', { name: 'disputed_at', nullable: true })
  disputedAt!: Date | null;

  @Column('timestamptz', { name: 'invoiced_at', nullable: true, select: false })
  invoicedAt?: Date | null | undefined;

  /** Total of the credit notes. */
  @Column('integer', { name: 'credited_cents', default: 0, select: false })
  creditedCents?: number | undefined;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at' })
  createdAt!: Date;
}
