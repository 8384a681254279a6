import twilio from 'twilio';
import type { SendOutcome } from '../../messages/dispatch/carrier.js';

/** Failures before a connection stood: the request cannot have left. */
const notSentCodes = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/**
 * What a failed create means. 429 and 5xx are retried, other 4xx are final (https://www.twilio.com/docs/usage/twilios-response);
 * a request that left without an answer is unknown.
 */
export function outcomeOfError(error: unknown): SendOutcome {
  if (error instanceof twilio.RestException) {
    if (error.status === 429 || error.status >= 500) return { kind: 'unavailable', cause: error };
    return { kind: 'refused', carrierError: error.code ?? null };
  }
  return notSentCodes.has(networkCode(error))
    ? { kind: 'unavailable', cause: error }
    : { kind: 'unknown', cause: error };
}

/** By shape, not by class: several addresses of one host fail together, as an AggregateError. */
function networkCode(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  if ('errors' in error && Array.isArray(error.errors) && error.errors.length > 0) return networkCode(error.errors[0]);
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}
