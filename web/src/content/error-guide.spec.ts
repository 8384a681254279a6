import { errorCatalogue, type ErrorCode } from '#contract/errors.js';
import { errorGuide } from './error-guide.js';

/**
 * Codes of sign-in, dashboard, checkout and carrier callbacks, which API callers never see.
 */
const elsewhere: readonly ErrorCode[] = [
  'account_exists',
  'account_not_found',
  'account_busy',
  'not_signed_in',
  'foreign_account',
  'cross_site',
  'sign_in_failed',
  'too_many_attempts',
  'user_record_failed',
  'credits_record_failed',
  'email_check_failed',
  'fields_mandatory',
  'email_invalid',
  'password_invalid',
  'username_invalid',
  'custom_sign_in_off',
  'session_not_found',
  'sign_in_again',
  'password_wrong',
  'password_common',
  'link_invalid',
  'too_many_mails',
  'too_many_keys',
  'key_settings_invalid',
  'plug_secret_invalid',
  'key_not_found',
  'key_limit',
  'filter_not_found',
  'filter_limit',
  'filter_name_taken',
  'too_many_exports',
  'too_many_invoice_files',
  'email_mismatch',
  'lift_used',
  'webhook_url_invalid',
  'delivery_not_found',
  'mail_failed',
  'too_many_checkouts',
  'otp_reset_too_early',
  'checkout_not_found',
  'card_missing',
  'top_up_not_found',
  'invoice_not_found',
  'stripe_not_configured',
  'checkout_failed',
];

describe('errorGuide', () => {
  it('explains every public error code once', () => {
    const explained = errorGuide.map(({ code }) => code);
    const known: string[] = [...explained, ...elsewhere];
    expect(known.sort()).toEqual(Object.keys(errorCatalogue).sort());
  });
});
