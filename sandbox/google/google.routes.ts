import type { FastifyInstance, FastifyRequest } from 'fastify';
import { failAfter, failBefore, type FaultErrors, type Faults } from '../control/faults.js';
import { readForms } from '../http.js';
import { html } from '../pages/html.js';
import type { PageFrame } from '../pages/pages.js';
import {
  answerUrl,
  AuthorizeError,
  type AuthorizeRequest,
  type Client,
  exchange,
  type Grants,
  parseAuthorizeRequest,
  TOKEN_LIFE_SECONDS,
  TokenError,
} from './authorization.js';
import { chooserPage, refusalPage } from './chooser-page.js';
import { grantedScopes, type People, profileOf, typedPerson } from './identity.js';
import type { Person } from './person.js';

interface GoogleParts {
  readonly client: Client;
  /** Allowed origins of redirect URIs, besides loopback. */
  readonly productOrigins: readonly string[];
  readonly people: People;
  readonly grants: Grants;
  readonly faults: Faults;
  readonly frame: PageFrame;
}

const ERRORS: FaultErrors = {
  '500': () => new TokenError('internal_failure', 'Internal error encountered.', 500),
};
const AUTHORIZE_PATH = '/o/oauth2/v2/auth';

/** Google's OAuth endpoints under Google's paths: authorization, token and userinfo. */
export function googleRoutes({ client, productOrigins, people, grants, faults, frame }: GoogleParts) {
  const requestOf = (request: FastifyRequest): AuthorizeRequest =>
    parseAuthorizeRequest(new URL(request.url, 'http://sandbox').searchParams, client.clientId, productOrigins);

  return async (app: FastifyInstance): Promise<void> => {
    readForms(app);
    app.setErrorHandler((error, _request, reply) => {
      if (error instanceof AuthorizeError) return frame.send(reply, refusalPage(error));
      if (error instanceof TokenError)
        return reply.code(error.status).header('cache-control', 'no-store').send(error.body);
      throw error;
    });

    app.get(AUTHORIZE_PATH, async (request, reply) => frame.send(reply, chooserPage(requestOf(request), people.all)));

    app.post(AUTHORIZE_PATH, async (request, reply) => {
      const asked = requestOf(request);
      const form = request.body as URLSearchParams;
      const outcome = form.get('outcome');
      if (outcome === 'access_denied' || outcome === 'server_error') {
        return reply.redirect(answerUrl(asked, { error: outcome }), 303);
      }
      const person = chosenPerson(form, people);
      if (typeof person === 'string') {
        const typed = { name: form.get('name') ?? '', email: form.get('email') ?? '', problem: person };
        return frame.send(reply, chooserPage(asked, people.all, typed));
      }
      people.use(person);
      const code = grants.newCode({ person, request: asked });
      const answer = { code, scope: grantedScopes(asked.scopes), authuser: '0', prompt: 'none' };
      return reply.redirect(answerUrl(asked, answer), 303);
    });

    for (const path of ['/oauth2/v4/token', '/token']) {
      app.post(path, async (request, reply) => {
        const fault = faults.take('google');
        if (!failBefore(fault, faults, reply, ERRORS)) return reply;
        const grant = exchange(request.body as URLSearchParams, client, grants);
        const answer = {
          access_token: grants.newToken(grant),
          expires_in: TOKEN_LIFE_SECONDS,
          scope: grantedScopes(grant.request.scopes),
          token_type: 'Bearer',
        };
        failAfter(fault, reply, () => void reply.header('cache-control', 'no-store').send(answer), {});
        return reply;
      });
    }

    app.get<{ Querystring: { access_token?: string } }>('/oauth2/v3/userinfo', async (request, reply) => {
      const fault = faults.take('google');
      if (!failBefore(fault, faults, reply, ERRORS)) return reply;
      const token = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? request.query.access_token;
      const grant = grants.byToken(token ?? '');
      if (grant === undefined) throw new TokenError('invalid_request', 'Invalid Credentials', 401);
      failAfter(fault, reply, () => void reply.send(profileOf(grant, baseUrlOf(request))), {});
      return reply;
    });

    app.get<{ Querystring: { of?: string } }>('/_google/picture.svg', async (request, reply) =>
      reply.type('image/svg+xml').send(picture((request.query.of ?? '').slice(0, 8))),
    );
  };
}

function chosenPerson(form: URLSearchParams, people: People): Person | string {
  const account = form.get('account');
  if (account === null) {
    return typedPerson(form.get('name') ?? '', form.get('email') ?? '', form.get('email_verified') !== 'false');
  }
  return people.find(account) ?? typedPerson('', account, true);
}

function baseUrlOf(request: FastifyRequest): string {
  return `${request.protocol}://${request.host}`;
}

function picture(initials: string): string {
  return html`<svg xmlns="http://www.w3.org/2000/svg" width="96" height="96" viewBox="0 0 96 96">
    <rect width="96" height="96" fill="#a8481c" />
    <text x="48" y="60" font-family="sans-serif" font-size="36" fill="#fff" text-anchor="middle">${initials}</text>
  </svg>`.text;
}
