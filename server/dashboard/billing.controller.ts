import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Param,
  ParseIntPipe,
  ParseUUIDPipe,
  Post,
  Put,
  Query,
  Res,
  UseGuards,
} from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { createHash } from 'node:crypto';
import {
  type AlertsAnswer,
  alertsBody,
  type AlertsBody,
  billingQuery,
  type BillingQuery,
  type CardSetupAnswer,
  invoiceDetails,
  type InvoiceDetails,
  invoiceNumber,
  type InvoicesAnswer,
  type TopUpAnswer,
  topUpBody,
  type TopUpBody,
  type TopUpsAnswer,
  type TopUpStatusAnswer,
} from '#contract/billing.js';
import { dollars } from '#contract/packs.js';
import type { SessionAccount } from '#core/accounts/sessions/sessions.js';
import { type Invoice, Invoices } from '#core/billing/invoices/invoices.js';
import { AutoTopUps } from '#core/billing/top-ups/auto-top-ups.js';
import { DomainError } from '#core/platform/errors/domain-error.js';
import { CreditAlerts } from '#core/webhooks/credit-alerts.js';
import { newYorkDay } from '#core/rules/time.js';
import { ClientAddress, SessionGuard, SignedIn } from '../auth/session.guard.js';
import { ActionLimits } from '../http/rate-limits.js';

/** /api/dashboard/alerts */
@Controller('api/dashboard/alerts')
@UseGuards(SessionGuard)
export class AlertsController {
  constructor(private readonly creditAlerts: CreditAlerts) {}

  @Get()
  async show(@SignedIn() { accountId }: SessionAccount): Promise<AlertsAnswer> {
    return this.creditAlerts.show(accountId);
  }

  @Put()
  async change(
    @Body({ schema: alertsBody }) alerts: AlertsBody,
    @SignedIn() { accountId }: SessionAccount,
    @ClientAddress() address: string,
  ): Promise<AlertsAnswer> {
    return this.creditAlerts.change(accountId, alerts, address);
  }
}

const topUpId = new ParseUUIDPipe({
  exceptionFactory: () => new DomainError('top_up_not_found', 'No top-up has this id.'),
});

/** /api/dashboard/top-up: settings, the saved card, attempts and their confirmation */
@Controller('api/dashboard/top-up')
@UseGuards(SessionGuard)
export class TopUpController {
  constructor(
    private readonly autoTopUps: AutoTopUps,
    private readonly actionLimits: ActionLimits,
  ) {}

  @Get()
  async show(@SignedIn() { accountId }: SessionAccount): Promise<TopUpAnswer> {
    return this.autoTopUps.show(accountId);
  }

  @Put()
  async change(
    @Body({ schema: topUpBody }) settings: TopUpBody,
    @SignedIn() { accountId }: SessionAccount,
    @ClientAddress() address: string,
  ): Promise<TopUpAnswer> {
    return this.autoTopUps.change(accountId, settings, address);
  }

  /** Opens the page on which a card is saved; counts as a checkout. */
  @Post('card')
  @HttpCode(200)
  async openSetup(@SignedIn() { accountId }: SessionAccount): Promise<CardSetupAnswer> {
    await this.actionLimits.takeCheckout(accountId);
    return this.autoTopUps.openSetup(accountId);
  }

  /** The browser comes back from that page: stores the card if its event has not arrived yet. */
  @Post('card/:sessionId')
  @HttpCode(200)
  async saveCard(
    @SignedIn() { accountId }: SessionAccount,
    @Param('sessionId') sessionId: string,
  ): Promise<TopUpAnswer> {
    await this.autoTopUps.saveCard(sessionId, accountId);
    return this.autoTopUps.show(accountId);
  }

  @Delete('card')
  async removeCard(@SignedIn() { accountId }: SessionAccount, @ClientAddress() address: string): Promise<TopUpAnswer> {
    return this.autoTopUps.removeCard(accountId, address);
  }

  @Get('attempts')
  async attempts(
    @SignedIn() { accountId }: SessionAccount,
    @Query({ schema: billingQuery }) { page }: BillingQuery,
  ): Promise<TopUpsAnswer> {
    return this.autoTopUps.page(accountId, page);
  }

  /** Begins the confirmation of a charge; the browser goes to `url`. */
  @Post('attempts/:id/confirm')
  @HttpCode(200)
  async confirm(
    @SignedIn() { accountId }: SessionAccount,
    @Param('id', topUpId) id: string,
  ): Promise<TopUpStatusAnswer> {
    return this.autoTopUps.confirm(accountId, id);
  }

  /** The browser comes back from the confirmation. */
  @Post('attempts/:id/settle')
  @HttpCode(200)
  async settle(
    @SignedIn() { accountId }: SessionAccount,
    @Param('id', topUpId) id: string,
  ): Promise<TopUpStatusAnswer> {
    return this.autoTopUps.refresh(accountId, id);
  }
}

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

const style = `
body{margin:0;background:#faf7f2;color:#1c1917;font:16px/1.5 Inter,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;font-variant-numeric:tabular-nums}
main{max-width:720px;margin:32px auto;padding:48px;background:#fff;border:1px solid #e7e1d8;border-top:4px solid #a8481c;border-radius:10px;overflow-wrap:anywhere}
h1{margin:0 0 24px;font-size:28px;line-height:1.25}
h2{margin:0 0 4px;font-size:14px;color:#6b625a}
p{margin:0}
.sides{display:grid;grid-template-columns:repeat(auto-fit,minmax(220px,1fr));gap:24px;margin:24px 0}
dl{display:grid;grid-template-columns:max-content 1fr;gap:4px 24px;margin:24px 0}
dt{color:#6b625a}
dd{margin:0}
table{width:100%;border-collapse:collapse;margin:24px 0}
th,td{padding:10px 0;border-bottom:1px solid #e7e1d8;text-align:left;vertical-align:top}
th+th,td+td{padding-left:24px;text-align:right}
tfoot td{font-weight:700;border-bottom:0}
.note{color:#6b625a;font-size:14px}
@media(max-width:600px){main{margin:0;padding:24px 16px;border-width:4px 0 0;border-radius:0}}
@media print{body{background:#fff}main{max-width:none;margin:0;padding:0;border:0}@page{margin:20mm}.note.screen{display:none}}
`;

/** Headers of the page: only its own style is allowed. */
const invoiceHeaders = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'Cache-Control': 'private, no-store',
} as const;

/** An invoice or credit note as a page that prints on one sheet of paper. */
function invoicePage(invoice: Invoice): string {
  const { number, corrects, amountCents, credits, method, seller, buyer, paidAt, issuedAt } = invoice;
  const title = `${corrects === null ? 'Invoice' : 'Credit note'} ${invoiceNumber(number)}`;
  const sign = corrects === null ? '' : '−';
  const amount = `${sign}${dollars(amountCents)}`;
  const facts: (readonly [string, string])[] = [
    ['Number', invoiceNumber(number)],
    ['Date of issue', newYorkDay(issuedAt)],
    ['Date of payment', newYorkDay(paidAt)],
    ...(corrects === null ? [] : [['Corrects invoice', invoiceNumber(corrects)] as const]),
    ['Payment method', method],
  ];
  const { name, company, address, vatId, email } = buyer;
  const to = [company || name, ...address.split('\n'), vatId && `VAT ID: ${vatId}`, email];
  const from = [seller.name, ...seller.address, seller.taxId && `Tax ID: ${seller.taxId}`];
  const what = `${credits.toLocaleString('en-US')} SMS credits${corrects === null ? '' : ', refunded'}`;
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><title>${escaped(title)}</title><style>${style}</style></head>
<body><main>
<h1>${escaped(title)}</h1>
<div class="sides"><section><h2>From</h2>${lines(from)}</section><section><h2>To</h2>${lines(to)}</section></div>
<dl>${facts.map(([term, value]) => `<dt>${escaped(term)}</dt><dd>${escaped(value)}</dd>`).join('')}</dl>
<table>
<thead><tr><th scope="col">Description</th><th scope="col">Amount</th></tr></thead>
<tbody><tr><td>${escaped(what)}</td><td>${amount}</td></tr></tbody>
<tfoot><tr><td>Total in US dollars</td><td>${amount}</td></tr></tfoot>
</table>
<p>${corrects === null ? 'Paid in full.' : 'Refunded to the payment method.'}</p>
${seller.note ? `<p class="note">${escaped(seller.note)}</p>` : ''}
<p class="note screen">Use your browser’s print function to print it or to save it as a PDF.</p>
</main></body>
</html>
`;
}

function lines(texts: readonly (string | null)[]): string {
  return texts.flatMap((text) => (text ? [`<p>${escaped(text)}</p>`] : [])).join('');
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}
