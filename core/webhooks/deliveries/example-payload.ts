import type { WebhookEventType } from '#contract/webhooks.js';
import { limits } from '#contract/limits.js';
import { newYorkTimestamp } from '../../rules/new-york-time.js';

const MESSAGE_ID = `SM${'0'.repeat(32)}`;
/** A number that is nobody's: https://www.nanpa.com/numbering/555-line-numbers */
const NUMBER = '+12025550142';

const message = {
  message_id: MESSAGE_ID,
  to: NUMBER,
  segments: 1,
  credits: 1,
  refunded: 0,
  reference: null,
  error_code: null,
  carrier_error: null,
};

/** What a test sends: every field of the event, about a message that is nobody's. */
export function examplePayload(type: WebhookEventType, at: Date): object {
  switch (type) {
    case 'message.received': {
      const Message = 'This is a test of your webhook.';
      return { MessageId: MESSAGE_ID, Sender: NUMBER, Message, Status: 'Received', DateTime: newYorkTimestamp(at) };
    }
    case 'message.sent':
      return { ...message, status: 'sent' };
    case 'message.delivered':
      return { ...message, status: 'delivered' };
    case 'message.undelivered':
      return { ...message, status: 'undelivered', refunded: 1, error_code: 'not_delivered', carrier_error: 30_003 };
    case 'message.failed':
      return { ...message, status: 'failed', refunded: 1, error_code: 'carrier_refused', carrier_error: 21_211 };
    case 'otp.verified':
      return { message_id: MESSAGE_ID, to: NUMBER, reference: null, verified_at: at.toISOString() };
    case 'credits.low':
      return { balance: limits.lowCreditsDefault - 1, threshold: limits.lowCreditsDefault };
  }
}
