import { z } from 'zod';
import type { ErrorCode } from './errors.js';
import { limits } from './limits.js';

const field = z.string().nullish();

/** POST /auth/signup. A field that is missing is as an empty one. */
export const signUpBody = z.object({ username: field, email: field, password: field });
export type SignUpBody = z.infer<typeof signUpBody>;

/** POST /auth/login. */
export const logInBody = z.object({ email: field, password: field });
export type LogInBody = z.infer<typeof logInBody>;

/** What a sign-up answers; `notice` when the free credits could not be written yet. */
export const signUpAnswer = z.object({
  id: z.uuid(),
  email: z.string(),
  displayName: z.string(),
  notice: z.string().optional(),
});
export type SignUpAnswer = z.infer<typeof signUpAnswer>;

const emailForm = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
const passwordForm = /^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)(?=.*[@$!%*?&])[A-Za-z\d@$!%*?&]{8,}$/;

/** The fields of a sign-up as they are kept. */
export interface SignUpFields {
  readonly username: string;
  readonly email: string;
  readonly password: string;
}

/** Blanks around name and address do not count. */
export function signUpFields({ username, email, password }: SignUpBody): SignUpFields {
  return { username: (username ?? '').trim(), email: (email ?? '').trim(), password: password ?? '' };
}

/** The first fault of a sign-up, in the order of the specification; undefined when there is none. */
export function signUpFault({ username, email, password }: SignUpFields): ErrorCode | undefined {
  if (!username || !email || !password) return 'fields_mandatory';
  if (!emailForm.test(email) || email.length > limits.emailCharactersMax) return 'email_invalid';
  if (!passwordForm.test(password) || password.length > limits.passwordCharactersMax) return 'password_invalid';
  return undefined;
}
