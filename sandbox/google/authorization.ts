import { createHash, randomBytes } from 'node:crypto';
import { parsedUrl } from '../http.js';
import type { Person } from './person.js';

/** The authorization request of the product. */
export interface AuthorizeRequest {
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  readonly state: string | null;
  readonly challenge: { readonly value: string; readonly method: 'S256' | 'plain' } | null;
  readonly loginHint: string | null;
}

/**
 * An invalid authorization request. The answer is an error page, because the redirect URI is not
 * trusted.
 */
export class AuthorizeError extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly status = 400,
  ) {
    super(message);
  }
}

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Validates an authorization request. Redirect URIs must be on `ownOrigins` or on loopback. Throws
 * AuthorizeError.
 */
export function parseAuthorizeRequest(
  query: URLSearchParams,
  clientId: string,
  ownOrigins: readonly string[],
): AuthorizeRequest {
  const required = (name: string): string => {
    const value = query.get(name) ?? '';
    if (value === '') throw new AuthorizeError('invalid_request', `Missing required parameter: ${name}`);
    return value;
  };
  if (required('client_id') !== clientId) {
    throw new AuthorizeError('invalid_client', 'The OAuth client was not found.', 401);
  }
  const redirectUri = required('redirect_uri');
  if (!isAllowed(redirectUri, ownOrigins)) {
    throw new AuthorizeError(
      'redirect_uri_mismatch',
      `The redirect URI ${redirectUri} is neither on the product's origin nor on loopback.`,
    );
  }
  if (required('response_type') !== 'code') {
    throw new AuthorizeError('unsupported_response_type', `Invalid response_type: ${query.get('response_type')}`);
  }
  return {
    redirectUri,
    scopes: required('scope').split(/\s+/).filter(Boolean),
    state: query.get('state'),
    challenge: challengeOf(query),
    loginHint: query.get('login_hint'),
  };
}

/** Checks a PKCE verifier against the challenge (RFC 7636, section 4.6). */
function verifies({ challenge }: AuthorizeRequest, verifier: string): boolean {
  if (challenge === null) return true;
  const made =
    challenge.method === 'plain' ? verifier : createHash('sha256').update(verifier, 'ascii').digest('base64url');
  return made === challenge.value;
}

export function answerUrl({ redirectUri, state }: AuthorizeRequest, answer: Record<string, string>): string {
  const url = new URL(redirectUri);
  if (state !== null) url.searchParams.set('state', state);
  for (const [name, value] of Object.entries(answer)) url.searchParams.set(name, value);
  return url.href;
}

function challengeOf(query: URLSearchParams): AuthorizeRequest['challenge'] {
  const value = query.get('code_challenge');
  if (value === null) return null;
  const method = query.get('code_challenge_method') ?? 'plain';
  if (method !== 'S256' && method !== 'plain') {
    throw new AuthorizeError('invalid_request', `Invalid parameter value for code_challenge_method: ${method}`);
  }
  if (!/^[\w.~-]{43,128}$/.test(value)) {
    throw new AuthorizeError('invalid_request', 'Invalid parameter value for code_challenge');
  }
  return { value, method };
}

function isAllowed(redirectUri: string, ownOrigins: readonly string[]): boolean {
  const url = parsedUrl(redirectUri);
  if (!url) return false;
  const { protocol, hostname, origin, hash } = url;
  if ((protocol !== 'http:' && protocol !== 'https:') || hash !== '') return false;
  return LOOPBACK.has(hostname) || ownOrigins.includes(origin);
}

/** A person's consent to an authorization request. */
export interface Grant {
  readonly person: Person;
  readonly request: AuthorizeRequest;
}

/** Google's lifetimes: ten minutes for codes, an hour less a second for access tokens. */
const CODE_LIFE_MS = 600_000;
export const TOKEN_LIFE_SECONDS = 3_599;
const KEPT_MAX = 10_000;

interface Kept {
  readonly grant: Grant;
  readonly expiresAtMs: number;
}

/** Single-use codes and access tokens. */
export class Grants {
  private readonly codes = new Map<string, Kept>();
  private readonly tokens = new Map<string, Kept>();

  constructor(private readonly now: () => number = Date.now) {}

  /** Issues a code for the redirect to the product. */
  newCode(grant: Grant): string {
    const code = `4/0A${randomBytes(48).toString('base64url')}`;
    keep(this.codes, code, { grant, expiresAtMs: this.now() + CODE_LIFE_MS });
    return code;
  }

  /** Redeems a code. The code is invalid afterwards even if the exchange fails. */
  takeCode(code: string): Grant | undefined {
    const kept = this.codes.get(code);
    this.codes.delete(code);
    return this.alive(kept);
  }

  newToken(grant: Grant): string {
    const token = `ya29.a0${randomBytes(96).toString('base64url')}`;
    keep(this.tokens, token, { grant, expiresAtMs: this.now() + TOKEN_LIFE_SECONDS * 1000 });
    return token;
  }

  byToken(token: string): Grant | undefined {
    return this.alive(this.tokens.get(token));
  }

  clear(): void {
    this.codes.clear();
    this.tokens.clear();
  }

  private alive(kept: Kept | undefined): Grant | undefined {
    return kept !== undefined && kept.expiresAtMs > this.now() ? kept.grant : undefined;
  }
}

// A Map preserves insertion order: the first key is the oldest.
function keep(map: Map<string, Kept>, key: string, kept: Kept): void {
  map.set(key, kept);
  const [oldest] = map.keys();
  if (map.size > KEPT_MAX && oldest !== undefined) map.delete(oldest);
}

/** An error of the token endpoint (RFC 6749, section 5.2) with Google's texts. */
export class TokenError extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly status = 400,
  ) {
    super(message);
  }

  get body(): { error: string; error_description: string } {
    return { error: this.code, error_description: this.message };
  }
}

export interface Client {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Exchanges a code for its grant. Throws TokenError. */
export function exchange(form: URLSearchParams, own: Client, grants: Grants): Grant {
  checkClient(form, own);
  const kind = form.get('grant_type') ?? '';
  if (kind !== 'authorization_code') throw new TokenError('unsupported_grant_type', `Invalid grant_type: ${kind}`);
  const code = form.get('code') ?? '';
  if (code === '') throw new TokenError('invalid_request', 'Missing required parameter: code');
  const grant = grants.takeCode(code);
  if (grant === undefined) throw new TokenError('invalid_grant', 'Malformed auth code.');
  if (form.get('redirect_uri') !== grant.request.redirectUri)
    throw new TokenError('redirect_uri_mismatch', 'Bad Request');
  if (grant.request.challenge !== null && !form.has('code_verifier')) {
    throw new TokenError('invalid_grant', 'Missing code verifier.');
  }
  if (!verifies(grant.request, form.get('code_verifier') ?? '')) {
    throw new TokenError('invalid_grant', 'Invalid code verifier.');
  }
  return grant;
}

// RFC 6749, section 2.3.1: credentials in the body, as passport sends them.
function checkClient(form: URLSearchParams, { clientId, clientSecret }: Client): void {
  const given = form.get('client_id') ?? '';
  if (given === '') throw new TokenError('invalid_request', 'Could not determine client ID from request.');
  if (given !== clientId) throw new TokenError('invalid_client', 'The OAuth client was not found.', 401);
  if (form.get('client_secret') !== clientSecret) throw new TokenError('invalid_client', 'Unauthorized', 401);
}
