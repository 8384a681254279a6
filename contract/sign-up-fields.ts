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

/** Returns the first fault of a sign-up in the order of the specification; undefined if there is none. */
export function signUpFault({ username, email, password }: SignUpFields): keyof typeof signUpTexts | undefined {
  if (!username || !email || !password) return 'fields_mandatory';
  if (!emailForm.test(email) || email.length > limits.emailCharactersMax) return 'email_invalid';
  if (!passwordForm.test(password) || password.length > limits.passwordCharactersMax) return 'password_invalid';
  return undefined;
}
