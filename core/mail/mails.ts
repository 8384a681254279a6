import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Postgres } from '../platform/database/postgres.js';
import { MailQueue } from '../platform/queue/queues.js';
import { MailsRepository, type NewMail } from './mails.repository.js';

/** E-mails to customers: written down with what they are about, put in line after the commit. */
@Injectable()
export class Mails {
  constructor(
    private readonly mails: MailsRepository,
    private readonly mailQueue: MailQueue,
    private readonly postgres: Postgres,
  ) {}

  /**
   * Stores an e-mail in the caller's transaction and enqueues it after the commit. Returns false when an e-mail of this kind and
   * source exists already.
   */
  async queue(tx: EntityManager, mail: NewMail): Promise<boolean> {
    const id = await this.mails.insert(tx, mail);
    if (id === undefined) return false;
    this.postgres.afterCommit(tx, () => this.mailQueue.enqueue({ id }));
    return true;
  }

  /** Deletes all e-mails to the account, sent or not. */
  async eraseAccount(tx: EntityManager, accountId: string): Promise<void> {
    await this.mails.deleteAll(tx, accountId);
  }

  /** Within the caller's transaction. Undefined when this mail was written down before. */
  async add(tx: EntityManager, mail: NewMail): Promise<string | undefined> {
    return this.mails.insert(tx, mail);
  }

  /** After the commit; without it, recovery finds the mail within a minute or two. */
  put(mailId: string): void {
    this.mailQueue.enqueue({ id: mailId });
  }
}
