import { z } from 'zod';

const instant = z.iso.datetime();

/** A rule of the fraud guard: at most `sends_max` messages by what it counts within the window. */
export const otpRule = z.object({
  rule: z.string(),
  counts: z.enum(['recipient', 'ip', 'device', 'block']),
  sends_max: z.int().positive(),
  window_seconds: z.int().positive(),
  /** With it the rule counts codes, and refuses only while fewer of them are verified. */
  verified_percent_min: z.int().nullable(),
});

/** Refusals by one rule. `open`: it still refuses. `verified` is null for a rule that does not count verified codes. */
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

/** The rules, and what they refused within the last hour. `next_reset_at` is null when the guard can be reset now. */
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

/** Answer of GET and PUT /api/dashboard/otp. `recipientRequired`: verifyotp needs `to` or `otp_id`. */
export const otpSettingsAnswer = otpSettingsBody.extend({ guard: otpGuardState });
export type OtpSettingsAnswer = z.infer<typeof otpSettingsAnswer>;
