import { escapedHtml } from '../../rules/html.js';
import type { InvoiceDocument } from './invoice-document.js';

export const style = `
body{margin:0;background:#faf7f2;color:#1c1917;font-variant-numeric:tabular-nums;
  font:16px/1.5 Inter,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif}
main{max-width:720px;margin:32px auto;padding:48px;background:#fff;
  border:1px solid #e7e1d8;border-top:4px solid #a8481c;border-radius:10px;overflow-wrap:anywhere}
header{display:flex;flex-wrap:wrap;align-items:center;justify-content:space-between;gap:16px;margin-bottom:32px}
.brand{display:flex;align-items:center;gap:12px;font-size:20px;font-weight:700}
.brand svg{flex:none;width:40px;height:40px}
nav{display:flex;flex-wrap:wrap;gap:8px}
button,nav a{box-sizing:border-box;min-height:44px;padding:9px 16px;border:1px solid #8a8178;border-radius:8px;
  background:#fff;color:#1c1917;font:inherit;font-weight:600;text-decoration:none;cursor:pointer}
nav a{border-color:#a8481c;background:#a8481c;color:#fff}
button:hover{background:#f5f0e8}
nav a:hover{background:#9a4019}
button:focus-visible,nav a:focus-visible{outline:2px solid #a8481c;outline-offset:2px}
h1{margin:0;font-size:28px;line-height:1.25}
h2{margin:0 0 4px;font-size:14px;color:#6b625a}
p{margin:0}
.sides{display:grid;grid-template-columns:repeat(auto-fit,minmax(220px,1fr));gap:24px;margin:24px 0}
.sides p:first-of-type{font-weight:600}
dl{display:grid;grid-template-columns:max-content 1fr;gap:4px 24px;margin:24px 0}
dt{color:#6b625a}
dd{margin:0}
table{width:100%;border-collapse:collapse;margin:24px 0}
th,td{padding:10px 0;border-bottom:1px solid #e7e1d8;text-align:left;vertical-align:top}
th+th,td+td{padding-left:24px;text-align:right;white-space:nowrap}
tfoot td{border-bottom:0;font-size:18px;font-weight:700}
.note{margin-top:16px;color:#6b625a;font-size:14px}
@media(scripting:none){button{display:none}}
@media(max-width:600px){main{margin:0;padding:24px 16px;border-width:4px 0 0;border-radius:0}}
@media print{body{background:#fff}main{max-width:none;margin:0;padding:0;border:0}nav{display:none}
  @page{margin:20mm;@bottom-right{content:"Page " counter(page) " of " counter(pages)}}}
`;

/** Opens the browser's print dialog. The only script of the page. */
export const script = `document.querySelector('button').addEventListener('click',()=>print())`;

/** The logo: a coin whose rim is a speech bubble. */
export const mark = {
  size: 32,
  rim: 'M16 2a13.5 13.5 0 1 1-5.6 25.8L3.7 29.9a.9.9 0 0 1-1.1-1.2l2.2-6A13.5 13.5 0 0 1 16 2Z',
  coin: { x: 16, y: 15.5, radius: 9.6, width: 1.4 },
  letter: { path: 'M13.4 21.2V10.4h3.5a3.3 3.3 0 0 1 0 6.6h-3.5', width: 2.4 },
} as const;

const logo =
  `<svg viewBox="0 0 ${mark.size} ${mark.size}" aria-hidden="true"><path fill="#a8481c" d="${mark.rim}"/>` +
  `<g fill="none" stroke="#fff"><circle cx="${mark.coin.x}" cy="${mark.coin.y}" r="${mark.coin.radius}" ` +
  `stroke-width="${mark.coin.width}"/><path d="${mark.letter.path}" stroke-width="${mark.letter.width}" ` +
  `stroke-linecap="round" stroke-linejoin="round"/></g></svg>`;

/** An invoice or credit note as a page that prints on one sheet of paper. */
export function invoicePage(document: InvoiceDocument, pdfPath: string): string {
  const { title, facts, from, to, item, total, state, note } = document;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapedHtml(title)}</title><style>${style}</style>
</head>
<body><main>
<header>
<p class="brand">${logo}<bdi>${escapedHtml(from[0] ?? '')}</bdi></p>
<nav aria-label="Invoice">
<a href="${escapedHtml(pdfPath)}" download>Download PDF</a><button type="button">Print</button>
</nav>
</header>
<h1>${escapedHtml(title)}</h1>
<dl>${facts.map(([term, value]) => `<dt>${escapedHtml(term)}</dt><dd>${escapedHtml(value)}</dd>`).join('')}</dl>
<div class="sides"><section><h2>From</h2>${lines(from)}</section><section><h2>To</h2>${lines(to)}</section></div>
<table>
<thead><tr><th scope="col">Description</th><th scope="col">Amount</th></tr></thead>
<tbody><tr><td>${escapedHtml(item.what)}</td><td>${item.amount}</td></tr></tbody>
<tfoot><tr><td>Total in US dollars</td><td>${total}</td></tr></tfoot>
</table>
${lines(state)}
${note ? `<p class="note">${escapedHtml(note)}</p>` : ''}
</main><script>${script}</script></body>
</html>
`;
}

/** Each text keeps its own direction. */
function lines(texts: readonly string[]): string {
  return texts.map((text) => `<p dir="auto">${escapedHtml(text)}</p>`).join('');
}
