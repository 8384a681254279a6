import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../audit/audit-log.js';
import { Credits } from '../../credits/credits.js';
import { Postgres } from '../../platform/database/postgres.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { Logger } from '../../platform/telemetry/logger.js';
import type { AccountRow } from '../accounts.repository.js';
import { CreateAccount } from '../create-account.js';
import { SignUpListeners } from './sign-up-listeners.js';

export interface SignedUp {
  readonly accountId: string;
  /** `credits_record_failed`: the account is there without its credits, which the next request that needs them makes. */
  readonly notice: DomainError | undefined;
}

/**
 * A person's first sign-in: account, key, day and credits in one transaction, the credits in a savepoint of their own.
 * Throws `account_exists`, `user_record_failed`.
 */
@Injectable()
export class SignUp {
  constructor(
    private readonly postgres: Postgres,
    private readonly createAccount: CreateAccount,
    private readonly credits: Credits,
    private readonly auditLog: AuditLog,
    private readonly listeners: SignUpListeners,
    private readonly logger: Logger,
  ) {}

  async run(account: AccountRow): Promise<SignedUp> {
    let notice: DomainError | undefined;
    const { id } = await this.postgres
      .transaction(async (tx) => {
        const created = await this.createAccount.withoutCredits(tx, account);
        await this.auditLog.record(tx, {
          actor: 'account',
          accountId: created.id,
          action: 'account.created',
          details: { method: account.signInType },
        });
        // A transaction within a transaction is a savepoint: what fails in it leaves the rest standing.
        await tx
          .transaction((savepoint) => this.credits.open(savepoint, created.id))
          .catch((cause: unknown) => (notice = creditsFailed(cause)));
        return created;
      })
      .catch((cause: unknown) => {
        throw cause instanceof DomainError ? cause : userFailed(cause);
      });
    if (notice) this.logger.error({ err: notice.cause, accountId: id }, 'credits record not created at sign-up');
    await this.listeners.tell({ id, email: account.email, displayName: account.displayName });
    return { accountId: id, notice };
  }
}

function creditsFailed(cause: unknown): DomainError {
  return new DomainError('credits_record_failed', 'Your free credits will be there at your next visit.', { cause });
}

function userFailed(cause: unknown): DomainError {
  return new DomainError('user_record_failed', 'The service is not available for a moment. Please try again.', {
    cause,
  });
}
