import { z } from 'zod';
import { limits } from './limits.js';
import { plugProducts } from './plug-products.js';
import { regions } from './regions.js';
import { typedName } from './names.js';

/** Answer of GET /auth/me, and of a sign-up or sign-in with a password. */
export const sessionAnswer = z.object({ id: z.uuid(), email: z.string(), displayName: z.string() });
export type SessionAnswer = z.infer<typeof sessionAnswer>;

/** The account's SID in the Twilio-compatible API: `AC` and the 32 hex digits of its id. */
export function accountSidOf(accountId: string): string {
  return `AC${accountId.replaceAll('-', '')}`;
}

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

/** Body of POST /auth/forgot-password. */
export const forgotPasswordBody = z.object({ email: field });
export type ForgotPasswordBody = z.infer<typeof forgotPasswordBody>;

/** Body of POST /auth/reset-password, with the token of the link in the email. */
export const resetPasswordBody = z.object({ token: field, password: field });
export type ResetPasswordBody = z.infer<typeof resetPasswordBody>;

/** Body of POST /auth/password: the signed-in user's password and the new one. */
export const changePasswordBody = z.object({ current: field, password: field });
export type ChangePasswordBody = z.infer<typeof changePasswordBody>;

/** Body of POST /auth/verify-email, with the token of the link in the email. */
export const verifyEmailBody = z.object({ token: z.string() });
export type VerifyEmailBody = z.infer<typeof verifyEmailBody>;

/**
 * Body of POST /api/welcomeemail. The email goes to the address of the session; `to` must equal it
 * if present.
 */
export const welcomeEmailBody = z.object({ to: z.string().max(320).optional() });
export type WelcomeEmailBody = z.infer<typeof welcomeEmailBody>;

/** Text of the error `mail_failed`, which the dashboard also shows after a first sign-in. */
export const welcomeEmailFailed = 'There was an error sending the email. Please try again.';

/**
 * Answer of GET /api/dashboard/welcome. `emailFailed`: the welcome email could not be sent.
 * `hadFreeCredits`: no free credits, because the person got them for another account.
 */
export const welcomeAnswer = z.object({ emailFailed: z.boolean(), hadFreeCredits: z.boolean() });
export type WelcomeAnswer = z.infer<typeof welcomeAnswer>;

/** Answer of POST /api/welcomeemail. */
export const welcomeEmailAnswer = z.object({ success: z.literal('true'), message: z.string() });
export type WelcomeEmailAnswer = z.infer<typeof welcomeEmailAnswer>;

/** Number of scheduled messages canceled with the key that ended. */
const canceledWithKey = { canceled: z.int().nonnegative().optional() };

const earlierKeys = z.array(
  z.object({ masked: z.string(), lastUsedAt: z.iso.datetime().nullable(), expiresAt: z.iso.datetime() }),
);

/**
 * Answer of /api/dashboard/key…: the current API key in clear text and masked, and earlier ones
 * that are still valid.
 */
export const keysAnswer = z.object({
  apiKey: z.string(),
  masked: z.string(),
  createdAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime().nullable(),
  /** Network address of the last use. */
  lastUsedAddress: z.string().nullable(),
  earlier: earlierKeys,
  ...canceledWithKey,
});
export type KeysAnswer = z.infer<typeof keysAnswer>;

/**
 * Body of POST /api/dashboard/key/rotate and /api/dashboard/keys/{id}/rotate: 0 ends the old secret
 * at once. `cancel_scheduled` cancels the key's scheduled messages.
 */
export const rotateKeyBody = z.object({
  keepOldForHours: z.int().min(0).max(limits.oldKeyHoursMax),
  cancel_scheduled: z.boolean().default(false),
});
export type RotateKeyBody = z.input<typeof rotateKeyBody>;

/** Query of DELETE /api/dashboard/keys/{id}, as {@link rotateKeyBody}. */
export const revokeKeyQuery = z.object({
  cancel_scheduled: z
    .enum(['true', 'false'])
    .default('false')
    .transform((text) => text === 'true'),
});
export type RevokeKeyQuery = z.infer<typeof revokeKeyQuery>;

/**
 * Answer of GET /api/dashboard/key/scheduled and /api/dashboard/keys/{id}/scheduled: messages that
 * wait for their time.
 */
export const keyScheduledAnswer = z.object({ messages: z.int().nonnegative() });
export type KeyScheduledAnswer = z.infer<typeof keyScheduledAnswer>;

/**
 * Purposes of a named key: the calls of `sendsms`, of one-time passwords, of messages and balance,
 * of webhooks, of numbers and pools.
 */
export const keyScopes = ['send', 'otp', 'read', 'webhooks', 'numbers'] as const;
export type KeyScope = (typeof keyScopes)[number];

const budget = z.int().min(1).max(limits.keyCreditsMax).nullable();

/**
 * Body of PUT /api/dashboard/keys/{id}: the limits of a named key. Empty lists and nulls are no
 * limits. `addresses` are addresses or CIDR ranges, `countries` ISO 3166-1 alpha-2 codes of
 * regions; days and months are in New York time.
 */
export const namedKeyBody = z.object({
  name: typedName(limits.keyNameCharactersMax),
  scopes: z.array(z.enum(keyScopes)).min(1).max(keyScopes.length),
  addresses: z.array(z.string().max(64)).max(limits.keyAddressesMax),
  countries: z.array(z.string().length(2)).max(250),
  creditsPerDay: budget,
  creditsPerMonth: budget,
  messagesPerSecond: z.int().min(1).max(limits.keyMessagesPerSecondMax).nullable(),
  expiresAt: z.iso.datetime().nullable(),
});
export type NamedKeyBody = z.infer<typeof namedKeyBody>;

/**
 * Body of POST /api/dashboard/keys. Test keys are checked like live ones; they send, store and
 * charge nothing.
 */
export const createKeyBody = namedKeyBody.extend({ mode: z.enum(['live', 'test']) });
export type CreateKeyBody = z.infer<typeof createKeyBody>;

/**
 * A named key. `spent…` are the credits charged while it had a budget; refunds do not lower them.
 */
export const namedKeyView = createKeyBody.extend({
  id: z.uuid(),
  masked: z.string(),
  isExpired: z.boolean(),
  /** True for the key of the documentation's samples. */
  forSamples: z.boolean(),
  /** The product whose calls the key sends; null for a key of a program. */
  plug: z.enum(plugProducts).nullable(),
  spentToday: z.int().nonnegative(),
  spentThisMonth: z.int().nonnegative(),
  createdAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime().nullable(),
  lastUsedAddress: z.string().nullable(),
  /** Replaced secrets that still work. */
  earlier: earlierKeys,
});
export type NamedKeyView = z.infer<typeof namedKeyView>;

/** Answer of /api/dashboard/keys…: newest first. */
export const namedKeysAnswer = z.object({ keys: z.array(namedKeyView), ...canceledWithKey });
export type NamedKeysAnswer = z.infer<typeof namedKeysAnswer>;

/**
 * Answer of POST /api/dashboard/keys and of a rotation. The secret is stored hashed and never shown
 * again.
 */
export const namedKeySecretAnswer = namedKeysAnswer.extend({ secret: z.string() });
export type NamedKeySecretAnswer = z.infer<typeof namedKeySecretAnswer>;

/** Body of PUT /api/dashboard/webhook-url; '' or the default turns receiving off. */
export const webhookUrlBody = z.object({ webhookUrl: z.string() });
export type WebhookUrlBody = z.infer<typeof webhookUrlBody>;

/** Answer of GET and PUT /api/dashboard/webhook-url: the default URL if none is set. */
export const webhookUrlAnswer = z.object({ webhookUrl: z.string(), receiving: z.boolean() });
export type WebhookUrlAnswer = z.infer<typeof webhookUrlAnswer>;

/**
 * GET /api/dashboard/reader-key: the test key of the signed-in account for the samples of the
 * documentation; null if signed out.
 */
export const readerKeyAnswer = z.object({ testKey: z.string().nullable() });
export type ReaderKeyAnswer = z.infer<typeof readerKeyAnswer>;

/**
 * GET /api/dashboard/reader-balance: credits of the signed-in account for the header of public
 * pages; null if signed out.
 */
export const readerBalanceAnswer = z.object({ balance: z.int().nullable() });
export type ReaderBalanceAnswer = z.infer<typeof readerBalanceAnswer>;

/** Email notices that a user can turn off. */
export const noticeKinds = [
  'new_device',
  'key_changed',
  'webhook_changed',
  'webhook_failing',
  'payment_disputed',
] as const;
export type NoticeKind = (typeof noticeKinds)[number];

/** Body of PUT /api/dashboard/notices: the notices to send. */
export const noticesBody = z.object({ notices: z.array(z.enum(noticeKinds)).max(noticeKinds.length) });
export type NoticesBody = z.infer<typeof noticesBody>;

/**
 * Body of PUT /api/dashboard/countries: the countries to which no messages are sent, by ISO 3166-1
 * alpha-2 code.
 */
export const countriesBody = z.object({
  disabledCountries: z.array(z.enum(regions.map(({ iso2 }) => iso2))).max(regions.length),
});
export type CountriesBody = z.infer<typeof countriesBody>;

/** Answer of GET /api/dashboard/account. `signInType` decides how the user signs in again. */
export const accountAnswer = z.object({
  email: z.string(),
  displayName: z.string(),
  signInType: z.enum(['google', 'custom']),
  /** True if the user has proved to read the address; Google vouches for its users. */
  emailVerified: z.boolean(),
  createdAt: z.iso.datetime(),
  /** The email notices that are sent. */
  notices: z.array(z.enum(noticeKinds)),
  /** ISO 3166-1 alpha-2 codes of the countries to which the account sends no messages. */
  disabledCountries: z.array(z.string()),
  /** Time of the account's erasure, if its owner has asked for it. */
  deleteAt: z.iso.datetime().nullable(),
});
export type AccountAnswer = z.infer<typeof accountAnswer>;

/**
 * Body of POST /api/dashboard/account/delete: the account's own address, so that it is not deleted
 * by mistake.
 */
export const deleteAccountBody = z.object({ email: z.string() });
export type DeleteAccountBody = z.infer<typeof deleteAccountBody>;

/**
 * A browser in which the user is signed in. `device` is empty when the browser did not name itself.
 */
export const sessionView = z.object({
  id: z.uuid(),
  device: z.string(),
  address: z.string(),
  method: z.enum(['google', 'password']),
  startedAt: z.iso.datetime(),
  /** Accurate to some minutes. */
  lastSeenAt: z.iso.datetime(),
  /** True for the asking session. */
  current: z.boolean(),
});
export type SessionView = z.infer<typeof sessionView>;

/**
 * Answer of GET /api/dashboard/sessions and of calls that end sessions: the asking session first,
 * then by last use.
 */
export const sessionsAnswer = z.object({ sessions: z.array(sessionView) });
export type SessionsAnswer = z.infer<typeof sessionsAnswer>;
