import { html, type Html } from '../pages/html.js';
import type { PlainPage } from '../pages/page-shell.js';
import { dateTime, money } from './money.js';
import type { Checkout, Session } from './session.js';
import type { Attempt, Delivery } from './webhook-poster.js';

const SHOWN_MAX = 30;

/** All sessions and the webhooks that told the product of them, newest first. */
export function checkoutListPage(checkouts: readonly Checkout[], deliveries: readonly Delivery[]): PlainPage {
  const main = html`
    <div class="wide-page">
      <h1>Checkout</h1>
      ${checkouts.length === 0 ? empty() : sessionTable(checkouts.slice(0, SHOWN_MAX))}
      ${deliveries.length > 0 && deliveryTable(deliveries.slice(0, SHOWN_MAX))}
    </div>
  `;
  return { title: 'Checkout', part: 'Checkout', main };
}

function empty(): Html {
  return html`<p class="quiet none">
    No checkout yet. Every session that the product creates stands here, with the webhooks that tell the product how it
    went. Buy a pack on the product's dashboard to see the first.
  </p>`;
}

function sessionTable(checkouts: readonly Checkout[]): Html {
  return html`
    <table class="rows">
      <thead>
        <tr>
          <th>Created</th>
          <th>For</th>
          <th class="right">Amount</th>
          <th>State</th>
          <th></th>
        </tr>
      </thead>
      <tbody>
        ${checkouts.map(
          ({ session, lineItems }) => html`
            <tr>
              <td data-label="Created">${dateTime(session.created)}</td>
              <td data-label="For">${lineItems.map(({ description }) => description).join(', ')}</td>
              <td data-label="Amount" class="right figures">${money(session.amount_total, session.currency)}</td>
              <td data-label="State">${stateOf(session)}</td>
              <td class="right"><a href="/checkout/${session.id}">${session.status === 'open' ? 'Pay' : 'Open'}</a></td>
            </tr>
          `,
        )}
      </tbody>
    </table>
  `;
}

function stateOf({ status, payment_status: paid }: Session): Html {
  if (status === 'open') return html`<span class="state">Open</span>`;
  if (status === 'expired') return html`<span class="state bad">Expired</span>`;
  return paid === 'paid' ? html`<span class="state good">Paid</span>` : html`<span class="state">Not paid yet</span>`;
}

function deliveryTable(deliveries: readonly Delivery[]): Html {
  return html`
    <h2>Webhooks</h2>
    <table class="rows">
      <thead>
        <tr>
          <th>Time</th>
          <th>Event</th>
          <th>Tries</th>
          <th>State</th>
          <th></th>
        </tr>
      </thead>
      <tbody>
        ${deliveries.map(
          ({ event, attempts, state }) => html`
            <tr>
              <td data-label="Time">${dateTime(event.created)}</td>
              <td data-label="Event">
                <span
                  ><span class="event-type">${event.type}</span><small class="event-id quiet">${event.id}</small></span
                >
              </td>
              <td data-label="Tries">${attempts.length === 0 ? 'None' : attempts.map(answerOf).join(', ')}</td>
              <td data-label="State"><span class="state ${toneOf(state)}">${stateWords[state]}</span></td>
              <td class="right">
                <form method="post" action="/checkout/webhooks/${event.id}">
                  <button class="link">Send again</button>
                </form>
              </td>
            </tr>
          `,
        )}
      </tbody>
    </table>
  `;
}

function answerOf({ status }: Attempt): string {
  return status === 0 ? 'no answer' : String(status);
}

const stateWords: Record<Delivery['state'], string> = {
  'held back': 'Held back',
  waiting: 'Waiting',
  taken: 'Taken',
  'given up': 'Given up',
};

function toneOf(state: Delivery['state']): string {
  if (state === 'taken') return 'good';
  return state === 'given up' ? 'bad' : '';
}
