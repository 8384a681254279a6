import { createHash, createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { LedgerKey } from '#contract/ledger-proof.js';
import { Encryption, type Reencryption } from '../platform/crypto/encryption.js';
import { Postgres } from '../platform/database/postgres.js';
import { Logger } from '../platform/telemetry/logger.js';

interface StoredKey {
  readonly id: string;
  readonly privateKey: Buffer;
  readonly encryptionKeyId: string;
}

/** A key that signs, with its id. */
export interface SigningKey {
  readonly id: string;
  readonly privateKey: KeyObject;
}

const stored = 'id, private_key AS "privateKey", encryption_key_id AS "encryptionKeyId"';

export const currentKeyStatement = {
  text: `SELECT ${stored} FROM ledger_keys WHERE retired_at IS NULL FOR SHARE`,
} as const;
export const storedKeysStatement = { text: `SELECT ${stored} FROM ledger_keys ORDER BY id FOR UPDATE` } as const;
export const publicKeysStatement = {
  name: 'ledger-keys-1',
  text: `SELECT id, x, created_at AS "createdAt", retired_at AS "retiredAt" FROM ledger_keys ORDER BY created_at, id`,
} as const;

/**
 * The Ed25519 keys (RFC 8032) that sign the ledger's seals. Private keys are stored encrypted. The
 * first key is made on first use; public keys of retired keys stay published, because their seals
 * stay.
 */
@Injectable()
export class LedgerKeys {
  constructor(
    private readonly postgres: Postgres,
    private readonly encryption: Encryption,
    private readonly logger: Logger,
  ) {}

  /** Returns all public keys, oldest first. */
  async published(): Promise<LedgerKey[]> {
    interface Row {
      readonly id: string;
      readonly x: string;
      readonly createdAt: Date;
      readonly retiredAt: Date | null;
    }
    const rows = await this.postgres.query<Row>(publicKeysStatement, []);
    return rows.map(({ id, x, createdAt, retiredAt }) => ({
      kty: 'OKP',
      crv: 'Ed25519',
      x,
      kid: id,
      valid_from: createdAt.toISOString(),
      valid_until: retiredAt?.toISOString() ?? null,
    }));
  }

  /** Returns the key that signs. It cannot be retired until the transaction ends. */
  async current(tx: EntityManager): Promise<SigningKey> {
    const key = await this.stored(tx);
    const der = Buffer.from(
      this.encryption.decrypt({ ciphertext: key.privateKey, keyId: key.encryptionKeyId }),
      'base64',
    );
    return { id: key.id, privateKey: createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }) };
  }

  private async stored(tx: EntityManager): Promise<StoredKey> {
    for (;;) {
      const [key] = await tx.query<StoredKey[]>(currentKeyStatement.text);
      if (key) return key;
      await this.create(tx);
    }
  }

  /**
   * Retires the current key and makes a new key, which signs from now on. Returns the ids of both.
   */
  async rotate(): Promise<{ readonly key: string; readonly retired: string | null }> {
    return this.postgres.transaction(async (tx) => {
      // A seal in progress holds the key; its time is before the key's end.
      const [old] = await tx.query<{ id: string }[]>('SELECT id FROM ledger_keys WHERE retired_at IS NULL FOR UPDATE');
      if (old)
        await tx.query('UPDATE public.ledger_keys SET retired_at = statement_timestamp() WHERE id = $1', [old.id]);
      await this.create(tx);
      const { id } = await this.stored(tx);
      return { key: id, retired: old?.id ?? null };
    });
  }

  /** Encrypts the private keys with the newest encryption key. */
  async reencrypt(): Promise<Reencryption> {
    return this.postgres.transaction(async (tx) => {
      const counts = { reencrypted: 0, unreadable: 0 };
      for (const { id, privateKey, encryptionKeyId } of await tx.query<StoredKey[]>(storedKeysStatement.text)) {
        if (encryptionKeyId === this.encryption.keyId) continue;
        try {
          const text = this.encryption.decrypt({ ciphertext: privateKey, keyId: encryptionKeyId });
          const { ciphertext, keyId } = this.encryption.encrypt(text);
          await tx.query('UPDATE public.ledger_keys SET private_key = $2, encryption_key_id = $3 WHERE id = $1', [
            id,
            ciphertext,
            keyId,
          ]);
          counts.reencrypted += 1;
        } catch (err) {
          counts.unreadable += 1;
          this.logger.error({ err, key: id }, 'private key of the ledger cannot be decrypted');
        }
      }
      return counts;
    });
  }

  /** Does nothing when another process has made a key meanwhile. */
  private async create(tx: EntityManager): Promise<void> {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const { x = '' } = publicKey.export({ format: 'jwk' });
    const der = privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');
    const { ciphertext, keyId } = this.encryption.encrypt(der);
    await tx.query(
      `INSERT INTO public.ledger_keys (id, x, private_key, encryption_key_id, created_at)
       VALUES ($1, $2, $3, $4, statement_timestamp()) ON CONFLICT DO NOTHING`,
      [thumbprint(x), x, ciphertext, keyId],
    );
  }
}

/**
 * Identifies an Ed25519 key by its public part (RFC 7638, appendix A.3 of RFC 8037), in base64url.
 */
function thumbprint(x: string): string {
  return createHash('sha256').update(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`).digest('base64url');
}
