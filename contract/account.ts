import { z } from 'zod';
import { limits } from './limits.js';

/** Answer of GET /auth/me and of a sign-in with a password. */
export const sessionAnswer = z.object({ id: z.uuid(), email: z.string(), displayName: z.string() });
export type SessionAnswer = z.infer<typeof sessionAnswer>;

const field = z.string().nullish();

/** Body of POST /auth/signup. A missing field counts as empty. */
export const signUpBody = z.object({ username: field, email: field, password: field });
export type SignUpBody = z.infer<typeof signUpBody>;

/** Body of POST /auth/login. */
export const logInBody = z.object({ email: field, password: field });
export type LogInBody = z.infer<typeof logInBody>;

/** Body of POST /auth/confirm: the signed-in user's password. */
export const confirmBody = z.object({ password: z.string().min(1).max(limits.passwordCharactersMax) });
export type ConfirmBody = z.infer<typeof confirmBody>;

/** Answer of a sign-up; `notice` is set if the free credits could not be recorded yet. */
export const signUpAnswer = z.object({
  id: z.uuid(),
  email: z.string(),
  displayName: z.string(),
  notice: z.string().optional(),
});
export type SignUpAnswer = z.infer<typeof signUpAnswer>;

/** Body of POST /api/welcomeemail. The e-mail goes to the address of the session; `to` must equal it if present. */
export const welcomeEmailBody = z.object({ to: z.string().max(320).optional() });
export type WelcomeEmailBody = z.infer<typeof welcomeEmailBody>;

/** Text of the error `mail_failed`, which the dashboard also shows after a first sign-in. */
export const welcomeEmailFailed = 'There was an error sending the email. Please try again.';

/** Answer of POST /api/welcomeemail. */
export const welcomeEmailAnswer = z.object({ success: z.literal('true'), message: z.string() });
export type WelcomeEmailAnswer = z.infer<typeof welcomeEmailAnswer>;

/** Answer of /api/dashboard/key…: the current API key in clear text and masked, and earlier ones that are still valid. */
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

/** Body of POST /api/dashboard/key/rotate: 0 revokes the old key at once. */
export const rotateKeyBody = z.object({ keepOldForHours: z.int().min(0).max(limits.oldKeyHoursMax) });
export type RotateKeyBody = z.infer<typeof rotateKeyBody>;

/** Body of PUT /api/dashboard/webhook-url; '' or the default turns receiving off. */
export const webhookUrlBody = z.object({ webhookUrl: z.string() });
export type WebhookUrlBody = z.infer<typeof webhookUrlBody>;

/** Answer of GET and PUT /api/dashboard/webhook-url: the default URL if none is set. */
export const webhookUrlAnswer = z.object({ webhookUrl: z.string(), receiving: z.boolean() });
export type WebhookUrlAnswer = z.infer<typeof webhookUrlAnswer>;

/** GET /api/dashboard/reader-key: the test key of the signed-in account for the samples of the documentation; null if signed out. */
export const readerKeyAnswer = z.object({ testKey: z.string().nullable() });
export type ReaderKeyAnswer = z.infer<typeof readerKeyAnswer>;
