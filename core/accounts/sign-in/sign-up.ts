import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { recordMessages } from '#contract/sign-in.js';
import { AuditLog } from '../../audit/audit-log.js';
import { Credits } from '../../credits/credits.js';
import { Postgres } from '../../platform/database/postgres.js';
import { retryUndone } from '../../platform/errors/database-error.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { Logger } from '../../platform/telemetry/logger.js';
import type { AccountRow } from '../accounts.repository.js';
import { Accounts } from '../accounts.js';
import { FreeCredits } from './free-credits.js';
import { WelcomeMails } from './welcome-mails.js';

export interface SignedUp {
  readonly accountId: string;
  /** The account exists without its credits, which the next request that needs them creates. */
  readonly lacksCredits: boolean;
}

/** Creates the account of a person who signs in for the first time. */
@Injectable()
export class SignUp {
  constructor(
    private readonly postgres: Postgres,
    private readonly accounts: Accounts,
    private readonly credits: Credits,
    private readonly freeCredits: FreeCredits,
    private readonly welcomeMails: WelcomeMails,
    private readonly auditLog: AuditLog,
    private readonly logger: Logger,
  ) {}

  /**
   * Creates account, API key, daily count and credits in one transaction, with a savepoint for the
   * credits; then queues the welcome email. On Citus, sign-ups of one person at the same moment can
   * deadlock, because their accounts are on different nodes; those that were rolled back run again.
   * Throws `account_exists`, `user_record_failed`, `too_many_attempts`.
   */
  async signUp(account: AccountRow, address?: string): Promise<SignedUp> {
    const id = randomUUID();
    return this.postgres.ofAccount(id, async () => {
      const create = () => this.postgres.transaction((tx) => this.create(tx, { ...account, id }, address));
      const creditsFailure = await retryUndone(create).catch((cause: unknown) => {
        throw cause instanceof DomainError ? cause : userFailed(cause);
      });
      if (creditsFailure)
        this.logger.error({ err: creditsFailure.cause, accountId: id }, 'credits record not created at sign-up');
      await this.welcomeMails
        .send({ id, email: account.email, displayName: account.displayName })
        // The email stays due, which the dashboard shows; it is queued again within minutes.
        .catch((err: unknown) => this.logger.error({ err, accountId: id }, 'welcome email not queued'));
      return { accountId: id, lacksCredits: creditsFailure !== undefined };
    });
  }

  /** Returns why the account has no credits record; undefined when it has one. */
  private async create(
    tx: EntityManager,
    account: AccountRow,
    address: string | undefined,
  ): Promise<{ cause: unknown } | undefined> {
    const ownNumbersOnly = this.freeCredits.areForOwnNumbers;
    const { id, email } = await this.accounts.createWithoutCredits(tx, { ...account, ownNumbersOnly });
    await this.freeCredits.countSignUp(tx, id, address);
    await this.auditLog.record(tx, {
      actor: 'account',
      accountId: id,
      action: 'account.created',
      address,
      details: { method: account.signInType },
    });
    await this.welcomeMails.expect(tx, id);
    // A nested transaction is a savepoint: its failure does not undo the rest.
    return tx
      .transaction(async (savepoint) =>
        this.credits.open(savepoint, id, await this.freeCredits.grant(savepoint, id, email)),
      )
      .then(
        () => undefined,
        (cause: unknown) => ({ cause }),
      );
  }
}

function userFailed(cause: unknown): DomainError {
  return new DomainError('user_record_failed', recordMessages.user, { cause });
}
