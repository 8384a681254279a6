import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Repository, type EntityManager } from 'typeorm';
import { Postgres } from '../platform/database/postgres.js';
import { isBlocked } from './blocked-addresses.js';
import { ApiKeyEntity } from './api-key.entity.js';

/** An API key encrypted at rest, as its columns have it. */
export type EncryptedApiKey = Pick<ApiKeyEntity, 'encryptedKey' | 'encryptionKeyId'>;

/** What the database knows about a caller of the API. */
export interface CallerRow {
  readonly isAddressBlocked: boolean;
  /** Null when no account has the key. */
  readonly accountId: string | null;
  readonly isBlocked: boolean;
  readonly keyRatePerSecond: number | null;
}

export const findCallers = {
  name: 'callers-2',
  text: `
SELECT
  ${isBlocked('c.address')} AS "isAddressBlocked",
  a.id AS "accountId",
  a.blocked_at IS NOT NULL AS "isBlocked",
  a.key_rate_per_second AS "keyRatePerSecond"
FROM unnest($1::bytea[], $2::text[]) WITH ORDINALITY AS c (key_hash, address, n)
LEFT JOIN api_keys k ON k.key_hash = c.key_hash AND (k.expires_at IS NULL OR k.expires_at > now())
LEFT JOIN accounts a ON a.id = k.account_id
ORDER BY c.n`,
};

const touch = {
  name: 'keys-used-1',
  text: `
UPDATE api_keys SET last_used_at = now()
WHERE key_hash = ANY($1::bytea[]) AND (last_used_at IS NULL OR last_used_at <= now() - interval '1 minute')`,
};

const purge = {
  name: 'keys-purge-2',
  text: `DELETE FROM api_keys WHERE expires_at <= now() - make_interval(days => $1)`,
};

/** API keys of accounts, by their keyed hash. */
@Injectable()
export class ApiKeysRepository {
  constructor(
    @InjectRepository(ApiKeyEntity) private readonly keys: Repository<ApiKeyEntity>,
    private readonly postgres: Postgres,
  ) {}

  async insert(tx: EntityManager, key: Pick<ApiKeyEntity, 'accountId' | 'keyHash'> & EncryptedApiKey): Promise<void> {
    await tx.insert(ApiKeyEntity, key);
  }

  /** The key without an expiry. */
  async current(accountId: string): Promise<ApiKeyEntity | null> {
    return this.keys.findOneBy({ accountId, expiresAt: IsNull() });
  }

  /** The account's valid keys: the current one first, then by expiry, latest first. */
  async valid(accountId: string): Promise<ApiKeyEntity[]> {
    return this.keys
      .createQueryBuilder('k')
      .where('k.account_id = :accountId AND (k.expires_at IS NULL OR k.expires_at > now())', { accountId })
      .orderBy('k.expires_at', 'DESC', 'NULLS FIRST')
      .getMany();
  }

  /** Serializes the account's rotations; returns how many old keys are still valid. */
  async lockForRotation(tx: EntityManager, accountId: string): Promise<number> {
    await tx.query('SELECT 1 FROM accounts WHERE id = $1 FOR NO KEY UPDATE', [accountId]);
    return tx
      .createQueryBuilder(ApiKeyEntity, 'k')
      .where('k.account_id = :accountId AND k.expires_at > now()', { accountId })
      .getCount();
  }

  /** Gives every key of the account an expiry; an earlier one stays. */
  async expireAll(tx: EntityManager, accountId: string, inHours: number): Promise<void> {
    await tx.query(
      `UPDATE api_keys SET expires_at = least(expires_at, now() + make_interval(hours => $2)) WHERE account_id = $1`,
      [accountId, inHours],
    );
  }

  /** Locks the next keys that were encrypted with another encryption key. */
  async lockForReencryption(tx: EntityManager, keyId: string, after: Buffer, keysMax: number): Promise<ApiKeyEntity[]> {
    return tx
      .createQueryBuilder(ApiKeyEntity, 'k')
      .setLock('pessimistic_write')
      .where('k.key_hash > :after AND k.encryption_key_id IS DISTINCT FROM :keyId', { after, keyId })
      .orderBy('k.key_hash')
      .limit(keysMax)
      .getMany();
  }

  async updateEncrypted(tx: EntityManager, keyHash: Buffer, encrypted: EncryptedApiKey): Promise<void> {
    await tx.update(ApiKeyEntity, { keyHash }, encrypted);
  }

  /** Sets the time of last use of these keys, at most once a minute each. */
  async touch(keyHashes: readonly Buffer[]): Promise<void> {
    await this.postgres.query(touch, [keyHashes]);
  }

  async purge(expiredDays: number): Promise<void> {
    await this.postgres.query(purge, [expiredDays]);
  }

  /** One row per caller, in order. */
  async callers(callers: readonly { readonly keyHash: Buffer; readonly address: string }[]): Promise<CallerRow[]> {
    return this.postgres.query<CallerRow>(findCallers, [
      callers.map(({ keyHash }) => keyHash),
      callers.map(({ address }) => address),
    ]);
  }
}
