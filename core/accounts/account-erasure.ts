import { Injectable } from '@nestjs/common';
import { AuditLog } from '../audit/audit-log.js';
import { Credits } from '../credits/credits.js';
import { Mails } from '../mail/mails.js';
import { Postgres } from '../platform/database/postgres.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { Logger } from '../platform/telemetry/logger.js';
import { AccountsRepository } from './accounts.repository.js';

/** Erases what one feature stores about an account and the people it talked to. */
export interface FeatureErasure {
  /** Describes work that must finish before the account can be erased, such as '3 messages'; undefined when there is none. */
  inProgress?(accountId: string): Promise<string | undefined>;
  /** Removes personal data; amounts and times may stay. Safe to repeat. */
  erase(accountId: string): Promise<void>;
}

export interface ErasedAccount {
  /** The ledger keeps the id. */
  readonly id: string;
  readonly deleted: true;
  /** Credits that can no longer be used. */
  readonly creditsLeft: number;
}

/**
 * Erases accounts: removes all personal data and keeps amounts and the ledger under the account's id. The account is closed
 * first, so that no new work starts, and its address is removed last, so that an interrupted erasure can be repeated. Each
 * feature registers the erasure of its own tables.
 */
@Injectable()
export class AccountErasure {
  private readonly features: FeatureErasure[] = [];

  constructor(
    private readonly postgres: Postgres,
    private readonly accounts: AccountsRepository,
    private readonly credits: Credits,
    private readonly mails: Mails,
    private readonly auditLog: AuditLog,
    private readonly logger: Logger,
  ) {}

  register(feature: FeatureErasure): void {
    this.features.push(feature);
  }

  /** Throws `account_not_found`, and `account_busy` while messages are in progress. */
  async erase(email: string, reason: string): Promise<ErasedAccount> {
    const account = await this.accounts.findByEmail(email);
    if (!account) throw new DomainError('account_not_found', `No account has the address ${email}.`);
    const { id } = account;
    await this.assertIdle(id, 'Nothing was changed. Block the account and try again when they have finished.');
    await this.postgres.transaction((tx) => this.accounts.close(tx, id));
    // Messages may have been accepted before the account was closed.
    await this.assertIdle(id, 'The account is closed now. Try again when they have finished.');
    for (const feature of this.features) await feature.erase(id);
    const { balance: creditsLeft } = await this.credits.balanceOf(id);
    await this.postgres.transaction(async (tx) => {
      await this.mails.eraseAccount(tx, id);
      await this.accounts.anonymize(tx, id);
      const details = { why: reason, creditsLeft };
      await this.auditLog.record(tx, { actor: 'operator', accountId: id, action: 'account.deleted', details });
    });
    this.logger.warn({ accountId: id, creditsLeft }, 'account erased');
    return { id, deleted: true, creditsLeft };
  }

  private async assertIdle(accountId: string, hint: string): Promise<void> {
    const answers = await Promise.all(this.features.map(async (feature) => feature.inProgress?.(accountId)));
    const inProgress = answers.filter((answer) => answer !== undefined);
    if (inProgress.length > 0)
      throw new DomainError('account_busy', `The account has ${inProgress.join(' and ')} in progress. ${hint}`);
  }
}
