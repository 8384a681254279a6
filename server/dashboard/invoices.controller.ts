import { Body, Controller, Get, Param, ParseIntPipe, Put, Query, Res, UseGuards } from '@nestjs/common';
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
import { ClientAddress, SessionGuard, SignedIn } from '../auth/session.guard.js';
import { style, invoicePage } from '#core/billing/invoices/invoice-page.js';

const invoiceNumberParam = new ParseIntPipe({
  exceptionFactory: () => new DomainError('invoice_not_found', 'No invoice has this number.'),
});

/** /api/dashboard/invoices and /invoice-details */
@Controller('api/dashboard')
@UseGuards(SessionGuard)
export class InvoicesController {
  constructor(private readonly invoices: Invoices) {}

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
    const html = invoicePage(await this.invoices.get(accountId, invoice));
    reply.headers(invoiceHeaders);
    return html;
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

/** Headers of the page: only its own style is allowed. */
const invoiceHeaders = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy':
    `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; ` +
    `base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'Cache-Control': 'private, no-store',
} as const;
