import { Injectable } from '@nestjs/common';
import type { MessageMedia } from '#contract/message-media.js';
import type { MessageRecord } from '#contract/message-record.js';
import { LedgerHistory } from '../../credits/ledger-history.js';
import { Config } from '../../platform/config/config.js';
import { messageIdFromPublic } from '../../rules/ids.js';
import { segmentsOf } from '../../rules/segments.js';
import { WebhookDeliveries } from '../../webhooks/webhook-deliveries.js';
import { deliveriesKeptDays } from '../../webhooks/webhook-retention.js';
import type { MessageEntity } from '../store/message.entity.js';
import { MessageFiles } from '../files/message-files.js';
import { MessageAttempts } from '../handover/message-attempts.js';
import { viewOf } from './messages.js';
import { messageNotFound, MessagesRepository } from '../store/messages.repository.js';
import { timelineOf } from './sent-history.js';

const DAY_MS = 86_400_000;

/** All stored data of one message, for its account. */
@Injectable()
export class MessageRecords {
  constructor(
    private readonly messages: MessagesRepository,
    private readonly ledger: LedgerHistory,
    private readonly attempts: MessageAttempts,
    private readonly deliveries: WebhookDeliveries,
    private readonly files: MessageFiles,
    private readonly config: Config,
  ) {}

  /** Throws `message_not_found`, also for another account's message. */
  async show(accountId: string, publicId: string, now = new Date()): Promise<MessageRecord> {
    const id = messageIdFromPublic(publicId);
    const message = id ? await this.messages.findOf(accountId, id) : null;
    if (!message) throw messageNotFound(publicId);
    const ledger = await this.ledger.recordOf(accountId, message.id);
    const { webhooks, callback } = await this.deliveries.recordOf(accountId, message.id);
    const attempts = await this.attempts.list(message);
    const receiptLevel = await this.messages.receiptLevelOf(message.id);
    const files = await this.files.ofAll(message.kind === 'mms' ? [message] : []);
    const media = files.get(message.id);
    const parts = this.removedFrom(message, media, now);
    const refund = ledger.find(({ kind }) => kind === 'refund');
    return {
      ...viewOf(message, attempts.length, media),
      recorded_at: now.toISOString(),
      kind: message.kind,
      encoding: parts.some(({ part }) => part === 'text') ? null : segmentsOf(message.body).encoding,
      carrier_id: message.carrierId,
      receipt_level: receiptLevel,
      attempt_list: attempts,
      transitions: timelineOf(message).map(({ status, at }) => ({ status, at, cause: causeOf(message, status) })),
      refund: refund ? { credits: refund.amount, at: refund.at } : null,
      ledger,
      callback,
      webhooks,
      removed: parts,
    };
  }

  /**
   * Parts that retention or an erasure has deleted. Webhooks leave no trace, so the webhooks of an
   * old message count as deleted.
   */
  private removedFrom(
    message: MessageEntity,
    media: readonly MessageMedia[] | undefined,
    now: Date,
  ): MessageRecord['removed'] {
    const { recipient, sentAt, carrierId, finishedAt } = message;
    const keptDays = deliveriesKeptDays(this.config);
    const isErased = recipient === '';
    const why = 'Deleted after its retention time, or on request.';
    return [
      ...(this.hasLostText(message, now) ? [{ part: 'text', why } as const] : []),
      ...(media?.some(({ sha256 }) => sha256 === null) ? [{ part: 'media', why } as const] : []),
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

  /** A message with files may have had no text. */
  private hasLostText({ body, kind, recipient, finishedAt }: MessageEntity, now: Date): boolean {
    if (body !== '' || kind !== 'mms' || recipient === '') return body === '';
    const { textDays } = this.config.retention;
    return textDays !== undefined && finishedAt !== null && now.getTime() - finishedAt.getTime() >= textDays * DAY_MS;
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
