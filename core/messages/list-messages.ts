import { Injectable } from '@nestjs/common';
import { limits } from '#contract/limits.js';
import type { MessageView } from '#contract/messages.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { messageIdFromPublic } from '../rules/ids.js';
import { viewOf } from './message-view.js';
import { MessagesRepository } from './messages.repository.js';

/** A page of an account's messages, newest first. The cursor is the last message shown. Throws `invalid_request`. */
@Injectable()
export class ListMessages {
  constructor(private readonly messages: MessagesRepository) {}

  async run(
    accountId: string,
    cursor: string | undefined,
  ): Promise<{ messages: MessageView[]; nextCursor: string | null }> {
    const beforeId = cursor === undefined ? undefined : messageIdFromPublic(cursor);
    if (cursor !== undefined && !beforeId) throw new DomainError('invalid_request', 'The cursor is not one of ours.');
    const page = await this.messages.page(accountId, beforeId, limits.messagesPageSize + 1);
    const messages = page.slice(0, limits.messagesPageSize).map(viewOf);
    const last = messages.at(-1);
    return { messages, nextCursor: page.length > messages.length && last ? last.message_id : null };
  }
}
