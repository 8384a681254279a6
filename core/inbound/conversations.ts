import { Injectable } from '@nestjs/common';
import type { ConversationAnswer, ConversationMessage, ConversationQuery } from '#contract/histories.js';
import type { MediaView } from '#contract/media.js';
import type { MessageView } from '#contract/messages.js';
import { Messages } from '../messages/history/messages.js';
import { MessageFiles } from '../messages/files/message-files.js';
import { holdsForAccount } from '../messages/store/opt-outs.sql.js';
import { MediaViews } from '../media/media-views.js';
import { Config } from '../platform/config/config.js';
import { Postgres } from '../platform/database/postgres.js';
import { publicMessageId } from '../rules/ids.js';
import { numberOrSender } from '../rules/phone-numbers.js';
import { hasLostText } from './lost-text.js';
import { ReplyThreads } from './reply-threads.js';
import { receivedColumns, type ReceivedMessage } from './received-history.js';

/** Messages of a page, and maximum of messages of either direction that are read for it. */
const PAGE_SIZE = 50;

/** Parameters: account, person, number of a reply below which to look. */
export const conversationRepliesStatement = {
  name: 'conversation-replies-2',
  text: `SELECT number::float8 AS number, created_at AS "createdAt", ${receivedColumns} FROM inbound_messages
    WHERE account_id = $1 AND sender = $2 AND ($3::bigint IS NULL OR number < $3) ORDER BY number DESC
      LIMIT ${PAGE_SIZE + 1}`,
} as const;

/** Parameters: person, senders of the conversation, account. */
export const conversationOptOutStatement = {
  name: 'conversation-opt-out-3',
  text: `SELECT max(created_at) AS "optedOutAt" FROM opt_outs o
    WHERE recipient = $1 AND ${holdsForAccount('o', '$3::uuid', 'o.sender = ANY($2::text[])')}`,
} as const;

/** The messages between an account and one person, in both directions. */
@Injectable()
export class Conversations {
  constructor(
    private readonly postgres: Postgres,
    private readonly messages: Messages,
    private readonly replyThreads: ReplyThreads,
    private readonly mediaViews: MediaViews,
    private readonly files: MessageFiles,
    private readonly config: Config,
  ) {}

  /**
   * Returns a page, newest first. Throws `invalid_request` for a position that is not from an
   * earlier answer.
   */
  async show(accountId: string, typed: string, { before, below }: ConversationQuery): Promise<ConversationAnswer> {
    const number = numberOrSender(typed);
    const anything = { status: null, reason: null, reference: null, since: null, until: null };
    const sent = await this.messages.list(accountId, before, undefined, { recipient: number, ...anything });
    const values = [accountId, number, below ?? null];
    const replies = await this.postgres.query<ReceivedMessage>(conversationRepliesStatement, values);
    const files = await this.files.viewsOf(
      accountId,
      sent.messages.filter(({ kind }) => kind === 'mms').map(({ message_id: id }) => id),
    );
    const both = [
      ...sent.messages.map((message) => sentOf(message, files.get(message.message_id) ?? [])),
      ...replies.slice(0, PAGE_SIZE).map((reply) => this.receivedOf(reply)),
    ];
    const messages = both.sort((one, other) => other.at.localeCompare(one.at)).slice(0, PAGE_SIZE);
    const sentShown = messages.filter(({ direction }) => direction === 'sent');
    const repliesShown = messages.length - sentShown.length;
    const isSentDone = sentShown.length === sent.messages.length && sent.nextCursor === null;
    const areRepliesDone = repliesShown === replies.length;
    // If the search for sent messages ends the page, the next page continues below its end.
    const lastSent =
      sentShown.length === sent.messages.length
        ? (sent.nextCursor ?? sentShown.at(-1)?.messageId)
        : sentShown.at(-1)?.messageId;
    const optedOutAt = await this.optedOutAt(accountId, number, messages);
    const isLastReceived = messages[0]?.direction === 'received';
    const mayWait = isLastReceived && (await this.replyThreads.mayWait(accountId, number));
    return {
      number,
      messages,
      optedOutAt,
      isUnanswered: mayWait && optedOutAt === null,
      next:
        isSentDone && areRepliesDone
          ? null
          : { before: lastSent ?? before ?? null, below: replies[repliesShown - 1]?.number ?? below ?? null },
    };
  }

  /**
   * Takes the person off the unanswered people, unless a later reply has come. Throws
   * `message_not_found` when the account has no such reply of the person.
   */
  async markAnswered(accountId: string, typed: string, messageId: string): Promise<void> {
    await this.replyThreads.markAnswered(accountId, numberOrSender(typed), messageId);
  }

  private receivedOf(reply: ReceivedMessage): ConversationMessage {
    const { id, createdAt, body, recipient, status, credits, media } = reply;
    const isTextRemoved = hasLostText(reply, this.config.retention.textDays);
    const at = createdAt.toISOString();
    const shown = { messageId: publicMessageId(id), at, text: body, isTextRemoved, sender: recipient };
    return { direction: 'received', ...shown, status, credits, refunded: 0, media: this.mediaViews.of(media) };
  }

  /**
   * Time at which the person opted out of the senders of the latest messages; null otherwise, also
   * without messages.
   */
  private async optedOutAt(
    accountId: string,
    number: string,
    messages: readonly ConversationMessage[],
  ): Promise<string | null> {
    const senderOf = (one: ConversationMessage['direction']) =>
      messages.find(({ direction, sender }) => direction === one && sender !== null)?.sender ?? null;
    const senders = [senderOf('sent'), senderOf('received')].filter((sender) => sender !== null);
    if (senders.length === 0) return null;
    const [row] = await this.postgres.query<{ optedOutAt: Date | null }>(conversationOptOutStatement, [
      number,
      senders,
      accountId,
    ]);
    return row?.optedOutAt?.toISOString() ?? null;
  }
}

function sentOf(message: MessageView, media: MediaView[]): ConversationMessage {
  const { message_id: messageId, created_at: at, message: text, from: sender, status, credits, refunded } = message;
  // Only a message with files may have no text.
  const isTextRemoved = text === '' && media.length === 0;
  return { direction: 'sent', messageId, at, text, isTextRemoved, sender, status, credits, refunded, media };
}
