import { z } from 'zod';
import { regions } from './regions.js';

/** E-mail notices that a user can turn off. */
export const noticeKinds = ['new_device', 'key_changed', 'webhook_changed', 'payment_disputed'] as const;
export type NoticeKind = (typeof noticeKinds)[number];

/** Body of PUT /api/dashboard/notices: the notices to send. */
export const noticesBody = z.object({ notices: z.array(z.enum(noticeKinds)).max(noticeKinds.length) });
export type NoticesBody = z.infer<typeof noticesBody>;

/** Body of PUT /api/dashboard/countries: the countries to which no messages are sent, by ISO 3166-1 alpha-2 code. */
export const countriesBody = z.object({
  disabledCountries: z.array(z.enum(regions.map(({ iso2 }) => iso2))).max(regions.length),
});
export type CountriesBody = z.infer<typeof countriesBody>;

/** Answer of GET /api/dashboard/account. `signInType` decides how the user signs in again. */
export const accountAnswer = z.object({
  email: z.string(),
  displayName: z.string(),
  signInType: z.enum(['google', 'custom']),
  /** Whether the user has proved to read the address; Google vouches for its users. */
  emailVerified: z.boolean(),
  createdAt: z.iso.datetime(),
  /** The e-mail notices that are sent. */
  notices: z.array(z.enum(noticeKinds)),
  /** ISO 3166-1 alpha-2 codes of the countries to which the account sends no messages. */
  disabledCountries: z.array(z.string()),
  /** When the account is erased, if its owner has asked for it. */
  deleteAt: z.iso.datetime().nullable(),
});
export type AccountAnswer = z.infer<typeof accountAnswer>;

/** Body of POST /api/dashboard/account/delete: the account's own address, so that it is not deleted by mistake. */
export const deleteAccountBody = z.object({ email: z.string() });
export type DeleteAccountBody = z.infer<typeof deleteAccountBody>;

/** A browser in which the user is signed in. `device` and `method` are unknown for sessions of an earlier release. */
export const sessionView = z.object({
  id: z.uuid(),
  device: z.string(),
  address: z.string(),
  method: z.enum(['google', 'password']).nullable(),
  startedAt: z.iso.datetime(),
  /** Accurate to some minutes. */
  lastSeenAt: z.iso.datetime(),
  /** The session that asks. */
  current: z.boolean(),
});
export type SessionView = z.infer<typeof sessionView>;

/** Answer of GET /api/dashboard/sessions, the asking one first, then by last use, and of the calls that end sessions. */
export const sessionsAnswer = z.object({ sessions: z.array(sessionView) });
export type SessionsAnswer = z.infer<typeof sessionsAnswer>;
