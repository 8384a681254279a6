import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository, type EntityManager } from 'typeorm';
import { sqlState } from '../database/database-error.js';
import { AccountEntity } from './account.entity.js';
import { ApiKeyEntity } from './api-key.entity.js';

const UNIQUE_VIOLATION = '23505';

export type AccountChanges = Partial<
  Pick<AccountEntity, 'dailyLimit' | 'keyRatePerSecond' | 'urlsActivated' | 'blockedAt' | 'flaggedAt' | 'flaggedReason'>
>;

/** Accounts and their keys. E-mail addresses are one address whatever their letters' case. */
@Injectable()
export class AccountsRepository {
  constructor(@InjectRepository(AccountEntity) private readonly accounts: Repository<AccountEntity>) {}

  /** Answers undefined when the address has an account already. */
  async insert(
    tx: EntityManager,
    account: Pick<AccountEntity, 'email' | 'displayName' | 'signInType'>,
  ): Promise<AccountEntity | undefined> {
    try {
      return await tx.save(AccountEntity, tx.create(AccountEntity, account));
    } catch (error) {
      if (sqlState(error) === UNIQUE_VIOLATION) return undefined;
      throw error;
    }
  }

  async insertKey(tx: EntityManager, key: Pick<ApiKeyEntity, 'accountId' | 'keyHash' | 'encryptedKey'>): Promise<void> {
    await tx.insert(ApiKeyEntity, key);
  }

  async findByEmail(email: string): Promise<AccountEntity | null> {
    return this.accounts.createQueryBuilder('a').where('lower(a.email) = lower(:email)', { email }).getOne();
  }

  async findById(id: string): Promise<AccountEntity | null> {
    return this.accounts.findOneBy({ id });
  }

  /** The first flag's time stays, the last reason stands. */
  async flag(tx: EntityManager, id: string, reason: string): Promise<void> {
    await tx.query(`UPDATE accounts SET flagged_at = coalesce(flagged_at, now()), flagged_reason = $2 WHERE id = $1`, [
      id,
      reason,
    ]);
  }

  async findByKeyHash(keyHash: Buffer): Promise<AccountEntity | null> {
    return this.accounts
      .createQueryBuilder('a')
      .innerJoin(ApiKeyEntity, 'k', 'k.account_id = a.id')
      .where('k.key_hash = :keyHash', { keyHash })
      .getOne();
  }

  async newestKey(accountId: string): Promise<ApiKeyEntity | null> {
    return this.accounts.manager.findOne(ApiKeyEntity, { where: { accountId }, order: { createdAt: 'DESC' } });
  }

  async change(id: string, changes: AccountChanges): Promise<void> {
    await this.accounts.update({ id }, changes);
  }
}
