import { sessionAnswer, type SessionAnswer } from '#contract/session.js';
import type { SignUpFields } from '#contract/sign-up-fields.js';
import { signUpAnswer, type SignUpAnswer } from '#contract/sign-up.js';
import { call } from './call.js';

/** Opens an account and signs in. */
export function signUp(body: SignUpFields): Promise<SignUpAnswer> {
  return call(signUpAnswer, { method: 'POST', path: '/auth/signup', body });
}

/** Signs in with e-mail address and password. */
export function logIn(body: { email: string; password: string }): Promise<SessionAnswer> {
  return call(sessionAnswer, { method: 'POST', path: '/auth/login', body });
}
