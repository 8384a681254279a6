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
import { grantedScopes, IdTokens, type People, type Person, profileOf, typedPerson } from './identity.js';

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

/** Google's OAuth endpoints under Google's paths: authorization, token, userinfo, keys and discovery. */
export function googleRoutes({ client, productOrigins, people, grants, faults, frame }: GoogleParts) {
  const idTokens = new IdTokens(client.clientId);
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
        if (!failBefore(fault, reply, ERRORS)) return reply;
        const grant = exchange(request.body as URLSearchParams, request.headers.authorization, client, grants);
        const accessToken = grants.newToken(grant);
        const isOpenId = grant.request.scopes.includes('openid');
        const answer = {
          access_token: accessToken,
          expires_in: TOKEN_LIFE_SECONDS,
          scope: grantedScopes(grant.request.scopes),
          token_type: 'Bearer',
          ...(isOpenId ? { id_token: idTokens.sign(grant, baseUrlOf(request), accessToken, Date.now()) } : {}),
        };
        failAfter(fault, reply, () => void reply.header('cache-control', 'no-store').send(answer), {});
        return reply;
      });
    }

    app.get('/oauth2/v3/userinfo', async (request, reply) => {
      const fault = faults.take('google');
      if (!failBefore(fault, reply, ERRORS)) return reply;
      const query = new URL(request.url, 'http://sandbox').searchParams;
      const token = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? query.get('access_token') ?? '';
      const grant = grants.byToken(token);
      if (grant === undefined) throw new TokenError('invalid_request', 'Invalid Credentials', 401);
      failAfter(fault, reply, () => void reply.send(profileOf(grant, baseUrlOf(request))), {});
      return reply;
    });

    app.get('/oauth2/v3/certs', async () => idTokens.publicKeys());
    app.get('/.well-known/openid-configuration', async (request) => discovery(baseUrlOf(request)));
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

function discovery(baseUrl: string) {
  return {
    issuer: baseUrl,
    authorization_endpoint: baseUrl + AUTHORIZE_PATH,
    token_endpoint: `${baseUrl}/token`,
    userinfo_endpoint: `${baseUrl}/oauth2/v3/userinfo`,
    jwks_uri: `${baseUrl}/oauth2/v3/certs`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    scopes_supported: ['openid', 'email', 'profile'],
    token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
    code_challenge_methods_supported: ['plain', 'S256'],
  };
}

function picture(initials: string): string {
  return html`<svg xmlns="http://www.w3.org/2000/svg" width="96" height="96" viewBox="0 0 96 96">
    <rect width="96" height="96" fill="#a8481c" />
    <text x="48" y="60" font-family="sans-serif" font-size="36" fill="#fff" text-anchor="middle">${initials}</text>
  </svg>`.text;
}
