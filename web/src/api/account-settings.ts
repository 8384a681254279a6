import { queryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import { accountAnswer, sessionsAnswer, type SessionsAnswer } from '#contract/account-settings.js';
import { call } from './call.js';

const SESSIONS = '/api/dashboard/sessions';

export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: () => call(accountAnswer, { method: 'GET', path: '/api/dashboard/account' }),
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

/** Counts as a fresh sign-in. */
export function confirmPassword(password: string): Promise<void> {
  return call(z.undefined(), { method: 'POST', path: '/auth/confirm', body: { password } });
}
