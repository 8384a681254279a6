import { publicMessageId } from '../../rules/ids.js';
import type { CarrierMessage } from './carrier.js';

/**
 * The URL that a carrier posts the receipts of a message to. It names the message and its account,
 * for a receipt that arrives before the carrier's answer.
 */
export function statusCallbackUrl(publicUrl: string, carrier: string, { id, accountId }: CarrierMessage): string {
  return `${publicUrl}/webhooks/${carrier}/status?message_id=${publicMessageId(id)}&account_id=${accountId}`;
}
