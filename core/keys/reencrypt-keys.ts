import { Injectable } from '@nestjs/common';
import { Encryption, type Reencryption } from '../platform/crypto/encryption.js';
import { Postgres } from '../platform/database/postgres.js';
import { Logger } from '../platform/telemetry/logger.js';
import { ApiKeysRepository } from './api-keys.repository.js';
import type { KeySecretEntity } from './key-secret.entity.js';

const REENCRYPTION_BATCH_MAX = 500;

/** Encrypts API keys with another encryption key. */
@Injectable()
export class ReencryptKeys {
  constructor(
    private readonly postgres: Postgres,
    private readonly keys: ApiKeysRepository,
    private readonly encryption: Encryption,
    private readonly logger: Logger,
  ) {}

  /**
   * Encrypts every key with the current encryption key, so that old encryption keys can be removed.
   */
  async reencrypt(): Promise<Reencryption> {
    let [reencrypted, unreadable] = [0, 0];
    let after: Buffer = Buffer.alloc(0);
    for (;;) {
      const outcomes = await this.postgres.transaction(async (tx) => {
        const batch = await this.keys.lockForReencryption(tx, this.encryption.keyId, after, REENCRYPTION_BATCH_MAX);
        after = batch.at(-1)?.hash ?? after;
        const texts = batch.map((secret) => this.tryDecrypt(secret));
        for (const [index, { hash }] of batch.entries()) {
          const text = texts[index];
          if (text === undefined) continue;
          const { ciphertext: encrypted, keyId: encryptionKeyId } = this.encryption.encrypt(text);
          await this.keys.updateEncrypted(tx, hash, { encrypted, encryptionKeyId });
        }
        return texts;
      });
      const readable = outcomes.filter((text) => text !== undefined).length;
      reencrypted += readable;
      unreadable += outcomes.length - readable;
      if (outcomes.length < REENCRYPTION_BATCH_MAX) return { reencrypted, unreadable };
    }
  }

  private tryDecrypt(secret: KeySecretEntity): string | undefined {
    try {
      if (secret.encrypted === null) throw new Error('This secret has no readable copy');
      return this.encryption.decrypt({ ciphertext: secret.encrypted, keyId: secret.encryptionKeyId });
    } catch (err) {
      this.logger.error({ err, accountId: secret.accountId }, 'API key cannot be decrypted');
      return undefined;
    }
  }
}
