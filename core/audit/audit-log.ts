import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Postgres } from '../platform/database/postgres.js';

/** What is worth an entry. `account.flagged` and `account.flag_cleared` come of what another company told. `operator.command` is written before a command runs, `operator.refused` when it ended with a "no". */
export type AuditAction =
  | 'account.created'
  | 'account.deleted'
  | 'account.google_linked'
  | 'account.flagged'
  | 'account.flag_cleared'
  | 'session.started'
  | 'session.ended'
  | 'key.rotated'
  | 'webhook.changed'
  | 'webhook.events_changed'
  | 'webhook.secret_rotated'
  | 'webhook.enabled'
  | 'webhook.resent'
  | 'webhook.replayed'
  | 'webhook.tested'
  | 'operator.command'
  | 'operator.refused';

export interface NewAuditEntry {
  readonly actor: 'account' | 'operator' | 'provider';
  readonly accountId: string | null;
  readonly action: AuditAction;
  /** Never a key, a token or a password. */
  readonly details?: Readonly<Record<string, unknown>>;
}

export interface AuditEntry extends Required<NewAuditEntry> {
  readonly id: number;
  readonly createdAt: Date;
}

const insertStatement = {
  name: 'audit-1',
  text: 'INSERT INTO audit_entries (actor, account_id, action, details) VALUES ($1, $2, $3, $4)',
};

const listStatement = {
  name: 'audit-list-1',
  text: `
SELECT id::float8 AS id, actor, account_id AS "accountId", action, details, created_at AS "createdAt"
FROM audit_entries
WHERE ($1::uuid IS NULL OR account_id = $1) AND ($2::bigint IS NULL OR id < $2)
ORDER BY id DESC
LIMIT $3`,
};

/** Who did what, and when: entries are added and never changed, which the table itself refuses. */
@Injectable()
export class AuditLog {
  constructor(private readonly postgres: Postgres) {}

  /** Writes with what the entry is about, in the same transaction. */
  async record(tx: EntityManager, entry: NewAuditEntry): Promise<void> {
    await tx.query(insertStatement.text, valuesOf(entry));
  }

  /** Writes on its own. */
  async recordAlone(entry: NewAuditEntry): Promise<void> {
    await this.postgres.query(insertStatement, valuesOf(entry));
  }

  /** Newest first; of one account, or of all. `beforeId` goes on where a list ended. */
  async list(filter: {
    accountId: string | undefined;
    beforeId: number | undefined;
    entriesMax: number;
  }): Promise<AuditEntry[]> {
    return this.postgres.query<AuditEntry>(listStatement, [
      filter.accountId ?? null,
      filter.beforeId ?? null,
      filter.entriesMax,
    ]);
  }
}

function valuesOf({ actor, accountId, action, details }: NewAuditEntry): unknown[] {
  return [actor, accountId, action, JSON.stringify(details ?? {})];
}
