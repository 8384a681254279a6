import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Repository, type EntityManager } from 'typeorm';
import { sqlState } from '../platform/database/database-error.js';
import { AccountEntity } from './account.entity.js';

const UNIQUE_VIOLATION = '23505';

export type AccountChanges = Partial<
  Pick<AccountEntity, 'dailyLimit' | 'keyRatePerSecond' | 'urlsActivated' | 'blockedAt' | 'flaggedAt' | 'flaggedReason'>
>;

export type AccountRow = Pick<AccountEntity, 'email' | 'displayName' | 'signInType'> &
  Partial<Pick<AccountEntity, 'googleSubject' | 'passwordHash'>>;

/** Accounts. E-mail addresses are one address whatever their letters' case. */
@Injectable()
export class AccountsRepository {
  constructor(@InjectRepository(AccountEntity) private readonly accounts: Repository<AccountEntity>) {}

  /** Answers undefined when the address, or Google's subject, has an account already. */
  async insert(tx: EntityManager, account: AccountRow): Promise<AccountEntity | undefined> {
    try {
      return await tx.save(AccountEntity, tx.create(AccountEntity, account));
    } catch (error) {
      if (sqlState(error) === UNIQUE_VIOLATION) return undefined;
      throw error;
    }
  }

  /** The day's row, from the first day on. */
  async openDay(tx: EntityManager, accountId: string): Promise<void> {
    await tx.query(
      `INSERT INTO daily_counts (account_id, day, count, last_granted)
       VALUES ($1, (now() AT TIME ZONE 'America/New_York')::date, 0, 0)`,
      [accountId],
    );
  }

  /** As the acceptance statement has it: a day that nothing was counted on has no row. */
  async isDayFull(accountId: string): Promise<boolean> {
    const [day] = await this.accounts.query<{ full: boolean }[]>(
      `SELECT coalesce(d.count, 0) >= a.daily_limit AS full
       FROM accounts a
       LEFT JOIN daily_counts d ON d.account_id = a.id AND d.day = (now() AT TIME ZONE 'America/New_York')::date
       WHERE a.id = $1`,
      [accountId],
    );
    return day?.full ?? false;
  }

  async findByEmail(email: string): Promise<AccountEntity | null> {
    return this.accounts.createQueryBuilder('a').where('lower(a.email) = lower(:email)', { email }).getOne();
  }

  async findByGoogleSubject(googleSubject: string): Promise<AccountEntity | null> {
    return this.accounts.findOneBy({ googleSubject });
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

  /** Answers the reason of the flag that is gone; undefined when there is none that begins so. */
  async clearFlag(tx: EntityManager, id: string, reasonStart: string): Promise<string | undefined> {
    const [row] = await tx.query<{ reason: string }[]>(
      `WITH flagged AS (
         SELECT id, flagged_reason FROM accounts WHERE id = $1 AND starts_with(flagged_reason, $2) FOR NO KEY UPDATE
       ), cleared AS (
         UPDATE accounts a SET flagged_at = NULL, flagged_reason = NULL FROM flagged WHERE a.id = flagged.id
       )
       SELECT flagged_reason AS reason FROM flagged`,
      [id, reasonStart],
    );
    return row?.reason;
  }

  /** Answers false when the account has met Google already. */
  async linkGoogle(tx: EntityManager, id: string, googleSubject: string, displayName: string): Promise<boolean> {
    const { affected } = await tx.update(
      AccountEntity,
      { id, googleSubject: IsNull() },
      { googleSubject, displayName },
    );
    return affected === 1;
  }

  /** Keeps the time of an earlier block. */
  async block(tx: EntityManager, id: string): Promise<void> {
    await tx.query(`UPDATE accounts SET blocked_at = coalesce(blocked_at, now()) WHERE id = $1`, [id]);
  }

  /** Takes away whoever it was. `.invalid` is nobody's domain (RFC 2606), so the address meets no other. */
  async anonymise(tx: EntityManager, id: string): Promise<void> {
    await tx.query(
      `UPDATE accounts SET email = 'deleted-' || id || '@deleted.invalid', display_name = '', password_hash = NULL,
         google_subject = NULL
       WHERE id = $1`,
      [id],
    );
  }

  async change(id: string, changes: AccountChanges): Promise<void> {
    await this.accounts.update({ id }, changes);
  }
}
