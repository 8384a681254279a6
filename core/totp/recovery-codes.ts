import { createHmac, createSecretKey, type KeyObject, randomInt } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { limits } from '#contract/limits.js';
import { Config } from '../platform/config/config.js';
import { recoveryAlphabet } from '../rules/totp.js';

const { totpRecoveryCodes, totpRecoveryCodeCharacters: CHARACTERS } = limits;

/** Recovery codes: 50 random bits each, of which the database has HMAC-SHA-256. */
@Injectable()
export class RecoveryCodes {
  private readonly hashSecret: KeyObject;

  constructor({ otp }: Config) {
    this.hashSecret = createSecretKey(otp.hashSecret, 'base64');
  }

  /** Returns a set of different codes in canonical form. */
  generate(): string[] {
    const codes = new Set<string>();
    while (codes.size < totpRecoveryCodes) codes.add(newCode());
    return [...codes];
  }

  /** Includes the authenticator, so that equal codes of two authenticators have different hashes. */
  hash(totpId: string, code: string): Buffer {
    return createHmac('sha256', this.hashSecret).update(`totp recovery:${totpId}:${code}`).digest();
  }
}

/** Formats a code as people read it, in two groups. */
export function shownRecoveryCode(code: string): string {
  return `${code.slice(0, CHARACTERS / 2)}-${code.slice(CHARACTERS / 2)}`;
}

function newCode(): string {
  return Array.from({ length: CHARACTERS }, () => recoveryAlphabet[randomInt(recoveryAlphabet.length)]).join('');
}
