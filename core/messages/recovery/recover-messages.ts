import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/config.js';
import { eachDueRow } from '../../platform/durable-work/durable-work.js';
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
  constructor(
    private readonly queueLoss: QueueLoss,
    private readonly requeue: RequeueMessage,
    private readonly settleDue: SettleDue,
    private readonly due: DueMessagesRepository,
    private readonly config: Config,
    private readonly logger: Logger,
  ) {}

  /** Recovers one batch; returns how many messages were due. */
  @Every({ name: 'recovery', everyMs: ({ dispatch }) => dispatch.recoveryIntervalMs, whileMore: true })
  async run(): Promise<number> {
    await this.queueLoss.expedite();
    const { leaseSeconds, lookupSeconds } = this.config.dispatch;
    const due = await this.due.take(leaseSeconds, lookupSeconds);
    const isWaiting = ({ status, expired }: DueMessage) => status === 'queued' && !expired;
    const unsettled = due.filter((message) => !isWaiting(message));
    const work = { name: 'messages', logger: this.logger };
    await eachDueRow(due.filter(isWaiting), work, (message) => this.requeue.enqueue(message));
    await eachDueRow(unsettled, { ...work, atOnceMax: CARRIER_CALLS_MAX }, (message) => this.settleDue.settle(message));
    return due.length;
  }
}
