import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createSecretKey,
  randomBytes,
  type KeyObject,
  timingSafeEqual,
} from 'node:crypto';
import { Global, Injectable, Module } from '@nestjs/common';
import { Config } from '../config/config.js';
import { EnvironmentError } from '../config/env.js';

const IV_BYTES = 12;
const TAG_BYTES = 16;
const KEY_ID_CHARACTERS = 16;

export interface EncryptedText {
  /** 12 bytes of nonce, 16 bytes of authentication tag, then the AES-256-GCM ciphertext. */
  readonly ciphertext: Buffer;
  /**
   * Identifies the encryption key; null for texts older than key ids, which are tried with every
   * key.
   */
  readonly keyId: string | null;
}

/** Result of encrypting stored texts with the current key again. */
export interface Reencryption {
  readonly reencrypted: number;
  /** Texts that no configured key decrypts. */
  readonly unreadable: number;
}

/**
 * Encrypts secrets at rest with AES-256-GCM: API keys, OTP payloads and webhook secrets. Keys
 * rotate: the current key encrypts, the old keys only decrypt.
 */
@Injectable()
export class Encryption {
  /** Identifies the key that encrypts. */
  readonly keyId: string;
  private readonly keys: ReadonlyMap<string, KeyObject>;

  constructor({ keys }: Config) {
    this.keyId = keyIdOf(keys.encryptionKey);
    this.keys = new Map(
      [keys.encryptionKey, ...keys.oldEncryptionKeys].map((key) => [keyIdOf(key), createSecretKey(key)]),
    );
  }

  /** The keys that decrypt. */
  get keyIds(): readonly string[] {
    return [...this.keys.keys()];
  }

  /** Encrypts a text with the current key and a random nonce. */
  encrypt(text: string): EncryptedText & { readonly keyId: string } {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.key(this.keyId), iv);
    const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return { ciphertext: Buffer.concat([iv, cipher.getAuthTag(), encrypted]), keyId: this.keyId };
  }

  /** Decrypts a text. Throws when no configured key fits, or when the ciphertext was modified. */
  decrypt({ ciphertext, keyId }: EncryptedText): string {
    if (keyId !== null) return decryptWith(this.key(keyId), ciphertext);
    let failure: unknown;
    for (const key of this.keys.values()) {
      try {
        return decryptWith(key, ciphertext);
      } catch (error) {
        failure = error;
      }
    }
    throw failure;
  }

  private key(id: string): KeyObject {
    const key = this.keys.get(id);
    if (!key)
      throw new EnvironmentError(
        `API_KEY_ENCRYPTION_KEY is not the one with which this was stored (id ${id}). Set that one, or add it to ` +
          'API_KEY_ENCRYPTION_KEYS_OLD. docs/keys.md describes both.',
      );
    return key;
  }
}

@Global()
@Module({ providers: [Encryption], exports: [Encryption] })
export class EncryptionModule {}

function decryptWith(key: KeyObject, ciphertext: Buffer): string {
  const decipher = createDecipheriv('aes-256-gcm', key, ciphertext.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAuthTag(ciphertext.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  return Buffer.concat([decipher.update(ciphertext.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8');
}

/** Identifies a key by a hash, which does not reveal it. */
function keyIdOf(key: Buffer): string {
  return createHash('sha256').update(key).digest('hex').slice(0, KEY_ID_CHARACTERS);
}

/** Compares a text with a secret in constant time. */
export function isSecret(given: string, secret: string): boolean {
  return timingSafeEqual(digest(given), digest(secret));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
