import type { WebhookEventType } from '#contract/webhooks.js';

/** What each event tells, for people. */
export const eventWords: Readonly<Record<WebhookEventType, string>> = {
  'message.received': 'Somebody replied. Always sent while a URL is set.',
  'message.sent': 'The carrier took a message.',
  'message.delivered': 'A message arrived.',
  'message.undelivered': 'A message did not arrive; its credits came back.',
  'message.failed': 'A message was not sent; its credits came back.',
  'otp.verified': 'A one-time password was verified.',
  'credits.low': 'Your balance fell below a number of credits.',
};
