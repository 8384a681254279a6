import { verifies } from './authorize-request.js';
import type { Grant, Grants } from './grants.js';
import { sameText } from '../credentials/same-text.js';

/** An answer by which Google's token endpoint refuses (RFC 6749, section 5.2, in Google's words). */
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

/** Exchanges a code for what was granted with it. Throws TokenError. */
export function exchange(form: URLSearchParams, authorization: string | undefined, own: Client, grants: Grants): Grant {
  checkClient(clientOf(form, authorization), own);
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

// Both ways of RFC 6749, section 2.3.1: in the body, as passport does, or by basic authentication.
function clientOf(form: URLSearchParams, authorization: string | undefined): Client {
  const basic = /^Basic (.+)$/i.exec(authorization ?? '')?.[1];
  if (basic === undefined) {
    return { clientId: form.get('client_id') ?? '', clientSecret: form.get('client_secret') ?? '' };
  }
  const [clientId = '', ...secret] = Buffer.from(basic, 'base64').toString('utf8').split(':');
  return { clientId, clientSecret: secret.join(':') };
}

function checkClient(given: Client, own: Client): void {
  if (given.clientId === '') throw new TokenError('invalid_request', 'Could not determine client ID from request.');
  if (!sameText(given.clientId, own.clientId)) {
    throw new TokenError('invalid_client', 'The OAuth client was not found.', 401);
  }
  if (!sameText(given.clientSecret, own.clientSecret)) throw new TokenError('invalid_client', 'Unauthorized', 401);
}
