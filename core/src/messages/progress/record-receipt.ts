import { Inject, Injectable } from '@nestjs/common';
import { LOGGER, type Logger } from '../../logging/logger.js';
import { messageIdFromPublic } from '../../rules/message-id.js';
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
}

/** Takes a delivery receipt in. Repeats, late ones and those of messages that are not ours change nothing. */
@Injectable()
export class RecordReceipt {
  constructor(
    private readonly progress: Progress,
    private readonly texters: TextersRepository,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async run({ messageId, carrierId, status, carrierError, sender }: Receipt): Promise<void> {
    const id = messageIdFromPublic(messageId);
    if (!id) {
      this.logger.warn({ carrierId }, 'receipt without a message id of ours');
      return;
    }
    if (sender !== undefined) await this.texters.learnSender(id, sender);
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
