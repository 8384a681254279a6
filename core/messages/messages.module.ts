import { Module, type DynamicModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AuditModule } from '../audit/audit.module.js';
import { CarriersModule } from '../carriers/carriers.module.js';
import { RoutesModule } from '../routes/routes.module.js';
import { NumbersModule } from '../numbers/numbers.module.js';
import { CreditsModule } from '../credits/credits.module.js';
import { MediaModule } from '../media/media.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { ConversationOwner } from './senders/conversation-owner.js';
import { ConversationOwnersRepository } from './senders/conversation-owners.repository.js';
import { Senders } from './senders/senders.js';
import { AcceptBulk } from './bulk/accept-bulk.js';
import { Batches } from './bulk/batches.js';
import { BatchesRepository } from './bulk/batches.repository.js';
import { BulkPlaces } from './bulk/bulk-places.js';
import { BulkCaller } from './bulk/bulk-caller.js';
import { BulkCandidates } from './bulk/bulk-candidates.js';
import { EnqueueBulk } from './bulk/enqueue-bulk.js';
import { PriceBulk } from './bulk/price-bulk.js';
import { QuoteBulk } from './bulk/quote-bulk.js';
import { SendBulk } from './bulk/send-bulk.js';
import { ClaimMessages } from './dispatch/claim-messages.js';
import { DispatchGate } from './dispatch/dispatch-gate.js';
import { DispatchMessage, HandOverMessage } from './dispatch/dispatch-message.js';
import { DispatchOutcomes } from './dispatch/dispatch-outcomes.js';
import { NumberTurns } from './dispatch/number-turns.js';
import { ExpireCodes } from './dispatch/expire-codes.js';
import { MessageQueues } from './store/message-queues.js';
import { DispatchPauses } from './dispatch/dispatch-pauses.js';
import { ProbeCarrier } from './dispatch/probe-carrier.js';
import { MessageRecords } from './history/message-record.js';
import { SentHistory } from './history/sent-history.js';
import { MessageErasure, MessageRetention } from './message-retention.js';
import { MessageEntity } from './store/message.entity.js';
import { Messages } from './history/messages.js';
import { MessagesRepository } from './store/messages.repository.js';
import { FetchFile } from './files/fetch-file.js';
import { FilePlaces } from './files/file-places.js';
import { ReceivingPlaces } from './files/receiving-places.js';
import { FitFiles } from './files/fit-files.js';
import { GivenFiles } from './files/given-files.js';
import { MessageFiles } from './files/message-files.js';
import { MessageFilesRepository } from './files/message-files.repository.js';
import { PrepareFiles } from './send/prepare-files.js';
import { IdempotencyKeysInFlight } from './send/idempotency-keys-in-flight.js';
import { LinkedTexts } from './send/linked-texts.js';
import { PriceMessage } from './send/price-message.js';
import { QuoteMessage } from './send/quote-message.js';
import { OtpPayloads } from './store/otp-payloads.js';
import { DueMessagesRepository } from './recovery/due-messages.repository.js';
import { SettleRestored } from './recovery/settle-restored.js';
import { SettleClaim } from './recovery/settle-claim.js';
import { PollSent } from './recovery/poll-sent.js';
import { QueueLoss } from './recovery/queue-loss.js';
import { RecoverMessages } from './recovery/recover-messages.js';
import { RequeueMessage } from './recovery/requeue-message.js';
import { SettleDue } from './recovery/settle-due.js';
import { ReleaseScheduled } from './recovery/release-scheduled.js';
import { AcceptMessage } from './send/accept-message.js';
import { Acceptance } from './send/acceptance.js';
import { EarlierAnswers } from './send/earlier-answers.js';
import { RunAcceptance } from './send/run-acceptance.js';
import { CallerPrice } from './send/caller-price.js';
import { PreviewDraft } from './send/preview-draft.js';
import { RecordAccepted } from './send/record-accepted.js';
import { SendMessage } from './send/send-message.js';
import { CancelMessage } from './status/cancel-message.js';
import { CarrierMatches } from './status/carrier-matches.js';
import { EndKeys } from './status/end-keys.js';
import { EndWaiting } from './status/end-waiting.js';
import { KeySchedules } from './status/key-schedules.js';
import { DeliverySuspensions } from './status/delivery-suspensions.js';
import { DeliverySuspensionsRepository } from './status/delivery-suspensions.repository.js';
import { ApplyReceipt, RecordReceipt } from './status/record-receipt.js';
import { TakeReceipt } from './status/take-receipt.js';
import { StatusUpdates } from './status/status-updates.js';
import { LookUpMessage } from './recovery/look-up-message.js';
import { ChangeRoute } from './handover/change-route.js';
import { MessageAttempts } from './handover/message-attempts.js';
import { Reroute } from './handover/reroute.js';
import { MessageCosts } from './status/message-costs.js';
import { RouteHealth } from '../routes/route-health.js';
import { type BuildCarriers, Carriers } from '../carriers/carrier.js';
import { Config } from '../platform/config/config.js';
import { AccountRequestsModule } from '../platform/places/account-requests.js';
import { MessageActivity } from './history/message-activity.js';
import { PricePromises } from './send/price-promises.js';

const exported = [
  SendMessage,
  QuoteMessage,
  IdempotencyKeysInFlight,
  GivenFiles,
  FilePlaces,
  ReceivingPlaces,
  MessageFiles,
  QuoteBulk,
  SendBulk,
  BulkPlaces,
  Batches,
  PreviewDraft,
  PricePromises,
  AcceptMessage,
  OtpPayloads,
  Messages,
  SentHistory,
  MessageRecords,
  MessageActivity,
  MessageCosts,
  RecordReceipt,
  TakeReceipt,
  CancelMessage,
  EndKeys,
  KeySchedules,
  CarrierMatches,
  DispatchPauses,
  MessageQueues,
  MessageAttempts,
  Reroute,
  ConversationOwner,
  DeliverySuspensions,
  Senders,
  SettleRestored,
  StatusUpdates,
];

/** Outgoing messages for the server: accepted, shown, and updated by delivery receipts. */
@Module({
  imports: [
    TypeOrmModule.forFeature([MessageEntity]),
    AccountRequestsModule,
    AccountsModule,
    AuditModule,
    CarriersModule,
    CreditsModule,
    MediaModule,
    NumbersModule,
    RoutesModule,
    WebhooksModule,
  ],
  providers: [
    ...exported,
    ApplyReceipt,
    ChangeRoute,
    DeliverySuspensionsRepository,
    EndWaiting,
    Acceptance,
    EarlierAnswers,
    RecordAccepted,
    AcceptBulk,
    BulkCaller,
    BulkCandidates,
    EnqueueBulk,
    PriceBulk,
    BatchesRepository,
    RunAcceptance,
    CallerPrice,
    PriceMessage,
    LinkedTexts,
    PrepareFiles,
    FitFiles,
    FetchFile,
    MessageFilesRepository,
    ConversationOwnersRepository,
    MessagesRepository,
    MessageErasure,
  ],
  exports: exported,
})
export class MessagesModule {}

/** Outgoing messages for the worker: dispatched to the carrier and recovered. */
@Module({})
export class DispatchModule {
  static over(buildCarriers: BuildCarriers): DynamicModule {
    return {
      module: DispatchModule,
      imports: [AccountsModule, CarriersModule, MessagesModule, NumbersModule, RoutesModule],
      providers: [
        DispatchMessage,
        DispatchOutcomes,
        HandOverMessage,
        NumberTurns,
        ExpireCodes,
        DispatchGate,
        ProbeCarrier,
        RouteHealth,
        PollSent,
        QueueLoss,
        RecoverMessages,
        RequeueMessage,
        SettleDue,
        ReleaseScheduled,
        MessageRetention,
        ClaimMessages,
        SettleClaim,
        LookUpMessage,
        DueMessagesRepository,
        {
          provide: Carriers,
          useFactory: async (config: Config) => new Carriers(await buildCarriers(config)),
          inject: [Config],
        },
      ],
      exports: [
        DispatchMessage,
        ProbeCarrier,
        RouteHealth,
        RecoverMessages,
        ReleaseScheduled,
        MessageRetention,
        Carriers,
      ],
    };
  }
}
