import { Injectable, Module } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Postgres } from '../platform/database/postgres.js';
import { DatabaseModule } from '../platform/database/database.module.js';

/**
 * Actions that are recorded. A provider's notice causes `account.flagged`, `account.flag_cleared`
 * and `delivery.suspended`. `operator.command` is written before a command runs, `operator.refused`
 * when it failed.
 */
export type AuditAction =
  | 'account.created'
  | 'account.deleted'
  | 'account.deletion_requested'
  | 'account.deletion_canceled'
  | 'account.exported'
  | 'account.notices_changed'
  | 'account.countries_changed'
  | 'account.google_linked'
  | 'account.flagged'
  | 'account.flag_cleared'
  | 'account.email_verified'
  | 'password.link_requested'
  | 'password.changed'
  | 'session.started'
  | 'session.ended'
  | 'session.others_ended'
  | 'session.confirmed'
  | 'key.rotated'
  | 'key.created'
  | 'key.changed'
  | 'key.revoked'
  | 'key.old_secrets_ended'
  | 'otp.settings_changed'
  | 'otp.guard_reset'
  | 'webhook.changed'
  | 'webhook.events_changed'
  | 'alerts.changed'
  | 'invoice_details.changed'
  | 'top_up.changed'
  | 'top_up.card_saved'
  | 'top_up.card_removed'
  | 'webhook.secret_rotated'
  | 'webhook.enabled'
  | 'webhook.resent'
  | 'webhook.replayed'
  | 'webhook.tested'
  | 'delivery.suspended'
  | 'delivery.resumed'
  | 'operator.command'
  | 'operator.refused';

interface NewAuditEntry {
  readonly actor: 'account' | 'operator' | 'provider';
  readonly accountId: string | null;
  readonly action: AuditAction;
  /**
   * Network address that the action came from; absent for the operator, who is on the machine, and
   * for providers.
   */
  readonly address?: string | undefined;
  /** Contains no key, token or password. */
  readonly details?: Readonly<Record<string, unknown>>;
}

export interface AuditEntry extends Required<Omit<NewAuditEntry, 'address'>> {
  readonly id: number;
  readonly address: string | null;
  readonly createdAt: Date;
}

const insertStatement = {
  name: 'audit-2',
  text: 'INSERT INTO audit_entries (actor, account_id, action, details, address) VALUES ($1, $2, $3, $4, $5)',
};

/** Parameters: account or null, id to continue before or null, number of entries. */
const listAuditEntries = {
  name: 'audit-list-2',
  text: `
SELECT id::float8 AS id, actor, account_id AS "accountId", action, host(address) AS address, details,
  created_at AS "createdAt"
FROM audit_entries
WHERE ($1::uuid IS NULL OR account_id = $1) AND ($2::bigint IS NULL OR id < $2)
ORDER BY id DESC
LIMIT $3`,
};

/** Append-only log of who did what and when; the table rejects changes. */
@Injectable()
export class AuditLog {
  constructor(private readonly postgres: Postgres) {}

  /** Adds an entry in the caller's transaction. */
  async record(tx: EntityManager, entry: NewAuditEntry): Promise<void> {
    await tx.query(insertStatement.text, valuesOf(entry));
  }

  /** Adds an entry in a transaction of its own. */
  async recordAlone(entry: NewAuditEntry): Promise<void> {
    await this.postgres.query(insertStatement, valuesOf(entry));
  }

  /**
   * Lists entries of one account, or of all, newest first. `beforeId` continues an earlier list.
   */
  async list(filter: {
    accountId: string | undefined;
    beforeId: number | undefined;
    entriesMax: number;
  }): Promise<AuditEntry[]> {
    return this.postgres.query<AuditEntry>(listAuditEntries, [
      filter.accountId ?? null,
      filter.beforeId ?? null,
      filter.entriesMax,
    ]);
  }
}

function valuesOf({ actor, accountId, action, details, address }: NewAuditEntry): unknown[] {
  return [actor, accountId, action, JSON.stringify(details ?? {}), address ?? null];
}

@Module({ imports: [DatabaseModule], providers: [AuditLog], exports: [AuditLog] })
export class AuditModule {}
