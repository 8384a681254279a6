import { html, type Html } from '../pages/html.js';
import type { PlainPage } from '../pages/pages.js';
import { type Checkout, type Session, successUrlOf } from './sessions.js';
import { isBank, readableCard, TEST_CARDS, type TestCard } from './test-cards.js';
import type { Attempt, Delivery } from './events.js';
import type { Charge } from './payment-objects.js';

/** Formats an amount in the smallest unit: `$10.00`. */
function money(amount: number, currency: string): string {
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  return format.format(amount / 10 ** digits);
}

/** Formats an instant in seconds as New York time. */
function dateTime(atSeconds: number): string {
  const format = new Intl.DateTimeFormat('en-US', {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'America/New_York',
  });
  return format.format(atSeconds * 1000);
}

/** Values of the payment form. */
export interface TypedPayment {
  readonly number: string;
  readonly expiry: string;
  readonly cvc: string;
  readonly name: string;
  readonly email: string;
}

/** An invalid field of the form. */
export interface FieldProblem {
  readonly field: keyof TypedPayment;
  readonly text: string;
}

/** The hosted page of a session in any state. */
export function checkoutPage(checkout: Checkout, typed: TypedPayment, fault?: FieldProblem): PlainPage {
  const { session, pending, problem } = checkout;
  if (session.status !== 'open') return endedPage(checkout);
  const isDeclined = problem !== null && fault === undefined;
  const side = pending === null ? payForm(checkout, typed, fault) : authenticateForm(session, pending.card);
  return {
    title: `Pay ${money(session.amount_total, session.currency)}`,
    part: 'Checkout',
    main: html`<div class="checkout">${summary(checkout)}${side}</div>`,
    status: fault === undefined ? (isDeclined ? 402 : 200) : 400,
  };
}

function summary({ session, lineItems }: Checkout): Html {
  const rows = lineItems.map(
    ({ description, quantity, amount_total: total, price }) => html`
      <li>
        <span>${description}</span>
        <span class="figures">${money(total, session.currency)}</span>
        ${quantity > 1 && html`<small class="quiet">${quantity} × ${money(price.unit_amount, session.currency)}</small>`}
      </li>
    `,
  );
  return html`
    <section class="bill" aria-label="What you pay for">
      ${
        session.cancel_url !== null &&
        html`<a class="back" href="${session.cancel_url}"><span aria-hidden="true">←</span> Back</a>`
      }
      <h1>
        <small class="quiet">To pay to ${new URL(session.success_url).host}</small>
        ${money(session.amount_total, session.currency)}
      </h1>
      <ul class="bill-rows">
        ${rows}
        <li class="bill-total">
          <span>Total</span><span class="figures">${money(session.amount_total, session.currency)}</span>
        </li>
      </ul>
    </section>
  `;
}

function payForm({ session, problem }: Checkout, typed: TypedPayment, fault?: FieldProblem): Html {
  const cards = TEST_CARDS.filter((card) =>
    session.payment_method_types.includes(isBank(card) ? 'us_bank_account' : 'card'),
  );
  const input = (field: keyof TypedPayment, label: string, more: Html): Html => html`
    <label>
      ${label}
      <input
        name="${field}"
        value="${typed[field]}"
        ${more}
        ${fault?.field === field && html`aria-invalid="true" aria-describedby="fault" autofocus`}
      />
      ${fault?.field === field && html`<span class="bad" id="fault" role="alert">${fault.text}</span>`}
    </label>
  `;
  return html`
    <form class="card fields" method="post" novalidate>
      ${problem !== null && fault === undefined && html`<p class="trouble-box" role="alert">${problem.message} You were not charged.</p>`}
      <fieldset class="test-cards">
        <legend>Test cards</legend>
        ${cards.map((card) => cardButton(card, typed))}
      </fieldset>
      ${input('email', 'E-mail address', html`type="email" autocomplete="off" spellcheck="false"`)}
      ${input('number', 'Card number', html`inputmode="numeric" autocomplete="off" class="figures"`)}
      <div class="pair">
        ${input('expiry', 'Expires', html`inputmode="numeric" autocomplete="off" placeholder="MM / YY" class="figures"`)}
        ${input('cvc', 'CVC', html`inputmode="numeric" autocomplete="off" class="figures"`)}
      </div>
      ${input('name', 'Name on card', html`autocomplete="off"`)}
      <button class="button primary wide" name="act" value="pay">
        Pay ${money(session.amount_total, session.currency)}
      </button>
      <p class="quiet small">No money moves: this replaces Stripe during development. All other cards are declined.</p>
    </form>
  `;
}

function cardButton(card: TestCard, typed: TypedPayment): Html {
  const isChosen = typed.number.replace(/\s/g, '') === card.number;
  return html`
    <button class="test-card" name="fill" value="${card.number}" aria-pressed="${isChosen ? 'true' : 'false'}">
      <span>${card.does}</span>
      <small class="figures">${card.name} •••• ${card.number.slice(-4)}</small>
    </button>
  `;
}

function authenticateForm(session: Session, card: TestCard): Html {
  return html`
    <form class="card" method="post">
      <h2>Is this you?</h2>
      <p class="quiet">
        Your bank asks you to confirm ${money(session.amount_total, session.currency)} on the card ending in
        <span class="figures">${card.number.slice(-4)}</span> (3-D Secure).
      </p>
      <div class="actions">
        <button class="button" name="act" value="deny">Fail</button>
        <button class="button primary" name="act" value="confirm">Confirm</button>
      </div>
    </form>
  `;
}

function endedPage(checkout: Checkout): PlainPage {
  const { session } = checkout;
  const total = money(session.amount_total, session.currency);
  const isPaid = session.payment_status === 'paid';
  const words =
    session.status === 'expired'
      ? { title: 'This session has expired', text: 'Nothing was charged. Start again from the shop.' }
      : isPaid
        ? { title: `${total} is paid`, text: 'You can close this page.' }
        : checkout.problem === null
          ? { title: `${total} is on its way`, text: 'The bank account pays in a moment. You can close this page.' }
          : { title: 'The bank did not pay', text: checkout.problem.message };
  const [address, label] =
    session.status === 'complete'
      ? [successUrlOf(session), 'Back to the shop']
      : [session.cancel_url ?? session.success_url, 'Back to the shop'];
  const main = html`
    <div class="card ended">
      <h1>${words.title}</h1>
      <p class="quiet">${words.text}</p>
      <div class="actions"><a class="button primary" href="${address}">${label}</a></div>
    </div>
  `;
  return { title: words.title, part: 'Checkout', main };
}

/** The initial form: a valid card, so that one click pays. */
export function firstTyping({ session }: Checkout): TypedPayment {
  const [good] = TEST_CARDS;
  return {
    number: good === undefined ? '' : readableCard(good),
    expiry: '12 / 34',
    cvc: '123',
    name: 'Test Buyer',
    email: session.customer_email ?? 'buyer@example.com',
  };
}

const SHOWN_MAX = 30;

/** Lists sessions and webhooks, newest first. */
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
    No checkout yet. Sessions that the product creates are listed here with their webhooks. Buy a pack on the product's
    dashboard to see the first one.
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
          <th>Attempts</th>
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
              <td data-label="Attempts">${attempts.length === 0 ? 'None' : attempts.map(answerOf).join(', ')}</td>
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

/** The page at a charge's `receipt_url`. */
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
