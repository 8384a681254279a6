import type { signUpTexts } from './sign-up-texts.js';
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

/** Whether a text has the form of an e-mail address. */
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
