import { ungrouped } from '#contract/characters.js';
import { limits } from '#contract/limits.js';

export interface OtpText {
  readonly code: string;
  /** Name of the organization that sends the code. */
  readonly org: string | undefined;
  /** Web site for which the code is valid. */
  readonly domain: string | undefined;
}

const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const HOST = new RegExp(`^(?=.{4,253}$)(?:${LABEL}\\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{1,59})$`);
/** Line breaks, other control characters and changes of writing direction; a name contains none. */
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;
/** A longer code was not typed by a person. */
const TYPED_CODE_UNITS_MAX = 64;
const CODE = new RegExp(`^[0-9]{${limits.otpDigitsMin},${limits.otpDigitsMax}}$`);
const PRODUCT_CODE = new RegExp(`^[0-9A-Za-z]{${limits.otpOwnCodeCharactersMin},${limits.otpOwnCodeCharactersMax}}$`);
/** Digits and capital letters without I, L and O, which people take for digits. */
const OWN_CODE = new RegExp(`^[0-9A-HJKMNP-Z]{${limits.otpOwnCodeCharactersMin},${limits.otpOwnCodeCharactersMax}}$`);

/**
 * Returns the text of an OTP message. The last line binds the code to a site, so that phones
 * autofill it only on that site (WICG, "Origin-bound one-time codes delivered via SMS").
 */
export function otpText({ code, org, domain }: OtpText): string {
  const from = org === undefined ? '' : `Message from ${org}. `;
  const bound = domain === undefined ? '' : `\n@${domain} #${code}`;
  return `${from}Your one-time verification code is ${code}.${bound}`;
}

/**
 * Returns the digits of a code as a person types or pastes it: in any script, grouped by spaces or
 * dashes, with invisible characters; undefined for a text that cannot be a code.
 */
export function typedCodeOf(typed: string): string | undefined {
  if (typed.length > TYPED_CODE_UNITS_MAX) return undefined;
  const code = ungrouped(typed);
  return CODE.test(code) ? code : undefined;
}

/** Tells whether a code that its caller has made can be sent. */
export function isOwnOtpCode(code: string): boolean {
  return OWN_CODE.test(code);
}

/** Tells whether a code of another product can be sent. Its letters are as that product chose them. */
export function isProductOtpCode(code: string): boolean {
  return PRODUCT_CODE.test(code);
}

/** Returns the text for histories: the same length as the message, without the code. */
export function maskedOtpText({ digits, ...rest }: Omit<OtpText, 'code'> & { readonly digits: number }): string {
  return otpText({ ...rest, code: '*'.repeat(digits) });
}

/**
 * Parses a host name with at least one dot, in lower case; returns undefined for anything else,
 * such as an IP address or a URL.
 */
export function otpDomainOf(text: string): string | undefined {
  const host = text.toLowerCase();
  return HOST.test(host) ? host : undefined;
}

/** Tells whether an organization's name is free of control characters. */
export function isOtpOrg(text: string): boolean {
  return !CONTROL.test(text);
}

/**
 * Parses the lifetime of a code in minutes; returns undefined unless it is a whole number within
 * the bounds. Forms send text.
 */
export function otpMinutesOf(limit: string | number | null | undefined): number | undefined {
  return wholeNumberOf(limit, limits.otpMinutesMin, limits.otpMinutesMax, limits.otpMinutesDefault);
}

/**
 * Parses the number of digits of a code; returns undefined unless it is a whole number within the
 * bounds.
 */
export function otpDigitsOf(length: string | number | null | undefined): number | undefined {
  return wholeNumberOf(length, limits.otpDigitsMin, limits.otpDigitsMax, limits.otpDigitsDefault);
}

/**
 * Returns the time of the next allowed resend, after `resends` resends and the latest message at
 * `sentAt`; undefined if no resend is allowed or the code expires before.
 */
export function nextResendAt(sent: {
  readonly sentAt: Date;
  readonly resends: number;
  readonly expiresAt: Date;
}): Date | undefined {
  const waitSeconds = limits.otpResendWaitsSeconds[sent.resends];
  if (waitSeconds === undefined) return undefined;
  const at = new Date(sent.sentAt.getTime() + waitSeconds * 1_000);
  return at < sent.expiresAt ? at : undefined;
}

const WHOLE = /^[1-9]\d?$/;

function wholeNumberOf(
  given: string | number | null | undefined,
  min: number,
  max: number,
  fallback: number,
): number | undefined {
  if (given === null || given === undefined) return fallback;
  if (!WHOLE.test(String(given))) return undefined;
  const number = Number(given);
  return number >= min && number <= max ? number : undefined;
}

/** Number of an account's live codes of one length. */
export interface LiveCodes {
  readonly digits: number;
  readonly count: number;
}

const GUESSES_MAX = 1_000;
/** Wrong codes of the usual length that are always allowed, because people mistype. */
const GUESSES_MIN = 20;
const USUAL_DIGITS = 6;

/** Counting more live codes of one length than this does not change the result. */
export const liveCodesCountedMax = 1_001;

/**
 * Returns the number of wrong codes that an account may submit per window without the recipient, so
 * that guessing finds a code in under 1 % of windows: 10,000 divided by its live codes, between 20
 * and 1,000. Shorter codes are easier to guess, so they lower the bound further, down to 0; they
 * must be verified together with the recipient's number.
 */
export function guessesAllowed(live: readonly LiveCodes[]): number {
  const usual = countOf(live, (digits) => digits >= USUAL_DIGITS);
  const bounds = [usual > 0 ? Math.max(GUESSES_MIN, share(USUAL_DIGITS, usual)) : GUESSES_MAX];
  for (const { digits, count } of live) if (digits < USUAL_DIGITS && count > 0) bounds.push(share(digits, count));
  return Math.min(GUESSES_MAX, ...bounds);
}

/** One hundredth of all codes of this length, divided by the live codes. */
function share(digits: number, count: number): number {
  return Math.floor(10 ** (digits - 2) / count);
}

function countOf(live: readonly LiveCodes[], wanted: (digits: number) => boolean): number {
  return live.reduce((sum, { digits, count }) => sum + (wanted(digits) ? count : 0), 0);
}
