import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../audit/audit-log.js';
import { Credits } from '../../credits/credits.js';
import { Postgres } from '../../platform/database/postgres.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { Logger } from '../../platform/telemetry/logger.js';
import { Mails } from '../../mail/mails.js';
import { AccountsRepository } from '../accounts.repository.js';
import { FindAccount } from '../find-account.js';
import { ApiKeysRepository } from '../keys/api-keys.repository.js';
import { SessionsRepository } from '../sessions/sessions.repository.js';
import { AccountErasures } from './account-erasure.js';

export interface DeletedAccount {
  /** By which the books go on knowing it. */
  readonly id: string;
  readonly deleted: true;
  /** Credits that nobody can use any more. */
  readonly creditsLeft: number;
}

/**
 * Deletes an account for good: whatever tells of a person goes, amounts and the ledger stay under the account's id. It is
 * closed first, so that nothing new begins; the address goes last, so that a run that broke off can be repeated. Throws
 * `account_not_found`, and `account_busy` while messages are under way.
 */
@Injectable()
export class DeleteAccount {
  constructor(
    private readonly postgres: Postgres,
    private readonly accounts: AccountsRepository,
    private readonly keys: ApiKeysRepository,
    private readonly sessions: SessionsRepository,
    private readonly findAccount: FindAccount,
    private readonly credits: Credits,
    private readonly mails: Mails,
    private readonly traces: AccountErasures,
    private readonly auditLog: AuditLog,
    private readonly logger: Logger,
  ) {}

  async run(email: string, why: string): Promise<DeletedAccount> {
    const { id } = await this.findAccount.entity(email);
    await this.refuseWhileUnderWay(id, 'Nothing has changed: block it, and try again when they have ended.');
    await this.close(id);
    // What was admitted while the account was being closed.
    await this.refuseWhileUnderWay(id, 'The account is closed now: try again when they have ended.');
    await this.traces.forget(id);
    const { balance: creditsLeft } = await this.credits.balanceOf(id);
    await this.postgres.transaction(async (tx) => {
      await this.mails.forget(tx, id);
      await this.accounts.anonymise(tx, id);
      const details = { why, creditsLeft };
      await this.auditLog.record(tx, { actor: 'operator', accountId: id, action: 'account.deleted', details });
    });
    this.logger.warn({ accountId: id, creditsLeft }, 'account deleted');
    return { id, deleted: true, creditsLeft };
  }

  private async close(id: string): Promise<void> {
    await this.postgres.transaction(async (tx) => {
      await this.accounts.block(tx, id);
      await this.keys.deleteAll(tx, id);
      await this.sessions.deleteAll(tx, id);
    });
  }

  private async refuseWhileUnderWay(id: string, then: string): Promise<void> {
    const underWay = await this.traces.underWay(id);
    if (underWay.length > 0)
      throw new DomainError('account_busy', `The account has ${underWay.join(' and ')} under way. ${then}`);
  }
}
