import type { MessageView } from '#contract/messages.js';
import { publicMessageId } from '../rules/ids.js';
import type { MessageEntity } from './message.entity.js';

/** A message as its sender sees it. */
export function viewOf(message: MessageEntity): MessageView {
  return {
    message_id: publicMessageId(message.id),
    to: message.recipient,
    from: message.sentAt ? message.sender : null,
    message: message.body,
    status: message.status,
    segments: message.segments,
    credits: message.credits,
    refunded: message.refunded,
    reference: message.reference,
    error_code: message.errorCode,
    carrier_error: message.carrierError,
    created_at: message.createdAt.toISOString(),
    sent_at: message.sentAt?.toISOString() ?? null,
    finished_at: message.finishedAt?.toISOString() ?? null,
  };
}
