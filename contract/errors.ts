import { signUpTexts } from './sign-up.js';

/** An error of the public API: HTTP status and exact public text. */
interface CatalogueEntry {
  readonly status: number;
  readonly text: string;
  /** Public code if several errors share one; the default is the key of the entry. */
  readonly code?: string;
  /** Text for our own pages if `text` mentions sending. */
  readonly pageText?: string;
  /** Text for calls that send nothing if `text` mentions sending. The default is `REFUSED`. */
  readonly otherText?: string;
}

const FAILED = 'Failed to send SMS';
const REFUSED = 'The request was refused.';
const WRONG_INPUT = 'The request could not be read. Please reload the page and try again.';
const WENT_WRONG = 'Something went wrong. Please try again.';
const TOO_MANY = 'Too many requests. Please wait a moment.';
const SIGN_IN_ERROR = 'Sign-in error: {message}';
const UNKNOWN_KEY = 'User not found for the provided API key';

const catalogue = {
  invalid_request: { status: 400, text: FAILED, pageText: WRONG_INPUT },
  invalid_limit: { status: 400, text: FAILED },
  invalid_send_at: { status: 400, text: FAILED },
  invalid_validity: { status: 400, text: FAILED },
  body_too_large: { status: 413, text: FAILED, code: 'invalid_request', pageText: WRONG_INPUT },
  body_too_slow: { status: 408, text: FAILED, code: 'invalid_request', pageText: WRONG_INPUT },
  unsupported_encoding: { status: 415, text: FAILED, code: 'invalid_request', pageText: WRONG_INPUT },
  missing_fields: {
    status: 400,
    text: 'Missing required fields: "to", "message" or "apikey"',
    otherText: 'A required field is missing.',
  },
  rate_limited: { status: 429, text: FAILED, pageText: TOO_MANY, otherText: TOO_MANY },
  address_blocked: { status: 403, text: FAILED },
  unknown_api_key: { status: 401, text: UNKNOWN_KEY },
  account_blocked: { status: 403, text: FAILED },
  key_expired: { status: 401, text: UNKNOWN_KEY },
  key_address: { status: 403, text: FAILED },
  key_scope: { status: 403, text: FAILED },
  delivery_suspended: { status: 403, text: FAILED },
  no_credits: { status: 402, text: 'Credit Balance is 0. Please purchase credits from the Dashboard to send SMS.' },
  invalid_number: { status: 400, text: FAILED },
  number_type_unsupported: { status: 400, text: FAILED },
  region_unsupported: { status: 400, text: FAILED },
  region_inactive: { status: 400, text: FAILED },
  encoding_unsupported: { status: 400, text: FAILED },
  message_too_long: { status: 400, text: FAILED },
  media_unsupported: { status: 400, text: FAILED },
  media_too_large: { status: 413, text: FAILED },
  media_type: { status: 400, text: FAILED },
  media_unreachable: { status: 400, text: FAILED },
  media_unknown: { status: 404, text: FAILED },
  media_limit: { status: 429, text: FAILED },
  url_shortener: { status: 403, text: FAILED },
  from_unknown: { status: 400, text: FAILED },
  from_inactive: { status: 409, text: FAILED },
  quote_invalid: { status: 400, text: FAILED },
  quote_expired: { status: 409, text: FAILED },
  price_above_max: { status: 409, text: FAILED },
  key_country: { status: 403, text: FAILED },
  country_disabled: { status: 403, text: FAILED },
  number_not_verified: { status: 403, text: FAILED },
  url_not_activated: { status: 403, text: FAILED },
  recipient_opted_out: { status: 403, text: FAILED },
  daily_limit: { status: 429, text: FAILED },
  key_budget: { status: 429, text: FAILED },
  insufficient_credits: { status: 402, text: FAILED },
  variable_missing: { status: 400, text: FAILED },
  bulk_rejected: { status: 400, text: FAILED },
  batch_not_found: { status: 404, text: 'Batch not found' },
  idempotency_conflict: { status: 422, text: FAILED },
  idempotency_in_progress: { status: 409, text: FAILED },
  otp_suspicious: { status: 429, text: FAILED },
  otp_reset_too_early: { status: 429, text: 'The fraud guard can be reset once an hour.' },
  code_invalid: { status: 400, text: FAILED },
  channel_unsupported: { status: 400, text: FAILED },
  channel_disabled: { status: 403, text: FAILED },
  plug_secret_invalid: { status: 400, text: 'This secret cannot be used.' },
  otp_not_found: { status: 404, text: 'One-time password not found' },
  otp_not_resendable: { status: 409, text: FAILED },
  otp_resend_too_early: { status: 429, text: FAILED },
  totp_not_found: { status: 404, text: 'Authenticator not found' },
  totp_limit: { status: 409, text: 'Your account has reached its limit of authenticators.' },
  number_unsupported: { status: 400, text: 'This number cannot be bought.' },
  number_taken: { status: 409, text: 'This number is not available.' },
  number_limit: { status: 409, text: 'Your account has reached its limit of numbers.' },
  number_day_limit: { status: 429, text: 'Your account has bought its numbers for today.' },
  number_needs_purchase: { status: 402, text: 'Purchase credits before you buy your first number.' },
  number_not_found: { status: 404, text: 'Number not found' },
  number_not_changeable: { status: 409, text: 'This number cannot be changed now.' },
  number_release_blocked: { status: 409, text: 'This number cannot be released now.' },
  pool_not_found: { status: 404, text: 'Pool not found' },
  pool_invalid: { status: 400, text: 'Please check the numbers of the pool.' },
  pool_limit: { status: 409, text: 'Your account has reached its limit of pools.' },
  message_not_found: { status: 404, text: 'Message not found' },
  media_not_found: { status: 404, text: 'File not found' },
  media_pending: { status: 409, text: 'This file is not stored yet.' },
  media_failed: { status: 410, text: 'This file could not be stored.' },
  media_expired: { status: 410, text: 'This file has been deleted.' },
  not_cancelable: { status: 409, text: 'This message can no longer be canceled.' },
  account_exists: { status: 409, text: 'Email already in use' },
  account_not_found: { status: 404, text: 'Account not found' },
  /** The customer has lifted an earlier suspension. */
  lift_used: { status: 409, text: 'This suspension can only be lifted by support.' },
  /** An account is not deleted while its messages are in progress. */
  account_busy: { status: 409, text: 'The account has messages in progress' },
  not_found: { status: 404, text: 'Not found' },
  /**
   * A callback has no valid signature of Twilio or Stripe, or none of Telnyx within five minutes; or
   * a product's call is not proved by the secret of its plug.
   */
  invalid_signature: { status: 403, text: 'Forbidden' },
  not_signed_in: { status: 401, text: 'Please log in to view the dashboard.' },
  /** The last sign-in is older than `freshSignInMinutes`. */
  sign_in_again: { status: 403, text: 'Please sign in again to continue.' },
  /** The address has got `linkMailsPerHourMax` links within an hour. */
  too_many_mails: { status: 429, text: 'We sent you several emails already.' },
  password_wrong: { status: 403, text: 'The password is wrong.' },
  /** The address that confirms a deletion is not that of the account. */
  email_mismatch: { status: 400, text: 'Enter the email address of your account.' },
  /** The account has made `exportsPerHourMax` exports within an hour. */
  too_many_exports: { status: 429, text: 'You have exported your data several times.' },
  /** The account has opened `invoiceFilesPerMinuteMax` files within a minute. */
  too_many_invoice_files: { status: 429, text: 'You have opened many invoices as PDF.' },
  session_not_found: { status: 404, text: 'Session not found' },
  /** The body names an account other than that of the session. */
  foreign_account: { status: 403, text: 'Forbidden' },
  /** A page of another site tried to change something. */
  cross_site: { status: 403, text: 'Forbidden' },
  sign_in_failed: { status: 401, text: SIGN_IN_ERROR },
  /** Too many failed sign-ins, sign-ups or requests for links; the detail names which. */
  too_many_attempts: { status: 429, text: SIGN_IN_ERROR },
  user_record_failed: { status: 503, text: 'Failed to create user record: {message}' },
  /** The next request that needs the record creates it. */
  credits_record_failed: { status: 503, text: 'Failed to create credits record: {message}' },
  email_check_failed: { status: 503, text: 'Error checking email: {message}' },
  fields_mandatory: { status: 400, text: signUpTexts.fields_mandatory },
  email_invalid: { status: 400, text: signUpTexts.email_invalid },
  password_invalid: { status: 400, text: signUpTexts.password_invalid },
  username_invalid: { status: 400, text: signUpTexts.username_invalid },
  password_common: { status: 400, text: 'This password is easy to guess. Choose a longer or more unusual one.' },
  /** The link of an email has expired, was used, or belongs to another account. */
  link_invalid: { status: 400, text: 'This link is no longer valid.' },
  custom_sign_in_off: { status: 403, text: signUpTexts.custom_sign_in_off },
  /** `oldKeysMax` replaced secrets of the first key still work. */
  too_many_keys: { status: 409, text: 'Too many earlier keys are still valid.' },
  key_settings_invalid: { status: 400, text: 'Please check the settings of the key.' },
  key_not_found: { status: 404, text: 'API key not found' },
  filter_not_found: { status: 404, text: 'Saved filter not found' },
  /** The view has `savedFiltersMax` filters. */
  filter_limit: { status: 409, text: 'Your account has reached its limit of saved filters in this view.' },
  filter_name_taken: { status: 409, text: 'A saved filter of this view has this name.' },
  /** The account has `namedKeysMax` named keys. */
  key_limit: { status: 409, text: 'Your account has reached its limit of API keys.' },
  /** The URL is not valid, or leads to a private address; the detail tells which. */
  webhook_url_invalid: { status: 400, text: 'Please enter a valid webhook URL.' },
  webhook_off: { status: 409, text: 'The webhook is turned off.' },
  too_many_streams: { status: 429, text: 'Too many streams of events are open.' },
  webhook_actions: { status: 429, text: 'Too many webhooks at once. Please wait a moment.' },
  delivery_not_found: { status: 404, text: 'Webhook not found' },
  /** The email could not be queued. */
  mail_failed: { status: 503, text: 'There was an error sending the email. Please try again.' },
  /** The account has started `checkoutsMax` purchases within `checkoutWindowSeconds`. */
  too_many_checkouts: {
    status: 429,
    text: 'You have started many purchases in a short time. Please try again in a few minutes.',
  },
  card_missing: { status: 409, text: 'Save a card first.' },
  invoice_not_found: { status: 404, text: 'Invoice not found' },
  top_up_not_found: { status: 404, text: 'Top-up not found' },
  checkout_not_found: { status: 404, text: 'Checkout session not found' },
  stripe_not_configured: { status: 503, text: 'Stripe failed to initialize. Please check your configuration.' },
  checkout_failed: { status: 502, text: 'Failed to create checkout session: {message}' },
  internal: { status: 500, text: FAILED, pageText: WENT_WRONG, otherText: WENT_WRONG },
  unavailable: { status: 503, text: FAILED, pageText: WENT_WRONG, otherText: WENT_WRONG },
} as const satisfies Record<string, CatalogueEntry>;

export type ErrorCode = keyof typeof catalogue;

/** Code → status and text. The texts are exactly the specification's; programs rely on the code. */
export const errorCatalogue: Readonly<Record<ErrorCode, CatalogueEntry>> = catalogue;

/**
 * Returns the public code: `body_too_large`, `body_too_slow` and `unsupported_encoding` are shown as
 * `invalid_request` with their own status.
 */
export function publicCode(code: ErrorCode): string {
  return errorCatalogue[code].code ?? code;
}

/**
 * Place of an error: a call that sends a message or a code, or shows its price, whose texts are the
 * specification's; another call of the API; or one of our own pages.
 */
export type ErrorPlace = 'sending' | 'other' | 'page';

/** Returns the text of an error; `{message}` in it is replaced by the detail. */
export function errorText(code: ErrorCode, detail: string, place: ErrorPlace = 'sending'): string {
  return textOf(errorCatalogue[code], place).replace('{message}', () => detail);
}

function textOf({ text, pageText, otherText }: CatalogueEntry, place: ErrorPlace): string {
  switch (place) {
    case 'sending':
      return text;
    case 'other':
      return otherText ?? (text === FAILED ? REFUSED : text);
    case 'page':
      return pageText ?? text;
  }
}
