import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';
import type { InvoiceDetails } from '#contract/billing.js';
import type { InvoiceSeller } from '../../platform/config/config.js';
import { bigintAsNumber } from '../../platform/database/bigint.js';

/** Buyer of an invoice, as of its issue. Empty after the account was erased. */
export interface InvoiceBuyer extends InvoiceDetails {
  readonly name: string;
  readonly email: string;
}

/**
 * An invoice, or a credit note that corrects an invoice. Written by the worker under the counter's
 * lock.
 */
@Entity('invoices')
export class InvoiceEntity {
  /** 1, 2, 3 … over all accounts. */
  @PrimaryColumn('bigint', { transformer: bigintAsNumber })
  number!: number;

  @Column('uuid', { name: 'account_id' })
  accountId!: string;

  /** The checkout of its payment. */
  @Column('text', { name: 'session_id' })
  sessionId!: string;

  /** The invoice that this credit note corrects; null for an invoice. */
  @Column('bigint', { nullable: true, transformer: bigintAsNumber })
  corrects!: number | null;

  /** Total of the payment's credit notes including this credit note; 0 for an invoice. */
  @Column('integer', { name: 'credited_cents' })
  creditedCents!: number;

  @Column('integer', { name: 'amount_cents' })
  amountCents!: number;

  @Column('integer')
  credits!: number;

  @Column('text')
  method!: string;

  @Column('jsonb')
  seller!: InvoiceSeller;

  @Column('jsonb')
  buyer!: InvoiceBuyer;

  @Column('timestamptz', { name: 'paid_at' })
  paidAt!: Date;

  @CreateDateColumn({ type: 'timestamptz', name: 'issued_at' })
  issuedAt!: Date;
}
