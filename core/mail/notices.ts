import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type NoticeKind, noticeKinds } from '#contract/account.js';
import { AuditLog } from '../audit/audit-log.js';
import type { MoneyContent, NoticeContent } from './mail-pages.js';
import { Mails } from './mails.js';
import type { NumberContent } from './number-pages.js';
import { Postgres } from '../platform/database/postgres.js';

/**
 * Parameters: account, kind. No row when the owner has turned the notice off or the account is
 * erased.
 */
export const noticeRecipient = `
SELECT email FROM accounts WHERE id = $1 AND NOT $2 = ANY (muted_notices) AND email NOT LIKE '%@deleted.invalid'`;

const mutedNotices = 'SELECT muted_notices AS muted FROM accounts WHERE id = $1 FOR NO KEY UPDATE';

/**
 * Emails to an account's owner about changes that another person could have made, its suspension,
 * its credits and its numbers.
 */
@Injectable()
export class Notices {
  constructor(
    private readonly postgres: Postgres,
    private readonly mails: Mails,
    private readonly auditLog: AuditLog,
  ) {}

  /**
   * Queues a notice in the caller's transaction, unless the owner has turned its kind off. A source
   * has one notice.
   */
  async send(
    tx: EntityManager,
    accountId: string,
    content: NoticeContent | MoneyContent | NumberContent,
    sourceId: string = randomUUID(),
  ): Promise<void> {
    const [account] = await tx.query<{ email: string }[]>(noticeRecipient, [accountId, content.kind]);
    if (account) await this.mails.queue(tx, { accountId, recipient: account.email, sourceId, content });
  }

  /** Sets which notices are sent. */
  async choose(accountId: string, notices: readonly NoticeKind[], address: string): Promise<void> {
    const muted = noticeKinds.filter((kind) => !notices.includes(kind));
    await this.postgres.transaction(async (tx) => {
      const [account] = await tx.query<{ muted: string[] }[]>(mutedNotices, [accountId]);
      await tx.query('UPDATE accounts SET muted_notices = $2 WHERE id = $1', [accountId, muted]);
      const entry = { actor: 'account', accountId, action: 'account.notices_changed', address } as const;
      await this.auditLog.recordChange(tx, { ...entry, details: { notices } }, account?.muted, muted);
    });
  }
}
