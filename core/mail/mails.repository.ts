import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Postgres } from '../platform/database/postgres.js';
import type { MailContent } from './mail-content.js';

export interface NewMail {
  readonly accountId: string;
  readonly recipient: string;
  /** What the mail is about: of one kind and source there is one mail, ever. */
  readonly sourceId: string;
  readonly content: MailContent;
}

export interface ClaimedMail {
  readonly id: string;
  readonly recipient: string;
  readonly content: MailContent;
  /** How often it has been claimed, this time included. */
  readonly attempts: number;
}

const LEASE_SECONDS = 120;
/** The queue has had a waiting mail long enough: recovery puts it in line again. */
const LOST_AFTER_SECONDS = 60;
const BATCH_MAX = 100;

const claimMail = {
  name: 'mail-claim-1',
  text: `
UPDATE mails SET status = 'sending', attempts = attempts + 1, due_at = now() + interval '${LEASE_SECONDS} seconds'
WHERE id = $1 AND status = 'queued' RETURNING id, recipient, content, attempts`,
};

const endMail = {
  name: 'mail-end-1',
  text: `
UPDATE mails SET status = $3, sent_at = CASE WHEN $3 = 'sent' THEN now() END, due_at = NULL
WHERE id = $1 AND status = 'sending' AND attempts = $2`,
};

const releaseMail = {
  name: 'mail-release-1',
  text: `
UPDATE mails
SET status = 'queued', due_at = now() + $3 * interval '1 millisecond' + interval '${LOST_AFTER_SECONDS} seconds'
WHERE id = $1 AND status = 'sending' AND attempts = $2`,
};

/** A claim whose lease is over has no worker any more. */
const takeDue = {
  name: 'mail-due-1',
  text: `
UPDATE mails SET status = 'queued', due_at = now() + interval '${LOST_AFTER_SECONDS} seconds'
WHERE id IN (SELECT id FROM mails WHERE due_at <= now() ORDER BY due_at LIMIT ${BATCH_MAX} FOR UPDATE SKIP LOCKED)
RETURNING id`,
};

/** E-mails to be sent, and those that were. */
@Injectable()
export class MailsRepository {
  constructor(private readonly postgres: Postgres) {}

  /** Answers undefined when there is such a mail already. */
  async insert(tx: EntityManager, { accountId, recipient, sourceId, content }: NewMail): Promise<string | undefined> {
    const [mail] = await tx.query<{ id: string }[]>(
      `INSERT INTO mails (account_id, kind, source_id, recipient, content, due_at)
       VALUES ($1, $2, $3, $4, $5, now() + interval '${LOST_AFTER_SECONDS} seconds')
       ON CONFLICT (kind, source_id) DO NOTHING RETURNING id`,
      [accountId, content.kind, sourceId, recipient, JSON.stringify(content)],
    );
    return mail?.id;
  }

  async deleteAll(tx: EntityManager, accountId: string): Promise<void> {
    await tx.query('DELETE FROM mails WHERE account_id = $1', [accountId]);
  }

  /** Undefined when somebody else has it, or it has ended. */
  async claim(id: string): Promise<ClaimedMail | undefined> {
    const [mail] = await this.postgres.query<ClaimedMail>(claimMail, [id]);
    return mail;
  }

  async end({ id, attempts }: ClaimedMail, status: 'sent' | 'failed'): Promise<void> {
    await this.postgres.query(endMail, [id, attempts, status]);
  }

  /** Back in line, to be sent after a while. */
  async release({ id, attempts }: ClaimedMail, delayMs: number): Promise<void> {
    await this.postgres.query(releaseMail, [id, attempts, delayMs]);
  }

  /** At most a batch of mails that wait too long, or whose claim has outlived its lease. */
  async takeDue(): Promise<string[]> {
    return (await this.postgres.query<{ id: string }>(takeDue, [])).map(({ id }) => id);
  }
}
