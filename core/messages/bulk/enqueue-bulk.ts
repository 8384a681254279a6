import { Injectable } from '@nestjs/common';
import { AccountEvents } from '../../platform/events/account-events.js';
import { DispatchQueue } from '../../platform/queue/queues.js';
import { Logger } from '../../platform/telemetry/logger.js';
import type { RequestContext } from '../../platform/telemetry/request-context.js';
import type { BulkRequest } from './bulk-caller.js';

/**
 * Messages of a bulk that wait for the queue at once, so that other accounts' messages do not wait
 * behind all of them.
 */
const ENQUEUED_AT_ONCE = 100;

/** Enqueues a bulk's messages after the commit; recovery finds those that a crash leaves out. */
@Injectable()
export class EnqueueBulk {
  constructor(
    private readonly queue: DispatchQueue,
    private readonly accountEvents: AccountEvents,
    private readonly logger: Logger,
  ) {}

  /** Returns before the messages are in the queue. Scheduled ones wait for their time. */
  accepted(
    accountId: string,
    ids: readonly string[],
    { options, context }: Pick<BulkRequest, 'options' | 'context'>,
  ): void {
    for (const id of ids) this.accountEvents.changed(accountId, id);
    const { requestId, traceparent } = context ?? {};
    this.logger.debug({ requestId, traceparent, accountId, messages: ids.length }, 'bulk accepted');
    if (!options.sendAt) void this.enqueue(accountId, ids, context);
  }

  /** Never fails: the queue leaves what it cannot take to recovery. */
  private async enqueue(accountId: string, ids: readonly string[], context: RequestContext | undefined): Promise<void> {
    for (let first = 0; first < ids.length; first += ENQUEUED_AT_ONCE) {
      const some = ids.slice(first, first + ENQUEUED_AT_ONCE);
      await Promise.all(some.map((id) => this.queue.enqueued({ id, accountId, kind: 'sms', context })));
    }
  }
}
