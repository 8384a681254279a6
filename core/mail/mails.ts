import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { MailQueue } from '../platform/queue/queues.js';
import { MailsRepository, type NewMail } from './mails.repository.js';

/** E-mails to customers: written down with what they are about, put in line after the commit. */
@Injectable()
export class Mails {
  constructor(
    private readonly mails: MailsRepository,
    private readonly queue: MailQueue,
  ) {}

  /** Within the caller's transaction. Undefined when this mail was written down before. */
  async add(tx: EntityManager, mail: NewMail): Promise<string | undefined> {
    return this.mails.insert(tx, mail);
  }

  /** All that were written to the account, sent or not. */
  async forget(tx: EntityManager, accountId: string): Promise<void> {
    await this.mails.deleteAll(tx, accountId);
  }

  /** After the commit; without it, recovery finds the mail within a minute or two. */
  put(mailId: string): void {
    this.queue.enqueue({ id: mailId });
  }
}
