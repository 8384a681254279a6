import { z } from 'zod';
import { deliverabilityDays } from './deliverability.js';
import { limits } from './limits.js';
import { callLanguages, otpChannels, otpChannelsBody, otpStep } from './otp-channels.js';
import { otpStates, otpStatuses } from './otp-statuses.js';
import { messageReason, messageStatuses, sendSmsAnswer, sendSmsBody } from './messages.js';

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
  code: number,
  limit: number,
  length: number,
  domain: text,
  ip: text,
  device: z.string().max(otpDeviceCharactersMax).nullish(),
  reference: z.string().max(referenceCharactersMax).nullish(),
  channels: otpChannelsBody,
  ...sendSmsBody.pick({ from: true, delivery: true, hedge_seconds: true, max_credits: true }).shape,
});
export type SendOtpBody = z.infer<typeof sendOtpBody>;

/** Channel of the latest message of a code, and the channel that is tried next, if there is one. */
const channelFields = {
  channel: z.enum(otpChannels),
  next_channel: z.enum(otpChannels).nullable(),
  next_channel_at: instant.nullable(),
};

/**
 * Answer 200 of POST /api/sendotp and /api/resendotp: the fields of POST /api/sendsms, and the
 * state of the code. `next_resend_at` is null when the code cannot be sent again. `managed` is present for a code that
 * the caller has made: it is not ours to verify or to send again. The fields of channels are present for a code with
 * `channels`; `credits_max` is the price of all its steps together.
 */
export const sendOtpAnswer = sendSmsAnswer.omit({ message: true, kind: true, media: true, deduplicated: true }).extend({
  otp_id: otpId,
  expires_at: instant,
  next_resend_at: instant.nullable(),
  attempts_left: z.int().nonnegative(),
  managed: z.literal(false).optional(),
  ...z.object(channelFields).partial().shape,
  credits_max: z.int().positive().optional(),
});
export type SendOtpAnswer = z.infer<typeof sendOtpAnswer>;

/**
 * Answer 200 of POST /api/quote to the body of POST /api/sendotp with `channels`, whose prices in credits it has in
 * order: `credits` is the price of the first, `credits_max` of all together. `balance_after` is after `credits_max`;
 * null if the spendable balance is too small. Nothing promises the price: `max_credits` of the code bounds it.
 */
export const otpQuoteAnswer = z.object({
  success: z.literal('true'),
  channels: z.array(z.object({ channel: z.enum(otpChannels), credits: z.int().positive() })).max(limits.otpStepsMax),
  credits: z.int().positive(),
  credits_max: z.int().positive(),
  country: z.string(),
  balance: z.int().nonnegative(),
  balance_after: z.int().nonnegative().nullable(),
  test: z.literal(true).optional(),
});
export type OtpQuoteAnswer = z.infer<typeof otpQuoteAnswer>;

/** Body of POST /api/resendotp, JSON or form-encoded. */
export const resendOtpBody = z.object({ otp_id: text, apikey: text, channel: z.enum(otpChannels).nullish() });

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

/** Names the account's own key, which has no id, among the keys of a list's filter. */
export const ACCOUNT_KEY_NAME = 'account';

/** ISO 3166-1 alpha-2, in any letter case. */
const country = z
  .string()
  .regex(/^[A-Za-z]{2}$/, 'must be an ISO 3166-1 alpha-2 code, such as US')
  .transform((code) => code.toUpperCase());

/** An empty field of a form or an address is no filter. */
const unlessEmpty = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema.optional());

const keyId = z.union([z.uuid(), z.literal(ACCOUNT_KEY_NAME)], {
  error: `must be the id of a key, or "${ACCOUNT_KEY_NAME}" for the account's own key`,
});

/**
 * Query of GET /api/otps: the cursor and filters. `since` and `until` (exclusive) are RFC 3339 with
 * an offset.
 */
export const otpsQuery = otpQuery.extend({
  cursor: unlessEmpty(z.string()),
  to: unlessEmpty(z.string().max(limits.searchedNumberCharactersMax)),
  status: unlessEmpty(z.enum(otpStates)),
  channel: unlessEmpty(z.enum(otpChannels)),
  country: unlessEmpty(country),
  otp_id: unlessEmpty(z.string()),
  key_id: unlessEmpty(keyId),
  reference: unlessEmpty(z.string().max(referenceCharactersMax)),
  since: unlessEmpty(z.string()),
  until: unlessEmpty(z.string()),
});
export type OtpsQuery = z.infer<typeof otpsQuery>;

/** A message with a code. `status` is null if it was reserved and never accepted. */
const otpMessage = z.object({
  message_id: z.string().length(34),
  status: z.enum(messageStatuses).nullable(),
  reason: messageReason.nullable(),
  created_at: instant,
  sent_at: instant.nullable(),
  finished_at: instant.nullable(),
});
export type OtpMessageView = z.infer<typeof otpMessage>;

/**
 * A code as its account sees it, never its digits. `message_id` is the latest of its `messages`,
 * which are in order; a code refused by the fraud guard has none, and `blocked_by` names the rule.
 * `delivered_at` is the first delivery of any of them. `attempts` includes the right one. `key_id`
 * is null for the account's own key. `steps` are its messages with their channels, and steps that were refused.
 * `entered_step` is the step after which the right code was entered: the latest that a carrier had taken, because the
 * code is the same in all. Instants are ISO 8601 in UTC.
 */
export const otpView = z.object({
  otp_id: otpId,
  status: z.enum(otpStates),
  to: z.string(),
  country: z.string(),
  message_id: z.string().length(34).nullable(),
  messages: z.array(otpMessage).max(limits.otpStepsMax + limits.otpResendWaitsSeconds.length),
  delivered_at: instant.nullable(),
  reference: z.string().nullable(),
  attempts: z.int().nonnegative(),
  attempts_left: z.int().nonnegative(),
  resends_left: z.int().nonnegative(),
  next_resend_at: instant.nullable(),
  key_id: z.string().nullable(),
  key_name: z.string().nullable(),
  blocked_by: z.string().nullable(),
  ...channelFields,
  steps: z.array(otpStep),
  entered_step: z.int().positive().nullable(),
  created_at: instant,
  last_attempt_at: instant.nullable(),
  verified_at: instant.nullable(),
  expires_at: instant.nullable(),
  ended_at: instant.nullable(),
});
export type OtpView = z.infer<typeof otpView>;

/** Answer of GET /api/otps/{otp_id}. */
export const otpAnswer = otpView.extend({ success: z.literal('true'), test: z.literal(true).optional() });
export type OtpAnswer = z.infer<typeof otpAnswer>;

/** Answer of GET /api/otps: newest first; `next_cursor` is null on the last page. */
export const otpsAnswer = z.object({
  success: z.literal('true'),
  otps: z.array(otpView).max(limits.otpsPageSize),
  next_cursor: z.string().nullable(),
  test: z.literal(true).optional(),
});
export type OtpsAnswer = z.infer<typeof otpsAnswer>;

const count = z.int().nonnegative();
/** `verified_percent` has one decimal, and is null when nothing was sent. */
const converted = { sent: count, verified: count, verified_percent: z.number().min(0).max(100).nullable() };

/**
 * Answer of GET /api/otp/conversion and /api/dashboard/otp/conversion: the codes sent on the New
 * York days `from` to `to`, and the number verified. A code counts once, however often it was sent
 * again. Countries are in order of their codes, days in order of time; days without codes are left
 * out. `channels` counts the steps of codes with `channels` that were begun, and those after which the code was
 * entered.
 */
export const otpConversionAnswer = z.object({
  success: z.literal('true'),
  from: z.iso.date(),
  to: z.iso.date(),
  ...converted,
  countries: z.array(z.object({ country: z.string(), ...converted })).max(limits.deliverabilityRowsMax),
  days: z.array(z.object({ day: z.iso.date(), ...converted })).max(limits.deliverabilityDaysMax),
  channels: z.array(z.object({ channel: z.enum(otpChannels), country: z.string(), ...converted })),
  test: z.literal(true).optional(),
});
export type OtpConversionAnswer = z.infer<typeof otpConversionAnswer>;

/**
 * Query of GET /api/dashboard/otps. `number`: a phone number or some of its digits. `text`: an
 * `otp_id`, the id of its first message, or a reference.
 */
export const otpLogQuery = deliverabilityDays.extend({
  number: unlessEmpty(z.string().max(limits.searchedNumberCharactersMax)),
  text: unlessEmpty(z.string().max(limits.searchCharactersMax)),
  status: unlessEmpty(z.enum(otpStates)),
  channel: unlessEmpty(z.enum(otpChannels)),
  country: unlessEmpty(country),
  key: unlessEmpty(keyId),
  cursor: unlessEmpty(z.string()),
});
export type OtpLogQuery = z.infer<typeof otpLogQuery>;

/** Answer of GET /api/dashboard/otps. A page of a search may have fewer codes, or none. */
export const otpLogAnswer = z.object({ otps: z.array(otpView), nextCursor: z.string().nullable() });
export type OtpLogAnswer = z.infer<typeof otpLogAnswer>;

/**
 * A rule of the fraud guard: at most `sends_max` messages within the window for each value of
 * `counts`.
 */
export const otpRule = z.object({
  rule: z.string(),
  counts: z.enum(['recipient', 'ip', 'device', 'block', 'call', 'caller']),
  sends_max: z.int().positive(),
  window_seconds: z.int().positive(),
  /** If set, the rule counts codes, and refuses only while fewer of them are verified. */
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
 * The rules, and their refusals of the last hour. `next_reset_at` is null when the guard can be
 * reset now.
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

/**
 * Settings of one-time passwords. `recipientRequired`: verifyotp needs `to` or `otp_id`. `channelsAfterStop`: codes may
 * go by other channels to a person who has said STOP to text messages.
 */
const otpSettings = z.object({
  recipientRequired: z.boolean(),
  channelsAfterStop: z.boolean(),
  callLanguage: z.enum(callLanguages),
});

/** Body of PUT /api/dashboard/otp; a missing setting does not change. */
export const otpSettingsBody = otpSettings.partial();
export type OtpSettingsBody = z.infer<typeof otpSettingsBody>;

/**
 * Answer of GET and PUT /api/dashboard/otp. `channels`: the channels that the operator has configured, with their
 * prices in credits. `voiceCountries`: names of the countries in which codes are spoken in calls.
 */
export const otpSettingsAnswer = otpSettings.extend({
  guard: otpGuardState,
  channels: z.array(z.object({ channel: z.enum(otpChannels), credits: z.int().positive() })),
  voiceCountries: z.array(z.string()),
});
export type OtpSettingsAnswer = z.infer<typeof otpSettingsAnswer>;
