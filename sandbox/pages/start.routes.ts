import type { FastifyInstance } from 'fastify';
import { html, type Html } from './html.js';
import type { PageShell } from './pages.js';

/** Numbers of stored items by service. */
interface StartCounts {
  readonly messages: number;
  readonly mails: number;
  readonly sessions: number;
  readonly accounts: number;
  readonly webhooks: number;
}

interface Door {
  readonly path: string | null;
  readonly name: string;
  readonly insteadOf: string;
  readonly does: string;
  readonly count: string;
  readonly icon: Html;
}

interface StartParts {
  readonly shell: PageShell;
  readonly productUrl: string;
  readonly count: () => StartCounts;
}

/** The start page at `/`: links to every page of the sandbox. */
export function startRoutes({ shell, productUrl, count }: StartParts) {
  return async (app: FastifyInstance): Promise<void> => {
    app.get('/', async (_request, reply) => {
      const main = html`
        <div class="start">
          <h1>External services, on this computer</h1>
          <p class="quiet lead">
            The product talks to these as it would to the real services. Nothing is sent or charged outside this
            computer.
          </p>
          <ul class="doors">
            ${doors(count(), productUrl).map(door)}
          </ul>
          <p class="quiet">The product is at <a href="${productUrl}">${productUrl}</a>.</p>
        </div>
      `;
      return shell.send(reply, { title: 'Start', part: 'Sandbox', main });
    });
  };
}

function doors({ messages, mails, sessions, accounts, webhooks }: StartCounts, productUrl: string): Door[] {
  return [
    {
      path: '/phone',
      name: 'Phone',
      insteadOf: 'Twilio',
      does: 'Every text arrives here, whatever its recipient. Reply as that number.',
      count: counted(messages, 'message'),
      icon: html`<rect x="7" y="3" width="10" height="18" rx="2" /><path d="M11 17.5h2" />`,
    },
    {
      path: '/mail',
      name: 'Mailbox',
      insteadOf: 'the mail server',
      does: 'Every e-mail arrives here, with its HTML, text and headers.',
      count: counted(mails, 'e-mail'),
      icon: html`<rect x="3" y="5" width="18" height="14" rx="2" /><path d="M3.5 7l8.5 6 8.5-6" />`,
    },
    {
      path: '/checkout',
      name: 'Checkout',
      insteadOf: 'Stripe',
      does: 'Checkout sessions of the product, paid with test cards, and their webhooks.',
      count: counted(sessions, 'checkout'),
      icon: html`<rect x="3" y="5" width="18" height="14" rx="2" /><path d="M3 10h18M7 15h3" />`,
    },
    {
      path: '/hooks',
      name: 'Webhooks',
      insteadOf: 'a customer’s server',
      does: 'Requests to /hooks/in/… arrive here: content, signature and answer.',
      count: counted(webhooks, 'request'),
      icon: html`<path d="M4 12h11M11 7l5 5-5 5" /><path d="M20 4v16" />`,
    },
    {
      path: null,
      name: 'Accounts',
      insteadOf: 'Google',
      does: `Choose an account, or make up a new one, when you sign in at ${new URL(productUrl).host}.`,
      count: counted(accounts, 'account'),
      icon: html`<circle cx="12" cy="8" r="4" /><path d="M5 20c.8-3.6 3.600-5 7-5s6.200 1.400 7 5" />`,
    },
  ];
}

function door({ path, name, insteadOf, does, count, icon }: Door): Html {
  const content = html`
    <svg class="door-icon" width="28" height="28" viewBox="0 0 24 24" aria-hidden="true">${icon}</svg>
    <span class="door-name">${name}</span>
    <span class="door-count">${count}</span>
    <span class="door-does">${does}</span>
    <span class="door-for">Stands in for ${insteadOf}</span>
  `;
  return html`<li>
    ${path === null ? html`<div class="door">${content}</div>` : html`<a class="door" href="${path}">${content}</a>`}
  </li>`;
}

function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;
}
