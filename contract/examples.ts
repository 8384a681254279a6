import type { BalanceAnswer } from './credits.js';
import { errorText, publicCode, type ErrorCode } from './errors.js';
import type { FailureAnswer, MessageAnswer, SendSmsAnswer } from './messages.js';
import { limits } from './limits.js';
import type { OtpGuardAnswer } from './otp-guard.js';
import type { OtpAnswer, SendOtpAnswer, VerifyOtpAnswer } from './otp.js';
import type { ReceivedMessagePayload } from './webhooks.js';

const messageId = 'SM0199d0d07c5a7b1f8e0a4f6f2f9c1b3d';
const otpId = 'OT0199d0d07c5a7b1f8e0a4f6f2f9c1b3d';
const recipient = '+12025550142';

/** Example answers and events of the documentation. Types and a test check them against the contract. */
export const accepted: SendSmsAnswer = { success: 'true', message_id: messageId, segments: 1, credits: 1 };

export const balance: BalanceAnswer = { success: 'true', balance: 212, purchased: 253, used: 41 };

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
  created_at: '2026-03-05T17:20:31.418Z',
  sent_at: '2026-03-05T17:20:31.902Z',
  finished_at: '2026-03-05T17:20:33.115Z',
};

export const received: ReceivedMessagePayload = {
  MessageId: 'SM0199d0d5e1b27c43a1d6c0b7f3e8525a',
  Sender: recipient,
  Message: 'Yes, see you at 6.',
  Status: 'Received',
  DateTime: '3/5/2026, 12:24:07 PM',
};

export const sentOtp: SendOtpAnswer = {
  ...accepted,
  otp_id: otpId,
  expires_at: '2026-03-05T17:25:31.418Z',
  next_resend_at: '2026-03-05T17:21:01.418Z',
  attempts_left: limits.otpTriesMax,
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
  message_id: messageId,
  reference: null,
  attempts_left: limits.otpTriesMax,
  resends_left: limits.otpResendWaitsSeconds.length,
  next_resend_at: sentOtp.next_resend_at,
  created_at: delivered.created_at,
  expires_at: sentOtp.expires_at,
  ended_at: null,
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

export const lowCreditsEvent = {
  type: 'credits.low',
  timestamp: '2026-03-05T17:20:35.004Z',
  data: { balance: limits.lowCreditsDefault - 1, threshold: limits.lowCreditsDefault },
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
export function refusal(code: ErrorCode, detail: string): FailureAnswer {
  return { success: 'false', error: errorText(code, detail), code: publicCode(code), detail };
}
