import { Injectable } from '@nestjs/common';
import { eachDueRow } from '../../platform/durable-work/durable-work.js';
import { AccountEvents } from '../../platform/events/account-events.js';
import { DispatchQueue } from '../../platform/queue/queues.js';
import { Every } from '../../platform/schedules/every.js';
import { Logger } from '../../platform/telemetry/logger.js';
import { DueMessagesRepository } from './due-messages.repository.js';

/** Approximate maximum delay of a scheduled message. */
const SCHEDULED_EVERY_MS = 250;

/** Makes scheduled messages queued when their time has come. Safe in several workers at once. */
@Injectable()
export class ReleaseScheduled {
  constructor(
    private readonly due: DueMessagesRepository,
    private readonly accountEvents: AccountEvents,
    private readonly queue: DispatchQueue,
    private readonly logger: Logger,
  ) {}

  /**
   * Queues and enqueues one batch of scheduled messages whose time has come; returns whether there
   * may be more. A message whose job is lost is enqueued again by recovery.
   */
  @Every({
    name: 'scheduled messages',
    everyMs: ({ dispatch }) => Math.min(dispatch.recoveryIntervalMs, SCHEDULED_EVERY_MS),
    whileMore: true,
  })
  async run(): Promise<boolean> {
    const { messages, more } = await this.due.releaseScheduled();
    for (const { accountId, id } of messages) this.accountEvents.changed(accountId, id);
    const { logger } = this;
    await eachDueRow(messages, { name: 'scheduled messages', logger }, (message) => this.queue.enqueued(message));
    return more;
  }
}
