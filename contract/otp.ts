import { z } from 'zod';
import { limits } from './limits.js';
import { otpStates, otpStatuses } from './otp-statuses.js';
import { sendSmsAnswer } from './messages.js';

const text = z.string().nullish();
/** Forms send numbers as text. */
const number = z.union([z.string(), z.number()]).nullish();
const instant = z.iso.datetime();
const otpId = z.string().length(34);
const { otpDeviceCharactersMax, otpOrgCharactersMax, referenceCharactersMax } = limits;

/**
 * Body of POST /api/sendotp, JSON or form-encoded. Only types are checked here: values are checked
 * by rules, and missing fields are the next case of the error table. Unknown fields are ignored.
 */
export const sendOtpBody = z.object({
  to: text,
  apikey: text,
  org: z
    .string()
    .refine((org) => [...org].length <= otpOrgCharactersMax, `Too long: at most ${otpOrgCharactersMax} characters`)
    .nullish(),
  limit: number,
  length: number,
  domain: text,
  ip: text,
  device: z.string().max(otpDeviceCharactersMax).nullish(),
  reference: z.string().max(referenceCharactersMax).nullish(),
});
export type SendOtpBody = z.infer<typeof sendOtpBody>;

/**
 * Answer 200 of POST /api/sendotp and /api/resendotp: that of POST /api/sendsms, and the state of
 * the code. `next_resend_at` is null when the code cannot be sent again.
 */
export const sendOtpAnswer = sendSmsAnswer.omit({ message: true, deduplicated: true }).extend({
  otp_id: otpId,
  expires_at: instant,
  next_resend_at: instant.nullable(),
  attempts_left: z.int().nonnegative(),
});
export type SendOtpAnswer = z.infer<typeof sendOtpAnswer>;

/** Body of POST /api/resendotp, JSON or form-encoded. */
export const resendOtpBody = z.object({ otp_id: text, apikey: text });

/** Body of POST /api/verifyotp, JSON or form-encoded. */
export const verifyOtpBody = z.object({ otp: text, apikey: text, to: text, otp_id: text });

/**
 * Answer 200 of POST /api/verifyotp as JSON. `to` and `otp_id` name what was verified. `expires_at`
 * is when the code expires or has expired, ISO 8601 in UTC. `attempts_left` is present if `to` or
 * `otp_id` was sent and names a code that is live, or was until this try.
 */
export const verifyOtpAnswer = z.object({
  status: z.enum(otpStatuses),
  to: z.string().optional(),
  otp_id: otpId.optional(),
  expires_at: instant.optional(),
  attempts_left: z.int().nonnegative().optional(),
});
export type VerifyOtpAnswer = z.infer<typeof verifyOtpAnswer>;

/** Query of GET /api/otps/{otp_id}; `apikey` replaces `Authorization: Bearer`. */
export const otpQuery = z.object({ apikey: z.string().optional() });

/**
 * Answer of GET /api/otps/{otp_id}. `message_id` is the latest message with the code. Instants are
 * ISO 8601 in UTC.
 */
export const otpAnswer = z.object({
  success: z.literal('true'),
  otp_id: otpId,
  status: z.enum(otpStates),
  to: z.string(),
  message_id: z.string().length(34).nullable(),
  reference: z.string().nullable(),
  attempts_left: z.int().nonnegative(),
  resends_left: z.int().nonnegative(),
  next_resend_at: instant.nullable(),
  created_at: instant,
  expires_at: instant.nullable(),
  ended_at: instant.nullable(),
  test: z.literal(true).optional(),
});
export type OtpAnswer = z.infer<typeof otpAnswer>;

/** A rule of the fraud guard: at most `sends_max` messages by what it counts within the window. */
export const otpRule = z.object({
  rule: z.string(),
  counts: z.enum(['recipient', 'ip', 'device', 'block']),
  sends_max: z.int().positive(),
  window_seconds: z.int().positive(),
  /** With it the rule counts codes, and refuses only while fewer of them are verified. */
  verified_percent_min: z.int().nullable(),
});

/**
 * Refusals by one rule. `open`: it still refuses. `verified` is null for a rule that does not count
 * verified codes.
 */
export const otpBlock = z.object({
  otp_id: z.string().length(34),
  rule: z.string(),
  to: z.string(),
  country: z.string(),
  /** The country calling code and the next seven digits. */
  block: z.string(),
  sent: z.int().nonnegative(),
  verified: z.int().nonnegative().nullable(),
  refused: z.int().positive(),
  open: z.boolean(),
  first_at: instant,
  last_at: instant,
});

/**
 * The rules, and what they refused within the last hour. `next_reset_at` is null when the guard can
 * be reset now.
 */
export const otpGuardState = z.object({
  suspicious: z.boolean(),
  rules: z.array(otpRule),
  blocked: z.array(otpBlock),
  reset_at: instant.nullable(),
  next_reset_at: instant.nullable(),
});
export type OtpGuardState = z.infer<typeof otpGuardState>;

/** Answer of GET /api/otp/guard. */
export const otpGuardAnswer = otpGuardState.extend({ success: z.literal('true'), test: z.literal(true).optional() });
export type OtpGuardAnswer = z.infer<typeof otpGuardAnswer>;

/** Body of PUT /api/dashboard/otp. */
export const otpSettingsBody = z.object({ recipientRequired: z.boolean() });
export type OtpSettingsBody = z.infer<typeof otpSettingsBody>;

/**
 * Answer of GET and PUT /api/dashboard/otp. `recipientRequired`: verifyotp needs `to` or `otp_id`.
 */
export const otpSettingsAnswer = otpSettingsBody.extend({ guard: otpGuardState });
export type OtpSettingsAnswer = z.infer<typeof otpSettingsAnswer>;
