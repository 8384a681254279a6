import { createHash } from 'node:crypto';
import { sameText } from '../credentials/same-text.js';
import { parsedUrl } from '../parsed-url.js';

/** What the product asks for when it sends somebody here. */
export interface AuthorizeRequest {
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  readonly state: string | null;
  readonly nonce: string | null;
  readonly challenge: { readonly value: string; readonly method: 'S256' | 'plain' } | null;
  readonly loginHint: string | null;
}

/** A request that Google answers with an error page of its own, as it cannot trust where it would send the browser. */
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

/** Checks a request as Google does. `ownOrigins` are those of the product; loopback addresses are always fine. Throws AuthorizeError. */
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
      `The redirect URI ${redirectUri} is neither on the product's origin nor on this computer.`,
    );
  }
  if (required('response_type') !== 'code') {
    throw new AuthorizeError('unsupported_response_type', `Invalid response_type: ${query.get('response_type')}`);
  }
  return {
    redirectUri,
    scopes: required('scope').split(/\s+/).filter(Boolean),
    state: query.get('state'),
    nonce: query.get('nonce'),
    challenge: challengeOf(query),
    loginHint: query.get('login_hint'),
  };
}

/** Whether a verifier is the one that the challenge was made from (RFC 7636, section 4.6). */
export function verifies({ challenge }: AuthorizeRequest, verifier: string): boolean {
  if (challenge === null) return true;
  const made =
    challenge.method === 'plain' ? verifier : createHash('sha256').update(verifier, 'ascii').digest('base64url');
  return sameText(made, challenge.value);
}

/** Where the browser goes back to, with an answer. */
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
