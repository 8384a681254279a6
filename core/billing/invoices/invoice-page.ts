import { invoiceNumber } from '#contract/billing.js';
import { dollars } from '#contract/packs.js';
import type { Invoice } from './invoices.js';
import { newYorkDay } from '../../rules/time.js';
import { escapedHtml } from '../../rules/html.js';

export const style = `
body{margin:0;background:#faf7f2;color:#1c1917;font-variant-numeric:tabular-nums;
  font:16px/1.5 Inter,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif}
main{max-width:720px;margin:32px auto;padding:48px;background:#fff;
  border:1px solid #e7e1d8;border-top:4px solid #a8481c;border-radius:10px;overflow-wrap:anywhere}
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

/** An invoice or credit note as a page that prints on one sheet of paper. */
export function invoicePage(invoice: Invoice): string {
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
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><title>${escapedHtml(title)}</title><style>${style}</style></head>
<body><main>
<h1>${escapedHtml(title)}</h1>
<div class="sides"><section><h2>From</h2>${lines(from)}</section><section><h2>To</h2>${lines(to)}</section></div>
<dl>${facts.map(([term, value]) => `<dt>${escapedHtml(term)}</dt><dd>${escapedHtml(value)}</dd>`).join('')}</dl>
<table>
<thead><tr><th scope="col">Description</th><th scope="col">Amount</th></tr></thead>
<tbody><tr><td>${escapedHtml(what)}</td><td>${amount}</td></tr></tbody>
<tfoot><tr><td>Total in US dollars</td><td>${amount}</td></tr></tfoot>
</table>
<p>${corrects === null ? 'Paid in full.' : 'Refunded to the payment method.'}</p>
${seller.note ? `<p class="note">${escapedHtml(seller.note)}</p>` : ''}
<p class="note screen">Use your browser’s print function to print it or to save it as a PDF.</p>
</main></body>
</html>
`;
}

function lines(texts: readonly (string | null)[]): string {
  return texts.flatMap((text) => (text ? [`<p>${escapedHtml(text)}</p>`] : [])).join('');
}
