import { Inject, Injectable } from '@nestjs/common';
import { LOGGER, type Logger } from '../../logging/logger.js';
import { messageIdFromPublic } from '../../rules/message-id.js';
import type { CarrierStatus } from '../dispatch/carrier.js';
import { Progress } from './progress.js';

export interface Receipt {
  /** Our public id, as it stands in the callback's URL. */
  readonly messageId: string;
  readonly carrierId: string;
  readonly status: CarrierStatus;
  readonly carrierError: number | null;
}

/** Takes a delivery receipt in. Repeats, late ones and those of messages that are not ours change nothing. */
@Injectable()
export class RecordReceipt {
  constructor(
    private readonly progress: Progress,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async run({ messageId, carrierId, status, carrierError }: Receipt): Promise<void> {
    const id = messageIdFromPublic(messageId);
    if (!id) {
      this.logger.warn({ carrierId }, 'receipt without a message id of ours');
      return;
    }
    const failed = status === 'failed' || status === 'undelivered';
    const advance = await this.progress.advance({
      id,
      status,
      carrierId,
      carrierError,
      ...(failed && { errorCode: 'not_delivered' }),
    });
    if (advance && failed) {
      this.logger.info({ messageId: id, status, carrierError, refunded: advance.refunded }, 'message not delivered');
    }
  }
}
