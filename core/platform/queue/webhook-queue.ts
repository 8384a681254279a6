import { InjectQueue } from '@nestjs/bullmq';
import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import type { Queue } from 'bullmq';
import { Logger } from '../telemetry/logger.js';
import { contextFields } from '../telemetry/request-context.js';
import { Backlog } from './backlog.js';
import { FairQueue, type Waiting } from './fair-queue.js';
import { queueNames, type WebhookJob } from './queues.js';

export interface WaitingWebhook extends Waiting {
  /** Recovery asks again for what may be in line already: it is not counted a second time. */
  readonly again?: boolean;
}

/** Puts webhooks in line for the worker. Never fails: what the queue does not take is found by recovery. */
@Injectable()
export class WebhookQueue implements BeforeApplicationShutdown {
  private readonly line: FairQueue<WaitingWebhook, WebhookJob>;

  constructor(
    @InjectQueue(queueNames.webhooks) queue: Queue<WebhookJob>,
    private readonly backlog: Backlog,
    private readonly logger: Logger,
  ) {
    queue.on('error', (err: Error) => logger.warn({ reason: err.message }, 'webhook queue is away'));
    this.line = new FairQueue({
      name: queue.name,
      addBulk: (jobs) => queue.addBulk(jobs),
      backlog,
      backlogOf,
      dataOf: ({ id, accountId, origin }) => ({ deliveryId: id, accountId, ...contextFields(origin) }),
      isAgain: ({ again }) => again === true,
    });
  }

  /** Nobody waits for it. A delivery that is in line already stays where it is. */
  put(delivery: WaitingWebhook): void {
    this.line
      .add(delivery)
      .catch((err: unknown) => this.logger.warn({ err, deliveryId: delivery.id }, 'webhook left to recovery'));
  }

  /** A job of the account has been taken out of the line. */
  leave(accountId: string): void {
    this.backlog.leave(backlogOf(accountId)).catch((err: unknown) => this.logger.debug({ err }, 'backlog not counted'));
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.line.flush();
  }
}

/** Beside the account's messages, which are counted under its id. */
function backlogOf(accountId: string): string {
  return `webhooks:${accountId}`;
}
