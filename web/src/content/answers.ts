import { accepted } from '#contract/examples.js';
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

export const deduplicated: SendSmsAnswer = { ...accepted, deduplicated: true };

export const tested: SendSmsAnswer = { ...accepted, test: true };

/** An answer as the documentation shows it, one line per field. */
export const shown = (answer: object): string => JSON.stringify(answer, null, 2);
