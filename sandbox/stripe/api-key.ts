import { sameText } from '../credentials/same-text.js';
import { StripeError } from './stripe-error.js';

/** Checks the secret key, sent as a bearer token or as the name of basic authentication. Throws Stripe's 401. */
export function requireApiKey(authorization: string | undefined, secretKey: string): void {
  const bearer = /^Bearer (.+)$/i.exec(authorization ?? '')?.[1];
  const basic = /^Basic (.+)$/i.exec(authorization ?? '')?.[1];
  const given =
    bearer ??
    Buffer.from(basic ?? '', 'base64')
      .toString('utf8')
      .replace(/:.*$/s, '');
  if (given === '') {
    throw new StripeError(
      401,
      'invalid_request_error',
      "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY').",
    );
  }
  if (!sameText(given, secretKey)) {
    throw new StripeError(401, 'invalid_request_error', `Invalid API Key provided: ${masked(given)}`);
  }
}

function masked(key: string): string {
  return key.length <= 12 ? '*'.repeat(key.length) : `${key.slice(0, 8)}${'*'.repeat(8)}${key.slice(-4)}`;
}
