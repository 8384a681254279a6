import type { FaultErrors } from '../control/faults.js';
import { TwilioError, unauthenticated, unroutable } from './twilio-error.js';

/** Faults of a create before the message or call is accepted. */
export const ERRORS_BEFORE: FaultErrors = {
  '429': () => new TwilioError(20429, 'Too Many Requests', 429),
  '500': () => new TwilioError(20500, 'An internal server error has occurred', 500),
  refuse: unroutable,
  suspended: unauthenticated,
};

/** Faults of a create after the message or call is accepted. */
export const ERRORS_AFTER: FaultErrors = {
  'accepted-then-5xx': () => new TwilioError(20504, 'Gateway Timeout', 504),
};
