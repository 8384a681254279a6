import { z } from 'zod';

// Twilio's API description api_v2010 (twilio-oai, version 1.0.0 of November 2026) and, for what it
// posts, the pages on its request to a webhook and on status callbacks. Twilio may add posted
// fields; a product must accept any.

const text = z.string();
const whole = z.int();
const accountSid = z.string().regex(/^AC[0-9a-fA-F]{32}$/);
const messageSid = z.string().regex(/^(SM|MM)[0-9a-fA-F]{32}$/);
const serviceSid = z.string().regex(/^MG[0-9a-fA-F]{32}$/);
/** RFC 2822 in UTC: `Thu, 24 Aug 2023 05:01:45 +0000`. */
const rfc2822 = z.string().regex(/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} \+0000$/);
const digits = z.string().regex(/^\d+$/);
const path = z.string().startsWith('/2010-04-01/Accounts/');

const status = z.enum([
  'queued',
  'sending',
  'sent',
  'failed',
  'delivered',
  'undelivered',
  'receiving',
  'received',
  'accepted',
  'scheduled',
  'read',
  'partially_delivered',
  'canceled',
]);

export const message = z.strictObject({
  account_sid: accountSid.nullable(),
  api_version: text.nullable(),
  body: text.nullable(),
  date_created: rfc2822.nullable(),
  date_sent: rfc2822.nullable(),
  date_updated: rfc2822.nullable(),
  direction: z.enum(['inbound', 'outbound-api', 'outbound-call', 'outbound-reply']),
  error_code: whole.nullable(),
  error_message: text.nullable(),
  from: text.nullable(),
  messaging_service_sid: serviceSid.nullable(),
  num_media: digits.nullable(),
  num_segments: digits.nullable(),
  price: text.nullable(),
  price_unit: text.nullable(),
  sid: messageSid.nullable(),
  status,
  subresource_uris: z.record(z.string(), path).nullable(),
  to: text.nullable(),
  uri: path.nullable(),
});

export const messagePage = z.strictObject({
  end: whole,
  first_page_uri: path,
  messages: z.array(message),
  next_page_uri: path.nullable(),
  page: whole,
  page_size: whole,
  previous_page_uri: path.nullable(),
  start: whole,
  uri: path,
});

/**
 * From the page "Error and warning dictionary" and the SDK's RestException; not in the description.
 */
export const error = z.strictObject({
  code: whole.min(20_000).max(99_999),
  message: text.min(1),
  more_info: z.url(),
  status: whole.min(400).max(599),
});

export const statusCallback = z.strictObject({
  AccountSid: accountSid,
  ApiVersion: z.literal('2010-04-01'),
  ErrorCode: digits.optional(),
  From: text,
  MessageSid: messageSid,
  MessageStatus: status,
  MessagingServiceSid: serviceSid.optional(),
  RawDlrDoneDate: digits.optional(),
  SmsSid: messageSid,
  SmsStatus: status,
  To: text,
});

/** Fields of a channel, as on the page "Track the message status of outbound messages". */
export const whatsAppCallback = statusCallback.extend({
  ChannelInstallSid: z.string().regex(/^XE[0-9a-f]{32}$/),
  ChannelPrefix: z.literal('whatsapp'),
  ChannelToAddress: text,
  EventType: z.enum(['DELIVERED', 'READ']).optional(),
});

const callSid = z.string().regex(/^CA[0-9a-fA-F]{32}$/);
const callStatus = z.enum(['queued', 'ringing', 'in-progress', 'completed', 'busy', 'failed', 'no-answer', 'canceled']);

/** The schema `api.v2010.account.call`, and `annotation` of the page on the Call resource. */
export const call = z.strictObject({
  account_sid: accountSid.nullable(),
  annotation: text.nullable(),
  answered_by: text.nullable(),
  api_version: text.nullable(),
  caller_name: text.nullable(),
  date_created: rfc2822.nullable(),
  date_updated: rfc2822.nullable(),
  direction: text.nullable(),
  duration: digits.nullable(),
  end_time: rfc2822.nullable(),
  forwarded_from: text.nullable(),
  from: text.nullable(),
  from_formatted: text.nullable(),
  group_sid: text.nullable(),
  parent_call_sid: callSid.nullable(),
  phone_number_sid: text.nullable(),
  price: text.nullable(),
  price_unit: text.nullable(),
  queue_time: digits.nullable(),
  sid: callSid.nullable(),
  start_time: rfc2822.nullable(),
  status: callStatus,
  subresource_uris: z.record(z.string(), path).nullable(),
  to: text.nullable(),
  to_formatted: text.nullable(),
  trunk_sid: text.nullable(),
  uri: path.nullable(),
});

export const callPage = z.strictObject({
  calls: z.array(call),
  end: whole,
  first_page_uri: path,
  next_page_uri: path.nullable(),
  page: whole,
  page_size: whole,
  previous_page_uri: path.nullable(),
  start: whole,
  uri: path,
});

/** "Status callback request parameters" of the Call resource, without places. */
export const callProgress = z.strictObject({
  AccountSid: accountSid,
  AnsweredBy: z
    .enum(['human', 'machine_start', 'machine_end_beep', 'machine_end_silence', 'machine_end_other', 'fax', 'unknown'])
    .optional(),
  ApiVersion: z.literal('2010-04-01'),
  CallDuration: digits.optional(),
  CallSid: callSid,
  CallStatus: z.enum([...callStatus.options, 'initiated']),
  CallbackSource: z.literal('call-progress-events'),
  Called: text,
  Caller: text,
  Direction: z.literal('outbound-api'),
  Duration: digits.optional(),
  From: text,
  SequenceNumber: digits,
  SipResponseCode: z
    .string()
    .regex(/^[2-6]\d\d$/)
    .optional(),
  Timestamp: rfc2822,
  To: text,
});

export const inboundMessage = z.strictObject({
  AccountSid: accountSid,
  ApiVersion: z.literal('2010-04-01'),
  Body: text,
  From: text,
  FromCity: text,
  FromCountry: text,
  FromState: text,
  FromZip: text,
  MessageSid: messageSid,
  MessagingServiceSid: serviceSid.optional(),
  NumMedia: digits,
  NumSegments: digits,
  OptOutType: z.enum(['STOP', 'START', 'HELP']).optional(),
  SmsMessageSid: messageSid,
  SmsSid: messageSid,
  SmsStatus: z.literal('received'),
  To: text,
  ToCity: text,
  ToCountry: text,
  ToState: text,
  ToZip: text,
});

/** Lists the violations of a table, one line each with the path of the field. */
export function describeIssues(kind: string, table: z.ZodType, value: unknown): string[] {
  const { error: problem } = table.safeParse(value);
  return (problem?.issues ?? []).map(({ path: at, message: words }) => `${[kind, ...at].join('.')}: ${words}`);
}
