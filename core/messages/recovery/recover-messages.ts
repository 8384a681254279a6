import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/config.js';
import { Logger } from '../../platform/telemetry/logger.js';
import { Metrics } from '../../platform/telemetry/metrics.js';
import { Recovery } from '../../platform/durable-work/durable-work.js';
import { DispatchQueue } from '../../platform/queue/queues.js';
import { publicMessageId } from '../../rules/ids.js';
import { Carrier } from '../dispatch/carrier.js';
import { RecordReceipt } from '../status/record-receipt.js';
import { DueMessagesRepository, type DueMessage } from './due-messages.repository.js';
import { QueueMemory } from './queue-memory.js';
import { SettleClaim } from './settle-claim.js';

/** Calls to the carrier at the same time, so that recovery leaves room for sending. */
const CARRIER_CALLS_MAX = 10;

/**
 * Looks after messages that nobody else will: queued ones the queue lost, claims without an outcome, sent ones without a
 * receipt. Safe in several workers at once.
 */
@Injectable()
export class RecoverMessages {
  private readonly recovery: Recovery<DueMessage>;

  constructor(
    private readonly due: DueMessagesRepository,
    private readonly memory: QueueMemory,
    queue: DispatchQueue,
    private readonly settleClaim: SettleClaim,
    private readonly recordReceipt: RecordReceipt,
    private readonly carrier: Carrier,
    config: Config,
    private readonly metrics: Metrics,
    private readonly logger: Logger,
  ) {
    this.recovery = new Recovery({
      name: 'messages',
      logger,
      takeDue: () => due.take(config.dispatch.leaseSeconds),
      enqueue: ({ id, accountId, kind }) => queue.enqueued({ id, accountId, kind, requeued: true }),
      settle: {
        applies: ({ status }) => status !== 'queued',
        run: (message) => (message.status === 'sending' ? this.settleClaim.run(message) : this.poll(message)),
        concurrencyMax: CARRIER_CALLS_MAX,
      },
    });
  }

  /** One round. Answers how many messages were due. */
  async run(): Promise<number> {
    await this.noticeLoss();
    return this.recovery.run();
  }

  private async noticeLoss(): Promise<void> {
    try {
      if (!(await this.memory.wasLost())) return;
    } catch (err) {
      this.logger.debug({ err }, 'queue memory not readable');
      return;
    }
    this.metrics.queueLosses.inc();
    const expedited = await this.due.expedite();
    if (expedited > 0)
      this.logger.warn(
        { messages: expedited },
        'queue is new or lost its data; waiting messages are put in line again',
      );
  }

  private async poll({ id, carrierId }: DueMessage): Promise<void> {
    if (!carrierId) throw new Error('A sent message has the carrier’s id');
    const record = await this.carrier.find(carrierId);
    if (!record || record.status === 'sent') return;
    const { status, carrierError, chosenNumber } = record;
    const sender = chosenNumber ?? undefined;
    await this.recordReceipt.run({ messageId: publicMessageId(id), carrierId, status, carrierError, sender });
  }
}
