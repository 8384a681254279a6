import { Injectable } from '@nestjs/common';
import { Postgres } from '../../platform/database/postgres.js';
import { Logger } from '../../platform/telemetry/logger.js';
import { Metrics } from '../../platform/telemetry/metrics.js';
import { messageIdFromPublic } from '../../rules/ids.js';
import { contextFields, type RequestContext } from '../../platform/telemetry/request-context.js';
import type { CarrierStatus } from '../dispatch/carrier.js';
import { CarrierMatches } from './carrier-matches.js';
import { ConversationOwner } from '../senders/conversation-owner.js';
import { StatusUpdates } from './status-updates.js';

interface DeliveryReceipt {
  /** Our public id, from the callback's URL. */
  readonly messageId: string;
  /** The message's account, from the same place; undefined on callbacks to URLs without it. */
  readonly accountId?: string | undefined;
  readonly carrierId: string;
  readonly status: CarrierStatus;
  readonly carrierError: number | null;
  /** The number that a messaging service chose. */
  readonly sender?: string | undefined;
  /** That messaging service. */
  readonly service?: string | undefined;
  readonly context?: RequestContext | undefined;
}

/**
 * Records a delivery receipt. Repeated and late ones, and those of unknown messages, change
 * nothing.
 */
@Injectable()
export class RecordReceipt {
  constructor(
    private readonly postgres: Postgres,
    private readonly statusUpdates: StatusUpdates,
    private readonly matches: CarrierMatches,
    private readonly conversationOwner: ConversationOwner,
    private readonly metrics: Metrics,
    private readonly logger: Logger,
  ) {}

  async record(receipt: DeliveryReceipt): Promise<void> {
    const { messageId, accountId, carrierId, status, context } = receipt;
    this.metrics.receipts.inc({ status });
    const named = messageIdFromPublic(messageId);
    if (!named) {
      this.logger.warn({ ...contextFields(context), carrierId }, 'receipt without a valid message id');
      return;
    }
    const record = () => this.recordOf(named, receipt);
    await (accountId === undefined
      ? this.postgres.ofRow('messages', named, record)
      : this.postgres.ofAccount(accountId, record));
  }

  private async recordOf(
    named: string,
    { carrierId, status, carrierError, sender, service, context }: DeliveryReceipt,
  ): Promise<void> {
    if (sender !== undefined) {
      await this.conversationOwner.recordSender((await this.matches.messageOf(carrierId)) ?? named, sender);
    }
    const failed = status === 'failed' || status === 'undelivered';
    const update = {
      status,
      carrierId,
      carrierError,
      service,
      context,
      ...(failed && { errorCode: 'not_delivered' as const }),
    };
    // Changes nothing if the carrier message was matched to another message.
    let transition = await this.statusUpdates.apply({ ...update, id: named });
    if (!transition) {
      const matched = await this.matches.messageOf(carrierId);
      if (matched !== undefined && matched !== named)
        transition = await this.postgres.ofRow('messages', matched, () =>
          this.statusUpdates.apply({ ...update, id: matched }),
        );
    }
    if (transition && failed) {
      const { id, refunded } = transition;
      this.logger.info(
        { ...contextFields(context), messageId: id, status, carrierError, refunded },
        'message not delivered',
      );
    }
  }
}
