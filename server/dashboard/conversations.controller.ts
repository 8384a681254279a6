import { Body, Controller, Get, HttpCode, Param, Post, Query, UseGuards } from '@nestjs/common';
import {
  answeredBody,
  type AnsweredBody,
  type ConversationAnswer,
  conversationQuery,
  type ConversationQuery,
  type ConversationsAnswer,
  conversationsQuery,
  type ConversationsQuery,
  type UnansweredAnswer,
} from '#contract/histories.js';
import type { SessionAccount } from '#core/accounts/sessions/sessions.js';
import { ConversationList } from '#core/inbound/conversation-list.js';
import { ReplyThreads } from '#core/inbound/reply-threads.js';
import { Conversations } from '#core/inbound/conversations.js';
import { SessionGuard, SignedIn } from '../auth/session.guard.js';

/**
 * GET /api/dashboard/conversations, its /unanswered, /{number}, and POST /{number}/answered
 */
@Controller('api/dashboard/conversations')
@UseGuards(SessionGuard)
export class ConversationsController {
  constructor(
    private readonly people: ConversationList,
    private readonly conversations: Conversations,
    private readonly replyThreads: ReplyThreads,
  ) {}

  /** People who have replied, who wait for an answer, or all. */
  @Get()
  async page(
    @SignedIn() { accountId }: SessionAccount,
    @Query({ schema: conversationsQuery }) query: ConversationsQuery,
  ): Promise<ConversationsAnswer> {
    return this.people.page(accountId, query);
  }

  /** Number of people who wait for an answer. */
  @Get('unanswered')
  async unanswered(@SignedIn() { accountId }: SessionAccount): Promise<UnansweredAnswer> {
    return this.replyThreads.countUnanswered(accountId);
  }

  /** Marks a person as answered; answers with the number of people who still wait. */
  @Post(':number/answered')
  @HttpCode(200)
  async markAnswered(
    @SignedIn() { accountId }: SessionAccount,
    @Param('number') number: string,
    @Body({ schema: answeredBody }) { messageId }: AnsweredBody,
  ): Promise<UnansweredAnswer> {
    await this.conversations.markAnswered(accountId, number, messageId);
    return this.replyThreads.countUnanswered(accountId);
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
