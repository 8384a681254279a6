import { normalized, withoutInvisible } from './characters.js';
import { limits } from './limits.js';

const emailForm = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
const passwordForm = /^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)(?=.*[@$!%*?&])[A-Za-z\d@$!%*?&]{8,}$/;

/** Normalized fields of a sign-up. */
export interface SignUpFields {
  readonly username: string;
  readonly email: string;
  readonly password: string;
}

type Given = Partial<Record<keyof SignUpFields, string | null | undefined>>;

/** Trims name and address, and composes the letters of the name; a missing field becomes empty. */
export function signUpFields({ username, email, password }: Given): SignUpFields {
  return { username: normalized(username ?? '', 'NFC').trim(), email: (email ?? '').trim(), password: password ?? '' };
}

/** Returns whether a text has the form of an email address without invisible characters. */
export function isEmail(text: string): boolean {
  return text.length <= limits.emailCharactersMax && emailForm.test(text) && withoutInvisible(text) === text;
}

/** Returns whether a new password meets the rules of the specification. */
export function isPassword(text: string): boolean {
  return text.length <= limits.passwordCharactersMax && passwordForm.test(text);
}

/**
 * Control characters, line breaks, marks that turn the direction of a text, and half surrogates.
 */
const NOT_IN_A_NAME = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;
const eachNotInAName = new RegExp(NOT_IN_A_NAME, 'gu');

/**
 * Returns whether a text can be a name: one line of at most `displayNameCharactersMax` characters,
 * some of them visible.
 */
export function isName(text: string): boolean {
  const isVisible = withoutInvisible(text).trim() !== '';
  return isVisible && !NOT_IN_A_NAME.test(text) && [...text].length <= limits.displayNameCharactersMax;
}

/** Makes a name of a text from elsewhere: one line, cut to the length. */
export function nameIn(text: string): string {
  const line = normalized(text, 'NFC').replace(eachNotInAName, ' ').replace(/\s+/gu, ' ').trim();
  return [...line].slice(0, limits.displayNameCharactersMax).join('').trim();
}

/**
 * Returns the first fault of a sign-up in the order of the specification; undefined if there is
 * none.
 */
export function signUpFault({ username, email, password }: SignUpFields): keyof typeof signUpTexts | undefined {
  if (!username || !email || !password) return 'fields_mandatory';
  if (!isEmail(email)) return 'email_invalid';
  if (!isPassword(password)) return 'password_invalid';
  if (!isName(username)) return 'username_invalid';
  return undefined;
}

/** The characters of {@link isPassword}, which the text of the specification does not name. */
export const passwordHint = 'Allowed: A to Z, a to z, 0 to 9, and @ $ ! % * ? &';

/**
 * Texts of the faults that pages know before they ask the server; the error catalogue has the
 * others.
 */
export const signUpTexts = {
  fields_mandatory: 'All fields are mandatory',
  email_invalid: 'Please enter a valid email address',
  password_invalid:
    'Password must be at least 8 characters. Use 1 uppercase, 1 lowercase, 1 number, and 1 special character.',
  username_invalid: `Please enter a username of one line, with at most ${limits.displayNameCharactersMax} characters.`,
  custom_sign_in_off: 'Custom sign-in is currently unavailable. Use Sign in with Google.',
} as const;
