import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, IsNull, Not, Repository, type EntityManager } from 'typeorm';
import { sqlState } from '../platform/errors/database-error.js';
import { Postgres } from '../platform/database/postgres.js';
import { isDueAndFree } from '../platform/durable-work/durable-work.js';
import { AccountEntity } from './account.entity.js';
import { SessionEntity } from './sessions/session.entity.js';
import { EmailLinkEntity } from './email-link.entity.js';

const UNIQUE_VIOLATION = '23505';

export type AccountChanges = Partial<
  Pick<
    AccountEntity,
    'dailyLimit' | 'numbersMax' | 'keyRatePerSecond' | 'urlsActivated' | 'blockedAt' | 'flaggedAt' | 'flaggedReason'
  >
>;

export type AccountRow = Pick<AccountEntity, 'email' | 'displayName' | 'signInType'> &
  Partial<Pick<AccountEntity, 'id' | 'googleSubject' | 'passwordHash' | 'ownNumbersOnly'>>;

const DELETIONS_MAX = 10;
const DELETION_RETRY_MINUTES = 15;

export const takeDeletions = {
  text: `
UPDATE accounts SET delete_at = now() + interval '${DELETION_RETRY_MINUTES} minutes'
WHERE ${isDueAndFree('accounts', DELETIONS_MAX, { due: 'delete_at' })}
RETURNING id`,
} as const;

/** Accounts. Email addresses are compared without regard to case. */
@Injectable()
export class AccountsRepository {
  constructor(
    @InjectRepository(AccountEntity) private readonly accounts: Repository<AccountEntity>,
    private readonly postgres: Postgres,
  ) {}

  /** Returns undefined when the address or the Google subject already has an account. */
  async insert(tx: EntityManager, account: AccountRow): Promise<AccountEntity | undefined> {
    try {
      const created = tx.create(AccountEntity, account);
      await tx.insert(AccountEntity, created);
      return created;
    } catch (error) {
      if (sqlState(error) === UNIQUE_VIOLATION) return undefined;
      throw error;
    }
  }

  /** Creates today's daily count. */
  async insertDay(tx: EntityManager, accountId: string): Promise<void> {
    await tx.query(
      `INSERT INTO daily_counts (account_id, day, count, last_granted)
       VALUES ($1, (now() AT TIME ZONE 'America/New_York')::date, 0, 0)`,
      [accountId],
    );
  }

  async allowAllNumbers(tx: EntityManager, id: string): Promise<void> {
    await tx.update(AccountEntity, { id, ownNumbersOnly: true }, { ownNumbersOnly: false });
  }

  async setDeliverySuspended(tx: EntityManager, id: string, isSuspended: boolean): Promise<void> {
    await tx.update(AccountEntity, { id }, { deliverySuspendedAt: isSuspended ? () => 'now()' : null });
  }

  async setDisabledCountries(tx: EntityManager, id: string, countries: readonly string[]): Promise<void> {
    await tx.update(AccountEntity, { id }, { disabledCountries: [...countries] });
  }

  async findByEmail(email: string): Promise<AccountEntity | null> {
    return this.postgres.ofKey('accounts_email', email.toLowerCase(), () =>
      this.accounts.createQueryBuilder('a').where('lower(a.email) = lower(:email)', { email }).getOne(),
    );
  }

  async findByGoogleSubject(googleSubject: string): Promise<AccountEntity | null> {
    return this.postgres.ofKey('accounts_google_subject_key', googleSubject, () =>
      this.accounts.findOneBy({ googleSubject }),
    );
  }

  async findById(id: string): Promise<AccountEntity | null> {
    return this.accounts.findOneBy({ id });
  }

  async emailsOf(ids: readonly string[]): Promise<Map<string, string>> {
    const found = await this.postgres.call(() =>
      this.accounts.find({ select: { id: true, email: true }, where: { id: In(ids) } }),
    );
    return new Map(found.map(({ id, email }) => [id, email]));
  }

  async change(id: string, changes: AccountChanges): Promise<void> {
    await this.accounts.update({ id }, changes);
  }

  /** Keeps the time of the first flag and the reason of the last flag. */
  async flag(tx: EntityManager, id: string, reason: string): Promise<void> {
    const flaggedAt = () => 'coalesce(flagged_at, now())';
    await tx.update(AccountEntity, { id }, { flaggedAt, flaggedReason: reason });
  }

  /**
   * Returns the reason of the removed flag; undefined when no flag has a reason with this prefix.
   */
  async clearFlag(tx: EntityManager, id: string, reasonPrefix: string): Promise<string | undefined> {
    const [row] = await tx.query<{ reason: string }[]>(
      `WITH flagged AS (
         SELECT id, flagged_reason FROM accounts WHERE id = $1 AND starts_with(flagged_reason, $2) FOR NO KEY UPDATE
       ), cleared AS (
         UPDATE accounts a SET flagged_at = NULL, flagged_reason = NULL FROM flagged WHERE a.id = flagged.id
       )
       SELECT flagged_reason AS reason FROM flagged`,
      [id, reasonPrefix],
    );
    return row?.reason;
  }

  /** Returns false when the account is already linked to a Google account. */
  async linkGoogle(tx: EntityManager, id: string, googleSubject: string, displayName: string): Promise<boolean> {
    const { affected } = await tx.update(
      AccountEntity,
      { id, googleSubject: IsNull() },
      { googleSubject, displayName },
    );
    return affected === 1;
  }

  /** Locks the account; returns whether its address is verified. */
  async lockVerified(tx: EntityManager, id: string): Promise<boolean> {
    const [row] = await tx.query<{ isVerified: boolean }[]>(
      `SELECT email_verified_at IS NOT NULL OR google_subject IS NOT NULL AS "isVerified"
       FROM accounts WHERE id = $1 FOR NO KEY UPDATE`,
      [id],
    );
    return row?.isVerified ?? false;
  }

  /**
   * Sets a new password and ends the account's sessions except `keptSession`; without a kept
   * session also forgets the browsers.
   */
  async setPassword(tx: EntityManager, id: string, passwordHash: string, keptSession: string | null): Promise<void> {
    await tx.update(AccountEntity, { id }, { passwordHash });
    await tx.delete(SessionEntity, { accountId: id, ...(keptSession !== null && { id: Not(keptSession) }) });
    if (keptSession === null) await tx.query('DELETE FROM account_devices WHERE account_id = $1', [id]);
  }

  /** Records that the owner reads the account's address. */
  async setVerified(tx: EntityManager, id: string): Promise<void> {
    await tx.update(AccountEntity, { id }, { emailVerifiedAt: () => 'coalesce(email_verified_at, now())' });
  }

  /**
   * Blocks the account and deletes its API keys, sessions and links. Keeps the time of an earlier
   * block.
   */
  async close(tx: EntityManager, id: string): Promise<void> {
    await tx.update(AccountEntity, { id }, { blockedAt: () => 'coalesce(blocked_at, now())' });
    await tx.query('DELETE FROM api_keys WHERE account_id = $1', [id]);
    await tx.delete(SessionEntity, { accountId: id });
    await tx.query('DELETE FROM account_devices WHERE account_id = $1', [id]);
    await tx.delete(EmailLinkEntity, { accountId: id });
  }

  /**
   * Closes accounts whose deletion is due, and returns them. They are due again later, in case
   * their erasure fails. Concurrent calls take different accounts.
   */
  async closeDue(tx: EntityManager): Promise<string[]> {
    const rows = await this.postgres.run<{ id: string }>(tx, takeDeletions, []);
    for (const { id } of rows) await this.close(tx, id);
    return rows.map(({ id }) => id);
  }

  /**
   * Schedules the deletion of an open account, or cancels it with null; an earlier schedule keeps
   * its time. Returns the time; undefined when the account is closed.
   */
  async scheduleDeletion(tx: EntityManager, id: string, inDays: number | null): Promise<Date | null | undefined> {
    const [rows] = await tx.query<[{ deleteAt: Date | null }[], number]>(
      `UPDATE accounts SET delete_at =
         CASE WHEN $2::integer IS NOT NULL THEN coalesce(delete_at, now() + make_interval(days => $2)) END
       WHERE id = $1 AND blocked_at IS NULL RETURNING delete_at AS "deleteAt"`,
      [id, inDays],
    );
    return rows[0]?.deleteAt;
  }

  /**
   * Removes personal data. The new address under `.invalid` (RFC 2606) cannot collide with a real
   * address.
   */
  async anonymize(tx: EntityManager, id: string): Promise<void> {
    const erased = { displayName: '', passwordHash: null, googleSubject: null, emailVerifiedAt: null, deleteAt: null };
    await tx.update(AccountEntity, { id }, { ...erased, email: `deleted-${id}@deleted.invalid` });
  }
}
