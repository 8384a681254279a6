import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import {
  type CreateKeyBody,
  keysAnswer,
  type KeysAnswer,
  type NamedKeyBody,
  namedKeysAnswer,
  type NamedKeysAnswer,
  namedKeySecretAnswer,
  type NamedKeySecretAnswer,
  type RotateKeyBody,
  type SessionAnswer,
  sessionAnswer,
  type WebhookUrlAnswer,
  webhookUrlAnswer,
  type WebhookUrlBody,
  type WelcomeEmailAnswer,
  welcomeEmailAnswer,
} from '#contract/account.js';
import { activityAnswer, sendingAnswer, type SendingAnswer } from '#contract/dashboard.js';
import { creditsAnswer } from '#contract/histories.js';
import { call } from './call.js';

const WEBHOOK_URL = '/api/dashboard/webhook-url';

/** The signed-in user; null once the session has ended. Fails with kind `session` without a session. */
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

/** Queues the welcome e-mail to the account's own address. */
export function sendWelcomeEmail(): Promise<WelcomeEmailAnswer> {
  return call(welcomeEmailAnswer, { method: 'POST', path: '/api/welcomeemail', body: {} });
}

export function logOut(): Promise<void> {
  return call(z.undefined(), { method: 'POST', path: '/auth/logout' });
}

/** Replaces the account's API key. */
export function rotateKey(body: RotateKeyBody): Promise<KeysAnswer> {
  return call(keysAnswer, { method: 'POST', path: '/api/dashboard/key/rotate', body });
}

const NAMED_KEYS = '/api/dashboard/keys';

/** The keys with limits. */
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

/** Replaces the secret of a key. */
export function rotateNamedKey(id: string, body: RotateKeyBody): Promise<NamedKeySecretAnswer> {
  return call(namedKeySecretAnswer, { method: 'POST', path: `${NAMED_KEYS}/${id}/rotate`, body });
}

/** Ends the replaced secrets of a key at once. */
export function endOldSecrets(id: string): Promise<NamedKeysAnswer> {
  return call(namedKeysAnswer, { method: 'DELETE', path: `${NAMED_KEYS}/${id}/earlier` });
}

export function revokeNamedKey(id: string): Promise<NamedKeysAnswer> {
  return call(namedKeysAnswer, { method: 'DELETE', path: `${NAMED_KEYS}/${id}` });
}

/** Prefix of every query about the webhook, those in webhook.ts included. */
export const webhookKey = ['webhook'] as const;

/** The webhook URL; while it is the default, receiving is off. */
export const webhookUrlQuery = queryOptions({
  queryKey: [...webhookKey, 'url'],
  queryFn: () => call(webhookUrlAnswer, { method: 'GET', path: WEBHOOK_URL }),
});

export function updateWebhookUrl(body: WebhookUrlBody): Promise<WebhookUrlAnswer> {
  return call(webhookUrlAnswer, { method: 'PUT', path: WEBHOOK_URL, body });
}
