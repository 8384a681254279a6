import { createHmac, createSecretKey, randomUUID, type KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { KeyScope } from '#contract/account.js';
import { plainTyped } from '#contract/characters.js';
import { AuditLog } from '../audit/audit-log.js';
import { Config } from '../platform/config/config.js';
import { Encryption } from '../platform/crypto/encryption.js';
import { GroupCommit, requestLimits } from '../platform/database/group-commit.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { normalAddress } from '../rules/network-addresses.js';
import type { KeySecretEntity } from './key-secret.entity.js';
import { ApiKeyUsage } from './api-key-usage.js';
import { Notices } from '../mail/notices.js';
import {
  ApiKeysRepository,
  type Call,
  type CallerRow,
  type EncryptedSecret,
  type KeyRefusal,
  type NewSecret,
} from './api-keys.repository.js';
import type { ApiKey } from './api-key.js';

const TEST_SUFFIX = '_test';
/** Prefixes of the secrets of named keys; a key with 'pt_test_' has only the effects of a test. */
export const keyPrefixes = { live: 'pt_live_', test: 'pt_test_' } as const;
const KEY_CHARACTERS_MAX = 64;
/** An account's default key, in any letter case, with its suffix for tests. */
const UUID_KEY = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?:_test)?$/i;
const CACHED_KEYS_MAX = 10_000;
const AUTHENTICATION_BATCH_MAX = 200;
const AUTHENTICATION_BATCHES_IN_FLIGHT_MAX = 2;
/** Number of stored secrets that are compared with the hash secret at the start. */
const SECRETS_CHECKED_MAX = 100;
const UNMASKED_CHARACTERS = 4;

/** Reasons of refusals. */
export const keyRefusals: Readonly<Record<KeyRefusal, string>> = {
  key_expired: 'This API key has expired. Give it another date in the dashboard, or use another key.',
  key_address: 'This API key may not be used from this network address. The dashboard lists its addresses.',
  key_scope: 'This API key lacks the scope of this call. The dashboard lists its scopes.',
};

/** Scopes of a call, whose key must have one of them. */
export type NeededScopes = readonly [KeyScope, ...KeyScope[]];

/** The account of a key. */
export interface KeyAccount {
  readonly accountId: string;
  /** Id of a named key; null for the account's own key. */
  readonly keyId: string | null;
  /** Scopes of the key; null for everything. */
  readonly scopes: readonly KeyScope[] | null;
}

/** Throws `key_scope` unless the key has the scope. */
export function requireScope(scope: KeyScope, { scopes }: Pick<KeyAccount, 'scopes'>): void {
  if (scopes && !scopes.includes(scope)) throw scopeRefusal([scope], scopes);
}

/** Names the scopes that allow a call, and the scopes of its key. */
function scopeRefusal(needed: NeededScopes, scopes: readonly KeyScope[]): DomainError {
  const quoted = scopes.map((scope) => `"${scope}"`);
  const has = quoted.length > 1 ? `${quoted.slice(0, -1).join(', ')} and ${quoted.at(-1)}` : quoted.join('');
  const detail =
    `This call needs the scope ${needed.map((scope) => `"${scope}"`).join(' or ')}; this API key has ${has}. Add ` +
    'the scope in the dashboard under API Keys, or use another key.';
  return new DomainError('key_scope', detail);
}

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
 * API keys: found by the HMAC-SHA-256 of their secrets. Each account has a default key without
 * limits, whose secret is a random UUID (RFC 9562, version 4), encrypted because the dashboard
 * shows it. Further keys, with names and limits, are {@link NamedKeys}.
 */
@Injectable()
export class ApiKeys {
  private readonly parsed = new Map<string, ApiKey>();
  private readonly hashSecret: KeyObject;
  private readonly derivationSecret: KeyObject;
  private readonly authentications: GroupCommit<Call, CallerRow>;

  constructor(
    config: Config,
    private readonly keys: ApiKeysRepository,
    private readonly usage: ApiKeyUsage,
    private readonly encryption: Encryption,
    private readonly auditLog: AuditLog,
    private readonly notices: Notices,
  ) {
    this.hashSecret = createSecretKey(config.keys.hashSecret);
    this.derivationSecret = createSecretKey(config.keys.derivationSecret, 'base64');
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
   * Returns the account of a key, for calls that the acceptance statement does not check. A key with
   * any of `needed` may make the call. Concurrent calls share a round trip. Throws
   * `address_blocked`, `unknown_api_key`, `account_blocked`, and a {@link KeyRefusal}.
   */
  async authenticate(key: ApiKey, callerAddress: string, ...needed: NeededScopes): Promise<KeyAccount> {
    const address = normalAddress(callerAddress);
    const [scope, ...alternatives] = needed;
    const caller = await this.authentications.submit({ keyHash: key.hash, address, scope });
    if (caller.isAddressBlocked) throw new DomainError('address_blocked', 'This network address may not use the API.');
    const { accountId, keyId } = caller;
    if (accountId === null)
      throw new DomainError('unknown_api_key', 'No account has this API key. The dashboard shows yours.');
    if (caller.isBlocked) throw new DomainError('account_blocked', 'This account is blocked. Contact support.');
    this.usage.record(key, caller.keyRatePerSecond, address);
    const { keyRefusal, scopes } = caller;
    if (keyRefusal === 'key_scope' && scopes) {
      // A key's expiry and addresses come before its scopes, and have refused nothing.
      if (!alternatives.some((other) => scopes.includes(other))) throw scopeRefusal(needed, scopes);
    } else if (keyRefusal !== null) throw new DomainError(keyRefusal, keyRefusals[keyRefusal]);
    return { accountId, keyId, scopes };
  }

  /** Creates the default key of an account and returns its secret. */
  async create(tx: EntityManager, accountId: string): Promise<string> {
    const apiKey = randomUUID();
    await this.keys.createDefault(tx, accountId, this.readable(apiKey));
    return apiKey;
  }

  /** Returns the secret of the account's default key; null without a secret. */
  async current(accountId: string): Promise<string | null> {
    const secret = await this.keys.currentOfDefault(accountId);
    return secret ? this.decrypt(secret) : null;
  }

  /** Returns the id of the account's default key. Throws `account_not_found`. */
  async defaultId(accountId: string): Promise<string> {
    const id = await this.keys.defaultId(accountId);
    if (id === undefined) throw new DomainError('account_not_found', 'The account has no API key.');
    return id;
  }

  /**
   * Returns the valid secrets of the default key, for the dashboard. Throws `account_not_found`.
   */
  async list(accountId: string): Promise<ApiKeysView> {
    const valid = await this.keys.validOfDefault(accountId);
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
   * Gives the default key another secret and returns the key's id; `address` is the caller's, for
   * the audit log. The old secret works for `keepOldForHours`; an earlier end of an older secret
   * stays. Throws `too_many_keys`.
   */
  async rotate(tx: EntityManager, accountId: string, keepOldForHours: number, address?: string): Promise<string> {
    const { id: keyId } = await this.keys.lockDefault(tx, accountId);
    await this.keys.replaceSecret(tx, accountId, { keyId, keepOldForHours }, this.readable(randomUUID()));
    await this.auditLog.record(tx, {
      actor: 'account',
      accountId,
      action: 'key.rotated',
      address,
      details: { keepOldForHours },
    });
    await this.notices.send(tx, accountId, { kind: 'key_changed', change: 'rotated', at: new Date().toISOString() });
    return keyId;
  }

  /**
   * Ends all secrets of an account at once, deletes its named keys, and gives the default key a new
   * secret, in the caller's transaction.
   */
  async replaceAll(tx: EntityManager, accountId: string): Promise<void> {
    const { id: keyId } = await this.keys.lockDefault(tx, accountId);
    await this.keys.replaceSecret(tx, accountId, { keyId, keepOldForHours: 0 }, this.readable(randomUUID()));
    await this.keys.deleteNamed(tx, accountId);
  }

  /**
   * Returns whether the hash secret of this process finds stored secrets; true when none is
   * readable. After an intended change, it finds new secrets only.
   */
  async knowsStoredSecrets(): Promise<boolean> {
    const stored = await this.keys.someReadable(this.encryption.keyIds, SECRETS_CHECKED_MAX);
    return stored.length === 0 || stored.some((secret) => this.finds(secret));
  }

  /** Forgets keys and secrets that expired this many days ago. */
  purge(expiredDays: number): Promise<void> {
    return this.keys.purge(expiredDays);
  }

  /**
   * Makes a keyed hash for a purpose, from which a key's secret can be made again. It is never the hash of a text
   * that a caller sends as a key: such hashes name counters in Redis.
   */
  derive(purpose: 'samples' | 'plug' | 'event', text: string | Buffer): Buffer {
    return createHmac('sha256', this.derivationSecret).update(`${purpose}\n`).update(text).digest();
  }

  private hash(apiKey: string): Buffer {
    return createHmac('sha256', this.hashSecret).update(apiKey).digest();
  }

  private finds(stored: KeySecretEntity): boolean {
    try {
      return this.hash(this.decrypt(stored)).equals(stored.hash);
    } catch {
      // An altered copy of a secret proves nothing about the hash secret.
      return false;
    }
  }

  private readable(secret: string): NewSecret {
    return { hash: this.hash(secret), ending: ending(secret), ...this.encrypt(secret) };
  }

  private encrypt(secret: string): EncryptedSecret {
    const { ciphertext, keyId } = this.encryption.encrypt(secret);
    return { encrypted: ciphertext, encryptionKeyId: keyId };
  }

  private decrypt({ encrypted, encryptionKeyId }: KeySecretEntity): string {
    if (encrypted === null) throw new Error('This secret has no readable copy');
    return this.encryption.decrypt({ ciphertext: encrypted, keyId: encryptionKeyId });
  }
}

/** Returns the last characters of a secret, by which its owner recognizes it. */
export function ending(secret: string): string {
  return secret.slice(-UNMASKED_CHARACTERS);
}

/** Removes from a key what pasting adds. A UUID is the same in upper case (RFC 9562, section 4). */
function keyText(given: string): string {
  const key = plainTyped(given);
  return UUID_KEY.test(key) ? key.toLowerCase() : key;
}

/** Replaces all but the last characters, by which the owner recognizes the key. */
function mask(apiKey: string): string {
  return apiKey.slice(0, -UNMASKED_CHARACTERS).replace(/[^-]/g, '•') + ending(apiKey);
}
