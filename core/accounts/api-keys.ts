import { createHmac, createSecretKey, randomUUID, type KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { KeyScope } from '#contract/account.js';
import { plainTyped } from '#contract/characters.js';
import { limits } from '#contract/limits.js';
import { AuditLog } from '../audit/audit-log.js';
import { Config } from '../platform/config/config.js';
import { Encryption, type Reencryption } from '../platform/crypto/encryption.js';
import { GroupCommit, requestLimits } from '../platform/database/group-commit.js';
import { Postgres } from '../platform/database/postgres.js';
import { Shards } from '../platform/database/shards.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { Logger } from '../platform/telemetry/logger.js';
import { normalAddress } from '../rules/network-addresses.js';
import type { ApiKeyEntity } from './api-key.entity.js';
import { ApiKeyUsage } from './api-key-usage.js';
import { Notices } from './notices.js';
import {
  ApiKeysRepository,
  type Call,
  type CallerRow,
  type EncryptedApiKey,
  type KeyRefusal,
} from './api-keys.repository.js';
import type { ApiKey } from './api-key.js';

const TEST_SUFFIX = '_test';
/** How the secrets of named keys begin; 'pt_test_' has no effects but that of a test. */
export const keyPrefixes = { live: 'pt_live_', test: 'pt_test_' } as const;
const KEY_CHARACTERS_MAX = 64;
/** An account's own key, in any letter case, with its suffix for tests. */
const UUID_KEY = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?:_test)?$/i;
const CACHED_KEYS_MAX = 10_000;
const AUTHENTICATION_BATCH_MAX = 200;
const AUTHENTICATION_BATCHES_IN_FLIGHT_MAX = 2;
const REENCRYPTION_BATCH_MAX = 500;
const UNMASKED_CHARACTERS = 4;

/** Why a named key is refused. */
export const keyRefusals: Readonly<Record<KeyRefusal, string>> = {
  key_expired: 'This API key has expired. Give it another date in the dashboard, or use another key.',
  key_address: 'This API key may not be used from this network address. The dashboard lists its addresses.',
  key_scope: 'This API key lacks the scope of this call. The dashboard lists its scopes.',
};

interface ApiKeysView {
  /** The current key, readable and masked. */
  readonly apiKey: string;
  readonly masked: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
  readonly lastUsedAddress: string | null;
  /** Rotated keys that are still valid. */
  readonly earlier: readonly { masked: string; lastUsedAt: Date | null; expiresAt: Date }[];
}

/**
 * API keys: random UUIDs (RFC 9562, version 4), found by HMAC-SHA-256 and stored encrypted because
 * the dashboard shows them. An account has one key without an expiry, its current one. Further
 * keys, with limits, are {@link NamedKeys}.
 */
@Injectable()
export class ApiKeys {
  private readonly parsed = new Map<string, ApiKey>();
  private readonly hashSecret: KeyObject;
  private readonly authentications: GroupCommit<Call, CallerRow>;

  constructor(
    config: Config,
    private readonly postgres: Postgres,
    private readonly shards: Shards,
    private readonly keys: ApiKeysRepository,
    private readonly usage: ApiKeyUsage,
    private readonly encryption: Encryption,
    private readonly auditLog: AuditLog,
    private readonly notices: Notices,
    private readonly logger: Logger,
  ) {
    this.hashSecret = createSecretKey(config.keys.hashSecret);
    this.authentications = new GroupCommit({
      ...requestLimits(config),
      batchMax: AUTHENTICATION_BATCH_MAX,
      inFlightMax: AUTHENTICATION_BATCHES_IN_FLIGHT_MAX,
      run: (calls) => this.keys.callers(calls),
    });
  }

  /** Parses the key of a request. The hashes of recent keys are cached. */
  parse(text: string): ApiKey {
    const cached = this.parsed.get(text);
    if (cached) return cached;
    const key = this.parseUncached(text);
    if (this.parsed.size >= CACHED_KEYS_MAX) this.parsed.clear();
    if (text.length <= KEY_CHARACTERS_MAX) this.parsed.set(text, key);
    return key;
  }

  private parseUncached(given: string): ApiKey {
    const text = keyText(given);
    const isNamedTest = text.startsWith(keyPrefixes.test);
    if (isNamedTest || text.startsWith(keyPrefixes.live))
      return { hash: this.hash(text), test: isNamedTest, named: true };
    const test = text.endsWith(TEST_SUFFIX);
    return { hash: this.hash(test ? text.slice(0, -TEST_SUFFIX.length) : text), test, named: false };
  }

  /**
   * Returns the account of a key, for calls that the acceptance statement does not check.
   * Concurrent calls share a round trip. Throws `address_blocked`, `unknown_api_key`,
   * `account_blocked`, and a {@link KeyRefusal}.
   */
  async authenticate(key: ApiKey, callerAddress: string, scope: KeyScope): Promise<{ accountId: string }> {
    const address = normalAddress(callerAddress);
    const caller = await this.shards.ofKey('key', key.hash.toString('hex'), () =>
      this.authentications.submit({ keyHash: key.hash, address, scope }),
    );
    if (caller.isAddressBlocked) throw new DomainError('address_blocked', 'This network address may not use the API.');
    const { accountId } = caller;
    if (accountId === null)
      throw new DomainError('unknown_api_key', 'No account has this API key. The dashboard shows yours.');
    if (caller.isBlocked) throw new DomainError('account_blocked', 'This account is blocked. Contact support.');
    this.usage.record(key, caller.keyRatePerSecond, address);
    const { keyRefusal } = caller;
    if (keyRefusal !== null) throw new DomainError(keyRefusal, keyRefusals[keyRefusal]);
    return { accountId };
  }

  /** Creates a key for an account and returns it. */
  async create(tx: EntityManager, accountId: string): Promise<string> {
    const apiKey = randomUUID();
    await this.keys.insert(tx, { accountId, keyHash: this.hash(apiKey), ...this.encrypt(apiKey) });
    return apiKey;
  }

  /** Returns the account's current key; null when it has none. */
  async current(accountId: string): Promise<string | null> {
    const key = await this.keys.current(accountId);
    return key && this.decrypt(key);
  }

  /** Returns the account's valid keys, for its dashboard. Throws `account_not_found`. */
  async list(accountId: string): Promise<ApiKeysView> {
    const valid = await this.keys.valid(accountId);
    const current = valid.find(({ expiresAt }) => expiresAt === null);
    if (!current) throw new DomainError('account_not_found', 'The account has no API key.');
    const apiKey = this.decrypt(current);
    return {
      apiKey,
      masked: mask(apiKey),
      createdAt: current.createdAt,
      lastUsedAt: current.lastUsedAt,
      lastUsedAddress: current.lastUsedAddress,
      earlier: valid.flatMap((key) =>
        key.expiresAt === null
          ? []
          : [{ masked: mask(this.decrypt(key)), lastUsedAt: key.lastUsedAt, expiresAt: key.expiresAt }],
      ),
    };
  }

  /**
   * Creates a new current key; `address` is the caller's, for the audit log. The old one stays
   * valid for `keepOldForHours`; an earlier expiry of an older key stays. Throws `too_many_keys`.
   */
  async rotate(tx: EntityManager, accountId: string, keepOldForHours: number, address?: string): Promise<void> {
    const oldKeys = await this.keys.lockForRotation(tx, accountId);
    if (oldKeys >= limits.oldKeysMax && keepOldForHours > 0)
      throw new DomainError('too_many_keys', 'Revoke the old keys now, or wait until some of them have expired.');
    await this.keys.expireAll(tx, accountId, keepOldForHours);
    await this.create(tx, accountId);
    await this.auditLog.record(tx, {
      actor: 'account',
      accountId,
      action: 'key.rotated',
      address,
      details: { keepOldForHours },
    });
    await this.notices.send(tx, accountId, { kind: 'key_changed', change: 'rotated', at: new Date().toISOString() });
  }

  /**
   * Ends all keys of an account at once, named ones included, and creates a new one, in the
   * caller's transaction.
   */
  async replaceAll(tx: EntityManager, accountId: string): Promise<void> {
    await this.keys.lockForRotation(tx, accountId);
    await this.keys.expireAll(tx, accountId, 0);
    await this.keys.deleteNamed(tx, accountId);
    await this.create(tx, accountId);
  }

  /**
   * Encrypts every key with the current encryption key, so that old encryption keys can be removed.
   */
  async reencrypt(): Promise<Reencryption> {
    let [reencrypted, unreadable] = [0, 0];
    let after: Buffer = Buffer.alloc(0);
    for (;;) {
      const outcomes = await this.postgres.transaction(async (tx) => {
        const batch = await this.keys.lockForReencryption(tx, this.encryption.keyId, after, REENCRYPTION_BATCH_MAX);
        after = batch.at(-1)?.keyHash ?? after;
        const texts = batch.map((key) => this.tryDecrypt(key));
        for (const [index, { keyHash }] of batch.entries()) {
          const text = texts[index];
          if (text !== undefined) await this.keys.updateEncrypted(tx, keyHash, this.encrypt(text));
        }
        return texts;
      });
      const readable = outcomes.filter((text) => text !== undefined).length;
      reencrypted += readable;
      unreadable += outcomes.length - readable;
      if (outcomes.length < REENCRYPTION_BATCH_MAX) return { reencrypted, unreadable };
    }
  }

  private hash(apiKey: string): Buffer {
    return createHmac('sha256', this.hashSecret).update(apiKey).digest();
  }

  private encrypt(apiKey: string): EncryptedApiKey {
    const { ciphertext, keyId } = this.encryption.encrypt(apiKey);
    return { encryptedKey: ciphertext, encryptionKeyId: keyId };
  }

  private decrypt({ encryptedKey, encryptionKeyId }: EncryptedApiKey): string {
    return this.encryption.decrypt({ ciphertext: encryptedKey, keyId: encryptionKeyId });
  }

  private tryDecrypt(key: ApiKeyEntity): string | undefined {
    try {
      return this.decrypt(key);
    } catch (err) {
      this.logger.error({ err, accountId: key.accountId }, 'API key cannot be decrypted');
      return undefined;
    }
  }
}

/**
 * A key without what pasting adds to it. A UUID is the same in upper case (RFC 9562, section 4).
 */
function keyText(given: string): string {
  const key = plainTyped(given);
  return UUID_KEY.test(key) ? key.toLowerCase() : key;
}

/** Replaces all but the last characters, by which the owner recognizes the key. */
function mask(apiKey: string): string {
  return apiKey.slice(0, -UNMASKED_CHARACTERS).replace(/[^-]/g, '•') + apiKey.slice(-UNMASKED_CHARACTERS);
}
