import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Encryption, type EncryptedText, type Reencryption } from '../../platform/crypto/encryption.js';
import { Postgres } from '../../platform/database/postgres.js';
import { Logger } from '../../platform/telemetry/logger.js';
import { EndpointsRepository, type EncryptedSecrets } from './endpoints.repository.js';

/** Standard Webhooks requires 24 to 64 bytes. */
const SECRET_BYTES = 32;
const REENCRYPTED_BATCH_MAX = 500;

/**
 * Creates, decrypts and re-encrypts the secrets that sign webhooks: `whsec_` and 32 random bytes in
 * base64.
 */
@Injectable()
export class WebhookSecrets {
  constructor(
    private readonly endpoints: EndpointsRepository,
    private readonly postgres: Postgres,
    private readonly encryption: Encryption,
    private readonly logger: Logger,
  ) {}

  /**
   * Returns the secrets that are valid now, the current secret first. Creates the account's first
   * secret if it does not exist.
   */
  async of(accountId: string, { current, previous }: EncryptedSecrets): Promise<string[]> {
    const encrypted = current ?? (await this.endpoints.firstSecret(accountId, this.generate()));
    return [encrypted, ...(previous ? [previous] : [])].map((secret) => this.encryption.decrypt(secret));
  }

  /** Generates a secret and returns it encrypted. */
  generate(): EncryptedText {
    return this.encryption.encrypt(`whsec_${randomBytes(SECRET_BYTES).toString('base64')}`);
  }

  /**
   * Encrypts every stored secret with the newest encryption key, so that the older keys can be
   * removed.
   */
  async reencrypt(): Promise<Reencryption> {
    const counts = { reencrypted: 0, unreadable: 0 };
    for (let after: string | undefined; ;) {
      const batch = await this.postgres.transaction(async (tx) => {
        const rows = await this.endpoints.takeSecretsToReencrypt(tx, {
          keyId: this.encryption.keyId,
          after,
          endpointsMax: REENCRYPTED_BATCH_MAX,
        });
        for (const { accountId, ...secrets } of rows) {
          const current = this.encryptedAgain(accountId, secrets.current, counts);
          const previous = this.encryptedAgain(accountId, secrets.previous, counts);
          await this.endpoints.replaceSecrets(tx, accountId, { current, previous });
        }
        return rows;
      });
      after = batch.at(-1)?.accountId;
      if (batch.length < REENCRYPTED_BATCH_MAX) return counts;
    }
  }

  /**
   * Returns null without a secret, when the newest key encrypted it already, or when no key
   * decrypts it.
   */
  private encryptedAgain(
    accountId: string,
    secret: EncryptedText | null,
    counts: { reencrypted: number; unreadable: number },
  ): EncryptedText | null {
    if (!secret || secret.keyId === this.encryption.keyId) return null;
    try {
      const again = this.encryption.encrypt(this.encryption.decrypt(secret));
      counts.reencrypted += 1;
      return again;
    } catch (err) {
      counts.unreadable += 1;
      this.logger.error({ err, accountId }, 'webhook secret cannot be decrypted');
      return null;
    }
  }
}
