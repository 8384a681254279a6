import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A customer's own details for its invoices. Written by the customer. */
@Entity('invoice_details')
export class InvoiceDetailsEntity {
  @PrimaryColumn('uuid', { name: 'account_id' })
  accountId!: string;

  @Column('text')
  company!: string;

  @Column('text')
  address!: string;

  @Column('text', { name: 'vat_id' })
  vatId!: string;
}
