import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/config.js';
import { Recovery } from '../../platform/durable-work/durable-work.js';
import { DispatchQueue } from '../../platform/queue/queues.js';
import { Logger } from '../../platform/telemetry/logger.js';
import { type DueMessage, DueMessagesRepository } from './due-messages.repository.js';
import { CarrierSenders } from '../../carriers/carrier-senders.js';
import { Carriers } from '../../carriers/carriers.js';
import { Reroute } from '../handover/reroute.js';
import { PollSent } from './poll-sent.js';
import { QueueLoss } from './queue-loss.js';
import { SettleClaim } from './settle-claim.js';
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
    private readonly settleClaim: SettleClaim,
    private readonly pollSent: PollSent,
    private readonly reroute: Reroute,
    private readonly carriers: Carriers,
    private readonly carrierSenders: CarrierSenders,
    private readonly queue: DispatchQueue,
    due: DueMessagesRepository,
    config: Config,
    logger: Logger,
  ) {
    this.recovery = new Recovery({
      name: 'messages',
      logger,
      takeDue: () => due.take(config.dispatch.leaseSeconds, config.dispatch.lookupSeconds),
      enqueue: (message) => this.enqueue(message),
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
    await this.queueLoss.expedite();
    return this.recovery.run();
  }

  /**
   * A message that is delivered `fast` leaves the queue of a carrier with a single connected
   * worker, whose connection may be the reason for the wait.
   */
  private async enqueue({ id, accountId, kind, sender, isFast }: DueMessage): Promise<void> {
    const carrier = this.carriers.find(this.carrierSenders.carrierOfOperated(sender));
    const mayLeave = isFast && carrier?.isExclusive === true;
    const leaving = { reason: 'slow', outcome: 'not_taken', from: ['queued'] } as const;
    if (mayLeave && (await this.reroute.leaveInDoubt(id, leaving))) return;
    await this.queue.enqueued({ id, accountId, kind, requeued: true });
  }

  private async settle(message: DueMessage): Promise<void> {
    if (message.isSlow && (await this.tryAnotherRoute(message))) return;
    const hasEarlier = this.reroute.areSeveral && message.status !== 'queued';
    const both = [this.settleCurrent(message), ...(hasEarlier ? [this.pollSent.pollEarlier(message)] : [])];
    const failed = (await Promise.allSettled(both)).find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
  }

  private settleCurrent(message: DueMessage): Promise<void> {
    switch (message.status) {
      case 'queued':
        return this.settleClaim.expire(message);
      case 'sending':
        return this.settleClaim.settle(message);
      case 'sent':
        return this.pollSent.poll(message);
    }
  }

  /** Handles a message whose receipt or carrier's answer has not come in time. */
  private tryAnotherRoute({ id, status, attempts: claim, carrier }: DueMessage): Promise<boolean> {
    const known = { claim, carrier, from: [status] };
    return this.reroute.leaveInDoubt(
      id,
      status === 'sent'
        ? { ...known, reason: 'slow', outcome: 'accepted' }
        : { ...known, reason: 'doubtful', outcome: 'doubtful' },
    );
  }
}
