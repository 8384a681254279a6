import { z } from 'zod';
import { activityAnswer, type ActivityAnswer } from '#contract/dashboard.js';
import {
  keysAnswer,
  webhookUrlAnswer,
  type KeysAnswer,
  type RotateKeyBody,
  type WebhookUrlAnswer,
  type WebhookUrlBody,
  sessionAnswer,
  type SessionAnswer,
} from '#contract/account.js';
import { creditsAnswer, type CreditsAnswer } from '#contract/histories.js';
import { call } from './call.js';

/** Who is signed in; fails with kind `session` when nobody is. */
export function readSession(): Promise<SessionAnswer> {
  return call(sessionAnswer, { method: 'GET', path: '/auth/me' });
}

export function logOut(): Promise<void> {
  return call(z.undefined(), { method: 'POST', path: '/auth/logout' });
}

export function readKeys(): Promise<KeysAnswer> {
  return call(keysAnswer, { method: 'GET', path: '/api/dashboard/key' });
}

export function readCredits(): Promise<CreditsAnswer> {
  return call(creditsAnswer, { method: 'GET', path: '/api/dashboard/credits' });
}

/** Gives the account a new key. */
export function rotateKey(body: RotateKeyBody): Promise<KeysAnswer> {
  return call(keysAnswer, { method: 'POST', path: '/api/dashboard/key/rotate', body });
}

/** Messages by day and state; `days` back, today included. */
export function readActivity(days: number): Promise<ActivityAnswer> {
  return call(activityAnswer, { method: 'GET', path: `/api/dashboard/activity?days=${days}` });
}

export function readWebhookUrl(): Promise<WebhookUrlAnswer> {
  return call(webhookUrlAnswer, { method: 'GET', path: '/api/dashboard/webhook-url' });
}

export function updateWebhookUrl(body: WebhookUrlBody): Promise<WebhookUrlAnswer> {
  return call(webhookUrlAnswer, { method: 'PUT', path: '/api/dashboard/webhook-url', body });
}
