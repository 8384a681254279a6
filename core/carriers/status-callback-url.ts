import { publicMessageId } from '../rules/ids.js';
import { parsedUrl } from '../rules/network-addresses.js';
import type { CarrierMessage } from './carrier.js';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Returns the URL to which a carrier posts the receipts of a message. It names the message and its
 * account, for a receipt that arrives before the carrier's answer.
 */
export function statusCallbackUrl(publicUrl: string, carrier: string, { id, accountId }: CarrierMessage): string {
  return `${publicUrl}/webhooks/${carrier}/status?message_id=${publicMessageId(id)}&account_id=${accountId}`;
}

/**
 * Reads the ids of a status callback URL; undefined for another URL. `messageId` is public, and its
 * message may not exist.
 */
export function namedByStatusUrl(url: string): { messageId: string; accountId: string | undefined } | undefined {
  const query = parsedUrl(url)?.searchParams;
  const messageId = query?.get('message_id') ?? undefined;
  if (messageId === undefined) return undefined;
  const accountId = query?.get('account_id') ?? '';
  return { messageId, accountId: UUID.test(accountId) ? accountId : undefined };
}
