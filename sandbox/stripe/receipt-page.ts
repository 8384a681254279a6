import { html } from '../pages/html.js';
import type { PlainPage } from '../pages/page-shell.js';
import { dateTime, money } from './money.js';
import type { Charge } from './payment.js';
import type { Checkout } from './session.js';

/** The receipt behind a charge's `receipt_url`. */
export function receiptPage(charge: Charge, checkout: Checkout | undefined): PlainPage {
  const sum = (cents: number) => money(cents, charge.currency);
  const details = charge.payment_method_details;
  const paidWith =
    details.type === 'card'
      ? `Card ending in ${details.card.last4}`
      : `Bank account ending in ${details.us_bank_account.last4}`;
  const rows: (readonly [string, string])[] = [
    ['Paid on', `${dateTime(charge.created)} (New York)`],
    ['Paid with', paidWith],
    ['Paid by', charge.billing_details.email],
    ['Receipt for', charge.id],
  ];
  const main = html`
    <article class="card receipt">
      <p class="quiet">Receipt</p>
      <h1>${sum(charge.amount)}</h1>
      <dl>
        ${rows.map(
          ([name, value]) =>
            html`<div>
              <dt>${name}</dt>
              <dd>${value}</dd>
            </div>`,
        )}
      </dl>
      <ul class="bill-rows">
        ${(checkout?.lineItems ?? []).map(
          ({ description, quantity, amount_total: total }) =>
            html`<li>
              <span>${description}${quantity > 1 && html` × ${quantity}`}</span
              ><span class="figures">${sum(total)}</span>
            </li>`,
        )}
        <li class="bill-total"><span>Amount paid</span><span class="figures">${sum(charge.amount)}</span></li>
        ${
          charge.amount_refunded > 0 &&
          html`<li><span>Refunded</span><span class="figures">−${sum(charge.amount_refunded)}</span></li>`
        }
      </ul>
    </article>
  `;
  return { title: `Receipt for ${sum(charge.amount)}`, part: 'Checkout', main };
}
