import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import {
  accountAnswer,
  type AccountAnswer,
  type ChangePasswordBody,
  type CountriesBody,
  type CreateKeyBody,
  type DeleteAccountBody,
  keyScheduledAnswer,
  keysAnswer,
  type KeysAnswer,
  type NamedKeyBody,
  namedKeysAnswer,
  type NamedKeysAnswer,
  namedKeySecretAnswer,
  type NamedKeySecretAnswer,
  type NoticesBody,
  type RotateKeyBody,
  type SessionAnswer,
  sessionAnswer,
  sessionsAnswer,
  type SessionsAnswer,
  type WebhookUrlAnswer,
  webhookUrlAnswer,
  type WebhookUrlBody,
  welcomeAnswer,
  type WelcomeEmailAnswer,
  welcomeEmailAnswer,
} from '#contract/account.js';
import {
  activityAnswer,
  apiRequestChoices,
  apiRequestsAnswer,
  type ChangeFilterBody,
  type FilteredView,
  savedFiltersAnswer,
  type SavedFiltersAnswer,
  type SaveFilterBody,
  sendingAnswer,
  type SendingAnswer,
  summaryAnswer,
} from '#contract/dashboard.js';
import { creditsAnswer } from '#contract/histories.js';
import { otpSettingsAnswer, type OtpSettingsAnswer, type OtpSettingsBody } from '#contract/otp.js';
import { call, download, searchOf } from './call.js';

const WEBHOOK_URL = '/api/dashboard/webhook-url';

/** A page of the account's API calls, newest first, filtered as in contract/dashboard. */
export const apiRequestsQuery = (query: Readonly<Record<string, string | undefined>>) =>
  queryOptions({
    queryKey: ['requests', query],
    queryFn: () => call(apiRequestsAnswer, { method: 'GET', path: `/api/dashboard/requests?${searchOf(query)}` }),
    placeholderData: keepPreviousData,
  });

/** Error codes and keys of the newest calls, as choices of a filter. */
export const requestChoicesQuery = queryOptions({
  queryKey: ['request-choices'],
  queryFn: () => call(apiRequestChoices, { method: 'GET', path: '/api/dashboard/requests/choices' }),
});

interface RepeatedCall {
  readonly method: string;
  readonly path: string;
  readonly body: object | undefined;
  readonly testKey: string;
}

/** Calls the API with a test key; returns the answer, refusals too. */
export async function repeatCall({
  method,
  path,
  body,
  testKey,
}: RepeatedCall): Promise<{ status: number; body: string }> {
  const response = await fetch(path, {
    method,
    headers: { Authorization: `Bearer ${testKey}`, ...(body && { 'Content-Type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(REPEATED_WITHIN_MS),
  });
  const text = await response.text();
  const isJson = response.headers.get('Content-Type')?.includes('json') ?? false;
  return { status: response.status, body: isJson ? JSON.stringify(JSON.parse(text), null, 2) : text };
}

const REPEATED_WITHIN_MS = 20_000;
const FILTERS = '/api/dashboard/filters';

/** The saved filters of a view, by name. */
export const savedFiltersQuery = (view: FilteredView) =>
  queryOptions({
    queryKey: ['saved-filters', view],
    queryFn: () => call(savedFiltersAnswer, { method: 'GET', path: `${FILTERS}?${searchOf({ view })}` }),
  });

/** Fails with the code `filter_name_taken` or `filter_limit`. */
export function saveFilter(body: SaveFilterBody): Promise<SavedFiltersAnswer> {
  return call(savedFiltersAnswer, { method: 'POST', path: FILTERS, body });
}

/** Fails with the code `filter_name_taken` or, when another tab deleted it, `filter_not_found`. */
export function changeFilter(id: string, body: ChangeFilterBody): Promise<SavedFiltersAnswer> {
  return call(savedFiltersAnswer, { method: 'PUT', path: `${FILTERS}/${id}`, body });
}

/** Fails with the code `filter_not_found` when another tab deleted it. */
export function deleteFilter(id: string): Promise<SavedFiltersAnswer> {
  return call(savedFiltersAnswer, { method: 'DELETE', path: `${FILTERS}/${id}` });
}

/**
 * The signed-in user; null once the session has ended. Fails with kind `session` without a session.
 */
export const sessionQuery = queryOptions<SessionAnswer | null>({
  queryKey: ['session'],
  queryFn: () => call(sessionAnswer, { method: 'GET', path: '/auth/me' }),
});

/** The API key and the earlier keys that still work. */
export const keysQuery = queryOptions({
  queryKey: ['keys'],
  queryFn: () => call(keysAnswer, { method: 'GET', path: '/api/dashboard/key' }),
});

export const creditsQuery = queryOptions({
  queryKey: ['credits'],
  queryFn: () => call(creditsAnswer, { method: 'GET', path: '/api/dashboard/credits' }),
});

/** Whether the account is suspended from sending, and why. */
export const sendingQuery = queryOptions({
  queryKey: ['sending'],
  queryFn: () => call(sendingAnswer, { method: 'GET', path: '/api/dashboard/sending' }),
});

/** Lifts the suspension; possible once. */
export function resumeSending(): Promise<SendingAnswer> {
  return call(sendingAnswer, { method: 'POST', path: '/api/dashboard/sending/resume' });
}

export const activityKey = ['activity'] as const;

/** Messages by day and state for the last `days` days, including today. */
export const activityQuery = (days: number) =>
  queryOptions({
    queryKey: [...activityKey, days],
    queryFn: () => call(activityAnswer, { method: 'GET', path: `/api/dashboard/activity?days=${days}` }),
    placeholderData: keepPreviousData,
  });

/** Figures of the newest messages; read again with the activity. */
export const summaryQuery = queryOptions({
  queryKey: [...activityKey, 'summary'],
  queryFn: () => call(summaryAnswer, { method: 'GET', path: '/api/dashboard/summary' }),
});

/** Problems with the welcome email or the free credits. */
export const welcomeQuery = queryOptions({
  queryKey: ['welcome'],
  queryFn: () => call(welcomeAnswer, { method: 'GET', path: '/api/dashboard/welcome' }),
});

/** Queues the welcome email to the account's own address. */
export function sendWelcomeEmail(): Promise<WelcomeEmailAnswer> {
  return call(welcomeEmailAnswer, { method: 'POST', path: '/api/welcomeemail', body: {} });
}

export function logOut(): Promise<void> {
  return call(z.undefined(), { method: 'POST', path: '/auth/logout' });
}

export function rotateKey(body: RotateKeyBody): Promise<KeysAnswer> {
  return call(keysAnswer, { method: 'POST', path: '/api/dashboard/key/rotate', body });
}

const NAMED_KEYS = '/api/dashboard/keys';

export const namedKeysQuery = queryOptions({
  queryKey: ['named-keys'],
  queryFn: () => call(namedKeysAnswer, { method: 'GET', path: NAMED_KEYS }),
});

export function createNamedKey(body: CreateKeyBody): Promise<NamedKeySecretAnswer> {
  return call(namedKeySecretAnswer, { method: 'POST', path: NAMED_KEYS, body });
}

export function changeNamedKey(id: string, body: NamedKeyBody): Promise<NamedKeysAnswer> {
  return call(namedKeysAnswer, { method: 'PUT', path: `${NAMED_KEYS}/${id}`, body });
}

export function rotateNamedKey(id: string, body: RotateKeyBody): Promise<NamedKeySecretAnswer> {
  return call(namedKeySecretAnswer, { method: 'POST', path: `${NAMED_KEYS}/${id}/rotate`, body });
}

/** Ends the replaced secrets of a key at once. */
export function endOldSecrets(id: string): Promise<NamedKeysAnswer> {
  return call(namedKeysAnswer, { method: 'DELETE', path: `${NAMED_KEYS}/${id}/earlier` });
}

/** Ends a key, and on request cancels its scheduled messages. */
export function revokeNamedKey(id: string, cancelScheduled: boolean): Promise<NamedKeysAnswer> {
  return call(namedKeysAnswer, { method: 'DELETE', path: `${NAMED_KEYS}/${id}?cancel_scheduled=${cancelScheduled}` });
}

/** Number of messages that a named key, or the account's first key, has scheduled. */
export const keyScheduledQuery = (id: string | undefined) =>
  queryOptions({
    queryKey: ['key-scheduled', id],
    queryFn: () =>
      call(keyScheduledAnswer, {
        method: 'GET',
        path: id === undefined ? '/api/dashboard/key/scheduled' : `${NAMED_KEYS}/${id}/scheduled`,
      }),
    staleTime: 0,
  });

/** Prefix of every query about the webhook, also in webhook.ts. */
export const webhookKey = ['webhook'] as const;

/** The webhook URL; while it is the default, receiving is off. */
export const webhookUrlQuery = queryOptions({
  queryKey: [...webhookKey, 'url'],
  queryFn: () => call(webhookUrlAnswer, { method: 'GET', path: WEBHOOK_URL }),
});

export function updateWebhookUrl(body: WebhookUrlBody): Promise<WebhookUrlAnswer> {
  return call(webhookUrlAnswer, { method: 'PUT', path: WEBHOOK_URL, body });
}

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

/** Sets which email notices are sent. */
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

/** Confirms the address by the token of the link in the email. */
export function verifyEmail(token: string): Promise<void> {
  return call(z.undefined(), { method: 'POST', path: '/auth/verify-email', body: { token } });
}

/** Sends the link for {@link verifyEmail} again. */
export function resendVerification(): Promise<void> {
  return call(z.undefined(), { method: 'POST', path: '/auth/verify-email/resend' });
}

export function changePassword(body: ChangePasswordBody): Promise<void> {
  return call(z.undefined(), { method: 'POST', path: '/auth/password', body });
}

/** Confirms the password, which counts as a fresh sign-in. */
export function confirmPassword(password: string): Promise<void> {
  return call(z.undefined(), { method: 'POST', path: '/auth/confirm', body: { password } });
}

const OTP = '/api/dashboard/otp';

/** Requirements for verifying a code, and the fraud guard. */
export const otpQuery = queryOptions({
  queryKey: ['otp'],
  queryFn: () => call(otpSettingsAnswer, { method: 'GET', path: OTP }),
});

export function changeOtpSettings(body: OtpSettingsBody): Promise<OtpSettingsAnswer> {
  return call(otpSettingsAnswer, { method: 'PUT', path: OTP, body });
}

/** Lets the fraud guard count verified codes from now. */
export function resetOtpGuard(): Promise<OtpSettingsAnswer> {
  return call(otpSettingsAnswer, { method: 'POST', path: `${OTP}/reset` });
}
