// Generated from the contract by `npm run -s docs:sdk`.

import type { AvailableNumber } from './api-types.js';

export interface Failure {
  /** The string `false`: nothing was sent and nothing was charged. */
  success: 'false';
  /** The reason as text. Several reasons share one text. */
  error: string;
  /** The reason as a stable code for programs. */
  code: string;
  /** The reason for people. The wording may change. */
  detail: string;
  /** With `guard`: the id under which `GET /api/otps/{otp_id}` shows the refusal. */
  otp_id?: string;
  /**
   * Present if the fraud guard of one-time passwords refused: the rule, and how many codes it
   * counted and saw verified.
   */
  guard?: {
    rule: string;
    sent: number;
    verified: number | null;
  };
  /**
   * Present if exactly one other call would do what this one was meant to: `call` is its
   * method and path, `body` all its fields but the key. It costs at most what the refused call
   * would have cost. Rules about the account and the recipient can still refuse it.
   */
  fix?: {
    call: string;
    body: Record<string, unknown>;
  };
}

export interface BulkFailure {
  /** The string `false`: nothing was sent and nothing was charged. */
  success: 'false';
  /** The reason as text. Several reasons share one text. */
  error: string;
  /** The reason as a stable code for programs. */
  code: string;
  /** The reason for people. The wording may change. */
  detail: string;
  /** With `guard`: the id under which `GET /api/otps/{otp_id}` shows the refusal. */
  otp_id?: string;
  /**
   * Present if the fraud guard of one-time passwords refused: the rule, and how many codes it
   * counted and saw verified.
   */
  guard?: {
    rule: string;
    sent: number;
    verified: number | null;
  };
  /**
   * Present if exactly one other call would do what this one was meant to: `call` is its
   * method and path, `body` all its fields but the key. It costs at most what the refused call
   * would have cost. Rules about the account and the recipient can still refuse it.
   */
  fix?: {
    call: string;
    body: Record<string, unknown>;
  };
  /**
   * Items that were not accepted: `index` counts from 0, `code` and `detail` say why.
   * `duplicate`: an earlier item has the same number and text, which is sent once.
   */
  rejected?: {
    index: number;
    to: string;
    code: string;
    detail: string;
  }[];
}

export interface NumberFailure {
  /** The string `false`: nothing was sent and nothing was charged. */
  success: 'false';
  /** The reason as text. Several reasons share one text. */
  error: string;
  /** The reason as a stable code for programs. */
  code: string;
  /** The reason for people. The wording may change. */
  detail: string;
  /** With `guard`: the id under which `GET /api/otps/{otp_id}` shows the refusal. */
  otp_id?: string;
  /**
   * Present if the fraud guard of one-time passwords refused: the rule, and how many codes it
   * counted and saw verified.
   */
  guard?: {
    rule: string;
    sent: number;
    verified: number | null;
  };
  /**
   * Present if exactly one other call would do what this one was meant to: `call` is its
   * method and path, `body` all its fields but the key. It costs at most what the refused call
   * would have cost. Rules about the account and the recipient can still refuse it.
   */
  fix?: {
    call: string;
    body: Record<string, unknown>;
  };
  /** With the code `number_taken`: numbers like it that you can buy now. */
  similar?: AvailableNumber[];
}

/** Stable reason of a refused call. */
export type ApiErrorCode =
  | 'account_blocked'
  | 'address_blocked'
  | 'batch_not_found'
  | 'bulk_rejected'
  | 'channel_disabled'
  | 'channel_unsupported'
  | 'code_invalid'
  | 'country_disabled'
  | 'daily_limit'
  | 'delivery_suspended'
  | 'encoding_unsupported'
  | 'from_inactive'
  | 'from_unknown'
  | 'idempotency_conflict'
  | 'idempotency_in_progress'
  | 'insufficient_credits'
  | 'internal'
  | 'invalid_limit'
  | 'invalid_number'
  | 'invalid_request'
  | 'invalid_send_at'
  | 'invalid_validity'
  | 'key_address'
  | 'key_budget'
  | 'key_country'
  | 'key_expired'
  | 'key_scope'
  | 'media_expired'
  | 'media_failed'
  | 'media_limit'
  | 'media_not_found'
  | 'media_pending'
  | 'media_too_large'
  | 'media_type'
  | 'media_unknown'
  | 'media_unreachable'
  | 'media_unsupported'
  | 'message_not_found'
  | 'message_too_long'
  | 'missing_fields'
  | 'no_credits'
  | 'not_cancelable'
  | 'number_day_limit'
  | 'number_limit'
  | 'number_needs_purchase'
  | 'number_not_changeable'
  | 'number_not_found'
  | 'number_not_verified'
  | 'number_release_blocked'
  | 'number_taken'
  | 'number_type_unsupported'
  | 'number_unsupported'
  | 'otp_not_found'
  | 'otp_not_resendable'
  | 'otp_resend_too_early'
  | 'otp_suspicious'
  | 'pool_invalid'
  | 'pool_limit'
  | 'pool_not_found'
  | 'price_above_max'
  | 'quote_expired'
  | 'quote_invalid'
  | 'rate_limited'
  | 'recipient_opted_out'
  | 'region_inactive'
  | 'region_unsupported'
  | 'too_many_streams'
  | 'totp_limit'
  | 'totp_not_found'
  | 'unavailable'
  | 'unknown_api_key'
  | 'url_not_activated'
  | 'url_shortener'
  | 'webhook_actions'
  | 'webhook_off';
