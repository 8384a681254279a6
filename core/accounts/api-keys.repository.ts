import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Repository, type EntityManager } from 'typeorm';
import { Postgres } from '../platform/database/postgres.js';
import { Shards } from '../platform/database/shards.js';
import type { KeyScope } from '#contract/account.js';
import { isBlocked, joinNamedKey, keyRefusal } from './callers.sql.js';
import { ApiKeyEntity } from './api-key.entity.js';
import type { ApiKey } from './api-key.js';

/** An API key encrypted at rest, as its columns have it. */
export type EncryptedApiKey = Pick<ApiKeyEntity, 'encryptedKey' | 'encryptionKeyId'>;

/** A request with a key, from a normalized address. */
export interface KeyUse {
  readonly key: ApiKey;
  readonly address: string;
}

/** A call that the API checks by itself, and what the key must be allowed to do. */
export interface Call {
  readonly keyHash: Buffer;
  readonly address: string;
  readonly scope: KeyScope;
}

/** Why a named key may not make a call, whatever the call contains. */
export type KeyRefusal = 'key_expired' | 'key_address' | 'key_scope';

/** What the database knows about a caller of the API. */
export interface CallerRow {
  readonly isAddressBlocked: boolean;
  /** Null when no account has the key. */
  readonly accountId: string | null;
  readonly isBlocked: boolean;
  readonly keyRefusal: KeyRefusal | null;
  readonly keyRatePerSecond: number | null;
}

export const findCallers = {
  name: 'callers-4',
  text: `
SELECT
  ${isBlocked('c.address')} AS "isAddressBlocked",
  a.id AS "accountId",
  a.blocked_at IS NOT NULL AS "isBlocked",
  ${keyRefusal('nk', { address: 'c.address', scope: 'c.scope' })} AS "keyRefusal",
  least(nk.messages_per_second, a.key_rate_per_second) AS "keyRatePerSecond"
FROM unnest($1::bytea[], $2::text[], $3::text[]) WITH ORDINALITY AS c (key_hash, address, scope, n)
LEFT JOIN api_keys k ON k.key_hash = c.key_hash AND (k.expires_at IS NULL OR k.expires_at > now())
${joinNamedKey('c.key_hash')}
LEFT JOIN accounts a ON a.id = coalesce(k.account_id, nk.account_id)
ORDER BY c.n`,
};

/**
 * Locks named keys in the order of the acceptance statement, so that the two cannot deadlock.
 * Parameters: hashes, addresses.
 */
const touchNamed = {
  name: 'named-keys-used-2',
  text: `
WITH used AS MATERIALIZED (
  SELECT k.id, u.address
  FROM unnest($1::bytea[], $2::text[]) AS u (key_hash, address)
  LEFT JOIN old_key_secrets os ON os.key_hash = u.key_hash
  JOIN named_keys k ON k.key_hash = coalesce(os.named_key_hash, u.key_hash)
  WHERE k.last_used_at IS NULL OR k.last_used_at <= now() - interval '1 minute'
  ORDER BY k.key_hash
  FOR NO KEY UPDATE OF k
), old AS (
  UPDATE old_key_secrets SET last_used_at = now()
  WHERE key_hash = ANY ($1::bytea[]) AND (last_used_at IS NULL OR last_used_at <= now() - interval '1 minute')
)
UPDATE named_keys k SET last_used_at = now(), last_used_address = used.address FROM used WHERE k.id = used.id`,
};

const touch = {
  name: 'keys-used-2',
  text: `
UPDATE api_keys k SET last_used_at = now(), last_used_address = u.address
FROM unnest($1::bytea[], $2::text[]) AS u (key_hash, address)
WHERE k.key_hash = u.key_hash AND (k.last_used_at IS NULL OR k.last_used_at <= now() - interval '1 minute')`,
};

const purge = {
  name: 'keys-purge-4',
  text: `
WITH named AS (DELETE FROM named_keys WHERE expires_at <= now() - make_interval(days => $1)),
  old AS (DELETE FROM old_key_secrets WHERE expires_at <= now() - make_interval(days => $1))
DELETE FROM api_keys WHERE expires_at <= now() - make_interval(days => $1)`,
};

/** API keys of accounts, by their keyed hash. */
@Injectable()
export class ApiKeysRepository {
  constructor(
    @InjectRepository(ApiKeyEntity) private readonly keys: Repository<ApiKeyEntity>,
    private readonly postgres: Postgres,
    private readonly shards: Shards,
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

  /** Deletes the account's named keys. */
  async deleteNamed(tx: EntityManager, accountId: string): Promise<void> {
    await tx.query('DELETE FROM named_keys WHERE account_id = $1', [accountId]);
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

  /** Sets time and address of the last use of these keys, at most once a minute each. */
  async touch(uses: readonly KeyUse[]): Promise<void> {
    for (const [statement, isNamed] of [[touch, false] as const, [touchNamed, true] as const]) {
      const some = uses.filter(({ key }) => key.named === isNamed);
      if (some.length === 0) continue;
      const hashOf = ({ key }: KeyUse) => key.hash;
      await this.shards.byKey(some, hashOf, async (ofGroup) => {
        await this.postgres.query(statement, [ofGroup.map(hashOf), ofGroup.map(({ address }) => address)]);
      });
    }
  }

  async purge(expiredDays: number): Promise<void> {
    await this.postgres.query(purge, [expiredDays]);
  }

  /** One row per caller, in order. */
  async callers(calls: readonly Call[]): Promise<CallerRow[]> {
    return this.postgres.query<CallerRow>(findCallers, [
      calls.map(({ keyHash }) => keyHash),
      calls.map(({ address }) => address),
      calls.map(({ scope }) => scope),
    ]);
  }
}
