import { Injectable } from '@nestjs/common';
import type { MessageRecord } from '#contract/message-record.js';
import { LedgerHistory } from '../../credits/ledger-history.js';
import { Config } from '../../platform/config/config.js';
import { messageIdFromPublic } from '../../rules/ids.js';
import { segmentsOf } from '../../rules/segments.js';
import { WebhookDeliveries } from '../../webhooks/deliveries/webhook-deliveries.js';
import { deliveriesKeptDays } from '../../webhooks/webhook-retention.js';
import type { MessageEntity } from '../message.entity.js';
import { MessageAttempts } from '../routes/message-attempts.js';
import { messageNotFound, viewOf } from '../messages.js';
import { MessagesRepository } from '../messages.repository.js';
import { timelineOf } from './sent-history.js';

const DAY_MS = 86_400_000;

/** Everything that is kept of one message, for its account. */
@Injectable()
export class MessageRecords {
  constructor(
    private readonly messages: MessagesRepository,
    private readonly ledger: LedgerHistory,
    private readonly attempts: MessageAttempts,
    private readonly deliveries: WebhookDeliveries,
    private readonly config: Config,
  ) {}

  /** Throws `message_not_found`, also for another account's message. */
  async show(accountId: string, publicId: string, now = new Date()): Promise<MessageRecord> {
    const id = messageIdFromPublic(publicId);
    const message = id ? await this.messages.findOf(accountId, id) : null;
    if (!message) throw messageNotFound(publicId);
    const [ledger, { webhooks, callback }, attempts, receiptLevel] = await Promise.all([
      this.ledger.recordOf(accountId, message.id),
      this.deliveries.recordOf(accountId, message.id),
      this.attempts.list(message),
      this.messages.receiptLevelOf(message.id),
    ]);
    const refund = ledger.find(({ kind }) => kind === 'refund');
    return {
      ...viewOf(message),
      recorded_at: now.toISOString(),
      kind: message.kind,
      encoding: message.body === '' ? null : segmentsOf(message.body).encoding,
      carrier_id: message.carrierId,
      receipt_level: receiptLevel,
      attempt_list: attempts,
      transitions: timelineOf(message).map(({ status, at }) => ({ status, at, cause: causeOf(message, status) })),
      refund: refund ? { credits: refund.amount, at: refund.at } : null,
      ledger,
      callback,
      webhooks,
      removed: this.removedFrom(message, now),
    };
  }

  /**
   * What retention, or an erasure on request, has deleted. Webhooks leave no trace, so those of an
   * old message count as deleted.
   */
  private removedFrom(message: MessageEntity, now: Date): MessageRecord['removed'] {
    const { body, recipient, sentAt, carrierId, finishedAt } = message;
    const keptDays = deliveriesKeptDays(this.config);
    const isErased = recipient === '';
    const why = 'Deleted after its retention time, or on request.';
    return [
      ...(body === '' ? [{ part: 'text', why } as const] : []),
      ...(isErased || recipient.includes('•') ? [{ part: 'number', why } as const] : []),
      ...(sentAt && carrierId === null ? [{ part: 'carrier_id', why } as const] : []),
      ...(isErased || (finishedAt && now.getTime() - finishedAt.getTime() >= keptDays * DAY_MS)
        ? [
            {
              part: 'webhooks',
              why: isErased
                ? 'Webhooks and callbacks with this number were deleted with it.'
                : `Webhooks and callbacks are deleted ${keptDays} days after they ended.`,
            } as const,
          ]
        : []),
    ];
  }
}

function causeOf({ sendAt, errorCode }: MessageEntity, status: MessageRecord['status']): string {
  switch (status) {
    case 'scheduled':
      return 'accepted';
    case 'queued':
      return sendAt ? 'send_at' : 'accepted';
    case 'sending':
      return 'claimed';
    case 'sent':
      return 'carrier_accepted';
    case 'delivered':
      return 'delivery_receipt';
    case 'canceled':
      return 'canceled';
    case 'undelivered':
    case 'failed':
      return errorCode ?? 'not_delivered';
  }
}
