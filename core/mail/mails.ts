import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Encryption } from '../platform/crypto/encryption.js';
import { Postgres } from '../platform/database/postgres.js';
import { AccountEvents } from '../platform/events/account-events.js';
import { MailQueue } from '../platform/queue/queues.js';
import { MailEntity } from './mail.entity.js';
import type { MailContent } from './mail-template.js';

/** Recovery enqueues a queued email again after this time; its job may still be in the queue. */
export const LOST_AFTER_SECONDS = 60;

const dueAt = () => `now() + interval '${LOST_AFTER_SECONDS} seconds'`;

interface NewMail {
  readonly accountId: string;
  readonly recipient: string;
  /** Subject of the email. There is at most one email of each kind and source. */
  readonly sourceId: string;
  readonly content: MailContent;
  /** The token of a link; stored encrypted, and only until the email has been sent. */
  readonly token?: string;
  /** Queues nothing when the account got this many emails of this kind within the last hour. */
  readonly hourlyMax?: number;
}

/** Emails to customers. */
@Injectable()
export class Mails {
  constructor(
    private readonly mailQueue: MailQueue,
    private readonly postgres: Postgres,
    private readonly encryption: Encryption,
    private readonly accountEvents: AccountEvents,
  ) {}

  /**
   * Stores an email in the caller's transaction and enqueues it after the commit. Returns false
   * when an email of this kind and source exists already, or the hour's maximum is reached.
   */
  async queue(tx: EntityManager, { accountId, recipient, sourceId, content, ...more }: NewMail): Promise<boolean> {
    const { token, hourlyMax = Infinity } = more;
    if (hourlyMax !== Infinity && (await this.countOfHour(tx, accountId, content.kind)) >= hourlyMax) return false;
    const secret = token === undefined ? undefined : this.encryption.encrypt(token);
    const [mail] = await tx.query<{ id: string }[]>(
      `INSERT INTO mails (account_id, kind, source_id, recipient, content, secret, secret_key_id, due_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, now() + interval '${LOST_AFTER_SECONDS} seconds')
       ON CONFLICT (kind, source_id) DO NOTHING RETURNING id`,
      [
        accountId,
        content.kind,
        sourceId,
        recipient,
        JSON.stringify(content),
        secret?.ciphertext ?? null,
        secret?.keyId ?? null,
      ],
    );
    if (!mail) return false;
    this.postgres.afterCommit(tx, () => {
      this.mailQueue.enqueue({ id: mail.id });
      // The subject of an email may need attention on open pages too.
      this.accountEvents.notificationsChanged(accountId);
    });
    return true;
  }

  /**
   * Queues an email that could not be sent once more, in the caller's transaction, with the current
   * content. Returns its previous state; undefined without an email of this kind and source.
   * Nothing changes unless the state is `failed`.
   */
  async queueFailed(
    tx: EntityManager,
    { recipient, sourceId, content }: Pick<NewMail, 'recipient' | 'sourceId' | 'content'>,
  ): Promise<MailEntity['status'] | undefined> {
    const mail = await tx.findOne(MailEntity, {
      where: { kind: content.kind, sourceId },
      lock: { mode: 'for_no_key_update' },
    });
    if (mail?.status !== 'failed') return mail?.status;
    await tx.update(MailEntity, { id: mail.id }, { status: 'queued', attempts: 0, recipient, content, dueAt });
    this.postgres.afterCommit(tx, () => this.mailQueue.enqueue({ id: mail.id }));
    return 'failed';
  }

  /** Counts the last hour's emails of a kind; concurrent transactions wait for each other. */
  private async countOfHour(tx: EntityManager, accountId: string, kind: MailContent['kind']): Promise<number> {
    await tx.query('SELECT pg_advisory_xact_lock(hashtext($1), hashtext($2))', [kind, accountId]);
    const [row] = await tx.query<{ count: number }[]>(
      `SELECT count(*)::int AS count FROM mails
       WHERE account_id = $1 AND kind = $2 AND created_at > now() - interval '1 hour'`,
      [accountId, kind],
    );
    return row?.count ?? 0;
  }

  /** Deletes all emails to the account, sent or not. */
  async eraseAccount(tx: EntityManager, accountId: string): Promise<void> {
    await tx.delete(MailEntity, { accountId });
  }
}
