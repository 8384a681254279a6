import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { limits } from '#contract/limits.js';
import { AuditLog } from '../audit/audit-log.js';
import { Mails } from '../mail/mails.js';
import { Postgres } from '../platform/database/postgres.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { AccountsRepository } from './accounts.repository.js';

/**
 * Deletion of an account by its owner. It takes effect after some days of grace, in which the
 * account works and the owner can keep it; then AccountErasure.eraseDue erases it.
 */
@Injectable()
export class AccountDeletion {
  constructor(
    private readonly postgres: Postgres,
    private readonly accounts: AccountsRepository,
    private readonly mails: Mails,
    private readonly auditLog: AuditLog,
  ) {}

  /**
   * Schedules the deletion and emails its time; `address` is the caller's, for the audit log.
   * Repeated requests keep the first time. Throws `not_signed_in`.
   */
  async request(account: { readonly accountId: string; readonly email: string }, address?: string): Promise<void> {
    const { accountId, email: recipient } = account;
    await this.postgres.change(async (tx) => {
      const deleteAt = (await this.schedule(tx, accountId, limits.accountDeletionGraceDays))?.toISOString();
      if (deleteAt === undefined) return;
      const content = { kind: 'account_deletion', deleteAt } as const;
      const isNew = await this.mails.queue(tx, { accountId, recipient, sourceId: `${accountId} ${deleteAt}`, content });
      if (!isNew) return;
      const entry = {
        actor: 'account',
        accountId,
        action: 'account.deletion_requested',
        address,
        details: { deleteAt },
      } as const;
      await this.auditLog.record(tx, entry);
    });
  }

  /** Keeps the account. Throws `not_signed_in` once it is closed. */
  async cancel(accountId: string, address?: string): Promise<void> {
    const before = await this.accounts.findById(accountId);
    await this.postgres.change(async (tx) => {
      await this.schedule(tx, accountId, null);
      const entry = { actor: 'account', accountId, action: 'account.deletion_canceled', address } as const;
      await this.auditLog.recordChange(tx, entry, before?.deleteAt, null);
    });
  }

  private async schedule(tx: EntityManager, accountId: string, inDays: number | null): Promise<Date | null> {
    const deleteAt = await this.accounts.scheduleDeletion(tx, accountId, inDays);
    if (deleteAt === undefined) throw new DomainError('not_signed_in', 'The account is closed.');
    return deleteAt;
  }
}
