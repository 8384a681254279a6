import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  randomBytes,
  randomUUID,
  type KeyObject,
} from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Config } from '../platform/config/config.js';

const TEST_SUFFIX = '_test';
const KEY_CHARACTERS_MAX = 64;
const REMEMBERED_KEYS_MAX = 10_000;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const KEY_ID_CHARACTERS = 16;

/** An API key as a caller presented it: only its keyed hash travels on. `test` when it carried the `_test` suffix. */
export interface PresentedKey {
  readonly hash: Buffer;
  readonly test: boolean;
}

/** A readable copy at rest, and which encryption key reads it; null: not known, every key is tried. */
export interface SealedKey {
  readonly encryptedKey: Buffer;
  readonly encryptionKeyId: string | null;
}

/** API keys: random UUIDs (RFC 9562, version 4), looked up by HMAC-SHA-256, shown again from an AES-256-GCM copy. */
@Injectable()
export class ApiKeys {
  private readonly presented = new Map<string, PresentedKey>();
  private readonly hashSecret: KeyObject;
  /** By id; the first one encrypts. */
  private readonly encryptionKeys: ReadonlyMap<string, KeyObject>;
  /** The id of the key that encrypts now. */
  readonly encryptionKeyId: string;

  constructor({ keys }: Config) {
    this.hashSecret = createSecretKey(keys.hashSecret);
    this.encryptionKeys = new Map(
      [keys.encryptionKey, ...keys.oldEncryptionKeys].map((key) => [keyIdOf(key), createSecretKey(key)]),
    );
    this.encryptionKeyId = keyIdOf(keys.encryptionKey);
  }

  generate(): string {
    return randomUUID();
  }

  /** Keys come again and again: the hashes of the latest ones are remembered. */
  present(text: string): PresentedKey {
    const known = this.presented.get(text);
    if (known) return known;
    const test = text.endsWith(TEST_SUFFIX);
    const key = { hash: this.hash(test ? text.slice(0, -TEST_SUFFIX.length) : text), test };
    if (this.presented.size >= REMEMBERED_KEYS_MAX) this.presented.clear();
    if (text.length <= KEY_CHARACTERS_MAX) this.presented.set(text, key);
    return key;
  }

  hash(key: string): Buffer {
    return createHmac('sha256', this.hashSecret).update(key).digest();
  }

  /** Layout: 12 bytes of nonce, 16 bytes of tag, then the ciphertext. */
  encrypt(key: string): SealedKey & { encryptionKeyId: string } {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.encryptionKey(this.encryptionKeyId), iv);
    const sealed = Buffer.concat([cipher.update(key, 'utf8'), cipher.final()]);
    return { encryptedKey: Buffer.concat([iv, cipher.getAuthTag(), sealed]), encryptionKeyId: this.encryptionKeyId };
  }

  /** Throws when no key that is configured made the copy, or when it has been changed. */
  decrypt({ encryptedKey, encryptionKeyId }: SealedKey): string {
    if (encryptionKeyId !== null) return opened(encryptedKey, this.encryptionKey(encryptionKeyId));
    let fault: unknown;
    for (const key of this.encryptionKeys.values()) {
      try {
        return opened(encryptedKey, key);
      } catch (error) {
        fault = error;
      }
    }
    throw fault;
  }

  private encryptionKey(id: string): KeyObject {
    const key = this.encryptionKeys.get(id);
    if (!key) throw new Error(`The encryption key ${id} is not configured: add it to API_KEY_ENCRYPTION_KEYS_OLD`);
    return key;
  }
}

function opened(copy: Buffer, key: KeyObject): string {
  const decipher = createDecipheriv('aes-256-gcm', key, copy.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAuthTag(copy.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  return Buffer.concat([decipher.update(copy.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8');
}

/** Names an encryption key without telling it. */
function keyIdOf(key: Buffer): string {
  return createHash('sha256').update(key).digest('hex').slice(0, KEY_ID_CHARACTERS);
}
