import { html, type Html } from '../pages/html.js';
import type { PlainPage } from '../pages/page-shell.js';
import { money } from './money.js';
import { successUrlOf, type Checkout, type Session } from './session.js';
import { isBank, readableCard, TEST_CARDS, type TestCard } from './test-cards.js';

/** What stands in the form. */
export interface TypedPayment {
  readonly number: string;
  readonly expiry: string;
  readonly cvc: string;
  readonly name: string;
  readonly email: string;
}

/** A field that was not filled in rightly, and why. */
export interface FieldProblem {
  readonly field: keyof TypedPayment;
  readonly text: string;
}

/** The hosted page of a session, whatever state it is in. */
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
      <p class="quiet small">No money moves: this stands in for Stripe. Other cards than these are declined.</p>
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
        ? { title: `${total} is paid`, text: 'There is nothing left to do here.' }
        : checkout.problem === null
          ? { title: `${total} is on its way`, text: 'The bank account pays in a moment; nothing is left to do here.' }
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

/** The form as it stands at first: a card that works, so that one click pays. */
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
