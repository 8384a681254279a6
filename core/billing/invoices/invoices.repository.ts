import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { InvoiceDetails } from '#contract/billing.js';
import type { InvoiceSeller } from '../../platform/config/config.js';
import { Postgres } from '../../platform/database/postgres.js';

/** Who an invoice is for, as of its issue. Empty after the account was erased. */
export interface InvoiceBuyer extends InvoiceDetails {
  readonly name: string;
  readonly email: string;
}

interface NewInvoice {
  readonly number: number;
  readonly accountId: string;
  readonly sessionId: string;
  /** The invoice that this credit note corrects; null for an invoice. */
  readonly corrects: number | null;
  /** The payment's total of credit notes including this one; 0 for an invoice. */
  readonly creditedCents: number;
  readonly amountCents: number;
  readonly credits: number;
  readonly method: string;
  readonly seller: InvoiceSeller;
  readonly buyer: InvoiceBuyer;
  readonly paidAt: Date;
}

export interface Invoice extends NewInvoice {
  readonly issuedAt: Date;
}

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
  /** Number of its invoice, if there is one. */
  readonly invoice: number | null;
}

const PAYMENTS_BATCH_MAX = 50;

const columns = `number::float8 AS number, account_id AS "accountId", session_id AS "sessionId",
  corrects::float8 AS corrects,
  credited_cents AS "creditedCents", amount_cents AS "amountCents", credits, method, seller, buyer, paid_at AS "paidAt",
  issued_at AS "issuedAt"`;

export const findInvoice = {
  name: 'invoice-1',
  text: `SELECT ${columns} FROM invoices WHERE account_id = $1 AND number = $2`,
} as const;

export const pageOfInvoices = {
  name: 'invoices-page-1',
  text: `SELECT ${columns} FROM invoices WHERE account_id = $1 ORDER BY number DESC LIMIT $2 OFFSET $3`,
} as const;

export const findDetails = {
  name: 'invoice-details-1',
  text: `SELECT company, address, vat_id AS "vatId" FROM invoice_details WHERE account_id = $1`,
} as const;

/**
 * Locks the counter, so that numbers are taken by one transaction at a time; returns the last
 * number.
 */
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
  constructor(private readonly postgres: Postgres) {}

  /** Whether a payment lacks an invoice or a credit note. */
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

  async insert(tx: EntityManager, invoice: NewInvoice): Promise<void> {
    const { number, accountId, sessionId, corrects, creditedCents, amountCents, credits, method } = invoice;
    const { seller, buyer, paidAt } = invoice;
    await tx.query(
      `INSERT INTO invoices (number, account_id, session_id, corrects, credited_cents, amount_cents, credits,
        method, seller,
         buyer, paid_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
      [
        number,
        accountId,
        sessionId,
        corrects,
        creditedCents,
        amountCents,
        credits,
        method,
        JSON.stringify(seller),
        JSON.stringify(buyer),
        paidAt,
      ],
    );
  }

  async markInvoiced(tx: EntityManager, sessionId: string, creditedCents: number): Promise<void> {
    const text =
      'UPDATE payments SET invoiced_at = coalesce(invoiced_at, now()), credited_cents = $2 WHERE session_id = $1';
    await tx.query(text, [sessionId, creditedCents]);
  }

  async find(accountId: string, number: number): Promise<Invoice | undefined> {
    const [row] = await this.postgres.query<Invoice>(findInvoice, [accountId, number]);
    return row;
  }

  /** Newest first. */
  async page(accountId: string, size: number, offset: number): Promise<Invoice[]> {
    return this.postgres.query<Invoice>(pageOfInvoices, [accountId, size, offset]);
  }

  async count(accountId: string): Promise<number> {
    const text = 'SELECT count(*)::int AS count FROM invoices WHERE account_id = $1';
    const [row] = await this.postgres.query<{ count: number }>({ text }, [accountId]);
    return row?.count ?? 0;
  }

  async findDetails(accountId: string): Promise<InvoiceDetails | undefined> {
    const [row] = await this.postgres.query<InvoiceDetails>(findDetails, [accountId]);
    return row;
  }

  async saveDetails(tx: EntityManager, accountId: string, details: InvoiceDetails): Promise<void> {
    const { company, address, vatId } = details;
    await tx.query(
      `INSERT INTO invoice_details (account_id, company, address, vat_id) VALUES ($1, $2, $3, $4)
       ON CONFLICT (account_id) DO UPDATE
       SET company = excluded.company, address = excluded.address, vat_id = excluded.vat_id`,
      [accountId, company, address, vatId],
    );
  }

  /** Removes the details and who invoices were for. Numbers and amounts stay. */
  async erase(accountId: string): Promise<void> {
    const buyer = JSON.stringify({ name: '', email: '', company: '', address: '', vatId: '' });
    await this.postgres.query({ text: 'DELETE FROM invoice_details WHERE account_id = $1' }, [accountId]);
    await this.postgres.query({ text: 'UPDATE invoices SET buyer = $2 WHERE account_id = $1' }, [accountId, buyer]);
  }
}
