import type { CarrierStatus } from '../../messages/dispatch/carrier.js';

/**
 * Twilio's message status in our terms (https://www.twilio.com/docs/messaging/api/message-resource#message-status-values):
 * whatever it has taken is sent, until it is known how it ended.
 */
export function carrierStatus(status: string): CarrierStatus {
  switch (status) {
    case 'delivered':
    case 'read':
      return 'delivered';
    case 'undelivered':
      return 'undelivered';
    case 'failed':
    case 'canceled':
      return 'failed';
    default:
      return 'sent';
  }
}
