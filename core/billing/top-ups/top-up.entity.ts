import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';
import type { TopUpStatus } from '#contract/billing.js';
import type { PackId } from '#contract/packs.js';

/**
 * An attempt to charge a saved card for a pack; an account has at most one open attempt. Written by
 * the worker, and by the provider's events.
 */
@Entity('top_ups')
export class TopUpEntity {
  /** UUIDv7. */
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'account_id' })
  accountId!: string;

  @Column('text')
  pack!: PackId;

  @Column('integer')
  credits!: number;

  @Column('integer', { name: 'amount_cents' })
  amountCents!: number;

  @Column('text')
  status!: TopUpStatus;

  /** The provider's id. */
  @Column('text', { name: 'customer_id' })
  customerId!: string;

  @Column('text', { name: 'payment_method_id' })
  paymentMethodId!: string;

  @Column('text', { name: 'card_last4' })
  cardLast4!: string;

  /** The provider's id of the payment. */
  @Column('text', { name: 'card_payment_id', nullable: true })
  cardPaymentId!: string | null;

  /** Reason of a decline or failure. */
  @Column('text', { nullable: true })
  reason!: string | null;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'finished_at', nullable: true })
  finishedAt!: Date | null;

  /** Time of recovery's next look; null once the attempt has ended. */
  @Column('timestamptz', { name: 'due_at', nullable: true })
  dueAt!: Date | null;
}
