import { createCipheriv, createDecipheriv, createHmac, randomBytes, randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Config } from '../config/config.js';

const TEST_SUFFIX = '_test';
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
  constructor(private readonly config: Config) {}

  generate(): string {
    return randomUUID();
  }

  present(text: string): PresentedKey {
    const test = text.endsWith(TEST_SUFFIX);
    const key = test ? text.slice(0, -TEST_SUFFIX.length) : text;
    return { hash: this.hash(key), test };
  }

  hash(key: string): Buffer {
    return createHmac('sha256', this.config.keys.hashSecret).update(key).digest();
  }

  /** Layout: 12 bytes of nonce, 16 bytes of tag, then the ciphertext. */
  encrypt(key: string): Buffer {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.config.keys.encryptionKey, iv);
    const sealed = Buffer.concat([cipher.update(key, 'utf8'), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), sealed]);
  }

  /** Throws when the copy was made with another encryption key or has been changed. */
  decrypt(copy: Buffer): string {
    const decipher = createDecipheriv('aes-256-gcm', this.config.keys.encryptionKey, copy.subarray(0, IV_BYTES));
    decipher.setAuthTag(copy.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    return Buffer.concat([decipher.update(copy.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8');
  }
}
