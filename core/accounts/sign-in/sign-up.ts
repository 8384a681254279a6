import { Injectable } from '@nestjs/common';
import { limits } from '#contract/limits.js';
import { recordMessages } from '#contract/sign-in-messages.js';
import { AuditLog } from '../../audit/audit-log.js';
import { Credits } from '../../credits/credits.js';
import { Mails } from '../../mail/mails.js';
import { Postgres } from '../../platform/database/postgres.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { Logger } from '../../platform/telemetry/logger.js';
import type { AccountRow } from '../accounts.repository.js';
import { Accounts } from '../accounts.js';

export interface SignedUp {
  readonly accountId: string;
  /** `credits_record_failed`: the account exists without its credits, which the next request that needs them creates. */
  readonly notice: DomainError | undefined;
}

/** Creates the account of a person who signs in for the first time. */
@Injectable()
export class SignUp {
  constructor(
    private readonly postgres: Postgres,
    private readonly accounts: Accounts,
    private readonly credits: Credits,
    private readonly mails: Mails,
    private readonly auditLog: AuditLog,
    private readonly logger: Logger,
  ) {}

  /**
   * Creates account, API key, daily count and credits in one transaction, the credits in a savepoint of their own; then queues
   * the welcome e-mail. Throws `account_exists`, `user_record_failed`.
   */
  async signUp(account: AccountRow): Promise<SignedUp> {
    let notice: DomainError | undefined;
    const { id } = await this.postgres
      .transaction(async (tx) => {
        const created = await this.accounts.createWithoutCredits(tx, account);
        await this.auditLog.record(tx, {
          actor: 'account',
          accountId: created.id,
          action: 'account.created',
          details: { method: account.signInType },
        });
        // A nested transaction is a savepoint: its failure does not undo the rest.
        await tx
          .transaction((savepoint) => this.credits.open(savepoint, created.id))
          .catch((cause: unknown) => (notice = creditsFailed(cause)));
        return created;
      })
      .catch((cause: unknown) => {
        throw cause instanceof DomainError ? cause : userFailed(cause);
      });
    if (notice) this.logger.error({ err: notice.cause, accountId: id }, 'credits record not created at sign-up');
    await this.sendWelcomeMail({ id, email: account.email, displayName: account.displayName }).catch((err: unknown) =>
      this.logger.error({ err, accountId: id }, 'welcome e-mail not queued'),
    );
    return { accountId: id, notice };
  }

  /** Queues the welcome e-mail to the account's own address. Returns false when it was queued before. */
  async sendWelcomeMail(account: { id: string; email: string; displayName: string }): Promise<boolean> {
    const { id, email, displayName } = account;
    const content = { kind: 'welcome', displayName, credits: limits.signupCredits } as const;
    return this.postgres.transaction((tx) =>
      this.mails.queue(tx, { accountId: id, recipient: email, sourceId: id, content }),
    );
  }
}

function creditsFailed(cause: unknown): DomainError {
  return new DomainError('credits_record_failed', recordMessages.credits, { cause });
}

function userFailed(cause: unknown): DomainError {
  return new DomainError('user_record_failed', recordMessages.user, { cause });
}
