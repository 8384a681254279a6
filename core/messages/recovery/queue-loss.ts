import { Injectable } from '@nestjs/common';
import { SharedCounters } from '../../platform/queue/shared-counters.js';
import { Logger } from '../../platform/telemetry/logger.js';
import { Metrics } from '../../platform/telemetry/metrics.js';
import { DueMessagesRepository } from './due-messages.repository.js';

/** Makes queued messages due at once when the queue is new or lost its data. */
@Injectable()
export class QueueLoss {
  constructor(
    private readonly counters: SharedCounters,
    private readonly due: DueMessagesRepository,
    private readonly metrics: Metrics,
    private readonly logger: Logger,
  ) {}

  async expedite(): Promise<void> {
    if (!(await this.counters.isNew())) return;
    this.metrics.queueLosses.inc();
    const messages = await this.due.expedite();
    if (messages > 0)
      this.logger.warn({ messages }, 'queue is new or lost its data; queued messages are enqueued again');
  }
}
