import { createHmac, createSecretKey, randomInt, type KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Config } from '../platform/config/config.js';

/** One-time passwords: digits from the system's random numbers, known to the database by HMAC-SHA-256 alone. */
@Injectable()
export class OtpSecrets {
  private readonly hashSecret: KeyObject;

  constructor({ otp }: Config) {
    this.hashSecret = createSecretKey(otp.hashSecret, 'base64');
  }

  /** Every text of so many digits is as likely as the next, also those that begin with 0. */
  generate(digits: number): string {
    return String(randomInt(10 ** digits)).padStart(digits, '0');
  }

  /** The account is part of it, so that equal codes of two accounts do not look alike. */
  hash(accountId: string, code: string): Buffer {
    return createHmac('sha256', this.hashSecret).update(`${accountId}:${code}`).digest();
  }
}
