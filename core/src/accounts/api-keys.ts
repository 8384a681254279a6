import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  randomBytes,
  randomUUID,
  type KeyObject,
} from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Config } from '../config/config.js';

const TEST_SUFFIX = '_test';
const KEY_CHARACTERS_MAX = 64;
const REMEMBERED_KEYS_MAX = 10_000;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** An API key as a caller presented it: only its keyed hash travels on. `test` when it carried the `_test` suffix. */
export interface PresentedKey {
  readonly hash: Buffer;
  readonly test: boolean;
}

/** API keys: random UUIDs (RFC 9562, version 4), looked up by HMAC-SHA-256, shown again from an AES-256-GCM copy. */
@Injectable()
export class ApiKeys {
  private readonly presented = new Map<string, PresentedKey>();
  private readonly hashSecret: KeyObject;
  private readonly encryptionKey: KeyObject;

  constructor({ keys }: Config) {
    this.hashSecret = createSecretKey(keys.hashSecret);
    this.encryptionKey = createSecretKey(keys.encryptionKey);
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
  encrypt(key: string): Buffer {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.encryptionKey, iv);
    const sealed = Buffer.concat([cipher.update(key, 'utf8'), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), sealed]);
  }

  /** Throws when the copy was made with another encryption key or has been changed. */
  decrypt(copy: Buffer): string {
    const decipher = createDecipheriv('aes-256-gcm', this.encryptionKey, copy.subarray(0, IV_BYTES));
    decipher.setAuthTag(copy.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    return Buffer.concat([decipher.update(copy.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8');
  }
}
