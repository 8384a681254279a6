import { z } from 'zod';

/** Conditions that an account's owner should look at. Later releases may add codes. */
export const notificationCodes = [
  'webhook_off',
  'webhook_failing',
  'credits_empty',
  'credits_low',
  'sending_suspended',
  'codes_paused',
  'messages_filtered',
  'number_past_due',
  'number_filtered',
  'key_budget',
  'payment_disputed',
  'top_up_off',
  'top_up_declined',
  'top_up_confirm',
  'top_up_paused',
  'top_up_limit',
  'account_deletion',
  'welcome_email_failed',
] as const;
export type NotificationCode = (typeof notificationCodes)[number];

/**
 * `critical`: something does not work now. `warning`: something soon fails, or needs a decision.
 */
export const notificationSeverities = ['critical', 'warning'] as const;

/**
 * A condition that needs attention. `id` names its cause: the same condition with another cause has
 * another id. `since` is null where the beginning is not known. `action` is the advice, `url` the
 * dashboard's view for it. `figures` are the figures in the text, by code.
 */
export const notification = z.object({
  id: z.string(),
  code: z.enum(notificationCodes),
  severity: z.enum(notificationSeverities),
  since: z.iso.datetime().nullable(),
  message: z.string(),
  action: z.string(),
  url: z.string(),
  figures: z.record(z.string(), z.union([z.string(), z.number()]).nullable()),
});
export type Notification = z.infer<typeof notification>;

/**
 * Answer of GET /api/notifications and /api/dashboard/notifications: current conditions, critical
 * ones first. A test key gets an example with `test: true`.
 */
export const notificationsAnswer = z.object({
  success: z.literal('true'),
  notifications: z.array(notification),
  test: z.literal(true).optional(),
});
export type NotificationsAnswer = z.infer<typeof notificationsAnswer>;

/** Query of GET /api/notifications; `apikey` replaces `Authorization: Bearer`. */
export const notificationsQuery = z.object({ apikey: z.string().optional() });
