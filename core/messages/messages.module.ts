import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../accounts/accounts.module.js';
import { CreditsModule } from '../credits/credits.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { AcceptMessage } from './send/accept-message.js';
import { Acceptance } from './send/acceptance.js';
import { ChangedMessages } from './changed-messages.js';
import { CheckCharges } from './check-charges.js';
import { ConversationsRepository } from './conversations/conversations.repository.js';
import { FindSenders } from './conversations/find-senders.js';
import { ConversationOwner } from './conversations/conversation-owner.js';
import { Senders } from './conversations/senders.js';
import { RecentSendersRepository } from './conversations/recent-senders.repository.js';
import { FindMessage } from './find-message.js';
import { MessageDaysRepository } from './history/message-days.repository.js';
import { SentHistory } from './history/sent-history.js';
import { SentHistoryRepository } from './history/sent-history.repository.js';
import { ShowActivity } from './history/show-activity.js';
import { ShowSent } from './history/show-sent.js';
import { ListMessages } from './list-messages.js';
import { MessageEntity } from './message.entity.js';
import { MessageErasureRepository } from './message-erasure.repository.js';
import { MessagesRepository } from './messages.repository.js';
import { MessageEvents } from './status/message-events.js';
import { StatusUpdates } from './status/status-updates.js';
import { RecordReceipt } from './status/record-receipt.js';
import { QuoteMessage } from './send/quote-message.js';
import { OtpPayloads } from './otp-payloads/otp-payloads.js';
import { OtpPayloadsRepository } from './otp-payloads/otp-payloads.repository.js';
import { SendMessage } from './send/send-message.js';

const useCases = [
  SendMessage,
  QuoteMessage,
  AcceptMessage,
  OtpPayloads,
  FindMessage,
  ListMessages,
  ChangedMessages,
  SentHistory,
  ShowSent,
  ShowActivity,
  RecordReceipt,
  CheckCharges,
  ConversationOwner,
];

/** Outgoing messages as the server needs them: taken in, shown, and moved on by receipts. */
@Module({
  imports: [TypeOrmModule.forFeature([MessageEntity]), AccountsModule, CreditsModule, WebhooksModule],
  providers: [
    ...useCases,
    Acceptance,
    Senders,
    FindSenders,
    ConversationsRepository,
    RecentSendersRepository,
    MessagesRepository,
    MessageErasureRepository,
    SentHistoryRepository,
    MessageDaysRepository,
    OtpPayloadsRepository,
    MessageEvents,
    StatusUpdates,
  ],
  exports: [...useCases, StatusUpdates],
})
export class MessagesModule {}
