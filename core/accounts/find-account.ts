import { Injectable } from '@nestjs/common';
import { Credits } from '../credits/credits.js';
import { DomainError } from '../platform/errors/domain-error.js';
import type { AccountEntity } from './account.entity.js';
import { AccountsRepository } from './accounts.repository.js';
import { ApiKeys } from './api-keys.js';
import { ApiKeysRepository } from './keys/api-keys.repository.js';

export interface AccountView {
  readonly id: string;
  readonly email: string;
  readonly displayName: string;
  readonly apiKey: string | null;
  readonly credits: { balance: number; purchased: number; used: number };
  readonly dailyLimit: number;
  readonly keyRatePerSecond: number | null;
  readonly urlsActivated: boolean;
  readonly blockedAt: Date | null;
  readonly flaggedAt: Date | null;
  readonly flaggedReason: string | null;
  readonly createdAt: Date;
}

/** Finds an account by its e-mail address. Throws `account_not_found`. */
@Injectable()
export class FindAccount {
  constructor(
    private readonly accounts: AccountsRepository,
    private readonly keys: ApiKeysRepository,
    private readonly apiKeys: ApiKeys,
    private readonly credits: Credits,
  ) {}

  async run(email: string): Promise<AccountView> {
    const account = await this.entity(email);
    const key = await this.keys.current(account.id);
    const {
      id,
      displayName,
      dailyLimit,
      keyRatePerSecond,
      urlsActivated,
      blockedAt,
      flaggedAt,
      flaggedReason,
      createdAt,
    } = account;
    return {
      id,
      email: account.email,
      displayName,
      apiKey: key && this.apiKeys.decrypt(key),
      credits: await this.credits.balanceOf(id),
      dailyLimit,
      keyRatePerSecond,
      urlsActivated,
      blockedAt,
      flaggedAt,
      flaggedReason,
      createdAt,
    };
  }

  async byId(id: string): Promise<AccountEntity> {
    const account = await this.accounts.findById(id);
    if (!account) throw new DomainError('account_not_found', 'There is no such account.');
    return account;
  }

  /** Null when nobody has the address. */
  async idOf(email: string): Promise<string | null> {
    return (await this.accounts.findByEmail(email))?.id ?? null;
  }

  async entity(email: string): Promise<AccountEntity> {
    const account = await this.accounts.findByEmail(email);
    if (!account) throw new DomainError('account_not_found', `No account has the address ${email}.`);
    return account;
  }
}
