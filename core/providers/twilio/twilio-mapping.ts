import { carrierNumbers } from '#contract/carrier-codes.js';
import { failureClassOf } from '#contract/delivery-errors.js';
import type { CarrierStatus, SendOutcome } from '../../carriers/carrier.js';
import { hasNotLeft } from '../../platform/network/connection-pools.js';

/** Start of Twilio's codes about a number, a text or a sender of one message. */
const MESSAGE_CODES_MIN = 21_000;

const unauthorizedStatuses: readonly number[] = [401, 403, 407];
/** A server or proxy that gave up on the request. */
const REQUEST_TIMEOUT = 408;
const TOO_MANY_REQUESTS = 429;
const NOT_FOUND = 404;

/**
 * Maps the error of a failed create (https://www.twilio.com/docs/usage/twilios-response). 429: not
 * taken. 401, 403 and Twilio's codes of that class concern our account. Other 4xx are final for the
 * message. Every 5xx is ambiguous: a gateway may have given up on a request that Twilio took. So is
 * a request that may have left without an answer.
 */
export function outcomeOfError(error: unknown): SendOutcome {
  const status = numberIn(error, 'status');
  if (status === undefined)
    return hasNotLeft(error) ? { kind: 'unavailable', cause: error } : { kind: 'unknown', cause: error };
  const carrierError = numberIn(error, 'code') || null;
  if (status === TOO_MANY_REQUESTS) return { kind: 'unavailable', cause: error };
  if (isAboutAccount(status, carrierError)) return { kind: 'suspended', httpStatus: status, carrierError };
  if (status < 400 || status >= 500 || status === REQUEST_TIMEOUT) return { kind: 'unknown', cause: error };
  return { kind: 'refused', carrierError };
}

/**
 * A 403 with a code about the message, such as 21408 (country not enabled), does not concern other
 * messages.
 */
function isAboutAccount(status: number, carrierError: number | null): boolean {
  if (failureClassOf(carrierNumbers.twilio, carrierError) === 'account') return status < 500;
  return unauthorizedStatuses.includes(status) && (carrierError ?? 0) < MESSAGE_CODES_MIN;
}

/** Resolves to nothing where Twilio answers that it has no such resource. */
export async function unlessNotFound<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (numberIn(error, 'status') === NOT_FOUND) return undefined;
    throw error;
  }
}

/**
 * Twilio's SDK throws two classes with the fields `status` and `code`: RestException, and a class
 * for RFC 9457.
 */
function numberIn(error: unknown, field: 'status' | 'code'): number | undefined {
  if (typeof error !== 'object' || error === null || !(field in error)) return undefined;
  const value = (error as Record<string, unknown>)[field];
  return typeof value === 'number' ? value : undefined;
}

/**
 * Maps Twilio's message status
 * (https://www.twilio.com/docs/messaging/api/message-resource#message-status-values). A message
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
