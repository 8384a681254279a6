import { Injectable } from '@nestjs/common';
import type { MessageView } from '#contract/messages.js';
import { viewOf } from './message-view.js';
import { MessagesRepository } from './messages.repository.js';

export interface ChangedMessage {
  readonly accountId: string;
  readonly message: MessageView;
}

/** The messages that news told of, as they stand now, whoever's they are: the caller shows each to its own account alone. */
@Injectable()
export class ChangedMessages {
  constructor(private readonly messages: MessagesRepository) {}

  /** In order of acceptance. */
  async read(ids: readonly string[]): Promise<ChangedMessage[]> {
    if (ids.length === 0) return [];
    const rows = await this.messages.among(ids);
    return rows.map((row) => ({ accountId: row.accountId, message: viewOf(row) }));
  }
}
