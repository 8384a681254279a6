import { Injectable } from '@nestjs/common';
import { Encryption, type Reencryption } from '../../platform/crypto/encryption.js';
import { Postgres } from '../../platform/database/postgres.js';
import { Logger } from '../../platform/telemetry/logger.js';
import type { ApiKeyEntity } from '../api-key.entity.js';
import { ApiKeys } from '../api-keys.js';
import { ApiKeysRepository } from './api-keys.repository.js';

const BATCH_KEYS_MAX = 500;

/** Makes every readable copy anew with the newest encryption key, so that the earlier ones can be given up. */
@Injectable()
export class ReencryptKeys {
  constructor(
    private readonly postgres: Postgres,
    private readonly keys: ApiKeysRepository,
    private readonly apiKeys: ApiKeys,
    private readonly encryption: Encryption,
    private readonly logger: Logger,
  ) {}

  async run(): Promise<Reencryption> {
    let [reencrypted, unreadable] = [0, 0];
    let after: Buffer = Buffer.alloc(0);
    for (;;) {
      const outcomes = await this.postgres.transaction(async (tx) => {
        const batch = await this.keys.takeForReencryption(tx, this.encryption.keyId, after, BATCH_KEYS_MAX);
        after = batch.at(-1)?.keyHash ?? after;
        const readable: boolean[] = [];
        for (const key of batch) {
          const text = this.read(key);
          if (text !== undefined) await this.keys.replaceCopy(tx, key.keyHash, this.apiKeys.encrypt(text));
          readable.push(text !== undefined);
        }
        return readable;
      });
      reencrypted += outcomes.filter(Boolean).length;
      unreadable += outcomes.filter((readable) => !readable).length;
      if (outcomes.length < BATCH_KEYS_MAX) return { reencrypted, unreadable };
    }
  }

  private read(key: ApiKeyEntity): string | undefined {
    try {
      return this.apiKeys.decrypt(key);
    } catch (err) {
      this.logger.error({ err, accountId: key.accountId }, 'a copy of an API key cannot be read');
      return undefined;
    }
  }
}
