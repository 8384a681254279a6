import type { ErrorCode } from '#contract/errors.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { secondsUntilNewYorkMidnight } from '../../rules/new-york-time.js';

/** The account behind a request, as the acceptance statement found it. */
export interface KnownAccount {
  readonly id: string;
  /** The account's own limit of requests per second, when the operator has set one. */
  readonly keyRatePerSecond: number | null;
}

/** What acceptance decided about one request. */
export type Decision =
  /** Charged and stored. `repliesUnavailable`: another account owns the conversation, and gets the replies. */
  | { readonly kind: 'accepted'; readonly account: KnownAccount; readonly repliesUnavailable: boolean }
  /** The account may send it, but nothing was charged or stored: a test, or a message that the rules refuse. */
  | { readonly kind: 'approved'; readonly account: KnownAccount }
  /** An earlier request with the same Idempotency-Key became this message. */
  | { readonly kind: 'replayed'; readonly account: KnownAccount; readonly messageId: string }
  /** The operator has given the sender to another account, or the account senders of its own: choose again. */
  | { readonly kind: 'sender_changed'; readonly account: KnownAccount }
  | {
      readonly kind: 'refused';
      readonly account: KnownAccount | null;
      readonly code: RefusalCode;
      readonly cause?: unknown;
    };

/**
 * Why a request is refused. `lost`: the database disconnected before it took the request. `unknown`: it disconnected and did
 * not come back, so the outcome is not known. `failed`: it cannot process the request.
 */
export type RefusalCode = keyof typeof refusals;

const NOT_CHARGED = 'You were not charged.';

const refusals = {
  address_blocked: { code: 'address_blocked', detail: 'This network address may not use the API. Contact support.' },
  unknown_api_key: { code: 'unknown_api_key', detail: 'No account has this API key. The dashboard shows yours.' },
  account_blocked: { code: 'account_blocked', detail: 'This account is blocked. Contact support.' },
  idempotency_conflict: {
    code: 'idempotency_conflict',
    detail: 'This Idempotency-Key was used with another body within 24 hours. Use a new one.',
  },
  idempotency_in_progress: {
    code: 'idempotency_in_progress',
    detail: 'The first request with this Idempotency-Key is still running.',
  },
  delivery_suspended: {
    code: 'delivery_suspended',
    detail: `Too many recipients of this account were not reached. ${NOT_CHARGED} The dashboard explains it and what you can do.`,
  },
  no_credits: { code: 'no_credits', detail: `The balance is 0. ${NOT_CHARGED}` },
  number_not_verified: {
    code: 'number_not_verified',
    detail: `Free credits send only to numbers that you have verified by a one-time password. ${NOT_CHARGED}`,
  },
  url_not_activated: {
    code: 'url_not_activated',
    detail: 'Messages with URLs need activation of the account. Contact support.',
  },
  recipient_opted_out: { code: 'recipient_opted_out', detail: 'The recipient has opted out by replying STOP.' },
  daily_limit: { code: 'daily_limit', detail: `The daily limit of this account is reached. ${NOT_CHARGED}` },
  insufficient_credits: {
    code: 'insufficient_credits',
    detail: `The balance does not cover the price of this message. ${NOT_CHARGED}`,
  },
  credits_frozen: {
    code: 'insufficient_credits',
    detail: `The balance covers the price of this message only with credits of a disputed payment, which cannot be spent. ${NOT_CHARGED}`,
  },
  lost: { code: 'unavailable', detail: `The service is not available for a moment. ${NOT_CHARGED} Try again.` },
  unknown: {
    code: 'unavailable',
    detail:
      'The service went away before it could say whether it took the message. Look for it in GET /api/messages before sending again, or use an Idempotency-Key.',
  },
  failed: { code: 'internal', detail: `Something went wrong on our side. ${NOT_CHARGED}` },
} as const satisfies Record<string, { code: ErrorCode; detail: string }>;

/** Returns the catalogue's error for a refusal. `url` is what was taken for a URL, to be quoted. */
export function refusalOf(code: RefusalCode, at: Date, cause?: unknown, url?: string): DomainError {
  const refusal = refusals[code];
  const quoted = code === 'url_not_activated' && url !== undefined ? `"${url}" is a URL. ` : '';
  const retryAfterSeconds =
    code === 'daily_limit' ? secondsUntilNewYorkMidnight(at) : refusal.code === 'unavailable' ? 1 : undefined;
  return new DomainError(refusal.code, quoted + refusal.detail, {
    cause,
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  });
}
