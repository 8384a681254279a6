import { Injectable } from '@nestjs/common';
import { AccountEvents } from '../../platform/events/account-events.js';
import { Logger } from '../../platform/telemetry/logger.js';
import type { RequestContext } from '../../platform/telemetry/request-context.js';
import { MessageQueues } from '../store/message-queues.js';
import type { BulkRequest } from './bulk-caller.js';

/**
 * Messages of a bulk that are enqueued at once, so that other accounts' messages need not wait for
 * the whole bulk.
 */
const ENQUEUED_AT_ONCE = 100;

/** An accepted message of a bulk. */
interface BulkMessage {
  readonly id: string;
  readonly sender: string | null;
}

/**
 * Enqueues a bulk's messages after the commit; recovery finds the messages that a crash leaves out.
 */
@Injectable()
export class EnqueueBulk {
  constructor(
    private readonly queues: MessageQueues,
    private readonly accountEvents: AccountEvents,
    private readonly logger: Logger,
  ) {}

  /** Returns before the messages are in the queue. Scheduled messages wait for their time. */
  accepted(
    accountId: string,
    messages: readonly BulkMessage[],
    { options, context }: Pick<BulkRequest, 'options' | 'context'>,
  ): void {
    for (const { id } of messages) this.accountEvents.changed(accountId, id);
    const { requestId, traceparent } = context ?? {};
    this.logger.debug({ requestId, traceparent, accountId, messages: messages.length }, 'bulk accepted');
    if (!options.sendAt) void this.enqueue(accountId, messages, context);
  }

  /** Never rejects: recovery finds the messages that the queue cannot take. */
  private async enqueue(
    accountId: string,
    messages: readonly BulkMessage[],
    context: RequestContext | undefined,
  ): Promise<void> {
    for (let first = 0; first < messages.length; first += ENQUEUED_AT_ONCE) {
      const some = messages.slice(first, first + ENQUEUED_AT_ONCE);
      await Promise.all(
        some.map(({ id, sender }) => this.queues.enqueued({ id, accountId, kind: 'sms', context }, sender)),
      );
    }
  }
}
