import { Injectable } from '@nestjs/common';
import { Logger } from '../platform/telemetry/logger.js';
import { MailQueue } from '../platform/queue/queues.js';
import { MailsRepository } from './mails.repository.js';

/** Puts e-mails in line again that the queue lost or that a worker left behind. Safe in several workers at once. */
@Injectable()
export class RecoverMails {
  constructor(
    private readonly mails: MailsRepository,
    private readonly queue: MailQueue,
    private readonly logger: Logger,
  ) {}

  /** One round. Answers how many mails were due. */
  async run(): Promise<number> {
    const ids = await this.mails.takeDue();
    for (const id of ids) this.queue.enqueue({ id });
    if (ids.length > 0) this.logger.info({ mails: ids.length }, 'mails put in line again');
    return ids.length;
  }
}
