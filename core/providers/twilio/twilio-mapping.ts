import twilio from 'twilio';
import type { CarrierStatus, SendOutcome } from '../../messages/dispatch/carrier.js';

/** Codes of failures before a connection was established, so the request cannot have left. */
const notSentCodes = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/**
 * Maps the error of a failed create. 429 and 5xx are retried, other 4xx are final
 * (https://www.twilio.com/docs/usage/twilios-response); a request that may have left without an answer is unknown.
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

/** Checks the shape, not the class: failures of several addresses of a host arrive as an AggregateError. */
function networkCode(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  if ('errors' in error && Array.isArray(error.errors) && error.errors.length > 0) return networkCode(error.errors[0]);
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/**
 * Maps Twilio's message status (https://www.twilio.com/docs/messaging/api/message-resource#message-status-values). A message
 * that Twilio has accepted counts as sent until it has a final status.
 */
export function carrierStatus(status: string): CarrierStatus {
  switch (status) {
    case 'delivered':
    case 'read':
      return 'delivered';
    case 'undelivered':
      return 'undelivered';
    case 'failed':
    case 'canceled':
      return 'failed';
    default:
      return 'sent';
  }
}
