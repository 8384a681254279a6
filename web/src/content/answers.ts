import { accepted, otpEvents, pendingOtp, sentByChannels } from '#contract/examples.js';
import type { OtpStepView } from '#contract/otp-channels.js';
import type { SendOtpAnswer } from '#contract/otp.js';
import type { SendSmsAnswer } from '#contract/messages.js';

export {
  accepted,
  acceptedBulk,
  acceptedMms,
  availableNumbers,
  balance,
  batch,
  batchCanceled,
  canceled,
  createdTotp,
  dailySpendEvent,
  delivered,
  deliveredEvent,
  exposure,
  lowCreditsEvent,
  numberBought,
  otpConversion,
  otpPage,
  pendingOtp,
  poolShown,
  quoted,
  quotedBulk,
  quotedOtp,
  received,
  receivedWithMedia,
  recoveryCodes,
  refusal,
  resentOtp,
  scheduled,
  sentOtp,
  sentOwnOtp,
  testTotp,
  totpShown,
  uploadedMedia,
  verifiedOtp,
  verifiedTotp,
} from '#contract/examples.js';

export const acceptedWithReference: SendSmsAnswer = { ...accepted, reference: 'order-1042' };

export const acceptedSmart: SendSmsAnswer = { ...accepted, message: '"See you at 6..."' };

/** An email follows in 45 seconds. */
export const sentBySmsThenEmail: SendOtpAnswer = {
  ...sentByChannels,
  next_channel: 'email',
  next_channel_at: '2026-03-05T17:21:16.418Z',
  credits_max: 2,
};

/** A text message that did not arrive, and the email after which the code was entered. */
export const steps: readonly OtpStepView[] = [
  {
    n: 1,
    channel: 'sms',
    to: pendingOtp.to,
    started_at: '2026-03-05T17:20:31.418Z',
    outcome: 'undelivered',
    reason: '30003',
    credits: 0,
  },
  {
    n: 2,
    channel: 'email',
    to: 'ann@example.com',
    started_at: '2026-03-05T17:20:34.027Z',
    outcome: 'sent',
    reason: null,
    credits: 1,
  },
];

export const verifiedAfterSteps = {
  ...otpEvents['otp.verified'],
  data: { ...otpEvents['otp.verified'].data, channel: 'email', entered_step: 2, steps },
};

export const deduplicated: SendSmsAnswer = { ...accepted, deduplicated: true };

export const tested: SendSmsAnswer = { ...accepted, test: true };

/** An answer as the documentation shows it, one line per field. */
export const shown = (answer: object): string => JSON.stringify(answer, null, 2);
