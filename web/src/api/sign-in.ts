import { sessionAnswer, type SessionAnswer, signUpAnswer, type SignUpAnswer } from '#contract/account.js';
import type { SignUpFields } from '#contract/sign-up-fields.js';
import { call } from './call.js';

/** Creates an account and signs in. */
export function signUp(body: SignUpFields): Promise<SignUpAnswer> {
  return call(signUpAnswer, { method: 'POST', path: '/auth/signup', body });
}

/** Signs in with an email address and password. */
export function logIn(body: { email: string; password: string }): Promise<SessionAnswer> {
  return call(sessionAnswer, { method: 'POST', path: '/auth/login', body });
}
