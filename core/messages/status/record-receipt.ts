import { Inject, Injectable } from '@nestjs/common';
import { LOGGER, type Logger } from '../../platform/telemetry/logger.js';
import { Metrics } from '../../platform/telemetry/metrics.js';
import { messageIdFromPublic } from '../../rules/message-id.js';
import { originFields, type Origin } from '../../platform/telemetry/origin.js';
import type { CarrierStatus } from '../dispatch/carrier.js';
import { TextersRepository } from '../conversations/texters.repository.js';
import { Progress } from './progress.js';

export interface Receipt {
  /** Our public id, as it stands in the callback's URL. */
  readonly messageId: string;
  readonly carrierId: string;
  readonly status: CarrierStatus;
  readonly carrierError: number | null;
  /** The number it left from, when a messaging service chose it. */
  readonly sender?: string | undefined;
  readonly origin?: Origin | undefined;
}

/** Takes a delivery receipt in. Repeats, late ones and those of messages that are not ours change nothing. */
@Injectable()
export class RecordReceipt {
  constructor(
    private readonly progress: Progress,
    private readonly texters: TextersRepository,
    private readonly metrics: Metrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async run({ messageId, carrierId, status, carrierError, sender, origin }: Receipt): Promise<void> {
    this.metrics.receipts.inc({ status });
    const id = messageIdFromPublic(messageId);
    if (!id) {
      this.logger.warn({ ...originFields(origin), carrierId }, 'receipt without a message id of ours');
      return;
    }
    if (sender !== undefined) await this.texters.learnSender(id, sender);
    const failed = status === 'failed' || status === 'undelivered';
    const advance = await this.progress.advance({
      id,
      status,
      carrierId,
      carrierError,
      origin,
      ...(failed && { errorCode: 'not_delivered' }),
    });
    if (advance && failed) {
      this.logger.info(
        { ...originFields(origin), messageId: id, status, carrierError, refunded: advance.refunded },
        'message not delivered',
      );
    }
  }
}
