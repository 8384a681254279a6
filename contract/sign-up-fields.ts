import type { ErrorCode } from './errors.js';
import { limits } from './limits.js';

const emailForm = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
const passwordForm = /^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)(?=.*[@$!%*?&])[A-Za-z\d@$!%*?&]{8,}$/;

/** The fields of a sign-up as they are kept. */
export interface SignUpFields {
  readonly username: string;
  readonly email: string;
  readonly password: string;
}

type Given = Partial<Record<keyof SignUpFields, string | null | undefined>>;

/** Blanks around name and address do not count, and a field that is missing is as an empty one. */
export function signUpFields({ username, email, password }: Given): SignUpFields {
  return { username: (username ?? '').trim(), email: (email ?? '').trim(), password: password ?? '' };
}

/** The first fault of a sign-up, in the order of the specification; undefined when there is none. */
export function signUpFault({ username, email, password }: SignUpFields): ErrorCode | undefined {
  if (!username || !email || !password) return 'fields_mandatory';
  if (!emailForm.test(email) || email.length > limits.emailCharactersMax) return 'email_invalid';
  if (!passwordForm.test(password) || password.length > limits.passwordCharactersMax) return 'password_invalid';
  return undefined;
}
