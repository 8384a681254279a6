import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { PackId } from '#contract/packs.js';
import { bigintAsNumber } from '../../platform/database/bigint.js';

/**
 * An account's settings of automatic top-up and its saved card. Written by the customer and by the
 * results of charges.
 */
@Entity('auto_top_ups')
export class AutoTopUpEntity {
  @PrimaryColumn('uuid', { name: 'account_id' })
  accountId!: string;

  @Column('boolean', { default: false })
  enabled!: boolean;

  /** Credits below which the card is charged. */
  @Column('bigint', { transformer: bigintAsNumber })
  threshold!: number;

  @Column('text')
  pack!: PackId;

  /** Charges in a month. */
  @Column('integer', { name: 'per_month_max' })
  perMonthMax!: number;

  /** The provider's id. */
  @Column('text', { name: 'customer_id', nullable: true })
  customerId!: string | null;

  @Column('text', { name: 'payment_method_id', nullable: true })
  paymentMethodId!: string | null;

  @Column('text', { name: 'card_brand', nullable: true })
  cardBrand!: string | null;

  @Column('text', { name: 'card_last4', nullable: true })
  cardLast4!: string | null;

  @Column('text', { name: 'card_expires', nullable: true })
  cardExpires!: string | null;

  /**
   * Time at which the session that saved the card was opened, or at which the card was removed;
   * older sessions change nothing.
   */
  @Column('timestamptz', { name: 'card_at', nullable: true })
  cardAt!: Date | null;

  /** Failures in a row. */
  @Column('integer', { default: 0 })
  failures!: number;

  /** Earliest time of the next charge. */
  @Column('timestamptz', { name: 'retry_at', nullable: true })
  retryAt!: Date | null;

  @Column('text', { name: 'off_reason', nullable: true })
  offReason!: 'declined' | 'not_confirmed' | null;
}
