import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/config.js';
import { Recovery } from '../../platform/durable-work/durable-work.js';
import { AccountEvents } from '../../platform/events/account-events.js';
import { DispatchQueue } from '../../platform/queue/queues.js';
import { SharedCounters } from '../../platform/queue/shared-counters.js';
import { Logger } from '../../platform/telemetry/logger.js';
import { Metrics } from '../../platform/telemetry/metrics.js';
import { publicMessageId } from '../../rules/ids.js';
import { Carrier } from '../dispatch/carrier.js';
import { RecordReceipt } from '../status/record-receipt.js';
import { type DueMessage, DueMessagesRepository } from './due-messages.repository.js';
import { SettleClaim } from './settle-claim.js';
import { Every } from '../../platform/schedules/every.js';

/** A scheduled message leaves at most about this late. */
const SCHEDULED_EVERY_MS = 250;

/** Simultaneous calls to the carrier, so that recovery leaves room for sending. */
const CARRIER_CALLS_MAX = 10;

/**
 * Recovers messages: queued ones that the queue lost or that expired, claims without an outcome,
 * sent ones without a receipt. Releases scheduled ones. Safe in several workers at once.
 */
@Injectable()
export class RecoverMessages {
  private readonly recovery: Recovery<DueMessage>;

  constructor(
    private readonly due: DueMessagesRepository,
    private readonly counters: SharedCounters,
    private readonly settleClaim: SettleClaim,
    private readonly recordReceipt: RecordReceipt,
    private readonly carrier: Carrier,
    private readonly metrics: Metrics,
    private readonly logger: Logger,
    private readonly accountEvents: AccountEvents,
    private readonly queue: DispatchQueue,
    config: Config,
  ) {
    this.recovery = new Recovery({
      name: 'messages',
      logger,
      takeDue: () => due.take(config.dispatch.leaseSeconds, config.twilio.lookupSeconds),
      enqueue: ({ id, accountId, kind }) => queue.enqueued({ id, accountId, kind, requeued: true }),
      settle: {
        applies: ({ status, expired }) => status !== 'queued' || expired,
        run: (message) => this.settle(message),
        concurrencyMax: CARRIER_CALLS_MAX,
      },
    });
  }

  /** Recovers one batch; returns how many messages were due. */
  @Every({ name: 'recovery', everyMs: ({ dispatch }) => dispatch.recoveryIntervalMs, whileMore: true })
  async run(): Promise<number> {
    await this.expediteAfterLoss();
    return this.recovery.run();
  }

  /**
   * Queues and enqueues one batch of scheduled messages whose time has come; returns whether there
   * may be more. A message whose job is lost is enqueued again by {@link run}.
   */
  @Every({
    name: 'scheduled messages',
    everyMs: ({ dispatch }) => Math.min(dispatch.recoveryIntervalMs, SCHEDULED_EVERY_MS),
    whileMore: true,
  })
  async releaseScheduled(): Promise<boolean> {
    const { messages, more } = await this.due.releaseScheduled();
    for (const { accountId, id } of messages) this.accountEvents.changed(accountId, id);
    await Promise.all(messages.map((message) => this.queue.enqueued(message)));
    if (messages.length > 0) this.logger.debug({ messages: messages.length }, 'scheduled messages released');
    return more;
  }

  /** Makes queued messages due at once when the queue is new or lost its data. */
  private async expediteAfterLoss(): Promise<void> {
    if (!(await this.counters.isNew())) return;
    this.metrics.queueLosses.inc();
    const messages = await this.due.expedite();
    if (messages > 0)
      this.logger.warn({ messages }, 'queue is new or lost its data; queued messages are enqueued again');
  }

  private async settle(message: DueMessage): Promise<void> {
    switch (message.status) {
      case 'queued':
        return this.settleClaim.expire(message);
      case 'sending':
        return this.settleClaim.settle(message);
      case 'sent':
        return this.poll(message.id, message.carrierId);
    }
  }

  /** Asks the carrier for the state of a sent message. */
  private async poll(id: string, carrierId: string): Promise<void> {
    const record = await this.carrier.find(carrierId);
    if (!record || record.status === 'sent') return;
    const { status, carrierError, chosenNumber } = record;
    const sender = chosenNumber ?? undefined;
    await this.recordReceipt.record({ messageId: publicMessageId(id), carrierId, status, carrierError, sender });
  }
}
