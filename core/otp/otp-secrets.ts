import { createHmac, createSecretKey, randomInt, type KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { Config } from '../platform/config/config.js';
import { Encryption, type EncryptedText } from '../platform/crypto/encryption.js';
import type { OtpText } from '../rules/otp.js';

const wording = z.object({ code: z.string(), org: z.string().optional(), domain: z.string().optional() });

/**
 * Generates one-time passwords. The database stores a code as HMAC-SHA-256, which verifies it, and
 * encrypted with its wording while it is live, so that it can be resent.
 */
@Injectable()
export class OtpSecrets {
  private readonly hashSecret: KeyObject;

  constructor(
    { otp }: Config,
    private readonly encryption: Encryption,
  ) {
    this.hashSecret = createSecretKey(otp.hashSecret, 'base64');
  }

  /** Every text of `digits` digits is equally likely, including leading zeros. */
  generate(digits: number): string {
    return String(randomInt(10 ** digits)).padStart(digits, '0');
  }

  /** Includes the account, so that equal codes of two accounts have different hashes. */
  hash(accountId: string, code: string): Buffer {
    return createHmac('sha256', this.hashSecret).update(`${accountId}:${code}`).digest();
  }

  /** Returns a keyed hash of a code that its caller has made. No hash by which a code is found is equal to it. */
  fingerprint(code: string): string {
    return createHmac('sha256', this.hashSecret).update(code).digest('hex');
  }

  encrypt(text: OtpText): EncryptedText {
    return this.encryption.encrypt(JSON.stringify(text));
  }

  /** Throws when no configured key fits. */
  decrypt(encrypted: EncryptedText): OtpText {
    const { code, org, domain } = wording.parse(JSON.parse(this.encryption.decrypt(encrypted)));
    return { code, org, domain };
  }
}
