import { Injectable } from '@nestjs/common';
import { ReceiveReplies } from '../../inbound/receive-replies.js';
import { ConversationOwner } from '../../messages/senders/conversation-owner.js';
import type { SmppBindConfig } from '../../platform/config/smpp-binds.js';
import { Postgres } from '../../platform/database/postgres.js';
import { Every } from '../../platform/schedules/every.js';
import { Logger } from '../../platform/telemetry/logger.js';
import { SmppReplies } from './smpp-replies.js';

/** Long replies that are overdue, or that a worker left. */
const HANDED_OVER_EVERY_MS = 10_000;

/** Receives the replies of all binds. */
@Injectable()
export class BindReplies {
  private readonly all: SmppReplies[] = [];

  constructor(
    private readonly receiveReplies: ReceiveReplies,
    private readonly conversationOwner: ConversationOwner,
    private readonly postgres: Postgres,
    private readonly logger: Logger,
  ) {}

  /** Returns the receiver of a bind's replies, whose long replies are handed over from now on. */
  of(bind: SmppBindConfig): SmppReplies {
    const receive = this.receiveReplies.receive.bind(this.receiveReplies);
    const textedAt = async (person: string, sender: string) =>
      (await this.conversationOwner.latest({ person, senders: [sender] }))?.atMs;
    const replies = new SmppReplies(bind, receive, textedAt, this.postgres, this.logger);
    this.all.push(replies);
    return replies;
  }

  /**
   * Hands over the due long replies of all binds, regardless of the worker that took their
   * segments.
   */
  @Every({
    name: 'smpp long replies',
    everyMs: ({ smpp }) => (smpp.length === 0 ? null : HANDED_OVER_EVERY_MS),
    wholeDatabase: true,
  })
  async handOver(): Promise<void> {
    for (const replies of this.all) await replies.handOver();
  }
}
