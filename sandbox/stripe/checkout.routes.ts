import type { FastifyInstance } from 'fastify';
import { readForms } from '../http.js';
import { html } from '../pages/html.js';
import type { PageFrame } from '../pages/pages.js';
import {
  authenticationPage,
  checkoutListPage,
  checkoutPage,
  type FieldProblem,
  firstTyping,
  receiptPage,
  successUrlOf,
  type TypedPayment,
} from './checkout-pages.js';
import type { Payments } from './payments.js';
import type { SavedCards } from './saved-cards.js';
import type { Checkout, StripeStore } from './store.js';
import { StripeError } from './stripe-error.js';
import { cardOf, readableCard } from './test-cards.js';
import type { Webhooks } from './webhooks.js';

type ById = { Params: { id: string } };

interface CheckoutParts {
  readonly store: StripeStore;
  readonly payments: Payments;
  readonly savedCards: SavedCards;
  readonly webhooks: Webhooks;
  readonly frame: PageFrame;
}

/** Checkout pages under /checkout: forms that work without JavaScript. */
export function checkoutRoutes({ store, payments, savedCards, webhooks, frame }: CheckoutParts) {
  return async (app: FastifyInstance): Promise<void> => {
    readForms(app);
    app.setErrorHandler((error, _request, reply) => {
      if (!(error instanceof StripeError)) throw error;
      const main = html`<div class="card">
        <h1>Nothing here</h1>
        <p class="quiet">${error.message}. The sandbox loses checkouts when it stops.</p>
        <div class="actions"><a class="button" href="/checkout">All checkouts</a></div>
      </div>`;
      return frame.send(reply, { title: 'Nothing here', part: 'Checkout', main, status: error.statusCode });
    });

    app.get('/checkout', async (_request, reply) =>
      frame.send(reply, checkoutListPage(store.checkouts.newestFirst(), webhooks.list())),
    );

    app.post<ById>('/checkout/webhooks/:id', async (request, reply) => {
      await webhooks.resend(request.params.id);
      return reply.redirect('/checkout', 303);
    });

    app.get<ById>('/checkout/receipts/:id', async (request, reply) => {
      const charge = store.charges.get(request.params.id);
      const isItsOwn = ({ session }: Checkout) => session.payment_intent === charge.payment_intent;
      const checkout = store.checkouts.newestFirst().find(isItsOwn);
      return frame.send(reply, receiptPage(charge, checkout ?? savedCards.billOf(charge)));
    });

    app.get<ById>('/checkout/authenticate/:id', async (request, reply) => {
      const payment = savedCards.pending(request.params.id);
      return frame.send(reply, authenticationPage(payment.amount, payment.last4));
    });

    app.post<ById>('/checkout/authenticate/:id', async (request, reply) => {
      const form = request.body as URLSearchParams;
      return reply.redirect(savedCards.authenticate(request.params.id, form.get('act') === 'confirm'), 303);
    });

    app.get<ById>('/checkout/:id', async (request, reply) => {
      const checkout = store.checkouts.get(request.params.id);
      return frame.send(reply, checkoutPage(checkout, firstTyping(checkout)));
    });

    app.post<ById>('/checkout/:id', async (request, reply) => {
      const checkout = store.checkouts.get(request.params.id);
      const { session } = checkout;
      const form = request.body as URLSearchParams;
      const typed = typedIn(form, checkout);
      const fill = form.get('fill');
      const act = form.get('act') ?? 'pay';
      if (session.status !== 'open' || (act !== 'pay' && !checkout.isPending)) {
        return frame.send(reply, checkoutPage(checkout, typed));
      }
      if (fill !== null) {
        checkout.problem = null;
        return frame.send(reply, checkoutPage(checkout, { ...typed, number: readableCard(cardOf(fill)) }));
      }
      if (act === 'pay') {
        const invalid = problemIn(typed);
        if (invalid !== undefined) return frame.send(reply, checkoutPage(checkout, typed, invalid));
        payments.pay(checkout, cardOf(typed.number), { email: typed.email, name: typed.name });
      } else {
        payments.authenticate(checkout, act === 'confirm');
      }
      // The payment has changed the session: it is read again.
      const { status } = store.checkouts.get(session.id).session;
      if (status === 'complete') return reply.redirect(successUrlOf(session), 303);
      return frame.send(reply, checkoutPage(checkout, typed));
    });
  };
}

const FIELD_CHARACTERS_MAX = 200;

function typedIn(form: URLSearchParams, checkout: Checkout): TypedPayment {
  const first = firstTyping(checkout);
  const field = (name: keyof TypedPayment) => (form.get(name) ?? first[name]).trim().slice(0, FIELD_CHARACTERS_MAX);
  return {
    number: field('number'),
    expiry: field('expiry'),
    cvc: field('cvc'),
    name: field('name'),
    email: field('email'),
  };
}

/** Returns the first invalid field. A bank account has neither expiry nor CVC. */
function problemIn({ number, expiry, cvc, name, email }: TypedPayment): FieldProblem | undefined {
  const card = cardOf(number);
  const checks: readonly (FieldProblem & { readonly isValid: boolean })[] = [
    { field: 'email', isValid: /^[^\s@]+@[^\s@]+$/.test(email), text: 'Your email address is incomplete.' },
    {
      field: 'number',
      isValid: card.isBank || /^\d{13,19}$/.test(card.number),
      text: 'Your card number is incomplete.',
    },
    {
      field: 'expiry',
      isValid: card.isBank || isFuture(expiry),
      text: "Your card's expiration date is incomplete or in the past.",
    },
    { field: 'cvc', isValid: card.isBank || /^\d{3,4}$/.test(cvc), text: "Your card's security code is incomplete." },
    { field: 'name', isValid: name !== '', text: 'Your name is incomplete.' },
  ];
  return checks.find(({ isValid }) => !isValid);
}

/** Parses `MM / YY`; the card is valid until the end of that month. */
function isFuture(expiry: string): boolean {
  const [, month = '', year = ''] = /^(\d{1,2})\s*\/?\s*(?:20)?(\d{2})$/.exec(expiry) ?? [];
  const isMonth = Number(month) >= 1 && Number(month) <= 12;
  return isMonth && new Date(2000 + Number(year), Number(month)).getTime() > Date.now();
}
