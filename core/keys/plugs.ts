import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import type { KeyScope } from '#contract/account.js';
import { limits } from '#contract/limits.js';
import type { PlugProduct } from '#contract/plug-products.js';
import type { createPlugBody, PlugSettings, PlugView } from '#contract/plugs.js';
import type { ApiKeyEntity, PlugColumns } from './api-key.entity.js';
import type { ApiKey } from './api-key.js';
import { ApiKeys } from './api-keys.js';
import { ApiKeysRepository } from './api-keys.repository.js';
import { type KeyChanger, NamedKeys } from './named-keys.js';
import { Config } from '../platform/config/config.js';
import { Encryption, type Reencryption } from '../platform/crypto/encryption.js';
import { Postgres } from '../platform/database/postgres.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { Logger } from '../platform/telemetry/logger.js';
import { plugIdFromPublic, publicPlugId } from '../rules/ids.js';
import { secretFor } from './plug-proof.js';

const HOUR_MS = 3_600_000;
const CALL_NOTED_EVERY = '10 seconds';

/** Auth0 also sends texts without a code. */
const scopesOf: Readonly<Record<PlugProduct, KeyScope[]>> = {
  supabase: ['otp'],
  auth0: ['otp', 'send'],
  logto: ['otp'],
  zitadel: ['otp'],
  otp: ['otp'],
  sms: ['send'],
};

const storedSecrets = z.object({
  current: z.string().nullable(),
  previous: z.string().nullable(),
  previousEndsAt: z.iso.datetime().nullable(),
});
type StoredSecrets = z.infer<typeof storedSecrets>;

/** A plug as its calls need it. */
export interface Plug {
  readonly accountId: string;
  readonly keyId: string;
  /** The key with which it sends, and its last characters. */
  readonly key: ApiKey;
  readonly ending: string;
  readonly settings: PlugSettings;
  /** Secrets of which one must prove a call; none until the account has given the product's. */
  readonly secrets: readonly string[];
}

/** Parameters: account, key, result. */
const noteCall = {
  name: 'plug-called-1',
  text: `
UPDATE api_keys SET plug_called_at = now(), plug_result = $3
WHERE account_id = $1 AND id = $2 AND plug IS NOT NULL
  AND (plug_result IS DISTINCT FROM $3 OR plug_called_at < now() - interval '${CALL_NOTED_EVERY}')`,
} as const;

/**
 * Plugs: addresses that another product calls to send its codes. Each is a named key, which has the limits and the
 * figures of a key; its secrets prove the product's calls, and are encrypted.
 */
@Injectable()
export class Plugs {
  constructor(
    private readonly keys: ApiKeysRepository,
    private readonly postgres: Postgres,
    private readonly apiKeys: ApiKeys,
    private readonly namedKeys: NamedKeys,
    private readonly encryption: Encryption,
    private readonly config: Config,
    private readonly logger: Logger,
  ) {}

  /** Returns an account's plugs, newest first. */
  async list(accountId: string): Promise<PlugView[]> {
    return (await this.keys.plugsOf(accountId)).map((key) => this.viewOf(key));
  }

  /**
   * Creates a plug and its key. Returns the secret once; null where the account gave it, or has yet to give it. Throws
   * `plug_secret_invalid`, `key_limit`.
   */
  async create(
    by: KeyChanger,
    { name, secret: given, ...settings }: z.output<typeof createPlugBody>,
  ): Promise<{ keyId: string; secret: string | null }> {
    const secret = secretFor(settings.product, given);
    const secrets = this.sealed({ current: secret, previous: null, previousEndsAt: null });
    const columns = { plug: settings, ...secrets };
    const keyId = await this.namedKeys.createPlug(by, name, scopesOf[settings.product], columns);
    return { keyId, secret: given === undefined ? secret : null };
  }

  /**
   * Replaces the secret, as {@link create} makes it. The replaced secret works for a day. Throws
   * `plug_secret_invalid`, `key_not_found`.
   */
  async rotate(by: KeyChanger, keyId: string, given: string | undefined): Promise<string | null> {
    return this.postgres.change(async (tx) => {
      const key = await this.keys.lockPlug(tx, by.accountId, keyId);
      if (!key?.plug) throw new DomainError('key_not_found', 'Your account has no plug with this id.');
      const current = secretFor(key.plug.product, given);
      if (current === null)
        throw new DomainError('plug_secret_invalid', 'Enter the signing key that ZITADEL shows for the provider.');
      const { current: previous } = this.secretsOf(key);
      const endsAt = new Date(Date.now() + limits.plugOldSecretHours * HOUR_MS).toISOString();
      const sealed = this.sealed({ current, previous, previousEndsAt: previous === null ? null : endsAt });
      await this.keys.writePlug(tx, by.accountId, keyId, sealed);
      await this.namedKeys.plugRotated(tx, by, key);
      return given === undefined ? current : null;
    });
  }

  /** Finds a plug by the id in its address, and goes on with the rows of its account. */
  async find(publicId: string): Promise<Plug | undefined> {
    const id = plugIdFromPublic(publicId);
    if (id === undefined) return undefined;
    const sender = this.namedKeys.plugKey(id);
    await this.postgres.enterKey(sender.key.hash);
    const key = await this.keys.plug(id);
    if (!key?.plug) return undefined;
    const { current, previous, previousEndsAt } = this.secretsOf(key);
    const isPreviousValid = previousEndsAt !== null && Date.parse(previousEndsAt) > Date.now();
    const secrets = [current, isPreviousValid ? previous : null].filter((secret) => secret !== null);
    return { ...sender, keyId: id, accountId: key.accountId, settings: key.plug, secrets };
  }

  /**
   * Makes the Idempotency-Key of a call, of what is the same in its repetitions: an id, or the whole call. It is a
   * keyed hash, because a call has a code, and other plugs have others for the same id.
   */
  idempotencyKeyOf({ keyId }: Plug, same: string | Buffer): string {
    const named = Buffer.concat([Buffer.from(`${keyId}\n`), Buffer.from(same)]);
    return `plug-${this.apiKeys.derive('event', named).toString('hex')}`;
  }

  /** Notes the result of a call: `sent`, or the code of an error. The call has its answer also when this fails. */
  async note({ accountId, keyId }: Plug, result: string): Promise<void> {
    await this.postgres
      .query(noteCall, [accountId, keyId, result])
      .catch((err: unknown) => this.logger.warn({ err, accountId }, 'call of a plug not noted'));
  }

  /** Encrypts every plug's secrets with the newest encryption key, so that older keys can be removed. */
  async reencrypt(): Promise<Reencryption> {
    return this.postgres.transaction(async (tx) => {
      const stored = await this.keys.lockPlugsToReencrypt(tx, this.encryption.keyId);
      const counts = { reencrypted: 0, unreadable: 0 };
      for (const key of stored) {
        try {
          await this.keys.writePlug(tx, key.accountId, key.id, this.sealed(this.secretsOf(key)));
          counts.reencrypted += 1;
        } catch (err) {
          counts.unreadable += 1;
          this.logger.error({ err, accountId: key.accountId }, 'secret of a plug cannot be decrypted');
        }
      }
      return counts;
    });
  }

  private viewOf(key: ApiKeyEntity): PlugView {
    const { id, name, plug, plugCalledAt, plugResult, createdAt } = key;
    if (!plug) throw new Error('A key without a plug was listed');
    const { current, previousEndsAt } = this.secretsOf(key);
    return {
      ...plug,
      keyId: id,
      name: name ?? '',
      address: `${this.config.http.publicUrl}/hooks/${plug.product}/${publicPlugId(id)}`,
      isSigned: current !== null,
      oldSecretEndsAt: previousEndsAt !== null && Date.parse(previousEndsAt) > Date.now() ? previousEndsAt : null,
      lastCallAt: plugCalledAt?.toISOString() ?? null,
      lastResult: plugResult,
      createdAt: createdAt.toISOString(),
    };
  }

  private sealed(secrets: StoredSecrets): Pick<PlugColumns, 'plugSecrets' | 'plugEncryptionKeyId'> {
    const { ciphertext, keyId } = this.encryption.encrypt(JSON.stringify(secrets));
    return { plugSecrets: ciphertext, plugEncryptionKeyId: keyId };
  }

  private secretsOf({ plugSecrets, plugEncryptionKeyId: keyId }: ApiKeyEntity): StoredSecrets {
    if (plugSecrets === null) return { current: null, previous: null, previousEndsAt: null };
    return storedSecrets.parse(JSON.parse(this.encryption.decrypt({ ciphertext: plugSecrets, keyId })));
  }
}
