import { isDeepStrictEqual } from 'node:util';
import { Injectable, Optional } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Postgres } from '../platform/database/postgres.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { AccountEvents } from '../platform/events/account-events.js';
import { AuditEntryEntity, type Actor } from './audit-entry.entity.js';
import { Operator } from './operator.js';

export type { AuditAction } from './audit-entry.entity.js';
export type AuditEntry = Readonly<AuditEntryEntity>;

type NewAuditEntry = Pick<AuditEntry, 'accountId' | 'action'> & {
  /** An operator is recorded by the name that this process was given. */
  readonly actor: Actor;
  /** See {@link AuditEntryEntity.address}. */
  readonly address?: string | undefined;
  readonly details?: AuditEntry['details'];
};

/**
 * Changes that an account makes within 24 hours: of numbers and pools, which API keys make too, and
 * of everything else. Entries are never deleted, so their number is bounded; and a person with a
 * leaked key cannot keep the owner from revoking it.
 */
const CHANGES_MAX = 1_000;
/** Both kinds of changes, and as many sign-ins, which have their own bound. */
const NEWEST_MAX = 3 * CHANGES_MAX;
const RETRY_AFTER_SECONDS = 3_600;
const ofNumbers = /^(number|pool)\./;

/** Parameters: account; true to count changes of numbers and pools, false to count all others. */
const changesStatement = `
SELECT count(*)::int AS changes FROM (
  SELECT actor, action, created_at FROM audit_entries WHERE account_id = $1 ORDER BY id DESC LIMIT ${NEWEST_MAX}
) newest
WHERE created_at > now() - interval '24 hours' AND actor = 'account' AND action NOT LIKE 'session.%'
  AND (action LIKE 'number.%' OR action LIKE 'pool.%') = $2`;

/** Append-only log of actions and their actors; the table rejects changes. */
@Injectable()
export class AuditLog {
  constructor(
    private readonly postgres: Postgres,
    private readonly accountEvents: AccountEvents,
    @Optional() private readonly operator?: Operator,
  ) {}

  /**
   * Adds an entry for a change in the caller's transaction, and announces that the account's
   * notifications may have changed. Throws `rate_limited` for an account with too many changes
   * within 24 hours.
   */
  async record(tx: EntityManager, entry: NewAuditEntry): Promise<void> {
    await this.assertFew(tx, entry);
    await this.insert(tx, entry);
    this.postgres.afterCommit(tx, () => this.publish(entry));
  }

  /**
   * Like {@link record}, but a value that equals its earlier value gets no entry. The announcement
   * is made all the same.
   */
  async recordChange(tx: EntityManager, entry: NewAuditEntry, before: unknown, after: unknown): Promise<void> {
    if (isDeepStrictEqual(before, after)) this.postgres.afterCommit(tx, () => this.publish(entry));
    else await this.record(tx, entry);
  }

  private async assertFew(tx: EntityManager, { actor, accountId, action }: NewAuditEntry): Promise<void> {
    if (actor !== 'account' || accountId === null || action.startsWith('session.')) return;
    const [row] = await tx.query<{ changes: number }[]>(changesStatement, [accountId, ofNumbers.test(action)]);
    if ((row?.changes ?? 0) < CHANGES_MAX) return;
    const detail = `Your account has made ${CHANGES_MAX.toLocaleString('en-US')} such changes within 24 hours.`;
    throw new DomainError('rate_limited', detail, { retryAfterSeconds: RETRY_AFTER_SECONDS });
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
