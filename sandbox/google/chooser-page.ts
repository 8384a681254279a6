import { html, type Html } from '../pages/html.js';
import type { PlainPage } from '../pages/pages.js';
import type { AuthorizeError, AuthorizeRequest } from './authorization.js';
import { initialsOf, subjectOf } from './identity.js';
import type { Person } from './person.js';

const TINTS = 5;

/** The values entered under 'Use another account', and why they were rejected. */
interface RefusedTyping {
  readonly name: string;
  readonly email: string;
  readonly problem: string;
}

/**
 * The account chooser. Its forms post to the page's own URL, which carries the authorization
 * request.
 */
export function chooserPage(request: AuthorizeRequest, people: readonly Person[], refused?: RefusedTyping): PlainPage {
  const typed = refused ?? { name: '', email: request.loginHint ?? '', problem: '' };
  const main = html`
    <div class="card">
      <h1>Choose an account</h1>
      <p class="quiet">to continue to <strong>${new URL(request.redirectUri).host}</strong></p>
      <form method="post">
        <ul class="choices">
          ${people.map(choice)}
        </ul>
      </form>
      <details class="fold" ${typed.email !== '' || refused !== undefined ? html`open` : null}>
        <summary>
          <span class="coin coin-plus" aria-hidden="true"></span><span class="choice-name">Use another account</span>
        </summary>
        <form method="post" class="fields" novalidate>
          <label
            >Name
            <input
              name="name"
              autocomplete="off"
              maxlength="100"
              value="${typed.name}"
              placeholder="Derived from the address if empty"
          /></label>
          <label>
            Email address
            <input
              name="email"
              type="email"
              autocomplete="off"
              spellcheck="false"
              value="${typed.email}"
              ${typed.problem === '' ? null : html`aria-invalid="true" aria-describedby="problem" autofocus`}
            />
          </label>
          ${typed.problem === '' ? null : html`<p class="bad" id="problem" role="alert">${typed.problem}</p>`}
          <label class="check"
            ><input type="checkbox" name="email_verified" value="false" /> This address is not verified</label
          >
          <div class="actions"><button class="button primary">Continue</button></div>
        </form>
      </details>
      <form method="post" class="card-foot">
        <details class="aside">
          <summary>For testers</summary>
          <button class="link" name="outcome" value="server_error">Go back with <code>server_error</code></button>
        </details>
        <button class="button" name="outcome" value="access_denied">Cancel</button>
      </form>
    </div>
    <p class="under quiet">
      This replaces Google during development. No password is needed; any name and address work.
    </p>
  `;
  return { title: 'Choose an account', part: 'Accounts', main, status: refused === undefined ? 200 : 400 };
}

/** The error page for an invalid authorization request. */
export function refusalPage({ code, message, status }: AuthorizeError): PlainPage {
  const main = html`
    <div class="card">
      <h1>Access blocked: invalid request</h1>
      <p>${message}</p>
      <p class="quiet">Error ${status}: <code>${code}</code></p>
      <p class="quiet">
        You were not signed in. If you develop the product, check the parameters in the address above.
      </p>
    </div>
  `;
  return { title: 'Access blocked', part: 'Accounts', main, status };
}

function choice(person: Person): Html {
  return html`
    <li>
      <button class="choice" name="account" value="${person.email}">
        <span class="coin coin-${tintOf(person)}" aria-hidden="true">${initialsOf(person.name)}</span>
        <span class="choice-words">
          <span class="choice-name" dir="auto">${person.name}</span>
          <span class="choice-more">${person.email}</span>
        </span>
        ${person.isVerified ? null : html`<span class="tag">not verified</span>`}
      </button>
    </li>
  `;
}

function tintOf(person: Person): number {
  return (Number(subjectOf(person).slice(-3)) % TINTS) + 1;
}
