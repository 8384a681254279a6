import { Body, Controller, Get, Param, ParseIntPipe, Put, Query, Res, StreamableFile, UseGuards } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { createHash } from 'node:crypto';
import {
  billingQuery,
  type BillingQuery,
  invoiceDetails,
  type InvoiceDetails,
  type InvoicesAnswer,
} from '#contract/billing.js';
import type { SessionAccount } from '#core/accounts/sessions/sessions.js';
import { Invoices } from '#core/billing/invoices/invoices.js';
import { DomainError } from '#core/platform/errors/domain-error.js';
import { ActionLimits } from '../http/rate-limits.js';
import { ClientAddress, SessionGuard, SignedIn } from '../auth/session.guard.js';
import { invoiceDocument, type InvoiceDocument } from '#core/billing/invoices/invoice-document.js';
import { invoicePage, script, style } from '#core/billing/invoices/invoice-page.js';

const invoiceNumberParam = new ParseIntPipe({
  exceptionFactory: () => new DomainError('invoice_not_found', 'No invoice has this number.'),
});

/** /api/dashboard/invoices and /invoice-details */
@Controller('api/dashboard')
@UseGuards(SessionGuard)
export class InvoicesController {
  constructor(
    private readonly invoices: Invoices,
    private readonly actionLimits: ActionLimits,
  ) {}

  @Get('invoices')
  async page(
    @SignedIn() { accountId }: SessionAccount,
    @Query({ schema: billingQuery }) { page }: BillingQuery,
  ): Promise<InvoicesAnswer> {
    return this.invoices.page(accountId, page);
  }

  /** The invoice as an HTML page for printing. */
  @Get('invoices/:number')
  async show(
    @SignedIn() { accountId }: SessionAccount,
    @Param('number', invoiceNumberParam) invoice: number,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const document = await this.document(accountId, invoice);
    reply.headers(invoiceHeaders);
    return invoicePage(document, `/api/dashboard/invoices/${invoice}/pdf`);
  }

  /** The invoice as a PDF file. */
  @Get('invoices/:number/pdf')
  async pdf(
    @SignedIn() { accountId }: SessionAccount,
    @Param('number', invoiceNumberParam) invoice: number,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile> {
    const document = await this.document(accountId, invoice);
    await this.actionLimits.takeInvoiceFile(accountId);
    // Loaded when first needed: its fonts and its library are large.
    const { invoicePdf } = await import('#core/billing/invoices/invoice-pdf.js');
    reply.header('Cache-Control', 'private, no-store');
    return new StreamableFile(await invoicePdf(document), {
      type: 'application/pdf',
      disposition: `attachment; filename="pennytext-${slugOf(document.title)}.pdf"`,
    });
  }

  private async document(accountId: string, number: number): Promise<InvoiceDocument> {
    const invoice = await this.invoices.get(accountId, number);
    return invoiceDocument(invoice, await this.invoices.paymentOf(invoice));
  }

  @Get('invoice-details')
  async details(@SignedIn() { accountId }: SessionAccount): Promise<InvoiceDetails> {
    return this.invoices.details(accountId);
  }

  @Put('invoice-details')
  async changeDetails(
    @Body({ schema: invoiceDetails }) details: InvoiceDetails,
    @SignedIn() { accountId }: SessionAccount,
    @ClientAddress() address: string,
  ): Promise<InvoiceDetails> {
    return this.invoices.changeDetails(accountId, details, address);
  }
}

function slugOf(title: string): string {
  return title.toLowerCase().replaceAll(' ', '-');
}

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Headers of the page: only its own style and its print button are allowed. */
const invoiceHeaders = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy':
    `default-src 'none'; style-src ${hashOf(style)}; script-src ${hashOf(script)}; ` +
    `base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'Cache-Control': 'private, no-store',
} as const;
