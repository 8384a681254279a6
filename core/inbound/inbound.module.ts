import { Module, type DynamicModule } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { CreditsModule } from '../credits/credits.module.js';
import { MediaModule } from '../media/media.module.js';
import { NumbersModule } from '../numbers/numbers.module.js';
import { CarriersModule } from '../carriers/carriers.module.js';
import { MessagesModule } from '../messages/messages.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { ReceiveReplies } from './receive-replies.js';
import { ConversationList } from './conversation-list.js';
import { Conversations } from './conversations.js';
import { AwaitedMedia } from './awaited-media.js';
import { ChargeReplies } from './charge-replies.js';
import { CopyMedia } from './copy-media.js';
import { ForeignReplies } from './foreign-replies.js';
import { ForwardReplies } from './forward-replies.js';
import { ReplyEvents } from './reply-events.js';
import { HeldReplies } from './held-replies.js';
import { InboundRetention } from './inbound-retention.js';
import { InboundRepository } from './inbound.repository.js';
import { CatchUp } from './catch-up.js';
import { OptOutList } from './opt-out-list.js';
import { OptOuts } from './opt-outs.js';
import { ReplyThreads } from './reply-threads.js';
import { ReceivedHistory } from './received-history.js';
import { StoreReplies } from './store-replies.js';
import { StrangerDays } from './stranger-days.js';
import { CollectReplies } from './collect-replies.js';

const services = [
  ReceiveReplies,
  ConversationList,
  Conversations,
  HeldReplies,
  OptOuts,
  OptOutList,
  ReplyThreads,
  ReceivedHistory,
  InboundRetention,
  CatchUp,
  AwaitedMedia,
];

/** Replies: received, held, forwarded and listed; opt-outs. */
@Module({
  imports: [AccountsModule, CarriersModule, CreditsModule, MediaModule, MessagesModule, NumbersModule, WebhooksModule],
  providers: [
    ...services,
    StoreReplies,
    ChargeReplies,
    StrangerDays,
    ForeignReplies,
    ForwardReplies,
    ReplyEvents,
    InboundRepository,
  ],
  exports: services,
})
export class InboundModule {}

/**
 * Polls the carriers for replies and their files, in the worker only; `carrier` is the module that
 * provides the carrier.
 */
@Module({})
export class CollectRepliesModule {
  static with(carrier: DynamicModule): DynamicModule {
    return {
      module: CollectRepliesModule,
      imports: [carrier, CarriersModule, MediaModule, MessagesModule, InboundModule, NumbersModule],
      providers: [CollectReplies, CopyMedia],
      exports: [CollectReplies, CopyMedia],
    };
  }
}
