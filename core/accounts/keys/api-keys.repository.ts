import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Repository, type EntityManager } from 'typeorm';
import { Postgres } from '../../platform/database/postgres.js';
import { ApiKeyEntity } from '../api-key.entity.js';
import type { StoredKey } from '../api-keys.js';

const touch = {
  name: 'keys-used-1',
  text: `
UPDATE api_keys SET last_used_at = now()
WHERE key_hash = ANY($1::bytea[]) AND (last_used_at IS NULL OR last_used_at <= now() - interval '1 minute')
RETURNING 1`,
};

const purge = {
  name: 'keys-purge-1',
  text: `DELETE FROM api_keys WHERE expires_at <= now() - make_interval(days => $1) RETURNING 1`,
};

/** API keys of accounts. */
@Injectable()
export class ApiKeysRepository {
  constructor(
    @InjectRepository(ApiKeyEntity) private readonly keys: Repository<ApiKeyEntity>,
    private readonly postgres: Postgres,
  ) {}

  async insert(tx: EntityManager, key: Pick<ApiKeyEntity, 'accountId' | 'keyHash'> & StoredKey): Promise<void> {
    await tx.insert(ApiKeyEntity, key);
  }

  /** The key that has no end. */
  async current(accountId: string): Promise<ApiKeyEntity | null> {
    return this.keys.findOneBy({ accountId, expiresAt: IsNull() });
  }

  /** The account's keys that are valid now: the current one first, then the longest-lived. */
  async valid(accountId: string): Promise<ApiKeyEntity[]> {
    return this.keys
      .createQueryBuilder('k')
      .where('k.account_id = :accountId AND (k.expires_at IS NULL OR k.expires_at > now())', { accountId })
      .orderBy('k.expires_at', 'DESC', 'NULLS FIRST')
      .getMany();
  }

  /** One rotation of an account at a time; answers how many earlier keys are valid still. */
  async lockForRotation(tx: EntityManager, accountId: string): Promise<number> {
    await tx.query('SELECT 1 FROM accounts WHERE id = $1 FOR NO KEY UPDATE', [accountId]);
    const [row] = await tx.query<{ count: number }[]>(
      'SELECT count(*)::int AS count FROM api_keys WHERE account_id = $1 AND expires_at > now()',
      [accountId],
    );
    return row?.count ?? 0;
  }

  /** Gives every key of the account an end, the sooner one where it has one already. */
  async endAll(tx: EntityManager, accountId: string, inHours: number): Promise<void> {
    await tx.query(
      `UPDATE api_keys SET expires_at = least(expires_at, now() + make_interval(hours => $2)) WHERE account_id = $1`,
      [accountId, inHours],
    );
  }

  /** The next copies made with other encryption keys than this one, locked. */
  async takeForReencryption(tx: EntityManager, keyId: string, after: Buffer, keysMax: number): Promise<ApiKeyEntity[]> {
    return tx
      .createQueryBuilder(ApiKeyEntity, 'k')
      .setLock('pessimistic_write')
      .where('k.key_hash > :after AND k.encryption_key_id IS DISTINCT FROM :keyId', { after, keyId })
      .orderBy('k.key_hash')
      .limit(keysMax)
      .getMany();
  }

  async replaceCopy(tx: EntityManager, keyHash: Buffer, copy: StoredKey): Promise<void> {
    await tx.update(ApiKeyEntity, { keyHash }, { ...copy });
  }

  /** Notes that these keys are in use, at most once a minute each. */
  async touch(keyHashes: readonly Buffer[]): Promise<void> {
    await this.postgres.query(touch, [keyHashes]);
  }

  async deleteAll(tx: EntityManager, accountId: string): Promise<void> {
    await tx.delete(ApiKeyEntity, { accountId });
  }

  /** Forgets keys that ended so many days ago; answers how many. */
  async purge(endedDays: number): Promise<number> {
    return (await this.postgres.query(purge, [endedDays])).length;
  }
}
