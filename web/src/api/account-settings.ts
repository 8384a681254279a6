import { queryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import {
  accountAnswer,
  type AccountAnswer,
  type CountriesBody,
  type DeleteAccountBody,
  type NoticesBody,
  sessionsAnswer,
  type SessionsAnswer,
} from '#contract/account-settings.js';
import type { ChangePasswordBody } from '#contract/account.js';
import { call, download } from './call.js';

const ACCOUNT = '/api/dashboard/account';
const SESSIONS = '/api/dashboard/sessions';

export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: () => call(accountAnswer, { method: 'GET', path: ACCOUNT }),
});

/** The browsers in which the user is signed in. */
export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: () => call(sessionsAnswer, { method: 'GET', path: SESSIONS }),
});

export function endSession(id: string): Promise<SessionsAnswer> {
  return call(sessionsAnswer, { method: 'DELETE', path: `${SESSIONS}/${id}` });
}

export function endOtherSessions(): Promise<SessionsAnswer> {
  return call(sessionsAnswer, { method: 'POST', path: `${SESSIONS}/end-others` });
}

/** Sets which e-mail notices are sent. */
export function chooseNotices(body: NoticesBody): Promise<AccountAnswer> {
  return call(accountAnswer, { method: 'PUT', path: '/api/dashboard/notices', body });
}

/** Sets the countries to which no messages are sent. */
export function chooseCountries(body: CountriesBody): Promise<AccountAnswer> {
  return call(accountAnswer, { method: 'PUT', path: '/api/dashboard/countries', body });
}

/** Everything that the account has stored, as a JSON file. */
export function exportData(): Promise<Blob> {
  return download('/api/dashboard/export');
}

/** Schedules the deletion of the account. */
export function deleteAccount(body: DeleteAccountBody): Promise<AccountAnswer> {
  return call(accountAnswer, { method: 'POST', path: `${ACCOUNT}/delete`, body });
}

/** Cancels the deletion of the account. */
export function keepAccount(): Promise<AccountAnswer> {
  return call(accountAnswer, { method: 'POST', path: `${ACCOUNT}/keep` });
}

/** Confirms the address by the token of the link in the e-mail. */
export function verifyEmail(token: string): Promise<void> {
  return call(z.undefined(), { method: 'POST', path: '/auth/verify-email', body: { token } });
}

/** Sends that link again. */
export function resendVerification(): Promise<void> {
  return call(z.undefined(), { method: 'POST', path: '/auth/verify-email/resend' });
}

export function changePassword(body: ChangePasswordBody): Promise<void> {
  return call(z.undefined(), { method: 'POST', path: '/auth/password', body });
}

/** Counts as a fresh sign-in. */
export function confirmPassword(password: string): Promise<void> {
  return call(z.undefined(), { method: 'POST', path: '/auth/confirm', body: { password } });
}
