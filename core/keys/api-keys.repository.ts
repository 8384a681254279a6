import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Not, Repository, type EntityManager } from 'typeorm';
import { limits } from '#contract/limits.js';
import type { KeyScope } from '#contract/account.js';
import { Postgres } from '../platform/database/postgres.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { ApiKeyEntity, type PlugColumns } from './api-key.entity.js';
import { isBlocked, joinKey, joinSecret, keyRefusal } from './callers.sql.js';
import { KeySecretEntity } from './key-secret.entity.js';
import type { ApiKey } from './api-key.js';

/** A secret's readable copy, encrypted at rest. */
export interface EncryptedSecret {
  readonly encrypted: Buffer;
  readonly encryptionKeyId: string | null;
}

/** A secret of a key. Without a copy it cannot be shown again. */
export interface NewSecret extends Partial<EncryptedSecret> {
  readonly hash: Buffer;
  readonly ending: string;
}

/** A key whose row is locked. */
export type LockedKey = Readonly<Pick<ApiKeyEntity, 'id' | 'name' | 'mode'>>;

/** A request with a key, from a normalized address. */
export interface KeyUse {
  readonly key: ApiKey;
  readonly address: string;
}

/** A call that the API checks by itself, and the scope that its key needs. */
export interface Call {
  readonly keyHash: Buffer;
  readonly address: string;
  readonly scope: KeyScope;
}

/** Reason why a key may not make a call, whatever the call contains. */
export type KeyRefusal = 'key_expired' | 'key_address' | 'key_scope';

/** Caller of the API, as the database knows it. */
export interface CallerRow {
  readonly isAddressBlocked: boolean;
  /** Null when no account has the key. */
  readonly accountId: string | null;
  /** Id of a named key; null for the account's default key. */
  readonly keyId: string | null;
  readonly isBlocked: boolean;
  readonly keyRefusal: KeyRefusal | null;
  /** Scopes of the key; null for everything. */
  readonly scopes: KeyScope[] | null;
  readonly keyRatePerSecond: number | null;
}

export const findCallers = {
  name: 'callers-7',
  text: `
SELECT
  ${isBlocked('c.address')} AS "isAddressBlocked",
  a.id AS "accountId",
  CASE WHEN NOT k.is_default THEN k.id END AS "keyId",
  a.blocked_at IS NOT NULL AS "isBlocked",
  ${keyRefusal('k', { address: 'c.address', scope: 'c.scope' })} AS "keyRefusal",
  k.scopes,
  least(k.messages_per_second, a.key_rate_per_second) AS "keyRatePerSecond"
FROM unnest($1::bytea[], $2::text[], $3::text[]) WITH ORDINALITY AS c (key_hash, address, scope, n)
${joinSecret('c.key_hash')}
${joinKey}
LEFT JOIN LATERAL (SELECT * FROM accounts WHERE id = s.account_id OFFSET 0) AS a ON true
ORDER BY c.n`,
};

/** Parameters: hashes, addresses. */
const touch = {
  name: 'keys-used-3',
  text: `
WITH used AS MATERIALIZED (
  SELECT s.hash, u.address
  FROM unnest($1::bytea[], $2::text[]) AS u (hash, address) JOIN key_secrets s ON s.hash = u.hash
  WHERE s.last_used_at IS NULL OR s.last_used_at <= now() - interval '1 minute'
  ORDER BY s.hash
  FOR NO KEY UPDATE OF s
)
UPDATE key_secrets s SET last_used_at = now(), last_used_address = used.address FROM used WHERE s.hash = used.hash`,
};

const purge = {
  name: 'keys-purge-5',
  text: `
WITH secrets AS (DELETE FROM key_secrets WHERE expires_at <= now() - make_interval(days => $1))
DELETE FROM api_keys WHERE expires_at <= now() - make_interval(days => $1)`,
};

/** API keys of accounts, and their secrets by their keyed hash. */
@Injectable()
export class ApiKeysRepository {
  constructor(
    @InjectRepository(ApiKeyEntity) private readonly keys: Repository<ApiKeyEntity>,
    @InjectRepository(KeySecretEntity) private readonly secrets: Repository<KeySecretEntity>,
    private readonly postgres: Postgres,
  ) {}

  async createDefault(tx: EntityManager, accountId: string, secret: NewSecret): Promise<void> {
    const key = tx.create(ApiKeyEntity, { accountId, isDefault: true });
    await tx.insert(ApiKeyEntity, key);
    await this.insertSecret(tx, accountId, key.id, secret);
  }

  async insertSecret(tx: EntityManager, accountId: string, keyId: string, secret: NewSecret): Promise<void> {
    await tx.insert(KeySecretEntity, { accountId, keyId, ...secret });
  }

  async currentOfDefault(accountId: string): Promise<KeySecretEntity | undefined> {
    return (await this.validOfDefault(accountId)).find(({ expiresAt }) => expiresAt === null);
  }

  /**
   * Returns the valid secrets of the default key: the current secret first, then by their end,
   * latest first.
   */
  async validOfDefault(accountId: string): Promise<KeySecretEntity[]> {
    return this.secrets
      .createQueryBuilder('s')
      .where('s.account_id = :accountId AND (s.expires_at IS NULL OR s.expires_at > now())', { accountId })
      .andWhere('s.key_id IN (SELECT id FROM api_keys WHERE account_id = :accountId AND is_default)')
      .orderBy('s.expires_at', 'DESC', 'NULLS FIRST')
      .getMany();
  }

  /** Returns the id of the account's default key; undefined without a default key. */
  async defaultId(accountId: string): Promise<string | undefined> {
    return (await this.postgres.call(() => this.keys.findOneBy({ accountId, isDefault: true })))?.id;
  }

  /** Locks the account's default key, so that its changes wait for each other. */
  async lockDefault(tx: EntityManager, accountId: string): Promise<LockedKey> {
    const lock = { mode: 'pessimistic_write' } as const;
    const key = await tx.findOne(ApiKeyEntity, { where: { accountId, isDefault: true }, lock });
    if (!key) throw new DomainError('account_not_found', 'The account has no API key.');
    return key;
  }

  /** Like {@link lockDefault}, for a key of a program; null when the account has no such key. */
  async lockNamed(tx: EntityManager, accountId: string, id: string): Promise<LockedKey | null> {
    return tx
      .createQueryBuilder(ApiKeyEntity, 'k')
      .setLock('pessimistic_write')
      .where({ accountId, isDefault: false, forSamples: false, plug: IsNull() })
      .andWhere('k.id::text = :id', { id })
      .getOne();
  }

  /**
   * Gives a locked key another secret. The previous secret works for `keepOldForHours`; an earlier
   * end of an older secret stays. Throws `too_many_keys`.
   */
  async replaceSecret(
    tx: EntityManager,
    accountId: string,
    { keyId, keepOldForHours }: { readonly keyId: string; readonly keepOldForHours: number },
    secret: NewSecret,
  ): Promise<void> {
    const [old] = await tx.query<{ secrets: number }[]>(
      'SELECT count(*)::int AS secrets FROM key_secrets WHERE key_id = $1 AND expires_at > now()',
      [keyId],
    );
    if ((old?.secrets ?? 0) >= limits.oldKeysMax && keepOldForHours > 0)
      throw new DomainError('too_many_keys', 'End the old secrets now, or wait until some of them have expired.');
    await tx.query(
      'UPDATE key_secrets SET expires_at = least(expires_at, now() + make_interval(hours => $2)) WHERE key_id = $1',
      [keyId, keepOldForHours],
    );
    await this.insertSecret(tx, accountId, keyId, secret);
  }

  /** Ends the replaced secrets of a key at once; its current secret stays. */
  async endOldSecrets(tx: EntityManager, keyId: string): Promise<number> {
    const end = 'UPDATE key_secrets SET expires_at = now() WHERE key_id = $1 AND expires_at > now()';
    const [, ended] = await tx.query<[object[], number]>(end, [keyId]);
    return ended;
  }

  /** Deletes the account's keys with names, and all their secrets. */
  async deleteNamed(tx: EntityManager, accountId: string): Promise<void> {
    await tx.delete(ApiKeyEntity, { accountId, isDefault: false });
  }

  /** Locks the next readable secrets that were encrypted with another encryption key. */
  async lockForReencryption(
    tx: EntityManager,
    keyId: string,
    after: Buffer,
    secretsMax: number,
  ): Promise<KeySecretEntity[]> {
    return tx
      .createQueryBuilder(KeySecretEntity, 's')
      .setLock('pessimistic_write')
      .where('s.hash > :after AND s.encrypted IS NOT NULL AND s.encryption_key_id IS DISTINCT FROM :keyId', {
        after,
        keyId,
      })
      .orderBy('s.hash')
      .limit(secretsMax)
      .getMany();
  }

  /** Returns some readable secrets that were encrypted with one of these encryption keys. */
  async someReadable(encryptionKeyIds: readonly string[], secretsMax: number): Promise<KeySecretEntity[]> {
    return this.secrets
      .createQueryBuilder('s')
      .where('s.encrypted IS NOT NULL AND s.encryption_key_id = ANY(:ids)', { ids: encryptionKeyIds })
      .limit(secretsMax)
      .getMany();
  }

  async updateEncrypted(tx: EntityManager, hash: Buffer, encrypted: EncryptedSecret): Promise<void> {
    await tx.update(KeySecretEntity, { hash }, encrypted);
  }

  /** Returns the keys of an account's plugs, newest first. */
  async plugsOf(accountId: string): Promise<ApiKeyEntity[]> {
    const where = { accountId, plug: Not(IsNull()) };
    return this.postgres.call(() => this.keys.find({ where, order: { createdAt: 'DESC', id: 'ASC' } }));
  }

  /** Returns the key of a plug by its id; null without one. */
  async plug(id: string): Promise<ApiKeyEntity | null> {
    return this.postgres.call(() => this.keys.findOneBy({ id, plug: Not(IsNull()) }));
  }

  /** As {@link plug}, locked; null also for another account's. */
  async lockPlug(tx: EntityManager, accountId: string, id: string): Promise<ApiKeyEntity | null> {
    const lock = { mode: 'pessimistic_write' } as const;
    return tx.findOne(ApiKeyEntity, { where: { accountId, id, plug: Not(IsNull()) }, lock });
  }

  /** Locks the keys of plugs whose secrets were encrypted with another encryption key. */
  async lockPlugsToReencrypt(tx: EntityManager, keyId: string): Promise<ApiKeyEntity[]> {
    return tx
      .createQueryBuilder(ApiKeyEntity, 'k')
      .setLock('pessimistic_write')
      .where('k.plug_secrets IS NOT NULL AND k.plug_encryption_key_id IS DISTINCT FROM :keyId', { keyId })
      .getMany();
  }

  async writePlug(tx: EntityManager, accountId: string, id: string, columns: Partial<PlugColumns>): Promise<void> {
    await tx.update(ApiKeyEntity, { accountId, id }, columns);
  }

  /** Sets time and address of the last use of these keys, at most once a minute each. */
  async touch(uses: readonly KeyUse[]): Promise<void> {
    const hashOf = ({ key }: KeyUse) => key.hash;
    await this.postgres.byKey(uses, hashOf, async (ofGroup) => {
      await this.postgres.query(touch, [ofGroup.map(hashOf), ofGroup.map(({ address }) => address)]);
    });
  }

  async purge(expiredDays: number): Promise<void> {
    await this.postgres.query(purge, [expiredDays]);
  }

  /** Returns one row per caller, in order. */
  async callers(calls: readonly Call[]): Promise<CallerRow[]> {
    return this.postgres.query<CallerRow>(findCallers, [
      calls.map(({ keyHash }) => keyHash),
      calls.map(({ address }) => address),
      calls.map(({ scope }) => scope),
    ]);
  }
}
