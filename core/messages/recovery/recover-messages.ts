import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/config.js';
import { Logger } from '../../platform/telemetry/logger.js';
import { Metrics } from '../../platform/telemetry/metrics.js';
import { DispatchQueue } from '../../platform/queue/dispatch-queue.js';
import { publicMessageId } from '../../rules/message-id.js';
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
  constructor(
    private readonly due: DueMessagesRepository,
    private readonly memory: QueueMemory,
    private readonly queue: DispatchQueue,
    private readonly settleClaim: SettleClaim,
    private readonly recordReceipt: RecordReceipt,
    private readonly carrier: Carrier,
    private readonly config: Config,
    private readonly metrics: Metrics,
    private readonly logger: Logger,
  ) {}

  /** One round. Answers how many messages were due. */
  async run(): Promise<number> {
    await this.noticeLoss();
    const messages = await this.due.take(this.config.dispatch.leaseSeconds);
    const queued = messages.filter(({ status }) => status === 'queued');
    await Promise.all(queued.map(({ id, accountId, kind }) => this.queue.add({ id, accountId, kind, again: true })));
    const others = messages.filter(({ status }) => status !== 'queued');
    await eachWithin(CARRIER_CALLS_MAX, others, (message) => this.look(message));
    return messages.length;
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

  /** The next round comes back to what fails now. */
  private async look(message: DueMessage): Promise<void> {
    try {
      if (message.status === 'sending') await this.settleClaim.run(message);
      else await this.poll(message);
    } catch (err) {
      this.logger.warn({ err, messageId: message.id, status: message.status }, 'message not recovered yet');
    }
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

async function eachWithin<T>(atOnceMax: number, items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const rest = items.values();
  const lanes = Array.from({ length: Math.min(atOnceMax, items.length) }, async () => {
    for (const item of rest) await work(item);
  });
  await Promise.all(lanes);
}
