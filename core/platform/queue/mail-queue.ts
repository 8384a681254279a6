import { InjectQueue } from '@nestjs/bullmq';
import { Injectable } from '@nestjs/common';
import type { Queue } from 'bullmq';
import { Logger } from '../telemetry/logger.js';
import { queueNames, type MailJob } from './queues.js';

/** Puts e-mails in line for the worker. Never fails: what the queue does not take is found by recovery. */
@Injectable()
export class MailQueue {
  constructor(
    @InjectQueue(queueNames.mail) private readonly queue: Queue<MailJob>,
    private readonly logger: Logger,
  ) {
    queue.on('error', (err: Error) => logger.warn({ reason: err.message }, 'mail queue is away'));
  }

  /** Nobody waits for it. A mail that is in line already stays where it is. */
  put(mailId: string): void {
    this.queue
      .add(queueNames.mail, { mailId }, { jobId: mailId })
      .catch((err: unknown) => this.logger.warn({ err, mailId }, 'mail left to recovery'));
  }
}
