import { accepted } from '#contract/examples.js';
import type { SendSmsAnswer } from '#contract/messages.js';

export {
  accepted,
  balance,
  delivered,
  deliveredEvent,
  lowCreditsEvent,
  pendingOtp,
  received,
  refusal,
  resentOtp,
  sentOtp,
  verifiedOtp,
} from '#contract/examples.js';

export const acceptedWithReference: SendSmsAnswer = { ...accepted, reference: 'order-1042' };

export const tested: SendSmsAnswer = { ...accepted, test: true };

/** An answer as the documentation shows it, one line per field. */
export const shown = (answer: object): string => JSON.stringify(answer, null, 2);
