import type { ErrorCode } from '#contract/errors.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { keyRefusals } from '../../keys/api-keys.js';
import { secondsUntilNewYorkMidnight, secondsUntilNewYorkMonth } from '../../rules/time.js';

/** The account behind a request, as the acceptance statement found it. */
interface KnownAccount {
  readonly id: string;
  /** The account's own limit of requests per second, when the operator has set one. */
  readonly keyRatePerSecond: number | null;
}

/** Decision of acceptance about one request. */
export type Decision =
  /**
   * Charged and stored. `repliesUnavailable`: another account owns the conversation, and gets the
   * replies. `balance` is after the charge.
   */
  | {
      readonly kind: 'accepted';
      readonly account: KnownAccount;
      readonly sender: string | null;
      readonly repliesUnavailable: boolean;
      readonly balance: number;
    }
  /**
   * The account may send it, but nothing was charged or stored: a test, or a message that the rules
   * refuse.
   */
  | { readonly kind: 'approved'; readonly account: KnownAccount; readonly balance: number }
  /** An earlier request with the same Idempotency-Key became this message. */
  | { readonly kind: 'replayed'; readonly account: KnownAccount; readonly messageId: string }
  /** An earlier message to the same recipient with the same text is the answer. */
  | {
      readonly kind: 'deduplicated';
      readonly account: KnownAccount;
      readonly messageId: string;
      readonly balance: number;
    }
  /**
   * The operator has given the sender to another account, or has given this account senders of its
   * own, so the sender must be chosen again.
   */
  | { readonly kind: 'sender_changed'; readonly account: KnownAccount }
  | Previewed
  | Refused;

interface Refused {
  readonly kind: 'refused';
  readonly account: KnownAccount | null;
  readonly code: RefusalCode;
  readonly cause?: unknown;
}

/**
 * Outcome that sending would have for an authorized caller. Nothing was charged, stored or locked.
 */
interface Previewed {
  readonly kind: 'previewed';
  readonly account: KnownAccount;
  /** The refusal that sending gets now: one of the next two fields. */
  readonly refusal: RefusalCode | null;
  /** Fault of the message, as a test would answer. */
  readonly messageRefusal: RefusalCode | null;
  /** Fault of the account, its day or its balance; null for a test. */
  readonly accountRefusal: RefusalCode | null;
  /** Balance in credits. */
  readonly balance: number;
  /** Credits of the balance that no dispute has frozen. */
  readonly available: number;
}

/** A decision that is not about the sender of the message. */
export type FinalDecision = Exclude<Decision, Previewed | { readonly kind: 'sender_changed' }>;

/** The decision about a dry run. */
export type DryRunDecision = Previewed | Refused;

/** The decision about a dry run of a request with an Idempotency-Key. */
export type RepeatableDryRunDecision =
  | DryRunDecision
  | Extract<Decision, { readonly kind: 'replayed' | 'deduplicated' }>;

/**
 * Reason why a request is refused. `lost`: the database disconnected before it took the request.
 * `unknown`: it disconnected and did not come back, so the outcome is not known. `failed`: the
 * database cannot process the request.
 */
export type RefusalCode = keyof typeof refusals;

const NOT_CHARGED = 'You were not charged.';

const refusals = {
  address_blocked: { code: 'address_blocked', detail: 'This network address may not use the API. Contact support.' },
  unknown_api_key: { code: 'unknown_api_key', detail: 'No account has this API key. The dashboard shows yours.' },
  account_blocked: { code: 'account_blocked', detail: 'This account is blocked. Contact support.' },
  key_expired: { code: 'key_expired', detail: keyRefusals.key_expired },
  key_address: { code: 'key_address', detail: keyRefusals.key_address },
  key_scope: { code: 'key_scope', detail: keyRefusals.key_scope },
  key_country: { code: 'key_country', detail: `This API key may not send to this country. ${NOT_CHARGED}` },
  country_disabled: {
    code: 'country_disabled',
    detail:
      `Messages to this country are switched off in your account. ${NOT_CHARGED} The dashboard lists ` +
      'your countries.',
  },
  key_day_budget: {
    code: 'key_budget',
    detail: `This message would exceed the daily budget of this API key. ${NOT_CHARGED}`,
  },
  key_month_budget: {
    code: 'key_budget',
    detail: `This message would exceed the monthly budget of this API key. ${NOT_CHARGED}`,
  },
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
    detail: `Too many messages of this account were not delivered. ${NOT_CHARGED} The dashboard shows what you can do.`,
  },
  no_credits: { code: 'no_credits', detail: `The balance is 0. ${NOT_CHARGED}` },
  number_not_verified: {
    code: 'number_not_verified',
    detail: `Free credits can only be used for numbers that you have verified with a one-time password. ${NOT_CHARGED}`,
  },
  url_not_activated: {
    code: 'url_not_activated',
    detail: 'Messages with URLs need activation of the account. Contact support.',
  },
  recipient_opted_out: { code: 'recipient_opted_out', detail: 'The recipient has opted out by replying STOP.' },
  daily_limit: { code: 'daily_limit', detail: `This account has reached its daily limit. ${NOT_CHARGED}` },
  send_day_full: {
    code: 'daily_limit',
    detail: `This account has reached its daily limit for the day on which the message would be sent. ${NOT_CHARGED}`,
  },
  insufficient_credits: {
    code: 'insufficient_credits',
    detail: `The balance does not cover the price of this message. ${NOT_CHARGED}`,
  },
  credits_frozen: {
    code: 'insufficient_credits',
    detail:
      'Part of the balance comes from a disputed payment, or is held for a number that is being bought; the rest ' +
      `does not cover this message. ${NOT_CHARGED}`,
  },
  lost: { code: 'unavailable', detail: `The service is temporarily unavailable. ${NOT_CHARGED} Try again.` },
  unknown: {
    code: 'unavailable',
    detail:
      'The service went away before it could say whether it took the message. Look for it in GET ' +
      '/api/messages before sending again, or use an Idempotency-Key.',
  },
  failed: { code: 'internal', detail: `Something went wrong on our side. ${NOT_CHARGED}` },
} as const satisfies Record<string, { code: ErrorCode; detail: string }>;

const waits: Readonly<Partial<Record<RefusalCode, (at: Date) => number>>> = {
  daily_limit: secondsUntilNewYorkMidnight,
  key_day_budget: secondsUntilNewYorkMidnight,
  key_month_budget: secondsUntilNewYorkMonth,
};

/** Links in place of files: URLs that the customer has not written. */
export const LINKS_TO_FILES = Symbol('links to files');

/** Reason why a message counts as having a URL: the part of its text, or links to files. */
export type FoundUrl = string | typeof LINKS_TO_FILES;

/** Returns the catalog's error for a refusal. The error quotes `url`. */
export function refusalOf(code: RefusalCode, at: Date, cause?: unknown, url?: FoundUrl): DomainError {
  const refusal = refusals[code];
  const detail = code === 'url_not_activated' ? urlRefused(refusal.detail, url) : refusal.detail;
  const retryAfterSeconds = refusal.code === 'unavailable' ? 1 : waits[code]?.(at);
  return new DomainError(refusal.code, detail, {
    cause,
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  });
}

function urlRefused(detail: string, url: FoundUrl | undefined): string {
  if (url === undefined) return detail;
  if (url !== LINKS_TO_FILES) return `"${url}" is a URL. ${detail}`;
  return `Links in place of files need activation of the account, as all URLs do. ${NOT_CHARGED} Contact support.`;
}

/**
 * Acceptance refuses an account that may not send, because it applies the order of the error table.
 */
export function asRefusal(error: unknown): DomainError {
  if (error instanceof DomainError && error.code !== 'unavailable') return error;
  throw error;
}

/** A result that needs another run of the statement, for this request alone. */
export type Undecided =
  | { readonly kind: 'again' }
  | { readonly kind: 'behind_bulk' }
  | { readonly kind: 'no_credit_account'; readonly accountId: string };
