import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../accounts/accounts.module.js';
import { CreditsModule } from '../credits/credits.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { AcceptMessage } from './send/accept-message.js';
import { Admission } from './send/admission.js';
import { ChangedMessages } from './changed-messages.js';
import { CheckCharges } from './check-charges.js';
import { ConversationsRepository } from './conversations/conversations.repository.js';
import { FindSenders } from './conversations/find-senders.js';
import { LastTexter } from './conversations/last-texter.js';
import { Senders } from './conversations/senders.js';
import { TextersRepository } from './conversations/texters.repository.js';
import { FindMessage } from './find-message.js';
import { MessageDaysRepository } from './history/message-days.repository.js';
import { SentHistory } from './history/sent-history.js';
import { SentHistoryRepository } from './history/sent-history.repository.js';
import { ShowActivity } from './history/show-activity.js';
import { ShowSent } from './history/show-sent.js';
import { ListMessages } from './list-messages.js';
import { MessageEntity } from './message.entity.js';
import { MessageTracesRepository } from './message-traces.repository.js';
import { MessagesRepository } from './messages.repository.js';
import { MessageEvents } from './status/message-events.js';
import { Progress } from './status/progress.js';
import { RecordReceipt } from './status/record-receipt.js';
import { QuoteMessage } from './send/quote-message.js';
import { SealedTexts } from './otp-payloads/sealed-texts.js';
import { SealedTextsRepository } from './otp-payloads/sealed-texts.repository.js';
import { SendMessage } from './send/send-message.js';

const useCases = [
  SendMessage,
  QuoteMessage,
  AcceptMessage,
  SealedTexts,
  FindMessage,
  ListMessages,
  ChangedMessages,
  SentHistory,
  ShowSent,
  ShowActivity,
  RecordReceipt,
  CheckCharges,
  LastTexter,
];

/** Outgoing messages as the server needs them: taken in, shown, and moved on by receipts. */
@Module({
  imports: [TypeOrmModule.forFeature([MessageEntity]), AccountsModule, CreditsModule, WebhooksModule],
  providers: [
    ...useCases,
    Admission,
    Senders,
    FindSenders,
    ConversationsRepository,
    TextersRepository,
    MessagesRepository,
    MessageTracesRepository,
    SentHistoryRepository,
    MessageDaysRepository,
    SealedTextsRepository,
    MessageEvents,
    Progress,
  ],
  exports: [...useCases, Progress],
})
export class MessagesModule {}
