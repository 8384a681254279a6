import type { FastifyInstance } from 'fastify';
import { html, type Html } from './html.js';
import type { PageFrame } from './pages.js';

/** Numbers of stored items by service. */
interface StartCounts {
  readonly messages: number;
  readonly mails: number;
  readonly sessions: number;
  readonly accounts: number;
  readonly webhooks: number;
}

/** The start page at `/`: links to every page of the sandbox. */
export function startRoutes(frame: PageFrame, productUrl: string, count: () => StartCounts) {
  return async (app: FastifyInstance): Promise<void> => {
    app.get('/', async (_request, reply) => {
      const { messages, mails, sessions, accounts, webhooks } = count();
      const main = html`
        <div class="start">
          <h1>External services, on this computer</h1>
          <p class="quiet lead">
            The product talks to these as it would to the real services. Nothing is sent or charged outside this
            computer.
          </p>
          <ul class="doors">
            ${door(
              'Phone',
              '/phone',
              'Replaces Twilio, Telnyx and an SMPP carrier',
              'Every text arrives here, whatever its recipient. Reply as that number.',
              counted(messages, 'message'),
            )}
            ${door(
              'Carriers',
              '/carriers',
              'Lets each of them fail',
              'Throttling, hanging, lost answers, late or false receipts: watch messages take another way.',
              '',
            )}
            ${door(
              'Mailbox',
              '/mail',
              'Replaces the mail server',
              'Every email arrives here, with its HTML, text and headers.',
              counted(mails, 'email'),
            )}
            ${door(
              'Checkout',
              '/checkout',
              'Replaces Stripe',
              'Checkout sessions of the product, paid with test cards, and their webhooks.',
              counted(sessions, 'checkout'),
            )}
            ${door(
              'Webhooks',
              '/hooks',
              'Replaces a customer’s server',
              'Requests to /hooks/in/… arrive here: content, signature and answer.',
              counted(webhooks, 'request'),
            )}
            ${door(
              'Accounts',
              null,
              'Replaces Google',
              `Choose an account, or enter a new one, when you sign in at ${new URL(productUrl).host}.`,
              counted(accounts, 'account'),
            )}
          </ul>
          <p class="quiet">The product is at <a href="${productUrl}">${productUrl}</a>.</p>
        </div>
      `;
      return frame.send(reply, { title: 'Start', part: 'Sandbox', main });
    });
  };
}

function door(name: string, path: string | null, replaces: string, does: string, count: string): Html {
  const content = html`
    <span class="door-name">${name}</span>
    <span class="door-count">${count}</span>
    <span class="door-does">${does}</span>
    <span class="door-for">${replaces}</span>
  `;
  return html`<li>
    ${path === null ? html`<div class="door">${content}</div>` : html`<a class="door" href="${path}">${content}</a>`}
  </li>`;
}

function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;
}
