import { createHmac, createSecretKey, randomUUID, type KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Config } from '../platform/config/config.js';
import { Encryption } from '../platform/crypto/encryption.js';

const TEST_SUFFIX = '_test';
const KEY_CHARACTERS_MAX = 64;
const REMEMBERED_KEYS_MAX = 10_000;

/** An API key as a caller presented it: only its keyed hash travels on. `test` when it carried the `_test` suffix. */
export interface PresentedKey {
  readonly hash: Buffer;
  readonly test: boolean;
}

/** An encrypted API key as its columns have it. */
export interface StoredKey {
  readonly encryptedKey: Buffer;
  readonly encryptionKeyId: string | null;
}

/** API keys: random UUIDs (RFC 9562, version 4), looked up by HMAC-SHA-256. */
@Injectable()
export class ApiKeys {
  private readonly presented = new Map<string, PresentedKey>();
  private readonly hashSecret: KeyObject;

  constructor(
    { keys }: Config,
    private readonly encryption: Encryption,
  ) {
    this.hashSecret = createSecretKey(keys.hashSecret);
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

  /** The columns that store a key so that its owner can see it again. */
  encrypt(key: string): StoredKey {
    const { ciphertext, keyId } = this.encryption.encrypt(key);
    return { encryptedKey: ciphertext, encryptionKeyId: keyId };
  }

  /** Throws when no configured encryption key reads it. */
  decrypt({ encryptedKey, encryptionKeyId }: StoredKey): string {
    return this.encryption.decrypt({ ciphertext: encryptedKey, keyId: encryptionKeyId });
  }
}
