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

/** Trims name and address; a missing field becomes empty. */
export function signUpFields({ username, email, password }: Given): SignUpFields {
  return { username: (username ?? '').trim(), email: (email ?? '').trim(), password: password ?? '' };
}

/** Whether a text has the form of an email address. */
export function isEmail(text: string): boolean {
  return emailForm.test(text) && text.length <= limits.emailCharactersMax;
}

/** Whether a new password meets the rules of the specification. */
export function isPassword(text: string): boolean {
  return passwordForm.test(text) && text.length <= limits.passwordCharactersMax;
}

/** Returns the first fault of a sign-up in the order of the specification; undefined if there is none. */
export function signUpFault({ username, email, password }: SignUpFields): keyof typeof signUpTexts | undefined {
  if (!username || !email || !password) return 'fields_mandatory';
  if (!isEmail(email)) return 'email_invalid';
  if (!isPassword(password)) return 'password_invalid';
  return undefined;
}

/** Texts of the faults that pages know before they ask the server; the error catalogue has the others. */
export const signUpTexts = {
  fields_mandatory: 'All fields are mandatory',
  email_invalid: 'Please enter a valid email address',
  password_invalid:
    'Password must be at least 8 characters. Use 1 uppercase, 1 lowercase, 1 number, and 1 special character.',
  custom_sign_in_off: 'Custom sign-in is currently unavailable. Use Sign in with Google.',
} as const;
