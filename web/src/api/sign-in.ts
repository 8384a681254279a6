import { z } from 'zod';
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

/** Asks for a link to set a new password. Succeeds whether or not the address has an account. */
export function forgotPassword(body: { email: string }): Promise<void> {
  return call(z.undefined(), { method: 'POST', path: '/auth/forgot-password', body });
}

/** Sets a new password by the token of that link. */
export function resetPassword(body: { token: string; password: string }): Promise<void> {
  return call(z.undefined(), { method: 'POST', path: '/auth/reset-password', body });
}
