import { Injectable } from '@nestjs/common';
import type { MessageView } from '#contract/messages.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { messageIdFromPublic } from '../rules/ids.js';
import { viewOf } from './message-view.js';
import { MessagesRepository } from './messages.repository.js';

export type OperatorMessageView = MessageView & { account_id: string; carrier_id: string | null; attempts: number };

/** One of an account's messages by its public id. Throws `message_not_found`, also for another account's message. */
@Injectable()
export class FindMessage {
  constructor(private readonly messages: MessagesRepository) {}

  async run(accountId: string, publicId: string): Promise<MessageView> {
    const id = messageIdFromPublic(publicId);
    const message = id ? await this.messages.findOf(accountId, id) : null;
    if (!message) throw new DomainError('message_not_found', 'This account has no message with this id.');
    return viewOf(message);
  }

  /** The operator's view: any account's message, with what only he needs. */
  async anyAccount(publicId: string): Promise<OperatorMessageView> {
    const id = messageIdFromPublic(publicId);
    const message = id ? await this.messages.find(id) : null;
    if (!message) throw new DomainError('message_not_found', 'No message has this id.');
    const { accountId, carrierId, attempts } = message;
    return { ...viewOf(message), account_id: accountId, carrier_id: carrierId, attempts };
  }
}
