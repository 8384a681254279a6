import { welcomeEmailFailed } from './account.js';
import { errorCatalogue, type ErrorCode, errorText, publicCode } from './errors.js';

const FAILED = 'Failed to send SMS';

/** Code, HTTP status and text, which programs rely on, written out on purpose. */
const specified = [
  ['invalid_request', 400, FAILED],
  ['invalid_limit', 400, FAILED],
  ['body_too_large', 413, FAILED],
  ['body_too_slow', 408, FAILED],
  ['unsupported_encoding', 415, FAILED],
  ['missing_fields', 400, 'Missing required fields: "to", "message" or "apikey"'],
  ['rate_limited', 429, FAILED],
  ['address_blocked', 403, FAILED],
  ['unknown_api_key', 401, 'User not found for the provided API key'],
  ['account_blocked', 403, FAILED],
  ['delivery_suspended', 403, FAILED],
  ['no_credits', 402, 'Credit Balance is 0. Please purchase credits from the Dashboard to send SMS.'],
  ['invalid_number', 400, FAILED],
  ['number_type_unsupported', 400, FAILED],
  ['region_unsupported', 400, FAILED],
  ['region_inactive', 400, FAILED],
  ['message_too_long', 400, FAILED],
  ['media_unsupported', 400, FAILED],
  ['media_too_large', 413, FAILED],
  ['media_type', 400, FAILED],
  ['media_unreachable', 400, FAILED],
  ['media_unknown', 404, FAILED],
  ['media_expired', 410, 'This file has been deleted.'],
  ['media_limit', 429, FAILED],
  ['url_shortener', 403, FAILED],
  ['number_not_verified', 403, FAILED],
  ['url_not_activated', 403, FAILED],
  ['recipient_opted_out', 403, FAILED],
  ['daily_limit', 429, FAILED],
  ['insufficient_credits', 402, FAILED],
  ['idempotency_conflict', 422, FAILED],
  ['idempotency_in_progress', 409, FAILED],
  ['internal', 500, FAILED],
  ['unavailable', 503, FAILED],
  ['stripe_not_configured', 503, 'Stripe failed to initialize. Please check your configuration.'],
  ['checkout_failed', 502, 'Failed to create checkout session: {message}'],
  ['invalid_send_at', 400, FAILED],
  ['invalid_validity', 400, FAILED],
  ['key_expired', 401, 'User not found for the provided API key'],
  ['key_address', 403, FAILED],
  ['key_scope', 403, FAILED],
  ['encoding_unsupported', 400, FAILED],
  ['from_unknown', 400, FAILED],
  ['from_inactive', 409, FAILED],
  ['quote_invalid', 400, FAILED],
  ['quote_expired', 409, FAILED],
  ['price_above_max', 409, FAILED],
  ['key_country', 403, FAILED],
  ['country_disabled', 403, FAILED],
  ['key_budget', 429, FAILED],
  ['variable_missing', 400, FAILED],
  ['bulk_rejected', 400, FAILED],
  ['batch_not_found', 404, 'Batch not found'],
  ['otp_suspicious', 429, FAILED],
  ['otp_reset_too_early', 429, 'The fraud guard can be reset once an hour.'],
  ['code_invalid', 400, FAILED],
  ['plug_secret_invalid', 400, 'This secret cannot be used.'],
  ['otp_not_found', 404, 'One-time password not found'],
  ['otp_not_resendable', 409, FAILED],
  ['otp_resend_too_early', 429, FAILED],
  ['totp_not_found', 404, 'Authenticator not found'],
  ['totp_limit', 409, 'Your account has reached its limit of authenticators.'],
  ['number_unsupported', 400, 'This number cannot be bought.'],
  ['number_taken', 409, 'This number is not available.'],
  ['number_limit', 409, 'Your account has reached its limit of numbers.'],
  ['number_day_limit', 429, 'Your account has bought its numbers for today.'],
  ['number_needs_purchase', 402, 'Purchase credits before you buy your first number.'],
  ['channel_unsupported', 400, 'Failed to send SMS'],
  ['channel_disabled', 403, 'Failed to send SMS'],
  ['number_not_found', 404, 'Number not found'],
  ['number_not_changeable', 409, 'This number cannot be changed now.'],
  ['number_release_blocked', 409, 'This number cannot be released now.'],
  ['pool_not_found', 404, 'Pool not found'],
  ['pool_invalid', 400, 'Please check the numbers of the pool.'],
  ['pool_limit', 409, 'Your account has reached its limit of pools.'],
  ['message_not_found', 404, 'Message not found'],
  ['media_not_found', 404, 'File not found'],
  ['media_pending', 409, 'This file is not stored yet.'],
  ['media_failed', 410, 'This file could not be stored.'],
  ['not_cancelable', 409, 'This message can no longer be canceled.'],
  ['account_exists', 409, 'Email already in use'],
  ['account_not_found', 404, 'Account not found'],
  ['lift_used', 409, 'This suspension can only be lifted by support.'],
  ['account_busy', 409, 'The account has messages in progress'],
  ['not_found', 404, 'Not found'],
  ['invalid_signature', 403, 'Forbidden'],
  ['not_signed_in', 401, 'Please log in to view the dashboard.'],
  ['sign_in_again', 403, 'Please sign in again to continue.'],
  ['too_many_mails', 429, 'We sent you several emails already.'],
  ['password_wrong', 403, 'The password is wrong.'],
  ['email_mismatch', 400, 'Enter the email address of your account.'],
  ['too_many_exports', 429, 'You have exported your data several times.'],
  ['too_many_invoice_files', 429, 'You have opened many invoices as PDF.'],
  ['session_not_found', 404, 'Session not found'],
  ['foreign_account', 403, 'Forbidden'],
  ['cross_site', 403, 'Forbidden'],
  ['sign_in_failed', 401, 'Sign-in error: {message}'],
  ['too_many_attempts', 429, 'Sign-in error: {message}'],
  ['user_record_failed', 503, 'Failed to create user record: {message}'],
  ['credits_record_failed', 503, 'Failed to create credits record: {message}'],
  ['email_check_failed', 503, 'Error checking email: {message}'],
  ['fields_mandatory', 400, 'All fields are mandatory'],
  ['email_invalid', 400, 'Please enter a valid email address'],
  [
    'password_invalid',
    400,
    'Password must be at least 8 characters. Use 1 uppercase, 1 lowercase, 1 number, and 1 special character.',
  ],
  ['username_invalid', 400, 'Please enter a username of one line, with at most 100 characters.'],
  ['password_common', 400, 'This password is easy to guess. Choose a longer or more unusual one.'],
  ['link_invalid', 400, 'This link is no longer valid.'],
  ['custom_sign_in_off', 403, 'Custom sign-in is currently unavailable. Use Sign in with Google.'],
  ['too_many_keys', 409, 'Too many earlier keys are still valid.'],
  ['key_settings_invalid', 400, 'Please check the settings of the key.'],
  ['key_not_found', 404, 'API key not found'],
  ['filter_not_found', 404, 'Saved filter not found'],
  ['filter_limit', 409, 'Your account has reached its limit of saved filters in this view.'],
  ['filter_name_taken', 409, 'A saved filter of this view has this name.'],
  ['key_limit', 409, 'Your account has reached its limit of API keys.'],
  ['webhook_url_invalid', 400, 'Please enter a valid webhook URL.'],
  ['webhook_off', 409, 'The webhook is turned off.'],
  ['too_many_streams', 429, 'Too many streams of events are open.'],
  ['webhook_actions', 429, 'Too many webhooks at once. Please wait a moment.'],
  ['delivery_not_found', 404, 'Webhook not found'],
  ['mail_failed', 503, 'There was an error sending the email. Please try again.'],
  ['too_many_checkouts', 429, 'You have started many purchases in a short time. Please try again in a few minutes.'],
  ['card_missing', 409, 'Save a card first.'],
  ['invoice_not_found', 404, 'Invoice not found'],
  ['top_up_not_found', 404, 'Top-up not found'],
  ['checkout_not_found', 404, 'Checkout session not found'],
] as const;

describe('errorCatalogue', () => {
  it.each(specified)('has %s as %i with the text of the specification', (code, status, text) => {
    expect(errorCatalogue[code]).toMatchObject({ status, text });
  });

  it('has no other code', () => {
    expect(Object.keys(errorCatalogue).sort()).toEqual(specified.map(([code]) => code).sort());
  });

  it('inserts the detail literally', () => {
    expect(errorText('sign_in_failed', '$& no')).toBe('Sign-in error: $& no');
    expect(errorText('user_record_failed', 'x')).toBe('Failed to create user record: x');
    expect(errorText('credits_record_failed', 'x')).toBe('Failed to create credits record: x');
    expect(errorText('mail_failed', 'x')).toBe(welcomeEmailFailed);
    expect(errorText('email_check_failed', 'x')).toBe('Error checking email: x');
    expect(errorText('account_exists', 'x')).toBe('Email already in use');
  });

  it('does not mention sending on our own pages', () => {
    expect(errorText('internal', '')).toBe(FAILED);
    expect(errorText('internal', '', 'page')).toBe('Something went wrong. Please try again.');
  });

  it('does not mention sending in errors of calls that send nothing', () => {
    const other = Object.keys(errorCatalogue).map((code) => errorText(code as ErrorCode, '', 'other'));
    expect(other.filter((text) => /send SMS|"message"/.test(text))).toEqual([errorCatalogue.no_credits.text]);
    expect(errorText('invalid_request', '', 'other')).toBe('The request was refused.');
    expect(errorText('missing_fields', '', 'other')).toBe('A required field is missing.');
    expect(errorText('internal', '', 'other')).toBe('Something went wrong. Please try again.');
    expect(errorText('pool_not_found', '', 'other')).toBe('Pool not found');
  });

  it('shows body_too_… and unsupported_encoding as invalid_request and every other code as itself', () => {
    const hidden: readonly string[] = ['body_too_large', 'body_too_slow', 'unsupported_encoding'];
    for (const [code] of specified) expect(publicCode(code)).toBe(hidden.includes(code) ? 'invalid_request' : code);
  });

  it('puts the response where a text has a place for it', () => {
    expect(errorText('checkout_failed', 'no $& price')).toBe('Failed to create checkout session: no $& price');
    expect(errorText('no_credits', 'x')).toBe(errorCatalogue.no_credits.text);
  });
});
