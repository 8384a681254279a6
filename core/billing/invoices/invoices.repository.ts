import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Not, Repository, type EntityManager } from 'typeorm';
import type { InvoiceDetails } from '#contract/billing.js';
import { Postgres } from '../../platform/database/postgres.js';
import { PaymentEntity } from '../payment.entity.js';
import { InvoiceDetailsEntity } from './invoice-details.entity.js';
import { InvoiceEntity } from './invoice.entity.js';

export type { InvoiceBuyer } from './invoice.entity.js';
export type Invoice = Readonly<InvoiceEntity>;

/** A payment that lacks its invoice, or a credit note for a part of its refund. */
export interface PaymentToInvoice {
  readonly accountId: string;
  readonly sessionId: string;
  readonly amountCents: number;
  readonly credits: number;
  readonly method: string;
  readonly refundedCents: number;
  readonly creditedCents: number;
  readonly invoicedAt: Date | null;
  readonly createdAt: Date;
  /** Number of the payment's invoice, if issued. */
  readonly invoice: number | null;
}

/** Refunds and dispute of an invoice's payment until now. */
export interface PaymentState {
  /** Refunds of the payment, by credit note. */
  readonly creditNotes: readonly { readonly number: number; readonly amountCents: number }[];
  readonly isDisputed: boolean;
}

const PAYMENTS_BATCH_MAX = 50;

/** Locks the counter, so that one transaction at a time takes numbers; returns the last number. */
export const lockCounter = `SELECT last::float8 AS last FROM invoice_counter FOR UPDATE`;

export const takePayments = `
SELECT p.account_id AS "accountId", p.session_id AS "sessionId", p.amount_cents AS "amountCents", p.credits, p.method,
  p.refunded_cents AS "refundedCents", p.credited_cents AS "creditedCents", p.invoiced_at AS "invoicedAt",
  p.created_at AS "createdAt",
  (SELECT i.number::float8 FROM invoices i WHERE i.session_id = p.session_id AND i.corrects IS NULL) AS invoice
FROM payments p
WHERE p.invoiced_at IS NULL OR p.credited_cents < p.refunded_cents
ORDER BY p.id LIMIT ${PAYMENTS_BATCH_MAX} FOR NO KEY UPDATE OF p`;

/** Invoices, their numbers, and the details that customers want on them. */
@Injectable()
export class InvoicesRepository {
  constructor(
    @InjectRepository(InvoiceEntity) private readonly invoices: Repository<InvoiceEntity>,
    @InjectRepository(InvoiceDetailsEntity) private readonly details: Repository<InvoiceDetailsEntity>,
    private readonly postgres: Postgres,
  ) {}

  /** Returns whether a payment lacks an invoice or a credit note. */
  async hasWork(): Promise<boolean> {
    const text = `SELECT 1 AS found FROM payments WHERE invoiced_at IS NULL OR credited_cents < refunded_cents LIMIT 1`;
    return (await this.postgres.query<object>({ text }, [])).length > 0;
  }

  async lockCounter(tx: EntityManager): Promise<number> {
    const [row] = await tx.query<{ last: number }[]>(lockCounter);
    return row?.last ?? 0;
  }

  async setCounter(tx: EntityManager, last: number): Promise<void> {
    await tx.query('UPDATE invoice_counter SET last = $1', [last]);
  }

  async takePayments(tx: EntityManager): Promise<PaymentToInvoice[]> {
    return tx.query<PaymentToInvoice[]>(takePayments);
  }

  async insert(tx: EntityManager, invoice: Omit<Invoice, 'issuedAt'>): Promise<void> {
    await tx.insert(InvoiceEntity, invoice);
  }

  async markInvoiced(tx: EntityManager, sessionId: string, creditedCents: number): Promise<void> {
    const invoicedAt = () => 'coalesce(invoiced_at, now())';
    await tx.update(PaymentEntity, { sessionId }, { invoicedAt, creditedCents });
  }

  async find(accountId: string, number: number): Promise<Invoice | null> {
    return this.postgres.call(() => this.invoices.findOneBy({ accountId, number }));
  }

  /** The credit notes of a payment, and whether it is disputed with the bank. */
  async paymentState(sessionId: string): Promise<PaymentState> {
    return this.postgres.call(async (manager) => {
      const where = { sessionId, corrects: Not(IsNull()) };
      const notes = await manager.find(InvoiceEntity, { where, order: { number: 'ASC' } });
      const payment = await manager.findOneBy(PaymentEntity, { sessionId });
      return {
        creditNotes: notes.map(({ number, amountCents }) => ({ number, amountCents })),
        isDisputed: (payment?.creditsDisputed ?? 0) > 0,
      };
    });
  }

  /** Returns invoices, newest first. */
  async page(accountId: string, size: number, offset: number): Promise<Invoice[]> {
    return this.postgres.call(() =>
      this.invoices.find({ where: { accountId }, order: { number: 'DESC' }, take: size, skip: offset }),
    );
  }

  async count(accountId: string): Promise<number> {
    return this.postgres.call(() => this.invoices.countBy({ accountId }));
  }

  async findDetails(accountId: string): Promise<InvoiceDetails | undefined> {
    const row = await this.postgres.call(() => this.details.findOneBy({ accountId }));
    return row ? { company: row.company, address: row.address, vatId: row.vatId } : undefined;
  }

  async saveDetails(tx: EntityManager, accountId: string, details: InvoiceDetails): Promise<void> {
    await tx.upsert(InvoiceDetailsEntity, { accountId, ...details }, ['accountId']);
  }

  /** Removes the customer's details and the buyers of invoices. Numbers and amounts stay. */
  async erase(accountId: string): Promise<void> {
    const buyer = { name: '', email: '', company: '', address: '', vatId: '' };
    await this.postgres.call(() => this.details.delete({ accountId }));
    await this.postgres.call(() => this.invoices.update({ accountId }, { buyer }));
  }
}
