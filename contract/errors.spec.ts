import { welcomeEmailFailed } from './account.js';
import { errorCatalogue, type ErrorCode, errorText, publicCode } from './errors.js';
import { readFileSync } from 'node:fs';

const FAILED = 'Failed to send SMS';

/**
 * Code, HTTP status and text as the decisions on the specification list them, written out on
 * purpose.
 */
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
] as const;

describe('errorCatalogue', () => {
  it.each(specified)('has %s as %i with the text of the specification', (code, status, text) => {
    expect(errorCatalogue[code]).toMatchObject({ status, text });
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

  it('shows body_too_… and unsupported_encoding as invalid_request and every other code as itself', () => {
    const hidden: readonly string[] = ['body_too_large', 'body_too_slow', 'unsupported_encoding'];
    for (const [code] of specified) expect(publicCode(code)).toBe(hidden.includes(code) ? 'invalid_request' : code);
  });

  it('puts the response where a text has a place for it', () => {
    expect(errorText('checkout_failed', 'no $& price')).toBe('Failed to create checkout session: no $& price');
    expect(errorText('no_credits', 'x')).toBe(errorCatalogue.no_credits.text);
  });
});

const page = readFileSync(`${__dirname}/../docs/errors.md`, 'utf8');

/** HTTP status, code and text of every row of the page's tables. */
const rows = page
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .filter(([, status]) => /^\d{3}$/.test(status ?? ''))
  .map(([, status, code, text, when, what]) => ({ row: [status, code, text].join(' '), when, what }));

const catalogue = Object.entries(errorCatalogue).map(([code, { status, text }]) =>
  [status, `\`${publicCode(code as ErrorCode)}\``, text].join(' '),
);

describe('docs/errors.md', () => {
  it('has one row per error of the catalogue with its status and exact text', () => {
    expect(rows.map(({ row }) => row).sort()).toEqual(catalogue.sort());
  });

  it('explains when each error occurs and what to do', () => {
    expect(rows.filter(({ when, what }) => !when || !what)).toEqual([]);
  });
});
