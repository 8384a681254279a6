import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../accounts/accounts.module.js';
import { CreditsModule } from '../credits/credits.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { AcceptMessage } from './accept-message.js';
import { Admission } from './admission/admission.js';
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
import { MessageEvents } from './progress/message-events.js';
import { Progress } from './progress/progress.js';
import { RecordReceipt } from './progress/record-receipt.js';
import { QuoteMessage } from './quote-message.js';
import { SealedTexts } from './sealed-texts/sealed-texts.js';
import { SealedTextsRepository } from './sealed-texts/sealed-texts.repository.js';
import { SendMessage } from './send-message.js';

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
