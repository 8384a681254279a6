import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LessThan, Repository, type EntityManager } from 'typeorm';
import { limits } from '#contract/limits.js';
import { Postgres } from '../platform/database/postgres.js';
import type { TotpState } from './judge-code.js';
import { TotpEntity } from './totp.entity.js';

/** An authenticator without its secret. */
export type StoredTotp = Readonly<Omit<TotpEntity, 'secret' | 'encryptionKeyId'>>;

/** Columns of {@link StoredTotp}. */
const shown = {
  accountId: true,
  id: true,
  label: true,
  issuer: true,
  lastStep: true,
  wrongTries: true,
  lockedUntil: true,
  recoveryHashes: true,
  usedRecoveryHashes: true,
  createdAt: true,
  verifiedAt: true,
  lastUsedAt: true,
} as const satisfies Record<keyof StoredTotp, true>;

/** Counts one more authenticator; no row at the limit. Parameter: account. */
export const countOneMore = {
  name: 'totp-count-1',
  text: `
INSERT INTO totp_counts AS c (account_id, totps) VALUES ($1, 1)
ON CONFLICT (account_id) DO UPDATE SET totps = c.totps + 1 WHERE c.totps < ${limits.totpsMax}
RETURNING totps`,
} as const;

/** Parameter: account. */
const countOneLess = {
  name: 'totp-uncount-1',
  text: 'UPDATE totp_counts SET totps = totps - 1 WHERE account_id = $1',
} as const;

export const readTime = { name: 'totp-now-1', text: 'SELECT clock_timestamp() AS now' } as const;

/** Parameters: key id, account and id before the batch, size of the batch. */
export const lockToReencrypt = {
  name: 'totp-reencrypt-1',
  text: `
SELECT account_id AS "accountId", id, secret AS ciphertext, encryption_key_id AS "keyId" FROM totps
WHERE (account_id, id) > ($2::uuid, $3::uuid) AND encryption_key_id <> $1
ORDER BY account_id, id LIMIT $4 FOR NO KEY UPDATE`,
} as const;

/** An encrypted secret as {@link lockToReencrypt} returns it. */
export interface StoredSecret {
  readonly accountId: string;
  readonly id: string;
  readonly ciphertext: Buffer;
  readonly keyId: string;
}

/** Reads and writes authenticators, and counts them. */
@Injectable()
export class TotpsRepository {
  constructor(
    @InjectRepository(TotpEntity) private readonly totps: Repository<TotpEntity>,
    private readonly postgres: Postgres,
  ) {}

  /**
   * Stores a new authenticator and counts it. Returns undefined, and stores nothing, when the account has its maximum:
   * the row with the count is locked until the transaction ends, so the limit is exact.
   */
  async insert(
    tx: EntityManager,
    totp: Readonly<Pick<TotpEntity, 'accountId' | 'id' | 'label' | 'issuer' | 'secret' | 'encryptionKeyId'>>,
  ): Promise<Date | undefined> {
    const counted = await this.postgres.run<{ totps: number }>(tx, countOneMore, [totp.accountId]);
    if (counted.length === 0) return undefined;
    const created = tx.create(TotpEntity, totp);
    await tx.insert(TotpEntity, created);
    return created.createdAt;
  }

  /** Deletes an authenticator; returns false when the account has no such one. */
  async delete(tx: EntityManager, accountId: string, id: string): Promise<boolean> {
    if ((await tx.delete(TotpEntity, { accountId, id })).affected !== 1) return false;
    await this.postgres.run(tx, countOneLess, [accountId]);
    return true;
  }

  async find(accountId: string, id: string): Promise<StoredTotp | null> {
    return this.postgres.call(() => this.totps.findOne({ where: { accountId, id }, select: shown }));
  }

  /** Returns authenticators before an id, newest first. */
  async list(accountId: string, beforeId: string, max: number): Promise<StoredTotp[]> {
    return this.postgres.call(() =>
      this.totps.find({
        where: { accountId, id: LessThan(beforeId) },
        select: shown,
        order: { id: 'DESC' },
        take: max,
      }),
    );
  }

  /** Locks an authenticator, so that its codes are judged in turn; null when the account has no such one. */
  async lock(tx: EntityManager, accountId: string, id: string): Promise<TotpEntity | null> {
    return tx.findOne(TotpEntity, { where: { accountId, id }, lock: { mode: 'pessimistic_write' } });
  }

  /** Returns the time of the database, which is the same for all servers. */
  async now(tx?: EntityManager): Promise<Date> {
    const [row] = tx
      ? await this.postgres.run<{ now: Date }>(tx, readTime, [])
      : await this.postgres.query<{ now: Date }>(readTime, []);
    if (!row) throw new Error('The database did not tell its time');
    return row.now;
  }

  /** Writes the state of a locked authenticator. */
  async writeState(tx: EntityManager, accountId: string, id: string, state: TotpState): Promise<void> {
    const { lastStep, wrongTries, lockedUntil, recoveryHashes, usedRecoveryHashes, verifiedAt, lastUsedAt } = state;
    const tries = { lastStep, wrongTries, lockedUntil, verifiedAt, lastUsedAt };
    await tx.update(TotpEntity, { accountId, id }, { ...tries, recoveryHashes, usedRecoveryHashes });
  }

  /** Replaces the recovery codes; returns false when the account has no such authenticator. */
  async replaceRecoveryHashes(
    tx: EntityManager,
    accountId: string,
    id: string,
    recoveryHashes: Buffer[],
  ): Promise<boolean> {
    const replaced = await tx.update(TotpEntity, { accountId, id }, { recoveryHashes, usedRecoveryHashes: [] });
    return replaced.affected === 1;
  }

  /** Locks a batch of secrets that another key than the current one has encrypted, in order of account and id. */
  async lockToReencrypt(
    tx: EntityManager,
    keyId: string,
    after: Readonly<Pick<StoredSecret, 'accountId' | 'id'>>,
    max: number,
  ): Promise<StoredSecret[]> {
    return this.postgres.run<StoredSecret>(tx, lockToReencrypt, [keyId, after.accountId, after.id, max]);
  }

  async replaceSecret(tx: EntityManager, { accountId, id, ciphertext, keyId }: StoredSecret): Promise<void> {
    await tx.update(TotpEntity, { accountId, id }, { secret: ciphertext, encryptionKeyId: keyId });
  }

  async erase(accountId: string): Promise<void> {
    await this.postgres.query({ text: 'DELETE FROM totps WHERE account_id = $1' }, [accountId]);
    await this.postgres.query({ text: 'DELETE FROM totp_counts WHERE account_id = $1' }, [accountId]);
  }
}
