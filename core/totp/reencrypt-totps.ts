import { Injectable } from '@nestjs/common';
import { Encryption, type Reencryption } from '../platform/crypto/encryption.js';
import { Postgres } from '../platform/database/postgres.js';
import { Logger } from '../platform/telemetry/logger.js';
import { type StoredSecret, TotpsRepository } from './totps.repository.js';

/** Codes are verified meanwhile, and wait for the rows of a batch. */
const BATCH_MAX = 100;
const LOWEST_ID = '00000000-0000-0000-0000-000000000000';

/** Encrypts the secrets of authenticators with another encryption key. */
@Injectable()
export class ReencryptTotps {
  constructor(
    private readonly postgres: Postgres,
    private readonly totps: TotpsRepository,
    private readonly encryption: Encryption,
    private readonly logger: Logger,
  ) {}

  /** Encrypts every secret with the current encryption key, so that old encryption keys can be removed. */
  async reencrypt(): Promise<Reencryption> {
    let [reencrypted, unreadable] = [0, 0];
    let after = { accountId: LOWEST_ID, id: LOWEST_ID };
    for (;;) {
      const outcomes = await this.postgres.transaction(async (tx) => {
        const batch = await this.totps.lockToReencrypt(tx, this.encryption.keyId, after, BATCH_MAX);
        after = batch.at(-1) ?? after;
        const again = batch.map((secret) => this.encryptedAgain(secret));
        for (const secret of again) if (secret) await this.totps.replaceSecret(tx, secret);
        return again;
      });
      const readable = outcomes.filter((secret) => secret !== undefined).length;
      reencrypted += readable;
      unreadable += outcomes.length - readable;
      if (outcomes.length < BATCH_MAX) return { reencrypted, unreadable };
    }
  }

  /** Returns undefined when no key decrypts the secret. */
  private encryptedAgain({ accountId, id, ...secret }: StoredSecret): StoredSecret | undefined {
    try {
      return { accountId, id, ...this.encryption.encrypt(this.encryption.decrypt(secret)) };
    } catch (err) {
      this.logger.error({ err, accountId }, 'secret of an authenticator cannot be decrypted');
      return undefined;
    }
  }
}
