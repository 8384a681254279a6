import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { ReceiptLevel } from '#contract/messages.js';
import type { SenderPolicy } from '../rules/routes.js';

/**
 * A carrier by which messages to a country may leave. Written by the operator's commands and by
 * `RouteHealth`.
 */
@Entity('routes')
export class RouteEntity {
  /** ISO 3166-1 alpha-2. */
  @PrimaryColumn('text')
  country!: string;

  /** Number of the carrier, as in `messages.carrier`. */
  @PrimaryColumn('smallint')
  carrier!: number;

  /** The share to which the weight returns, 0 to 100. */
  @Column('smallint', { name: 'resting_weight' })
  restingWeight!: number;

  /** Share of the country's messages, 0 to 100. */
  @Column('smallint')
  weight!: number;

  /** The share that the operator has fixed in place of `weight`; null for none. */
  @Column('smallint', { name: 'manual_weight', nullable: true })
  manualWeight!: number | null;

  /** Cost of a segment, in millionths of a US dollar; null if it is unknown. */
  @Column('integer', { name: 'cost_microusd', nullable: true })
  costMicrousd!: number | null;

  @Column('text', { name: 'sender_policy' })
  senderPolicy!: SenderPolicy;

  @Column('text', { name: 'receipt_level' })
  receiptLevel!: ReceiptLevel;

  /** False while the operator has paused the route. */
  @Column('boolean')
  active!: boolean;

  /** Whether too few codes that its receipts report as delivered are entered. */
  @Column('boolean', { name: 'doubtful_receipts' })
  doubtfulReceipts!: boolean;
}
