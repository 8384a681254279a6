import { Injectable } from '@nestjs/common';
import { CarrierSenders } from '../../carriers/carrier-senders.js';
import { Carriers } from '../../carriers/carrier.js';
import { Reroute } from '../handover/reroute.js';
import { MessageQueues } from '../store/message-queues.js';
import type { DueMessage } from './due-messages.repository.js';

/** Queues a message again whose job is lost or late. */
@Injectable()
export class RequeueMessage {
  constructor(
    private readonly carriers: Carriers,
    private readonly carrierSenders: CarrierSenders,
    private readonly reroute: Reroute,
    private readonly queues: MessageQueues,
  ) {}

  /**
   * A message that is delivered `fast` leaves the queue of a carrier with a single connected
   * worker, whose connection may be the reason for the wait.
   */
  async enqueue({ id, accountId, kind, sender, isFast }: DueMessage): Promise<void> {
    const number = this.carrierSenders.carrierOfOperated(sender);
    const mayLeave = isFast && this.carriers.find(number)?.isExclusive === true;
    const leaving = { reason: 'slow', outcome: 'not_taken', from: ['queued'] } as const;
    if (mayLeave && (await this.reroute.leaveInDoubt(id, leaving))) return;
    await this.queues.ofAnyWorker(number).enqueued({ id, accountId, kind, requeued: true });
  }
}
