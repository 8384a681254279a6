import type { BalanceAnswer } from '#contract/balance.js';
import { errorText, publicCode, type ErrorCode } from '#contract/errors.js';
import { limits } from '#contract/limits.js';
import type { FailureAnswer } from '#contract/failure.js';
import type { MessageAnswer } from '#contract/messages.js';
import type { VerifyOtpAnswer } from '#contract/otp.js';
import type { SendSmsAnswer } from '#contract/send-sms.js';
import type { ReceivedMessagePayload } from '#contract/webhooks.js';

const messageId = 'SM0199d0d07c5a7b1f8e0a4f6f2f9c1b3d';

/** What the documentation shows as answers. The types and a test hold them to the contract. */
export const accepted: SendSmsAnswer = { success: 'true', message_id: messageId, segments: 1, credits: 1 };

export const acceptedWithReference: SendSmsAnswer = { ...accepted, reference: 'order-1042' };

export const tested: SendSmsAnswer = { ...accepted, test: true };

export const balance: BalanceAnswer = { success: 'true', balance: 212, purchased: 253, used: 41 };

export const delivered: MessageAnswer = {
  success: 'true',
  message_id: messageId,
  to: '+12025550142',
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
  Sender: '+12025550142',
  Message: 'Yes, see you at 6.',
  Status: 'Received',
  DateTime: '3/5/2026, 12:24:07 PM',
};

export const verifiedOtp: VerifyOtpAnswer = { status: 'verified', expires_at: '2026-03-05T17:22:08.640Z' };

/** A refusal as callers see it. */
export function refusal(code: ErrorCode, detail: string): FailureAnswer {
  return { success: 'false', error: errorText(code, detail), code: publicCode(code), detail };
}

/** An answer as it is shown, with a line for each field. */
export const shown = (answer: object): string => JSON.stringify(answer, null, 2);

/** Webhook events, as they are shown. */
export const deliveredEvent = {
  type: 'message.delivered',
  timestamp: '2026-03-05T17:20:33.115Z',
  data: {
    message_id: messageId,
    to: '+12025550142',
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
