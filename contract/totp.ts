import { z } from 'zod';
import { limits } from './limits.js';

const text = z.string().nullish();
const instant = z.iso.datetime();
const count = z.int().nonnegative();
const totpId = z.string().length(34);

/** Results of verifying a code of an authenticator app, or a recovery code. */
export const totpStatuses = ['verified', 'wrong', 'used', 'locked'] as const;
export type TotpStatus = (typeof totpStatuses)[number];

/** Kinds of codes that an authenticator accepts. */
export const totpMethods = ['app', 'recovery_code'] as const;
export type TotpMethod = (typeof totpMethods)[number];

/**
 * Body of POST /api/totp, JSON or form-encoded. Only types are checked here: values are checked by rules. Unknown
 * fields are ignored.
 */
export const createTotpBody = z.object({ label: text, issuer: text, apikey: text });

/** Body of POST /api/totp/{totp_id}/verify, JSON or form-encoded. `code`: of the app, or a recovery code. */
export const verifyTotpBody = z.object({ code: text, apikey: text });

/** Body of POST /api/totp/{totp_id}/recovery-codes, and query of the calls without a body. */
export const totpQuery = z.object({ apikey: z.string().optional() });

/** Query of GET /api/totp. */
export const totpsQuery = totpQuery.extend({ cursor: z.string().optional() });
export type TotpsQuery = z.infer<typeof totpsQuery>;

/**
 * An authenticator without its secrets. `verified_at` is when a code of the app was accepted first, `last_used_at`
 * when any code was accepted last. `locked_until` is null unless it is locked now. Instants are ISO 8601 in UTC.
 */
export const totpView = z.object({
  totp_id: totpId,
  label: z.string(),
  issuer: z.string().nullable(),
  created_at: instant,
  verified_at: instant.nullable(),
  last_used_at: instant.nullable(),
  attempts_left: count,
  locked_until: instant.nullable(),
  recovery_codes_left: count,
});
export type TotpView = z.infer<typeof totpView>;

const test = z.literal(true).optional();

/** Answer of POST /api/totp. `secret`, `otpauth_url` and `qr_svg` are shown once. */
export const createTotpAnswer = z.object({
  success: z.literal('true'),
  totp_id: totpId,
  label: z.string(),
  issuer: z.string().nullable(),
  secret: z.string(),
  otpauth_url: z.string(),
  qr_svg: z.string(),
  created_at: instant,
  test,
});
export type CreateTotpAnswer = z.infer<typeof createTotpAnswer>;

/**
 * Answer 200 of POST /api/totp/{totp_id}/verify. `method` is the kind of code that was verified or used before; null
 * for other results. `attempts_left`: wrong tries until the authenticator is locked.
 */
export const verifyTotpAnswer = z.object({
  success: z.literal('true'),
  totp_id: totpId,
  status: z.enum(totpStatuses),
  method: z.enum(totpMethods).nullable(),
  attempts_left: count,
  locked_until: instant.nullable(),
  recovery_codes_left: count,
  test,
});
export type VerifyTotpAnswer = z.infer<typeof verifyTotpAnswer>;

/** Answer of POST /api/totp/{totp_id}/recovery-codes. The codes are shown once, and replace earlier ones. */
export const recoveryCodesAnswer = z.object({
  success: z.literal('true'),
  totp_id: totpId,
  recovery_codes: z.array(z.string()).length(limits.totpRecoveryCodes),
  test,
});
export type RecoveryCodesAnswer = z.infer<typeof recoveryCodesAnswer>;

/** Answer of GET /api/totp/{totp_id}. */
export const totpAnswer = totpView.extend({ success: z.literal('true'), test });
export type TotpAnswer = z.infer<typeof totpAnswer>;

/** Answer of GET /api/totp: newest first; `next_cursor` is null on the last page. */
export const totpsAnswer = z.object({
  success: z.literal('true'),
  totps: z.array(totpView).max(limits.totpsPageSize),
  next_cursor: z.string().nullable(),
  test,
});
export type TotpsAnswer = z.infer<typeof totpsAnswer>;

/** Answer of DELETE /api/totp/{totp_id}. */
export const totpDeletedAnswer = z.object({
  success: z.literal('true'),
  totp_id: totpId,
  deleted: z.literal(true),
  test,
});
export type TotpDeletedAnswer = z.infer<typeof totpDeletedAnswer>;
