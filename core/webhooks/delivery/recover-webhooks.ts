import { Injectable } from '@nestjs/common';
import { WebhookQueue } from '../../platform/queue/queues.js';
import { DueDeliveriesRepository } from './due-deliveries.repository.js';

/**
 * Puts webhooks in line whose time has come. The waits between attempts stand in Postgres alone, so nothing that happens to
 * Redis or a worker loses one. Safe in several workers at once.
 */
@Injectable()
export class RecoverWebhooks {
  constructor(
    private readonly due: DueDeliveriesRepository,
    private readonly queue: WebhookQueue,
  ) {}

  /** One round. Answers how many were due. */
  async run(): Promise<number> {
    const { taken, pending } = await this.due.take();
    for (const delivery of pending) this.queue.enqueue({ ...delivery, requeued: delivery.again });
    return taken;
  }
}
