import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { InvoiceDetails, InvoicesAnswer, InvoiceView } from '#contract/billing.js';
import { limits } from '#contract/limits.js';
import { exactDollars } from '#contract/packs.js';
import { AccountErasure, type FeatureErasure } from '../../accounts/account-erasure.js';
import { Accounts } from '../../accounts/accounts.js';
import { AuditLog } from '../../audit/audit-log.js';
import { Config, type InvoiceSeller } from '../../platform/config/config.js';
import { Postgres } from '../../platform/database/postgres.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { Logger } from '../../platform/telemetry/logger.js';
import { newYorkTimestamp } from '../../rules/time.js';
import {
  InvoicesRepository,
  type Invoice,
  type InvoiceBuyer,
  type PaymentState,
  type PaymentToInvoice,
} from './invoices.repository.js';
import { Every } from '../../platform/schedules/every.js';

const ISSUED_EVERY_MS = 5_000;

export type { Invoice, PaymentState };

const ERASED = /@deleted\.invalid$/;
const noDetails: InvoiceDetails = { company: '', address: '', vatId: '' };

/**
 * Issues an invoice for every payment and a credit note for every refund, with numbers 1, 2, 3 …
 * without gaps per installation: numbers and documents are written in one transaction under the
 * counter's lock. Seller and buyer are copied into the document, so later changes leave it alone.
 * Without the operator's details nothing is issued; once they are set, all missing documents are.
 */
@Injectable()
export class Invoices implements FeatureErasure {
  constructor(
    accountErasure: AccountErasure,
    private readonly postgres: Postgres,
    private readonly repository: InvoicesRepository,
    private readonly accounts: Accounts,
    private readonly auditLog: AuditLog,
    private readonly config: Config,
    private readonly logger: Logger,
  ) {
    accountErasure.register(this);
  }

  /**
   * Issues the missing invoices and credit notes of one batch of payments; returns whether there
   * were any payments. Several workers may call it at once.
   */
  @Every({ name: 'invoices', everyMs: ISSUED_EVERY_MS, whileMore: true })
  async issue(): Promise<boolean> {
    const { seller } = this.config;
    if (!seller || !(await this.repository.hasWork())) return false;
    return this.postgres.transaction(async (tx) => {
      const before = await this.repository.lockCounter(tx);
      let last = before;
      const payments = await this.repository.takePayments(tx);
      for (const payment of payments) last = await this.issueFor(tx, payment, seller, last);
      if (last > before) {
        await this.repository.setCounter(tx, last);
        this.logger.info({ from: before + 1, to: last }, 'invoices issued');
      }
      return payments.length > 0;
    });
  }

  /**
   * Returns a page of the account's invoices, newest first; the last page when `requestedPage` is
   * beyond it.
   */
  async page(accountId: string, requestedPage: number): Promise<InvoicesAnswer> {
    const pages = Math.max(1, Math.ceil((await this.repository.count(accountId)) / limits.tablePageSize));
    const page = Math.min(requestedPage, pages);
    const rows = await this.repository.page(accountId, limits.tablePageSize, (page - 1) * limits.tablePageSize);
    return { available: this.config.seller !== undefined, invoices: rows.map(viewOf), page, pages };
  }

  /** Throws `invoice_not_found`, also for another account's invoice. */
  async get(accountId: string, number: number): Promise<Invoice> {
    const invoice = Number.isSafeInteger(number) ? await this.repository.find(accountId, number) : undefined;
    if (!invoice) throw new DomainError('invoice_not_found', 'This account has no such invoice.');
    return invoice;
  }

  async paymentOf({ sessionId }: Pick<Invoice, 'sessionId'>): Promise<PaymentState> {
    return this.repository.paymentState(sessionId);
  }

  async details(accountId: string): Promise<InvoiceDetails> {
    return (await this.repository.findDetails(accountId)) ?? noDetails;
  }

  /** Sets the buyer's details for later invoices. */
  async changeDetails(accountId: string, details: InvoiceDetails, address: string): Promise<InvoiceDetails> {
    const { company, address: street, vatId } = details;
    const before = await this.details(accountId);
    await this.postgres.change(async (tx) => {
      await this.repository.saveDetails(tx, accountId, details);
      const entry = { actor: 'account', accountId, action: 'invoice_details.changed', address } as const;
      await this.auditLog.recordChange(tx, entry, before, { company, address: street, vatId });
    });
    return details;
  }

  /** Yields all invoices for the account's export, in batches that are read on demand. */
  async *all(accountId: string): AsyncGenerator<object[]> {
    for (let offset = 0; ; offset += limits.exportBatchRowsMax) {
      const batch = await this.repository.page(accountId, limits.exportBatchRowsMax, offset);
      yield batch.map(({ number, corrects, amountCents, credits, buyer, issuedAt }) => ({
        number,
        corrects,
        amountCents,
        credits,
        buyer,
        at: issuedAt.toISOString(),
      }));
      if (batch.length < limits.exportBatchRowsMax) return;
    }
  }

  async erase(accountId: string): Promise<void> {
    await this.repository.erase(accountId);
  }

  /** Writes the documents that a payment lacks; returns the last number. */
  private async issueFor(
    tx: EntityManager,
    payment: PaymentToInvoice,
    seller: InvoiceSeller,
    before: number,
  ): Promise<number> {
    const { accountId, sessionId, amountCents, credits, method, refundedCents, creditedCents, createdAt } = payment;
    const buyer = await this.buyerOf(accountId);
    const document = { accountId, sessionId, method, seller, buyer, paidAt: createdAt };
    let number = before;
    let { invoice } = payment;
    if (invoice === null) {
      number += 1;
      invoice = number;
      const amounts = { amountCents, credits, creditedCents: 0, corrects: null };
      await this.repository.insert(tx, { ...document, ...amounts, number });
    }
    if (refundedCents > creditedCents) {
      number += 1;
      const share = (cents: number) => Math.floor((credits * cents) / amountCents);
      await this.repository.insert(tx, {
        ...document,
        number,
        corrects: invoice,
        creditedCents: refundedCents,
        amountCents: refundedCents - creditedCents,
        credits: share(refundedCents) - share(creditedCents),
      });
    }
    await this.repository.markInvoiced(tx, sessionId, Math.max(refundedCents, creditedCents));
    return number;
  }

  private async buyerOf(accountId: string): Promise<InvoiceBuyer> {
    const { displayName, email } = await this.accounts.get(accountId);
    const details = await this.details(accountId);
    return ERASED.test(email) ? { ...noDetails, name: '', email: '' } : { ...details, name: displayName, email };
  }
}

function viewOf({ number, corrects, amountCents, credits, issuedAt }: Invoice): InvoiceView {
  return {
    number,
    kind: corrects === null ? 'invoice' : 'credit_note',
    date: newYorkTimestamp(issuedAt),
    amount: corrects === null ? exactDollars(amountCents) : `-${exactDollars(amountCents)}`,
    credits,
    corrects,
  };
}
