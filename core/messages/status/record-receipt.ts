import { Injectable } from '@nestjs/common';
import { Logger } from '../../platform/telemetry/logger.js';
import { Metrics } from '../../platform/telemetry/metrics.js';
import { messageIdFromPublic } from '../../rules/ids.js';
import { contextFields, type RequestContext } from '../../platform/telemetry/request-context.js';
import type { CarrierStatus } from '../dispatch/carrier.js';
import { RecentSendersRepository } from '../conversations/recent-senders.repository.js';
import { StatusUpdates } from './status-updates.js';

export interface Receipt {
  /** Our public id, as it stands in the callback's URL. */
  readonly messageId: string;
  readonly carrierId: string;
  readonly status: CarrierStatus;
  readonly carrierError: number | null;
  /** The number it left from, when a messaging service chose it. */
  readonly sender?: string | undefined;
  readonly origin?: RequestContext | undefined;
}

/** Takes a delivery receipt in. Repeats, late ones and those of messages that are not ours change nothing. */
@Injectable()
export class RecordReceipt {
  constructor(
    private readonly statusUpdates: StatusUpdates,
    private readonly recentSenders: RecentSendersRepository,
    private readonly metrics: Metrics,
    private readonly logger: Logger,
  ) {}

  async run({ messageId, carrierId, status, carrierError, sender, origin }: Receipt): Promise<void> {
    this.metrics.receipts.inc({ status });
    const id = messageIdFromPublic(messageId);
    if (!id) {
      this.logger.warn({ ...contextFields(origin), carrierId }, 'receipt without a message id of ours');
      return;
    }
    if (sender !== undefined) await this.recentSenders.learnSender(id, sender);
    const failed = status === 'failed' || status === 'undelivered';
    const advance = await this.statusUpdates.advance({
      id,
      status,
      carrierId,
      carrierError,
      origin,
      ...(failed && { errorCode: 'not_delivered' }),
    });
    if (advance && failed) {
      this.logger.info(
        { ...contextFields(origin), messageId: id, status, carrierError, refunded: advance.refunded },
        'message not delivered',
      );
    }
  }
}
