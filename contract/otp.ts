import { z } from 'zod';
import { limits } from './limits.js';
import { otpStatuses } from './otp-statuses.js';
import { sendSmsAnswer } from './messages.js';

const text = z.string().nullish();
/** Forms send numbers as text. */
const number = z.union([z.string(), z.number()]).nullish();
const { otpOrgCharactersMax, referenceCharactersMax } = limits;

/**
 * Body of POST /api/sendotp, JSON or form-encoded. Only types are checked here: values are checked by rules, and missing fields
 * are the next case of the error table. Unknown fields are ignored.
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
  reference: z.string().max(referenceCharactersMax).nullish(),
});
export type SendOtpBody = z.infer<typeof sendOtpBody>;

/** Answer 200 of POST /api/sendotp, the same as of POST /api/sendsms. */
export const sendOtpAnswer = sendSmsAnswer;
export type SendOtpAnswer = z.infer<typeof sendOtpAnswer>;

/** Body of POST /api/verifyotp, JSON or form-encoded. */
export const verifyOtpBody = z.object({ otp: text, apikey: text, to: text });
export type VerifyOtpBody = z.infer<typeof verifyOtpBody>;

/**
 * Answer 200 of POST /api/verifyotp as JSON. `expires_at` is when the code expires or has expired, ISO 8601 in UTC.
 * `attempts_left` is present if `to` was sent and has a live code, or had one until this try.
 */
export const verifyOtpAnswer = z.object({
  status: z.enum(otpStatuses),
  expires_at: z.iso.datetime().optional(),
  attempts_left: z.int().nonnegative().optional(),
});
export type VerifyOtpAnswer = z.infer<typeof verifyOtpAnswer>;
