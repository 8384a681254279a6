import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { limits } from '#contract/limits.js';
import { Credits } from '../credits/credits.js';
import { Postgres } from '../platform/database/postgres.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { AccountsRepository, type AccountRow } from './accounts.repository.js';
import { ApiKeys } from './api-keys.js';
import { ApiKeysRepository } from './keys/api-keys.repository.js';

export interface NewAccount extends AccountRow {
  /** Free credits of the start; the specification's 3 when left out. */
  readonly credits?: number;
}

/** Opens an account with its API key, its day, its credits and their ledger entry, all or none. Throws `account_exists`. */
@Injectable()
export class CreateAccount {
  constructor(
    private readonly postgres: Postgres,
    private readonly accounts: AccountsRepository,
    private readonly keys: ApiKeysRepository,
    private readonly apiKeys: ApiKeys,
    private readonly credits: Credits,
  ) {}

  async run({
    credits = limits.signupCredits,
    ...account
  }: NewAccount): Promise<{ id: string; email: string; apiKey: string }> {
    return this.postgres.transaction(async (tx) => {
      const created = await this.withoutCredits(tx, account);
      await this.credits.open(tx, created.id, credits);
      return created;
    });
  }

  /** The account, its key and its day, within the caller's transaction. Throws `account_exists`. */
  async withoutCredits(tx: EntityManager, account: AccountRow): Promise<{ id: string; email: string; apiKey: string }> {
    const apiKey = this.apiKeys.generate();
    const created = await this.accounts.insert(tx, account);
    if (!created) throw new DomainError('account_exists', `${account.email} has an account already.`);
    const { id, email } = created;
    await this.keys.insert(tx, {
      accountId: id,
      keyHash: this.apiKeys.hash(apiKey),
      ...this.apiKeys.encrypt(apiKey),
    });
    await this.accounts.openDay(tx, id);
    return { id, email, apiKey };
  }
}
