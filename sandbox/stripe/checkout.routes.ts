import type { FastifyInstance } from 'fastify';
import { readForms } from '../http.js';
import { html } from '../pages/html.js';
import type { PageShell } from '../pages/pages.js';
import {
  checkoutListPage,
  checkoutPage,
  type FieldProblem,
  firstTyping,
  receiptPage,
  type TypedPayment,
} from './checkout-pages.js';
import type { Events, WebhookPoster } from './events.js';
import type { Payments } from './payments.js';
import { type Checkout, successUrlOf } from './sessions.js';
import { StripeError } from './stripe-error.js';
import type { StripeStore } from './store.js';
import { cardOf, isBank, readableCard } from './test-cards.js';

interface CheckoutPagesParts {
  readonly store: StripeStore;
  readonly payments: Payments;
  readonly events: Events;
  readonly poster: WebhookPoster;
  readonly shell: PageShell;
}

/** Checkout pages under /checkout: forms that work without JavaScript. */
export function checkoutRoutes({ store, payments, events, poster, shell }: CheckoutPagesParts) {
  const find = (id: string): Checkout => {
    const checkout = store.checkouts.get(id);
    payments.expireIfDue(checkout);
    return checkout;
  };

  return async (app: FastifyInstance): Promise<void> => {
    readForms(app);
    app.setErrorHandler((error, _request, reply) => {
      if (!(error instanceof StripeError)) throw error;
      const main = html`<div class="card">
        <h1>Nothing here</h1>
        <p class="quiet">${error.message}. The sandbox loses checkouts when it stops.</p>
        <div class="actions"><a class="button" href="/checkout">All checkouts</a></div>
      </div>`;
      return shell.send(reply, { title: 'Nothing here', part: 'Checkout', main, status: error.status });
    });

    app.get('/checkout', async (_request, reply) =>
      shell.send(reply, checkoutListPage(store.checkouts.newestFirst(), poster.list())),
    );

    app.post<{ Params: { id: string } }>('/checkout/webhooks/:id', async (request, reply) => {
      await poster.resend(events.kept.get(request.params.id));
      return reply.redirect('/checkout', 303);
    });

    app.get<{ Params: { id: string } }>('/checkout/receipts/:id', async (request, reply) => {
      const charge = store.charges.get(request.params.id);
      const isItsOwn = ({ session }: Checkout) => session.payment_intent === charge.payment_intent;
      return shell.send(reply, receiptPage(charge, store.checkouts.newestFirst().find(isItsOwn)));
    });

    app.get<{ Params: { id: string } }>('/checkout/:id', async (request, reply) => {
      const checkout = find(request.params.id);
      return shell.send(reply, checkoutPage(checkout, firstTyping(checkout)));
    });

    app.post<{ Params: { id: string } }>('/checkout/:id', async (request, reply) => {
      const checkout = find(request.params.id);
      const form = request.body as URLSearchParams;
      const typed = typedIn(form, checkout);
      const fill = form.get('fill');
      const act = form.get('act') ?? 'pay';
      if (checkout.session.status !== 'open' || (act !== 'pay' && checkout.pending === null)) {
        return shell.send(reply, checkoutPage(checkout, typed));
      }
      if (fill !== null) {
        checkout.problem = null;
        return shell.send(reply, checkoutPage(checkout, { ...typed, number: readableCard(cardOf(fill)) }));
      }
      if (act === 'pay') {
        const fault = faultIn(typed);
        if (fault !== undefined) return shell.send(reply, checkoutPage(checkout, typed, fault));
        const payer = { email: typed.email.trim(), name: typed.name.trim() };
        payments.pay(checkout, cardOf(typed.number), payer);
      } else {
        payments.authenticate(checkout, act === 'confirm');
      }
      // Loads the session again: the payment has changed it.
      const { session } = find(request.params.id);
      if (session.status === 'complete') return reply.redirect(successUrlOf(session), 303);
      return shell.send(reply, checkoutPage(checkout, typed));
    });
  };
}

function typedIn(form: URLSearchParams, checkout: Checkout): TypedPayment {
  const first = firstTyping(checkout);
  const field = (name: keyof TypedPayment) => (form.get(name) ?? first[name]).slice(0, 200);
  return {
    number: field('number'),
    expiry: field('expiry'),
    cvc: field('cvc'),
    name: field('name'),
    email: field('email'),
  };
}

/** Returns the first field that Stripe's form would reject. */
function faultIn({ number, expiry, cvc, name, email }: TypedPayment): FieldProblem | undefined {
  if (!/^[^\s@]+@[^\s@]+$/.test(email.trim())) return { field: 'email', text: 'Your e-mail address is incomplete.' };
  const card = cardOf(number);
  if (!isBank(card)) {
    if (!/^\d{13,19}$/.test(card.number)) return { field: 'number', text: 'Your card number is incomplete.' };
    if (!isLuhn(card.number)) return { field: 'number', text: 'Your card number is invalid.' };
    const [, month = '', year = ''] = /^\s*(\d{1,2})\s*\/?\s*(?:20)?(\d{2})\s*$/.exec(expiry) ?? [];
    if (month === '' || Number(month) < 1 || Number(month) > 12) {
      return { field: 'expiry', text: "Your card's expiration date is incomplete." };
    }
    if (new Date(2000 + Number(year), Number(month)).getTime() <= Date.now()) {
      return { field: 'expiry', text: "Your card's expiration date is in the past." };
    }
    if (!/^\d{3,4}$/.test(cvc.trim())) return { field: 'cvc', text: "Your card's security code is incomplete." };
  }
  return name.trim() === '' ? { field: 'name', text: 'Your name is incomplete.' } : undefined;
}

function isLuhn(number: string): boolean {
  let sum = 0;
  [...number].reverse().forEach((digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
    sum += value > 9 ? value - 9 : value;
  });
  return sum % 10 === 0;
}
