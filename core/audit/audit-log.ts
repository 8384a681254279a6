import { Injectable, Optional } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Postgres } from '../platform/database/postgres.js';
import { AccountEvents } from '../platform/events/account-events.js';
import { AuditEntryEntity, type Actor } from './audit-entry.entity.js';
import { Operator } from './operator.js';

export type { AuditAction } from './audit-entry.entity.js';
export type AuditEntry = Readonly<AuditEntryEntity>;

type NewAuditEntry = Pick<AuditEntry, 'accountId' | 'action'> & {
  /** An operator is the one of this process, and recorded by name. */
  readonly actor: Actor;
  /** See {@link AuditEntryEntity.address}. */
  readonly address?: string | undefined;
  readonly details?: AuditEntry['details'];
};

/** Append-only log of who did what and when; the table rejects changes. */
@Injectable()
export class AuditLog {
  constructor(
    private readonly postgres: Postgres,
    private readonly accountEvents: AccountEvents,
    @Optional() private readonly operator?: Operator,
  ) {}

  /** Adds an entry in the caller's transaction. What is audited may need attention, or no longer. */
  async record(tx: EntityManager, entry: NewAuditEntry): Promise<void> {
    await this.insert(tx, entry);
    this.postgres.afterCommit(tx, () => this.publish(entry));
  }

  /** Signing in changes nothing that needs attention. */
  private publish({ accountId, action }: NewAuditEntry): void {
    if (accountId !== null && !action.startsWith('session.')) this.accountEvents.notificationsChanged(accountId);
  }

  private async insert(tx: EntityManager, { actor, address, details, ...entry }: NewAuditEntry): Promise<void> {
    const name = actor === 'operator' ? this.operator?.name : undefined;
    const by = name === undefined ? actor : (`operator:${name}` as const);
    await tx.insert(AuditEntryEntity, { ...entry, actor: by, details: { ...details }, address: address ?? null });
  }

  /** Adds an entry in a transaction of its own. */
  async recordAlone(entry: NewAuditEntry): Promise<void> {
    await this.postgres.call((manager) => this.insert(manager, entry));
    this.publish(entry);
  }

  /**
   * Lists entries of one account, or of all, newest first. `beforeId` continues an earlier list.
   */
  async list(filter: {
    accountId: string | undefined;
    beforeId: number | undefined;
    entriesMax: number;
  }): Promise<AuditEntry[]> {
    const { accountId, beforeId, entriesMax } = filter;
    return this.postgres.call(async (manager) => {
      const entries = manager.createQueryBuilder(AuditEntryEntity, 'e').orderBy('e.id', 'DESC').limit(entriesMax);
      if (accountId !== undefined) entries.andWhere({ accountId });
      if (beforeId !== undefined) entries.andWhere('e.id < :beforeId', { beforeId });
      return entries.getMany();
    });
  }
}
