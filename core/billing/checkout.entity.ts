import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { PackId } from '#contract/packs.js';

/**
 * A checkout session as we opened it: buyer, pack and price. Written before the buyer can pay;
 * marked by the event of its payment.
 */
@Entity('checkout_sessions')
export class CheckoutEntity {
  /** The provider's id; our own id for an automatic top-up. */
  @PrimaryColumn('text', { name: 'session_id' })
  sessionId!: string;

  @Column('uuid', { name: 'account_id' })
  accountId!: string;

  @Column('text')
  pack!: PackId;

  @Column('integer')
  credits!: number;

  @Column('integer', { name: 'amount_cents' })
  amountCents!: number;

  @Column('text')
  status!: 'open' | 'paid' | 'failed';

  @Column('timestamptz', { name: 'paid_at', nullable: true })
  paidAt!: Date | null;
}
