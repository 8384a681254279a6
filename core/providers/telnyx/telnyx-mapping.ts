import { z } from 'zod';
import { carrierNumbers } from '#contract/carrier-codes.js';
import { failureClassOf } from '#contract/delivery-errors.js';
import type { CarrierStatus, SendOutcome } from '../../carriers/carrier.js';
import { storableCode } from '../../rules/carrier-code.js';
import { microusdOf } from '../../rules/microusd.js';
import { hasNotLeft } from '../../platform/network/connection-pools.js';
import { TelnyxFailure } from './telnyx-api.js';

const unauthorizedStatuses: readonly number[] = [401, 402, 403, 407];
/** A server or proxy that gave up on the request. */
const REQUEST_TIMEOUT = 408;
const TOO_MANY_REQUESTS = 429;
/** Start of Telnyx's codes about a number, a text or a sender of one message. */
const MESSAGE_CODES_MIN = 40_000;
/** Maximum in millionths of a US dollar: Telnyx would not have sent a dearer message. */
const COST_MAX_MICROUSD = 1_000_000_000n;

/**
 * Maps the error of a failed send
 * (https://developers.telnyx.com/development/api-fundamentals/api-errors). 429 and codes of that
 * class: not taken. 401, 402, 403 and codes about our account concern all messages. Other 4xx are
 * final for the message. Every 5xx is ambiguous: a gateway may have given up on a request that
 * Telnyx took. So is a request that may have left without an answer.
 */
export function outcomeOfError(error: unknown): SendOutcome {
  if (!(error instanceof TelnyxFailure)) return { kind: 'unknown', cause: error };
  const { status, cause } = error;
  if (status === undefined) return { kind: hasNotLeft(cause) ? 'unavailable' : 'unknown', cause };
  if (status < 400 || status >= 500 || status === REQUEST_TIMEOUT) return { kind: 'unknown', cause: error };
  const carrierError = codeOfBody(error.body);
  const failure = failureClassOf(carrierNumbers.telnyx, carrierError);
  if (status === TOO_MANY_REQUESTS || failure === 'throttle')
    return { kind: 'unavailable', cause: error, ...retryAfter(error.retryAfter) };
  const isAboutAccount = unauthorizedStatuses.includes(status) && (carrierError ?? 0) < MESSAGE_CODES_MIN;
  if (failure === 'account' || isAboutAccount) return { kind: 'suspended', httpStatus: status, carrierError };
  return { kind: 'refused', carrierError };
}

/** Reads seconds; a date is ignored, because Telnyx sends none. */
function retryAfter(header: string | undefined): { retryAfterMs?: number } {
  const seconds = /^\d{1,5}$/.test(header ?? '') ? Number(header) : 0;
  return seconds > 0 ? { retryAfterMs: seconds * 1_000 } : {};
}

/** The first of `errors: [{code: "40310", …}]`. */
function codeOfBody(body: unknown): number | null {
  if (typeof body !== 'object' || body === null || !('errors' in body) || !Array.isArray(body.errors)) return null;
  const [first] = body.errors as readonly unknown[];
  return typeof first === 'object' && first !== null && 'code' in first ? carrierCode(first.code) : null;
}

/** Telnyx writes its codes as texts. Returns null for other values. */
export function carrierCode(code: unknown): number | null {
  return storableCode(typeof code === 'string' || typeof code === 'number' ? Number(code) : null);
}

/**
 * Maps the status of a message and of a detail record
 * (https://developers.telnyx.com/docs/messaging/messages/receiving-webhooks and the schema of
 * detail records). A message that Telnyx has taken counts as sent until it has a final status; so
 * does a message whose receipt Telnyx no longer expects (`delivery_unconfirmed`, `dlr_timeout`),
 * because it may have been delivered.
 */
export function carrierStatus(status: string): CarrierStatus {
  switch (status) {
    case 'delivered':
    case 'read':
      return 'delivered';
    case 'delivery_failed':
    case 'expired':
    case 'failed':
      return 'undelivered';
    case 'sending_failed':
    case 'gw_reject':
    case 'gw_timeout':
      return 'failed';
    default:
      return 'sent';
  }
}

/**
 * The `cost` of a message, which Telnyx has deducted from our account, in millionths of a US
 * dollar; undefined without a cost, in another currency, and above the maximum.
 */
export const telnyxCost = z
  .object({ amount: z.string(), currency: z.literal('USD') })
  .transform(({ amount }) => microusdOf(amount))
  .refine((cost) => cost === undefined || cost <= COST_MAX_MICROUSD)
  .optional()
  .catch(undefined);
