import { html, type Html, table } from '../pages/html.js';
import type { PlainPage } from '../pages/pages.js';
import type { Charge, Session } from './objects.js';
import type { Checkout } from './store.js';
import { GOOD_CARD, readableCard, TEST_CARDS, type TestCard } from './test-cards.js';
import type { Delivery } from './webhooks.js';

const dollarFormat = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
const timeFormat = new Intl.DateTimeFormat('en-US', {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'America/New_York',
});

function money(cents: number): string {
  return dollarFormat.format(cents / 100);
}

/** Formats an instant in seconds as New York time. */
function dateTime(atSeconds: number): string {
  return timeFormat.format(atSeconds * 1000);
}

/** The redirect after payment, with the session's id in place of its placeholder. */
export function successUrlOf({ id, success_url: successUrl }: Session): string {
  return successUrl.replaceAll('{CHECKOUT_SESSION_ID}', id);
}

export interface TypedPayment {
  readonly number: string;
  readonly expiry: string;
  readonly cvc: string;
  readonly name: string;
  readonly email: string;
}

export interface FieldProblem {
  readonly field: keyof TypedPayment;
  readonly text: string;
}

/** The initial form: a valid card, so that one click pays. */
export function firstTyping({ session }: Checkout): TypedPayment {
  return {
    number: readableCard(GOOD_CARD),
    expiry: '12 / 34',
    cvc: '123',
    name: 'Test Buyer',
    email: session.customer_email ?? 'buyer@example.com',
  };
}

/** Purpose of the session: to pay its total, or to save a card. */
function titleOf({ amount_total: total }: Session): string {
  return total === null ? 'Save card' : `Pay ${money(total)}`;
}

/** The hosted page of a session in any state. */
export function checkoutPage(checkout: Checkout, typed: TypedPayment, invalid?: FieldProblem): PlainPage {
  const { session, isPending, attempt, problem } = checkout;
  if (session.status !== 'open') return endedPage(checkout);
  const side =
    isPending && attempt !== null
      ? confirmForm(session.amount_total, attempt.card.number.slice(-4))
      : payForm(checkout, typed, invalid);
  return {
    title: titleOf(session),
    part: 'Checkout',
    main: html`<div class="checkout">${bill(checkout)}${side}</div>`,
    status: invalid !== undefined ? 400 : problem === null ? 200 : 402,
  };
}

function bill({ session, lineItems }: Checkout): Html {
  return html`
    <section class="bill" aria-label="What you pay for">
      ${
        session.cancel_url !== null &&
        html`<a class="back" href="${session.cancel_url}"><span aria-hidden="true">←</span> Back</a>`
      }
      <h1>
        <small class="quiet">For ${new URL(session.success_url).host}</small>
        ${titleOf(session)}
      </h1>
      <ul class="bill-rows">
        ${billRows(lineItems)}
        ${session.amount_total !== null && billRow('Total', money(session.amount_total), 'bill-total')}
      </ul>
    </section>
  `;
}

function billRows(lineItems: Checkout['lineItems']): Html[] {
  return lineItems.map(({ name, quantity, unitAmount }) =>
    billRow(quantity === 1 ? name : `${name} × ${quantity}`, money(unitAmount * quantity)),
  );
}

function billRow(name: string, amount: string, className = ''): Html {
  return html`<li class="${className}"><span>${name}</span><span class="figures">${amount}</span></li>`;
}

function payForm({ session, problem }: Checkout, typed: TypedPayment, invalid?: FieldProblem): Html {
  const cards = TEST_CARDS.filter(({ isBank }) =>
    session.payment_method_types.includes(isBank ? 'us_bank_account' : 'card'),
  );
  const input = (field: keyof TypedPayment, label: string, more: Html = html``): Html => html`
    <label>
      ${label}
      <input
        name="${field}"
        value="${typed[field]}"
        autocomplete="off"
        ${more}
        ${invalid?.field === field && html`aria-invalid="true" aria-describedby="problem" autofocus`}
      />
      ${invalid?.field === field && html`<span class="bad" id="problem" role="alert">${invalid.text}</span>`}
    </label>
  `;
  const showsProblem = problem !== null && invalid === undefined;
  return html`
    <form class="card fields" method="post" novalidate>
      ${showsProblem && html`<p class="trouble-box" role="alert">${problem.message} You were not charged.</p>`}
      <fieldset class="test-cards">
        <legend>Test cards</legend>
        ${cards.map((card) => cardButton(card, typed))}
      </fieldset>
      ${input('email', 'Email address', html`type="email" spellcheck="false"`)}
      ${input('number', 'Card number', html`inputmode="numeric" class="figures"`)}
      <div class="pair">
        ${input('expiry', 'Expires', html`inputmode="numeric" placeholder="MM / YY" class="figures"`)}
        ${input('cvc', 'CVC', html`inputmode="numeric" class="figures"`)}
      </div>
      ${input('name', 'Name on card')}
      <button class="button primary wide" name="act" value="pay">${titleOf(session)}</button>
      <p class="quiet small">No money moves: this replaces Stripe during development. All other cards are declined.</p>
    </form>
  `;
}

function cardButton(card: TestCard, typed: TypedPayment): Html {
  const isChosen = typed.number.replace(/\s/g, '') === card.number;
  return html`
    <button class="test-card" name="fill" value="${card.number}" aria-pressed="${String(isChosen)}">
      <span>${card.does}</span>
      <small class="figures">${card.name} •••• ${card.number.slice(-4)}</small>
    </button>
  `;
}

/** The page where the owner of a saved card authenticates a payment. */
export function authenticationPage(amount: number, last4: string): PlainPage {
  return { title: `Confirm ${money(amount)}`, part: 'Checkout', main: confirmForm(amount, last4) };
}

function confirmForm(amount: number | null, last4: string): Html {
  return html`
    <form class="card" method="post">
      <h2>Is this you?</h2>
      <p class="quiet">
        Your bank asks you to confirm ${amount === null ? 'that you save' : money(amount)}
        ${amount === null ? 'the card' : 'on the card'} ending in <span class="figures">${last4}</span> (3-D Secure).
      </p>
      <div class="actions">
        <button class="button" name="act" value="deny">Fail</button>
        <button class="button primary" name="act" value="confirm">Confirm</button>
      </div>
    </form>
  `;
}

function endedPage({ session, problem }: Checkout): PlainPage {
  const { title, text } = outcomeOf(session, problem?.message);
  const address = session.status === 'complete' ? successUrlOf(session) : (session.cancel_url ?? session.success_url);
  const main = html`
    <div class="card ended">
      <h1>${title}</h1>
      <p class="quiet">${text}</p>
      <div class="actions"><a class="button primary" href="${address}">Back to the shop</a></div>
    </div>
  `;
  return { title, part: 'Checkout', main };
}

function outcomeOf(session: Session, problem: string | undefined): { title: string; text: string } {
  const total = money(session.amount_total ?? 0);
  if (session.status === 'expired') {
    return { title: 'This session has expired', text: 'Nothing was charged. Start again from the shop.' };
  }
  if (session.mode === 'setup') return { title: 'The card is saved', text: 'You can close this page.' };
  if (session.payment_status === 'paid') return { title: `${total} is paid`, text: 'You can close this page.' };
  if (problem !== undefined) return { title: 'The bank did not pay', text: problem };
  return { title: `${total} is on its way`, text: 'The bank account pays in a moment. You can close this page.' };
}

const SHOWN_MAX = 30;

/** Lists sessions and webhooks, newest first. */
export function checkoutListPage(checkouts: readonly Checkout[], deliveries: readonly Delivery[]): PlainPage {
  const sessions = checkouts
    .slice(0, SHOWN_MAX)
    .map(({ session, lineItems }) => [
      dateTime(session.created),
      session.mode === 'setup' ? 'Save a card' : lineItems.map(({ name }) => name).join(', '),
      html`<span class="figures">${session.amount_total === null ? '' : money(session.amount_total)}</span>`,
      stateOf(session),
      html`<a href="/checkout/${session.id}">${session.status === 'open' ? 'Pay' : 'Open'}</a>`,
    ]);
  const webhooks = deliveries
    .slice(0, SHOWN_MAX)
    .map(({ event, attempts, state }) => [
      dateTime(event.created),
      html`<span><span class="event-type">${event.type}</span><small class="event-id quiet">${event.id}</small></span>`,
      attempts.map(({ status }) => (status === 0 ? 'no answer' : status)).join(', ') || 'None',
      deliveryStates[state],
      html`<form method="post" action="/checkout/webhooks/${event.id}"><button class="link">Send again</button></form>`,
    ]);
  const main = html`
    <div class="wide-page">
      <h1>Checkout</h1>
      ${
        sessions.length === 0
          ? html`<p class="quiet none">
              No checkout yet. Sessions that the product creates are listed here with their webhooks. Buy a pack on the
              product's dashboard to see the first one.
            </p>`
          : table(['Created', 'For', 'Amount', 'State', ''], sessions)
      }
      ${webhooks.length > 0 && html`<h2>Webhooks</h2>`}
      ${webhooks.length > 0 && table(['Time', 'Event', 'Attempts', 'State', ''], webhooks)}
    </div>
  `;
  return { title: 'Checkout', part: 'Checkout', main };
}

function stateOf({ status, payment_status: paid }: Session): Html {
  if (status === 'open') return html`<span class="state">Open</span>`;
  if (status === 'expired') return html`<span class="state bad">Expired</span>`;
  if (paid === 'no_payment_required') return html`<span class="state good">Saved</span>`;
  return paid === 'paid' ? html`<span class="state good">Paid</span>` : html`<span class="state">Not paid yet</span>`;
}

const deliveryStates: Record<Delivery['state'], Html> = {
  'held back': html`<span class="state">Held back</span>`,
  waiting: html`<span class="state">Waiting</span>`,
  taken: html`<span class="state good">Taken</span>`,
  'given up': html`<span class="state bad">Given up</span>`,
};

/** The page at a charge's `receipt_url`. */
export function receiptPage(
  charge: Charge,
  { lineItems, attempt }: Pick<Checkout, 'lineItems' | 'attempt'>,
): PlainPage {
  const source = attempt?.card.isBank ? 'Bank account' : 'Card';
  const facts = [
    ['Paid on', `${dateTime(charge.created)} (New York)`],
    ['Paid with', `${source} ending in ${attempt?.card.number.slice(-4) ?? ''}`],
    ['Paid by', attempt?.payer.email ?? ''],
    ['Receipt for', charge.id],
  ] as const;
  const main = html`
    <article class="card receipt">
      <p class="quiet">Receipt</p>
      <h1>${money(charge.amount)}</h1>
      <dl>
        ${facts.map(
          ([name, value]) =>
            html`<div>
              <dt>${name}</dt>
              <dd>${value}</dd>
            </div>`,
        )}
      </dl>
      <ul class="bill-rows">
        ${billRows(lineItems)} ${billRow('Amount paid', money(charge.amount), 'bill-total')}
        ${charge.amount_refunded > 0 && billRow('Refunded', `−${money(charge.amount_refunded)}`)}
      </ul>
    </article>
  `;
  return { title: `Receipt for ${money(charge.amount)}`, part: 'Checkout', main };
}
