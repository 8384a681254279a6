import type { BatchAnswer, BatchCanceledAnswer, BulkQuoteAnswer, BatchesAnswer, SendBulkAnswer } from './bulk.js';
import type { BalanceAnswer } from './credits.js';
import { errorText, publicCode, type ErrorCode } from './errors.js';
import type { DeliverabilityAnswer } from './deliverability.js';
import type { ExposureAnswer } from './exposure.js';
import { reasonOf } from './delivery-errors.js';
import type {
  FailureAnswer,
  FixedCall,
  MessageAnswer,
  MessagesAnswer,
  PriceQuoteAnswer,
  SendSmsAnswer,
} from './messages.js';
import { limits } from './limits.js';
import type { UploadMediaAnswer } from './message-media.js';
import type {
  AvailableNumbersAnswer,
  ChangedNumberAnswer,
  NumberAnswer,
  NumberBoughtAnswer,
  NumbersAnswer,
  NumberView,
  PoolAnswer,
  PoolDeletedAnswer,
  PoolsAnswer,
  PoolView,
} from './numbers.js';
import type { NotificationsAnswer } from './notifications.js';
import type { MessageRecordAnswer } from './message-record.js';
import type { OptOutsAnswer } from './opt-outs.js';
import type {
  OtpAnswer,
  OtpConversionAnswer,
  OtpGuardAnswer,
  OtpQuoteAnswer,
  OtpsAnswer,
  SendOtpAnswer,
  VerifyOtpAnswer,
} from './otp.js';
import type { QualityAnswer, RegionsAnswer, StatusAnswer } from './public-figures.js';
import { regions } from './regions.js';
import type { SpendAnswer } from './spend.js';
import type {
  CreateTotpAnswer,
  RecoveryCodesAnswer,
  TotpAnswer,
  TotpDeletedAnswer,
  TotpsAnswer,
  VerifyTotpAnswer,
} from './totp.js';
import type { ReceivedMessagePayload } from './webhooks.js';

/**
 * Example answers and events of the documentation. Types and a test check them against the
 * contract.
 */
const messageId = 'SM0199d0d07c5a7b1f8e0a4f6f2f9c1b3d';
const otpId = 'OT0199d0d07c5a7b1f8e0a4f6f2f9c1b3d';
const totpId = 'TP0199d0d07c5a7b1f8e0a4f6f2f9c1b3d';
const recipient = '+12025550142';
const numberId = 'num_0199d0d07c5a7b1f8e0a4f6f2f9c1b3d';
const poolId = 'pool_0199d0d07c5a7b1f8e0a4f6f2f9c1b3d';
const exampleNumber = '+12125550143';

export const balance: BalanceAnswer = { success: 'true', balance: 212, purchased: 253, used: 41 };

export const accepted: SendSmsAnswer = {
  success: 'true',
  message_id: messageId,
  segments: 1,
  credits: 1,
  encoding: 'GSM-7',
  balance: balance.balance,
};

const exampleFile = {
  media_id: 'ME0199d0d07c5a7b1f8e0a4f6f2f9c1b3d',
  type: 'image/jpeg',
  bytes: 184_302,
  sha256: '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824',
};
const exampleSignature = '4kKvN7xI0VniQq83vEjRWeJCrze8SNFZ4kKvN7xI0Vk';
const exampleLink = `https://pennytext.example/m/${exampleFile.media_id}?e=1773336031&s=${exampleSignature}`;

export const uploadedMedia: UploadMediaAnswer = {
  success: 'true',
  ...exampleFile,
  expires_at: '2026-04-04T17:20:31.418Z',
};

export const acceptedMms: SendSmsAnswer = {
  ...accepted,
  credits: limits.mmsCreditsDefault,
  kind: 'mms',
  media: [{ ...exampleFile, url: exampleLink }],
};

export const quoted: PriceQuoteAnswer = {
  success: 'true',
  quote: 'q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJCrze8SNFZ4kA',
  expires_at: '2026-03-05T17:30:31.418Z',
  segments: 1,
  credits: 1,
  encoding: 'GSM-7',
  unsupported_characters: [],
  country: 'US',
  balance: 213,
  balance_after: 212,
};

export const delivered: MessageAnswer = {
  success: 'true',
  message_id: messageId,
  to: recipient,
  from: '+15005550006',
  message: 'Hello from Pennytext',
  status: 'delivered',
  segments: 1,
  credits: 1,
  refunded: 0,
  reference: null,
  error_code: null,
  carrier_error: null,
  reason: null,
  delivery: 'once',
  attempts: 1,
  created_at: '2026-03-05T17:20:31.418Z',
  send_at: null,
  expires_at: null,
  sent_at: '2026-03-05T17:20:31.902Z',
  finished_at: '2026-03-05T17:20:33.115Z',
};

const why = (code: number, messages: number) => ({ ...reasonIn(code), messages });

function reasonIn(code: number) {
  const reason = reasonOf('not_delivered', code);
  if (!reason) throw new Error('A message with an error has a reason');
  return reason;
}

export const notifications: NotificationsAnswer = {
  success: 'true',
  notifications: [
    {
      id: 'webhook_failing:2026-03-05T17:20:31.418Z',
      code: 'webhook_failing',
      severity: 'critical',
      since: '2026-03-05T17:20:31.418Z',
      message: 'Your webhook is failing: HTTP 500. 21 webhooks wait.',
      action: 'Repair your server or change the URL. After five days of failures the webhook is turned off.',
      url: 'https://pennytext.example/dashboard/webhook',
      figures: { http_status: 500, error: null, waiting: 21 },
    },
  ],
};

export const deliverability: DeliverabilityAnswer = {
  success: 'true',
  from: '2026-03-04',
  to: '2026-03-05',
  messages: 400,
  delivered: 389,
  reasons: [why(30_003, 7), why(30_007, 3), why(21_614, 1)],
  countries: [
    { country: 'US', messages: 380, delivered: 372 },
    { country: 'CA', messages: 20, delivered: 17 },
  ],
  days: [
    { day: '2026-03-04', messages: 150, delivered: 147 },
    { day: '2026-03-05', messages: 250, delivered: 242 },
  ],
  keys: [
    { key_id: null, name: null, messages: 310, delivered: 303 },
    { key_id: '0199d0d0-7c5a-7b1f-8e0a-4f6f2f9c1b3d', name: 'Shop', messages: 90, delivered: 86 },
  ],
};

export const optOutPage: OptOutsAnswer = {
  success: 'true',
  optouts: [
    {
      number: recipient,
      sender: '+15005550006',
      status: 'opted_out',
      opted_out_at: '2026-03-05T18:02:11.204Z',
      opted_in_at: null,
      source: 'reply',
      word: 'STOP',
    },
  ],
  next_cursor: null,
};

const spentOf = (messages: number, charged: number, refunded: number) => ({
  messages,
  charged,
  refunded,
  spent: charged - refunded,
});
const shop = { key_id: '0199d0d0-7c5a-7b1f-8e0a-4f6f2f9c1b3d', name: 'Shop' };
const own = { key_id: null, name: null };

export const spend: SpendAnswer = {
  success: 'true',
  from: '2026-02-01',
  to: '2026-03-05',
  ...spentOf(41, 44, 3),
  months: [
    {
      month: '2026-02',
      ...spentOf(15, 15, 1),
      keys: [
        { ...own, ...spentOf(10, 10, 0) },
        { ...shop, ...spentOf(5, 5, 1) },
      ],
    },
    {
      month: '2026-03',
      ...spentOf(26, 29, 2),
      keys: [
        { ...own, ...spentOf(20, 23, 0) },
        { ...shop, ...spentOf(6, 6, 2) },
      ],
    },
  ],
  days: [
    { day: '2026-02-27', ...spentOf(15, 15, 1) },
    { day: '2026-03-05', ...spentOf(26, 29, 2) },
  ],
  keys: [
    { ...own, ...spentOf(30, 33, 0) },
    { ...shop, ...spentOf(11, 11, 3) },
  ],
  countries: [
    { country: 'US', ...spentOf(36, 37, 3) },
    { country: 'GB', ...spentOf(1, 3, 0) },
    { country: null, ...spentOf(4, 4, 0) },
  ],
  kinds: [
    { kind: 'message', ...spentOf(31, 34, 3) },
    { kind: 'otp', ...spentOf(6, 6, 0) },
    { kind: 'reply', ...spentOf(4, 4, 0) },
  ],
};

export const exposure: ExposureAnswer = {
  success: 'true',
  credits: 462,
  bound: 'balance',
  within_hours: 24,
  available: 212,
  top_up_credits: 250,
  number_credits: 1_000,
  messages: 188,
  credits_per_message: 50,
  keys: [
    { ...own, credits: 462 },
    { ...shop, credits: 462 },
  ],
  switches: [{ switch: 'top_up_off', key_id: null, text: 'Turn off automatic top-up.', credits: 212 }],
};

export const recorded: MessageRecordAnswer = {
  ...delivered,
  recorded_at: '2026-03-05T18:00:00.000Z',
  kind: 'sms',
  encoding: 'GSM-7',
  carrier_id: 'SM9c0f2b7d4a6e1853f2a9b8c7d6e5f403',
  attempt_list: [
    {
      n: 1,
      route: 'r1',
      sender: '+15005550006',
      handed_at: '2026-03-05T17:20:31.655Z',
      outcome: 'accepted',
      reason: 'first',
      receipt: 'delivered',
    },
  ],
  receipt_level: 'handset',
  transitions: [
    { status: 'queued', at: '2026-03-05T17:20:31.418Z', cause: 'accepted' },
    { status: 'sending', at: '2026-03-05T17:20:31.655Z', cause: 'claimed' },
    { status: 'sent', at: '2026-03-05T17:20:31.902Z', cause: 'carrier_accepted' },
    { status: 'delivered', at: '2026-03-05T17:20:33.115Z', cause: 'delivery_receipt' },
  ],
  refund: null,
  ledger: [
    {
      number: 42,
      at: '2026-03-05T17:20:31.418Z',
      kind: 'message',
      amount: -1,
      balance_after: 212,
      note: null,
      seal: {
        number: 17,
        first: 40,
        last: 42,
        sealed_at: '2026-03-05T17:20:40.004Z',
        key: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
        hash: '3f1e9f0c0b7f4a52c1d86a5b7f90c2de4a8b3d716e05f9c2ab4417d0e6385b91',
      },
    },
  ],
  callback: null,
  webhooks: [
    {
      id: 'msg_0199d0d07c5a7b1f8e0a4f6f2f9c1b3d',
      type: 'message.delivered',
      callback: null,
      status: 'delivered',
      created_at: '2026-03-05T17:20:33.115Z',
      finished_at: '2026-03-05T17:20:33.291Z',
      body: `{"type":"message.delivered","timestamp":"2026-03-05T17:20:33.115Z","data":{"message_id":"${messageId}","status":"delivered"}}`,
      attempts: 1,
      attempt_list: [{ at: '2026-03-05T17:20:33.160Z', duration_ms: 131, status: 200, answer: 'ok', error: null }],
    },
  ],
  removed: [],
};

export const scheduled: SendSmsAnswer = { ...accepted, status: 'scheduled', send_at: '2026-03-06T14:00:00.000Z' };

export const canceled: MessageAnswer = {
  ...delivered,
  from: null,
  status: 'canceled',
  refunded: 1,
  send_at: '2026-03-06T14:00:00.000Z',
  sent_at: null,
  finished_at: '2026-03-05T17:24:10.557Z',
};

const { success: _success, ...deliveredView } = delivered;
export const messagePage: MessagesAnswer = { success: 'true', messages: [deliveredView], next_cursor: null };

export const acceptedBulk: SendBulkAnswer = {
  success: 'true',
  batch_id: 'BA0199d0d07c5a7b1f8e0a4f6f2f9c1b3d',
  accepted: 2,
  rejected: [],
  credits: 2,
  balance: 210,
};

export const quotedBulk: BulkQuoteAnswer = {
  success: 'true',
  quote: quoted.quote,
  expires_at: quoted.expires_at,
  segments: 2,
  credits: 2,
  balance: 212,
  balance_after: 210,
  messages: 2,
  rejected: [],
};

export const quotedOtp: OtpQuoteAnswer = {
  success: 'true',
  channels: [
    { channel: 'sms', credits: limits.otpCredits },
    { channel: 'voice', credits: 3 },
  ],
  credits: limits.otpCredits,
  credits_max: limits.otpCredits + 3,
  country: 'US',
  balance: 212,
  balance_after: 208,
};

export const batch: BatchAnswer = {
  success: 'true',
  batch_id: acceptedBulk.batch_id,
  created_at: '2026-03-05T17:20:31.418Z',
  messages: 2,
  statuses: { scheduled: 0, queued: 0, sending: 0, sent: 0, delivered: 2, undelivered: 0, failed: 0, canceled: 0 },
  credits: 2,
  refunded: 0,
};

const { success: _batch, ...batchView } = batch;
export const batchPage: BatchesAnswer = { success: 'true', batches: [batchView], next_cursor: null };

export const batchCanceled: BatchCanceledAnswer = {
  ...batch,
  statuses: { ...batch.statuses, delivered: 0, canceled: 2 },
  refunded: 2,
  canceled: 2,
};

export const received: ReceivedMessagePayload = {
  MessageId: 'SM0199d0d5e1b27c43a1d6c0b7f3e8525a',
  Sender: recipient,
  Message: 'Yes, see you at 6.',
  Status: 'Received',
  DateTime: '3/5/2026, 12:24:07 PM',
};

export const receivedWithMedia: ReceivedMessagePayload = {
  ...received,
  Message: '',
  Media: [
    {
      Id: 'ME0199d0d5e1c57a01b2c3d4e5f6a7b8c9',
      Url: 'https://pennytext.example/m/ME0199d0d5e1c57a01b2c3d4e5f6a7b8c9?e=1773336247&s=Rk9Z…',
      Type: 'image/jpeg',
      Bytes: 182_044,
      Sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      Status: 'stored',
    },
  ],
};

export const sentOtp: SendOtpAnswer = {
  ...accepted,
  otp_id: otpId,
  expires_at: '2026-03-05T17:25:31.418Z',
  next_resend_at: '2026-03-05T17:21:01.418Z',
  attempts_left: limits.otpTriesMax,
};

/** A code that the caller has made. */
export const sentOwnOtp: SendOtpAnswer = { ...sentOtp, next_resend_at: null, attempts_left: 0, managed: false };

/** A code that is called if it is not entered in a minute. */
export const sentByChannels: SendOtpAnswer = {
  ...sentOtp,
  channel: 'sms',
  next_channel: 'voice',
  next_channel_at: '2026-03-05T17:21:31.418Z',
  credits_max: 4,
};

export const resentOtp: SendOtpAnswer = {
  ...sentOtp,
  message_id: 'SM0199d0d124e67d80b7c1de5a90f3412c',
  next_resend_at: '2026-03-05T17:22:14.502Z',
};

export const pendingOtp: OtpAnswer = {
  success: 'true',
  otp_id: otpId,
  status: 'pending',
  to: recipient,
  country: 'US',
  message_id: messageId,
  messages: [
    {
      message_id: messageId,
      status: 'delivered',
      reason: null,
      created_at: delivered.created_at,
      sent_at: delivered.sent_at,
      finished_at: delivered.finished_at,
    },
  ],
  delivered_at: delivered.finished_at,
  reference: null,
  attempts: 0,
  attempts_left: limits.otpTriesMax,
  resends_left: limits.otpResendWaitsSeconds.length,
  next_resend_at: sentOtp.next_resend_at,
  key_id: null,
  key_name: null,
  blocked_by: null,
  channel: 'sms',
  next_channel: null,
  next_channel_at: null,
  steps: [
    {
      n: 1,
      channel: 'sms',
      to: recipient,
      started_at: delivered.created_at,
      outcome: 'delivered',
      reason: null,
      credits: limits.otpCredits,
    },
  ],
  entered_step: null,
  created_at: delivered.created_at,
  last_attempt_at: null,
  verified_at: null,
  expires_at: sentOtp.expires_at,
  ended_at: null,
};

const { success: _ok, ...pending } = pendingOtp;

export const otpPage: OtpsAnswer = { success: 'true', otps: [pending], next_cursor: null };

export const otpConversion: OtpConversionAnswer = {
  success: 'true',
  from: '2026-03-04',
  to: '2026-03-05',
  sent: 400,
  verified: 342,
  verified_percent: 85.5,
  countries: [
    { country: 'CA', sent: 80, verified: 66, verified_percent: 82.5 },
    { country: 'US', sent: 320, verified: 276, verified_percent: 86.3 },
  ],
  days: [
    { day: '2026-03-04', sent: 150, verified: 129, verified_percent: 86 },
    { day: '2026-03-05', sent: 250, verified: 213, verified_percent: 85.2 },
  ],
  channels: [
    { channel: 'sms', country: 'US', sent: 60, verified: 48, verified_percent: 80 },
    { channel: 'voice', country: 'US', sent: 12, verified: 9, verified_percent: 75 },
  ],
};

export const guardState: OtpGuardAnswer = {
  success: 'true',
  suspicious: true,
  rules: [
    { rule: 'recipient_hour', counts: 'recipient', sends_max: 5, window_seconds: 3_600, verified_percent_min: null },
    { rule: 'conversion_hour', counts: 'block', sends_max: 30, window_seconds: 3_600, verified_percent_min: 20 },
  ],
  blocked: [
    {
      otp_id: 'OT0199d0d5e1b27c43a1d6c0b7f3e8525a',
      rule: 'conversion_hour',
      to: recipient,
      country: 'US',
      block: '+12025550',
      sent: 41,
      verified: 3,
      refused: 12,
      open: true,
      first_at: '2026-03-05T17:26:02.371Z',
      last_at: '2026-03-05T17:31:40.115Z',
    },
  ],
  reset_at: null,
  next_reset_at: null,
};

export const verifiedOtp: VerifyOtpAnswer = {
  status: 'verified',
  to: recipient,
  otp_id: otpId,
  expires_at: sentOtp.expires_at,
};

/** The authenticator of test keys. Its secret is that of the test vectors of RFC 6238. */
export const testTotp = {
  totp_id: 'TP01990000000070008000000000000001',
  secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
} as const;

export const createdTotp: CreateTotpAnswer = {
  success: 'true',
  totp_id: totpId,
  label: 'alice@example.com',
  issuer: 'Acme',
  secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
  otpauth_url:
    'otpauth://totp/Acme:alice%40example.com?issuer=Acme&secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ' +
    '&algorithm=SHA1&digits=6&period=30',
  qr_svg: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 57 57">…</svg>',
  created_at: '2026-03-05T17:20:31.418Z',
};

export const verifiedTotp: VerifyTotpAnswer = {
  success: 'true',
  totp_id: totpId,
  status: 'verified',
  method: 'app',
  attempts_left: limits.totpTriesMax,
  locked_until: null,
  recovery_codes_left: limits.totpRecoveryCodes,
};

export const recoveredTotp: VerifyTotpAnswer = {
  ...verifiedTotp,
  method: 'recovery_code',
  recovery_codes_left: limits.totpRecoveryCodes - 1,
};

export const lockedTotp: VerifyTotpAnswer = {
  ...verifiedTotp,
  status: 'locked',
  method: null,
  attempts_left: 0,
  locked_until: '2026-03-05T17:37:02.117Z',
};

export const recoveryCodes: RecoveryCodesAnswer = {
  success: 'true',
  totp_id: totpId,
  recovery_codes: [
    '7K2QD-9XW4M',
    'B0FVR-31HTZ',
    'YC8N6-PE5AS',
    '40MJX-G7RQK',
    'W9ZB2-6DVTF',
    'H3E8C-NY1P0',
    'S5AQ7-K4XMW',
    'RT06G-J9B2V',
    'D1FZH-83CNE',
    'P6Y4K-SQ7XA',
  ],
};

export const totpShown: TotpAnswer = {
  success: 'true',
  totp_id: totpId,
  label: 'alice@example.com',
  issuer: 'Acme',
  created_at: createdTotp.created_at,
  verified_at: '2026-03-05T17:21:04.902Z',
  last_used_at: '2026-03-05T17:21:04.902Z',
  attempts_left: limits.totpTriesMax,
  locked_until: null,
  recovery_codes_left: limits.totpRecoveryCodes,
};

const { success: _shown, ...listedTotp } = totpShown;

export const totpPage: TotpsAnswer = { success: 'true', totps: [listedTotp], next_cursor: null };

export const totpDeleted: TotpDeletedAnswer = { success: 'true', totp_id: totpId, deleted: true };

export const deliveredEvent = {
  type: 'message.delivered',
  timestamp: '2026-03-05T17:20:33.115Z',
  data: {
    message_id: messageId,
    to: recipient,
    segments: 1,
    credits: 1,
    refunded: 0,
    reference: null,
    error_code: null,
    carrier_error: null,
    status: 'delivered',
  },
};

/** An event of GET /api/events. */
export const streamedEvent = `id: 42
event: message.delivered
webhook-id: msg_0199d0d07c5a7b1f8e0a4f6f2f9c1b3d
webhook-timestamp: 1772731233
webhook-signature: v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
data: ${JSON.stringify(deliveredEvent)}

`;

/** Answer of POST /api/events. */
export const triggeredEvent = { success: 'true', event_id: 'msg_0199d0d07c5a7b1f8e0a4f6f2f9c1b3d' } as const;

export const lowCreditsEvent = {
  type: 'credits.low',
  timestamp: '2026-03-05T17:20:35.004Z',
  data: { balance: limits.lowCreditsDefault - 1, threshold: limits.lowCreditsDefault },
};

export const dailySpendEvent = {
  type: 'credits.daily_spend',
  timestamp: '2026-03-05T17:20:36.810Z',
  data: { day: '2026-03-05', spent: 5_012, threshold: 5_000 },
};

const ownNumber: NumberView = {
  number_id: numberId,
  number: exampleNumber,
  label: 'Support',
  type: 'local',
  country: 'US',
  capabilities: ['sms', 'mms'],
  origin: 'purchase',
  status: 'active',
  auto_renew: true,
  credits_per_month: 50,
  strangers_per_day: 100,
  renews_at: '2026-04-05T16:20:30.000Z',
  past_due_since: null,
  releases_at: null,
  released_at: null,
  filtered_at: null,
  pools: [poolId],
  created_at: '2026-03-05T17:20:29.115Z',
};

export const availableNumbers: AvailableNumbersAnswer = {
  success: 'true',
  numbers: [
    {
      number: exampleNumber,
      locality: 'New York, NY',
      capabilities: ['sms', 'mms'],
      credits_per_month: 50,
      setup_credits: 0,
    },
  ],
};

export const numberBought: NumberBoughtAnswer = {
  success: 'true',
  number_id: numberId,
  number: exampleNumber,
  status: 'active',
  renews_at: '2026-04-05T16:20:30.000Z',
  credits: 50,
  balance: 162,
};

export const numberReserving: NumberBoughtAnswer = {
  ...numberBought,
  status: 'reserving',
  renews_at: null,
  balance: 212,
};

export const numbersList: NumbersAnswer = { success: 'true', numbers: [ownNumber], numbers_max: 10 };

export const numberShown: NumberAnswer = {
  success: 'true',
  ...ownNumber,
  traffic: {
    since: '2026-03-05T17:20:29.115Z',
    sent: 48,
    delivered: 45,
    failed: 2,
    waiting: 1,
    replies: 7,
    people: 21,
    reasons: [why(30_003, 2)].map(({ code, text, messages }) => ({ code, text, messages })),
  },
};

export const numberChanged: ChangedNumberAnswer = {
  success: 'true',
  ...ownNumber,
  auto_renew: false,
  releases_at: ownNumber.renews_at,
};

export const numberKept: ChangedNumberAnswer = { success: 'true', ...ownNumber };

export const numberReleased: ChangedNumberAnswer = {
  success: 'true',
  ...ownNumber,
  status: 'releasing',
  releases_at: '2026-03-21T09:12:44.503Z',
};

const pool: PoolView = {
  pool_id: poolId,
  name: 'Support',
  default: true,
  numbers: [{ number_id: numberId, number: exampleNumber, status: 'active', active: true, filtered_at: null }],
  created_at: '2026-03-05T17:21:40.210Z',
};

export const poolShown: PoolAnswer = { success: 'true', ...pool };
export const poolsList: PoolsAnswer = { success: 'true', pools: [pool] };
export const poolDeleted: PoolDeletedAnswer = { success: 'true', pool_id: poolId, deleted: true };

const numberEvent = (type: string, timestamp: string, changes: object = {}) => ({
  type,
  timestamp,
  data: {
    number_id: numberId,
    number: exampleNumber,
    label: 'Support',
    status: 'active',
    credits_per_month: 50,
    renews_at: '2026-04-05T16:20:30.000Z',
    releases_at: null,
    ...changes,
  },
});

export const numberEvents = {
  'number.active': numberEvent('number.active', '2026-03-05T17:20:30.412Z'),
  'number.past_due': numberEvent('number.past_due', '2026-04-05T16:20:31.007Z', {
    status: 'past_due',
    releases_at: '2026-04-12T16:20:30.000Z',
    day: 0,
  }),
  'number.released': numberEvent('number.released', '2026-04-12T16:20:31.950Z', {
    status: 'released',
    renews_at: null,
    reason: 'unpaid',
  }),
  'number.filtered': numberEvent('number.filtered', '2026-03-06T09:14:02.633Z', { messages: 40, failed: 21 }),
};

const otpEvent = (type: string, timestamp: string, fields: object) => ({
  type,
  timestamp,
  data: { otp_id: otpId, message_id: messageId, to: recipient, ...fields },
});

export const otpEvents = {
  'otp.sent': otpEvent('otp.sent', '2026-03-05T17:20:31.904Z', { expires_at: sentOtp.expires_at }),
  'otp.verified': otpEvent('otp.verified', '2026-03-05T17:20:51.733Z', { verified_at: '2026-03-05T17:20:51.731Z' }),
  'otp.failed': otpEvent('otp.failed', '2026-03-05T17:20:58.212Z', { failed_at: '2026-03-05T17:20:58.209Z' }),
  'otp.blocked': {
    type: 'otp.blocked',
    timestamp: '2026-03-05T17:26:02.377Z',
    data: {
      otp_id: 'OT0199d0d5e1b27c43a1d6c0b7f3e8525a',
      to: recipient,
      rule: 'conversion_hour',
      country: 'US',
      block: '+12025550',
      sent: 41,
      verified: 3,
      blocked_at: '2026-03-05T17:26:02.371Z',
    },
  },
  'otp.expired': otpEvent('otp.expired', '2026-03-05T17:25:34.087Z', { expired_at: sentOtp.expires_at }),
};

/** Returns an error answer of the public API. */
export function refusal(code: ErrorCode, detail: string, fix?: FixedCall): FailureAnswer {
  return { success: 'false', error: errorText(code, detail), code: publicCode(code), detail, ...(fix && { fix }) };
}

export const quality: QualityAnswer = {
  success: 'true',
  computed_at: '2026-11-22T15:04:05.000Z',
  quality: [
    {
      day: '2026-11-22',
      country: 'US',
      delivered_percent: 98.4,
      median_seconds: 2.1,
      p95_seconds: 8.7,
      verified_percent: 91.2,
    },
  ],
};

export const servedRegions: RegionsAnswer = {
  success: 'true',
  regions: regions
    .filter(({ iso2 }) => ['CA', 'FR', 'GB', 'US'].includes(iso2))
    .map(({ country, code, iso2, areaCode, creditsPerSms, active, otp }) => ({
      country,
      code,
      iso2,
      area_code: areaCode,
      credits_per_sms: creditsPerSms,
      active,
      otp,
      voice: iso2 === 'US',
    })),
};

export const serviceStatus: StatusAnswer = {
  success: 'true',
  measured_at: '2026-11-22T15:04:05.000Z',
  components: [
    { component: 'api', state: 'operational' },
    { component: 'sending', state: 'operational' },
    { component: 'webhooks', state: 'degraded' },
    { component: 'email', state: 'operational' },
  ],
  incidents: [{ component: 'webhooks', state: 'degraded', started_at: '2026-11-22T14:58:05.000Z', ended_at: null }],
  history: [
    {
      component: 'webhooks',
      available_percent: 99.92,
      days: [
        { day: '2026-11-21', state: 'outage', available_percent: 99.84, measured_percent: 100 },
        { day: '2026-11-22', state: 'degraded', available_percent: 100, measured_percent: 100 },
      ],
    },
  ],
};
