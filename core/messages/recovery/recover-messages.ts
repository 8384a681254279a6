import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/config.js';
import { Recovery } from '../../platform/durable-work/durable-work.js';
import { Logger } from '../../platform/telemetry/logger.js';
import { type DueMessage, DueMessagesRepository } from './due-messages.repository.js';
import { QueueLoss } from './queue-loss.js';
import { RequeueMessage } from './requeue-message.js';
import { SettleDue } from './settle-due.js';
import { Every } from '../../platform/schedules/every.js';

/** Simultaneous calls to the carrier, so that recovery leaves room for sending. */
const CARRIER_CALLS_MAX = 10;

/**
 * Recovers queued messages that were lost or expired, claims without an outcome, and sent messages
 * without a receipt. Safe in several workers at once.
 */
@Injectable()
export class RecoverMessages {
  private readonly recovery: Recovery<DueMessage>;

  constructor(
    private readonly queueLoss: QueueLoss,
    requeue: RequeueMessage,
    settleDue: SettleDue,
    due: DueMessagesRepository,
    config: Config,
    logger: Logger,
  ) {
    this.recovery = new Recovery({
      name: 'messages',
      logger,
      takeDue: () => due.take(config.dispatch.leaseSeconds, config.dispatch.lookupSeconds),
      enqueue: (message) => requeue.enqueue(message),
      settle: {
        applies: ({ status, expired }) => status !== 'queued' || expired,
        run: (message) => settleDue.settle(message),
        concurrencyMax: CARRIER_CALLS_MAX,
      },
    });
  }

  /** Recovers one batch; returns how many messages were due. */
  @Every({ name: 'recovery', everyMs: ({ dispatch }) => dispatch.recoveryIntervalMs, whileMore: true })
  async run(): Promise<number> {
    await this.queueLoss.expedite();
    return this.recovery.run();
  }
}
