import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Postgres } from '../platform/database/postgres.js';
import { MailQueue } from '../platform/queue/queues.js';
import type { MailContent } from './mail-template.js';

/** Recovery enqueues a queued e-mail again after this time; its job may still be in the queue. */
export const LOST_AFTER_SECONDS = 60;

export interface NewMail {
  readonly accountId: string;
  readonly recipient: string;
  /** What the e-mail is about. There is at most one e-mail of each kind and source. */
  readonly sourceId: string;
  readonly content: MailContent;
}

/** E-mails to customers. */
@Injectable()
export class Mails {
  constructor(
    private readonly mailQueue: MailQueue,
    private readonly postgres: Postgres,
  ) {}

  /**
   * Stores an e-mail in the caller's transaction and enqueues it after the commit. Returns false when an e-mail of this kind and
   * source exists already.
   */
  async queue(tx: EntityManager, { accountId, recipient, sourceId, content }: NewMail): Promise<boolean> {
    const [mail] = await tx.query<{ id: string }[]>(
      `INSERT INTO mails (account_id, kind, source_id, recipient, content, due_at)
       VALUES ($1, $2, $3, $4, $5, now() + interval '${LOST_AFTER_SECONDS} seconds')
       ON CONFLICT (kind, source_id) DO NOTHING RETURNING id`,
      [accountId, content.kind, sourceId, recipient, JSON.stringify(content)],
    );
    if (!mail) return false;
    this.postgres.afterCommit(tx, () => this.mailQueue.enqueue({ id: mail.id }));
    return true;
  }

  /** Deletes all e-mails to the account, sent or not. */
  async eraseAccount(tx: EntityManager, accountId: string): Promise<void> {
    await tx.query('DELETE FROM mails WHERE account_id = $1', [accountId]);
  }
}
