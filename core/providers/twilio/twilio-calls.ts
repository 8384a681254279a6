import type { MessageErrorCode } from '#contract/delivery-errors.js';
import type { CarrierStatus } from '../../carriers/carrier.js';

/** State of a call in our terms, and why it did not reach the person. */
interface CallOutcome {
  readonly status: CarrierStatus;
  readonly errorCode?: MessageErrorCode;
}

/**
 * Maps the status of a call (https://www.twilio.com/docs/voice/api/call-resource#call-status-values) and what machine
 * detection found. A call that a person has answered to its end is delivered; so is one of which Twilio could not tell
 * who answered it.
 */
export function callStatusOf(status: string, answeredBy: string | null | undefined): CallOutcome {
  switch (status) {
    case 'completed':
      return isMachine(answeredBy) ? { status: 'undelivered', errorCode: 'call_machine' } : { status: 'delivered' };
    case 'busy':
      return { status: 'undelivered', errorCode: 'call_busy' };
    case 'no-answer':
      return { status: 'undelivered', errorCode: 'call_unanswered' };
    case 'failed':
    case 'canceled':
      return { status: 'failed', errorCode: 'call_failed' };
    default:
      return { status: 'sent' };
  }
}

function isMachine(answeredBy: string | null | undefined): boolean {
  return answeredBy === 'fax' || (answeredBy?.startsWith('machine') ?? false);
}
