import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AuditLog } from '../audit/audit-log.js';
import { Logger } from '../platform/telemetry/logger.js';
import { AccountsRepository } from './accounts.repository.js';

/** Marks an account for the operator to look at, because of what another company told; it goes on working. */
@Injectable()
export class FlagAccount {
  constructor(
    private readonly accounts: AccountsRepository,
    private readonly auditLog: AuditLog,
    private readonly logger: Logger,
  ) {}

  async run(tx: EntityManager, accountId: string, reason: string): Promise<void> {
    await this.accounts.flag(tx, accountId, reason);
    await this.auditLog.record(tx, { actor: 'provider', accountId, action: 'account.flagged', details: { reason } });
    this.logger.warn({ accountId, reason }, 'account flagged');
  }

  /** Takes the mark away, unless it has another reason than the one that begins so. */
  async clear(tx: EntityManager, accountId: string, reasonStart: string): Promise<void> {
    const reason = await this.accounts.clearFlag(tx, accountId, reasonStart);
    if (reason === undefined) return;
    await this.auditLog.record(tx, {
      actor: 'provider',
      accountId,
      action: 'account.flag_cleared',
      details: { reason },
    });
    this.logger.info({ accountId, reason }, 'flag of account cleared');
  }
}
