import { Injectable } from '@nestjs/common';
import { Encryption, type Reencryption } from '../../platform/crypto/encryption.js';
import { Postgres } from '../../platform/database/postgres.js';
import { Logger } from '../../platform/telemetry/logger.js';
import { EncryptedSecretsRepository, type SealedRow } from './encrypted-secrets.repository.js';

const BATCH_ENDPOINTS_MAX = 500;

/** Seals every secret anew with the newest encryption key, as ReencryptKeys does with API keys. */
@Injectable()
export class ReencryptSecrets {
  constructor(
    private readonly postgres: Postgres,
    private readonly sealed: EncryptedSecretsRepository,
    private readonly encryption: Encryption,
    private readonly logger: Logger,
  ) {}

  async run(): Promise<Reencryption> {
    let [reencrypted, unreadable, after] = [0, 0, ''];
    for (;;) {
      const batch = await this.postgres.transaction(async (tx) => {
        const rows = await this.sealed.take(tx, this.encryption.keyId, after, BATCH_ENDPOINTS_MAX);
        for (const row of rows) {
          const secrets = [
            this.again(row, row.secret, row.secretKeyId),
            this.again(row, row.previous, row.previousKeyId),
          ];
          reencrypted += secrets.filter((one) => one?.isNew === true).length;
          unreadable += secrets.filter((one) => one?.isNew === false).length;
          await this.sealed.replace(tx, row.accountId, secrets);
        }
        return rows;
      });
      after = batch.at(-1)?.accountId ?? after;
      if (batch.length < BATCH_ENDPOINTS_MAX) return { reencrypted, unreadable };
    }
  }

  /** What cannot be read stays as it is; undefined when there is none, or it is sealed with the newest key already. */
  private again(
    { accountId }: SealedRow,
    sealed: Buffer | null,
    keyId: string | null,
  ): { sealed: Buffer; keyId: string | null; isNew: boolean } | undefined {
    if (sealed === null || keyId === this.encryption.keyId) return undefined;
    try {
      const text = this.encryption.decrypt({ ciphertext: sealed, keyId });
      const encrypted = this.encryption.encrypt(text);
      return { sealed: encrypted.ciphertext, keyId: encrypted.keyId, isNew: true };
    } catch (err) {
      this.logger.error({ err, accountId }, 'a secret of a webhook cannot be read');
      return { sealed, keyId, isNew: false };
    }
  }
}
