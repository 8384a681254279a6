import { Injectable } from '@nestjs/common';
import { limits } from '#contract/limits.js';
import { Credits } from '../credits/credits.js';
import { Postgres } from '../database/postgres.js';
import { DomainError } from '../errors/domain-error.js';
import { AccountsRepository } from './accounts.repository.js';
import { ApiKeys } from './api-keys.js';

export interface NewAccount {
  readonly email: string;
  readonly displayName: string;
  readonly signInType: 'google' | 'custom';
  /** Free credits of the start; the specification's 3 when left out. */
  readonly credits?: number;
}

/** Opens an account with its API key, its credits and their ledger entry, all or none. Throws `account_exists`. */
@Injectable()
export class CreateAccount {
  constructor(
    private readonly postgres: Postgres,
    private readonly accounts: AccountsRepository,
    private readonly apiKeys: ApiKeys,
    private readonly credits: Credits,
  ) {}

  async run({
    email,
    displayName,
    signInType,
    credits = limits.signupCredits,
  }: NewAccount): Promise<{ id: string; email: string; apiKey: string }> {
    const apiKey = this.apiKeys.generate();
    return this.postgres.transaction(async (tx) => {
      const account = await this.accounts.insert(tx, { email, displayName, signInType });
      if (!account) throw new DomainError('account_exists', `${email} has an account already.`);
      await this.accounts.insertKey(tx, {
        accountId: account.id,
        keyHash: this.apiKeys.hash(apiKey),
        encryptedKey: this.apiKeys.encrypt(apiKey),
      });
      await this.credits.open(tx, account.id, credits);
      return { id: account.id, email: account.email, apiKey };
    });
  }
}
