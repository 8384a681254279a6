import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { limits } from '#contract/limits.js';
import { AuditLog } from '../audit/audit-log.js';
import { type Balance, Credits } from '../credits/credits.js';
import { Postgres } from '../platform/database/postgres.js';
import { retryUndone } from '../platform/errors/database-error.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { CreditsAddedQueue } from '../platform/queue/queues.js';
import { Logger } from '../platform/telemetry/logger.js';
import type { AccountEntity } from './account.entity.js';
import { AccountsRepository, type AccountChanges, type AccountRow } from './accounts.repository.js';
import { ApiKeys } from '../keys/api-keys.js';

interface NewAccount extends AccountRow {
  /** Free credits; 3 by default. */
  readonly credits?: number;
}

interface CreatedAccount {
  readonly id: string;
  readonly email: string;
  readonly apiKey: string;
}

/** Credits to add to an account, or to remove; `why` is stored with the ledger entry. */
interface Adjustment {
  readonly accountId: string;
  readonly credits: number;
  readonly sourceId: string;
  readonly why: string | null;
}

/** An account as the operator sees it. */
type AccountView = Pick<
  AccountEntity,
  | 'id'
  | 'email'
  | 'displayName'
  | 'signInType'
  | 'isEmailVerified'
  | 'dailyLimit'
  | 'numbersMax'
  | 'keyRatePerSecond'
  | 'urlsActivated'
  | 'blockedAt'
  | 'deliverySuspendedAt'
  | 'flaggedAt'
  | 'flaggedReason'
  | 'createdAt'
> & {
  readonly apiKey: string | null;
  readonly credits: Balance;
};

/** Accounts of customers. */
@Injectable()
export class Accounts {
  constructor(
    private readonly postgres: Postgres,
    private readonly accounts: AccountsRepository,
    private readonly apiKeys: ApiKeys,
    private readonly credits: Credits,
    private readonly creditsAdded: CreditsAddedQueue,
    private readonly auditLog: AuditLog,
    private readonly logger: Logger,
  ) {}

  /**
   * Creates an account with its API key, daily count, credits and ledger entry in one transaction.
   * Throws `account_exists`.
   */
  async create({ credits = limits.signupCredits, ...account }: NewAccount): Promise<CreatedAccount> {
    const id = randomUUID();
    const create = () =>
      this.postgres.transaction(async (tx) => {
        const created = await this.createWithoutCredits(tx, { ...account, id });
        await this.credits.open(tx, id, credits);
        return created;
      });
    return this.postgres.ofAccount(id, () => retryUndone(create));
  }

  /**
   * Creates an account with its API key and daily count in the caller's transaction. Throws
   * `account_exists`.
   */
  async createWithoutCredits(tx: EntityManager, account: AccountRow): Promise<CreatedAccount> {
    const created = await this.accounts.insert(tx, account);
    if (!created) throw new DomainError('account_exists', `${account.email} already has an account.`);
    const { id, email } = created;
    const apiKey = await this.apiKeys.create(tx, id);
    await this.accounts.insertDay(tx, id);
    return { id, email, apiKey };
  }

  /** Throws `account_not_found`. */
  async get(id: string): Promise<AccountEntity> {
    const account = await this.accounts.findById(id);
    if (!account) throw new DomainError('account_not_found', 'The account does not exist.');
    return account;
  }

  /** Throws `account_not_found`. */
  async getByEmail(email: string): Promise<AccountEntity> {
    const account = await this.accounts.findByEmail(email);
    if (!account) throw new DomainError('account_not_found', `No account has the address ${email}.`);
    return account;
  }

  /** Addresses by account, without accounts that do not exist. */
  async emailsOf(ids: readonly string[]): Promise<Map<string, string>> {
    return this.accounts.emailsOf(ids);
  }

  /** Returns null when no account has the address. */
  async findByEmail(email: string): Promise<AccountEntity | null> {
    return this.accounts.findByEmail(email);
  }

  /**
   * Returns an account with its API key and credits, for the operator. Throws `account_not_found`.
   */
  async show(email: string): Promise<AccountView> {
    const account = await this.getByEmail(email);
    return {
      id: account.id,
      email: account.email,
      displayName: account.displayName,
      signInType: account.signInType,
      isEmailVerified: account.isEmailVerified,
      apiKey: await this.apiKeys.current(account.id),
      credits: await this.credits.balanceOf(account.id),
      dailyLimit: account.dailyLimit,
      numbersMax: account.numbersMax,
      keyRatePerSecond: account.keyRatePerSecond,
      urlsActivated: account.urlsActivated,
      blockedAt: account.blockedAt,
      deliverySuspendedAt: account.deliverySuspendedAt,
      flaggedAt: account.flaggedAt,
      flaggedReason: account.flaggedReason,
      createdAt: account.createdAt,
    };
  }

  /** Changes settings of an account. Throws `account_not_found`. */
  async change(email: string, changes: AccountChanges): Promise<AccountView> {
    const { id } = await this.getByEmail(email);
    await this.accounts.change(id, changes);
    return this.show(email);
  }

  /**
   * Adds credits, or removes them when `credits` is negative, in the operator's transaction. A
   * source moves credits once. Throws `insufficient_credits`.
   */
  async adjustCredits(tx: EntityManager, { accountId, credits, sourceId, why }: Adjustment): Promise<void> {
    const note = why === null ? {} : { note: why };
    await this.credits.post(tx, [{ accountId, amount: credits, kind: 'adjustment', sourceId, ...note }]);
    if (credits > 0) this.postgres.afterCommit(tx, () => this.creditsAdded.enqueue({ id: accountId }));
  }

  /**
   * Sets the countries to which no messages are accepted. Acceptance reads them with each message.
   */
  async disableCountries(accountId: string, countries: readonly string[], address: string): Promise<void> {
    const disabledCountries = [...new Set(countries)].sort();
    const before = await this.accounts.findById(accountId);
    await this.postgres.change(async (tx) => {
      await this.accounts.setDisabledCountries(tx, accountId, disabledCountries);
      const entry = { actor: 'account', accountId, action: 'account.countries_changed', address } as const;
      const change = { ...entry, details: { disabledCountries } };
      await this.auditLog.recordChange(tx, change, before?.disabledCountries, disabledCountries);
    });
  }

  /**
   * Lets the account send to numbers that it has not verified, in the transaction of its purchase
   * or redeemed code.
   */
  async allowAllNumbers(tx: EntityManager, accountId: string): Promise<void> {
    await this.accounts.allowAllNumbers(tx, accountId);
  }

  /**
   * Suspends the account from sending, or lets it send again, in the transaction that records why.
   */
  async setDeliverySuspended(tx: EntityManager, accountId: string, isSuspended: boolean): Promise<void> {
    await this.accounts.setDeliverySuspended(tx, accountId, isSuspended);
  }

  /**
   * Flags an account for review by the operator, on behalf of the payment provider. The account
   * keeps working.
   */
  async flag(tx: EntityManager, accountId: string, reason: string): Promise<void> {
    await this.accounts.flag(tx, accountId, reason);
    await this.auditLog.record(tx, { actor: 'provider', accountId, action: 'account.flagged', details: { reason } });
    this.logger.warn({ accountId, reason }, 'account flagged');
  }

  /** Removes the account's flag if its reason starts with this prefix. */
  async clearFlag(tx: EntityManager, accountId: string, reasonPrefix: string): Promise<void> {
    const reason = await this.accounts.clearFlag(tx, accountId, reasonPrefix);
    if (reason === undefined) return;
    const entry = { actor: 'provider', accountId, action: 'account.flag_cleared', details: { reason } } as const;
    await this.auditLog.record(tx, entry);
    this.logger.info({ accountId, reason }, 'account flag cleared');
  }
}
