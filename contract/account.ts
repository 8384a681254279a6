import { z } from 'zod';
import { limits } from './limits.js';

/** GET /auth/me, and what a sign-in with a password answers. */
export const sessionAnswer = z.object({ id: z.uuid(), email: z.string(), displayName: z.string() });
export type SessionAnswer = z.infer<typeof sessionAnswer>;

const field = z.string().nullish();

/** POST /auth/signup. A field that is missing is as an empty one. */
export const signUpBody = z.object({ username: field, email: field, password: field });
export type SignUpBody = z.infer<typeof signUpBody>;

/** POST /auth/login. */
export const logInBody = z.object({ email: field, password: field });
export type LogInBody = z.infer<typeof logInBody>;

/** What a sign-up answers; `notice` when the free credits could not be written yet. */
export const signUpAnswer = z.object({
  id: z.uuid(),
  email: z.string(),
  displayName: z.string(),
  notice: z.string().optional(),
});
export type SignUpAnswer = z.infer<typeof signUpAnswer>;

/** Body of POST /api/welcomeemail. The mail goes to the session's own address; `to` may only name it. */
export const welcomeEmailBody = z.object({ to: z.string().max(320).optional() });
export type WelcomeEmailBody = z.infer<typeof welcomeEmailBody>;

/** Answer of POST /api/welcomeemail. */
export const welcomeEmailAnswer = z.object({ success: z.literal('true'), message: z.string() });
export type WelcomeEmailAnswer = z.infer<typeof welcomeEmailAnswer>;

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

/** GET /api/dashboard/reader-key: the test key of who is signed in, for the samples of the documentation; null for nobody. */
export const readerKeyAnswer = z.object({ testKey: z.string().nullable() });
export type ReaderKeyAnswer = z.infer<typeof readerKeyAnswer>;
