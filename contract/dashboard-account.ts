import { z } from 'zod';
import { limits } from './limits.js';

/** GET and POST /api/dashboard/key…: the current key, readable and masked, and earlier ones that still work. */
export const keysAnswer = z.object({
  apiKey: z.string(),
  masked: z.string(),
  createdAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime().nullable(),
  earlier: z.array(
    z.object({ masked: z.string(), lastUsedAt: z.iso.datetime().nullable(), expiresAt: z.iso.datetime() }),
  ),
});
export type KeysAnswer = z.infer<typeof keysAnswer>;

/** POST /api/dashboard/key/rotate: 0 ends the key at once. */
export const rotateKeyBody = z.object({ keepOldForHours: z.int().min(0).max(limits.oldKeyHoursMax) });
export type RotateKeyBody = z.infer<typeof rotateKeyBody>;

/** PUT /api/dashboard/webhook-url; '' or the default turns receiving off. */
export const webhookUrlBody = z.object({ webhookUrl: z.string() });
export type WebhookUrlBody = z.infer<typeof webhookUrlBody>;

/** GET and PUT /api/dashboard/webhook-url: the default stands where none is set. */
export const webhookUrlAnswer = z.object({ webhookUrl: z.string(), receiving: z.boolean() });
export type WebhookUrlAnswer = z.infer<typeof webhookUrlAnswer>;
