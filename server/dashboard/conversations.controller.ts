import { Controller, Get, Param, Query, UseGuards } from '@nestjs/common';
import {
  type ConversationAnswer,
  conversationQuery,
  type ConversationQuery,
  type ConversationsAnswer,
  conversationsQuery,
  type ConversationsQuery,
} from '#contract/histories.js';
import type { SessionAccount } from '#core/accounts/sessions/sessions.js';
import { ConversationList } from '#core/inbound/conversation-list.js';
import { Conversations } from '#core/inbound/conversations.js';
import { SessionGuard, SignedIn } from '../auth/session.guard.js';

/** GET /api/dashboard/conversations, GET /api/dashboard/conversations/{number} */
@Controller('api/dashboard/conversations')
@UseGuards(SessionGuard)
export class ConversationsController {
  constructor(
    private readonly people: ConversationList,
    private readonly conversations: Conversations,
  ) {}

  /** The people, the latest message first. */
  @Get()
  async page(
    @SignedIn() { accountId }: SessionAccount,
    @Query({ schema: conversationsQuery }) query: ConversationsQuery,
  ): Promise<ConversationsAnswer> {
    return this.people.page(accountId, query);
  }

  /** Messages to and from one person. */
  @Get(':number')
  async show(
    @SignedIn() { accountId }: SessionAccount,
    @Param('number') number: string,
    @Query({ schema: conversationQuery }) query: ConversationQuery,
  ): Promise<ConversationAnswer> {
    return this.conversations.show(accountId, number, query);
  }
}
